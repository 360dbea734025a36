"""The rules of Titan Race as a value: sizes, tables, options and the functions of the rules."""

from __future__ import annotations

from typing import Any

from titan_env.contract import Rules, luck_dtype
from titan_env.games.titan_race.rules.actions import ACTIONS
from titan_env.games.titan_race.rules.fields import FIELDS
from titan_env.games.titan_race.rules.imagine import imagine
from titan_env.games.titan_race.rules.legal import legal
from titan_env.games.titan_race.rules.observation import observe
from titan_env.games.titan_race.rules.public_view import public_view
from titan_env.games.titan_race.rules.setup import OPTIONS, configure, set_up
from titan_env.games.titan_race.rules.state import CIRCUIT_NAMES, MOST_TITANS, STATE, Ask, Event
from titan_env.games.titan_race.rules.turn import play_decision

ALL_TITANS = ["rassik", "ragnarok", "craken", "grinder", "slaugg", "chtooloo"]

MOST_ANSWERS = 3 * MOST_TITANS + 4
"""The chance answers of one step that are listed: at the start a character, a card and a die for each Titan, up to
three circuits and who begins; later at most a die and a card for each, and one more die."""

PRESETS: dict[str, dict[str, Any]] = {
    "six_titans": {"titans": ALL_TITANS},
    "two_titans": {"titans": 2},
    "two_players": {"variant": "two_players"},
    "choose": {"variant": "two_players", "titans": "choose", "circuit": "choose"},
    "2v2": {"variant": "2v2"},
    "2v2v2": {"variant": "2v2v2"},
    "3v3": {"variant": "3v3"},
    "grand_slam": {"titans": 6, "grand_slam": True},
    **{name: {"titans": 6, "circuit": name} for name in CIRCUIT_NAMES},
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
    imagine=imagine,
    luck=luck_dtype(MOST_ANSWERS),
    chance_clock="turns",
    sides="sides",
    public_view=public_view,
)
