"""The text functions of a game as a value: actions, events and positions as text, parsed positions, and reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from titan_env.contract.protocols import (
    DescribeAction,
    DescribeActionFor,
    DescribeEvent,
    DescribeEventFor,
    DescribePosition,
    Glossary,
    ParsePosition,
    PositionText,
    PositionTextFor,
    ValidatePosition,
    WhyNot,
)


@dataclass(frozen=True, kw_only=True, repr=False)
class Text:
    """The text functions of a game; one that is left out has a plain form made of the rules, or is absent."""

    describe_action: DescribeAction = None  # type: ignore[assignment]
    """``describe_action(state, action)`` returns the sentence of an action in this state."""
    describe_event: DescribeEvent = None  # type: ignore[assignment]
    """``describe_event(state, event)`` returns the sentence of an event, one row (4,) of a log."""
    position_text: PositionText = None  # type: ignore[assignment]
    """``position_text(state)`` returns the full position as text, which `parse_position` reads."""
    parse_position: ParsePosition = None  # type: ignore[assignment]
    """``parse_position(text)`` returns the position of such a text, a record array (1,).

    Raises ValueError, which names the faulty line."""
    validate_position: ValidatePosition = None  # type: ignore[assignment]
    """``validate_position(state)`` raises ValueError for a position from which the rules could not play on."""
    why_not: WhyNot = None  # type: ignore[assignment]
    """``why_not(state, action)`` returns the rulebook's reason that an action is illegal; None for a legal one."""
    describe_position: DescribePosition = None  # type: ignore[assignment]
    """``describe_position(state, seat)`` returns a seat's view as sentences, for screen readers; None: everything."""
    glossary: Glossary = None  # type: ignore[assignment]
    """``glossary()`` returns an entry for each of the picture's `notes`, shown when a thing is pointed at."""
    describe_action_for: DescribeActionFor | None = None
    """``describe_action_for(state, action, seat)`` returns the sentence of an action that `seat` may read.

    It returns None for an action that the seat may not know of. Seat -1 is a spectator, who knows what all know.
    None: all seats read `describe_action`."""
    describe_event_for: DescribeEventFor | None = None
    """``describe_event_for(state, event, seat)`` does the same for an event and `describe_event`."""
    position_text_for: PositionTextFor | None = None
    """``position_text_for(state, seat)`` returns a seat's view of the position as text; None: nothing is hidden."""
    styles: Mapping[str, str] = field(default_factory=dict)
    """Colours of a position's text in a terminal: regular expression -> `rich` style of its groups."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """Sign in a position's text -> the entry of the glossary that explains it; the terminal's legend."""
    rule_of: Mapping[IntEnum, str] = field(default_factory=dict)
    """Kind of event -> the function of its rule, as a heading of RULES.md names it."""
    rule_of_question: Mapping[IntEnum, str] = field(default_factory=dict)
    """Kind of question -> the function of its rule, named alike; the page links it while the question is asked."""
