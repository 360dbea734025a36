"""A game on the page: who sits at it, every moment of it, and what of a moment may be shown."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import agents
from titan_env.cli.seating import Seating
from titan_env.contract import Game, Over
from titan_env.render import shapes_of
from titan_env.replay import Moment, parse, positions
from titan_env.svg import svg
from titan_env.web.rules import anchor

PERSON = "person"
MOST_DECISIONS = 10_000
_NOBODY = -1  # the seat that sees no hand


@dataclass(frozen=True)
class Look:
    """How somebody wants to see a game: in which theme, on a narrow screen or not, and at whose hand."""

    theme: str = "light"
    narrow: bool = False
    seat: int | None = None
    """Of several people at one screen, the one who has said that it is them who look."""


class Story:
    """Moments to look at: a record that was opened, with nothing hidden."""

    live = False

    def __init__(self, game: Game, names: Sequence[str], moments: list[Moment], text: str = "") -> None:
        self.game, self.names, self.moments = game, list(names), moments
        self._text = text
        self.lock = threading.Lock()

    @property
    def record(self) -> str:
        """The game as a record."""
        return self._text

    @property
    def persons(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, name in enumerate(self.names) if name == PERSON]

    def viewer(self, now: Any, look: Look) -> int | None:
        """The seat through whose eyes every moment is shown while the game stands at `now`: None sees everything.

        One person sees their own hand only; of several at one screen, the one who is asked now and has said
        so; when all is over, or where a game hides nothing, everybody everything.
        """
        persons = self.persons
        if not self.live or not persons or now.over != Over.RUNNING or self.game.imagine is None:
            return None
        if len(persons) == 1:
            return persons[0]
        return look.seat if look.seat == int(now.seat) and look.seat in persons else _NOBODY

    def view(self, at: int, look: Look) -> dict[str, Any]:
        """One moment as the page shows it; a negative `at` counts from the end. Raises ValueError where none is.

        It may be asked for while a decision is being made.
        """
        moments = tuple(self.moments)
        if not -len(moments) <= at < len(moments):
            raise ValueError(f"expected a moment from 0 to {len(moments) - 1}, got {at}")
        at %= len(moments)
        game, moment, now = self.game, moments[at], moments[-1].state
        state = moment.state
        before = moments[at - 1].state if at else None
        viewer = self.viewer(now, look)
        asked = None if state.over else int(state.seat)
        is_turn = asked is not None and self.live and asked in self.persons and at == len(moments) - 1
        shown: dict[str, Any] = {
            "game": game.name,
            "title": game.title,
            "names": self.names,
            "at": at,
            "last": len(moments) - 1,
            "live": self.live,
            "asked": asked,
            "mine": is_turn and viewer != _NOBODY,
            "covered": is_turn and viewer == _NOBODY,
            "open": viewer is None,
            "svg": svg(
                shapes_of(game, state, viewer, moment.events, before, look.narrow), theme=look.theme, title=game.title
            ),
            "events": [
                {"text": game.tell(state, event), "rule": anchor(game, int(event[0]))} for event in moment.events
            ],
            "result": _result(state),
            "actions": _actions(game, state) if viewer is None or viewer == asked else [],
        }
        if viewer is None:
            shown["position"] = game.show(state)
        return {**shown, **_decision(moment, viewer is None)}


class Sitting(Story):
    """A game that is being played. Raises ValueError or TypeError for what cannot be played."""

    live = True

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        options: dict[str, Any],
        seed: int,
        practice: bool,
        position: str | None = None,
    ) -> None:
        self.table = Seating(game, seed, options, None, names, position)
        seats = int(self.table.state.seats)
        if len(names) != seats:
            raise ValueError(f"expected {seats} players, got {len(names)}")
        self._agents = {name: agents.load(name, game) for name in names if name != PERSON}
        self._luck = [self.table.luck.copy()]
        super().__init__(game, names, [Moment(self.table.states.copy())])
        self._practice = practice

    def view(self, at: int, look: Look) -> dict[str, Any]:
        """One moment as the page shows it, and whether decisions can be taken back."""
        return {**super().view(at, look), "practice": self._practice, "can_undo": self._latest_of_a_person() > 0}

    def play(self, action: int, at: int) -> None:
        """A person decides. Raises ValueError where it is not a person's turn, or another decision has come before."""
        if at != len(self.moments) - 1:
            raise ValueError(f"expected decision {len(self.moments) - 1}, got {at}: the game has gone on")
        if self.table.is_over or int(self.table.state.seat) not in self.persons:
            raise ValueError("expected a person's turn: an agent is to decide, or the game is over")
        self._go_on(action)

    def let_act(self) -> None:
        """The agent that is asked decides. Raises ValueError where none is."""
        if self.table.is_over or int(self.table.state.seat) in self.persons:
            raise ValueError("expected an agent's turn: a person is to decide, or the game is over")
        self._go_on(self.table.let_act(self._agents[self.names[int(self.table.state.seat)]]))

    def undo(self) -> None:
        """Take a person's latest decision back, and what followed. Raises ValueError where that is not allowed."""
        latest = self._latest_of_a_person()
        if not latest:
            raise ValueError("expected a practice game in which a person has decided something")
        while len(self.moments) > latest:
            self.moments.pop()
            self._luck.pop()
            self.table.recorder.take_back()
        self.table.states[:] = self.moments[-1].states
        self.table.luck[:] = self._luck[-1]
        self.game.legal(self.table.state, self.table.mask)

    @property
    def record(self) -> str:
        """The game so far as a record. Raises ValueError while hands must stay hidden."""
        if self.viewer(self.table.state, Look()) is not None:
            raise ValueError("expected a game that is over: its record would show every hand")
        return self.table.recorder.text

    def _latest_of_a_person(self) -> int:
        """The number of the latest decision of a person that may be taken back; 0 where there is none."""
        if not self._practice:
            return 0
        persons, moments = self.persons, tuple(self.moments)  # a view may be asked for meanwhile
        for at in range(len(moments) - 1, 0, -1):
            decision = moments[at].decision
            if decision and decision["seat"] in persons:
                return at
        return 0

    def _go_on(self, action: int) -> None:
        if len(self.moments) > MOST_DECISIONS:
            raise ValueError(f"expected at most {MOST_DECISIONS} decisions in a game on the page")
        self.table.play(action)
        decision = self.table.recorder.lines[len(self.moments)]
        self.moments.append(Moment(self.table.states.copy(), decision, self.table.events))
        self._luck.append(self.table.luck.copy())


def opened(text: str) -> Story:
    """A record as a story. Raises BadRecord (a ValueError) where it does not replay."""
    record = parse(text)
    if len(record.decisions) > MOST_DECISIONS:
        raise ValueError(f"expected at most {MOST_DECISIONS} decisions, got {len(record.decisions)}")
    moments = list(positions(record))
    seats = int(moments[0].state.seats)
    named = [name[:60] for name in record.header["agents"]]
    return Story(record.game, [*named, *["?"] * (seats - len(named))], moments, text)


def _actions(game: Game, state: Any) -> list[dict[str, Any]]:
    """Every action: its text, what it means here where it is legal, and why not where it is not."""
    if state.over:
        return []
    mask = np.zeros(len(game.actions), np.int8)
    game.legal(state, mask)
    return [
        {"number": number, "text": text, "say": game.say(state, number)}
        if mask[number]
        else {"number": number, "text": text, "why": game.why_not(state, number)}
        for number, text in enumerate(game.actions.texts)
    ]


def _decision(moment: Moment, is_open: bool) -> dict[str, Any]:
    """What was decided, and the agent's thoughts, which would give hidden cards away."""
    if moment.decision is None:
        return {"seat": None, "say": "The start"}
    thoughts = ("value", "chances") if is_open else ()
    return {name: moment.decision[name] for name in ("seat", "say", *thoughts) if name in moment.decision}


def _result(state: Any) -> str | None:
    """How the game has ended, as a sentence; None while it runs."""
    if state.over == Over.RUNNING:
        return None
    winners = [f"Player {seat + 1}" for seat in range(int(state.seats)) if state.won[seat]]
    return f"{' and '.join(winners)} won" if winners else "The game was cut short: nobody has won"
