"""The observation as a table of named fields, in fractions or integers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Field:
    """One named part of the observation. `low` and `high` bound its float32 values.

    Raises ValueError for names of `axes` that do not match the shape, and for a scale that is no integer from 1 on.
    """

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    meaning: str
    axes: tuple[tuple[str, ...], ...] = ()
    """The names of the indices along each axis, as in ``(("red", "blue"), ("lives", "cards"))`` for a shape (2, 2);
    () for none."""
    scale: int = 1
    """The divisor of integer observations: with a scale of 4 the integer 3 (of 4 lives) is 0.75."""

    def __post_init__(self) -> None:
        if self.axes and tuple(map(len, self.axes)) != self.shape:
            example = tuple(tuple(f"{self.name}_{index}" for index in range(min(size, 2))) for size in self.shape)
            wanted = f"axes={example}" + ", and so on" * any(size > 2 for size in self.shape)
            expected = f"a name for each place along each axis of {self.name}, of shape {self.shape}, as in {wanted}"
            raise ValueError(f"expected {expected}; got {self.axes}")
        if isinstance(self.scale, bool) or not isinstance(self.scale, int) or self.scale < 1:
            raise ValueError(f"expected the scale of {self.name} to be a whole number from 1 on, got {self.scale!r}")

    @property
    def size(self) -> int:
        """The number of entries of the field."""
        return int(np.prod(self.shape))


@dataclass(frozen=True)
class Fields:
    """The fields of an observation, concatenated in a flat vector.

    With `whole` the game observes in integers. Batches then return either those, in the smallest dtype that holds them
    (`dtype`), or float32, each number divided by its field's `scale`. Raises ValueError for fields of the same name,
    for scales without `whole`, and for bounds that are no integers times the scale with `whole`.
    """

    parts: tuple[Field, ...]
    whole: bool = False

    def __post_init__(self) -> None:
        names = [part.name for part in self.parts]
        if len(set(names)) != len(names):
            raise ValueError(f"expected every field to have a name of its own, got {', '.join(names)}")
        if not self.whole and any(part.scale != 1 for part in self.parts):
            raise ValueError("expected scales in fields of whole numbers only; make them Fields(..., whole=True)")
        if self.whole:
            for part in self.parts:
                if part.low * part.scale % 1 or part.high * part.scale % 1:
                    raise ValueError(f"expected {part.name} to go between whole numbers, got {part}")

    @cached_property
    def size(self) -> int:
        """The length F of the flat vector."""
        return sum(part.size for part in self.parts)

    @cached_property
    def slices(self) -> Mapping[str, slice]:
        """Field name -> its slice of the flat vector."""
        ends = np.cumsum([part.size for part in self.parts])
        return {part.name: slice(int(end) - part.size, int(end)) for part, end in zip(self.parts, ends, strict=True)}

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The dtype that the game observes in: float32, or the smallest integer dtype that holds every field."""
        if not self.whole:
            return np.dtype(np.float32)
        low = min(part.low * part.scale for part in self.parts)
        high = max(part.high * part.scale for part in self.parts)
        kinds: list[np.dtype[Any]] = [np.dtype(kind) for kind in ("int8", "uint8", "int16", "int32")]
        return next(kind for kind in kinds if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)

    @cached_property
    def scales(self) -> NDArray[np.int64]:
        """The divisions that make float32 observations: int64 rows of (first, end, scale)."""
        stretches = [
            (self.slices[part.name].start, self.slices[part.name].stop, part.scale)
            for part in self.parts
            if part.scale != 1
        ]
        return np.array(stretches, np.int64).reshape(-1, 3)

    @cached_property
    def divisors(self) -> NDArray[np.float32]:
        """The number that each entry of a whole observation is divided by, float32 (F,)."""
        return np.repeat([part.scale for part in self.parts], [part.size for part in self.parts]).astype(np.float32)

    def to_float(self, whole: NDArray[Any]) -> NDArray[np.float32]:
        """Convert integer observations (..., F) to float32, for learners that take integers from the environment."""
        observations = whole.astype(np.float32)
        for first, end, scale in self.scales:
            observations[..., first:end] = whole[..., first:end] / scale
        return observations

    def bounds(self, whole: bool = False) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the lowest and highest values of all entries, two vectors (F,): float32, or integers for `whole`."""
        kind = self.dtype if whole else np.dtype(np.float32)
        factors = [part.scale if whole else 1 for part in self.parts]
        ends = []
        for name in ("low", "high"):
            values = [getattr(part, name) * factor for part, factor in zip(self.parts, factors, strict=True)]
            ends.append(np.repeat(np.array(values), [part.size for part in self.parts]).astype(kind))
        return ends[0], ends[1]

    def split(self, observations: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Split flat observations (..., F) by field: name -> view (..., shape)."""
        head = observations.shape[:-1]
        return {
            part.name: observations[..., self.slices[part.name]].reshape((*head, *part.shape)) for part in self.parts
        }

    def join(self, fields: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        """Join named fields, each (B, ...), as `split` returns them, to flat observations (B, F)."""
        parts = [fields[name].reshape(-1, span.stop - span.start) for name, span in self.slices.items()]
        return np.concatenate(parts, axis=1)


@dataclass(frozen=True)
class DerivedFields:
    """Further fields that a learner may ask for, computed from what its seat sees: off unless somebody names them.

    `compute` takes the named fields of B observations in fractions, as `Fields.split` returns them, and returns
    numbers (B, D), those of `parts` one after the other: in a game that observes in whole numbers integers, each the
    value times its field's `scale`, else fractions.
    """

    parts: tuple[Field, ...]
    compute: Callable[[Mapping[str, NDArray[np.float32]]], NDArray[Any]]
    meaning: str
