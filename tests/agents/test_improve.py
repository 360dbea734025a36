"""The planner `improve`: an agent's own decision, unless another one is clearly better in imagined worlds."""

from __future__ import annotations

import numpy as np
import pytest

from titan_env import agents, registry
from titan_env.agents.improve import Improve, advantages, position_values
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.duplicate import play_blocks
from titan_env.play.agent_calls import ask_in_batch

pytestmark = pytest.mark.thorough

BATTLE = registry.load("titan_battle")
PIG = registry.load("pig")


def test_an_advantage_counts_less_its_standard_error_over_the_worlds() -> None:
    worth = np.array([[0.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5], [2.0, -1.0, 2.0, -1.0]])
    assert advantages(worth, own=0, sure=1).tolist() == [0, 0.5, round(0.5 - 3**0.5 / 2, 4)]
    assert advantages(worth, own=0, sure=0).tolist() == [0, 0.5, 0.5]
    assert (advantages(worth, own=1, sure=0) <= 0).all()


@pytest.mark.parametrize(("other", "best"), [(0, "hold"), (19, "roll")])
def test_without_values_of_positions_games_are_played_to_their_end(other: int, best: str) -> None:
    """The agent holds what it has; that is too late where the other player wins with the next roll but one."""
    assert position_values(PIG) is None
    batch = Batch(PIG, 1, goal=20)
    batch.start()
    batch.states["seat"], batch.states["heap"] = 0, 8
    batch.states["points"][0, :2] = 10, other
    batch.refresh()
    hold = [text == "hold" for text in PIG.rules.actions.texts]

    def scores(observations: np.ndarray) -> np.ndarray:
        heap = PIG.rules.fields.split(observations)["heap"].reshape(-1, 1)
        return np.where(heap > 0, hold, np.logical_not(hold)).astype(np.float32)

    action = ask_in_batch(Improve(scores, 64, 1.0, None), batch, np.array([0]), np.random.default_rng(0)).actions
    assert PIG.rules.actions.texts[action[0]] == best


def test_it_decides_in_many_games_as_in_each_alone() -> None:
    players = [agents.load(name, BATTLE) for name in ("improve:4,by=greedy", "greedy")]
    duel = BATTLE.rules.presets["duel"]
    together = play_blocks(BATTLE, players, range(4), **duel)
    alone = [play_blocks(BATTLE, players, [seed], **duel) for seed in range(4)]
    assert np.array_equal(together, np.concatenate(alone))


def test_an_agent_that_must_be_very_sure_decides_as_the_one_it_improves() -> None:
    batch = Batch(BATTLE, 8, growth=2)
    batch.seed(0)
    batch.start()
    rows, rng = np.arange(8), np.random.default_rng(0)
    improved, greedy = (agents.load(name, BATTLE) for name in ("improve:4,by=greedy,sure=100", "greedy"))
    for _ in range(6):
        chosen = ask_in_batch(improved, batch, rows, rng)
        scores = np.where(batch.masks, greedy.scores(batch.observations), -np.inf)  # type: ignore[attr-defined]
        assert np.array_equal(scores[rows, chosen.actions], scores.max(axis=1))
        batch.step(chosen.actions)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("improve", "expected at least 2 worlds and the agent to improve, as in improve:16,by=greedy"),
        ("improve:16", "expected at least 2 worlds and the agent to improve"),
        ("improve:1,by=greedy", "expected at least 2 worlds and the agent to improve"),
        ("improve:2.5,by=greedy", "expected 1 to 1000000 simulations, got 2.5"),
        (
            "improve:16,by=random",
            "expected by to be an agent that scores actions, .*, got by=random",
        ),
        ("improve:16,by=greedy,sure=-1", "expected sure to be a number of standard errors from 0 to 100, got -1"),
    ],
)
def test_an_impossible_planner_is_refused_before_anything_is_played(name: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        agents.load(name, BATTLE)
