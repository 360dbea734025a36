"""An agent of one's own is entered by one file and one command."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.training import scripts
from titan_env import agents, registry
from titan_env.evaluation import enter
from titan_env.evaluation.arena import text_of
from titan_env.evaluation.enter import rated
from titan_env.evaluation.fingerprints import sources
from titan_env.evaluation.tournament import Rating

MINE = '''"""Always the first legal action."""


def make(game):
    return lambda observations, masks, rng: masks.argmax(axis=1)
'''


run = partial(scripts.run, enter.main)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The file of an agent."""
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path / "mine.py"


def test_the_agent_to_copy_plays() -> None:
    game = registry.load("pig")
    agent = agents.load(f"python:{Path(__file__).parents[2] / 'agents' / 'my_agent.py'}", game)
    masks = np.array([[0, 1], [1, 1]] * 50, np.int8)
    actions = agent(np.zeros((100, 1)), masks, np.random.default_rng(0))
    assert set(actions[::2].tolist()) == {1}
    assert set(actions[1::2].tolist()) == {0, 1}


def test_a_file_is_an_agent_and_what_it_is_made_of(mine: Path) -> None:
    game = registry.load("pig")
    masks = np.array([[0, 1], [1, 1]], np.int8)
    agent = agents.load(f"python:{mine}", game)
    assert agent(np.zeros((2, 1)), masks, np.random.default_rng(0)).tolist() == [1, 0]
    assert mine in sources(f"python:{mine}", game)


@pytest.mark.parametrize(
    ("text", "error"), [(None, "found no"), ("x = 1\n", r"expected a function make\(game\)"), ("", r"make\(game\)")]
)
def test_what_is_no_agent_is_said(tmp_path: Path, text: str | None, error: str) -> None:
    file = tmp_path / "none.py"
    if text is not None:
        file.write_text(text)
    with pytest.raises(ValueError, match=error):
        agents.load(f"python:{file}", registry.load("pig"))


def test_a_rating_from_results_is_the_true_one_within_its_interval() -> None:
    rng, true = np.random.default_rng(3), 120.0
    held, found = 0, []
    for _ in range(800):
        spots = {"a": 0.0, "b": 150.0, "c": -300.0}
        seen = {other: at + rng.normal(0, 10) for other, at in spots.items()}
        known = {other: Rating(other, at, at - 19.6, at + 19.6) for other, at in seen.items()}
        chances = {other: 1 / (1 + 10 ** ((at - true) / 400)) for other, at in spots.items()}
        shares = {other: rng.binomial(2, chance, 128) / 2 for other, chance in chances.items()}
        rating = rated("mine", known, shares)
        held += rating.low <= true <= rating.high
        found.append(rating.points)
    assert 0.93 <= held / 800 <= 0.97
    assert abs(np.mean(found) - true) < 4


def test_who_wins_everything_has_a_finite_rating() -> None:
    rating = rated("mine", {"a": Rating("a", 0, -10, 10)}, {"a": np.ones(8)})
    assert 200 < rating.points < 1500
    assert rating.low < rating.points < rating.high < 5000


def test_one_command_prints_the_row_of_the_table(mine: Path, tmp_path: Path) -> None:
    ladder = {
        "game": "orchard_v0",
        "core_hours": 0.1,
        "options": {},
        "agent": [
            {"name": name, "hash": "", "rating": rating, "low": rating - 20, "high": rating + 20}
            for name, rating in (("flat:8", 100), ("random", -100))
        ],
        "pair": [],
    }
    path = tmp_path / "LADDER.toml"
    path.write_text(text_of(ladder))
    code, said = run(f"python:{mine}", "--ladder", str(path), "--blocks", "8")
    assert (code, "against random" in said, "against flat:8" in said) == (0, True, False), said
    assert f"python:{mine}" in said
    code, said = run(f"python:{mine}", "--ladder", str(path), "--against", "greedy")
    assert (code, "expected agents of the ladder (flat:8, random), got greedy" in said) == (2, True), said
