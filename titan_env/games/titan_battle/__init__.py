"""Titan: battle. Two legions meet on one of eleven battlelands: maneuvers, strikes, rangestrikes; the last one wins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from titan_env.contract import Game, Metadata, Presentation, Rules, Text
from titan_env.contract.presentation_values import EditKeys
from titan_env.games.titan_battle.picture.picture import picture
from titan_env.games.titan_battle.picture.setup_form import setup_form
from titan_env.games.titan_battle.rules.actions import ACTIONS
from titan_env.games.titan_battle.rules.decision import play_decision
from titan_env.games.titan_battle.rules.lands import LAND_NAMES
from titan_env.games.titan_battle.rules.legal import legal
from titan_env.games.titan_battle.rules.observation import FIELDS, observe
from titan_env.games.titan_battle.rules.setup import OPTIONS, configure, set_up
from titan_env.games.titan_battle.rules.state import STATE, Ask, Event
from titan_env.games.titan_battle.value.chances import Chances, chances
from titan_env.games.titan_battle.value.forecast import forecast
from titan_env.games.titan_battle.words.dice import dice
from titan_env.games.titan_battle.words.first_game import first_game
from titan_env.games.titan_battle.words.glossary import describe_position, glossary
from titan_env.games.titan_battle.words.illegal_reasons import why_not
from titan_env.games.titan_battle.words.position import parse_position, position_text
from titan_env.games.titan_battle.words.position_editor import edit_position, validate_position
from titan_env.games.titan_battle.words.presentation import (
    OPTION_VALUES,
    RULE_OF,
    RULE_OF_QUESTION,
    STYLES,
    own_panel,
    seat_names,
    statistics,
)
from titan_env.games.titan_battle.words.sentences import describe_action, describe_event

__all__ = ["GAME", "Chances", "chances"]

PRESETS: dict[str, dict[str, Any]] = {
    **{name: {"land": name} for name in LAND_NAMES},
    "mirror": {"mirror": True},
    "titans": {"attacker": "with_titan", "defender": "with_titan"},
    "big": {"growth": 12, "summon": "angel"},
    "duel": {"attacker": ["minotaur"], "defender": ["warbear"], "land": "plains", "reinforcement": False},
}

BENCHMARK_OPTIONS: dict[str, Any] = {"growth": 12, "summon": "angel"}
"""Legions of seven, and an angel that waits."""

SPEED_TARGETS = {
    "engine, 1 thread": 1_000_000,
    "engine, 2 threads": 1.8,
    "VectorEnv": 0.5,
    "AEC": 20_000,
    "state": 400,
    "warm start": 2,
    "cold start": 45,
}
"""Decisions/s; times one thread; times the engine; decisions/s; bytes; seconds; seconds."""

VERSION_HISTORY = {0: "The first version: 24 characters, eleven battlelands, reinforcement and summoning."}

AGENTS = {kind: f"{__name__}.agents.{kind}:make" for kind in ("greedy", "expert", "afterstate")}
"""The agents of this game; the first one plays where none is named."""

GAME = Game(
    name="titan_battle",
    rules=Rules(
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
    ),
    text=Text(
        describe_action=describe_action,
        describe_event=describe_event,
        position_text=position_text,
        parse_position=parse_position,
        validate_position=validate_position,
        why_not=why_not,
        rule_of=RULE_OF,
        rule_of_question=RULE_OF_QUESTION,
        styles=STYLES,
        describe_position=describe_position,
        glossary=glossary,
    ),
    presentation=Presentation(
        picture=picture,
        part_events=(Event.DICE, Event.SLAIN, Event.FROZEN),
        option_values=OPTION_VALUES,
        edit_position=edit_position,
        edit_keys=EditKeys(moved=("piece",), places=("hex", "outside"), turned=("life",)),
        setup_form=setup_form,
        first_game=first_game,
        color=("#7a5200", "#e3bd68"),
        seat_names=seat_names,
        own_panel=own_panel,
        dice=dice,
        forecast=forecast,
    ),
    metadata=Metadata(
        title="Titan: battle",
        version=0,
        version_history=VERSION_HISTORY,
        agents=AGENTS,
        adviser="expert",
        position_values=f"{__name__}.value.forecast:position_values",
        folder=str(Path(__file__).parent),
        benchmark_options=BENCHMARK_OPTIONS,
        speed_targets=SPEED_TARGETS,
        statistics=statistics,
    ),
)
