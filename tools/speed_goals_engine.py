"""Measure the goals of speed of the engine, each as one ratio in some seconds.

Random legal play on one thread; CPU time, measured in turn, medians of the ratios. The first call compiles.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

from titan_env.contract import Game, specialize, specialize_part
from titan_env.engine.batch import Batch
from titan_env.engine.batch_loops import sample_rows, start_rows, step_rows
from titan_env.engine.specialized_loops import Loops
from titan_env.envs.vector import GameVectorEnv
from tools.speed_cases import ROWS, begun, benchmarked, cpu_seconds

MANY = 32_768
"""Games whose observations no processor's cache holds."""
ROUNDS = 15
SECONDS = 0.06
"""CPU time of one measurement, at least one call long."""
ON = 60
"""Decisions that are played first: the middle of a game."""

Play = Callable[[], Any]


def swept_beside_plain_stores(game: str) -> float:
    """Return how many times as quick one decision of 32,768 games is as with stores through the cache, float32."""
    batch = _under_way(game, MANY)
    loops = {"streamed": Loops(batch.game, batch.observations), "plain": Loops(batch.game)}

    def plays(written: str) -> Play:
        def play() -> None:
            batch.__dict__["loops"] = loops[written]
            _play(batch)

        return play

    return _ratio([plays("plain")], [plays("streamed")])


def vector_beside_batch(game: str) -> float:
    """Return the speed of `GameVectorEnv.step`, choosing included, beside `Batch` with the same copies: 1,024 games.

    Every seat is played from outside, in whole numbers, and games begin anew in the step in which they end.
    """
    written, options = benchmarked(game)
    batch, chooser = _under_way(game, ROWS, whole=True), begun(game, whole=True)
    env = GameVectorEnv(written, ROWS, seats="all", autoreset_mode="SameStep", whole=True, **options)
    shown: dict[str, Any] = {"infos": env.reset(seed=0)[1], "copies": None}
    for _ in range(ON):
        *_, shown["infos"] = env.step(chooser.sample(shown["infos"]["action_mask"]))

    def by_env() -> None:
        *_, shown["infos"] = env.step(chooser.sample(shown["infos"]["action_mask"]))

    def by_batch() -> None:
        _play(batch)
        shown["copies"] = batch.observations.copy(), batch.masks.copy()

    return _ratio([by_batch], [by_env])


def distance_to_floor(game: str, whole: bool, rows: int) -> float:
    """Return a decision's time beside its floor: the same without observing, and a bare write of as many bytes."""
    batch = _under_way(game, rows, whole)
    seeing, blind = batch.loops, _blind_loops(batch.game)

    def plays(loops: Any) -> Play:
        def play() -> None:
            batch.__dict__["loops"] = loops
            _play(batch)

        return play

    return _ratio([plays(seeing)], [plays(blind), lambda: batch.observations.fill(0)])


def _under_way(game: str, rows: int, whole: bool = False) -> Batch:
    """Return a batch in the middle of its games."""
    batch: Batch = begun(game, rows, whole)
    batch.rollout(ON, restart=True, look=False)
    batch.refresh()
    return batch


def _play(batch: Batch) -> None:
    """Play one decision in every game, and begin those anew that are over."""
    batch.step(batch.sample())
    over = batch.over
    if over.any():
        batch.start(over)


def _see_nothing(state: Any, seat: Any, vector: Any, scales: Any) -> None:
    """Leave an observation as it is."""


def _blind_loops(game: Game) -> dict[Any, Any]:
    """Return the loops of a game that observe nothing."""
    parts = {**game.rules.functions, "observe_scaled": specialize_part(_see_nothing, {}, counts=False)}
    seeing = Loops(game)
    blind = {loop: specialize(loop, parts, counts=False) for loop in (start_rows, step_rows)}
    return {sample_rows: seeing[sample_rows], **blind}


def _ratio(over: list[Play], under: list[Play]) -> float:
    """Return the median, over rounds in turn, of the time of the first calls by that of the second ones."""
    seconds = partial(cpu_seconds, least=SECONDS)
    for play in (*over, *under):
        play()
    ratios = [sum(map(seconds, over)) / sum(map(seconds, under)) for _ in range(ROUNDS)]
    return statistics.median(ratios)
