"""How long games are, and what happens in them: one row for each agent and each value of an option."""

from __future__ import annotations

import numpy as np
import pytest

from titan_env import agents, registry
from titan_env.evaluation.reports import lengths
from titan_env.play.event_statistics import play_and_count

pytestmark = pytest.mark.thorough

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


def test_each_generated_level_of_a_range_is_a_row() -> None:
    rows = {"circuit": ["generated:3", "generated:4"]}
    assert lengths.levels_as_choices(registry.load("titan_race"), "3-4") == rows
    with pytest.raises(ValueError, match="--levels: expected a game with generated levels, got pig"):
        lengths.levels_as_choices(PIG, "3-4")
    with pytest.raises(ValueError, match="--levels: expected `generated`, or with a number from 0 to 31999 or a range"):
        lengths.levels_as_choices(registry.load("titan_race"), "4-3")
