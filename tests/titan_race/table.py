"""A table to play the rulebook's examples at: draw a board, set the dice, play actions by their texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from titan_env.contract import COMPILED, LOG, preset, seeded, specialize
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.actions import ACTIONS
from titan_env.games.titan_race.rules.circuits import SYMBOLS, circuit_drawing, space_name
from titan_env.games.titan_race.rules.state import Ask, Card, Event, Titan

SEED = 999_999
"""Where a test does not set the dice they come from this seed, and must not matter."""


class Table:
    """One race, read from a drawing.

    Titans play in the order of their lines below the board. Nobody is in the first turn; the first
    Titan is asked which die to take, unless the text says otherwise.
    """

    def __init__(self, text: str, *, dice: str = "") -> None:
        self.states = GAME.text.parse_position(text)
        self.luck = seeded([SEED])
        self.log = np.zeros(1, LOG).view(np.recarray)
        self.heard: list[tuple[Any, ...]] = []
        """Events of all actions played: (Event, who, whom or where, how much)."""
        for face in dice.split():
            self.states[0].pool[ACTIONS.read(f"draft:{face}")] += 1

    @property
    def state(self) -> Any:
        return self.states[0]

    def play(self, *texts: str, rolls: Sequence[int] = ()) -> Table:
        """Play actions one after the other; `rolls` are the answers of chance during the last one."""
        for number, text in enumerate(texts, 1):
            assert text in self.legal(), f"{text} is not among {self.legal()}: {self.why_not(text)}"
            preset(self.luck[0], rolls if number == len(texts) else ())
            _step(GAME, self.states, ACTIONS.read(text), self.luck, self.log)
            events = self.log[0].events[: self.log[0].count].tolist()
            self.heard += [(Event(kind), who, whom, much) for kind, who, whom, much in events]
        return self

    def legal(self) -> list[str]:
        """The texts of the legal actions."""
        mask = np.zeros(len(ACTIONS), np.int8)
        _legal(GAME, self.states, mask)
        return [ACTIONS.texts[action] for action in np.flatnonzero(mask)]

    def may(self, verb: str) -> list[str]:
        """What is legal of one verb: ``may("move")`` -> ``["SS"]``."""
        return [text.partition(":")[2] for text in self.legal() if text.partition(":")[0] == verb]

    def why_not(self, text: str) -> str | None:
        return GAME.text.why_not(self.state, ACTIONS.read(text))

    def titan(self, name: str) -> Any:
        """The record of one Titan: its life, lap, condition and so on."""
        return next(titan for titan in self._racing() if Titan(titan.kind).name.lower() == name)

    def at(self, name: str) -> str:
        """Where a Titan is."""
        space = int(self.titan(name).space)
        return space_name(space) if space >= 0 else "none"

    def hand(self, seat: int) -> list[str]:
        """The cards of one seat; -2: the discard pile."""
        return [Card(card).name.lower() for card in np.flatnonzero(self.state.cards == seat)]

    def traps(self) -> list[str]:
        """The spaces on which traps lie."""
        return [space_name(space) for space in np.flatnonzero(self.state.on >= 7)]

    @property
    def asked(self) -> tuple[str, str]:
        """What is asked, and of which Titan."""
        return Ask(self.state.ask).name.lower(), Titan(self._racing()[self.state.asked].kind).name.lower()

    def events(self, *kinds: Event) -> list[tuple[Any, ...]]:
        """What has happened so far, of some kinds."""
        return [event for event in self.heard if event[0] in kinds]

    def _racing(self) -> Any:
        return self.state.titans[: self.state.titans_in_race]


def _step_row(states: Any, action: int, luck: Any, log: Any) -> None:
    step(states[0], action, luck[0], log[0])  # type: ignore[name-defined]  # noqa: F821


def _legal_row(states: Any, mask: Any) -> None:
    legal(states[0], mask)  # type: ignore[name-defined]  # noqa: F821


def _step(game: Any, states: Any, action: int, luck: Any, log: Any) -> None:
    specialize(_step_row, {"step": game.rules.step})(_bare(states), action, _bare(luck), _bare(log))


def _legal(game: Any, states: Any, mask: Any) -> None:
    specialize(_legal_row, {"legal": game.rules.legal})(_bare(states), mask)


def _bare(records: Any) -> Any:
    return records.view(records.dtype, np.ndarray) if COMPILED else records


def circuit(name: str, **pieces: str) -> str:
    """The drawing of a circuit with pieces on it: ``circuit("kaldheira", C3="Gr")``."""
    lines = []
    for line in circuit_drawing(name).splitlines():
        first, *symbols = line.split() or [""]
        if first.isdigit():
            columns = "ACE" if int(first) % 2 else "BDF"
            symbols = [
                symbol + pieces.get(f"{column}{first}", "") for column, symbol in zip(columns, symbols, strict=True)
            ]
            lines.append(" ".join([first, *symbols]))
    return "\n".join(lines) + "\n"


def plain(**pieces: str) -> str:
    """A board of plain spaces, with pieces on it; ``plain(C3="Gr", D4="x", E5="~", F6="~Ra")`` paints lava too."""
    lines = []
    for row in range(12, 0, -1):
        cells = [pieces.get(f"{column}{row}", "") for column in ("ACE" if row % 2 else "BDF")]
        lines.append(
            " ".join(
                [str(row), *(cell if cell[:1] in tuple(SYMBOLS) and cell[:2] != "Sl" else "." + cell for cell in cells)]
            )
        )
    return "\n".join(lines) + "\n"
