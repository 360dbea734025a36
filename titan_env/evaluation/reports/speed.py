"""The command `speed`: decisions per second, bytes and start-up, compared with their targets.

What runs in one thread is measured in seconds of processor time, which other programs on the machine change little.
"""

from __future__ import annotations

import functools
import importlib.util
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.envs.aec import GameAEC
from titan_env.envs.vector import GameVectorEnv

ROWS = 1024
ON_END = 100
"""The decisions played in one game before the next game's."""
ACTIONS, LEGAL = 365, 4
"""The sizes of the masks for drawing actions: few legal ones of hundreds."""
MOST_SECONDS = 300
PROBE = 0.3
"""The seconds of the loop that measures the share of a core."""
_START = """
import time
begun = time.process_time()
from titan_env import registry
from titan_env.engine.batch import Batch
game = registry.load({name!r})
batch = Batch(game, 1, **game.metadata.benchmark_options)
batch.seed(0)
batch.start()
batch.step(batch.sample())
print(time.process_time() - begun)
"""
_PLAIN = """
from titan_env import registry
from titan_env.evaluation.reports.speed import rate_of_engine
print(rate_of_engine(registry.load({name!r}), threads=1, rows=4, repeats=1, seconds={seconds}))
"""


@dataclass(frozen=True)
class Figure:
    """One line of the report: a rate of decisions/s, or a number with its unit."""

    name: str
    value: float
    unit: str = "decisions/s"
    note: str = ""
    key: str = ""
    compared: float | None = None
    """The number to compare with the target, if it is not the value itself."""

    def cells(self, goals: dict[str, float], first: float) -> tuple[str, ...]:
        """Return the line as texts: name, value, ratio to the first rate, target, verdict, note."""
        goal = goals.get(self.key)
        reached, measured = "", self.value if self.compared is None else self.compared
        if goal is not None:
            at_most = self.unit != "decisions/s"
            reached = "yes" if (measured <= goal if at_most else measured >= goal) else "no"
        if math.isnan(self.value):
            return self.name, "", "", "", "", self.note
        ratio = f"{self.value / first:.2g}" if self.unit == "decisions/s" else ""
        value = f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:.2f}"
        wanted = "" if goal is None else f"{goal:,}" + (" times" if self.compared is not None else "")
        return self.name, f"{value} {self.unit}", ratio, wanted, reached, self.note


def report(game: Game, repeats: int, seconds: float, cold: bool, console: Console) -> None:
    """Measure all figures and print them."""
    console.print(
        f"{game.metadata.title}: {ROWS} games side by side, random legal play, median of {repeats}", highlight=False
    )
    console.print("Measuring takes a minute or two.")  # without a progress bar, which would take processor time
    before = core_share(PROBE)
    figures = list(measure(game, repeats, seconds, cold))
    after = core_share(PROBE)
    table = Table("what", "measured", "times the first", "goal", "reached", "")
    for figure in figures:
        table.add_row(*figure.cells(dict(game.metadata.speed_targets), figures[0].value))
    console.print(table)
    console.print(
        f"A loop had {before:.0%} of a core before the measurements and {after:.0%} after them.", highlight=False
    )


def core_share(seconds: float) -> float:
    """Return the share of a core that a busy loop of so many seconds had: below 1 where other programs run."""
    begun, worked = time.perf_counter(), time.process_time()
    while time.perf_counter() - begun < seconds:
        pass
    return (time.process_time() - worked) / (time.perf_counter() - begun)


def measure(game: Game, repeats: int, seconds: float, cold: bool) -> Iterator[Figure]:
    """Yield every figure of the report; those that a learner meets come first."""
    for whole in (False, True) if game.rules.fields.whole else (False,):
        rate = _median(lambda whole=whole: _rate_per_call(game, seconds, whole), repeats)  # type: ignore[misc]
        name = "one decision in every game per call" + ", whole numbers" * whole
        yield Figure(name, rate, note="Batch.sample and Batch.step", key="per call, whole" if whole else "per call")
    engine = rate_of_engine(game, 1, ROWS, repeats, seconds)
    note = f"Batch.rollout: {ON_END} decisions of a game before the next game's"
    yield Figure("play-outs", engine, note=note, key="engine, 1 thread")
    one, both = (rate_of_engine(game, threads, ROWS, repeats, seconds, time.perf_counter) for threads in (1, 2))
    note = f"{both / one:.2f} times one thread, both by the clock on the wall"
    yield Figure("play-outs, 2 threads", both, note=note, key="engine, 2 threads", compared=both / one)
    vector = _median(lambda: _vector_rate(game, seconds), repeats)
    note = f"{vector / engine:.2f} times play-outs, which also draw the actions"
    yield Figure("VectorEnv.step, every seat", vector, note=note, key="VectorEnv", compared=vector / engine)
    for name, events in (("AEC", False), ("AEC with events", True)):
        make = functools.partial(GameAEC, game, events=events, **game.metadata.benchmark_options)
        rate = _median(lambda make=make: _aec_rate(make(), seconds), repeats)  # type: ignore[misc]
        yield Figure(name, rate, note="last() and step(), random legal play", key=name)
    rate = _median(lambda: _aec_rate(GameAEC(game, **game.metadata.benchmark_options), seconds, by_space=True), repeats)
    yield Figure("AEC as newcomers play it", rate, note="action_space(agent).sample(mask)", key="AEC, sampled")
    step = _median(lambda: _step_of_one(game, seconds), repeats)
    yield Figure("one decision of one game", 1e6 * step, "us", "Batch.step", "step of one game")
    drawn = _median(lambda: _draw_of_many(game, seconds), repeats)
    note = f"Batch.sample, {LEGAL} of {ACTIONS} actions legal in each of {ROWS} masks"
    yield Figure("a legal action drawn", 1e9 * drawn, "ns", note, "draw of many")
    yield from _plain_python(game, engine, seconds)
    yield from _connect_four(repeats, seconds)
    yield Figure("state", game.rules.state.itemsize, "bytes", "of one game", "state")
    yield Figure("first decision, warm", _start_up(game, None), "CPU s", "from the import on", "warm start")
    if cold:
        with tempfile.TemporaryDirectory() as folder:
            yield Figure(
                "first decision, cold", _start_up(game, folder), "CPU s", "everything compiled anew", "cold start"
            )


def rate_of_engine(
    game: Game,
    threads: int,
    rows: int,
    repeats: int,
    seconds: float,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """Measure decisions/s of random play within one call, with mask and observation at every decision."""
    batch = Batch(game, rows, threads=threads, **game.metadata.benchmark_options)
    batch.seed(0)
    batch.start()
    batch.rollout(2, restart=True)

    def rate() -> float:
        begun, played, spent = clock(), 0, 0.0
        while spent < seconds:
            batch.rollout(ON_END, restart=True)
            played += ON_END * rows
            spent = clock() - begun
        return played / spent

    return _median(rate, repeats)


def _rate_per_call(game: Game, seconds: float, whole: bool) -> float:
    """Measure decisions/s with one call for each decision in every game, as learners do."""
    batch = Batch(game, ROWS, whole=whole, **game.metadata.benchmark_options)
    batch.seed(0)
    batch.start()
    batch.rollout(100, restart=True)
    begun, played, spent = time.process_time(), 0, 0.0
    while spent < seconds:
        batch.step(batch.sample())
        played += ROWS
        over = batch.over
        if over.any():
            batch.start(over)
        spent = time.process_time() - begun
    return played / spent


def _step_of_one(game: Game, seconds: float) -> float:
    """Measure the seconds that `Batch.step` takes with one game, by the clock on the wall, which is quick to read."""
    batch = Batch(game, 1, **game.metadata.benchmark_options)
    batch.seed(0)
    batch.start()
    played, spent = 0, 0.0
    while spent < seconds:
        actions = batch.sample()
        begun = time.perf_counter()
        batch.step(actions)
        spent += time.perf_counter() - begun
        played += 1
        if batch.over[0]:
            batch.start()
    return spent / played


def _draw_of_many(game: Game, seconds: float) -> float:
    """Measure the seconds of drawing one of `LEGAL` legal actions among `ACTIONS`."""
    batch, rng = Batch(game, ROWS, **game.metadata.benchmark_options), np.random.default_rng(0)
    masks = np.zeros((ROWS, ACTIONS), np.int8)
    np.put_along_axis(masks, rng.random(masks.shape).argsort(axis=1)[:, :LEGAL], 1, axis=1)
    drawn, begun, spent = 0, time.process_time(), 0.0
    while spent < seconds:
        batch.sample(masks)
        drawn += ROWS
        spent = time.process_time() - begun
    return spent / drawn


def _median(rate: Callable[[], float], repeats: int) -> float:
    """Return the median of several measurements."""
    return statistics.median(rate() for _ in range(repeats))


def _vector_rate(game: Game, seconds: float) -> float:
    """Measure decisions/s of `VectorEnv.step` for every seat, without the time for drawing the actions."""
    env = GameVectorEnv(game, ROWS, seats="all", autoreset_mode="SameStep", **game.metadata.benchmark_options)
    _, infos = env.reset(seed=0)
    played, spent, ended = 0, 0.0, False
    chooser = Batch(game, ROWS, **game.metadata.benchmark_options)
    while spent < seconds or not ended:
        actions = chooser.sample(infos["action_mask"])
        begun = time.process_time()
        _, _, terminations, _, infos = env.step(actions)
        spent += time.process_time() - begun
        played += ROWS
        if not ended and terminations.any():  # everything has been called and compiled: begin to measure
            played, spent, ended = 0, 0.0, True
    return played / spent


def _aec_rate(env: Any, seconds: float, by_space: bool = False) -> float:
    """Measure decisions/s of a PettingZoo loop with random play; with `by_space` the space samples the actions."""
    numbers = np.random.default_rng(0).random(1 << 12).tolist()
    played, begun, seed = 0, time.process_time(), 0
    while time.process_time() - begun < seconds:
        env.reset(seed=seed)
        seed += 1
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            if by_space:
                env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
            else:
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(numbers[played % len(numbers)] * len(legal))]))
            played += 1
    return played / (time.process_time() - begun)


def _plain_python(game: Game, engine: float, seconds: float) -> Iterator[Figure]:
    """Yield the rate of the same engine without compiled rules."""
    rate = float(_run(_PLAIN.format(name=registry.address(game), seconds=seconds), {"NUMBA_DISABLE_JIT": "1"}))
    note = f"NUMBA_DISABLE_JIT=1; compiled is {engine / rate:,.0f} times faster"
    yield Figure("play-outs in plain Python", rate, note=note)


def _connect_four(repeats: int, seconds: float) -> Iterator[Figure]:
    """Yield the rate of PettingZoo's own board game, if it can be imported."""
    name = "PettingZoo connect_four, AEC"
    if importlib.util.find_spec("pygame") is None:
        yield Figure(name, math.nan, note="not measured: it imports pygame, which is not installed")
        return
    import pettingzoo

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = pettingzoo.make("aec", "classic/connect_four-v3")
        yield Figure(name, _median(lambda: _aec_rate(env, seconds), repeats), note="the same loop")


def _start_up(game: Game, cache: str | None) -> float:
    """Measure CPU seconds from import to first decision in a new process; `cache` is an empty folder for a cold one."""
    return float(_run(_START.format(name=registry.address(game)), {} if cache is None else {"TITAN_ENV_CACHE": cache}))


def _run(script: str, changed: dict[str, str]) -> str:
    """Return the last line that a script prints in a process of its own; its stderr is shown."""
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(
        command,
        env={**os.environ, **changed},
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=MOST_SECONDS,
    )
    return done.stdout.splitlines()[-1]
