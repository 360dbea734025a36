"""Measure speed: every case in a living process of its game or library, their slices interleaved.

A case is played for a slice of processor time, between two slices of the case that it stands beside; its ratio is the
median over rounds. The baseline also stands beside itself, in a second process: the control, which says 1 where the
ratios can be believed. All run on one core and one thread, in CPU seconds, which other programs change little.
"""

from __future__ import annotations

import fnmatch
import gc
import json
import os
import runpy
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from rich.console import Console

    from titan_env.contract import Game

SECONDS, ROUNDS = 0.2, 9
"""The default CPU seconds of a slice, and the default number of slices of a case."""
WARMING = 0.25
"""The share of a slice that is played before it, uncounted: the caches are another's when it begins."""
TOLERANCE = 0.05
"""The greatest distance of the control from 1."""
RATES = ("decisions/s", "games/s", "simulations/s")
TIMES = "times"
CASES = str(Path(__file__).with_name("speed_cases.py"))
WORKER = "import runpy, sys; runpy.run_path(sys.argv[1])['serve'](sys.argv[2])"
ONE_THREAD = {
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    **{f"{library}_NUM_THREADS": "1" for library in ("OMP", "MKL", "OPENBLAS", "NUMBA")},
}

APIS: Mapping[str, tuple[Any, ...]] = {
    "a decision in every game per call, whole numbers": ("per_call", True),
    "a decision in every game per call, float32": ("per_call", False),
    "play-outs, whole numbers": ("play_outs", True),
    "play-outs, float32": ("play_outs", False),
    "`VectorEnv`, every seat": ("vector",),
    "one seat's `Env`": ("single",),
    "one game, `sample` and `step`": ("per_call", True, 1, 100),
    "PettingZoo's loop": ("aec",),
    "`GameVecEnv` of Stable-Baselines3": ("sb3",),
    "OpenSpiel's state, mask and tensor at each decision": ("open_spiel",),
    "RLlib's environment": ("rllib",),
    "one scan in JAX, the first legal action": ("jax_scan",),
    "`GameTextVectorEnv`, a prompt and its answer": ("text",),
}
"""Row -> the function of `CASES` that sets it up, and what follows the game's name."""
SEARCHES = {"flat:64": 64, "mcts:64": 64}
"""Planners, and their simulations in a decision."""
TABLES = 16
"""The positions at which a planner decides in turn."""
PLAIN = (("NUMBA_DISABLE_JIT", "1"),)

Play = Callable[[], float]
"""Plays some units and returns how many; where an amount is measured, returns the amount."""


class CannotPlay(Exception):
    """A case cannot be played here; the message says why."""


class Contender(NamedTuple):
    """A game or library whose cases one living process plays."""

    name: str
    file: str = CASES
    """The file of the functions that set its cases up."""
    environment: tuple[tuple[str, str], ...] = ()
    """Environment variables of the process."""


class Case(NamedTuple):
    """A row: a function that sets up a `Play`, its arguments, and the case that stands beside it."""

    name: str
    contender: Contender
    set_up: str
    arguments: tuple[Any, ...] = ()
    unit: str = RATES[0]
    """One of `RATES`, per CPU second; "us" of CPU time for one; `TIMES` that of `beside`; else that of an amount."""
    beside: Case | None = None
    goal: float | None = None
    """The least rate or ratio, or the greatest time or amount, that is hoped for."""
    most: int = 10**6
    """The most rounds in which it is measured."""

    @property
    def is_timed(self) -> bool:
        """True where the figure is made of units and CPU time, False for an amount."""
        return self.unit in (*RATES, TIMES, "us")


Ask = Callable[[Case, float], float]
"""Plays a slice of so many CPU seconds and returns the figure, in the case's unit. Raises CannotPlay."""


class Measured:
    """The figures of a case, and their ratios to the case beside it, one a round."""

    def __init__(self) -> None:
        self.figures: list[float] = []
        self.ratios: list[float] = []

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return statistics.median(self.ratios)

    def cells(self, case: Case) -> list[str]:
        """Return the row: name, median with its unit, median and range of the ratios, goal and whether it is met."""
        figures = self.ratios if case.unit == TIMES else self.figures
        middle, shown = statistics.median(figures), self.ratios or self.figures
        goal = ""
        if case.goal is not None:
            at_least = case.unit in (*RATES, TIMES)
            met = middle >= case.goal if at_least else middle <= case.goal
            goal = f"{'>=' if at_least else '<='} {case.goal:,g}: {'yes' if met else 'no'}"
        beside = _short(self.ratio) if self.ratios and case.unit != TIMES else ""
        return [
            case.name,
            f"{_short(middle)} {case.unit}",
            beside,
            f"{_short(min(shown))} to {_short(max(shown))}",
            goal,
        ]


def _short(number: float) -> str:
    """Return a number without digits that cannot be believed."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.2f}" if number >= 0.1 else f"{number:.2g}"


class Workers(ExitStack):
    """The living processes of all contenders, begun when one of their cases is first asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._begun: dict[Contender, subprocess.Popen[str]] = {}

    def ask(self, case: Case, seconds: float) -> float:
        """Play one slice, or read an amount. Raises CannotPlay where the case cannot be played, or its process ends."""
        if case.contender not in self._begun:
            self._begun[case.contender] = self.enter_context(_begin(case.contender))
        process = self._begun[case.contender]
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            print(json.dumps([case.set_up, case.arguments, seconds * case.is_timed]), file=process.stdin, flush=True)
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise CannotPlay(f"its process ended with {process.wait()}")
        answer = json.loads(line)
        if isinstance(answer, str):
            raise CannotPlay(answer)
        return 1e6 / answer if case.unit == "us" else float(answer)


def _begin(contender: Contender) -> subprocess.Popen[str]:
    """Start the process of a contender."""
    command = [sys.executable, "-W", "ignore", "-c", WORKER, str(Path(__file__).resolve()), contender.file]
    environment = {**os.environ, **ONE_THREAD, **dict(contender.environment)}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8", env=environment)


def serve(file: str) -> None:
    """Play a case of a file for each line of standard input, on one core, and print its figure, or its fault as text.

    This runs in the process of a contender, with whatever version of the package is installed there.
    """
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)  # libraries print when they are imported
        functions, plays = runpy.run_path(file), {}
        for line in sys.stdin:
            set_up, arguments, seconds = json.loads(line)
            key = json.dumps([set_up, arguments])
            try:
                if key not in plays:
                    plays[key] = functions[set_up](*arguments)
                    gc.freeze()  # no slice pays for the objects of another case
                answer: Any = rate(plays[key], seconds) if seconds else plays[key]()
            except Exception as fault:  # whatever a library raises
                answer = f"{type(fault).__name__}: {fault}".splitlines()[0]
            print(json.dumps(answer), file=answers, flush=True)


def rate(play: Play, seconds: float, clock: Callable[[], float] = time.process_time) -> float:
    """Return units per CPU second, of all threads of the process together, after some uncounted ones."""
    begun = clock()
    play()
    while clock() - begun < WARMING * seconds:
        play()
    begun, units, spent = clock(), 0.0, 0.0
    while spent < seconds:
        units += play()
        spent = clock() - begun
    return units / spent


def measure(
    cases: Iterable[Case], ask: Ask, rounds: int, seconds: float, tell: Callable[[str], Any]
) -> dict[Case, Measured]:
    """Measure cases in turn, each slice of a case between two of the one beside it; each round begins elsewhere.

    Cases that cannot be played are left out, and `tell` hears a line of each.
    """
    able: dict[Case, bool] = {}

    def can_play(case: Case) -> bool:
        if case not in able:
            able[case] = case.beside is None or can_play(case.beside)
            try:
                if able[case] and case.is_timed:
                    ask(case, seconds)  # sets it up and compiles it, uncounted
            except CannotPlay as fault:
                able[case] = False
                tell(f"left out: {case.name}: {fault}")
        return able[case]

    found = {case: Measured() for case in cases if can_play(case)}
    groups: dict[Case | None, list[Case]] = {}
    for case in found:
        groups.setdefault(case.beside, []).append(case)
    for number in range(rounds):
        for reference, members in groups.items():
            begin = number * len(members) // rounds
            turn = [case for case in members[begin:] + members[:begin] if number < case.most]
            _play_in_turn(turn, reference, ask, seconds, found)
        tell(f"round {number + 1} of {rounds}")
    return {case: measured for case, measured in found.items() if measured.figures}


def _play_in_turn(
    cases: Sequence[Case], reference: Case | None, ask: Ask, seconds: float, found: Mapping[Case, Measured]
) -> None:
    """Play one slice of each case, and of their reference before the first and after every one."""
    before = ask(reference, seconds) if reference and cases else 0.0
    for case in cases:
        figure = ask(case, seconds)
        found[case].figures.append(figure)
        if reference:
            after = ask(reference, seconds)
            found[case].ratios.append(2 * figure / (before + after))
            before = after


def control_of(baseline: Case) -> Case:
    """Return the control: the baseline in another process, beside itself."""
    other = baseline.contender._replace(name=f"{baseline.contender.name}, control")
    return baseline._replace(name="control: the baseline beside itself", contender=other, beside=baseline)


def fault_of(control: Measured) -> str:
    """Return a line that says why ratios are not to be believed, "" where they are."""
    if abs(control.ratio - 1) <= TOLERANCE:
        return ""
    allowed = f"expected the baseline beside itself at 1, {TOLERANCE:.0%} more or less"
    return f"{allowed}, got {control.ratio:.3f}: run it again on a machine with less else to do, or with more rounds"


def cases_of(name: str, baseline: Case | None = None) -> dict[str, list[Case]]:
    """Return the cases of a game by kind; those of play stand beside the baseline, or the first of themselves."""
    us, plainly = Contender(name), Contender(f"{name} in plain Python", environment=PLAIN)
    play = [Case(row, us, set_up, (name, *more), beside=baseline) for row, (set_up, *more) in APIS.items()]
    play += [
        Case("play-outs in plain Python", plainly, "play_outs", (name, False, 1, 20), beside=baseline, most=3),
        Case("games copied and put back", us, "copied", (name,), unit="games/s", beside=baseline),
    ]
    first = play[0]
    search = [
        Case(f"`{agent}`", us, "search", (name, agent, count, TABLES, False), "simulations/s")
        for agent, count in SEARCHES.items()
    ]
    starts = [
        Case("first decision, compiled before", us, "first_decision", (name,), "CPU s", most=5),
        Case("first decision, compiled anew", us, "first_decision", (name, True), "CPU s", most=1),
    ]
    held = [
        Case("process with 1,024 games, whole numbers", us, "many_games", (name,), "MB", most=3),
        Case("one game of a batch, whole numbers", us, "bytes_a_game", (name, True), "bytes", most=1),
    ]
    return {
        "Play": [case if case == first else case._replace(beside=baseline or first) for case in play],
        "Search": search,
        "Start-up": starts,
        "Memory": held,
    }


def chosen(cases: Iterable[Case], patterns: Sequence[str]) -> list[Case]:
    """Return the cases whose names a pattern begins; all without a pattern. Raises ValueError if there is none."""
    cases = list(cases)
    found = [case for case in cases if any(fnmatch.fnmatch(case.name, f"{one}*") for one in patterns or ["*"])]
    if not found:
        raise ValueError(f"expected the beginning of a row, such as {cases[0].name!r}, got {', '.join(patterns)}")
    return found


def report(game: Game, rounds: int, seconds: float, only: Sequence[str], before: Path | None, console: Console) -> None:
    """Measure a game, with `before` beside another checkout of the package, and print the table and the control."""
    from titan_env import registry
    from titan_env.cli.tables import grid

    kinds = cases_of(registry.address(game))
    baseline, targets = kinds["Play"][0], game.metadata.speed_targets
    cases = [case._replace(goal=targets.get(case.name)) for kind in kinds.values() for case in kind]
    cases = chosen(cases, only)
    if before is not None:
        cases = [case._replace(beside=case._replace(contender=_in_checkout(case.contender, before))) for case in cases]
    control = control_of(baseline)
    with Workers() as workers:
        found = measure([*cases, control], workers.ask, rounds, seconds, lambda line: print(line, file=sys.stderr))
    if control not in found:
        raise ValueError(f"expected a game that can be played, and {baseline.name} can not; the reason stands above")
    title = f"{game.metadata.title}: random legal play, CPU seconds of one thread, medians of {rounds} rounds"
    beside = "times before" if before is not None else "times the first"
    console.print(grid(title, ["what", "measured", beside, "lowest to highest", "goal"], rows(found)))
    if fault := fault_of(found[control]):
        console.print(f"The ratios are not to be believed: {fault}.", highlight=False)


def rows(found: Mapping[Case, Measured]) -> list[list[str]]:
    """Return the rows of a table."""
    return [measured.cells(case) for case, measured in found.items()]


def _in_checkout(contender: Contender, checkout: Path) -> Contender:
    """Return the contender that plays the cases of this version in another checkout."""
    folder = checkout.resolve()
    if not (folder / "titan_env" / "registry.py").exists():
        raise ValueError(f"expected a checkout of this package, got {checkout}: git worktree add PATH COMMIT")
    paths = (("PYTHONPATH", str(folder)), ("PYTHONSAFEPATH", "1"))
    return contender._replace(name=f"{contender.name} in {folder}", environment=(*contender.environment, *paths))
