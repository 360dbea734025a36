"""The goals of speed: each is measured by one command, whose table has a line for every one."""

from __future__ import annotations

import importlib
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from tools import speed_goals, speed_goals_agents
from tools.speed_goals_agents import microseconds_a_row, positions, tables_together

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.thorough


def test_a_planner_and_a_policy_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed_goals_agents, "TABLES", 2)
    assert tables_together("flat:8") > 0
    assert microseconds_a_row(8, rows=2) > 0
    assert (positions(3).masks.sum(axis=1) > 1).all()


def test_the_command_prints_the_goals_that_are_chosen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["speed_goals", "--only", "memory"])
    speed_goals.main()
    line = "| memory of a game of Titan Race, whole numbers, bytes | 1512 | <= 1,500 | no |"
    assert capsys.readouterr().out.splitlines()[2:] == [line]


def test_a_pattern_of_no_goal_is_refused_with_one_that_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["speed_goals", "--only", "comfort"])
    with pytest.raises(SystemExit, match=r"expected a pattern of a goal, such as 'OpenSpiel: .*', got comfort"):
        speed_goals.main()


@pytest.mark.parametrize("control", [0.79, 0.94, 1.06])
def test_no_page_of_speed_is_written_where_the_baseline_beside_itself_is_off(
    control: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    libraries = importlib.import_module("compare_libraries")
    page = tmp_path / "performance.md"
    page.write_text("as it was")

    monkeypatch.setattr(libraries, "PAGE", page)
    monkeypatch.setattr(libraries, "playing", lambda *case: nullcontext(lambda seconds: 1000.0))
    monkeypatch.setattr(libraries, "measured", lambda *case: libraries.Measured([control] * 5, [1000.0] * 5))
    monkeypatch.setattr(sys, "argv", ["compare_libraries"])
    with pytest.raises(SystemExit, match=rf"expected the baseline beside itself at 1, 5% more or less, got {control}"):
        libraries.main()
    assert page.read_text() == "as it was"
