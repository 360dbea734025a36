"""A table to play the rulebook's examples at: draw a board, set the dice, play actions by their texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from titan_env.contract import LOG, preset, seeded
from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.rules.actions import ACTIONS
from titan_env.games.fantasy_racing.rules.circuits import COLUMN_NAMES, SYMBOLS, square_name, square_number
from titan_env.games.fantasy_racing.rules.legal import legal
from titan_env.games.fantasy_racing.rules.state import ROWS, Ask, Character, Event, Object
from titan_env.games.fantasy_racing.words.position import HEADING, LETTERS, parse_position

SEED = 999_999
"""Where a test does not set the dice they come from this seed, and must not matter."""
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


class Table:
    """One race, drawn square by square; racers play in the order of their lines.

    The first racer is in its action phase unless the lines say otherwise. Where one racer is named
    another one stands far off.
    """

    def __init__(self, lines: str = "", /, **pieces: str) -> None:
        drawn = [text for piece in pieces.values() for text in LETTERS if text in piece]
        if len(drawn) == 1:
            pieces[FAR_OFF] = "Go" if drawn == ["So"] else "So"
        self.states = parse_position(board(**pieces) + lines)
        self.luck = seeded([SEED])
        self.log = np.zeros(1, LOG).view(np.recarray)
        self.heard: list[tuple[Any, ...]] = []
        """Events of all actions played: (Event, who, whom or where, how much)."""

    @property
    def state(self) -> Any:
        return self.states[0]

    def play(self, *texts: str, rolls: Sequence[int] = ()) -> Table:
        """Play actions one after the other; `rolls` are the faces of the dice during all of them, in order."""
        faces = list(rolls)
        for text in texts:
            faces = self._play(text, faces)
        assert not faces, f"nobody has rolled {faces}"
        return self

    def play_and_stay(self, *texts: str, rolls: Sequence[int] = ()) -> Table:
        """The same, and then whoever has won a fight stays where it is, while shifts are asked for."""
        faces = list(rolls)
        for text in texts:
            faces = self._play(text, faces)
        while self.state.ask == Ask.SHIFT:
            faces = self._play("shift:stay", faces)
        assert not faces, f"nobody has rolled {faces}"
        return self

    def _play(self, text: str, faces: list[int]) -> list[int]:
        """Play one action; the faces that nobody has rolled yet."""
        assert text in self.legal(), f"{text} is not among {self.legal()}"
        preset(self.luck[0], [face - 1 for face in faces])
        GAME.rules.step(self.state, ACTIONS.read(text), self.luck[0], self.log[0])
        events = self.log[0].events[: self.log[0].count].tolist()
        self.heard += [(Event(kind), who, whom, much) for kind, who, whom, much in events]
        return faces[int(self.luck[0].asked) :]

    def legal(self) -> list[str]:
        """The texts of the legal actions."""
        mask = np.zeros(len(ACTIONS), np.int8)
        legal(self.state, mask)
        return [ACTIONS.texts[action] for action in np.flatnonzero(mask)]

    def may(self, verb: str) -> list[str]:
        """What is legal of one verb: ``may("skid")`` -> ``["stay", "L1"]``."""
        return [text.partition(":")[2] for text in self.legal() if text.partition(":")[0] == verb]

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
    def asked(self) -> tuple[str, str]:
        """What is asked, and of which character."""
        return Ask(self.state.ask).name.lower(), Character(self.state.racers[self.state.seat].character).name.lower()

    def events(self, *kinds: Event) -> list[tuple[Any, ...]]:
        """What has happened so far, of some kinds."""
        return [event for event in self.heard if event[0] in kinds]
