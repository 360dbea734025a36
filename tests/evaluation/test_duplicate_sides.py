"""Duplicate play where sides are not alike: one attacker against all others, who is drawn anew in each game."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from tests.games import frontier, orchard
from titan_env import agents
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.blocks import shares_of_wins
from titan_env.evaluation.matches.duplicate import Comparison, play_block_results, play_blocks
from titan_env.evaluation.matches.evaluate import main
from titan_env.evaluation.matches.match import seated, sides_of, win_rates
from titan_env.evaluation.reports.balance import report

pytestmark = pytest.mark.thorough

WAR = frontier.GAME


def staying(observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Never moves."""
    return np.full(len(masks), frontier.STAY)


def striking(observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Strikes furiously where it can, or does the last thing that is legal."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def wars(count: int, seed: int = 0) -> Batch:
    """Wars of three that have begun, each with an attacker of its own."""
    batch = Batch(WAR, count)
    batch.seed([seed + row // 2 for row in range(count)])
    batch.start()
    return batch


def test_every_agent_plays_every_side_in_every_block_and_allies_have_one_agent() -> None:
    batch = wars(12)
    sits = seated(WAR, batch.states, 2)
    attackers = batch.states["attacker"].astype(int)
    assert set(attackers) == {0, 1, 2}
    assert sides_of(WAR, batch.states).sum(axis=1).tolist() == [2] * 12
    for row in range(0, 12, 2):
        assert attackers[row] == attackers[row + 1], "a block is one set-up"
        assert sorted(sits[row + turn, attackers[row]] for turn in range(2)) == [0, 1]
    for row in range(12):
        allies = np.delete(sits[row], attackers[row])
        assert set(allies) == {1 - sits[row, attackers[row]]}


def test_sides_that_fall_together_share_the_win_however_many_seats_they_have() -> None:
    states = wars(2).states.copy()
    states["won"][:, :3] = 1
    sits = seated(WAR, states, 2)
    assert shares_of_wins(states, sides_of(WAR, states), sits, 2).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    states["won"][:, int(states["attacker"][0])] = 0
    assert shares_of_wins(states, sides_of(WAR, states), sits, 2).tolist() == [[0, 1], [1, 0]]


def test_equals_are_equal_in_every_block_however_unfair_the_sides_are() -> None:
    shares = play_blocks(WAR, [striking, striking], range(12))
    assert np.array_equal(shares[:, 0], shares[:, 1][:, ::-1])
    assert Comparison(shares).rate == 0.5
    assert (win_rates(WAR, {"one": striking, "other": striking}, 40, 0)["one"].of) == 40


def test_the_better_agent_is_found_out_on_both_sides_together() -> None:
    players = [agents.load(name, WAR) for name in ("flat:32", "random")]
    assert Comparison(play_blocks(WAR, players, range(8), players=2)).rate > 0.55
    with pytest.raises(ValueError, match="expected 2 to 2 agents at a table of 2, got 3"):
        play_blocks(WAR, [staying] * 3, [0])


def test_points_and_places_are_the_means_of_an_agents_seats() -> None:
    players = [agents.load("random", orchard.GAME)] * 2
    blocks = play_block_results(GameSetup.of(orchard.GAME, {}), players, range(8))
    ahead = blocks.points[:, :, 0] - blocks.points[:, :, 1]
    assert blocks.points.shape == blocks.places.shape == (8, 2, 2)
    assert np.array_equal(ahead > 0, blocks.shares[:, :, 0] == 1)
    assert np.array_equal(ahead > 0, blocks.places[:, :, 0] < blocks.places[:, :, 1])
    known = Comparison(blocks.shares, points=blocks.points)
    assert known.points_ahead is not None
    assert known.points_ahead[0] == pytest.approx(ahead.mean())
    assert Comparison(blocks.shares).points_ahead is None


def test_evaluate_says_by_how_many_points_where_there_are_some(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(main)
    table = tmp_path / "table.csv"
    arguments = ["random", "flat:8", "--game", "orchard", "--blocks", "16", "--out", str(table)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert "points ahead" in done.output
    line = next(csv.DictReader(table.read_text().splitlines()))
    assert float(line["points_half_width"]) > 0
    done = CliRunner().invoke(app, ["random", "random", "--game", "pig", "--blocks", "2"])
    assert "points ahead" not in done.output


def test_balance_shows_points_and_places_by_side() -> None:
    console = Console(record=True, width=160)
    report(WAR, "random", 24, 0, {}, console)
    output = console.export_text()
    for words in ("Wins by side", "Points and places by side", "Points and places by order of play", "mean place"):
        assert words in output
    report(orchard.GAME, "random", 24, 0, {}, console)
    assert "side 1" not in console.export_text()
