"""A table to play the rulebook's examples at: draw a board, set the dice, play actions by their texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.actions import ACTIONS
from titan_env.games.titan_race.rules.circuits import SYMBOLS, circuit_drawing, space_name
from titan_env.games.titan_race.rules.state import Card, Titan
from titan_env.testing.scenario import Scenario


class Table(Scenario):
    """One race, read from a drawing.

    Titans play in the order of their lines below the board. Nobody is in the first turn; the first
    Titan is asked which die to take, unless the text says otherwise.
    """

    def __init__(self, text: str, *, dice: str = "") -> None:
        super().__init__(GAME, GAME.text.parse_position(text))
        for face in dice.split():
            self.state.pool[ACTIONS.read(f"draft:{face}")] += 1

    def play(self, *texts: str, rolls: Sequence[int] = ()) -> Table:
        """Play actions one after the other; `rolls` are the first answers of chance during the last one."""
        for number, text in enumerate(texts, 1):
            self.play_one(text, rolls if number == len(texts) else ())
        return self

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
    def asked(self) -> tuple[str, str]:  # type: ignore[override]
        """What is asked, and of which Titan."""
        return super().asked[0], Titan(self._racing()[self.state.asked].kind).name.lower()

    def _racing(self) -> Any:
        return self.state.titans[: self.state.titans_in_race]


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
