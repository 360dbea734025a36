"""Fantasy Racing: 2 to 6 racers, dice that can be flipped, chests, rings, fights, chains of shocks; most points win."""

from __future__ import annotations

from pathlib import Path

from titan_env.contract import Game, Metadata
from titan_env.games.fantasy_racing.picture.definition import PRESENTATION
from titan_env.games.fantasy_racing.rules.definition import RULES
from titan_env.games.fantasy_racing.words.definition import TEXT
from titan_env.games.fantasy_racing.words.presentation import statistics

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
    rules=RULES,
    text=TEXT,
    presentation=PRESENTATION,
    metadata=Metadata(
        title="Fantasy Racing",
        version=1,
        version_history=VERSION_HISTORY,
        folder=str(Path(__file__).parent),
        agents=AGENTS,
        adviser="expert",
        speed_targets=SPEED_TARGETS,
        statistics=statistics,
    ),
)
