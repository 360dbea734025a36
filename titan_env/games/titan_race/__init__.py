"""Titan Race: 2 to 6 Titans, three laps, dice, pushes, abilities, bonus cards, six circuits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from titan_env.contract import LOG, Game
from titan_env.games.titan_race.actions import ACTIONS
from titan_env.games.titan_race.audience import CHOICES, INKS, RULE_OF, show_to, traits
from titan_env.games.titan_race.circuits import CIRCUIT_NAMES
from titan_env.games.titan_race.edit import arrange, check
from titan_env.games.titan_race.imagine import imagine
from titan_env.games.titan_race.legal import legal
from titan_env.games.titan_race.picture import picture
from titan_env.games.titan_race.position import read, show
from titan_env.games.titan_race.reasons import why_not
from titan_env.games.titan_race.setup import OPTIONS, configure, set_up
from titan_env.games.titan_race.state import STATE, Ask, Event
from titan_env.games.titan_race.turn import play_decision
from titan_env.games.titan_race.view import FIELDS, observe
from titan_env.games.titan_race.words import say, tell
from titan_env.jit import pointer, row
from titan_env.luck import LUCK

ALL_TITANS = ["rassik", "ragnarok", "craken", "grinder", "slaugg", "chtooloo"]

PRESETS: dict[str, dict[str, Any]] = {
    "six_titans": {"titans": ALL_TITANS},
    "two_titans": {"titans": 2},
    "two_players": {"variant": "two_players"},
    "2v2": {"variant": "2v2"},
    "2v2v2": {"variant": "2v2v2"},
    "3v3": {"variant": "3v3"},
    "grand_slam": {"titans": 6, "grand_slam": True},
    **{name: {"titans": 6, "circuit": name} for name in CIRCUIT_NAMES},
}

FULL = {"titans": 6}
"""All six Titans, drawn into the seats, on a circuit that is drawn."""

GOALS = {
    "engine, 1 thread": 4_000_000,
    "engine, 2 threads": 1.8,
    "VectorEnv": 0.5,
    "AEC": 50_000,
    "state": 600,
    "warm start": 2,
    "cold start": 60,
}
"""Decisions/s; times one thread; times the engine; decisions/s; bytes; seconds; seconds."""

HISTORY = {0: "The first version: every Titan, face, ability and card, six circuits, teams, Grand Slam."}

GAME = Game(
    name="titan_race",
    title="Titan Race",
    version=0,
    state=STATE,
    seats=(2, 6),
    actions=ACTIONS,
    asks=Ask,
    events=Event,
    fields=FIELDS,
    setup=pointer(set_up, STATE, LUCK),
    legal=pointer(legal, STATE, row(np.int8)),
    step=pointer(play_decision, STATE, np.int64, LUCK, LOG),
    observe=pointer(observe, STATE, np.int64, row(np.float32)),
    configure=configure,
    options=OPTIONS,
    presets=PRESETS,
    say=say,
    tell=tell,
    show=show,
    read=read,
    check=check,
    why_not=why_not,
    picture=picture,
    imagine=pointer(imagine, STATE, np.int64, LUCK),
    clock="turns",
    sides="sides",
    history=HISTORY,
    folder=str(Path(__file__).parent),
    full=FULL,
    goals=GOALS,
    traits=traits,
    choices=CHOICES,
    rule_of=RULE_OF,
    inks=INKS,
    arrange=arrange,
    show_to=show_to,
)
