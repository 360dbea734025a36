"""A choice of observation fields by name, with further fields that a game derives from what a seat sees."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.contract import Fields, Game
from titan_env.contract.options import near
from titan_env.engine.validation import check_integer_observations


class ObservationView:
    """The part of a game's observation that a learner sees: some of its fields, and derived ones.

    `fields` (those to keep) or `without` (those to leave out) are names, or patterns of names as ``"track_*"``.
    `derived` names groups of `Rules.derived`; their fields follow the game's own, and `fields` and `without` choose
    among them too. The order is always that of the game. With `whole` all numbers are integers.

    A view is called with the game's observations (..., F) and returns (..., V), laid out as `layout` says; where
    nothing is chosen it returns the observations themselves.

    Raises ValueError for a name that no field has, for a choice that leaves nothing, and for `fields` and `without` at
    once; TypeError unless they are lists of names.
    """

    def __init__(
        self,
        game: Game | str,
        fields: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
        derived: Sequence[str] = (),
        whole: bool = False,
    ) -> None:
        game = registry.game_of(game)
        own, known = game.rules.fields, game.rules.derived
        self.whole = check_integer_observations(game, whole)
        groups = [known[name] for name in _names("derived", derived, list(known), f"{game.metadata.title} derives")]
        self._own, self._derived = own, Fields(tuple(part for group in groups for part in group.parts), own.whole)
        self._derive = [group.compute for group in groups]
        every = Fields((*own.parts, *self._derived.parts), own.whole)
        chosen = _chosen(every, fields, without)
        self.layout = Fields(tuple(part for part in every.parts if part.name in chosen), own.whole)
        """The table of the fields that are seen."""
        self.is_plain = self.layout == own
        """Whether nothing is chosen: the view returns what it is given."""
        self.choice = {"fields": chosen, "derived": list(derived)}
        """The keywords that make this view again, every name spelled out."""
        self.dtype = self.layout.dtype if self.whole else np.dtype(np.float32)
        """The dtype of what is seen."""
        places = [np.arange(every.slices[name].start, every.slices[name].stop) for name in chosen]
        self.columns = np.concatenate(places)
        """int64 (V,): which numbers are seen, of the game's own (F,) and the derived ones after them."""

    def __call__(self, observations: NDArray[Any]) -> NDArray[Any]:
        """Return what is seen (..., V) of observations (..., F): float32, or integers in the dtype of `layout`."""
        if self.is_plain:
            return observations
        if self._derive:
            observations = np.concatenate([observations, self._further(observations)], axis=-1)
        return observations[..., self.columns].astype(self.dtype, copy=False)

    def in_fractions(self) -> ObservationView:
        """Return the view of the same fields in fractions, for observations in fractions."""
        view = copy(self)
        view.whole, view.dtype = False, np.dtype(np.float32)
        return view

    def _further(self, observations: NDArray[Any]) -> NDArray[Any]:
        """Return the derived numbers (..., D) of observations (..., F), in fractions unless they are `whole`."""
        rows = observations.reshape(-1, self._own.size)
        fields = self._own.split(self._own.to_float(rows) if self.whole else rows)
        numbers = np.concatenate([derive(fields) for derive in self._derive], axis=1)
        further = numbers if self.whole else self._derived.to_float(numbers)
        return further.reshape(*observations.shape[:-1], self._derived.size)


def _chosen(every: Fields, fields: Sequence[str] | None, without: Sequence[str] | None) -> list[str]:
    """Return the names that are kept, in order. Raises ValueError or TypeError as `ObservationView` does."""
    known = [part.name for part in every.parts]
    if fields is not None and without is not None:
        raise ValueError("expected fields (those to keep) or without (those to leave out), got both")
    if fields is None and without is None:
        return known
    keyword, names = ("fields", fields) if without is None else ("without", without)
    named = _names(keyword, names, known, "the observation has the fields")
    chosen = [name for name in known if (name in named) == (keyword == "fields")]
    if not chosen:
        raise ValueError(f"expected {keyword} to leave something to see, got {names!r}")
    return chosen


def _names(keyword: str, patterns: Any, known: Sequence[str], there: str) -> list[str]:
    """Return the known names that match the patterns. Raises ValueError for a pattern without one, or TypeError."""
    if isinstance(patterns, str) or not isinstance(patterns, Sequence) or not all(isinstance(p, str) for p in patterns):
        raise TypeError(f"expected {keyword} as a list of names, got {patterns!r}")
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in known):
            listed = ", ".join(known) or "nothing"
            raise ValueError(
                f"expected {keyword} among what is there, got {pattern!r}; {there} {listed}{near(pattern, known)}"
            )
    return [name for name in known if any(fnmatchcase(name, pattern) for pattern in patterns)]
