"""Print the goals of speed with what this machine measures, as a table in Markdown::

    python -m tools.speed_goals
    python -m tools.speed_goals --only "OpenSpiel*" --only "memory*"

Every figure is measured in CPU time of one thread, most of them as a ratio of two things that are run in turn, so that
what else the machine does meets both alike. All of them take three to ten minutes, and compile what is not compiled.
"""

from __future__ import annotations

import argparse
import fnmatch
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from titan_env import registry
from titan_env.contract.record_copies import copy_records
from titan_env.engine.batch import Batch
from tools.speed_cases import begun, cpu_seconds, open_spiel_loop, rate
from tools.speed_goals_agents import PLANNERS, microseconds_a_row, tables_together
from tools.speed_goals_engine import distance_to_floor, swept_beside_plain_stores, vector_beside_batch

GAME = "titan_race"
SWEPT = {"tiny_turbo_cars": 1.8, "fantasy_racing": 1.4, "titan_race": 1.2}
FEW, MANY = 1_024, 32_768
ROUNDS, SECONDS, LEAST = 9, 0.3, 0.01
"""Measurements of a figure; the CPU seconds of one of whole games, and of one of a single call."""
STARTS = 7
"""Processes that are started to measure a start."""
START = """
import time
from titan_env import {module}
env = {module}.env()
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
print(time.process_time())
"""


@dataclass(frozen=True)
class Goal:
    """A figure that is measured by `measure`, and its bound: a lower one, or an upper one if `at_most`."""

    what: str
    measure: Callable[[], float]
    bound: float
    at_most: bool = False

    def line(self) -> str:
        """Measure, and return the row of the table."""
        figure = self.measure()
        reached = figure <= self.bound if self.at_most else figure >= self.bound
        sign = "<=" if self.at_most else ">="
        return f"| {self.what} | {figure:.4g} | {sign} {self.bound:,g} | {'yes' if reached else 'no'} |"


def goals() -> Iterator[Goal]:
    """Yield all goals."""
    yield Goal("OpenSpiel: Titan Race beside its own tic-tac-toe in Python", open_spiel_beside_tic_tac_toe, 1.5)
    for call in ("clone", "observation_tensor", "legal_actions_mask"):
        yield Goal(f"OpenSpiel: `{call}`, us", partial(open_spiel_microseconds, call), 10, at_most=True)
    yield Goal("records of 256 games copied, beside NumPy's own copy", copies_beside_numpy, 3)
    for name, bound in SWEPT.items():
        what = f"swept, float32, {MANY:,} games, beside plain stores: {name}"
        yield Goal(what, partial(swept_beside_plain_stores, name), bound)
    for name in registry.GAMES:
        for whole in (False, True):
            for rows in (FEW, MANY):
                what = f"distance to the floor, {rows:,} games, {'whole numbers' if whole else 'float32'}: {name}"
                yield Goal(what, partial(distance_to_floor, name, whole, rows), 1.5, at_most=True)
    for name in registry.GAMES:
        yield Goal(
            f"`GameVectorEnv` beside `Batch` with the same copies: {name}", partial(vector_beside_batch, name), 0.9
        )
    for agent in PLANNERS:
        bound = 1.0 if agent.startswith("rollout") else 1.5
        yield Goal(f"16 tables at once, per table, beside one: {agent}", partial(tables_together, agent), bound)
    yield Goal("policy with 8 bits, 64 rows, us a row", partial(microseconds_a_row, 8), 1.1, at_most=True)
    yield Goal("memory of a game of Titan Race, whole numbers, bytes", bytes_a_game, 1_500, at_most=True)
    yield Goal("import and first decision, compiled before, CPU s", first_decision, 0.6, at_most=True)


def open_spiel_beside_tic_tac_toe() -> float:
    """Return the decisions/s of Titan Race in OpenSpiel beside those of OpenSpiel's tic-tac-toe in Python."""
    import open_spiel.python.games  # noqa: F401  (it registers the game)
    import pyspiel

    from titan_env.envs import openspiel

    plays = [open_spiel_loop(openspiel.load(GAME)), open_spiel_loop(pyspiel.load_game("python_tic_tac_toe"))]
    return statistics.median(rate(plays[0], SECONDS) / rate(plays[1], SECONDS) for _ in range(ROUNDS))


def open_spiel_microseconds(call: str) -> float:
    """Return the time of a method of an OpenSpiel state in the middle of a game."""
    from titan_env.envs import openspiel

    state = openspiel.load(GAME).new_initial_state()
    for _ in range(60):
        state.apply_action(state.legal_actions()[0])
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return 1e6 * _seconds(getattr(state, call))


def copies_beside_numpy() -> float:
    """Return the time in which NumPy copies the records of 256 games, by the time in which they are copied here."""
    batch = begun(GAME, 256)
    records = (batch.states, batch.luck)
    return _seconds(lambda: [part.copy() for part in records]) / _seconds(lambda: [copy_records(p) for p in records])


def bytes_a_game() -> float:
    """Return the bytes of all arrays of a batch, by its games."""
    options = registry.load(GAME).metadata.benchmark_options
    batch = Batch(registry.load(GAME), MANY, whole=True, **options)
    found: dict[int, int] = {}
    for value in vars(batch).values():
        if isinstance(value, np.ndarray):
            found[value.__array_interface__["data"][0]] = value.nbytes
    return sum(found.values()) / MANY


def first_decision() -> float:
    """Return the median CPU seconds of a process that imports the package and plays one decision."""
    run = [sys.executable, "-c", START.format(module=registry.load(GAME).id)]
    spent = [
        float(subprocess.run(run, check=True, capture_output=True, encoding="utf-8").stdout) for _ in range(STARTS + 1)
    ]
    return statistics.median(spent[1:])


def _seconds(call: Callable[[], Any]) -> float:
    """Return the median CPU seconds of one call."""
    return statistics.median(cpu_seconds(call, least=LEAST) for _ in range(ROUNDS))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Print the goals of speed with what this machine measures.")
    parser.add_argument("--only", action="append", default=[], help="a pattern of goals; repeatable; none: all")
    patterns = parser.parse_args().only or ["*"]
    chosen = [goal for goal in goals() if any(fnmatch.fnmatch(goal.what, f"{pattern}*") for pattern in patterns)]
    if not chosen:
        raise SystemExit(f"expected a pattern of a goal, such as {next(goals()).what!r}, got {', '.join(patterns)}")
    print("| what | measured | goal | reached |\n| --- | --: | --: | --- |", flush=True)
    for goal in chosen:
        print(goal.line(), flush=True)


if __name__ == "__main__":
    main()
