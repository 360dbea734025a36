"""An agent of one's own is entered by one file and one command."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training import scripts
from titan_env import agents, registry
from titan_env.evaluation.matches.fingerprints import fingerprint, fingerprints_by_game, sources
from titan_env.evaluation.matches.mixed_tables import Block, draw_tables
from titan_env.evaluation.matches.plackett_luce import ELO, Rating
from titan_env.evaluation.matches.round_file import Round, entry_of, promise_of, write_round
from titan_env.evaluation.ratings import rate_agent
from titan_env.evaluation.ratings.ladder_file import texts_of
from titan_env.evaluation.ratings.rate_agent import rated
from titan_env.evaluation.ratings.results import PROTOCOL

pytestmark = pytest.mark.thorough

MINE = '''"""Always the first legal action."""


def make(game):
    return lambda observations, masks, rng: masks.argmax(axis=1)
'''


run = partial(scripts.run, rate_agent.main)


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


def blocks_of(strength: float, spots: dict[str, float], count: int, rng: np.random.Generator) -> list[Block]:
    """Return blocks of three in which an agent of this strength sits among two of these."""
    points = {"mine": strength, **spots}
    played = []
    for seed, table in enumerate(draw_tables([*points], 3, count, int(rng.integers(10**6)), "a", "mine")):
        luck = rng.gumbel(size=(3, 3)) + np.array([points[name] for name in table]) / ELO
        played.append(Block(seed, table, " ".join(map(str, luck.argmax(axis=1)))))
    return played


def test_a_rating_from_results_is_the_true_one_within_its_interval() -> None:
    rng, true = np.random.default_rng(3), 120.0
    held, found = 0, []
    for _ in range(200):
        spots = {"a": 0.0, "b": 150.0, "c": -300.0}
        seen = {other: at + rng.normal(0, 10) for other, at in spots.items()}
        known = {other: Rating(other, at, at - 19.6, at + 19.6) for other, at in seen.items()}
        rating = rated("mine", known, blocks_of(true, spots, 128, rng))
        held += rating.low <= true <= rating.high
        found.append(rating.points)
    assert 0.91 <= held / 200 <= 0.99
    assert abs(np.mean(found) - true) < 8


def test_who_wins_everything_is_above_a_bound_and_who_loses_everything_below_one() -> None:
    known = {"a": Rating("a", 0, 0, 0), "b": Rating("b", -np.inf, -np.inf, -700)}
    blocks = [Block(seed, ("mine", "a", "b"), "0 0 0") for seed in range(20)]
    assert str(rated("mine", known, blocks)).startswith("above ")
    blocks = [Block(seed, ("mine", "a", "b"), "1 1 1") for seed in range(20)]
    assert str(rated("mine", known, blocks)).endswith("(0 of 60 games)")


def ladder_of_orchard(path: Path) -> dict[str, Any]:
    """Write a ladder of two agents of the game Orchard to this file, and return it."""
    game = registry.load("orchard")
    ladder = {
        "protocol": PROTOCOL,
        "game": "orchard_v0",
        "core_hours": 0.1,
        "options": {},
        "anchor": "random",
        "checks": [],
        "agent": [
            {"name": name, "hash": fingerprint(name, game), "rating": rating, "low": rating - 20, "high": rating + 20}
            | {"wins": 0.5, "games": 100}
            for name, rating in (("flat:8", 100), ("random", 0))
        ],
    }
    for file, text in texts_of(path, ladder, {}).items():
        file.write_text(text)
    return ladder


def test_one_command_prints_the_row_of_the_table(mine: Path, tmp_path: Path) -> None:
    path = tmp_path / "LADDER.toml"
    ladder = ladder_of_orchard(path)
    code, output = run(f"python:{mine}", "--ladder", str(path), "--blocks", "8")
    assert (code, "among random" in output, "flat:8" in output) == (0, True, False), output
    assert f"process:{mine}" in output
    assert "in processes of its own" in " ".join(output.split())
    assert " decisions, 0 forfeited" in " ".join(output.split())
    assert "rating over random" in output
    code, output = run(f"python:{mine}", "--ladder", str(path), "--against", "greedy")
    assert (code, "expected agents of the ladder (flat:8, random), got greedy" in output) == (2, True), output
    ladder["agent"][1]["hash"] = "0" * 12
    path.write_text(texts_of(path, ladder, {})[path])
    code, output = run(f"python:{mine}", "--ladder", str(path))
    assert (code, "expected agents as they were rated, but random has changed since" in output) == (2, True), output


def test_in_a_round_an_agent_is_rated_on_its_seeds_if_it_was_entered(mine: Path, tmp_path: Path) -> None:
    ladder, file = tmp_path / "LADDER.toml", tmp_path / "round.json"
    ladder_of_orchard(ladder)
    salt = "ab" * 16
    chosen = {"orchard": f"process:{mine}"}
    entered = Round(promise_of(salt), {"mine": entry_of(chosen, fingerprints_by_game(chosen))}, salt)
    write_round(file, entered)
    given = (f"python:{mine}", "--ladder", str(ladder), "--blocks", "8", "--round", str(file))
    code, output = run(*given, "--label", "mine")
    assert code == 0, output
    assert f"seeds from {entered.first_seed('orchard_v0', '{}')} on" in " ".join(output.split())
    code, output = run(*given, "--label", "other")
    assert (code, "expected an entry of this round as it was entered (mine)" in output) == (2, True), output
