"""The blocks of a table of comparisons, kept while it is played: in memory, and in a journal if there is one.

What is kept is not played again, and tells the score of a comparison that was stopped in its midst.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from titan_env import agents
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.answer_counts import AnswerCounts
from titan_env.evaluation.matches.blocks import Blocks, Players
from titan_env.evaluation.matches.duplicate import Comparison
from titan_env.evaluation.matches.focal import blocks_alone
from titan_env.records.journal import Journal

FIRST_LOOK = 16
"""The blocks after which a comparison is tested first; then after twice as many, and so on."""
MOST_AT_ONCE = 256
"""The blocks in one batch, unless fewer are asked for."""

_PARTS = ("shares", "points", "places")


class KeptBlocks:
    """Blocks that were played, in batches of `at_once`; `journal` has a line for each batch, with what was counted."""

    def __init__(
        self, journal: Journal | None = None, at_once: int = MOST_AT_ONCE, counts: AnswerCounts | None = None
    ) -> None:
        self._journal, self.at_once, self._counts = journal, at_once, counts
        self._lines: list[dict[str, Any]] = list(journal.lines) if journal else []

    def parts(self, first: int, last: int) -> list[range]:
        """Return seeds from `first` to before `last`, in ranges of one batch."""
        return [range(begin, min(begin + self.at_once, last)) for begin in range(first, last, self.at_once)]

    def play(self, setup: GameSetup, names: tuple[str, str], players: Players, seeds: range, alone: int = 0) -> Blocks:
        """Return what `blocks_alone` does for these agents, from what is kept or else played and kept."""
        unit = [*_key(setup, names, alone), seeds.start, seeds.stop]
        for line in self._lines:
            if line["unit"] == unit:
                return _blocks(line)
        blocks = blocks_alone(setup, players, seeds, alone=alone)
        line = {"unit": unit, **{part: getattr(blocks, part).tolist() for part in _PARTS}}
        line |= self._counts.take() if self._counts else {}
        self._lines.append(line)
        if self._journal is not None:
            self._journal.add(line)
        return blocks

    def so_far(self, setup: GameSetup, names: tuple[str, str], of_cells: int) -> Comparison | None:
        """Return the comparison of the first agent with the other from what is kept of it; None if nothing is."""
        key = _key(setup, names, 0)
        kept = [_blocks(line) for line in self._lines if line["unit"][: len(key)] == key]
        if not kept:
            return None
        shares, points = (np.concatenate([getattr(blocks, part) for blocks in kept]) for part in _PARTS[:2])
        look = 1 + max(0, -(-len(shares) // FIRST_LOOK) - 1).bit_length()
        return comparison(setup, shares, points, look, of_cells)


def comparison(setup: GameSetup, shares: Any, points: Any, look: int, of_cells: int) -> Comparison:
    """Return the comparison of these results (blocks, games, 2) at a look, in a table of so many cells."""
    return Comparison(shares, look, of_cells, None if setup.game.rules.score_scale is None else points, setup.sides)


def _key(setup: GameSetup, names: tuple[str, str], alone: int) -> list[Any]:
    """Return what the blocks of a comparison are kept under, as JSON reads it back."""
    key: list[Any] = json.loads(json.dumps([*map(agents.kept_name, names), alone, dict(setup.options)]))
    return key


def _blocks(line: dict[str, Any]) -> Blocks:
    """Return the blocks of a kept line."""
    shares, points, places = (np.array(line[part], np.float64) for part in _PARTS)
    return Blocks(shares, points, places)
