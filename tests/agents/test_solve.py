"""The agent `solve`: the wins of a turn that are sure, and another agent's decisions elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.play.test_sure_wins import BEYOND, SURE, WITH_PUZZLES, is_sure_for_the_seat, puzzles_of
from titan_env import agents, registry
from titan_env.agents.solve import Solving
from titan_env.contract import MOST_SEATS, Game
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.duplicate import play_blocks
from titan_env.evaluation.puzzles.puzzles import score
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.determinization import agent_rng
from titan_env.play.game_loop import game_steps
from titan_env.play.turn_solver import TurnSolver

RACE = registry.load("titan_race")


@pytest.mark.thorough
@pytest.mark.parametrize("name", WITH_PUZZLES)
def test_every_trained_agent_plays_the_wins_that_are_sure_for_it_to_their_end(name: str) -> None:
    game, sure, _ = puzzles_of(name)
    for trained in agents.shipped(game):
        lost = score(game, f"solve:by={trained}", sure).given_away
        missed = [sure[i] for i in np.flatnonzero(lost > 1 - SURE)]
        assert sum(is_sure_for_the_seat(game, puzzle) for puzzle in missed) <= BEYOND * len(sure)


def first_legal(observations: Any, masks: Any, rng: Any) -> Any:
    """An agent that takes the first legal action."""
    return masks.argmax(axis=1)


@pytest.mark.thorough
def test_only_sure_wins_are_played_otherwise(game: Game) -> None:
    """The exact solver agrees, in games without secrets; it follows those without a clock to their end."""
    agent, rng, whole = Solving(game, first_legal), agent_rng(0), game.rules.chance_clock == "decisions"
    batch, everybody = Batch(game, 8), np.zeros((8, MOST_SEATS), np.int64)
    batch.seed(0)
    batch.start()
    for rows in game_steps(batch, everybody, lambda _, rows: batch.sample()[rows]):
        chosen = ask_in_batch(agent, batch, rows, rng)
        for i in np.flatnonzero(chosen.actions != batch.masks[rows].argmax(axis=1)):
            opinion, state = chosen.opinions[i], batch.states[rows[i]].copy()
            assert opinion is not None
            assert opinion.value == 1
            if game.rules.imagine is None:
                assert TurnSolver(game, state, 20_000, whole).action_value(state, int(chosen.actions[i])) > SURE


@pytest.mark.thorough
def test_it_decides_in_many_games_as_in_each_alone() -> None:
    players = [agents.load(name, RACE) for name in ("solve:by=greedy", "greedy")]
    together = play_blocks(RACE, players, range(6), titans=2)
    assert np.array_equal(together, np.concatenate([play_blocks(RACE, players, [seed], titans=2) for seed in range(6)]))


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("solve", "expected the agent that decides where no win is sure, as in solve:by=expert"),
        ("solve:by=exprt", "expected an agent among .* did you mean expert"),
    ],
)
def test_a_wrong_agent_is_refused(name: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        agents.load(name, RACE)
