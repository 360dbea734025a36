"""Fantasy Racing: 2 to 6 racers, dice that can be flipped, chests, rings, fights, chains of shocks; most points win."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from titan_env.contract import Game, Metadata, Presentation, Rules, Text
from titan_env.contract.presentation_values import EditKeys
from titan_env.games.fantasy_racing.picture.picture import picture
from titan_env.games.fantasy_racing.picture.setup_form import setup_form
from titan_env.games.fantasy_racing.rules.actions import ACTIONS
from titan_env.games.fantasy_racing.rules.circuits import CIRCUIT_NAMES
from titan_env.games.fantasy_racing.rules.decision import play_decision
from titan_env.games.fantasy_racing.rules.legal import legal
from titan_env.games.fantasy_racing.rules.observation import FIELDS, observe
from titan_env.games.fantasy_racing.rules.setup import OPTIONS, configure, set_up
from titan_env.games.fantasy_racing.rules.state import STATE, Ask, Event
from titan_env.games.fantasy_racing.words.first_game import first_game
from titan_env.games.fantasy_racing.words.glossary import describe_position, glossary
from titan_env.games.fantasy_racing.words.illegal_reasons import why_not
from titan_env.games.fantasy_racing.words.position import parse_position, position_text
from titan_env.games.fantasy_racing.words.position_editor import edit_position, validate_position
from titan_env.games.fantasy_racing.words.presentation import (
    OPTION_VALUES,
    RULE_OF,
    STYLES,
    own_panel,
    part_events,
    seat_names,
    statistics,
)
from titan_env.games.fantasy_racing.words.sentences import describe_action, describe_event

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

BENCHMARK_OPTIONS: dict[str, Any] = {}
"""Six racers that are dealt, on a circuit that is drawn, for ten rounds: as usual."""

SPEED_TARGETS = {
    "engine, 1 thread": 1_000_000,
    "engine, 2 threads": 1.8,
    "VectorEnv": 0.5,
    "AEC": 20_000,
    "state": 1_500,
    "warm start": 2,
    "cold start": 40,
}
"""Decisions/s; times one thread; times the engine; decisions/s; bytes; seconds; seconds."""

VERSION_HISTORY = {
    0: "The first version: ten characters and objects, six circuits, rings, fights and chains.",
    1: "Whole numbers of one byte: the D100 has a field of its own, and so have the points beyond 120.",
}

AGENTS = {kind: f"{__name__}.agents.{kind}:make" for kind in ("greedy", "expert")}
"""The agents of this game; the first one plays where none is named."""

GAME = Game(
    name="fantasy_racing",
    rules=Rules(
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
    ),
    text=Text(
        describe_action=describe_action,
        describe_event=describe_event,
        position_text=position_text,
        parse_position=parse_position,
        validate_position=validate_position,
        why_not=why_not,
        rule_of=RULE_OF,
        styles=STYLES,
        describe_position=describe_position,
        glossary=glossary,
    ),
    presentation=Presentation(
        picture=picture,
        part_events=part_events,
        option_values=OPTION_VALUES,
        edit_position=edit_position,
        edit_keys=EditKeys(moved=("piece", "token", "trap"), places=("square",), turned=()),
        setup_form=setup_form,
        first_game=first_game,
        color=("#17693a", "#82d9a3"),
        seat_names=seat_names,
        own_panel=own_panel,
    ),
    metadata=Metadata(
        title="Fantasy Racing",
        version=1,
        version_history=VERSION_HISTORY,
        folder=str(Path(__file__).parent),
        agents=AGENTS,
        adviser="expert",
        benchmark_options=BENCHMARK_OPTIONS,
        speed_targets=SPEED_TARGETS,
        statistics=statistics,
    ),
)
