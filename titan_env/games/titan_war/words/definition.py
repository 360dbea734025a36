"""The text functions of Titan: war as a value: actions, events and positions as text, and reasons."""

from __future__ import annotations

from titan_env.contract import Text
from titan_env.games.titan_battle.words.presentation import SIGNS
from titan_env.games.titan_war.words.glossary import describe_position, glossary
from titan_env.games.titan_war.words.illegal_reasons import why_not
from titan_env.games.titan_war.words.position import parse_position, position_text
from titan_env.games.titan_war.words.position_editor import validate_position
from titan_env.games.titan_war.words.presentation import RULE_OF, STYLES
from titan_env.games.titan_war.words.seat_texts import describe_action_for, position_text_for
from titan_env.games.titan_war.words.sentences import describe_action, describe_event

TEXT = Text(
    describe_action=describe_action,
    describe_event=describe_event,
    position_text=position_text,
    parse_position=parse_position,
    validate_position=validate_position,
    why_not=why_not,
    describe_action_for=describe_action_for,
    position_text_for=position_text_for,
    rule_of=RULE_OF,
    styles=STYLES,
    signs=SIGNS,
    describe_position=describe_position,
    glossary=glossary,
)
