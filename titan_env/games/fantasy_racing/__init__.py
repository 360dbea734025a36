"""Fantasy Racing: 2 to 6 racers, dice that can be flipped, chests, rings, fights, chains of shocks; most points win."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from titan_env.contract import Game, Metadata, Presentation, Rules, Text
from titan_env.games.fantasy_racing.picture.form import form
from titan_env.games.fantasy_racing.picture.picture import picture
from titan_env.games.fantasy_racing.picture.stages import stages
from titan_env.games.fantasy_racing.rules.actions import ACTIONS
from titan_env.games.fantasy_racing.rules.circuits import CIRCUIT_NAMES
from titan_env.games.fantasy_racing.rules.decision import play_decision
from titan_env.games.fantasy_racing.rules.legal import legal
from titan_env.games.fantasy_racing.rules.setup import OPTIONS, configure, set_up
from titan_env.games.fantasy_racing.rules.state import STATE, Ask, Event
from titan_env.games.fantasy_racing.rules.view import FIELDS, observe
from titan_env.games.fantasy_racing.words.audience import CHOICES, INKS, RULE_OF, traits
from titan_env.games.fantasy_racing.words.edit import arrange, check
from titan_env.games.fantasy_racing.words.glossary import describe, glossary
from titan_env.games.fantasy_racing.words.position import read, show
from titan_env.games.fantasy_racing.words.reasons import why_not
from titan_env.games.fantasy_racing.words.words import say, tell

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

FULL: dict[str, Any] = {}
"""Six racers that are dealt, on a circuit that is drawn, for ten rounds: as usual."""

GOALS = {
    "engine, 1 thread": 1_000_000,
    "engine, 2 threads": 1.8,
    "VectorEnv": 0.5,
    "AEC": 20_000,
    "state": 1_500,
    "warm start": 2,
    "cold start": 40,
}
"""Decisions/s; times one thread; times the engine; decisions/s; bytes; seconds; seconds."""

HISTORY = {0: "The first version: ten characters and objects, six circuits, rings, fights and chains."}

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
        describe_action=say,
        describe_event=tell,
        position_text=show,
        parse_position=read,
        validate_position=check,
        why_not=why_not,
        rule_of=RULE_OF,
        styles=INKS,
        describe_position=describe,
        glossary=glossary,
    ),
    presentation=Presentation(
        picture=picture,
        animation_steps=stages,
        option_values=CHOICES,
        edit_position=arrange,
        setup_form=form,
    ),
    metadata=Metadata(
        title="Fantasy Racing",
        version=0,
        version_history=HISTORY,
        folder=str(Path(__file__).parent),
        agents=AGENTS,
        benchmark_options=FULL,
        speed_targets=GOALS,
        statistics=traits,
    ),
)
