"""Titan Race: 2 to 6 Titans, three laps, dice, pushes, abilities, bonus cards, six circuits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from titan_env.contract import Game, Metadata, Presentation, Rules, Text, luck_dtype
from titan_env.contract.presentation_values import EditKeys
from titan_env.games.titan_race.picture.picture import picture
from titan_env.games.titan_race.picture.setup_form import setup_form
from titan_env.games.titan_race.rules.actions import ACTIONS
from titan_env.games.titan_race.rules.circuits import CIRCUIT_NAMES
from titan_env.games.titan_race.rules.fields import FIELDS
from titan_env.games.titan_race.rules.imagine import imagine
from titan_env.games.titan_race.rules.legal import legal
from titan_env.games.titan_race.rules.observation import observe
from titan_env.games.titan_race.rules.setup import OPTIONS, configure, set_up
from titan_env.games.titan_race.rules.state import MOST_TITANS, STATE, Ask, Event
from titan_env.games.titan_race.rules.turn import play_decision
from titan_env.games.titan_race.words.first_game import first_game
from titan_env.games.titan_race.words.glossary import describe_position, glossary
from titan_env.games.titan_race.words.illegal_reasons import why_not
from titan_env.games.titan_race.words.position import parse_position, position_text
from titan_env.games.titan_race.words.position_editor import edit_position, validate_position
from titan_env.games.titan_race.words.presentation import (
    OPTION_VALUES,
    RULE_OF,
    STYLES,
    own_panel,
    position_text_for,
    public_view,
    seat_names,
    statistics,
)
from titan_env.games.titan_race.words.sentences import describe_action, describe_action_for, describe_event

ALL_TITANS = ["rassik", "ragnarok", "craken", "grinder", "slaugg", "chtooloo"]

MOST_ANSWERS = 3 * MOST_TITANS + 4
"""The chance answers of one step that are listed: at the start a character, a card and a die for each Titan, up to
three circuits and who begins; later at most a die and a card for each, and one more die."""

ADVISER = (
    "expert:row=1.2,life_1=1.45,life_2=1.2,life_3=0.8,life_4=0.55,bonus=0.6,toll=0.7,anybody=0.22,leader=0.48,harm=0.6,"
    "save=1.5,wait=1"
)
"""An expert who beats the usual one: how the weights were found stands in docs/notes/learning.md, "An adviser"."""

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

BENCHMARK_OPTIONS = {"titans": 6}
"""All six Titans, drawn into the seats, on a circuit that is drawn."""

SPEED_TARGETS = {
    "engine, 1 thread": 4_000_000,
    "engine, 2 threads": 1.8,
    "VectorEnv": 0.5,
    "AEC": 50_000,
    "AEC, sampled": 90_000,
    "step of one game": 5,
    "draw of many": 40,
    "state": 600,
    "warm start": 2,
    "cold start": 60,
}
"""Decisions/s; times one thread; times the engine; decisions/s twice; micro- and nanoseconds; bytes; seconds twice."""

VERSION_HISTORY = {
    0: "The first version: every Titan, face, ability and card, six circuits, teams, Grand Slam.",
    1: "The rulebooks' plain words on slides, pushes, the pentacle, swaps and cards; what everybody remembers of the "
    "cards; reactions declined in silence; whole numbers; circuits of one length; balanced lives.",
    2: "Damage to come is told only while it may come; a Titan between two spaces is hit though a pushed one slid over "
    "its space; both laps of a swap are told before it wins.",
}

AGENTS = {kind: f"{__name__}.agents.{kind}:make" for kind in ("greedy", "expert")}
"""The agents of this game; the first one plays where none is named."""

GAME = Game(
    name="titan_race",
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
        imagine=imagine,
        luck=luck_dtype(MOST_ANSWERS),
        chance_clock="turns",
        sides="sides",
        public_view=public_view,
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
        position_text_for=position_text_for,
        describe_action_for=describe_action_for,
        describe_position=describe_position,
        glossary=glossary,
    ),
    presentation=Presentation(
        picture=picture,
        part_events=(Event.PUSHED, Event.SLID, Event.TRAP_SPRUNG, Event.PIRATES, Event.BLAST, Event.SWAPPED),
        option_values=OPTION_VALUES,
        edit_position=edit_position,
        edit_keys=EditKeys(places=("space",)),
        setup_form=setup_form,
        first_game=first_game,
        color=("#6b2fa0", "#cda8f5"),
        seat_names=seat_names,
        own_panel=own_panel,
    ),
    metadata=Metadata(
        title="Titan Race",
        version=2,
        version_history=VERSION_HISTORY,
        folder=str(Path(__file__).parent),
        agents=AGENTS,
        benchmark_options=BENCHMARK_OPTIONS,
        adviser=ADVISER,
        speed_targets=SPEED_TARGETS,
        statistics=statistics,
    ),
)
