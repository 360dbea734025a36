"""Tiny Turbo Cars: 2 to 4 toy cars, a sliding puzzle that programs them, a track of two-sided boards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from titan_env.contract import Game, Metadata, Presentation, Rules, Text
from titan_env.contract.presentation_values import EditKeys
from titan_env.games.tiny_turbo_cars.agents.program_outcomes import OUTCOME
from titan_env.games.tiny_turbo_cars.agents.program_walks import WALKS
from titan_env.games.tiny_turbo_cars.picture.picture import picture
from titan_env.games.tiny_turbo_cars.picture.setup_form import setup_form
from titan_env.games.tiny_turbo_cars.rules.actions import ACTIONS
from titan_env.games.tiny_turbo_cars.rules.imagine import imagine
from titan_env.games.tiny_turbo_cars.rules.legal import legal
from titan_env.games.tiny_turbo_cars.rules.observation import FIELDS, observe
from titan_env.games.tiny_turbo_cars.rules.setup import OPTIONS, configure, set_up
from titan_env.games.tiny_turbo_cars.rules.state import STATE, Ask, Event
from titan_env.games.tiny_turbo_cars.rules.turn import play_decision
from titan_env.games.tiny_turbo_cars.words.first_game import first_game
from titan_env.games.tiny_turbo_cars.words.glossary import describe_position, glossary
from titan_env.games.tiny_turbo_cars.words.illegal_reasons import why_not
from titan_env.games.tiny_turbo_cars.words.position import parse_position, position_text
from titan_env.games.tiny_turbo_cars.words.position_editor import edit_position, validate_position
from titan_env.games.tiny_turbo_cars.words.presentation import (
    OPTION_VALUES,
    RULE_OF,
    STYLES,
    own_panel,
    part_events,
    position_text_for,
    seat_names,
    statistics,
)
from titan_env.games.tiny_turbo_cars.words.sentences import describe_action, describe_action_for, describe_event

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

SPEED_TARGETS = {
    "engine, 1 thread": 2_000_000,
    "engine, 2 threads": 1.8,
    "VectorEnv": 0.5,
    "AEC": 50_000,
    "state": 1200,
    "warm start": 2,
    "cold start": 30,
}
"""Decisions/s; times one thread; times the engine; decisions/s; bytes; seconds; seconds."""

VERSION_HISTORY = {
    0: "The first version: eight cars, twelve boards, programming in ticks, draft, shields, ranking.",
    1: "A seat sees how many slides, and how many rounds, are left; once shares of limits that it could not see.",
}

AGENTS = {kind: f"{__name__}.agents.{kind}:make" for kind in ("greedy", "expert", "afterstate")}
"""The agents of this game; the first one plays where none is named."""

GAME = Game(
    name="tiny_turbo_cars",
    rules=Rules(
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
        derived={"outcome": OUTCOME},
        macros={"walks": WALKS},
    ),
    text=Text(
        describe_action=describe_action,
        describe_action_for=describe_action_for,
        describe_event=describe_event,
        position_text=position_text,
        parse_position=parse_position,
        validate_position=validate_position,
        why_not=why_not,
        rule_of=RULE_OF,
        styles=STYLES,
        position_text_for=position_text_for,
        describe_position=describe_position,
        glossary=glossary,
    ),
    presentation=Presentation(
        picture=picture,
        part_events=part_events,
        option_values=OPTION_VALUES,
        edit_position=edit_position,
        edit_keys=EditKeys(moved=("car",), places=("cell",), turned=("battery",)),
        setup_form=setup_form,
        first_game=first_game,
        color=("#a8430b", "#ffb27a"),
        seat_names=seat_names,
        own_panel=own_panel,
    ),
    metadata=Metadata(
        title="Tiny Turbo Cars",
        version=1,
        version_history=VERSION_HISTORY,
        folder=str(Path(__file__).parent),
        agents=AGENTS,
        adviser="expert",
        speed_targets=SPEED_TARGETS,
        statistics=statistics,
    ),
)
