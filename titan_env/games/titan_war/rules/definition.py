"""The rules of Titan: war as a value: sizes, tables, options and the functions of the rules."""

from __future__ import annotations

from typing import Any

from titan_env.contract import Rules, log_dtype, luck_dtype
from titan_env.games.titan_war.rules.actions import ACTIONS
from titan_env.games.titan_war.rules.decision import play_decision
from titan_env.games.titan_war.rules.imagine import imagine
from titan_env.games.titan_war.rules.legal import legal
from titan_env.games.titan_war.rules.observation import FIELDS, observe
from titan_env.games.titan_war.rules.public_view import public_view
from titan_env.games.titan_war.rules.setup import OPTIONS, configure, set_up
from titan_env.games.titan_war.rules.state import STATE, Ask, Event

MOST_ANSWERS = 16
"""The chance answers of one step that are listed: towers and the first angel, a roll, the dice of a strike."""

MOST_EVENTS = 512
"""An elimination can remove 35 legions in one step."""

PRESETS: dict[str, dict[str, Any]] = {
    "two": {"players": 2},
    "three": {"players": 3},
    "four": {"players": 4},
    "six": {"players": 6},
    "goal100": {"players": 2, "goal": 100},
    "short": {"players": 4, "goal": 300},
    "sprint": {"players": 2, "turns": 12},
    "lean": {"players": 3, "lean": True},
    "timed": {"players": 4, "turns": 40},
    "stern": {"players": 2, "agreements": False, "concede": False},
}

RULES = Rules(
    state=STATE,
    seats=(2, 6),
    actions=ACTIONS,
    asks=Ask,
    events=Event,
    fields=FIELDS,
    setup=set_up,
    legal=legal,
    step=play_decision,
    observe=observe,
    imagine=imagine,
    public_view=public_view,
    configure=configure,
    options=OPTIONS,
    presets=PRESETS,
    luck=luck_dtype(MOST_ANSWERS),
    log=log_dtype(MOST_EVENTS),
    score_scale=100.0,
    chance_clock="clock",
)
