"""The Gymnasium environment of one agent: one seat of one game, the others played by opponents."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

from tests.envs.arrays import assert_same_games, overwrite
from tests.policies import gymnasium_id, has_chance, settled, some_legal
from titan_env.contract import Game
from titan_env.engine.illegal_actions import IllegalAction
from titan_env.envs import single_agent
from titan_env.envs.single_agent import GameEnv

pytestmark = pytest.mark.one_preset_per_seating


def play(env: GameEnv, seed: int) -> tuple[list[NDArray[np.float32]], float]:
    """One episode of first legal actions: the observations and the return."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    seen, total, over = [observation], 0.0, False
    while not over:
        observation, reward, terminated, truncated, info = env.step(int(some_legal(info["action_mask"][None], rng)[0]))
        seen.append(observation)
        total += reward
        over = terminated or truncated
    return seen, total


def test_gymnasium_check_env(game: Game, options: dict[str, Any]) -> None:
    """Gymnasium's own checker, which plays unmasked actions, has nothing to say."""
    check_env(single_agent.make(game=game, **options), skip_render_check=True)


def test_made_by_name(game: Game) -> None:
    """Gymnasium makes it from the registry, checks it with its renderings, and passes options on."""
    env = gymnasium.make(gymnasium_id(game), opponents=settled, seat=1)
    assert isinstance(env.unwrapped, GameEnv)
    assert env.reset(seed=0)[1]["seat"] == 1
    check_env(env.unwrapped)


def test_copies_keep_the_running_game(game: Game, options: dict[str, Any]) -> None:
    """A deep copy and a pickled one go on by themselves, as the original would."""
    env = GameEnv(game, **options)
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=5)
    actions = some_legal(info["action_mask"][None], rng)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env]
    results = [one.step(actions[0]) for one in copies]
    for observation, *rest, info in results[:2]:
        np.testing.assert_array_equal(observation, results[2][0])
        assert tuple(rest) == results[2][1:4]
        np.testing.assert_array_equal(info["action_mask"], results[2][4]["action_mask"])


def test_stable_baselines_check_env(game: Game, options: dict[str, Any]) -> None:
    """Stable-Baselines3's checker has nothing to say, warnings included."""
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(single_agent.make(game=game, **options))


def test_same_seed_same_episodes(game: Game, options: dict[str, Any]) -> None:
    """Equal seeds give equal episodes; without a seed the stream goes on to another one."""
    one, other = GameEnv(game, **options), GameEnv(game, **options)
    for seed in (1, 2):
        for mine, theirs in zip(*(play(env, seed)[0] for env in (one, other)), strict=True):
            np.testing.assert_array_equal(mine, theirs)
    streams = {one.batch.luck.stream[0]}
    for _ in range(3):
        one.reset()
        streams.add(one.batch.luck.stream[0])
    assert len(streams) == (4 if has_chance(game) else 1)


def test_observation_is_the_own_view_at_the_own_decision(game: Game, options: dict[str, Any]) -> None:
    """Whenever the step returns, the learner is asked, or the game is over and the view still its own."""
    env, rng = GameEnv(game, seat=1, opponents="random", **options), np.random.default_rng(0)
    for seed in range(5):
        observation, info = env.reset(seed=seed)
        over = False
        while True:
            state = env.batch.states[0]
            assert info["seat"] == 1
            assert over or state.seat == 1
            np.testing.assert_array_equal(env.action_masks(), info["action_mask"] == 1)
            assert env.action_masks().any() != over
            assert env.observation_space.contains(observation)
            if over:
                break
            observation, _, terminated, truncated, info = env.step(int(some_legal(info["action_mask"][None], rng)[0]))
            over = terminated or truncated


def test_return_is_the_payoff_of_the_own_seat(game: Game, options: dict[str, Any]) -> None:
    """Over an episode the rewards add up to what the result is worth to the learner."""
    for seat in (0, 1):
        env = GameEnv(game, seat=seat, **options)
        for seed in range(10):
            _, total = play(env, seed)
            assert total == env.batch.payoffs_at_end[0, seat]


def test_agents_play_the_other_seats(game: Game, options: dict[str, Any]) -> None:
    """An agent is asked with rows of one, in its own view, and never for the learner."""

    def act(observations: Any, masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        assert observations.shape == (1, game.rules.fields.size)
        assert env.batch.states[0].seat != env.batch.learners[0]
        return some_legal(masks, rng)

    env = GameEnv(game, opponents=act, **options)
    first, total = play(env, 3)
    again, total_again = play(env, 3)
    assert total == total_again
    assert len(first) == len(again)
    env.set_opponents("random")
    play(env, 3)


def test_illegal_actions(game: Game, options: dict[str, Any]) -> None:
    """They are replaced and counted, or refused before anything has changed."""
    env = GameEnv(game, **options)
    env.reset(seed=0)
    *_, info = env.step(len(game.rules.actions))
    assert info["illegal"] == 1
    strict = GameEnv(game, on_illegal="raise", **options)
    strict.reset(seed=0)
    before = strict.batch.states.tobytes()
    with pytest.raises(IllegalAction, match="expected an action from 0"):
        strict.step(-1)
    illegal = int(np.argmin(strict.action_masks()))
    if not strict.action_masks()[illegal]:
        with pytest.raises(IllegalAction, match="expected a legal action"):
            strict.step(illegal)
    assert strict.batch.states.tobytes() == before


def test_bad_input_gets_one_clear_error(game: Game, options: dict[str, Any]) -> None:
    """Steps before a reset and after the end, and actions that are no number, say what was expected."""
    with pytest.raises(ValueError, match="render_mode"):
        GameEnv(game, render_mode="hologram", **options)
    env = GameEnv(game, **options)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset(seed=0)
    with pytest.raises(TypeError, match="integer"):
        env.step(0.5)
    with pytest.raises(ValueError, match="one action for each"):
        env.step([0, 1])
    play(env, 0)
    with pytest.raises(ValueError, match="reset it first"):
        env.step(0)


def test_render(game: Game, options: dict[str, Any]) -> None:
    """The position as text."""
    env = GameEnv(game, render_mode="ansi", **options)
    env.reset(seed=0)
    assert isinstance(env.render(), str)
    assert env.position() == game.text.position_text(env.batch.states[0])


def test_writing_into_what_was_returned_changes_no_game(game: Game, options: dict[str, Any]) -> None:
    """Two equal environments are played by actions out of their true states, 60 steps, past the end of a small game."""
    clean, overwritten = (single_agent.make(game=game, **options) for _ in range(2))
    clean.reset(seed=5)
    overwrite(overwritten.reset(seed=5))
    for step in range(60):
        if clean.batch.ended[0]:
            clean.reset(seed=5)
            overwrite((overwritten.reset(seed=5), overwritten.action_masks()))
        else:
            (action,) = some_legal(clean.batch.masks, np.random.default_rng(step))
            clean.step(action)
            overwrite((overwritten.step(action), overwritten.action_masks()))
        assert_same_games(clean.batch, overwritten.batch)


# What is refused


def test_an_environment_is_used_after_its_first_reset_only(game: Game) -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"reset\(\)"):
        single_agent.make(game=game).step(0)
    with pytest.raises((gymnasium.error.ResetNeeded, ValueError), match=r"begun|reset\(\)"):
        single_agent.make(game=game, render_mode="ansi").render()


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True, [0, None, 1]])
def test_what_is_no_seed_is_refused(game: Game, seed: Any) -> None:
    with pytest.raises(ValueError, match=r"expected .* seed"):
        single_agent.make(game=game).reset(seed=seed)


@pytest.mark.parametrize("width", ["x", None, float("nan"), 300.5, 99, True])
def test_a_width_that_cannot_be_drawn_is_refused_where_it_is_given(game: Game, width: Any) -> None:
    with pytest.raises(ValueError, match="expected render_width to be a number of pixels from 100 on"):
        single_agent.make(game=game, render_mode="rgb_array", render_width=width)


@pytest.mark.parametrize("keyword", ["copy", "threads"])
def test_keywords_of_batches_are_refused(game: Game, keyword: str) -> None:
    with pytest.raises(TypeError, match=f"got '{keyword}'"):
        single_agent.make(game=game, **{keyword: 1})


def test_a_copy_of_an_environment_with_a_window_opens_its_own(game: Game) -> None:
    pytest.importorskip("pygame")
    env = single_agent.make(game=game, render_mode="human")
    env.reset(seed=0)
    env.render()
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.reset(seed=0)
        other.close()
    env.close()
