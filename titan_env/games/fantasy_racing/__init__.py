"""Fantasy Racing: 2 to 6 racers, dice that can be flipped, chests, rings, fights, chains of shocks; most points win."""

from __future__ import annotations

from pathlib import Path

from titan_env.contract import Game, Metadata
from titan_env.games.fantasy_racing.picture.definition import PRESENTATION
from titan_env.games.fantasy_racing.rules.definition import RULES
from titan_env.games.fantasy_racing.words.definition import TEXT
from titan_env.games.fantasy_racing.words.presentation import statistics

SPEED_TARGETS = {
    "play-outs, float32": 1_000_000,
    "PettingZoo's loop": 20_000,
    "first decision, compiled before": 2,
    "first decision, compiled anew": 40,
}
"""Decisions/s of CPU time, and CPU seconds, by row of the speed report."""

VERSION_HISTORY = {
    0: "The first version: ten characters and objects, six circuits, rings, fights and chains.",
    1: "Whole numbers of one byte: the D100 has a field of its own, and so have the points beyond 120.",
    2: "Generated circuits by constraints, in the manner of the six, and ranges of them.",
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
        version=2,
        version_history=VERSION_HISTORY,
        folder=str(Path(__file__).parent),
        agents=AGENTS,
        adviser="expert",
        speed_targets=SPEED_TARGETS,
        statistics=statistics,
    ),
)
