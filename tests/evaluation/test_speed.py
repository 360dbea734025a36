"""Speed is measured in turn: a control says whether the ratios hold, and a slow machine changes none of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from titan_env import registry
from titan_env.engine.devices import HostDevice, Loop
from titan_env.evaluation import speed as device_speed
from titan_env.evaluation.reports.speed import (
    TIMES,
    CannotPlay,
    Case,
    Contender,
    Measured,
    Workers,
    cases_of,
    chosen,
    control_of,
    fault_of,
    measure,
    rate,
    rows,
)
from titan_env.play.learner_loops import step_rows_to_learner
from tools import speed_page

BASELINE = Case("baseline", Contender("theirs"), "baseline")
OURS = [Case(f"ours, {i}", Contender("ours"), f"row_{i}", beside=BASELINE) for i in range(4)]
TRUE_RATES = {"baseline": 1000.0, **{f"row_{i}": 500.0 * (i + 1) for i in range(4)}}


class SlowingMachine:
    """A machine that plays each slice slower than the one before, and keeps a list of what it played."""

    def __init__(self) -> None:
        self.played: list[str] = []

    def ask(self, case: Case, seconds: float) -> float:
        self.played.append(case.set_up)
        return TRUE_RATES[case.set_up] * (1 - 0.005 * len(self.played))


def silent(line: str) -> None:
    """Hear nothing."""


def measured(*ratios: float) -> Measured:
    """Return ratios to a baseline of 1,000 units."""
    found = Measured()
    found.ratios, found.figures = list(ratios), [1000.0 * ratio for ratio in ratios]
    return found


def test_ratios_are_right_on_a_machine_that_slows_down_all_the_time() -> None:
    found = measure([control_of(BASELINE), *OURS], SlowingMachine().ask, rounds=5, seconds=1, tell=silent)
    assert [case.ratio for case in found.values()] == pytest.approx([1, 0.5, 1, 1.5, 2], rel=1e-3)
    rates = [figure for case in OURS for figure in found[case].figures]
    assert max(rates[:5]) > 1.2 * min(rates[:5]), "though no rate stays what it was"


def test_each_slice_of_a_case_stands_between_two_of_its_reference_and_each_round_begins_elsewhere() -> None:
    machine = SlowingMachine()
    measure(OURS, machine.ask, rounds=4, seconds=1, tell=silent)
    set_up, played = machine.played[:5], machine.played[5:]
    assert sorted(set_up) == sorted(TRUE_RATES), "the first slice of each compiles, and does not count"
    rounds = [played[i : i + 9] for i in range(0, len(played), 9)]
    assert all(each[::2] == ["baseline"] * 5 for each in rounds)
    assert [each[1::2] for each in rounds] == [[f"row_{(first + i) % 4}" for i in range(4)] for first in range(4)]


@pytest.mark.parametrize(("ratio", "holds"), [(0.79, False), (0.94, False), (0.96, True), (1.04, True), (1.06, False)])
def test_ratios_hold_where_the_baseline_beside_itself_is_off_by_five_percent_at_most(ratio: float, holds: bool) -> None:
    fault = fault_of(measured(0.1, ratio, 7))
    assert (fault == "") is holds
    if not holds:
        assert f"5% more or less, got {ratio:.3f}: run it again on a machine with less else to do" in fault


def test_what_cannot_be_played_is_left_out_with_a_line_and_so_is_what_stands_beside_it() -> None:
    missing = Case("missing", Contender("missing"), "missing")
    beside = OURS[0]._replace(beside=missing)

    def ask(case: Case, seconds: float) -> float:
        if case.contender.name == "missing":
            raise CannotPlay("ModuleNotFoundError: No module named 'missing'")
        return 1.0

    heard: list[str] = []
    found = measure([missing, beside, OURS[1]], ask, rounds=1, seconds=1, tell=heard.append)
    assert list(found) == [OURS[1]]
    assert heard == ["left out: missing: ModuleNotFoundError: No module named 'missing'", "round 1 of 1"]


def test_a_case_with_a_number_of_rounds_of_its_own_is_not_measured_more_often() -> None:
    found = measure([OURS[0]._replace(most=2)], SlowingMachine().ask, rounds=5, seconds=1, tell=silent)
    assert [len(case.figures) for case in found.values()] == [2]


def test_a_rate_counts_what_is_played_after_the_caches_are_warm() -> None:
    moments = iter(range(100))
    played: list[int] = []

    def play() -> int:
        played.append(10)
        return 10

    assert rate(play, seconds=8, clock=lambda: next(moments)) == 10 * 8 / 8
    assert len(played) == 2 + 8, "a quarter of the slice is played before it"


CASES = """
import os
print("a library says hello")

def walking(steps):
    import time
    def play():
        until = time.process_time() + 1e-3
        while time.process_time() < until:
            pass
        return steps
    return play

def amount():
    return lambda: 1512

def missing():
    import no_such_library

def dying():
    return lambda: os._exit(3)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cases.py"
    path.write_text(CASES, "utf-8")
    return path


def test_a_living_process_plays_all_cases_of_its_contender(file: Path) -> None:
    us = Contender("us", str(file))
    with Workers() as workers:
        once, twice = (workers.ask(Case("", us, "walking", (steps,)), 0.05) for steps in (1, 1000))
        assert 0 < once <= 1000, "a step takes a millisecond of CPU time"
        assert once < twice
        assert workers.ask(Case("", us, "walking", (1000,), "us"), 0.05) > 0
        assert workers.ask(Case("", us, "amount", unit="bytes"), 0.05) == 1512
        with pytest.raises(CannotPlay, match="ModuleNotFoundError: No module named 'no_such_library'"):
            workers.ask(Case("", us, "missing"), 0.05)
        with pytest.raises(CannotPlay, match="its process ended with 3"):
            workers.ask(Case("", us, "dying"), 0.05)
        other = us._replace(name="the same in another process")
        assert workers.ask(Case("", other, "amount", unit="bytes"), 0.05) == 1512


def test_a_row_says_its_median_its_range_and_whether_its_goal_is_reached() -> None:
    found = {
        OURS[0]._replace(goal=2000): measured(1.0, 2.5, 2.0),
        OURS[1]._replace(goal=1.5, unit=TIMES): measured(1.0, 1.2, 1.1),
        OURS[2]._replace(goal=1.1, unit="us", beside=None): Measured(),
    }
    found[[*found][-1]].figures.append(1.1)
    assert rows(found) == [
        ["ours, 0", "2,000 decisions/s", "2.00", "1.00 to 2.50", ">= 2,000: yes"],
        ["ours, 1", "1.10 times", "", "1.00 to 1.20", ">= 1.5: no"],
        ["ours, 2", "1.10 us", "", "1.10 to 1.10", "<= 1.1: yes"],
    ]


@pytest.mark.parametrize("name", registry.names())
def test_the_speed_targets_of_a_game_are_those_of_rows(name: str) -> None:
    row_names = {case.name for cases in cases_of(name).values() for case in cases}
    assert set(registry.load(name).metadata.speed_targets) <= row_names


def test_rows_are_chosen_by_how_they_begin() -> None:
    assert chosen(OURS, ["ours, 2", "*3"]) == OURS[2:]
    assert chosen(OURS, []) == OURS
    with pytest.raises(ValueError, match="expected the beginning of a row, such as 'ours, 0', got comfort"):
        chosen(OURS, ["comfort"])


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "speed.md"
    path.write_text("as it was", "utf-8")
    monkeypatch.setattr(speed_page, "PAGE", path)
    monkeypatch.setattr(sys, "argv", ["speed_page"])
    return path


def say(control: float) -> Callable[..., dict[Case, Measured]]:
    """Return what measures every case at once; the baseline beside itself says `control`."""
    return lambda cases, *rest: {case: measured(control if "control" in case.name else 1.33) for case in cases}


@pytest.mark.parametrize("control", [0.79, 0.94, 1.06])
def test_no_page_is_written_where_the_baseline_beside_itself_is_off(
    control: float, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed_page, "measure", say(control))
    with pytest.raises(SystemExit, match=rf"speed.md stays as it is: .* 5% more or less, got {control}"):
        speed_page.main()
    assert page.read_text("utf-8") == "as it was"


def test_the_page_says_version_machine_date_and_control_and_has_every_row(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed_page, "measure", say(1.01))
    speed_page.main()
    text = page.read_text("utf-8")
    assert text.startswith(f"Version {speed_page.version('titan_env')} on ")
    assert speed_page.machine() in text
    assert "beside itself it says 1.010 (1.01 to 1.01)" in text
    tables = speed_page.all_cases()
    assert [kind for kind in tables if f"## {kind}\n" not in text] == []
    names = [case.name for cases in tables.values() for case in cases]
    assert len(set(names)) == len(names)
    assert [name for name in names if f"| {name} |" not in text] == []


def test_a_page_without_the_baseline_or_of_no_row_is_refused(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed_page, "measure", lambda *rest: {})
    with pytest.raises(SystemExit, match="expected Pgx beside this package, for the baseline: pip install pgx"):
        speed_page.main()
    assert page.read_text("utf-8") == "as it was"


class Miscounting(HostDevice):
    """A device whose steps write one observation wrong, in its last row."""

    def run(self, loop: Loop, rows: int, *arguments: Any) -> None:
        super().run(loop, rows, *arguments)
        if loop is step_rows_to_learner:
            arguments[1].observations.tensor[-1, 0] += 1


@pytest.mark.parametrize("name", registry.names())
def test_games_on_a_device_are_compared_byte_for_byte_before_they_are_measured(name: str) -> None:
    game = registry.load(name)
    assert device_speed.difference(game, "cpu", games=4, steps=20) == ""
    assert device_speed.difference(game, Miscounting(game), games=4, steps=20) == "observations after 1 steps"


def test_decisions_of_the_rules_alone_are_those_of_play_outs() -> None:
    env = device_speed.make_env(registry.load("titan_race"), 8, "cpu")
    env.reset(seed=1)
    batch = env.to_host()
    decided = device_speed.plays_of(env)["rules"](600)
    ended = batch.rollout(600, restart=True, look=False)
    assert decided == 8 * 600 - ended.sum()
    assert ended.any()
    assert env.to_host().states.tobytes() == batch.states.tobytes()


def test_a_command_measures_games_on_a_device_and_writes_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_speed, "COPIED", {"cpu": 1 << 20})
    monkeypatch.setattr(device_speed, "COMPARED", (4, 5))
    out, app = tmp_path / "speed.json", typer.Typer()
    app.command()(device_speed.main)
    sizes = ["--games", "8", "--games", "16", "--seconds", "0.01"]
    result = CliRunner().invoke(app, ["titan_race", "--device", "cpu", *sizes, "--out", str(out)])
    assert result.exit_code == 0, result.output
    written = json.loads(out.read_text("utf-8"))
    found = written["games"]["titan_race"]
    assert (found["equal_bytes"], found["fault"], found["layouts"]) == (True, "", {})  # only kernels have layouts
    assert [each["games"] for each in found["rates"]] == [8, 16]
    for each in found["rates"]:
        assert each["share"] == pytest.approx(each["turn"] * each["bytes"] / written["bandwidth"])
        assert min(each["turn"], each["rules"], each["observation"]) > 0
    assert written["versions"]["titan_env"] == speed_page.version("titan_env")


def test_a_game_whose_bytes_differ_has_no_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_speed, "difference", lambda *given: "rewards after 3 steps")
    found = device_speed.measure(registry.load("pig"), "cpu", device_speed.Arguments(), 1.0)
    assert (found["equal_bytes"], found["fault"], found["rates"]) == (False, "rewards after 3 steps", [])


def test_the_table_by_device_has_rates_of_a_gpu_from_its_file_alone(tmp_path: Path) -> None:
    (tmp_path / "speed.md").write_text(speed_page.PAGE.read_text("utf-8"), "utf-8")
    without = speed_page.devices_table(tmp_path)
    assert "GPU: not measured, there was none so far" in without
    assert "layouts" not in without
    assert without.count("| not measured |") == 5
    rates: list[dict[str, Any]] = [{"games": games, "turn": 1234567.0, "share": 0.25} for games in (64, 128)]
    found = {"records": {"decisions": 5e6, "ratio": 1.0}, "binned": {"decisions": 6e6, "ratio": 1.2}}
    rates[0]["layouts"] = found
    games = {
        "titan_race": {"equal_bytes": True, "fault": "", "rates": rates},
        "titan_war": {"equal_bytes": True, "fault": "", "rates": rates[:1]},
        "titan_battle": {"equal_bytes": False, "fault": "rewards after 3 steps", "rates": []},
    }
    file = {"device": "A GPU", "driver": "1.2", "date": "2026-12-01", "games": games}
    (tmp_path / speed_page.GPU_FILE).write_text(json.dumps(file), "utf-8")
    table = speed_page.devices_table(tmp_path)
    assert "A GPU, driver 1.2, 2026-12-01" in table
    assert " | 1,234,567 | 1,234,567, 25.0% |\n" in table
    assert " | 1,234,567 | no room |\n" in table
    assert " | not measured: rewards after 3 steps |  |\n" in table
    assert table.count("| not measured |  |\n") == 2
    assert table.count("| 64 | 5,000,000 |  |  | 1.20 |  |\n") == 2  # not the second size, which has none
