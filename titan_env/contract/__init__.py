"""The contract: what a game is made of, and what it may use.

Who writes a game of their own finds everything here.
"""

from titan_env.contract.agenda import drop, put
from titan_env.contract.fields import Field, Fields, observer
from titan_env.contract.game import ActionTable, Game
from titan_env.contract.header import HEADER, LOG, MOST_EVENTS, MOST_SEATS, SILENT, Over, State, heard, log_of, note
from titan_env.contract.jit import COMPILED, bind, bind_part, interpreted, pointer, row, rule, shared, takes
from titan_env.contract.luck import (
    CHOICE,
    LUCK,
    MOST_ANSWERS,
    begin,
    draw,
    draw_weighted,
    hits,
    luck_of,
    outcomes,
    preset,
    scattered,
    scramble,
    seeded,
)
from titan_env.contract.rewards import Reward, left_before, payoff

__all__ = [
    "CHOICE",
    "COMPILED",
    "HEADER",
    "LOG",
    "LUCK",
    "MOST_ANSWERS",
    "MOST_EVENTS",
    "MOST_SEATS",
    "SILENT",
    "ActionTable",
    "Field",
    "Fields",
    "Game",
    "Over",
    "Reward",
    "State",
    "begin",
    "bind",
    "bind_part",
    "draw",
    "draw_weighted",
    "drop",
    "heard",
    "hits",
    "interpreted",
    "left_before",
    "log_of",
    "luck_of",
    "note",
    "observer",
    "outcomes",
    "payoff",
    "pointer",
    "preset",
    "put",
    "row",
    "rule",
    "scattered",
    "scramble",
    "seeded",
    "shared",
    "takes",
]
