"""Titan: war. Legions split in secret, move over the masterboard, muster and fight, until one titan is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from titan_env.contract import Game, Metadata, Presentation, Rules, Text
from titan_env.contract.presentation_values import EditKeys
from titan_env.games.titan_war.picture.picture import picture
from titan_env.games.titan_war.picture.setup_form import setup_form
from titan_env.games.titan_war.rules.actions import ACTIONS
from titan_env.games.titan_war.rules.decision import play_decision
from titan_env.games.titan_war.rules.imagine import imagine
from titan_env.games.titan_war.rules.legal import legal
from titan_env.games.titan_war.rules.observation import FIELDS, observe
from titan_env.games.titan_war.rules.setup import OPTIONS, configure, set_up
from titan_env.games.titan_war.rules.state import STATE, Ask, Event
from titan_env.games.titan_war.words.deeds import handovers, reminders, turn_title
from titan_env.games.titan_war.words.dice import dice
from titan_env.games.titan_war.words.first_game import first_game
from titan_env.games.titan_war.words.glossary import describe_position, glossary
from titan_env.games.titan_war.words.illegal_reasons import why_not
from titan_env.games.titan_war.words.position import parse_position, position_text
from titan_env.games.titan_war.words.position_editor import edit_position, validate_position
from titan_env.games.titan_war.words.presentation import OPTION_VALUES, RULE_OF, STYLES, own_panel, statistics
from titan_env.games.titan_war.words.public_view import describe_action_for, position_text_for, public_view
from titan_env.games.titan_war.words.sentences import describe_action, describe_event
from titan_env.games.titan_war.words.trial import LOG, LUCK

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

BENCHMARK_OPTIONS: dict[str, Any] = {"players": 6}
"""Six players, until one titan is left."""

SPEED_TARGETS = {
    "engine, 1 thread": 300_000,
    "engine, 2 threads": 1.8,
    "VectorEnv": 0.5,
    "AEC": 10_000,
    "state": 8_000,
    "warm start": 2,
    "cold start": 90,
}
"""Decisions/s; times one thread; times the engine; decisions/s; bytes; seconds; seconds."""

VERSION_HISTORY = {0: "The first version: 2 to 6 players, 96 lands, secret legions, battles as in Titan: battle."}

AGENTS = {kind: f"{__name__}.agents.{kind}:make" for kind in ("greedy", "expert")}
"""The agents of this game; the first one plays where none is named."""

GAME = Game(
    name="titan_war",
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
        imagine=imagine,
        public_view=public_view,
        configure=configure,
        options=OPTIONS,
        presets=PRESETS,
        luck=LUCK,
        log=LOG,
        score_scale=100.0,
        chance_clock="clock",
    ),
    text=Text(
        describe_action=describe_action,
        describe_event=describe_event,
        position_text=position_text,
        parse_position=parse_position,
        validate_position=validate_position,
        why_not=why_not,
        describe_action_for=describe_action_for,
        position_text_for=position_text_for,
        rule_of=RULE_OF,
        styles=STYLES,
        describe_position=describe_position,
        glossary=glossary,
    ),
    presentation=Presentation(
        picture=picture,
        option_values=OPTION_VALUES,
        edit_position=edit_position,
        edit_keys=EditKeys(moved=("marker", "row"), places=("land",), turned=()),
        setup_form=setup_form,
        first_game=first_game,
        color=("#86294f", "#f0a6c4"),
        own_panel=own_panel,
        handovers=handovers,
        reminders=reminders,
        dice=dice,
        turn_title=turn_title,
    ),
    metadata=Metadata(
        title="Titan: war",
        version=0,
        version_history=VERSION_HISTORY,
        folder=str(Path(__file__).parent),
        agents=AGENTS,
        adviser="expert",
        benchmark_options=BENCHMARK_OPTIONS,
        speed_targets=SPEED_TARGETS,
        statistics=statistics,
    ),
)
"""Titan: war as a value."""
