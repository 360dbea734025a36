"""An entrant sits among the same panel as everybody, and is rated on a scale that no later agent moves."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.evaluation.cards import TASKS, run
from titan_env.contract import Game
from titan_env.evaluation.benchmark import benchmark, compare_cards
from titan_env.evaluation.benchmark.panel import Panel, block_ratings, entrants_wins
from titan_env.evaluation.benchmark.result_cards import FORMAT, read_card
from titan_env.evaluation.matches.plackett_luce import ELO, Choices, Fit
from titan_env.records.sealed import read_json, write_json

PANEL = Panel(("random", "greedy", "expert", "trained"), ("flat:4", "mcts:4"), "expert")
STRENGTHS = (-700.0, -120.0, 0.0, 60.0, -400.0, -200.0)
"""Points of the panel's members."""


def play(agent: str, out: Path, *given: str) -> str:
    code, text = run(benchmark.main, agent, "--out", str(out), *given)
    assert code == 0, text
    return text


def won(rating: float, lineups: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Shares of the wins (blocks, games, sides) in simulated games among an entrant of a rating and the panel."""
    weights = np.exp(np.array([rating, *STRENGTHS]) / ELO)[lineups]
    blocks, sides = lineups.shape
    chances = (weights / weights.sum(axis=1, keepdims=True)).cumsum(axis=1)
    winners = (rng.random((blocks, sides, 1)) > chances[:, None, :]).sum(axis=2)
    return np.eye(sides)[winners]


@pytest.mark.thorough
def test_both_fixed_points_of_the_scale_hold_by_their_own_rows(pig: Game, tmp_path: Path) -> None:
    for agent, score in (("random", 0), ("flat:4", 100)):
        play(agent, tmp_path / f"{agent}.json")
        scores = benchmark.scores_of(read_card(tmp_path / f"{agent}.json"))
        assert [of_task.mean() for of_task in scores.values()] == pytest.approx([score, score], abs=0.02)


@pytest.mark.thorough
def test_a_new_best_agent_changes_nobodys_score(pig: Game, tmp_path: Path) -> None:
    play("constant:hold", tmp_path / "card.json")
    before = benchmark.scores_of(read_card(tmp_path / "card.json"))
    (tmp_path / "benchmark.toml").write_text(TASKS.replace('best = "constant:hold"', 'best = "flat:8"'), "utf-8")
    play("best", tmp_path / "best.json")
    assert read_card(tmp_path / "best.json").head.agents == {"pig": "flat:8"}
    after = benchmark.scores_of(read_card(tmp_path / "card.json"))
    assert all((after[task] == before[task]).all() for task in before)


@pytest.mark.thorough
def test_a_card_names_the_smallest_difference_that_each_task_resolves(pig: Game, tmp_path: Path) -> None:
    text = play("random", tmp_path / "card.json")
    known = benchmark.references_by_task(read_card(tmp_path / "card.json"))
    assert " resolves " in text
    for references in known.values():
        assert f"│ {references.resolves(24):.1f} " in text
        assert references.resolves(24) == pytest.approx(2 * references.resolves(96))


@pytest.mark.thorough
def test_a_card_says_which_members_its_agent_was_trained_against(pig: Game, tmp_path: Path) -> None:
    assert "knowledge none, trained against flat:4," in play("random", tmp_path / "card.json", "--met", "flat:4")
    code, text = run(benchmark.main, "random", "--met", "greedy")
    assert (code, "expected --met members of the panels, random; flat:4; flat:2; got greedy" in text) == (2, True)


@pytest.mark.thorough
def test_a_card_of_another_panel_or_of_the_former_version_is_refused_in_one_line(pig: Game, tmp_path: Path) -> None:
    cards = [tmp_path / "one.json", tmp_path / "other.json", tmp_path / "former.json"]
    play("random", cards[0])
    content = read_json(cards[0], FORMAT, "tasks")
    body = {name: value for name, value in content.items() if name not in ("digest", "format", "count")}
    write_json(cards[1], {**body, "panels": {"pig": "0" * 12}}, FORMAT, "tasks")
    write_json(cards[2], body, "titan_env card 3", "tasks")
    for given in ([cards[0], cards[1]], [cards[1], cards[0]], [cards[1]]):
        code, text = run(compare_cards.main, *map(str, given))
        assert code == 2
        assert re.search(r"expected the panel \w{12} of pig, got \w{12}; play the card again", " ".join(text.split()))
    code, text = run(benchmark.main, str(cards[1]), "--check")
    assert (code, "expected the panel" in text) == (2, True)
    code, text = run(compare_cards.main, str(cards[2]))
    assert (code, "titan_env card 4" in " ".join(text.split())) == (2, True), text


@pytest.mark.thorough
def test_a_member_that_cannot_be_had_is_named_in_one_line(pig: Game, tmp_path: Path) -> None:
    (tmp_path / "benchmark.toml").write_text(TASKS.replace("flat:2", "policy:gone.onnx"), "utf-8")
    code, text = run(benchmark.main, "random")
    assert (code, "gone.onnx" in text) == (2, True), text


@pytest.mark.parametrize("sides", [2, 3, 6])
def test_all_entrants_meet_the_same_members_as_often(sides: int) -> None:
    lineups = PANEL.lineups(sides, range(500, 620))
    assert ((lineups == 0).sum(axis=1) == 1).all(), "the entrant has one side"
    assert (PANEL.lineups(sides, range(500, 620))[:50] == lineups[:50]).all()
    assert (lineups[:50] == PANEL.lineups(sides, range(500, 550))).all(), "more blocks go on from there"
    others = np.array([row[row > 0] for row in lineups])
    assert (others[1::2] == others[1::2, :1]).all(), "copies of one member"
    assert all(len(set(row)) == sides - 1 for row in others[::2].tolist()), "different members"
    met = [(others[::2] == number).any(axis=1).sum() for number in range(1, 7)]
    assert max(met) - min(met) <= 60 // 4


def test_too_few_members_are_joined_by_the_one_that_scores_100() -> None:
    lineups = Panel(("random", "expert"), (), "expert").lineups(5, range(9))
    assert all(sorted(row) == [0, 1, 2, 2, 2] for row in lineups[::2].tolist())


@pytest.mark.parametrize("rating", [-650.0, -100.0, 90.0])
def test_a_rating_is_that_of_most_likelihood_with_the_members_strengths_given(rating: float) -> None:
    lineups = PANEL.lineups(4, range(300))
    shares = won(rating, lineups, np.random.default_rng(1))
    ratings = block_ratings(entrants_wins(shares, lineups), lineups, STRENGTHS)
    tables, games = np.repeat(lineups, 4, axis=0), shares.reshape(-1, 4)
    choices = Choices.of_winners(tables, games, np.repeat(np.arange(300), 4), 7)
    fit = Fit(choices, {number: strength / ELO for number, strength in enumerate(STRENGTHS, 1)})
    assert ratings.mean() == pytest.approx(ELO * fit.strengths[0], abs=0.1)
    low, high = (ELO * end for end in fit.interval(0)[1:])
    assert 2 * 1.96 * ratings.std(ddof=1) / 300**0.5 == pytest.approx(high - low, rel=0.1)


def test_intervals_of_ratings_cover_the_truth() -> None:
    lineups, rng, held = PANEL.lineups(3, range(128)), np.random.default_rng(2), 0
    for _ in range(500):
        ratings = block_ratings(entrants_wins(won(-60, lineups, rng), lineups), lineups, STRENGTHS)
        held += abs(ratings.mean() + 60) < 1.96 * ratings.std(ddof=1) / 128**0.5
    assert 0.92 <= held / 500 <= 0.98


def test_who_wins_nothing_or_everything_is_rated_beyond_all_members() -> None:
    lineups = PANEL.lineups(3, range(64))
    for share, rating in ((0.0, -1500), (1.0, 860)):
        assert block_ratings(np.full((64, 3), share), lineups, STRENGTHS).mean() == pytest.approx(rating)


def test_what_nobody_wins_is_shared_by_all_sides() -> None:
    lineups = np.array([[1, 0, 2]])
    shares = np.array([[[0, 1, 0], [0.5, 0.5, 0], [1, 0, 0], [0, 0, 0]]], np.float64)
    assert entrants_wins(shares, lineups) == pytest.approx(np.array([[1, 0.5, 0, 1 / 3]]))
