"""The server of the page. It trusts nobody.

Every input is checked before anything is done with it; bodies, games, pages and thinking times are bounded;
what a browser sees belongs to the secret in its cookie; only the files named here are ever sent. It
answers only to the names it was given, so that another site cannot reach it through a visitor's browser.
"""

from __future__ import annotations

import functools
import json
import secrets
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

import agents
from agents.policy import names as shipped_policies
from titan_env import registry
from titan_env.batch import configured, read_checked
from titan_env.cli.seating import Seating
from titan_env.contract import Game
from titan_env.film import film
from titan_env.render import shapes_of
from titan_env.replay import parse
from titan_env.svg import svg
from titan_env.web.asked import (
    MOST_TEXT,
    asked_game,
    asked_look,
    asked_number,
    asked_options,
    asked_seed,
    short,
)
from titan_env.web.rooms import Full, NotYours, Rooms
from titan_env.web.rules import rules_page
from titan_env.web.sitting import PERSON, Sitting, Story, opened

MOST_BYTES = 4_000_000
"""The longest body that is read: a record of some thousand decisions."""
MOST_FILMED = 1000
"""Decisions of a game that is made into a page here: some seconds of work."""
MOST_AT_ONCE = 1000
"""Connections at a time."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

_COOKIE = "seat"
_SCRIPTS = ("app", "base", "board", "editor", "form")
_PAGE = {"/style.css": "text/css"} | {f"/{name}.js": "text/javascript" for name in _SCRIPTS}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

Handler = Callable[["Server", str, Mapping[str, Any]], Any]


class Server:
    """What the routes share: which agents may be asked for, and who has which games."""

    def __init__(self, more_agents: Sequence[str] = (), rooms: Rooms | None = None) -> None:
        self.agents = [*_usual_agents(), *more_agents]
        self.rooms = Rooms() if rooms is None else rooms
        self._filming = threading.Lock()
        for name in more_agents:
            _check_agent(name)

    def catalogue(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """What can be played, by whom, with which options."""
        games = [registry.load(name) for name in registry.names()]
        return {"games": [_describe(game) for game in games], "agents": [PERSON, *self.agents]}

    def seats(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """How many players a game with these options has."""
        game, options = asked_game(asked), asked_options(asked)
        return {"seats": int(configured(game, options)[0].seats)}

    def begin(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Begin a game among people and agents."""
        game, names = asked_game(asked), asked.get("names")
        if not isinstance(names, list) or not all(name in (PERSON, *self.agents) for name in names):
            raise ValueError(f"expected players among {', '.join((PERSON, *self.agents))}, got {short(names)}")
        sitting = Sitting(
            game, names, asked_options(asked), asked_seed(asked), asked.get("practice") is True, asked.get("position")
        )
        return {"id": self.rooms.add(owner, sitting), **sitting.view(-1, asked_look(asked))}

    def open(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Open a record."""
        text = asked.get("record")
        if not isinstance(text, str):
            raise ValueError("expected the text of a record")
        story = opened(text)
        return {"id": self.rooms.add(owner, story), **story.view(0, asked_look(asked))}

    def show(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """One moment of a game, at once, also while an agent thinks."""
        return self._story(owner, asked).view(asked_number(asked, "at", -1), asked_look(asked))

    def play(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """A person decides."""
        sitting = self._sitting(owner, asked, growing=True)
        with sitting.lock:
            sitting.play(asked_number(asked, "action"), asked_number(asked, "at"))
            return sitting.view(-1, asked_look(asked))

    def act(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """The agent that is asked decides, once; nothing happens where it has decided meanwhile."""
        sitting = self._sitting(owner, asked, growing=True)
        with sitting.lock:
            if asked_number(asked, "at") == len(sitting.moments) - 1:
                sitting.let_act()
            return sitting.view(-1, asked_look(asked))

    def undo(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Take a decision back."""
        sitting = self._sitting(owner, asked)
        with sitting.lock:
            sitting.undo()
            return sitting.view(-1, asked_look(asked))

    def record(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """The record of a game, or with ``"film": true`` the page of it."""
        story = self._story(owner, asked)
        with story.lock:
            text = story.record
        return {"text": self._film(text, asked_look(asked).theme) if asked.get("film") is True else text}

    def _film(self, text: str, theme: str | None) -> str:
        """The page of a record. Raises ValueError for a long one, and Full while another page is made."""
        record = parse(text)
        if (count := len(record.decisions)) > MOST_FILMED:
            raise ValueError(
                f"expected at most {MOST_FILMED:,} decisions for a page that is made here, got {count:,}; "
                "save the record, and make it with python -m titan_env replay FILE --out game.html"
            )
        if not self._filming.acquire(blocking=False):
            raise Full("expected one page at a time to be made on this server; try again in some seconds")
        try:
            return film(record, theme)
        finally:
            self._filming.release()

    def position(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Check the text of a position, put a thing elsewhere if asked to, and draw it. No text: a new setup."""
        game, text = asked_game(asked), asked.get("text")
        if text == "":
            states = Seating(game, secrets.randbits(32), asked_options(asked)).states
        else:
            states = read_checked(game, text)
        what, where = asked.get("what"), asked.get("where", "")
        if what is not None:
            if game.arrange is None:
                raise ValueError(f"expected a game whose pieces can be put elsewhere by hand, {game.title} is none")
            if not all(isinstance(key, str) and len(key) <= MOST_TEXT for key in (what, where)):
                raise ValueError("expected the keys of two things of the picture")
            game.arrange(states[0], what, where)
            game.check(states[0])
        look = asked_look(asked)
        drawn = svg(shapes_of(game, states[0], narrow=look.narrow), theme=look.theme, title=game.title)
        return {"text": game.show(states[0]), "svg": drawn, "seats": int(states[0].seats)}

    def rules(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """The rules of a game as HTML."""
        game = asked_game(asked)
        if not game.folder:
            raise ValueError(f"expected a game that comes with its rules; {game.title} has no rules to read here")
        return {"title": game.title, "html": rules_page(game.folder)}

    def _story(self, owner: str, asked: Mapping[str, Any]) -> Story:
        return self.rooms.find(owner, str(asked.get("id")))

    def _sitting(self, owner: str, asked: Mapping[str, Any], growing: bool = False) -> Sitting:
        """A game that is played. Raises Full where it would grow and the server has no room for another moment."""
        story = self._story(owner, asked)
        if growing:
            self.rooms.make_sure_of_room()
        if not isinstance(story, Sitting):
            raise ValueError("expected a game that is played here, got a record that was opened")
        return story


# What can be asked for


def _usual_agents() -> list[str]:
    """Agents that answer quickly."""
    return ["random", "greedy", "expert", *shipped_policies(), "flat:64", "mcts:256"]


def _check_agent(name: str) -> None:
    """Raises ValueError for an agent that plays none of the games."""
    complaints = []
    for game in registry.names():
        try:
            agents.load(name, registry.load(game))
            return
        except ValueError as error:
            complaints.append(str(error))
    raise ValueError(complaints[0])


def _describe(game: Game) -> dict[str, Any]:
    """A game for the form in which one is begun."""
    return {
        "name": game.name,
        "title": game.title,
        "seats": game.seats,
        "options": [
            {"name": name, "meaning": meaning, "choices": [_spoken(value) for value in game.choices.get(name, ())]}
            for name, meaning in game.options.items()
        ],
        "editable": game.arrange is not None,
    }


def _spoken(value: Any) -> str:
    """A value of an option as people type it."""
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


# Routes


def application(server: Server, hosts: Sequence[str] = LOOPBACK) -> Starlette:
    """The page and what it asks for, answering only to requests for these hosts ("*": any)."""
    handlers: list[Handler] = [Server.catalogue, Server.seats, Server.begin, Server.open, Server.show, Server.play]
    handlers += [Server.act, Server.undo, Server.record, Server.position, Server.rules]
    routes = [Route("/", _index)]
    routes += [Route(path, functools.partial(_file, path, kind)) for path, kind in _PAGE.items()]
    for handler in handlers:
        routes.append(Route(f"/api/{handler.__name__}", _endpoint(server, handler), methods=["POST"]))
    return Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))])


async def _index(request: Request) -> Response:
    """The page; whoever has no cookie yet gets one."""
    response = HTMLResponse(_read("/index.html"), headers=_HEADERS)
    if _owner(request) is None:
        response.set_cookie(_COOKIE, secrets.token_urlsafe(32), httponly=True, samesite="strict")
    return response


async def _file(path: str, kind: str, request: Request) -> Response:
    return Response(_read(path), media_type=kind, headers=_HEADERS)


@functools.cache
def _read(path: str) -> str:
    """One of the files of the page."""
    return files("titan_env.web").joinpath(f"page{path}").read_text("utf-8")


def _owner(request: Request) -> str | None:
    """The secret of a browser, if it has one as long as ours: whoever knows it owns what it began."""
    secret = request.cookies.get(_COOKIE, "")
    return secret if len(secret) == 43 and secret.replace("-", "").replace("_", "").isalnum() else None


def _endpoint(server: Server, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """Ask a handler, in a thread of its own, and turn what it complains about into an answer."""

    async def endpoint(request: Request) -> Response:
        owner = _owner(request)
        if owner is None:
            return _complaint(403, "expected the cookie of the page; open it first, and allow cookies")
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return _complaint(415, "expected application/json")
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BYTES:
                return _complaint(413, f"expected at most {MOST_BYTES:,} bytes")
        try:
            asked = json.loads(body or b"{}")
            if not isinstance(asked, dict):
                raise ValueError("expected an object")
            answer = await run_in_threadpool(handler, server, owner, asked)
        except NotYours:
            return _complaint(404, "expected a game of yours; this one is not, or was idle for too long")
        except Full as error:
            return _complaint(503, str(error))
        except RecursionError:
            return _complaint(400, "expected JSON that is not nested so deep")
        except (ValueError, TypeError) as error:
            return _complaint(400, str(error))
        return JSONResponse(answer, headers=_HEADERS)

    return endpoint


def _complaint(status: int, what: str) -> Response:
    return JSONResponse({"error": what}, status, headers=_HEADERS)


def serve(host: str, port: int, more_agents: Sequence[str] = ()) -> None:
    """Serve the page until Ctrl-C. Raises ValueError for an agent that is none, or an address that is not free."""
    import uvicorn

    named = f"[{host}]" if ":" in host else host
    app = application(Server(more_agents), LOOPBACK if named in LOOPBACK else ("*",))
    try:
        listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise ValueError(f"expected a free address, got {named}:{port}: {error}; pass another --port") from None
    print(f"The page is at http://{named}:{listening.getsockname()[1]}/ (Ctrl-C ends it)", flush=True)
    config = uvicorn.Config(app, log_level="warning", limit_concurrency=MOST_AT_ONCE)
    uvicorn.Server(config).run(sockets=[listening])
