"""The text functions of Tiny Turbo Cars as a value: actions, events and positions as text, and reasons."""

from __future__ import annotations

from titan_env.contract import Text
from titan_env.games.tiny_turbo_cars.words.glossary import describe_position, glossary
from titan_env.games.tiny_turbo_cars.words.illegal_reasons import why_not
from titan_env.games.tiny_turbo_cars.words.position import parse_position, position_text
from titan_env.games.tiny_turbo_cars.words.position_editor import validate_position
from titan_env.games.tiny_turbo_cars.words.presentation import RULE_OF, SIGNS, STYLES, position_text_for
from titan_env.games.tiny_turbo_cars.words.sentences import describe_action, describe_action_for, describe_event

TEXT = Text(
    describe_action=describe_action,
    describe_action_for=describe_action_for,
    describe_event=describe_event,
    position_text=position_text,
    parse_position=parse_position,
    validate_position=validate_position,
    why_not=why_not,
    rule_of=RULE_OF,
    styles=STYLES,
    signs=SIGNS,
    position_text_for=position_text_for,
    describe_position=describe_position,
    glossary=glossary,
)
