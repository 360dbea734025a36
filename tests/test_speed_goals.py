"""The goals of speed: each is measured by one command, whose table has a line for every one."""

from __future__ import annotations

import sys

import pytest

from tools import speed_goals, speed_goals_agents
from tools.speed_goals_agents import microseconds_a_row, positions, tables_together

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
