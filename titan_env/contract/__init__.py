"""The contract: the parts of a game, and the functions that its rules may call.

It is all that an author of a game needs to import.
"""

from titan_env.compiler.jit import (
    COMPILED,
    accepts,
    inline_rule,
    interpreted,
    row,
    rule,
    specialize,
    specialize_part,
)
from titan_env.contract.actions import ActionTable
from titan_env.contract.agenda import pop_effect, push_effect
from titan_env.contract.fields import DerivedFields, Field, Fields
from titan_env.contract.game import Game, reduced_game
from titan_env.contract.header import (
    HEADER,
    LOG,
    MOST_EVENTS,
    MOST_SEATS,
    SILENT,
    State,
    Status,
    events_of,
    log_dtype,
    log_event,
)
from titan_env.contract.luck import (
    CHOICE,
    LUCK,
    MOST_ANSWERS,
    begin,
    draw,
    draw_successes,
    draw_weighted,
    luck_dtype,
    numbered_draw,
    outcomes,
    preset,
    scattered,
    scramble,
    seeded,
)
from titan_env.contract.macro_actions import NO_ACTION, Candidates, MacroActions
from titan_env.contract.metadata import Metadata
from titan_env.contract.presentation import Presentation
from titan_env.contract.protocols import Agent, Planner
from titan_env.contract.rewards import Reward, payoff, result_is_final
from titan_env.contract.rules import Rules
from titan_env.contract.text import Text

__all__ = [
    "CHOICE",
    "COMPILED",
    "HEADER",
    "LOG",
    "LUCK",
    "MOST_ANSWERS",
    "MOST_EVENTS",
    "MOST_SEATS",
    "NO_ACTION",
    "SILENT",
    "ActionTable",
    "Agent",
    "Candidates",
    "DerivedFields",
    "Field",
    "Fields",
    "Game",
    "MacroActions",
    "Metadata",
    "Planner",
    "Presentation",
    "Reward",
    "Rules",
    "State",
    "Status",
    "Text",
    "accepts",
    "begin",
    "draw",
    "draw_successes",
    "draw_weighted",
    "events_of",
    "inline_rule",
    "interpreted",
    "log_dtype",
    "log_event",
    "luck_dtype",
    "numbered_draw",
    "outcomes",
    "payoff",
    "pop_effect",
    "preset",
    "push_effect",
    "reduced_game",
    "result_is_final",
    "row",
    "rule",
    "scattered",
    "scramble",
    "seeded",
    "specialize",
    "specialize_part",
]
