"""How long games are, and what happens in them: one row for each agent and each value of an option."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import typer

from titan_env import agents, registry
from titan_env.engine.event_statistics import play_and_count
from titan_env.evaluation import lengths

PIG = registry.load("pig")


def test_decisions_statistics_and_events_are_counted_game_by_game() -> None:
    played = play_and_count(PIG, agents.load("random", PIG), 12, 3)
    numbers = lengths.numbers_of(played)
    assert {event.name.lower().replace("_", " ") for event in PIG.rules.events} <= set(numbers)
    assert all(len(values) == 12 for values in numbers.values())
    decisions = numbers["decisions"]
    low, high = np.percentile(decisions, (5, 95))
    assert lengths.row_of(played, [])[:2] == [
        "12",
        f"{decisions.mean():,.{int(decisions.mean() < 100)}f} ({low:,.0f} to {high:,.0f})",
    ]


def test_a_count_that_the_game_does_not_have_is_refused_with_those_it_has() -> None:
    with pytest.raises(ValueError, match=r"expected --count from .*decisions.*, got luck"):
        lengths.check_counts(PIG, ["luck"], {})


def test_a_row_is_measured_for_every_value_and_the_table_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "lengths.md"
    lengths.main("pig", ["random"], vary=["players=2,3"], games=4, out=out)
    text = out.read_text("utf-8")
    assert text in capsys.readouterr().out
    for players in (2, 3):
        assert f"| `random` | {players} | 4 |" in text


def test_values_that_the_game_does_not_take_are_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(typer.Exit):
        lengths.main("pig", vary=["players=2,99"], games=2, out=tmp_path / "lengths.md")
    assert not (tmp_path / "lengths.md").exists()
