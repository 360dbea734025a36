"""Every game as an OpenSpiel game: OpenSpiel's own checks and its search play it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from titan_env.contract import Game

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402

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


@pytest.mark.thorough
def test_openspiels_random_simulation_passes(game: Game) -> None:
    pyspiel.random_sim_test(openspiel.load(game.name, max_cycles=30), num_sims=1, serialize=True, verbose=False)


def test_python_is_told_what_openspiels_algorithms_in_c_plus_plus_are_told(game: Game) -> None:
    state = openspiel.load(game.name, max_cycles=40).new_initial_state()
    rng = np.random.RandomState(5)
    for _ in range(60):
        state = play(state, rng, 1)
        assert state.is_chance_node() == pyspiel.State.is_chance_node(state)
        for ask in ("legal_actions", "legal_actions_mask"):
            mine, own = getattr(state, ask), getattr(pyspiel.State, ask)
            assert mine() == own(state)
            assert all(mine(player) == own(state, player) for player in range(state.num_players()))
        for ask in ("observation_tensor", "information_state_tensor"):
            mine, own = getattr(state, ask), getattr(pyspiel.State, ask)
            assert all(mine(player) == own(state, player) for player in range(state.num_players()))
            if state.current_player() >= 0:
                assert mine() == own(state)


def test_a_text_names_the_game_with_its_options(game: Game, options: dict[str, Any]) -> None:
    spiel = openspiel.load(game.name, **options)
    again = pyspiel.load_game(str(spiel))
    assert again.rules.template.tobytes() == spiel.rules.template.tobytes()


def test_it_is_the_same_game_with_the_same_observations(game: Game) -> None:
    state = openspiel.load(game.name).new_initial_state()
    batch = Batch(game, 1)
    rng = np.random.RandomState(3)
    for _ in range(30):
        state = play(state, rng, 0 if state.is_terminal() else 1)
        if state.is_terminal() or not state.position.has_begun:
            continue
        batch.states[:] = state.position.state
        batch.refresh()
        if not state.is_chance_node():
            assert state.legal_actions() == np.flatnonzero(batch.masks[0]).tolist()
        for seat in range(state.num_players()):
            seen = batch.observe(np.array([seat], np.int8))[0]
            np.testing.assert_array_equal(state.observation_tensor(seat), seen)
            assert state.observation_string(seat) in state.information_state_string(seat)


def test_what_is_hidden_is_shown_as_the_seat_may_see_it(game: Game) -> None:
    if game.text.position_text_for is None:
        pytest.skip("nothing is hidden")
    state = openspiel.load(game.name).new_initial_state()
    state = play(state, np.random.RandomState(1), 100)
    if not state.is_terminal() and state.position.has_begun:
        assert game.text.position_text_for(state.position.state[0], 0) in state.observation_string(0)


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


def resamplings(game: Game, seed: int) -> Iterator[tuple[Any, int, Any]]:
    """Yield states of a random game in which somebody decides, each player, and what is resampled for it."""
    rng = np.random.RandomState(seed)
    state = openspiel.load(game.name).new_initial_state()
    for _ in range(150):
        if state.is_terminal():
            return
        if state.is_player_node():
            for player in range(state.num_players()):
                yield state, player, state.resample_from_infostate(player, rng.random_sample)
        state = play(state, rng, 1)


@pytest.mark.thorough
def test_a_resampled_state_cannot_be_told_from_the_one_it_was_made_of(game: Game) -> None:
    for state, player, world in resamplings(game, 1):
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.observation_string(player) == state.observation_string(player)
        assert world.observation_tensor(player) == state.observation_tensor(player)
        assert world.current_player() == state.current_player()
        if player == state.current_player():
            assert world.legal_actions() == state.legal_actions()


def test_a_resampled_state_says_of_the_past_only_what_the_player_has_heard(game: Game) -> None:
    for state, player, world in resamplings(game, 2):
        sentences = state.heard(player)
        assert [world.heard(seat) for seat in range(state.num_players())] == [sentences] * state.num_players()
        assert world.history() == []
        again = world.resample_from_infostate((player + 1) % state.num_players(), lambda: 0.5)
        assert again.heard(player) == sentences


def test_what_is_hidden_is_drawn_anew(game: Game) -> None:
    worlds: dict[tuple[str, int], set[str]] = {}
    for state, player, world in resamplings(game, 3):
        worlds.setdefault((str(state), player), set()).add(str(world))
    if game.rules.imagine is None:
        assert all(shown == {position} for (position, _), shown in worlds.items())
    else:
        assert any(shown != {position} for (position, _), shown in worlds.items())


def test_a_resampled_state_is_played_on_and_copied(game: Game) -> None:
    rng = np.random.RandomState(4)
    for number, (_, player, world) in enumerate(resamplings(game, 4)):
        if number % 20 == 0:
            copied = world.clone()
            assert copied.information_state_string(player) == world.information_state_string(player)
            before = str(world)
            copied = play(copied, rng, 10)
            assert str(world) == before
            assert copied.is_terminal() or copied.position.state[0].decisions >= world.position.state[0].decisions


def test_chance_is_not_resampled() -> None:
    state = openspiel.load("titan_race").new_initial_state()
    assert state.is_chance_node()
    with pytest.raises(ValueError, match="expected a state in which a player decides"):
        state.resample_from_infostate(0, lambda: 0.5)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["goofspiel", "titan_race"])
def test_openspiels_search_through_information_sets_plays(name: str) -> None:
    spiel = openspiel.load(name)
    rng = np.random.RandomState(0)
    bot = ismcts.ISMCTSBot(spiel, mcts.RandomRolloutEvaluator(1, rng), 1.5, 8, random_state=rng)
    state = spiel.new_initial_state()
    for _ in range(20):
        if state.is_terminal():
            break
        if state.is_chance_node():
            state = play(state, rng, 1)
        else:
            state.apply_action(bot.step(state))
    assert state.position.state[0].decisions > 0


def test_a_game_of_max_cycles_decisions_is_over_and_worth_nothing(game: Game) -> None:
    spiel = openspiel.load(game.name, max_cycles=4)
    assert pyspiel.load_game(str(spiel)).max_game_length() == spiel.max_game_length() == 4
    rng = np.random.RandomState(0)
    for _ in range(3):
        state = play(spiel.new_initial_state(), rng)
        assert state.is_terminal()
        assert state.current_player() == pyspiel.PlayerId.TERMINAL
        assert state.legal_actions() == []
        assert state.position.state[0].decisions == 4 or state.position.state[0].over
        assert state.position.state[0].over or state.position.state[0].out.any() or not any(state.returns())
        with pytest.raises(ValueError, match="expected a game that goes on"):
            state.apply_action(0)
    with pytest.raises(ValueError, match="expected max_cycles to be a number of decisions from 1 to"):
        openspiel.load(game.name, max_cycles=0)


def test_an_observer_that_is_asked_for_names_the_fields_of_its_tensor(game: Game) -> None:
    state = play(openspiel.load(game.name).new_initial_state(), np.random.RandomState(2), 200)
    observer = state.get_game().make_py_observer()
    observer.set_from(state, 0)
    assert set(observer.dict) == {field.name for field in game.rules.fields.parts}
    assert observer.tensor.tolist() == state.observation_tensor(0)
    assert np.concatenate([part.ravel() for part in observer.dict.values()]).tolist() == observer.tensor.tolist()
