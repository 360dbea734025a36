"""Titan: war. Legions split in secret, move over the masterboard, muster and fight, until one titan is left."""

from __future__ import annotations

from pathlib import Path

from titan_env.contract import Game, Metadata
from titan_env.games.titan_war.picture.definition import PRESENTATION
from titan_env.games.titan_war.rules.definition import RULES
from titan_env.games.titan_war.words.definition import TEXT
from titan_env.games.titan_war.words.presentation import statistics

SPEED_TARGETS = {
    "play-outs, float32": 300_000,
    "PettingZoo's loop": 10_000,
    "first decision, compiled before": 2,
    "first decision, compiled anew": 90,
}
"""Decisions/s of CPU time, and CPU seconds, by row of the speed report."""

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
