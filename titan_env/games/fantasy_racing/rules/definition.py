"""The rules of Fantasy Racing as a value: sizes, tables, options and the functions of the rules."""

from __future__ import annotations

from typing import Any

from titan_env.contract import Rules
from titan_env.games.fantasy_racing.rules.actions import ACTIONS
from titan_env.games.fantasy_racing.rules.circuits import CIRCUIT_NAMES
from titan_env.games.fantasy_racing.rules.decision import play_decision
from titan_env.games.fantasy_racing.rules.legal import legal
from titan_env.games.fantasy_racing.rules.observation import FIELDS, observe
from titan_env.games.fantasy_racing.rules.setup import OPTIONS, configure, set_up
from titan_env.games.fantasy_racing.rules.state import STATE, Ask, Event

PRESETS: dict[str, dict[str, Any]] = {
    "six": {},
    "duel": {"players": 2},
    "three": {"players": 3},
    "choose": {"players": 4, "characters": "choose"},
    "short": {"players": 5, "rounds": 5},
    "long": {"rounds": 15},
    "humans": {"characters": ["human", "human", "human"]},
    **{name: {"circuit": name} for name in CIRCUIT_NAMES},
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
    configure=configure,
    options=OPTIONS,
    presets=PRESETS,
    score_scale=50.0,
)
