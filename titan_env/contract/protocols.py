"""The types of the functions that a game and its agents consist of, for editors and mypy.

Arguments are positional: a function may call them as it likes. States, luck and logs are NumPy records, which have no
static type.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from titan_env.contract.header import State
from titan_env.contract.presentation_values import (
    FirstGameData,
    GlossaryEntry,
    Handover,
    Reminder,
    SetupFormData,
    Throw,
    TrayPiece,
)
from titan_env.contract.shapes import Shape

Luck = Any
"""The random stream of one game: a record of `titan_env.contract.LUCK`, or of a larger dtype (`luck_dtype`)."""
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
    """``observe(state, seat, vector)`` writes a seat's observation into the vector (F,)."""

    def __call__(self, state: State, seat: int, vector: Any, /) -> None: ...


class Imagine(Protocol):
    """``imagine(state, seat, luck)`` samples anew all that is hidden from a seat."""

    def __call__(self, state: State, seat: int, luck: Luck, /) -> None: ...


class Configure(Protocol):
    """``configure(**options)`` returns the state before `setup`, a record array (1,)."""

    def __call__(self, *arguments: Any, **options: Any) -> np.recarray[Any, Any]: ...


class DescribeAction(Protocol):
    """``describe_action(state, action)`` returns the sentence of an action."""

    def __call__(self, state: State, action: int, /) -> str: ...


class DescribeActionFor(Protocol):
    """``describe_action_for(state, action, seat)`` returns an action's sentence for a seat; None: unknown to it."""

    def __call__(self, state: State, action: int, seat: int, /) -> str | None: ...


class DescribeEvent(Protocol):
    """``describe_event(state, event)`` returns the sentence of an event, one row (4,) of a log."""

    def __call__(self, state: State, event: NDArray[np.int32], /) -> str: ...


class DescribeEventFor(Protocol):
    """``describe_event_for(state, event, seat)`` returns an event's sentence for a seat; None: unknown to it."""

    def __call__(self, state: State, event: NDArray[np.int32], seat: int, /) -> str | None: ...


class PositionText(Protocol):
    """``position_text(state)`` returns the full position as text."""

    def __call__(self, state: State, /) -> str: ...


class PositionTextFor(Protocol):
    """``position_text_for(state, seat)`` returns a seat's view of the position as text."""

    def __call__(self, state: State, seat: int, /) -> str: ...


class ParsePosition(Protocol):
    """``parse_position(text)`` returns the position of a text, a record array (1,); raises ValueError."""

    def __call__(self, text: str, /) -> np.recarray[Any, Any]: ...


class ValidatePosition(Protocol):
    """``validate_position(state)`` raises ValueError for a position from which the rules could not play on."""

    def __call__(self, state: State, /) -> None: ...


class WhyNot(Protocol):
    """``why_not(state, action)`` returns the reason that an action is illegal; None for a legal one."""

    def __call__(self, state: State, action: int, /) -> str | None: ...


class DescribePosition(Protocol):
    """``describe_position(state, seat)`` returns a seat's view as sentences; seat None: the full position."""

    def __call__(self, state: State, seat: int | None, /) -> list[str]: ...


class Glossary(Protocol):
    """``glossary()`` returns an entry for each name in the `notes` of the picture's shapes."""

    def __call__(self) -> Mapping[str, GlossaryEntry]: ...


class Picture(Hashable, Protocol):
    """``picture(state, seat, events, before, narrow, names)``, or with fewer of these, returns shapes."""

    def __call__(self, *arguments: Any, **named: Any) -> list[Shape]: ...


class PartEvents(Protocol):
    """``part_events(events)`` returns the numbers of the events (n, 4) of a step at which another part begins."""

    def __call__(self, events: NDArray[np.int32], /) -> Sequence[int]: ...


class SeatNames(Protocol):
    """``seat_names(state)`` returns the name of each seat's piece or side, as people say it."""

    def __call__(self, state: State, /) -> Sequence[str]: ...


class OwnPanel(Protocol):
    """``own_panel(state, seat)`` returns the key of the box in the picture that shows what belongs to a seat."""

    def __call__(self, state: State, seat: int, /) -> str: ...


class Forecast(Protocol):
    """``forecast(state)`` returns the probability of each end of the game by its name, as people say it."""

    def __call__(self, state: State, /) -> Mapping[str, float]: ...


class SetupForm(Protocol):
    """``setup_form()`` returns the setup form of a game."""

    def __call__(self) -> SetupFormData: ...


class FirstGame(Protocol):
    """``first_game()`` returns how a guided first game is begun, and its steps."""

    def __call__(self) -> FirstGameData: ...


class EditPosition(Protocol):
    """``edit_position(state, what, where)`` moves a thing of the picture to another one, by their keys."""

    def __call__(self, state: State, what: str, where: str, /) -> None: ...


class Tray(Protocol):
    """``tray(state)`` returns the pieces that people may add to a position that they edit."""

    def __call__(self, state: State, /) -> Sequence[TrayPiece]: ...


class Handovers(Protocol):
    """``handovers(state)`` returns the runs of questions that a person may leave to an agent."""

    def __call__(self, state: State, /) -> Sequence[Handover]: ...


class Reminders(Protocol):
    """``reminders(state)`` returns what the seat to act has not done yet in its turn."""

    def __call__(self, state: State, /) -> Sequence[Reminder]: ...


class Dice(Protocol):
    """``dice(before, events)`` returns the dice of a step with these events (n, 4)."""

    def __call__(self, before: State, events: NDArray[np.int32], /) -> Sequence[Throw]: ...


class TurnTitle(Protocol):
    """``turn_title(state)`` returns the heading of the decision at this state in the log."""

    def __call__(self, state: State, /) -> str: ...


class Agent(Protocol):
    """``act(observations, masks, rng)`` returns actions int64 (B,) for observations (B, F) and masks int8 (B, A)."""

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator, /
    ) -> NDArray[np.int64]: ...


class Planner(Protocol):
    """An agent with ``plans = True``, which takes imagined worlds too: `engine.determinization.Determinizations`."""

    plans: bool

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator, worlds: Any, /
    ) -> NDArray[np.int64]: ...
