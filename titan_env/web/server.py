"""The server of the page. It trusts nobody.

Every input is checked before anything is done with it; games, pages and thinking times are bounded; what a visitor
sees is theirs.
"""

from __future__ import annotations

import inspect
import secrets
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from titan_env import agents, registry
from titan_env.contract import Game
from titan_env.contract.language import mark
from titan_env.engine.given import configured, read_checked
from titan_env.pictures.render import svg_of
from titan_env.records.film import film
from titan_env.records.replay import parse
from titan_env.records.session import Seating
from titan_env.web.answers import Answer, Handler, Question, answered
from titan_env.web.asked import (
    MOST_TEXT,
    asked_game,
    asked_look,
    asked_number,
    asked_options,
    asked_seed,
    short,
)
from titan_env.web.offered import about_agent, example, form, glossary
from titan_env.web.ready import Ready
from titan_env.web.rooms import Full, Rooms
from titan_env.web.rules import rules_page, spoken_in
from titan_env.web.sitting import MOST_DECISIONS, PERSON, Sitting, Story, opened
from titan_env.web.speech import _
from titan_env.web.thinking import Thinking

MOST_FILMED = 1000
"""Decisions of a game that is made into a page here: some seconds of work."""


class Server:
    """What the routes share: which agents may be asked for, and who has which games; the `first` are offered first."""

    def __init__(self, more_agents: Sequence[str] = (), rooms: Rooms | None = None, first: Sequence[str] = ()) -> None:
        self._more_agents = more_agents
        self._first = first
        self._agents: dict[str, list[str]] = {}
        self.rooms = Rooms() if rooms is None else rooms
        self.thinking = Thinking()
        self.ready = Ready()
        self._filming = threading.Lock()
        for name in more_agents:
            _check_agent(name)

    async def answer(self, question: Question) -> Answer:
        """Answer a visitor."""
        return await answered(HANDLERS[question.name], self, question)

    def is_quick(self, name: str, asked: Mapping[str, Any]) -> bool:
        """Whether this takes some milliseconds of work and waits for nobody: another thread would only cost more."""
        if name == "begin":
            return self.ready.has(asked.get("game")) and asked.get("position") is None
        return name == "show" or (name == "record" and asked.get("film") is not True)

    def close(self) -> None:
        """Give up what is being thought about."""
        self.thinking.close()

    def catalogue(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """What can be played, by whom, with which options."""
        games = sorted(self.ready.games(), key=lambda game: game.name not in self._first)
        return {"games": [self._described(game) for game in games]}

    def _described(self, game: Game) -> dict[str, Any]:
        """A game for the form in which one is begun."""
        players = self._players(game)
        known = {
            "name": game.name,
            "title": game.metadata.title,
            "seats": game.rules.seats,
            "editable": game.presentation.edit_position is not None,
        }
        return {**known, "agents": players, "about": {name: about_agent(name, game) for name in players}}

    async def progress(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """How many games are ready to be played."""
        return self.ready.progress()

    def _players(self, game: Game) -> list[str]:
        """Who can sit at a game: people and agents, first of all the usual one."""
        if game.name not in self._agents:
            usual = agents.usual(game)
            more = [name for name in self._more_agents if _can_play(name, game)]
            self._agents[game.name] = [usual, *(name for name in [*agents.names(game), *more] if name != usual)]
        return [PERSON, *self._agents[game.name]]

    def seats(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """How many players a game with these options has."""
        game, options = asked_game(asked), asked_options(asked)
        return {"seats": int(configured(game, options)[0].seats)}

    def begin(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Begin a game among people and agents."""
        game, names = asked_game(asked), asked.get("names")
        players = self._players(game)
        if not isinstance(names, list) or not all(name in players for name in names):
            known = ", ".join(players)
            raise ValueError(_("expected players among {known}, got {got}", known=known, got=short(names)))
        sitting = Sitting(
            game, names, asked_options(asked), asked_seed(asked), asked.get("practice") is True, asked.get("position")
        )
        return {"id": self.rooms.add(owner, sitting), **_view(sitting, asked)}

    def open(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Open a record."""
        text = asked.get("record")
        if not isinstance(text, str):
            raise ValueError(_("expected the text of a record"))
        story = opened(text)
        return {"id": self.rooms.add(owner, story), **_view(story, asked, 0)}

    def show(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """One moment of a game, at once, also while an agent thinks."""
        return _view(self._story(owner, asked), asked, asked_number(asked, "at", -1))

    def reasons(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Why what is not allowed at one moment of a game is not."""
        return {"reasons": self._story(owner, asked).reasons(asked_number(asked, "at", -1), asked_look(asked))}

    async def play(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """A person decides."""
        sitting = self._sitting(owner, asked, growing=True)
        with sitting.lock:
            sitting.play(asked_number(asked, "action"), asked_number(asked, "at"))
        await self.thinking.answer_in_private(sitting)
        return _view(sitting, asked)

    async def act(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """The agent that is asked decides, once; nothing happens where it has decided meanwhile."""
        sitting = self._sitting(owner, asked, growing=True)
        if asked_number(asked, "at") == sitting.last(asked_look(asked)):
            await self.thinking.decide(sitting)
        return _view(sitting, asked)

    def preview(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """What an action would do for certain."""
        sitting = self._sitting(owner, asked)
        return sitting.preview(asked_number(asked, "action"), asked_number(asked, "at"), asked_look(asked))

    def stages(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """The step to one moment, part by part."""
        return {"stages": self._story(owner, asked).stages(asked_number(asked, "at"), asked_look(asked))}

    def history(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """What has happened after one moment and until another, grouped by turn."""
        story = self._story(owner, asked)
        since, until = asked_number(asked, "since", 0), asked_number(asked, "until", MOST_DECISIONS)
        return {"lines": story.history(since, until, asked_look(asked))}

    async def stop(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """The agent that thinks is to stop; whoever waits for its decision is told."""
        await self.thinking.stop(self._sitting(owner, asked))
        return {}

    async def undo(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """Take a decision back, and stop the agent that thinks on from it."""
        sitting = self._sitting(owner, asked)
        await self.thinking.stop(sitting)
        with sitting.lock:
            sitting.undo()
        return _view(sitting, asked)

    def record(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """The record of a game, or with ``"film": true`` the page of it."""
        story = self._story(owner, asked)
        with story.lock:
            text = story.record
        return {"text": self._film(text, asked_look(asked).theme) if asked.get("film") is True else text}

    def _film(self, text: str, theme: str) -> str:
        """The page of a record. Raises ValueError for a long one, and Full while another page is made."""
        record = parse(text)
        if (count := len(record.decisions)) > MOST_FILMED:
            said = mark(
                "expected at most {most} decisions for a page that is made here, got {n}; "
                "save the record, and make it with python -m titan_env replay FILE --out game.html"
            )
            raise ValueError(_(said, most=f"{MOST_FILMED:,}", n=f"{count:,}"))
        if not self._filming.acquire(blocking=False):
            raise Full(_("expected one page at a time to be made on this server; try again in some seconds"))
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
            if game.presentation.edit_position is None:
                said = mark("expected a game whose pieces can be put elsewhere by hand, {game} is none")
                raise ValueError(_(said, game=game.metadata.title))
            if not all(isinstance(key, str) and len(key) <= MOST_TEXT for key in (what, where)):
                raise ValueError(_("expected the keys of two things of the picture"))
            game.presentation.edit_position(states[0], what, where)
            game.text.validate_position(states[0])
        look = asked_look(asked)
        drawn = svg_of(game, states[0], narrow=look.narrow, theme=look.theme)
        return {"text": game.text.position_text(states[0]), "svg": drawn, "seats": int(states[0].seats)}

    def rules(self, owner: str, asked: Mapping[str, Any]) -> Any:
        """The rules of a game as HTML."""
        game = asked_game(asked)
        if not game.metadata.folder:
            said = mark("expected a game that comes with its rules; {game} has no rules to read here")
            raise ValueError(_(said, game=game.metadata.title))
        return {"title": game.metadata.title, "language": spoken_in(game.metadata.folder), "html": rules_page(game)}

    def _story(self, owner: str, asked: Mapping[str, Any]) -> Story:
        return self.rooms.find(owner, str(asked.get("id")))

    def _sitting(self, owner: str, asked: Mapping[str, Any], growing: bool = False) -> Sitting:
        """A game that is played. Raises Full where it would grow and the server has no room for another moment."""
        story = self._story(owner, asked)
        if growing:
            self.rooms.make_sure_of_room()
        if not isinstance(story, Sitting):
            raise ValueError(_("expected a game that is played here, got a record that was opened"))
        return story


_ASKED: list[Handler] = [Server.catalogue, Server.seats, Server.begin, Server.open, Server.show, Server.reasons]
_ASKED += [Server.preview, Server.stages, Server.history, Server.play, Server.act, Server.stop, Server.undo]
_ASKED += [Server.record, Server.position, Server.rules, Server.progress, form, glossary, example]
HANDLERS = {handler.__name__: handler for handler in _ASKED}
"""What can be asked for, by name."""
WAITING = {name for name, handler in HANDLERS.items() if inspect.iscoroutinefunction(handler)}
"""What may take long, as something else is waited for."""


def _view(story: Story, asked: Mapping[str, Any], at: int = -1) -> dict[str, Any]:
    """One moment of a game, its picture told by the one that the browser has."""
    return story.pictures.shorten(story.view(at, asked_look(asked)), asked.get("has"))


# Who can be asked to play


def _can_play(name: str, game: Game) -> bool:
    """Whether an agent plays this game."""
    try:
        agents.load(name, game)
    except ValueError:
        return False
    return True


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
