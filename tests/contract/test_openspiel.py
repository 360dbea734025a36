"""Every game as an OpenSpiel game: OpenSpiel's own checks and its search play it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from titan_env.contract import Game

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import mcts  # noqa: E402

from titan_env.engine.batch import Batch  # noqa: E402
from titan_env.envs import openspiel  # noqa: E402


def play(state: Any, rng: np.random.RandomState, most: int = 10_000) -> Any:
    """Play on at random, through chance too."""
    for _ in range(most):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            assert sum(chances) == pytest.approx(1)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def test_openspiels_random_simulation_passes(game: Game) -> None:
    pyspiel.random_sim_test(openspiel.load(game.name), num_sims=1, serialize=True, verbose=False)


def test_a_text_names_the_game_with_its_options(game: Game, options: dict[str, Any]) -> None:
    spiel = openspiel.load(game.name, **options)
    again = pyspiel.load_game(str(spiel))
    assert again.rules.template.tobytes() == spiel.rules.template.tobytes()


def test_it_is_the_same_game_with_the_same_observations(game: Game) -> None:
    state = openspiel.load(game.name).new_initial_state()
    batch = Batch(game, 1)
    rng = np.random.RandomState(3)
    for _ in range(60):
        state = play(state, rng, 0 if state.is_terminal() else 1)
        if state.is_terminal() or not state.has_begun:
            continue
        batch.states[:] = state.states
        batch.refresh()
        if not state.is_chance_node():
            assert state.legal_actions() == np.flatnonzero(batch.masks[0]).tolist()
        for seat in range(state.num_players()):
            seen = batch.observe(np.array([seat], np.int8))[0]
            np.testing.assert_array_equal(state.observation_tensor(seat), seen)
            assert state.observation_string(seat) in state.information_state_string(seat)


def test_what_is_hidden_is_shown_as_the_seat_may_see_it(game: Game) -> None:
    if game.show_to is None:
        pytest.skip("nothing is hidden")
    state = openspiel.load(game.name).new_initial_state()
    state = play(state, np.random.RandomState(1), 100)
    if not state.is_terminal() and state.has_begun:
        assert game.show_to(state.states[0], 0) in state.observation_string(0)


def test_openspiels_search_plays_pig() -> None:
    spiel = openspiel.load("pig", goal=10)
    rng = np.random.RandomState(0)
    bot = mcts.MCTSBot(spiel, 1.5, 10, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = spiel.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state = play(state, rng, 1)
        else:
            assert state.legal_actions()
            state.apply_action(bot.step(state))
    assert sum(state.returns()) == 0
    assert max(state.returns()) == 1


def test_a_reward_that_has_no_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match="expected reward to be one of win, rank, got 'score'"):
        openspiel.load("pig", reward="score")
