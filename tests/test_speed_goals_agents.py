"""The measurements of planners and policies run, and answer with a ratio and a time."""

from __future__ import annotations

import pytest

from tools import speed_goals_agents
from tools.speed_goals_agents import microseconds_a_row, positions, tables_together


def test_a_planner_and_a_policy_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed_goals_agents, "TABLES", 2)
    assert tables_together("flat:8") > 0
    assert microseconds_a_row(8, rows=2) > 0
    assert (positions(3).masks.sum(axis=1) > 1).all()
