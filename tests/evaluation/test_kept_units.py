"""Every long command keeps its finished units, stops after one at either signal, and goes on by the same command."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.cards import small_benchmark
from tests.evaluation.test_rate_agent import ladder_of_orchard
from tests.test_extras import COMMANDS
from tests.training.scripts import run
from tests.training.test_run_folder import COMPARED, OTHER_GAMES
from titan_env.agents.chat import endpoint
from titan_env.evaluation.benchmark import benchmark
from titan_env.evaluation.matches.kept_units import KeptUnits
from titan_env.records.journal import Journal, journal_of, resume

ROOT = Path(__file__).parents[2]
PIG = ("--game", "pig")
KEPT: dict[str, tuple[str, ...]] = {
    "arena": ("flat:2", "random", *PIG, "--blocks", "4", "--out", "FOLDER"),
    "benchmark.benchmark": ("best", "--out", "card.json"),
    "benchmark.generalisation": ("best", *PIG, "--out", "table.md"),
    "exam": ("random", "--first", "10", "--out", "exam.jsonl"),
    "matches.evaluate": ("flat:2", "random", "constant:hold", *PIG, "--blocks", "32", "--out", "table.csv"),
    "puzzles.puzzles": ("random", "flat:2", "--game", "orchard", "--file", "puzzles", "--out", "table.md"),
    "ratings.championship": ("random", "constant:hold", *PIG, "--over", "goal=10,20", "--blocks", "4", "--out", "c.md"),
    "ratings.rate_agent": ("flat:2", "--ladder", "LADDER.toml", "--blocks", "8", "--out", "row.md"),
    "ratings.tournament": (
        "flat:2",
        "random",
        *PIG,
        "--blocks",
        "4",
        "--at-once",
        "2",
        "--processes",
        "1",
        "--out",
        "FOLDER",
    ),
    "reports.constant": ("pig", "random", "--trial", "8", "--blocks", "8", "--out", "table.md"),
    "reports.lengths": ("pig", "random", "--vary", "goal=10,20,30", "--games", "20", "--out", "table.md"),
    "reports.luck": ("pig", "random", "--vary", "goal=10,20,30", "--games", "20", "--out", "table.md"),
    "reports.seats": ("flat:2", "random", *PIG, "--over", "goal=10,20,30", "--blocks", "4", "--out", "table.md"),
}
"""The commands of `titan_env.evaluation` that play for hours, as small ones."""
MADE: dict[str, tuple[str, ...]] = {
    "benchmark.benchmark": ("pig=constant:roll", "--references"),
    "puzzles.puzzles": ("random", "--game", "orchard", "--make", "3", "--file", "puzzles.jsonl"),
}
"""What some of them make besides."""
ONE_UNIT = {
    "titan_env": "plays one game, prints a table of minutes, or serves",
    "titan_env.evaluation.benchmark.compare_cards": "plays nothing",
    "titan_env.evaluation.benchmark.entries": "plays some blocks again, for minutes",
    "titan_env.evaluation.benchmark.rounds": "plays nothing",
    "titan_env.evaluation.ratings.ladder": "plays some blocks again, for minutes",
    "titan_env.evaluation.reports.calibration": "one batch of games, for less than a minute",
    "titan_env.evaluation.reports.exploitability": "prints what a minute brings",
    "titan_env.evaluation.speed": "minutes; its file is written anew after each game",
    "titan_env.games.tiny_turbo_cars.solver.last_round": "prints what a minute brings",
    "titan_env.games.titan_battle.solver.duel": "prints what seconds bring",
    "titan_env.games.titan_battle.value.calibrate": "one batch of battles: two minutes for the 20,000 of its table",
    "titan_env.games.titan_battle.value.fit": "keeps its battles in parts, each in a file that appears whole",
    "titan_env.training.carry_over": "plays nothing",
    "titan_env.training.curves": "plays nothing",
    "titan_env.training.demo": "minutes; stopped, it leaves the agent so far",
    "titan_env.training.fit_value": "one batch of games a table, for less than a minute",
    "titan_env.training.minari_dataset": "a dataset is there whole or not at all",
}
"""Commands without units, each with the reason."""


def test_every_command_keeps_its_units_or_has_none() -> None:
    kept = {f"titan_env.evaluation.{name}" for name in KEPT}
    trainers = {f"titan_env.training.{name}" for name in COMPARED.keys() | OTHER_GAMES}
    assert sorted([*kept, *trainers, *ONE_UNIT]) == COMMANDS


STOPPED = """
import os, runpy, sys
module, number, *arguments = sys.argv[1:]
sys.argv = ["-m", *arguments]
from titan_env.engine.batch import Batch
Batch.start = lambda batch: os.kill(os.getpid(), int(number))
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""
"""A command to which a signal is sent where its games begin."""
UNDER_WAY: dict[str, tuple[str, ...]] = {
    "titan_env.evaluation.reports.calibration": ("ppo@titan_race-v3",),
    "titan_env.games.titan_battle.value.calibrate": (),
    "titan_env.games.titan_battle.value.fit": ("--out", "FOLDER"),
    "titan_env.training.fit_value": ("--start", "titan_env/games/titan_race/agents/ppo.onnx", "--out", "FOLDER"),
    "titan_env.training.minari_dataset": ("random", "--dataset", "mine/one-v0", "--folder", "FOLDER"),
}
"""The commands without units that play games."""


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["interrupt", "terminate"])
@pytest.mark.parametrize("command", UNDER_WAY)
def test_a_command_without_units_ends_at_once_in_one_line(command: str, number: signal.Signals, tmp_path: Path) -> None:
    given = [argument.replace("FOLDER", str(tmp_path / "new")) for argument in UNDER_WAY[command]]
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, command, str(int(number)), *given],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stderr.splitlines()) == (128 + number, ["Stopped."])


def test_a_unit_that_is_kept_is_not_measured_again_and_others_settings_are_refused(tmp_path: Path) -> None:
    path, measured = journal_of(tmp_path / "table.md"), iter(range(10))
    for _ in range(2):
        journal = resume(path, "rows", {"seed": 0})
        kept = KeptUnits(journal)
        assert [kept.result("a", next, measured), kept.result("b", next, measured)] == [0, 1]
    assert len(journal.lines) == 2
    assert KeptUnits().result("a", next, measured) == 2, "without a journal for as long as it lives"
    with pytest.raises(ValueError, match=r"begun with other settings \(seed\)"):
        resume(path, "rows", {"seed": 1})


@pytest.fixture
def command(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], tuple[Path, Callable[[], tuple[int, str]]]]:
    """A command that writes below a folder of this name: the file that it writes, and a function that runs it."""
    name, given = request.param
    if name.startswith("benchmark."):
        small_benchmark(tmp_path, monkeypatch)
    monkeypatch.setattr("titan_env.evaluation.exam.OTHERS", "none")
    monkeypatch.setattr("titan_env.evaluation.ratings.rate_agent.AT_ONCE", 2)
    endpoint._renew()
    main: Any = import_module(f"titan_env.evaluation.{name}").main
    if "LADDER.toml" in given:
        ladder_of_orchard(tmp_path / "LADDER.toml")
    if "puzzles" in given:
        made = ("random", "--game", "orchard", "--make", "2", "--file", str(tmp_path / "puzzles"))
        assert run(main, *made)[0] == 0

    def ready(folder: str) -> tuple[Path, Callable[[], tuple[int, str]]]:
        written = tmp_path if "--references" in given else tmp_path / folder
        written.mkdir(exist_ok=True)
        places = {name: str(tmp_path / name) for name in ("LADDER.toml", "puzzles")} | {"FOLDER": str(written)}
        if not given[-1].startswith("--"):
            places.setdefault(given[-1], str(written / given[-1]))
        out = {"FOLDER": "table.csv", "--references": "benchmark_references.toml"}.get(given[-1], given[-1])
        return written / out, lambda: run(main, *(places.get(text, text) for text in given))

    return ready


def facts_of(path: Path) -> Any:
    """What a command has found out: its file without the times."""
    return re.sub(r'[\d,]+ seconds|"(milliseconds|waited)": [\d.]+|"digest": "\w+"', "", path.read_text("utf-8"))


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["interrupt", "terminate"])
@pytest.mark.parametrize("command", [*KEPT.items(), *MADE.items()], indirect=True, ids=lambda pair: " ".join(pair[1]))
def test_a_stopped_command_has_kept_the_unit_under_way_and_goes_on_to_the_same_file(
    command: Callable[[str], tuple[Path, Callable[[], tuple[int, str]]]],
    number: signal.Signals,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    units: list[bool] = []
    add, write_card, is_asked = Journal.add, benchmark.write_card, False

    def asked() -> None:
        if is_asked and not units:
            os.kill(os.getpid(), number)
        units.append(is_asked)

    monkeypatch.setattr(Journal, "add", lambda journal, line: (asked(), add(journal, line)))
    monkeypatch.setattr(benchmark, "write_card", lambda path, card: (asked(), write_card(path, card)))
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        out, whole = command("whole")
        code, output = whole()
        assert code == 0, output
        known, all_units = facts_of(out), len(units)
        assert all_units > 1
        out, parts = command("parts")
        is_asked = True
        units.clear()
        code, output = parts()
        assert (code, "the same command goes on where this one was" in output) == (128 + number, True), output
        assert len(units) == 1
        code, output = parts()
        assert code == 0, output
    finally:
        signal.signal(signal.SIGTERM, before)
    assert facts_of(out) == known
    assert len(units) == all_units, "what was finished is not played again"
    assert not list(out.parent.glob("*.journal"))
