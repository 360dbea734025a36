"""Write docs/reference/performance.md, this version beside other libraries::

    python tools/compare_libraries.py --python .peers/bin/python

That is the Python of an environment in which what it stands beside is installed (``pip install pgx open_spiel envpool
pettingzoo[classic]``); what is not there is left out. Every case is measured in a process of its own, on one core and
one thread, all of them in turn, so that what else the machine does meets them alike. Random legal play everywhere.
Where the baseline beside itself is off by more than 5 % no page is written.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from speed_cases import APIS, ON_END, ROWS, Play, Rate, newcomers_loop, open_spiel_loop, playing, serve

HERE = Path(__file__)
PAGE = HERE.parent.parent / "docs" / "reference" / "performance.md"


def pettingzoo() -> Play:
    """PettingZoo's connect four, the same loop."""
    from pettingzoo.classic import connect_four_v3

    return newcomers_loop(connect_four_v3.env())


def pgx_scan() -> Play:
    """Pgx's connect four, many steps of all games in one compiled scan."""
    import jax

    state, many = _pgx()

    def play() -> int:
        nonlocal state
        state = jax.block_until_ready(many(state))
        return ON_END * ROWS

    return play


def pgx_per_call() -> Play:
    """Pgx's connect four, one step of all games per call."""
    import jax

    state, _ = _pgx()
    once = _pgx_step()

    def play() -> int:
        nonlocal state
        state = jax.block_until_ready(once(state))
        return ROWS

    return play


def _pgx_step() -> Any:
    """Return one step of all games: draw a legal action by one random number, play it, begin anew what is over."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def once(carried: Any) -> Any:
        state, key = carried
        key, drawn, reset = jax.random.split(key, 3)
        seen = jnp.cumsum(state.legal_action_mask, axis=1)
        wanted = jax.random.uniform(drawn, (ROWS, 1)) * seen[:, -1:]
        return step(state, jnp.argmax(seen > wanted, axis=1), jax.random.split(reset, ROWS)), key

    return once


def _pgx() -> Any:
    """Return all games begun, and what plays many steps of them."""
    import jax
    import pgx

    env, once = pgx.make("connect_four"), _pgx_step()
    begun = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), ROWS)), jax.random.PRNGKey(1)
    return begun, jax.jit(lambda carried: jax.lax.scan(lambda held, _: (once(held), None), carried, length=ON_END)[0])


def open_spiel(name: str) -> Play:
    """Return a game of OpenSpiel: mask and observation tensor at every decision."""
    import pyspiel

    return open_spiel_loop(pyspiel.load_game(name))


def open_spiel_python() -> Play:
    """Return OpenSpiel's tic-tac-toe in Python, the way in which games of other packages are written for it."""
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # noqa: F401  (it registers the game)

    return open_spiel_loop(pyspiel.load_game("python_tic_tac_toe"))


def envpool() -> Play:
    """EnvPool's connect four, one step of all games per call."""
    import envpool

    env: Any = envpool.make("ConnectFour-v1", env_type="gymnasium", num_envs=ROWS, num_threads=1)
    rng = np.random.default_rng(0)
    _, info = env.reset()

    def play() -> int:
        nonlocal info
        seen = info["legal_action_mask"].cumsum(axis=1)
        actions = (seen > rng.random((ROWS, 1)) * np.maximum(seen[:, -1:], 1)).argmax(axis=1)
        _, _, _, _, info = env.step(actions.astype(np.int32))
        return ROWS

    return play


THEIRS: dict[str, Callable[[], Play]] = {
    "Pgx connect four, one scan": pgx_scan,
    "Pgx connect four, a step of every game per call": pgx_per_call,
    "EnvPool connect four, a step of every game per call": envpool,
    "OpenSpiel connect four": lambda: open_spiel("connect_four"),
    "OpenSpiel tic-tac-toe in Python": open_spiel_python,
    "OpenSpiel backgammon": lambda: open_spiel("backgammon"),
    "PettingZoo connect four, PettingZoo's loop": pettingzoo,
}
BASELINE = "Pgx connect four, a step of every game per call"
TOLERANCE = 0.05
"""How far the baseline beside itself may be from 1."""
OTHERS = "pgx jax open_spiel envpool pettingzoo"

TEXT = """# Performance

One table, of version {version}, written by `python tools/compare_libraries.py --python PYTHON` (that of an environment
with `pip install pgx open_spiel envpool "pettingzoo[classic]"`) on {date}, {machine}. Random legal play on one core and
one thread; every case in a process of its own, all in turn, {rounds} rounds of {seconds:g} CPU seconds; medians. Mask
and observation are made at every decision. The machine was shared with other programs, so that every rate is a fraction
of what an idle core makes: **the ratios compare, the rates do not.** The baseline is Pgx's connect four, one step of
{rows:,} games per call, a far smaller game than any of ours.

A play-out makes {on_end} decisions of a game before the next game's, so that its observation stays in the processor's
cache; all else plays one decision of every one of {rows:,} games per call, or one game where it says so. Whole numbers
(`whole=True`) are a quarter of the memory: use them, and scale where you learn. `python -m titan_env speed GAME`
measures one game with its goals, `python -m tools.speed_goals` all that are ratios; `python tools/compare_versions.py`
compares two checkouts. Where the time goes, and what was tried: [notes](../notes/speed.md).

{table}

Beside it stood {packages}.
"""


class Measured(NamedTuple):
    """The rounds of one case: times the baseline, and decisions per CPU second."""

    ratios: list[float]
    rates: list[float]

    def cells(self) -> tuple[str, str, str]:
        """Return the row of the table: median and range of the ratios, median of the rates."""
        low, high = min(self.ratios), max(self.ratios)
        return (
            f"{statistics.median(self.ratios):.2g}",
            f"{low:.2g} to {high:.2g}",
            f"{statistics.median(self.rates):,.0f}",
        )


def cases(python: str) -> dict[str, tuple[list[str], str]]:
    """Return for each line of the table the case and the Python that plays it."""
    from titan_env import registry

    lines = {}
    for name in registry.names():
        title = registry.load(name).metadata.title
        lines |= {f"{title}, {api}": ([name, api], sys.executable) for api in APIS}
    return lines | {name: (["theirs", name], python) for name in THEIRS}


def measured(cell: list[str], python: str, baseline: Rate, rounds: int, seconds: float) -> Measured | None:
    """Measure one case, each of its rounds between two of the baseline; None where it cannot be played."""
    rates, ratios = [], []
    with playing(HERE, cell, python) as play:
        if play is None:
            return None
        for _ in range(rounds):
            before, now, after = baseline(seconds), play(seconds), baseline(seconds)
            rates.append(now)
            ratios.append(2 * now / (before + after))
    return Measured(ratios, rates)


def expect_control(control: float) -> None:
    """Raise SystemExit if the baseline beside itself is off by more than `TOLERANCE`: no page is written then."""
    if abs(control - 1) > TOLERANCE:
        allowed = f"expected the baseline beside itself at 1, {TOLERANCE:.0%} more or less"
        raise SystemExit(
            f"{allowed}, got {control:.3f}: the page stays as it is; measure on a machine with less else to do"
        )


def table(python: str, rounds: int, seconds: float) -> str:
    """Return all cases as a Markdown table. Raises SystemExit where the baseline cannot be played, or fails as control.

    The control, the baseline beside itself, is measured first and last.
    """
    lines = ["| | times the baseline | lowest to highest | decisions per CPU second |", "| --- | --: | --: | --: |"]
    with playing(HERE, ["theirs", BASELINE], python) as baseline:
        if baseline is None:
            raise SystemExit(f"expected pgx in the environment of {python}: PYTHON -m pip install pgx")
        _control(python, baseline, rounds, seconds)
        for name, (cell, where) in cases(python).items():
            found = measured(cell, where, baseline, rounds, seconds)
            if found:
                lines.append(f"| {name} | {' | '.join(found.cells())} |")
                print(lines[-1], file=sys.stderr, flush=True)
        _control(python, baseline, rounds, seconds)
    return "\n".join(lines)


def _control(python: str, baseline: Rate, rounds: int, seconds: float) -> None:
    """Measure the baseline beside itself. Raises SystemExit if it is off."""
    found = measured(["theirs", BASELINE], python, baseline, rounds, seconds)
    expect_control(statistics.median(found.ratios) if found else 0.0)


def packages(python: str) -> str:
    """Return the versions of what stands beside it, as one line."""
    asked = "from importlib.metadata import version as v; print(', '.join(f'{n} {v(n)}' for n in %r.split()))"
    done = subprocess.run([python, "-c", asked % OTHERS], capture_output=True, encoding="utf-8", check=True)
    return done.stdout.strip()


def main() -> None:
    """Write the page, or, for a process that it has started, play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="of an environment with the other libraries")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of CPU time for each case and round")
    parser.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        game, case = given.case
        serve(THEIRS[case]() if game == "theirs" else APIS[case](game))
        return
    lines = table(given.python, given.rounds, given.seconds)
    text = TEXT.format(
        version=version("titan_env"),
        date=f"{datetime.date.today():%-d %B %Y}",
        machine=f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores",
        rounds=given.rounds,
        seconds=given.seconds,
        rows=ROWS,
        on_end=ON_END,
        table=lines,
        packages=packages(given.python),
    )
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
