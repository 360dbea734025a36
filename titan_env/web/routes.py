"""What can be asked for over HTTP, and the checks that every request meets before anything is done with it.

Bodies and waiting times are bounded; what a browser sees belongs to the secret in its cookie; only the files named
here are ever sent. Only requests for the names that were given are answered, so that another site cannot reach the
server through a visitor's browser.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from titan_env import agents
from titan_env.contract.language import speaking
from titan_env.web.offered import example, form, glossary
from titan_env.web.rooms import Full, NotYours
from titan_env.web.server import Server
from titan_env.web.speech import COOKIE, _, language_of, script, translated
from titan_env.web.thinking import GivenUp

MOST_BYTES = 4_000_000
"""The longest body that is read: a record of some thousand decisions."""
LONGEST_BODY = 30.0
"""Seconds in which a body has to come."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

_COOKIE = "seat"
_SCRIPTS = ["app", "base", "board", "editor", "explain", "form", "glide", "history", "people", "preview"]
_SCRIPTS += ["rules", "stages"]
_PAGE = {"/style.css": "text/css"} | {f"/{name}.js": "text/javascript" for name in _SCRIPTS}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

Handler = Callable[["Server", str, Mapping[str, Any]], Any]


def application(server: Server, hosts: Sequence[str] = LOOPBACK) -> Starlette:
    """The page and what it asks for, answering only to requests for these hosts ("*": any)."""
    handlers: list[Handler] = [Server.catalogue, Server.seats, Server.begin, Server.open, Server.show, Server.reasons]
    handlers += [Server.preview, Server.stages, Server.history, Server.play, Server.act, Server.stop, Server.undo]
    handlers += [Server.record, Server.position, Server.rules, Server.progress, form, glossary, example]
    routes = [Route("/", _index), Route("/words.js", _words)]
    routes += [Route(path, functools.partial(_file, path, kind)) for path, kind in _PAGE.items()]
    for handler in handlers:
        routes.append(Route(f"/api/{handler.__name__}", _endpoint(server, handler), methods=["POST"]))
    return Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))])


async def _index(request: Request) -> Response:
    """The page; whoever has no cookie yet gets one."""
    with speaking(_language(request)):
        response = HTMLResponse(translated(_read("/index.html")), headers=_HEADERS)
    if _owner(request) is None:
        response.set_cookie(_COOKIE, secrets.token_urlsafe(32), httponly=True, samesite="strict")
    return response


async def _words(request: Request) -> Response:
    """The words of the page's scripts."""
    with speaking(_language(request)):
        return Response(script(), media_type="text/javascript", headers=_HEADERS)


def _language(request: Request) -> str:
    """The language of a visitor."""
    return language_of(request.cookies.get(COOKIE), request.headers.get("accept-language", ""))


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
    """Ask a handler, in a thread of its own unless it waits, and turn what it complains about into an answer."""

    async def endpoint(request: Request) -> Response:
        with speaking(_language(request)):
            return await answered(request)

    async def answered(request: Request) -> Response:
        owner = _owner(request)
        if owner is None:
            return _complaint(403, _("expected the cookie of the page; open it first, and allow cookies"))
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return _complaint(415, _("expected application/json"))
        body = bytearray()
        try:
            async with asyncio.timeout(LONGEST_BODY):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > MOST_BYTES:
                        return _complaint(413, _("expected at most {n} bytes", n=f"{MOST_BYTES:,}"))
            asked = json.loads(body or b"{}")
            if not isinstance(asked, dict):
                raise ValueError(_("expected an object"))
            if inspect.iscoroutinefunction(handler):
                answer = await _unless_gone(request, handler(server, owner, asked))
            else:
                answer = await run_in_threadpool(handler, server, owner, asked)
        except TimeoutError:
            return _complaint(408, _("expected what is asked within {n} seconds", n=f"{LONGEST_BODY:g}"))
        except ClientDisconnect:
            return Response()  # nobody reads it
        except NotYours:
            what = _("expected a game of yours; this one is not, was idle for too long, or made room")
            return _complaint(404, what)
        except (GivenUp, agents.AgentFailed) as error:
            return _complaint(503, error.told())
        except Full as error:
            return _complaint(503, str(error))
        except RecursionError:
            return _complaint(400, _("expected JSON that is not nested so deep"))
        except (ValueError, TypeError) as error:
            return _complaint(400, str(error))
        return JSONResponse(answer, headers=_HEADERS)

    return endpoint


async def _unless_gone(request: Request, work: Coroutine[Any, Any, Any]) -> Any:
    """What comes of this work; it is dropped where whoever has asked for it leaves. Raises ClientDisconnect then."""
    working, leaving = asyncio.ensure_future(work), asyncio.ensure_future(request.receive())
    await asyncio.wait([working, leaving], return_when=asyncio.FIRST_COMPLETED)
    leaving.cancel()
    if working.done():
        return working.result()
    working.cancel()
    raise ClientDisconnect


def _complaint(status: int, what: str) -> Response:
    return JSONResponse({"error": what}, status, headers=_HEADERS)
