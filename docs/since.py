"""Decisions per second of CPU time beside version 0.1.0: ``python docs/since.py --before ../titan_env-0.1.0``.

That is a checkout of this repository at that version (``git worktree add ../titan_env-0.1.0 d5b2175``). It made
2.65 million decisions per second of CPU time where the goals of speed were set; what it makes here, just before and
after each case, says how much quicker that machine was. Random legal play, 1,024 games, one core and one thread.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

ROWS = 1024
ON_END = 100
"""Decisions of a game in one call: a play-out."""
THERE = 2.65
"""Million decisions per second of CPU time that version 0.1.0 made where the goals were set."""

Play = Callable[[], int]
"""Plays some decisions and says how many."""


def before() -> Play:
    """Titan Race of version 0.1.0 with six Titans; to be run in its checkout."""
    from titan_env.batch import Batch  # type: ignore[import-not-found]

    from titan_env.registry import load

    batch: Any = Batch(load("titan_race"), ROWS, titans=6)
    batch.start()

    def play() -> int:
        batch.play_out(ON_END, restart=True)
        return ON_END * ROWS

    return play


def play_outs(name: str, whole: bool) -> Play:
    """A game with all its seats."""
    from titan_env.engine.batch import Batch
    from titan_env.registry import load

    game = load(name)
    batch = Batch(game, ROWS, whole=whole, **game.full)
    batch.start()

    def play() -> int:
        batch.rollout(ON_END, restart=True)
        return ON_END * ROWS

    return play


def draws() -> Play:
    """A legal action drawn in each of many masks of 365 actions with 4 legal."""
    from titan_env.engine.batch import Batch
    from titan_env.registry import load

    batch = Batch(load("titan_race"), ROWS, titans=6)
    masks = np.zeros((ROWS, 365), np.int8)
    for mask, rng in zip(masks, np.random.default_rng(0).spawn(ROWS), strict=True):
        mask[rng.choice(365, 4, replace=False)] = 1

    def play() -> int:
        for _ in range(ON_END):
            batch.sample(masks)
        return ON_END * ROWS

    return play


BEFORE = "version 0.1.0"
CASES: dict[str, Callable[[], Play]] = {
    BEFORE: before,
    "Titan Race, six Titans, fractions": lambda: play_outs("titan_race", whole=False),
    "Titan Race, six Titans, whole numbers": lambda: play_outs("titan_race", whole=True),
    "Tiny Turbo Cars, four players, fractions": lambda: play_outs("tiny_turbo_cars", whole=False),
    "Tiny Turbo Cars, four players, whole numbers": lambda: play_outs("tiny_turbo_cars", whole=True),
    "Fantasy Racing, six racers, fractions": lambda: play_outs("fantasy_racing", whole=False),
    "Fantasy Racing, six racers, whole numbers": lambda: play_outs("fantasy_racing", whole=True),
    "one of 4 legal among 365 drawn": draws,
}


def serve(name: str) -> None:
    """Play a case for as many seconds as each line asks for, and answer with its decisions per second of CPU time."""
    play = CASES[name]()
    play()
    for line in sys.stdin:
        begun, played, spent = time.process_time(), 0, 0.0
        while spent < float(line):
            played += play()
            spent = time.process_time() - begun
        print(played / spent, flush=True)


@contextmanager
def case(name: str, checkout: Path | None) -> Iterator[Callable[[float], float]]:
    """A case in a process of its own while the block runs: called with seconds, it tells its rate."""
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    if checkout:
        env |= {"PYTHONPATH": str(checkout), "TITAN_ENV_CACHE": str(checkout / ".cache")}
    command = [sys.executable, str(Path(__file__).resolve()), "--case", name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        ask, tell = process.stdin, process.stdout

        def rate(seconds: float) -> float:
            print(seconds, file=ask, flush=True)
            return float(tell.readline())

        yield rate
        ask.close()


def table(checkout: Path, rounds: int, seconds: float) -> str:
    """All cases as a Markdown table: the median and the highest rate, and what the median of the ratios comes to."""
    lines = [f"| | million/s | highest | of {BEFORE} in turn | there |", "| --- | --: | --: | --: | --: |"]
    with case(BEFORE, checkout) as old:
        old(seconds)
        for name in (name for name in CASES if name != BEFORE):
            rates, ratios = [], []
            with case(name, None) as new:
                for _ in range(rounds):
                    sides = [old(seconds), new(seconds), old(seconds)]
                    rates.append(sides[1] / 1e6)
                    ratios.append(2 * sides[1] / (sides[0] + sides[2]))
            ratio = statistics.median(ratios)
            middle, most = statistics.median(rates), max(rates)
            lines.append(f"| {name} | {middle:.2f} | {most:.2f} | {ratio:.2f} | {THERE * ratio:.2f} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table, or, for a process that it has started, play one case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help=f"checkout of {BEFORE}")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.3, help="of CPU time for each case and round")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        serve(given.case)
    elif given.before is None or not (given.before / "titan_env" / "batch.py").exists():
        parser.error(f"expected a checkout of {BEFORE}, got {given.before}: git worktree add PATH d5b2175")
    else:
        print(table(given.before.resolve(), given.rounds, given.seconds))


if __name__ == "__main__":
    main()
