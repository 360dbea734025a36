"""Titan: battle. Two legions meet on one of eleven battlelands: maneuvers, strikes, rangestrikes; the last one wins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from titan_env.contract import Game, Metadata, Presentation, Rules, Text
from titan_env.games.titan_battle.picture.form import form
from titan_env.games.titan_battle.picture.picture import picture
from titan_env.games.titan_battle.rules.actions import ACTIONS
from titan_env.games.titan_battle.rules.decision import play_decision
from titan_env.games.titan_battle.rules.lands import LAND_NAMES
from titan_env.games.titan_battle.rules.legal import legal
from titan_env.games.titan_battle.rules.setup import OPTIONS, configure, set_up
from titan_env.games.titan_battle.rules.state import STATE, Ask, Event
from titan_env.games.titan_battle.rules.view import FIELDS, observe
from titan_env.games.titan_battle.words.audience import CHOICES, INKS, RULE_OF, traits
from titan_env.games.titan_battle.words.edit import arrange, check
from titan_env.games.titan_battle.words.glossary import describe, glossary
from titan_env.games.titan_battle.words.position import read, show
from titan_env.games.titan_battle.words.reasons import why_not
from titan_env.games.titan_battle.words.words import say, tell

PRESETS: dict[str, dict[str, Any]] = {
    **{name: {"land": name} for name in LAND_NAMES},
    "mirror": {"mirror": True},
    "titans": {"attacker": "with_titan", "defender": "with_titan"},
    "big": {"growth": 12, "summon": "angel"},
    "duel": {"attacker": ["minotaur"], "defender": ["warbear"], "land": "plains", "reinforcement": False},
}

FULL: dict[str, Any] = {"growth": 12, "summon": "angel"}
"""Legions of seven, and an angel that waits."""

GOALS = {
    "engine, 1 thread": 1_000_000,
    "engine, 2 threads": 1.8,
    "VectorEnv": 0.5,
    "AEC": 20_000,
    "state": 400,
    "warm start": 2,
    "cold start": 45,
}
"""Decisions/s; times one thread; times the engine; decisions/s; bytes; seconds; seconds."""

HISTORY = {0: "The first version: 24 characters, eleven battlelands, reinforcement and summoning."}

AGENTS = {kind: f"{__name__}.agents.{kind}:make" for kind in ("greedy", "expert")}
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
        option_values=CHOICES,
        edit_position=arrange,
        setup_form=form,
    ),
    metadata=Metadata(
        title="Titan: battle",
        version=0,
        version_history=HISTORY,
        agents=AGENTS,
        adviser="expert",
        folder=str(Path(__file__).parent),
        benchmark_options=FULL,
        speed_targets=GOALS,
        statistics=traits,
    ),
)
