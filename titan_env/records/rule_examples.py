"""Examples of a game's rules: moments of real games, stored as ``examples.toml`` next to the game's RULES.md.

Each function that a heading of RULES.md names may have an example: the position before a decision, the decision, and
the chance answers; the outcome is computed by the rules. ``python -m tools.find_examples`` writes the file. The
decisions of the page's first turn are stored in the same way, as ``first_turn.3``, in ``first_turn.toml``.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game, events_of
from titan_env.contract.luck import preset
from titan_env.contract.shapes import Shape
from titan_env.pictures.render import shapes_of

FILE = "examples.toml"
FIRST_TURN = "first_turn.toml"


@dataclass(frozen=True)
class Example:
    """A decision of a real game in which a rule takes effect."""

    game: Game
    before: Any
    action: int
    after: Any
    events: NDArray[np.int32]

    @property
    def sentence(self) -> str:
        """The sentences of the decision and its events."""
        sentences = [self.game.text.describe_event(self.after, event) for event in self.events]
        return " ".join(
            f"{sentence.rstrip('.')}."
            for sentence in [self.game.text.describe_action(self.before, self.action), *sentences]
        )

    def shapes(self, narrow: bool = False) -> Sequence[Shape]:
        """Return the picture of the position after it."""
        return shapes_of(self.game, self.after, None, self.events, self.before, narrow)


def kept(game: Game) -> Mapping[str, Mapping[str, Any]]:
    """Return the entries of the game's two files, by rule or step of the first turn; {} for a game without them."""
    if not game.metadata.folder:
        return {}
    paths = [path for name in (FILE, FIRST_TURN) if (path := Path(game.metadata.folder, name)).exists()]
    return {rule: entry for path in paths for rule, entry in _read(path).items()}


@functools.cache
def _read(path: Path) -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(path.read_text("utf-8"))


def example(game: Game, rule: str) -> Example:
    """Return the example of a rule, its decision played again. Raises ValueError for a rule without one."""
    kept_example = kept(game).get(rule)
    if kept_example is None:
        raise ValueError(f"expected a rule of {game.metadata.title} that has an example, got {rule[:80]!r}")
    states = game.text.parse_position(kept_example["position"])
    luck, log = np.zeros(1, game.rules.luck).view(np.recarray), np.zeros(1, game.rules.log).view(np.recarray)
    preset(luck[0], kept_example["chance"])
    before, action = states.copy()[0], game.rules.actions.read(kept_example["action"])
    game.rules.step(states[0], action, luck[0], log[0])
    return Example(game, before, action, states[0], events_of(log[0]))
