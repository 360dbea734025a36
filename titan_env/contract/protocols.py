"""The types of the functions that a game and its agents are made of, so that editors and mypy check their authors.

Arguments are positional: a function may call them as it likes. States, luck and logs are NumPy records, which have no
static type.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from titan_env.contract.header import State
from titan_env.contract.people import Form, Note
from titan_env.contract.shapes import Shape

Luck = Any
"""The chance of one game: a record of `titan_env.contract.LUCK`, or of a larger dtype (`luck_dtype`)."""
Log = Any
"""The events of one step: a record of `titan_env.contract.LOG`, or of a larger dtype (`log_dtype`)."""


class Setup(Protocol):
    """``setup(state, luck)`` turns a configured state into the first decision."""

    def __call__(self, state: State, luck: Luck, /) -> None: ...


class Legal(Protocol):
    """``legal(state, mask)`` writes 1 for each legal action into the int8 mask (A,); all zero at the end."""

    def __call__(self, state: State, mask: Any, /) -> None: ...


class Step(Protocol):
    """``step(state, action, luck, log)`` plays one legal action, up to the next decision or the end."""

    def __call__(self, state: State, action: int, luck: Luck, log: Log, /) -> None: ...


class Observe(Protocol):
    """``observe(state, seat, vector)`` writes what a seat may know into the vector (F,)."""

    def __call__(self, state: State, seat: int, vector: Any, /) -> None: ...


class Imagine(Protocol):
    """``imagine(state, seat, luck)`` draws anew what a seat cannot know."""

    def __call__(self, state: State, seat: int, luck: Luck, /) -> None: ...


class Configure(Protocol):
    """``configure(**options)`` returns a state before any chance, a record array (1,)."""

    def __call__(self, *arguments: Any, **options: Any) -> np.recarray[Any, Any]: ...


class DescribeAction(Protocol):
    """``describe_action(state, action)`` returns an action in words."""

    def __call__(self, state: State, action: int, /) -> str: ...


class DescribeActionFor(Protocol):
    """``describe_action_for(state, action, seat)`` returns an action in words for a seat; None: it learns nothing."""

    def __call__(self, state: State, action: int, seat: int, /) -> str | None: ...


class DescribeEvent(Protocol):
    """``describe_event(state, event)`` returns an event, one row (4,) of a log, in words."""

    def __call__(self, state: State, event: NDArray[np.int32], /) -> str: ...


class DescribeEventFor(Protocol):
    """``describe_event_for(state, event, seat)`` returns an event in words for a seat; None: it learns nothing."""

    def __call__(self, state: State, event: NDArray[np.int32], seat: int, /) -> str | None: ...


class PositionText(Protocol):
    """``position_text(state)`` returns the whole position as text."""

    def __call__(self, state: State, /) -> str: ...


class PositionTextFor(Protocol):
    """``position_text_for(state, seat)`` returns the position as text, as a seat may see it."""

    def __call__(self, state: State, seat: int, /) -> str: ...


class ParsePosition(Protocol):
    """``parse_position(text)`` returns the position of a text, a record array (1,); raises ValueError."""

    def __call__(self, text: str, /) -> np.recarray[Any, Any]: ...


class ValidatePosition(Protocol):
    """``validate_position(state)`` raises ValueError for a position that cannot be played on from."""

    def __call__(self, state: State, /) -> None: ...


class WhyNot(Protocol):
    """``why_not(state, action)`` returns the sentence that forbids an action; None when it is legal."""

    def __call__(self, state: State, action: int, /) -> str | None: ...


class DescribePosition(Protocol):
    """``describe_position(state, seat)`` returns the position in sentences, as a seat may know it; None: all of it."""

    def __call__(self, state: State, seat: int | None, /) -> list[str]: ...


class Glossary(Protocol):
    """``glossary()`` returns an entry for each name that shapes of the picture have in their `notes`."""

    def __call__(self) -> Mapping[str, Note]: ...


class Picture(Hashable, Protocol):
    """``picture(state, seat, events, before, narrow, names)``, or with fewer of these, returns shapes."""

    def __call__(self, *arguments: Any, **named: Any) -> list[Shape]: ...


class PartEvents(Protocol):
    """``part_events(events)`` returns the numbers of the events (n, 4) of a step at which another part begins."""

    def __call__(self, events: NDArray[np.int32], /) -> Sequence[int]: ...


class AnimationSteps(Protocol):
    """``animation_steps(before, events, after)`` returns, part by part, how many events are shown and the position."""

    def __call__(self, before: State, events: NDArray[np.int32], after: State, /) -> list[tuple[int, State]]: ...


class SetupForm(Protocol):
    """``setup_form()`` returns the form in which people begin a game."""

    def __call__(self) -> Form: ...


class EditPosition(Protocol):
    """``edit_position(state, what, where)`` puts a thing of the picture on another, by their keys."""

    def __call__(self, state: State, what: str, where: str, /) -> None: ...


class Agent(Protocol):
    """``act(observations, masks, rng)`` returns actions int64 (B,) for observations (B, F) and masks int8 (B, A)."""

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator, /
    ) -> NDArray[np.int64]: ...


class Planner(Protocol):
    """An agent with ``plans = True``, which also gets imagined worlds (`titan_env.engine.worlds.Worlds`)."""

    plans: bool

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator, worlds: Any, /
    ) -> NDArray[np.int64]: ...
