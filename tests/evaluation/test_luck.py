"""How much of a result is settled, and when: two continuations of each position, as alike as it is settled."""

from __future__ import annotations

import numpy as np
import pytest

from titan_env import agents, registry
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.evaluation.reports import luck

pytestmark = pytest.mark.thorough

PIG = registry.load("pig")


def payoffs(*twins: tuple[int, int]) -> np.ndarray:
    """The payoffs of two seats, of continuations that these seats have won."""
    return np.array([[[1, -1] if won == 0 else [-1, 1] for won in pair] for pair in twins], float)


def test_a_position_whose_continuations_end_alike_settles_everything() -> None:
    assert luck.settled(payoffs((0, 0), (1, 1), (0, 0))) == (1, 1, 1)


def test_positions_whose_continuations_have_nothing_to_do_with_each_other_settle_nothing() -> None:
    share, low, high = luck.settled(payoffs(*[(0, 0), (0, 1), (1, 0), (1, 1)] * 100))
    assert share == 0
    assert -0.15 < low < 0 < high < 0.15


def test_the_share_is_that_of_the_variance() -> None:
    """A seat that wins three of four from half the positions, and one of four from the others: a quarter of it."""
    likely = [(0, 0)] * 9 + [(0, 1)] * 3 + [(1, 0)] * 3 + [(1, 1)]
    turned = [(1 - one, 1 - other) for one, other in likely]
    assert luck.settled(payoffs(*likely, *turned))[0] == pytest.approx(0.25)


def test_games_that_nobody_wins_are_refused() -> None:
    with pytest.raises(ValueError, match="expected games that somebody wins, got none"):
        luck.settled(np.zeros((5, 2, 2)))


def test_each_fifth_begins_where_so_many_decisions_have_been_taken_of_the_same_games() -> None:
    agent, games = agents.load("random", PIG), 12
    positions = luck.positions_of(PIG, agent, games, 3, {})
    batch = Batch(PIG, games)
    batch.seed(3)
    batch.start()
    assert len(positions) == luck.PARTS
    assert positions[0].tobytes() == batch.states.tobytes(), "before the first decision"
    for _ in luck.steps_of(agent, batch, luck.agent_rng(3)):
        continue
    for part, states in enumerate(positions):
        assert (states["decisions"] == batch.states["decisions"] * part // luck.PARTS).all()
        assert (states["over"] == 0).all()


def test_every_game_has_continuations_that_sum_to_nothing_won(game: Game) -> None:
    agent = agents.load("random", game)
    positions = luck.positions_of(game, agent, 4, 1, {})[-1]
    twins = luck.twin_payoffs(game, agent, positions, 2)
    assert twins.shape[:2] == (4, 2)
    np.testing.assert_allclose(twins.sum(axis=2), 0, atol=1e-6)
