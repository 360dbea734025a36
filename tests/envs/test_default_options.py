"""Every environment takes the options of its game where it is made, and others for one episode where it is reset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from titan_env.contract import Game
from titan_env.envs import aec, single_agent, vector
from titan_env.envs.default_options import DefaultOptions

pytest.importorskip("sb3_contrib")

from titan_env.envs import sb3

MAKERS: dict[str, Callable[..., Any]] = {
    "aec": aec.make,
    "single_agent": single_agent.make,
    "vector": lambda **options: vector.make(2, **options),
    "sb3": lambda **options: sb3.make(2, **options),
}


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """The function that makes an environment, of one API after the other."""
    made: Callable[..., Any] = MAKERS[request.param]
    return made


def reset(env: Any, options: Any) -> None:
    """Reset an environment with options; Stable-Baselines3 takes them in a call of their own before."""
    if isinstance(env, sb3.GameVecEnv):
        env.set_options(options)
        env.reset()
    else:
        env.reset(options=options)


# Where an environment is made


@pytest.mark.parametrize("unknown", ["templates", "num_games", "nonsense"])
def test_an_unknown_keyword_is_refused(game: Game, make: Callable[..., Any], unknown: str) -> None:
    with pytest.raises(TypeError, match=f"expected an option of {game.metadata.title}, got '{unknown}'"):
        make(game=game, **{unknown: 1})


def test_a_misspelt_keyword_is_answered_with_the_one_that_was_meant(game: Game, make: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="got 'on_ilegal'; did you mean on_illegal"):
        make(game=game, on_ilegal="raise")


def test_what_is_no_game_is_refused_with_the_names_of_games(make: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="expected a game or its name, got 3; there are: "):
        make(game=3)


# Where an episode begins


def test_options_of_a_reset_replace_those_of_the_environment_for_one_episode(make: Callable[..., Any]) -> None:
    """In Pig 20 points win by default; other keys than "game" are for other programs."""
    env = make(game="pig", limit=99)
    batch = env.batch
    reset(env, {"game": {"goal": 7}, "elsewhere": 1})
    assert set(batch.states["goal"]) == {7}
    assert set(batch.states["limit"]) == {99}, "of the environment"
    reset(env, {})
    assert set(batch.states["goal"]) == {20}
    assert set(batch.states["limit"]) == {99}


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"goal": 7}, ValueError, "expected 'goal' under \"game\""),
        ({"game": "x"}, TypeError, 'expected options\\["game"\\] as a dict'),
        ({"game": {"gaol": 3}}, TypeError, "got 'gaol'; did you mean goal"),
        ({"game": {"players": 3}}, ValueError, "expected options for 2 agents, got 3"),
    ],
)
def test_wrong_options_of_a_reset_are_refused_in_words(
    make: Callable[..., Any], wrong: dict[str, Any], error: type[Exception], words: str
) -> None:
    env = make(game="pig")
    reset(env, {})
    with pytest.raises(error, match=words):
        reset(env, wrong)


@pytest.mark.parametrize("api", ["aec", "single_agent", "vector"])
def test_options_of_a_reset_that_are_no_dict_are_refused(game: Game, api: str) -> None:
    with pytest.raises(TypeError, match="expected options of reset"):
        MAKERS[api](game=game).reset(options="x")
    with pytest.raises(TypeError, match="expected options of reset"):
        DefaultOptions(game, {}, DefaultOptions).of_episode("x")


def test_rows_of_a_vector_environment_that_are_not_reset_keep_their_options() -> None:
    env = vector.make(2, game="pig", autoreset_mode="DISABLED")
    env.reset(seed=0)
    env.reset(options={"reset_mask": np.array([False, True]), "game": {"goal": 7}})
    assert env.batch.states["goal"].tolist() == [20, 7]
