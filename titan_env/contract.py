"""What a game is: a state layout, four compiled rules and a few words.

Everything else in this package is a table at which any such game can be played. A game never
imports the table, and the table never names a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.jit import rule, shared
from titan_env.shapes import Shape

MOST_SEATS = 6
MOST_EVENTS = 96

State = Any
"""One game: a record of the game's state dtype (an element of a ``np.recarray``)."""


class Over(IntEnum):
    """How a game stands."""

    RUNNING = 0
    TERMINATED = 1
    TRUNCATED = 2


HEADER: list[Any] = [
    ("decisions", np.int32),  # decisions taken so far, by all seats
    ("over", np.int8),  # Over
    ("seats", np.int8),  # players at the table
    ("seat", np.int8),  # the seat that is asked
    ("ask", np.int8),  # what it is asked: the game's own enum, 0 when the game is over
    ("won", np.int8, (MOST_SEATS,)),  # 1 for each seat that has won
]
"""The fields that every state starts with."""

LOG = np.dtype(
    [
        ("count", np.int16),  # events so far in this step; SILENT: nobody listens
        ("events", np.int8, (MOST_EVENTS, 4)),  # kind, who, whom or where, how much
    ]
)
"""What happened during one step, for those who want to hear it."""

SILENT = -1


@shared
def note(log: Any, kind: int, who: int, whom: int, amount: int) -> None:
    """Write one event down, if anybody listens. The numbers mean what the game's `Event` says."""
    if log.count != SILENT and log.count < MOST_EVENTS:
        event = log.events[log.count]
        event[0] = kind
        event[1] = who
        event[2] = whom
        event[3] = amount
        log.count += 1


@rule
def payoff(state: State, seat: int) -> float:
    """What the result is worth to `seat`: winners +1 each, the losers share the opposite.

    Zero while the game runs, after truncation, and where everybody has won.
    """
    if state.over != 1:
        return 0.0
    winners = 0
    for other in range(state.seats):
        winners += state.won[other]
    if winners == 0 or winners == state.seats:
        return 0.0
    return 1.0 if state.won[seat] else -winners / (state.seats - winners)


@dataclass(frozen=True)
class Field:
    """One named part of the observation."""

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    meaning: str
    axes: tuple[tuple[str, ...], ...] = ()
    """What the places along each axis are called; nothing where numbers say it."""

    def __post_init__(self) -> None:
        if self.axes and tuple(map(len, self.axes)) != self.shape:
            raise ValueError(f"expected names for the places of {self.name}, {self.shape}, got {self.axes}")

    @property
    def size(self) -> int:
        """How many numbers the part has."""
        return int(np.prod(self.shape))


@dataclass(frozen=True)
class Fields:
    """The observation as a table: named parts, laid one after the other in a flat vector."""

    parts: tuple[Field, ...]

    @cached_property
    def size(self) -> int:
        """Length of the flat vector."""
        return sum(part.size for part in self.parts)

    @cached_property
    def places(self) -> Mapping[str, slice]:
        """Where each part lies in the flat vector."""
        ends = np.cumsum([part.size for part in self.parts])
        return {part.name: slice(int(end) - part.size, int(end)) for part, end in zip(self.parts, ends, strict=True)}

    def bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Lowest and highest value of each entry, two float32 vectors of shape (size,)."""
        lows = [np.full(part.size, part.low, np.float32) for part in self.parts]
        highs = [np.full(part.size, part.high, np.float32) for part in self.parts]
        return np.concatenate(lows), np.concatenate(highs)

    def named(self, observations: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """The parts of flat observations (..., size) by name, each ``(..., *shape)``, as views."""
        head = observations.shape[:-1]
        return {
            part.name: observations[..., self.places[part.name]].reshape((*head, *part.shape)) for part in self.parts
        }


@dataclass(frozen=True)
class ActionTable:
    """Every action of a game by number and text. The numbers are frozen with the game's version."""

    texts: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.texts)) != len(self.texts):
            raise ValueError("expected every action text to be unique")

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each text."""
        return {text: number for number, text in enumerate(self.texts)}

    def read(self, text: str) -> int:
        """The number of the action that `text` names. Raises ValueError for an unknown one."""
        if text not in self.numbers:
            close = [known for known in self.texts if known.split(":")[0] == text.split(":")[0]]
            hint = ", ".join(close or sorted({known.split(":")[0] for known in self.texts}))
            raise ValueError(f"expected the text of an action, got {text!r}; there are: {hint}")
        return self.numbers[text]


@dataclass(frozen=True)
class Game:
    """One game as a value: numbers, tables and plain functions.

    `setup`, `legal`, `step` and `observe` are the rules, each over one record and compiled
    (see `titan_env.jit.pointer`):

    - ``setup(state, luck)`` turns a configured state (see `configure`) into the first decision;
    - ``legal(state, mask)`` writes the int8 mask (A,) of the seat that is asked, all zero at the end;
    - ``step(state, action, luck, log)`` plays one legal action up to the next decision or the end;
    - ``observe(state, seat, vector)`` writes what `seat` may know as float32 (F,).
    """

    name: str
    title: str
    version: int
    state: np.dtype[Any]
    seats: tuple[int, int]
    """Fewest and most players."""
    actions: ActionTable
    asks: type[IntEnum]
    events: type[IntEnum]
    fields: Fields
    setup: Callable[..., None]
    legal: Callable[..., None]
    step: Callable[..., None]
    observe: Callable[..., None]
    configure: Callable[..., np.recarray[Any, Any]]
    """Keyword options -> a state before any chance, as a record array (1,). Raises ValueError or TypeError."""
    options: Mapping[str, str]
    """Name and meaning of every keyword of `configure`."""
    presets: Mapping[str, Mapping[str, Any]]
    """Named sets of options that between them reach every variant: what tests and reports run over."""
    say: Callable[[State, int], str]
    """An action in words, as it reads in this state."""
    tell: Callable[[State, NDArray[np.int8]], str]
    """An event (one row of `LOG`) in words."""
    show: Callable[[State], str]
    """The whole position as text."""
    read: Callable[[str], np.recarray[Any, Any]]
    """The position of such a text, as a record array (1,). Raises ValueError naming the line that is wrong."""
    check: Callable[[State], None]
    """Raises ValueError for a position (of a text, say) that the rules could not safely be played on from."""
    why_not: Callable[[State, int], str | None]
    """The sentence of the rules that forbids an action; None when it is legal."""
    picture: Callable[[State], list[Shape]]
    """``picture(state, seat, events, before, narrow)``, or with fewer of these: the position as shapes.

    `seat` sees it (None: everything); `events` led here from `before`; `narrow` is for 360 pixels across.
    """
    imagine: Callable[..., None] | None = None
    """``imagine(state, seat, luck)`` draws anew what `seat` cannot know; compiled. None: nothing is hidden."""
    clock: str = "decisions"
    """The state field that chance goes by: where it is equal the same dice may fall, however two games went."""
    sides: str = "seats"
    """The state field that says how many sides there are; seats take turns among them (teams alternate)."""
    history: Mapping[int, str] = field(default_factory=dict)
    """What each version of the game brought."""
    folder: str = field(default="")
    """Where the game's files lie (its RULES.md, its data)."""
    full: Mapping[str, Any] = field(default_factory=dict)
    """The options of a game at its fullest, which speed and balance are reported for."""
    goals: Mapping[str, float] = field(default_factory=dict)
    """What the speed report should reach, by the name of its figure."""
    traits: Callable[[State], Mapping[str, Any]] | None = None
    """What a finished game is counted by: a text or a number for the whole game, a list of texts for its seats."""
    choices: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Values offered to people for each option, the usual one first."""
    rule_of: Mapping[IntEnum, str] = field(default_factory=dict)
    """The rule that makes each kind of event happen, by the function that a heading of RULES.md names."""
    inks: Mapping[str, str] = field(default_factory=dict)
    """How people see the text of a position: regular expression -> style of rich for its groups."""
    arrange: Callable[[State, str, str], None] | None = None
    """``arrange(state, what, where)`` puts a thing of the picture on another, by their keys ("": off the table)."""
    show_to: Callable[[State, int], str] | None = None
    """The position as a seat may see it, for people who play; None where nothing is hidden."""

    @property
    def id(self) -> str:
        """Name with version, as in ``chess_v0``."""
        return f"{self.name}_v{self.version}"

    @cached_property
    def rules(self) -> Mapping[str, Callable[..., None]]:
        """The compiled rules by name, as `titan_env.jit.bind` takes them."""
        return {"setup": self.setup, "legal": self.legal, "step": self.step, "observe": self.observe}
