"""The observation as a table of named parts, in fractions or in whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from titan_env.contract.jit import pointer, row
from titan_env.contract.renamed import FIELDS, warn_renamed

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Field:
    """One named part of the observation. `low` and `high` are those of the float32 observation."""

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    meaning: str
    axes: tuple[tuple[str, ...], ...] = ()
    """What each place along each axis is called, as in ``(("red", "blue"), ("lives", "cards"))`` for a shape (2, 2);
    nothing where numbers say it."""
    scale: int = 1
    """In whole numbers one stands for 1 / scale: 3 of 4 lives are 3, with a scale of 4."""

    def __post_init__(self) -> None:
        if self.axes and tuple(map(len, self.axes)) != self.shape:
            example = tuple(tuple(f"{self.name}_{place}" for place in range(min(size, 2))) for size in self.shape)
            told = f"axes={example}" + ", and so on" * any(size > 2 for size in self.shape)
            expected = f"a name for each place along each axis of {self.name}, of shape {self.shape}, as in {told}"
            raise ValueError(f"expected {expected}; got {self.axes}")
        if isinstance(self.scale, bool) or not isinstance(self.scale, int) or self.scale < 1:
            raise ValueError(f"expected the scale of {self.name} to be a whole number from 1 on, got {self.scale!r}")

    @property
    def size(self) -> int:
        """How many numbers the part has."""
        return int(np.prod(self.shape))


@dataclass(frozen=True)
class Fields:
    """The observation: named parts, laid one after the other in a flat vector.

    `whole`: the game observes in whole numbers. Batches then hand out either those, in the smallest dtype
    that holds them (`dtype`), or float32, which is each number divided by its part's `scale`.
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
        """Length of the flat vector."""
        return sum(part.size for part in self.parts)

    @cached_property
    def slices(self) -> Mapping[str, slice]:
        """Where each part lies in the flat vector."""
        ends = np.cumsum([part.size for part in self.parts])
        return {part.name: slice(int(end) - part.size, int(end)) for part, end in zip(self.parts, ends, strict=True)}

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """What the game observes in: float32, or the smallest whole numbers that hold every part."""
        if not self.whole:
            return np.dtype(np.float32)
        low = min(part.low * part.scale for part in self.parts)
        high = max(part.high * part.scale for part in self.parts)
        kinds: list[np.dtype[Any]] = [np.dtype(kind) for kind in ("int8", "uint8", "int16", "int32")]
        return next(kind for kind in kinds if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)

    @cached_property
    def scales(self) -> NDArray[np.int64]:
        """Where float32 observations are divided, and by what: rows of (first, end, scale)."""
        stretches = [
            (self.slices[part.name].start, self.slices[part.name].stop, part.scale)
            for part in self.parts
            if part.scale != 1
        ]
        return np.array(stretches, np.int64).reshape(-1, 3)

    def to_float(self, whole: NDArray[Any]) -> NDArray[np.float32]:
        """Observations (..., size) in whole numbers as float32, as a learner makes them on its side."""
        observations = whole.astype(np.float32)
        for first, end, scale in self.scales:
            observations[..., first:end] = whole[..., first:end] / scale
        return observations

    def bounds(self, whole: bool = False) -> tuple[NDArray[Any], NDArray[Any]]:
        """Lowest and highest value of each entry, two vectors of shape (size,): float32, or in `whole` numbers."""
        kind = self.dtype if whole else np.dtype(np.float32)
        factors = [part.scale if whole else 1 for part in self.parts]
        ends = []
        for name in ("low", "high"):
            values = [getattr(part, name) * factor for part, factor in zip(self.parts, factors, strict=True)]
            ends.append(np.repeat(np.array(values), [part.size for part in self.parts]).astype(kind))
        return ends[0], ends[1]

    def __getattr__(self, name: str) -> Any:
        if name not in FIELDS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        warn_renamed(f"fields.{name}", f"fields.{FIELDS[name]}")
        return getattr(self, FIELDS[name])

    def split(self, observations: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The parts of flat observations (..., size) by name, each ``(..., *shape)``, as views."""
        head = observations.shape[:-1]
        return {
            part.name: observations[..., self.slices[part.name]].reshape((*head, *part.shape)) for part in self.parts
        }


def observer(observe: Function, state: np.dtype[Any], fields: Fields) -> Function:
    """Declare the rule ``observe(state, seat, vector)``, as games did before they handed plain functions to `Game`."""
    return pointer(observe, state, np.int64, row(fields.dtype))
