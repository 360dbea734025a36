"""Options of a game that vary: every game draws one of several values for each of them, by its own random stream."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.contract.options import brief
from titan_env.engine.game_setup import GameSetup

if TYPE_CHECKING:
    from titan_env.engine.batch import Batch

MOST_TABLES = 10_000
"""The most combinations of values: each is configured once, and its first state kept."""


@dataclass(frozen=True, eq=False)
class VariedOptions:
    """The combinations of the values of the options that vary; a value that is given twice is twice as likely."""

    tables: Sequence[Mapping[str, Any]]
    """The options of a game by number, those that do not vary included."""
    templates: np.recarray[Any, Any]
    """The configured state of each, (K,)."""
    counts: Sequence[int]
    """The number of values of each option that varies."""

    @classmethod
    def of(
        cls, game: Game, options: Mapping[str, Any], vary: Mapping[str, Any], api: Callable[..., Any]
    ) -> VariedOptions:
        """Return the combinations of `vary`, option -> list of values, with the other `options`.

        Raises TypeError unless it is such a mapping, TypeError or ValueError for options that the game does not take,
        ValueError for an option that is given twice, too many combinations, or different numbers of players.
        """
        if not isinstance(vary, Mapping) or not all(map(_is_list, vary.values())) or not vary:
            raise TypeError(f"expected vary as lists of values by option, as {{'option': [1, 2]}}, got {brief(vary)}")
        if twice := sorted(options.keys() & vary.keys()):
            raise ValueError(f"expected {', '.join(twice)} with vary or as an option, got both")
        counts = [len(values) for values in vary.values()]
        if math.prod(counts) > MOST_TABLES:
            raise ValueError(f"expected vary to have up to {MOST_TABLES} combinations, got {math.prod(counts)}")
        combined = (dict(zip(vary, values, strict=True)) for values in itertools.product(*vary.values()))
        tables = [{**options, **chosen} for chosen in combined]
        templates = np.concatenate([GameSetup.of_keywords(game, table, api).template for table in tables])
        if len(seats := np.unique(templates["seats"])) > 1:
            raise ValueError(f"expected vary to keep the number of players, got {' and '.join(map(str, seats))}")
        return cls(tables, templates.view(np.recarray), counts)

    @property
    def first(self) -> np.recarray[Any, Any]:
        """The configured state (1,) of the first combination."""
        return self.templates[:1].view(np.recarray)

    def draw(self, batch: Batch, rows: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Draw a combination for each of the rows (N,) of a batch, by the rows' own streams: its number, int64 (N,)."""
        drawn = np.zeros(batch.num_games, np.int64)
        for count in self.counts:
            values = np.repeat(rows.astype(np.int8)[:, None], count, axis=1)  # a row without ones draws nothing
            drawn = drawn * count + np.maximum(batch.sample(values), 0)
        return drawn


def _is_list(values: Any) -> bool:
    """Return whether these are values of which one can be drawn: a list or tuple that is not empty."""
    return isinstance(values, list | tuple) and bool(values)
