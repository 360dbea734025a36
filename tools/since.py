"""Compare the speed with version 0.1.0, per second of CPU time: ``python tools/since.py --before ../titan_env-0.1.0``.

That is a checkout of this repository at that version (``git worktree add ../titan_env-0.1.0 d5b2175``). The goals of
speed were set on another machine, on which it was measured; what it makes here, just before and after each case, says
what today's version would make there. Random legal play on one core and one thread.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from peers import ON_END, ONE_THREAD, ROWS, Play, aec, begun, newcomers_loop, play_outs, rate

MASK, LEGAL = 365, 4
"""The actions of a big mask, and the number of legal ones."""


def begun_before(rows: int) -> Any:
    """Return races of version 0.1.0 that have begun; run in its checkout, as the functions below."""
    from titan_env.batch import Batch

    from titan_env.registry import load

    batch = Batch(load("titan_race"), rows, titans=6)
    batch.start()
    return batch


def play_outs_before() -> Play:
    """Return a play of many decisions of a race before the next race's."""
    batch = begun_before(ROWS)

    def play() -> int:
        batch.play_out(ON_END, restart=True)
        return ON_END * ROWS

    return play


def aec_before() -> Play:
    """Return the loop of PettingZoo's documentation."""
    from titan_env import titan_race_v0

    return newcomers_loop(titan_race_v0.env(titans=6))


def one_game(batch: Any) -> Play:
    """Return a play of a batch of one race, of this version or of 0.1.0: one action drawn and played at a time."""

    def play() -> int:
        for _ in range(ON_END):
            batch.step(batch.sample())
            if batch.over[0]:
                batch.start()
        return ON_END

    return play


def draws() -> Play:
    """Return a play that draws a legal action in each of many big masks."""
    batch = begun("titan_race")
    masks = np.zeros((ROWS, MASK), np.int8)
    for mask, rng in zip(masks, np.random.default_rng(0).spawn(ROWS), strict=True):
        mask[rng.choice(MASK, LEGAL, replace=False)] = 1

    def play() -> int:
        for _ in range(ON_END):
            batch.sample(masks)
        return ON_END * ROWS

    return play


class Baseline(NamedTuple):
    """A case of version 0.1.0, and its decisions per second of CPU time when the targets were set."""

    play: Callable[[], Play]
    there: float


BEFORE = {
    "play-outs": Baseline(play_outs_before, 2_650_000),
    "loop": Baseline(aec_before, 36_000),
    "one": Baseline(lambda: one_game(begun_before(1)), 60_000),
}
COMPILED_BEFORE = 36
"""CPU seconds from the start of version 0.1.0 to its first decision in an empty cache, when the targets were set."""


class Case(NamedTuple):
    """A case of today's version, and its baseline."""

    play: Callable[[], Play]
    beside: str = "play-outs"


CASES = {
    "Titan Race, six Titans, fractions": Case(lambda: play_outs("titan_race", whole=False)),
    "Titan Race, six Titans, whole numbers": Case(lambda: play_outs("titan_race", whole=True)),
    "Tiny Turbo Cars, four players, fractions": Case(lambda: play_outs("tiny_turbo_cars", whole=False)),
    "Tiny Turbo Cars, four players, whole numbers": Case(lambda: play_outs("tiny_turbo_cars", whole=True)),
    "Fantasy Racing, six racers, fractions": Case(lambda: play_outs("fantasy_racing", whole=False)),
    "Fantasy Racing, six racers, whole numbers": Case(lambda: play_outs("fantasy_racing", whole=True)),
    "one of 4 legal among 365 actions drawn": Case(draws),
    "Titan Race, newcomers' loop": Case(aec, "loop"),
    "Titan Race, one game: `sample` and `step` of a batch": Case(lambda: one_game(begun("titan_race", rows=1)), "one"),
}


def serve(play: Play) -> None:
    """Play for as many seconds as each line of stdin asks for; print decisions per second of CPU time."""
    play()
    for line in sys.stdin:
        print(rate(play, float(line)), flush=True)


@contextmanager
def playing(name: str, checkout: Path | None) -> Iterator[Callable[[float], float]]:
    """Yield a function (seconds -> rate) of a process that plays a case, or in a checkout a baseline."""
    env = {**os.environ, **ONE_THREAD}
    if checkout:
        env |= {"PYTHONPATH": str(checkout), "TITAN_ENV_CACHE": str(checkout / ".cache")}
    command = [sys.executable, str(Path(__file__).resolve()), "--play", name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        ask, tell = process.stdin, process.stdout

        def rate(seconds: float) -> float:
            print(seconds, file=ask, flush=True)
            return float(tell.readline())

        yield rate
        ask.close()


def first_decision(game: str) -> None:
    """Play one decision, in a checkout of version 0.1.0 too, and print this process's CPU seconds."""
    batch = begun_before(1) if game == "before" else begun(game, rows=1)
    batch.step(batch.sample())
    print(time.process_time())


def compiled(game: str, checkout: Path | None) -> float:
    """Return the CPU seconds of a process from its start to its first decision, in an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, **ONE_THREAD, "TITAN_ENV_CACHE": cache}
        if checkout:
            env |= {"PYTHONPATH": str(checkout)}
        command = [sys.executable, str(Path(__file__).resolve()), "--first", game]
        return float(subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout)


def table_of_starts(checkout: Path, rounds: int) -> str:
    """Return a Markdown table of all games: the median CPU seconds to the first decision, and their ratio."""
    lines = ["| | CPU seconds here | lowest | times 0.1.0 in turn | there |", "| --- | --: | --: | --: | --: |"]
    for game in ("titan_race", "tiny_turbo_cars", "fantasy_racing"):
        pairs = [(compiled(game, None), compiled("before", checkout)) for _ in range(rounds)]
        taken = [now for now, _ in pairs]
        ratio = statistics.median(now / before for now, before in pairs)
        cells = [
            f"{statistics.median(taken):.0f}",
            f"{min(taken):.0f}",
            f"{ratio:.2f}",
            f"{ratio * COMPILED_BEFORE:.0f}",
        ]
        lines.append(f"| {game} | {' | '.join(cells)} |")
    return "\n".join(lines)


def table(checkout: Path, rounds: int, seconds: float) -> str:
    """Return a Markdown table of all cases: the median and highest rate, and the median of the ratios."""
    lines = ["| | decisions/s here | highest | times 0.1.0 in turn | there |", "| --- | --: | --: | --: | --: |"]
    for name, case in CASES.items():
        rates, ratios = [], []
        with playing(case.beside, checkout) as old, playing(name, None) as new:
            for _ in range(rounds):
                before, now, after = old(seconds), new(seconds), old(seconds)
                rates.append(now)
                ratios.append(2 * now / (before + after))
        ratio, there = statistics.median(ratios), BEFORE[case.beside].there
        cells = [f"{statistics.median(rates):,.0f}", f"{max(rates):,.0f}", f"{ratio:.2f}", f"{ratio * there:,.0f}"]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the tables or, in a process that the script has started, play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="checkout of version 0.1.0")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.3, help="of CPU time for each case and round")
    parser.add_argument("--cold", type=int, default=0, metavar="ROUNDS", help="compile each game anew (a minute each)")
    parser.add_argument("--first", help=argparse.SUPPRESS)
    parser.add_argument("--play", choices=[*BEFORE, *CASES], help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.play:
        serve({**BEFORE, **CASES}[given.play].play())
    elif given.first:
        first_decision(given.first)
    elif given.before is None or not (given.before / "titan_env" / "batch.py").exists():
        parser.error(f"expected a checkout of version 0.1.0, got {given.before}: git worktree add PATH d5b2175")
    elif given.cold:
        print(table_of_starts(given.before.resolve(), given.cold))
    else:
        print(table(given.before.resolve(), given.rounds, given.seconds))


if __name__ == "__main__":
    main()
