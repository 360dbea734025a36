"""The server of the page, which treats all input as untrusted.

Every input is validated first; games, pages and thinking times are bounded; a visitor's games are accessible to that
visitor and invited guests only. Visitors are hashes of their secrets throughout.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool

from titan_env import agents, registry
from titan_env.contract import COMPILED, Game
from titan_env.contract.translation import mark
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.warm_up import play_first_decisions
from titan_env.envs.warm_up import let_agents_decide
from titan_env.records.replay import parse
from titan_env.records.replay_html import render_html
from titan_env.web.requests.analysis_api import advise, chances, choices
from titan_env.web.requests.api import ApiRequest, ApiResponse, Handler, answer_request
from titan_env.web.requests.arena_api import instead, ladders, rated_agents
from titan_env.web.requests.branches_api import branch, branches
from titan_env.web.requests.catalogue_api import about_agent, can_play, check_agent, example, form, glossary
from titan_env.web.requests.door_api import mine, pitch
from titan_env.web.requests.figure_api import figure
from titan_env.web.requests.guide_api import guide
from titan_env.web.requests.position_api import edited_position
from titan_env.web.requests.rehearsal import Rehearsal
from titan_env.web.requests.request_validation import (
    MOST_TEXT,
    asked_clock,
    asked_game,
    asked_look,
    asked_number,
    asked_options,
    asked_seed,
    asked_setup,
    short,
)
from titan_env.web.requests.together_api import TOGETHER, together, until_known
from titan_env.web.sessions.agent_scheduler import AgentScheduler
from titan_env.web.sessions.compile_status import CompileStatus
from titan_env.web.sessions.game_store import GameStore
from titan_env.web.sessions.reopening import keep, reopened
from titan_env.web.sessions.session_store import ServerFull, SessionStore
from titan_env.web.views.game_view import MOST_DECISIONS, PERSON, GameView, ViewOptions, opened
from titan_env.web.views.live_game import LiveGame
from titan_env.web.views.rules import rules_page, spoken_in
from titan_env.web.views.translation import _

_OF_A_READY_GAME = {"begin", "seats", "guide", "position"}
"""The requests about a game, not one in play, that call its rules."""
MOST_FILMED = 1000
"""The bound on a game's decisions for a page that is made here: some seconds of work."""


class Server:
    """The state shared by all requests: agents on offer, and games by owner; the `first` games are listed first.

    With a `store` the games in play are kept in its file. Raises ValueError for an agent that plays none of the games.
    """

    def __init__(
        self,
        more_agents: Sequence[str] = (),
        sessions: SessionStore | None = None,
        first: Sequence[str] = (),
        store: GameStore | None = None,
    ) -> None:
        self._more_agents = more_agents
        self._first = first
        self._agents: dict[str, list[str]] = {}
        self.sessions = SessionStore() if sessions is None else sessions
        self.store = store
        if store is not None:
            self.sessions.are_kept = lambda: store.is_well
        self._opening: dict[str, asyncio.Task[None]] = {}
        self.scheduler = AgentScheduler()
        self.compile_status = CompileStatus(make_ready)
        self._filming = threading.Lock()
        self.is_ending = False
        """True once no request is to wait for anything any more."""
        for name in more_agents:
            check_agent(name)

    async def answer(self, question: ApiRequest) -> ApiResponse:
        """Answer a visitor's question; what the answer tells of a game in play has been kept before."""
        answer = await answer_request(HANDLERS[question.name], self, question)
        if self.store is not None:
            await self.store.written()
        return answer

    async def prepare(self, question: str, owner: str, asked: Mapping[str, Any]) -> None:
        """Wait for a game that is to be played with, and open a kept game that is asked for and not in memory.

        Raises SessionNotFound, or ValueError for a game of another version.
        """
        if question in _OF_A_READY_GAME:
            await self.compile_status.wait(asked.get("game"))
        name = asked.get("id")
        if self.store is None or not isinstance(name, str) or self.sessions.has(name):
            return
        if (opening := self._opening.get(name)) is None:
            opening = self._opening[name] = asyncio.create_task(self._open_again(self.store, name))
            opening.add_done_callback(lambda _task: self._opening.pop(name))
        await asyncio.shield(opening)

    async def _open_again(self, store: GameStore, name: str) -> None:
        """Put a kept game back into its owner's room, in a thread as far as that takes long."""
        await store.written()
        if (game_view := self.sessions.alive(name)) is None:
            game_view = await run_in_threadpool(reopened, store, name)
        self.sessions.add(game_view.owner, game_view, name)

    def is_well(self) -> bool:
        """Return whether games can be kept, if they are to be."""
        return self.store is None or self.store.is_well

    def end_waiting(self) -> None:
        """Stop all decisions in progress, and begin none."""
        self.is_ending = True
        self.scheduler.close()

    def close(self) -> None:
        """Stop all decisions in progress, and write what is to be kept."""
        self.scheduler.close()
        if self.store is not None:
            self.store.close()

    def catalogue(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Return the games with their agents and sizes, and begin to compile their rules."""
        self.compile_status.begin()
        games = sorted(map(registry.load, registry.names()), key=lambda game: game.name not in self._first)
        return {"games": [self._described(game) for game in games], "ready": self.compile_status.progress()["ready"]}

    def _described(self, game: Game) -> dict[str, Any]:
        """Return a game's entry for the form."""
        players = self.players(game)
        known = {
            "name": game.name,
            "title": game.metadata.title,
            "seats": game.rules.seats,
            "languages": game.languages,
            "editable": game.presentation.edit_position is not None,
            "guided": game.presentation.first_game is not None,
            "color": game.presentation.color,
        }
        return {**known, "agents": players, "about": {name: about_agent(name, game) for name in players}, **pitch(game)}

    async def progress(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Return the progress of the compilation."""
        return self.compile_status.progress()

    def players(self, game: Game) -> list[str]:
        """Return the players on offer for a game: a person and the agents, the default agent first."""
        if game.name not in self._agents:
            usual = agents.default_agent(game)
            solving = [f"solve:by={name}" for name in agents.shipped(game)]
            more = [*solving, *(name for name in self._more_agents if can_play(name, game))]
            self._agents[game.name] = [usual, *(name for name in [*agents.names(game), *more] if name != usual)]
        return [PERSON, *self._agents[game.name]]

    def seats(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Return the number of players in a game with these options."""
        return {"seats": GameSetup.of(asked_game(asked), asked_options(asked)).seats}

    def begin(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Begin a game among people and agents; return its id and its first view."""
        game, names, clock = asked_game(asked), asked.get("names"), asked_clock(asked)
        by_clock, alone = asked.get("challenge") is True, asked.get("practice") is True
        players = [*self.players(game), *(rated_agents(game) if by_clock else ())]
        if not isinstance(names, list) or not all(name in players for name in names):
            known = ", ".join(players)
            raise ValueError(_("expected players among {known}, got {got}", known=known, got=short(names)))
        live_game = LiveGame(asked_setup(asked), names, asked_seed(asked), alone and not (by_clock or clock), by_clock)
        live_game.guests.clock = clock
        name = self.sessions.add(owner, live_game)
        if self.store is not None:
            keep(self.store, name, owner, live_game)
        return {"id": name, **self.view(live_game, owner, asked)}

    def open(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Open a record; return its id and its first view."""
        text = asked.get("record")
        if not isinstance(text, str):
            raise ValueError(_("expected the text of a record"))
        game_view = opened(text)
        return {"id": self.sessions.add(owner, game_view), **self.view(game_view, owner, asked, 0)}

    def show(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Return the view of one moment of a game, also while an agent thinks."""
        return self.view(self._game_view(owner, asked), owner, asked, asked_number(asked, "at", -1))

    def reasons(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Return the reasons of the illegal actions at one moment of a game."""
        game_view = self._game_view(owner, asked)
        return {"reasons": game_view.reasons(asked_number(asked, "at", -1), self.look(game_view, owner, asked))}

    async def play(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Play a person's decision; return the new view."""
        live_game = self._live_game(owner, asked, growing=True)
        action, at = asked_number(asked, "action"), asked_number(asked, "at")
        await self._change(live_game, lambda: live_game.play(action, at, live_game.held_by(owner)))
        await self.scheduler.answer_in_private(live_game)
        return await run_in_threadpool(self.view, live_game, owner, asked)

    async def act(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Let the agent to act decide once, unless it has decided meanwhile; return the new view."""
        live_game = self._live_game(owner, asked, growing=True)
        look = self.look(live_game, owner, asked)
        if live_game.is_kept_waiting(look):
            await until_known(self, live_game, look)
        elif asked_number(asked, "at") == await run_in_threadpool(live_game.last, look):
            await self.scheduler.decide(live_game)
        return await run_in_threadpool(self.view, live_game, owner, asked)

    async def order(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Answer a reaction always, or never, or be asked again; return the new view."""
        live_game = self._live_game(owner, asked, growing=True)
        order, ask = (str(asked.get(name))[:MOST_TEXT] for name in ("order", "ask"))
        at = asked_number(asked, "at")
        await self._change(live_game, lambda: live_game.order(order, ask, at, live_game.held_by(owner)))
        await self.scheduler.answer_in_private(live_game)
        return await run_in_threadpool(self.view, live_game, owner, asked)

    def preview(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Return the certain events of an action, drawn and in sentences."""
        live_game = self._live_game(owner, asked)
        look = self.look(live_game, owner, asked)
        return live_game.preview(asked_number(asked, "action"), asked_number(asked, "at"), look)

    def stages(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Return the animation steps of one moment."""
        game_view = self._game_view(owner, asked)
        return {"stages": game_view.stages(asked_number(asked, "at"), self.look(game_view, owner, asked))}

    def history(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Return the history after one moment and up to another, grouped by turn."""
        game_view = self._game_view(owner, asked)
        since, until = asked_number(asked, "since", 0), asked_number(asked, "until", MOST_DECISIONS)
        return {"lines": game_view.history(since, until, self.look(game_view, owner, asked))}

    def hand_over(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Let an agent answer for the person to act through a run of questions; return the view."""
        live_game, name = self._live_game(owner, asked), asked.get("agent")
        known = self.players(live_game.game)[1:]
        if name not in known:
            raise ValueError(_("expected an agent among {known}, got {got}", known=", ".join(known), got=short(name)))
        with live_game.lock:
            key, held = str(asked.get("key"))[:MOST_TEXT], live_game.held_by(owner)
            live_game.hand_over(key, str(name), asked_number(asked, "at"), held)
        return self.view(live_game, owner, asked)

    async def take_over(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Stop the agent that thinks, and let people decide for themselves again; return the view."""
        live_game = self._live_game(owner, asked)
        await self.scheduler.stop(live_game)
        await self._change(live_game, lambda: live_game.take_over(live_game.held_by(owner)))
        return await run_in_threadpool(self.view, live_game, owner, asked)

    def dice(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Return the dice so far beside what was to be expected of them."""
        game_view = self._game_view(owner, asked)
        return {"lines": game_view.dice(self.look(game_view, owner, asked))}

    async def stop(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Stop the agent that thinks; requests that wait for its decision get an error."""
        await self.scheduler.stop(self._live_game(owner, asked))
        return {}

    async def undo(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Stop the agent that thinks, and take a person's latest decision back; return the view."""
        live_game = self._live_game(owner, asked)
        await self.scheduler.stop(live_game)
        await self._change(live_game, lambda: live_game.undo(live_game.held_by(owner)))
        return await run_in_threadpool(self.view, live_game, owner, asked)

    def record(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Return the record of a game, or with ``"film": true`` its HTML page."""
        game_view = self._game_view(owner, asked)
        with game_view.lock:
            text = game_view.record
        return {"text": self._film(text, asked_look(asked).theme) if asked.get("film") is True else text}

    def _film(self, text: str, theme: str) -> str:
        """Return the HTML page of a record. Raises ValueError for a long one, ServerFull while another page is made."""
        record = parse(text)
        if (count := len(record.decisions)) > MOST_FILMED:
            message = mark(
                "expected at most {most} decisions for a page that is made here, got {n}; "
                "save the record, and make it with python -m titan_env replay FILE --out game.html"
            )
            raise ValueError(_(message, most=f"{MOST_FILMED:,}", n=f"{count:,}"))
        if not self._filming.acquire(blocking=False):
            raise ServerFull(_("expected one page at a time to be made on this server; try again in some seconds"))
        try:
            return render_html(record, theme)
        finally:
            self._filming.release()

    def position(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Validate a position's text (none: a new setup), move a thing if asked to, and draw it."""
        return edited_position(asked)

    def rules(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Return the rules of a game as HTML."""
        game = asked_game(asked)
        if not game.metadata.folder:
            message = mark("expected a game that comes with its rules; {game} has no rules to read here")
            raise ValueError(_(message, game=game.metadata.title))
        return {"title": game.metadata.title, "language": spoken_in(game.metadata.folder), "html": rules_page(game)}

    def look(self, game_view: GameView, visitor: str, asked: Mapping[str, Any]) -> ViewOptions:
        """Return the settings with which a visitor views a game, and the seats that are theirs there."""
        held = game_view.held_by(visitor)
        return replace(asked_look(asked), held=held, watches=not held and not game_view.is_owner(visitor))

    def view(self, game_view: GameView, visitor: str, asked: Mapping[str, Any], at: int = -1) -> dict[str, Any]:
        """Return a visitor's view of one moment, its picture as a diff against the one that the browser has."""
        shown = game_view.view(at, self.look(game_view, visitor, asked))
        shown["together"] = together(game_view, visitor)
        return game_view.pictures.shorten(shown, asked.get("has"))

    async def _change(self, live_game: LiveGame, change: Callable[[], None]) -> None:
        """Change a game in a thread, one change at a time: what it calls may have to be compiled or loaded."""

        def alone() -> None:
            with live_game.lock:
                change()

        await run_in_threadpool(alone)

    def _game_view(self, owner: str, asked: Mapping[str, Any]) -> GameView:
        return self.sessions.find(owner, str(asked.get("id")))

    def _live_game(self, owner: str, asked: Mapping[str, Any], growing: bool = False) -> LiveGame:
        """Return a game that a visitor plays in. Raises ServerFull if it is to grow and there is no room.

        Raises ValueError for a record, and for who only watches.
        """
        game_view = self._game_view(owner, asked)
        if growing:
            self.sessions.ensure_free_bytes()
        if not isinstance(game_view, LiveGame):
            raise ValueError(_("expected a game that is played here, got a record that was opened"))
        if self.look(game_view, owner, {}).watches:
            raise ValueError(_("expected somebody who plays: you watch this game"))
        return game_view


@functools.cache
def make_ready(name: str) -> None:
    """Load or compile all that the agents of a game and the requests about it need, once in a process, by their use."""
    game = registry.load(name)
    if not COMPILED:
        return
    play_first_decisions([game.name])
    let_agents_decide(game)
    with closing(Server()) as server:
        asyncio.run(Rehearsal(server, HANDLERS, game).play())


_ASKED: list[Handler] = [Server.catalogue, Server.seats, Server.begin, Server.open, Server.show, Server.reasons]
_ASKED += [Server.preview, Server.stages, Server.history, Server.play, Server.act, Server.stop, Server.undo]
_ASKED += [Server.hand_over, Server.take_over, Server.order, Server.dice, Server.record, Server.position, Server.rules]
_ASKED += [Server.progress, form, glossary, guide, example, chances, choices, advise, ladders, instead, figure, mine]
_ASKED += [branch, branches, *TOGETHER]
HANDLERS = {handler.__name__: handler for handler in _ASKED}
"""Name of a request -> its handler."""
WAITING = {name for name, handler in HANDLERS.items() if inspect.iscoroutinefunction(handler)}
"""The names of the requests that may take long."""
