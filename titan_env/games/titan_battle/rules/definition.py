"""The rules of Titan: battle as a value: sizes, tables, options and the functions of the rules."""

from __future__ import annotations

from typing import Any

from titan_env.contract import Rules
from titan_env.games.titan_battle.rules.actions import ACTIONS
from titan_env.games.titan_battle.rules.decision import play_decision
from titan_env.games.titan_battle.rules.lands import LAND_NAMES
from titan_env.games.titan_battle.rules.legal import legal
from titan_env.games.titan_battle.rules.observation import FIELDS, observe
from titan_env.games.titan_battle.rules.setup import OPTIONS, configure, set_up
from titan_env.games.titan_battle.rules.state import STATE, Ask, Event

PRESETS: dict[str, dict[str, Any]] = {
    **{name: {"land": name} for name in LAND_NAMES},
    "mirror": {"mirror": True},
    "titans": {"attacker": "with_titan", "defender": "with_titan"},
    "big": {"growth": 12, "summon": "angel"},
    "duel": {"attacker": ["minotaur"], "defender": ["warbear"], "land": "plains", "reinforcement": False},
}

RULES = Rules(
    state=STATE,
    seats=(2, 2),
    actions=ACTIONS,
    asks=Ask,
    events=Event,
    fields=FIELDS,
    setup=set_up,
    legal=legal,
    step=play_decision,
    observe=observe,
    configure=configure,
    options=OPTIONS,
    presets=PRESETS,
    chance_clock="clock",
)
