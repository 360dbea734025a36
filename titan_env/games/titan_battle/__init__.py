"""Titan: battle. Two legions meet on one of eleven battlelands: maneuvers, strikes, rangestrikes; the last one wins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from titan_env.contract import Game, Metadata
from titan_env.games.titan_battle.picture.definition import PRESENTATION
from titan_env.games.titan_battle.rules.definition import RULES
from titan_env.games.titan_battle.value.calibrated import chances
from titan_env.games.titan_battle.value.chances import Chances
from titan_env.games.titan_battle.value.forecast import forecast
from titan_env.games.titan_battle.words.definition import TEXT
from titan_env.games.titan_battle.words.presentation import statistics

__all__ = ["GAME", "Chances", "chances"]

SPEED_TARGETS = {
    "play-outs, float32": 1_000_000,
    "PettingZoo's loop": 20_000,
    "first decision, compiled before": 2,
    "first decision, compiled anew": 45,
}
"""Decisions/s of CPU time, and CPU seconds, by row of the speed report."""

VERSION_HISTORY = {0: "The first version: 24 characters, eleven battlelands, reinforcement and summoning."}

AGENTS = {kind: f"{__name__}.agents.{kind}:make" for kind in ("greedy", "expert", "afterstate")}
"""The agents of this game; the first one plays where none is named."""

GAME = Game(
    name="titan_battle",
    rules=RULES,
    text=TEXT,
    presentation=replace(PRESENTATION, forecast=forecast),  # pictures do not know the fitted values
    metadata=Metadata(
        title="Titan: battle",
        version=0,
        version_history=VERSION_HISTORY,
        agents=AGENTS,
        adviser="expert",
        position_values=f"{__name__}.value.forecast:position_values",
        folder=str(Path(__file__).parent),
        benchmark_options={"growth": 12, "summon": "angel"},  # legions of seven, and an angel that waits
        speed_targets=SPEED_TARGETS,
        statistics=statistics,
        reduced=(f"{__name__}.solver.duel:ONE_AGAINST_ONE",),
    ),
)
