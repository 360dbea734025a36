"""The rules of Tiny Turbo Cars as a value: sizes, tables, options and the functions of the rules."""

from __future__ import annotations

from typing import Any

from titan_env.contract import Rules
from titan_env.games.tiny_turbo_cars.rules.actions import ACTIONS
from titan_env.games.tiny_turbo_cars.rules.imagine import imagine
from titan_env.games.tiny_turbo_cars.rules.legal import legal
from titan_env.games.tiny_turbo_cars.rules.observation import FIELDS, observe
from titan_env.games.tiny_turbo_cars.rules.setup import OPTIONS, configure, set_up
from titan_env.games.tiny_turbo_cars.rules.state import STATE, Ask, Event
from titan_env.games.tiny_turbo_cars.rules.turn import play_decision

PRESETS: dict[str, dict[str, Any]] = {
    "four": {},
    "three": {"players": 3},
    "duel": {"players": 2},
    "long": {"length": 4},
    "sprint": {"length": 1, "cars": "random"},
    "podium": {"podium": True},
    "fast": {"line_pushes": True, "slides": 12, "countdown": 4},
    "tour_1": {"boards": ["driveway", "living_room", "kitchen", "library", "garden"]},
    "tour_2": {"boards": ["porch", "playroom", "bathroom", "study", "terrace"]},
    "tour_3": {"boards": ["driveway", "corridor", "bathroom", "library", "terrace"]},
    "tour_4": {"boards": ["porch", "bedroom", "kitchen", "study", "garden"]},
}

RULES = Rules(
    state=STATE,
    seats=(2, 4),
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
    imagine=imagine,
    chance_clock="shuffles",
    later=("podium",),
)
