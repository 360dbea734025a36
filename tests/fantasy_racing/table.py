"""A table to play the rulebook's examples at: draw a board, set the dice, play actions by their texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.rules.circuits import COLUMN_NAMES, SYMBOLS, square_name, square_number
from titan_env.games.fantasy_racing.rules.state import ROWS, Ask, Character, Object
from titan_env.games.fantasy_racing.words.position import HEADING, LETTERS, parse_position
from titan_env.testing.scenario import Scenario

FAR_OFF = "A13"


def board(**pieces: str) -> str:
    """A board of plain squares with pieces on it: ``board(D4="Hu", D7="O", D8="=El")``."""
    assert set(pieces) <= {f"{column}{row}" for row in range(1, ROWS + 1) for column in COLUMN_NAMES}
    lines = [HEADING]
    for row in range(1, ROWS + 1):
        cells = [pieces.get(f"{column}{row}", "") for column in COLUMN_NAMES]
        cells = [cell if cell[:1] in tuple(SYMBOLS) and cell[:2] not in LETTERS else "." + cell for cell in cells]
        lines.append(f"{row} | {' '.join(cells)} |")
    return "\n".join(lines) + "\n"


def rolled(*faces: int) -> str:
    """The movement roll lies on the table and the first racer is asked which die to take."""
    dice = " ".join(map(str, [*faces, 0, 0, 0][:3]))
    return f"phase: movement\nask: die\nroll: movement\ndice: {dice}\n"


class Table(Scenario):
    """One race, drawn square by square; racers play in the order of their lines.

    The first racer is in its action phase unless the lines say otherwise. Where one racer is named
    another one stands far off.
    """

    def __init__(self, lines: str = "", /, **pieces: str) -> None:
        drawn = [text for piece in pieces.values() for text in LETTERS if text in piece]
        if len(drawn) == 1:
            pieces[FAR_OFF] = "Go" if drawn == ["So"] else "So"
        super().__init__(GAME, parse_position(board(**pieces) + lines))

    def play(self, *texts: str, rolls: Sequence[int] = ()) -> Table:
        """Play actions one after the other; `rolls` are the faces of the dice during all of them, in order."""
        return super().play(*texts, chance=[face - 1 for face in rolls])

    def play_and_stay(self, *texts: str, rolls: Sequence[int] = ()) -> Table:
        """The same, and then whoever has won a fight stays where it is, while shifts are asked for."""
        chance = [face - 1 for face in rolls]
        for text in texts:
            chance = self.play_one(text, chance)
        while self.state.ask == Ask.SHIFT:
            chance = self.play_one("shift:stay", chance)
        assert not chance, f"nobody has rolled {chance}"
        return self

    def seat(self, name: str) -> int:
        """The seat of a character."""
        return self.state.racers["character"][: self.state.seats].tolist().index(Character[name.upper()])

    def racer(self, name: str) -> Any:
        """The record of one racer."""
        return self.state.racers[self.seat(name)]

    def at(self, name: str) -> str:
        """Where a racer is."""
        return square_name(self.racer(name).square)

    def points(self, name: str) -> int:
        """The points of a racer."""
        return int(self.state.scores[self.seat(name)])

    def holds(self, name: str) -> dict[str, int]:
        """The objects of a racer."""
        counts = self.racer(name).objects
        return {thing.name.lower(): int(counts[thing]) for thing in Object if counts[thing]}

    def traps(self) -> list[str]:
        """The squares on which traps lie."""
        return [square_name(square) for square in np.flatnonzero(self.state.traps)]

    def is_gone(self, square: str) -> bool:
        """Whether the object or barrier on a square is gone."""
        return bool(self.state.gone[square_number(square)])

    @property
    def asked(self) -> tuple[str, str]:  # type: ignore[override]
        """What is asked, and of which character."""
        ask, seat = super().asked
        return ask, Character(self.state.racers[seat].character).name.lower()
