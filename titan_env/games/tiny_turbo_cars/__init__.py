"""Tiny Turbo Cars: 2 to 4 toy cars, a sliding puzzle that programs them, a track of two-sided boards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from titan_env.contract import Game, Metadata, Presentation, Rules, Text
from titan_env.games.tiny_turbo_cars.picture.form import form
from titan_env.games.tiny_turbo_cars.picture.picture import picture
from titan_env.games.tiny_turbo_cars.picture.stages import stages
from titan_env.games.tiny_turbo_cars.rules.actions import ACTIONS
from titan_env.games.tiny_turbo_cars.rules.imagine import imagine
from titan_env.games.tiny_turbo_cars.rules.legal import legal
from titan_env.games.tiny_turbo_cars.rules.setup import OPTIONS, configure, set_up
from titan_env.games.tiny_turbo_cars.rules.state import STATE, Ask, Event
from titan_env.games.tiny_turbo_cars.rules.turn import play_decision
from titan_env.games.tiny_turbo_cars.rules.view import FIELDS, observe
from titan_env.games.tiny_turbo_cars.words.audience import CHOICES, INKS, RULE_OF, show_to, traits
from titan_env.games.tiny_turbo_cars.words.edit import arrange, check
from titan_env.games.tiny_turbo_cars.words.glossary import describe, glossary
from titan_env.games.tiny_turbo_cars.words.position import read, show
from titan_env.games.tiny_turbo_cars.words.reasons import why_not
from titan_env.games.tiny_turbo_cars.words.words import say, say_to, tell

PRESETS: dict[str, dict[str, Any]] = {
    "four": {},
    "three": {"players": 3},
    "duel": {"players": 2},
    "long": {"length": 4},
    "sprint": {"length": 1, "cars": "random"},
    "fast": {"line_pushes": True, "slides": 12, "countdown": 4},
    "tour_1": {"boards": ["driveway", "living_room", "kitchen", "library", "garden"]},
    "tour_2": {"boards": ["porch", "playroom", "bathroom", "study", "terrace"]},
    "tour_3": {"boards": ["driveway", "corridor", "bathroom", "library", "terrace"]},
    "tour_4": {"boards": ["porch", "bedroom", "kitchen", "study", "garden"]},
}

GOALS = {
    "engine, 1 thread": 2_000_000,
    "engine, 2 threads": 1.8,
    "VectorEnv": 0.5,
    "AEC": 50_000,
    "state": 1200,
    "warm start": 2,
    "cold start": 30,
}
"""Decisions/s; times one thread; times the engine; decisions/s; bytes; seconds; seconds."""

HISTORY = {0: "The first version: eight cars, twelve boards, programming in ticks, draft, shields, ranking."}

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
    ),
    text=Text(
        describe_action=say,
        describe_action_for=say_to,
        describe_event=tell,
        position_text=show,
        parse_position=read,
        validate_position=check,
        why_not=why_not,
        rule_of=RULE_OF,
        styles=INKS,
        position_text_for=show_to,
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
        title="Tiny Turbo Cars",
        version=0,
        version_history=HISTORY,
        folder=str(Path(__file__).parent),
        agents=AGENTS,
        speed_targets=GOALS,
        statistics=traits,
    ),
)
