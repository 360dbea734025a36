"""Titan Race: 2 to 6 Titans, three laps, dice, pushes, abilities, bonus cards, six circuits."""

from __future__ import annotations

from pathlib import Path

from titan_env.contract import Game, Metadata
from titan_env.games.titan_race.picture.definition import PRESENTATION
from titan_env.games.titan_race.rules.definition import RULES
from titan_env.games.titan_race.words.definition import TEXT
from titan_env.games.titan_race.words.presentation import statistics

ADVISER = (
    "expert:row=1.2,life_1=1.45,life_2=1.2,life_3=0.8,life_4=0.55,bonus=0.6,toll=0.7,anybody=0.22,leader=0.48,harm=0.6,"
    "save=1.5,wait=1"
)
"""An expert who beats the usual one: how the weights were found stands in docs/notes/learning.md, "An adviser"."""

SPEED_TARGETS = {
    "play-outs, float32": 4_000_000,
    "PettingZoo's loop": 90_000,
    "one game, `sample` and `step`": 200_000,
    "`GameTextVectorEnv`, a prompt and its answer": 2_000,
    "first decision, compiled before": 2,
    "first decision, compiled anew": 60,
}
"""Decisions/s of CPU time, and CPU seconds, by row of the speed report."""

VERSION_HISTORY = {
    0: "The first version: every Titan, face, ability and card, six circuits, teams, Grand Slam.",
    1: "The rulebooks' plain words on slides, pushes, the pentacle, swaps and cards; what everybody remembers of the "
    "cards; reactions declined in silence; whole numbers; circuits of one length; balanced lives.",
    2: "Damage to come is told only while it may come; a Titan between two spaces is hit though a pushed one slid over "
    "its space; both laps of a swap are told before it wins.",
    3: "Titans, their order and circuits may be chosen; the deck is renewed when its last card is drawn; a first turn "
    "by both readings; generated circuits by constraints.",
}

AGENTS = {kind: f"{__name__}.agents.{kind}:make" for kind in ("greedy", "expert")}
"""The agents of this game; the first one plays where none is named."""

GAME = Game(
    name="titan_race",
    rules=RULES,
    text=TEXT,
    presentation=PRESENTATION,
    metadata=Metadata(
        title="Titan Race",
        version=3,
        version_history=VERSION_HISTORY,
        folder=str(Path(__file__).parent),
        agents=AGENTS,
        benchmark_options={"titans": 6},  # all six, drawn into the seats, on a circuit that is drawn
        adviser=ADVISER,
        speed_targets=SPEED_TARGETS,
        statistics=statistics,
        reduced=tuple(f"{__name__}.solver.last_turns:{name}" for name in ("HIDDEN_HANDS", "OPEN_HANDS")),
    ),
)
