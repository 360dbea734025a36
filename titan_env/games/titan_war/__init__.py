"""Titan: war. Legions split in secret, move over the masterboard, muster and fight, until one titan is left."""

from __future__ import annotations

from pathlib import Path

from titan_env.contract import Game, Metadata
from titan_env.games.titan_war.picture.definition import PRESENTATION
from titan_env.games.titan_war.rules.definition import RULES
from titan_env.games.titan_war.words.definition import TEXT
from titan_env.games.titan_war.words.presentation import statistics

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
    rules=RULES,
    text=TEXT,
    presentation=PRESENTATION,
    metadata=Metadata(
        title="Titan: war",
        version=0,
        version_history=VERSION_HISTORY,
        folder=str(Path(__file__).parent),
        agents=AGENTS,
        adviser="expert",
        benchmark_options={"players": 6},
        speed_targets=SPEED_TARGETS,
        statistics=statistics,
    ),
)
