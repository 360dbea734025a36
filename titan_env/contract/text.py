"""The words of a game as a value: decisions, events and positions as text, both ways, and reasons."""

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


@dataclass(frozen=True, kw_only=True)
class Text:
    """The words of a game; a part that is left out has a plain form, made of the rules, or there is none."""

    describe_action: DescribeAction = None  # type: ignore[assignment]
    """``describe_action(state, action)`` returns an action in words, as it reads in this state."""
    describe_event: DescribeEvent = None  # type: ignore[assignment]
    """``describe_event(state, event)`` returns an event (one row of a log) in words."""
    position_text: PositionText = None  # type: ignore[assignment]
    """``position_text(state)`` returns the whole position as text."""
    parse_position: ParsePosition = None  # type: ignore[assignment]
    """``parse_position(text)`` returns the position of such a text, a record array (1,).

    Raises ValueError naming the line that is wrong."""
    validate_position: ValidatePosition = None  # type: ignore[assignment]
    """``validate_position(state)`` raises ValueError for a position that could not safely be played on from."""
    why_not: WhyNot = None  # type: ignore[assignment]
    """``why_not(state, action)`` returns the sentence of the rules that forbids an action; None when it is legal."""
    describe_position: DescribePosition = None  # type: ignore[assignment]
    """``describe_position(state, seat)`` returns sentences, as a seat may know them, for those who see no picture."""
    glossary: Glossary = None  # type: ignore[assignment]
    """``glossary()`` returns an entry for each of the `notes` in the picture, shown where a thing is pointed at."""
    describe_action_for: DescribeActionFor | None = None
    """``describe_action_for(state, action, seat)``: an action in words, as `seat` may know it before all is open.

    It returns None for one of which the seat learns nothing; without the function everybody learns what
    `describe_action` returns. Seat -1 looks on, and learns what all may."""
    describe_event_for: DescribeEventFor | None = None
    """``describe_event_for(state, event, seat)``: the same for an event and `describe_event`."""
    position_text_for: PositionTextFor | None = None
    """``position_text_for(state, seat)``: the position as a seat may see it; None where nothing is hidden."""
    styles: Mapping[str, str] = field(default_factory=dict)
    """Colours of the text of a position in a terminal: regular expression -> style of rich for its groups."""
    rule_of: Mapping[IntEnum, str] = field(default_factory=dict)
    """The rule behind each kind of event, by the function that a heading of RULES.md names."""
    rule_of_question: Mapping[IntEnum, str] = field(default_factory=dict)
    """The rule behind each kind of question, named alike; the page links it while the question is asked."""
