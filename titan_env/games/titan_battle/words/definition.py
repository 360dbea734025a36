"""The text functions of Titan: battle as a value: actions, events and positions as text, and reasons."""

from __future__ import annotations

from titan_env.contract import Text
from titan_env.games.titan_battle.words.glossary import describe_position, glossary
from titan_env.games.titan_battle.words.illegal_reasons import why_not
from titan_env.games.titan_battle.words.position import parse_position, position_text
from titan_env.games.titan_battle.words.position_editor import validate_position
from titan_env.games.titan_battle.words.presentation import RULE_OF, RULE_OF_QUESTION, SIGNS, STYLES
from titan_env.games.titan_battle.words.sentences import describe_action, describe_event

TEXT = Text(
    describe_action=describe_action,
    describe_event=describe_event,
    position_text=position_text,
    parse_position=parse_position,
    validate_position=validate_position,
    why_not=why_not,
    rule_of=RULE_OF,
    rule_of_question=RULE_OF_QUESTION,
    styles=STYLES,
    signs=SIGNS,
    describe_position=describe_position,
    glossary=glossary,
)
