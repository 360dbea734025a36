"""Tiny Turbo Cars: 2 to 4 toy cars, a sliding puzzle that programs them, a track of two-sided boards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from titan_env.contract import Game, Metadata
from titan_env.games.tiny_turbo_cars.agents.program_outcomes import OUTCOME
from titan_env.games.tiny_turbo_cars.agents.program_walks import WALKS
from titan_env.games.tiny_turbo_cars.picture.definition import PRESENTATION
from titan_env.games.tiny_turbo_cars.rules.definition import RULES
from titan_env.games.tiny_turbo_cars.words.definition import TEXT
from titan_env.games.tiny_turbo_cars.words.presentation import statistics

SPEED_TARGETS = {
    "play-outs, float32": 2_000_000,
    "PettingZoo's loop": 50_000,
    "first decision, compiled before": 2,
    "first decision, compiled anew": 30,
}
"""Decisions/s of CPU time, and CPU seconds, by row of the speed report."""

VERSION_HISTORY = {
    0: "The first version: eight cars, twelve boards, programming in ticks, draft, shields, ranking.",
    1: "A seat sees how many slides, and how many rounds, are left; once shares of limits that it could not see.",
    2: "An Increase or a Decrease begun on a boost follows an Increase, too; generated boards by constraints.",
}

AGENTS = {kind: f"{__name__}.agents.{kind}:make" for kind in ("greedy", "expert", "afterstate")}
"""The agents of this game; the first one plays where none is named."""

GAME = Game(
    name="tiny_turbo_cars",
    rules=replace(RULES, derived={"outcome": OUTCOME}, macros={"walks": WALKS}),  # for learners, by agents' code
    text=TEXT,
    presentation=PRESENTATION,
    metadata=Metadata(
        title="Tiny Turbo Cars",
        version=2,
        version_history=VERSION_HISTORY,
        folder=str(Path(__file__).parent),
        agents=AGENTS,
        adviser="expert",
        speed_targets=SPEED_TARGETS,
        statistics=statistics,
        reduced=(f"{__name__}.solver.last_round:LAST_ROUND",),
    ),
)
