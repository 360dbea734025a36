"""Write docs/measured/speed.md: all games beside other libraries, learning, and the goals that are ratios::

    pip install pgx envpool "pettingzoo[classic]" "open_spiel>=2"
    python -m tools.speed_page
    python -m tools.speed_page --only "OpenSpiel*" --only "EnvPool*"

What is not installed is left out, but for Pgx, whose connect four is the baseline. Where the baseline beside itself is
off by more than 5 % nothing is written. With `--only` some rows are printed, and nothing is written.
`python -m tools.tables` writes docs/measured/speed_by_device.md, of that page and of a GPU's file if there is one.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from titan_env import registry
from titan_env.cli.console import user_errors
from titan_env.cli.tables import markdown
from titan_env.evaluation.reports import layouts
from titan_env.evaluation.reports.speed import (
    RATES,
    ROUNDS,
    SECONDS,
    TIMES,
    Case,
    Contender,
    Measured,
    Workers,
    cases_of,
    chosen,
    control_of,
    fault_of,
    measure,
    rows,
)
from titan_env.evaluation.reports.speed_cases import MANY, ROWS
from tools.speed_peers import OF_MANY, SCRIPTS

PAGE = Path(__file__).parents[1] / "docs" / "measured" / "speed.md"
PEERS = str(Path(__file__).with_name("speed_peers.py").resolve())
OTHERS = ("pgx", "jax", "open_spiel", "envpool", "pettingzoo", "torch", "sb3_contrib")
GAME = "titan_race"
STREAMED = {"tiny_turbo_cars": 1.8, "fantasy_racing": 1.4, "titan_race": 1.2}
"""Games that stream observations of many games past the cache, and how many times as quick that should be."""
PLANNERS = {"flat:256": 1.5, "mcts:256": 1.5, "rollout:32,prior=ppo@titan_race-v3": 1.0}
"""Planners, and how many times as quick they should decide at 16 tables at once, beside one by one."""
GOALS_OF_ROWS = {"first decision, compiled before": 0.6, "one game of a batch, whole numbers": 1_500}
"""The goals of `GAME`, by row: CPU seconds, bytes."""
TENSOR_CALLS = ("clone", "observation_tensor", "legal_actions_mask")
FLOOR = 1 / 1.5
"""The least speed of a decision beside its floor."""

BASELINE = Case(
    "Pgx connect four, a step of every game per call", Contender("Pgx", PEERS), "pgx", ("connect_four", False)
)


def all_cases() -> dict[str, list[Case]]:
    """Return the rows of the page by their table."""
    tables: dict[str, list[Case]] = {}
    for name in registry.names():
        goals = GOALS_OF_ROWS if name == GAME else {}
        for kind, cases in cases_of(name, BASELINE).items():
            tables.setdefault(kind, []).extend(_titled(name, case, goals.get(case.name)) for case in cases)
    tables["Play"] += [case._replace(beside=BASELINE) for case in _peers()]
    tables["Search"] += [
        _theirs(
            "OpenSpiel",
            f"{game.replace('_', ' ')}, its search in C++",
            "open_spiel_mcts",
            game,
            simulations,
            unit="simulations/s",
        )
        for game, simulations in (("connect_four", 256), ("backgammon", 64))
    ]
    for library, script in SCRIPTS.items():
        one, many = script.format(rows=1), script.format(rows=ROWS)
        tables["Start-up"].append(
            _theirs(library, "connect four, first decision", "start_up", one, unit="CPU s", most=5)
        )
        if library in OF_MANY:
            row = "connect four, process with 1,024 games"
            tables["Memory"].append(_theirs(library, row, "memory", many, unit="MB", most=3))
    tables["Learning"] = [
        *(_titled(GAME, _theirs("", f"`training.ppo`, width {width}", "ppo", GAME, width)) for width in (256, 64)),
        _titled(GAME, _theirs("", "MaskablePPO of sb3-contrib, width 256", "maskable_ppo", GAME)),
        _titled(GAME, _theirs("", "PPO in JAX, `jax_ppo_scan.py`", "jax_ppo")),
        _titled(GAME, _theirs("", "`training.ppo` with the same settings", "ppo_like_jax")),
    ]
    return {**tables, "Goals": list(_goals(tables))}


def _theirs(library: str, row: str, set_up: str, *arguments: Any, unit: str = RATES[0], most: int = 10**6) -> Case:
    """Return a case of `speed_peers`."""
    contender = Contender(f"{library or set_up}, peers", PEERS)
    return Case(f"{library} {row}".strip(), contender, set_up, arguments, unit, most=most)


def _titled(name: str, case: Case, goal: float | None = None) -> Case:
    """Return a case whose name begins with that of its game, with a goal."""
    return case._replace(name=f"{registry.load(name).metadata.title}, {case.name}", goal=goal)


def _peers() -> list[Case]:
    """Return the rows of play of other libraries, each by its quickest way too."""
    return [
        _theirs("Pgx", "connect four, one scan", "pgx", "connect_four", True),
        _theirs("Pgx", "backgammon, one scan", "pgx", "backgammon", True),
        _theirs("EnvPool", "connect four, a step of every game per call", "envpool"),
        _theirs("OpenSpiel", "connect four", "open_spiel", "connect_four"),
        _theirs(
            "OpenSpiel", "connect four, play-outs in C++, nothing observed", "open_spiel_play_outs", "connect_four"
        ),
        _theirs("OpenSpiel", "tic-tac-toe in Python", "open_spiel", "python_tic_tac_toe"),
        _theirs("OpenSpiel", "backgammon", "open_spiel", "backgammon"),
        _theirs("PettingZoo", "connect four, PettingZoo's loop", "pettingzoo"),
    ]


def _goals(cases: dict[str, list[Case]]) -> Iterator[Case]:
    """Yield the rows with goals."""
    title, by_name = registry.load(GAME).metadata.title, {case.name: case for case in cases["Play"]}
    ours = by_name[f"{title}, OpenSpiel's state, mask and tensor at each decision"]
    theirs = by_name["OpenSpiel tic-tac-toe in Python"]._replace(beside=None)
    yield ours._replace(name=f"{title} in OpenSpiel, beside {theirs.name}", unit=TIMES, beside=theirs, goal=1.5)
    for call in TENSOR_CALLS:
        case = _theirs("OpenSpiel", f"`{call}` of {title}", "state_call", GAME, call, unit="us")
        yield case._replace(goal=10)
    ours, numpys = (_theirs("", "256 records copied, beside NumPy", "records_copied", GAME, by) for by in (False, True))
    yield ours._replace(unit=TIMES, beside=numpys, goal=3)
    for name, goal in STREAMED.items():
        plain = _theirs("", "plain stores", "with_loops", name, False, MANY, False)
        row = f"{MANY:,} games, float32, beside plain stores"
        yield _titled(name, Case(row, Contender(name), "per_call", (name, False, MANY), TIMES, plain), goal)
    for name in registry.names():
        yield from _goals_of(name)
    for agent, goal in PLANNERS.items():
        row, us = f"`{agent}` at 16 tables at once, beside one by one", Contender(GAME)
        one, many = (Case(row, us, "search", (GAME, agent, 1, 16, at_once)) for at_once in (False, True))
        yield many._replace(unit=TIMES, beside=one, goal=goal)
    yield _theirs("", "policy with 8 bits, 64 rows, a row", "policy", GAME, 8, 64, unit="us")._replace(goal=1.1)


def _goals_of(name: str) -> Iterator[Case]:
    """Yield the ratios that are hoped for in every game."""
    us = Contender(name)
    copying = Case("copying", us, "per_call", (name, True, ROWS, 1, True))
    yield _titled(name, Case("`VectorEnv` beside `Batch` with its copies", us, "vector", (name,), TIMES, copying), 0.9)
    for whole in (True, False):
        for games in (ROWS, MANY):
            row = f"{games:,} games, {'whole numbers' if whole else 'float32'}, beside the floor"
            floor = _theirs("", "floor", "with_loops", name, whole, games, True)
            yield _titled(name, Case(row, us, "per_call", (name, whole, games), TIMES, floor), FLOOR)


GPU_FILE = "speed_cuda.json"
GPU_COMMAND = f"python -m titan_env.evaluation.speed --device cuda --out docs/measured/{GPU_FILE}"
OF_EVERY_SEAT, NOT_MEASURED = "`VectorEnv`, every seat", "not measured"
WITH_GPU = """\
GPU: `GameTorchEnv`, every seat, whole numbers, bytes equal to the CPU's. {device}, driver {driver}, {date}:
`{command}`"""
LAYOUTS = """
Turns in one kernel, games in other layouts (`titan_env.evaluation.reports.layouts`): decisions/s with records, and the
ratio to it of each other layout:"""
WITHOUT_GPU = """\
GPU: not measured, there was none so far; where there is one:
`{command}`"""

ABOUT = """\
Version {version} on {date}: {machine}, Python {python}, one core and one thread. Beside it stood {packages}.
{rounds} rounds, slices of {seconds:g} CPU seconds. The baseline is {baseline};
beside itself it says {control} ({low} to {high}).

"""


def page(
    tables: dict[str, list[Case]], found: dict[Case, Measured], control: Measured, given: argparse.Namespace
) -> str:
    """Return the tables as Markdown, under a line of what was measured where."""
    text = ABOUT.format(
        version=version("titan_env"),
        date=f"{datetime.date.today():%-d %B %Y}",
        machine=machine(),
        python=platform.python_version(),
        packages=packages(),
        rounds=given.rounds,
        seconds=given.seconds,
        baseline=BASELINE.name,
        control=f"{control.ratio:.3f}",
        low=f"{min(control.ratios):.2f}",
        high=f"{max(control.ratios):.2f}",
    )
    for kind, cases in tables.items():
        those = {case: found[case] for case in cases if case in found}
        headings = ["", "measured", "times the baseline" if kind == "Play" else "", "lowest to highest", "goal"]
        text += f"## {kind}\n\n{markdown(*without_empty_columns(headings, rows(those)))}\n" if those else ""
    return text.rstrip() + "\n"


def devices_table(measured: Path = PAGE.parent) -> str:
    """Return decisions/s of each game on the CPU and, from ``speed_cuda.json`` alone, on a GPU, as Markdown."""
    page, file = (measured / PAGE.name).read_text("utf-8"), measured / GPU_FILE
    gpu = json.loads(file.read_text("utf-8")) if file.exists() else {"games": {}}
    sizes = sorted({each["games"] for found in gpu["games"].values() for each in found["rates"]})
    headings = [f"GPU, {games:,} games: decisions/s" for games in sizes] or ["GPU"]
    if sizes:
        headings[-1] += ", share of the bandwidth"
    lines = []
    for name in registry.names():
        title = _title(name)
        cpu = re.search(rf"^\| {re.escape(title)}, {re.escape(OF_EVERY_SEAT)} \| ([\d,]+)", page, re.M)
        if cpu:
            lines.append([title, cpu[1], *_gpu_cells(gpu["games"].get(name), sizes)])
    where = WITH_GPU.format(**gpu, command=GPU_COMMAND) if sizes else WITHOUT_GPU.format(command=GPU_COMMAND)
    machine = page.partition("\n")[0].partition(", one core")[0]
    about = f"CPU: {OF_EVERY_SEAT}, whole numbers, one thread. {machine}.\n{where}"
    table = f"{about}\n\n{markdown(['', 'CPU: decisions/s', *headings], lines)}"
    laid_out = [line for name, found in gpu["games"].items() for line in layouts.lines(_title(name), found["rates"])]
    return f"{table}\n{LAYOUTS}\n\n{markdown(['', 'games', *layouts.LAYOUTS], laid_out)}" if laid_out else table


def _title(name: str) -> str:
    """Return the title of a game."""
    return registry.load(name).metadata.title


def _gpu_cells(found: dict[str, Any] | None, sizes: list[int]) -> list[str]:
    """Return the cells of a game in the columns of a GPU."""
    if found is None or not found["equal_bytes"]:
        return [NOT_MEASURED if found is None else f"not measured: {found['fault']}"] + [""] * (len(sizes) - 1)
    rates = {each["games"]: each for each in found["rates"]}
    cells = [f"{rates[games]['turn']:,.0f}" if games in rates else "no room" for games in sizes]
    if sizes[-1] in rates:
        cells[-1] += f", {rates[sizes[-1]]['share']:.1%}"
    return cells


def without_empty_columns(headings: list[str], lines: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Return a table without the columns in which no row says anything."""
    full = [number for number in range(len(headings)) if any(line[number] for line in lines)]
    return [headings[number] for number in full], [[line[number] for number in full] for line in lines]


def machine() -> str:
    """Return the processor's name and its cores."""
    info = Path("/proc/cpuinfo")
    names = [line.partition(": ")[2] for line in info.read_text("utf-8").splitlines() if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def packages() -> str:
    """Return the versions of what stands beside it."""
    found = []
    for name in OTHERS:
        with contextlib.suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return ", ".join(found)


def main() -> None:
    """Measure, and write the page or, of some rows, print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], help="Beginning of a row, or a pattern; repeatable.")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="CPU seconds of a slice.")
    given = parser.parse_args()
    control, tables = control_of(BASELINE), all_cases()
    with user_errors():
        cases = chosen([case for kind in tables.values() for case in kind], given.only)
    with Workers() as workers:
        found = measure(
            [control, *cases], workers.ask, given.rounds, given.seconds, lambda line: print(line, file=sys.stderr)
        )
    if control not in found:
        raise SystemExit("expected Pgx beside this package, for the baseline: pip install pgx")
    text = page(tables, found, found[control], given)
    if given.only:
        print(text)
    if fault := fault_of(found[control]):
        raise SystemExit(f"{PAGE.name} stays as it is: {fault}")
    if not given.only:
        PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
