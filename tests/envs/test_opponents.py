"""Opponents go by name in every environment: one for all seats, one for each, or a pool of which each game draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from tests.policies import gymnasium_id, some_legal
from titan_env import GameEnv, GameVectorEnv, agents
from titan_env.agents.scorer import Scorer
from titan_env.contract import Game

pytest.importorskip("sb3_contrib")

from titan_env.envs.sb3 import GameVecEnv

APIS: dict[str, Callable[..., Any]] = {
    "GameEnv": GameEnv,
    "GameVectorEnv": lambda game, **options: GameVectorEnv(game, 2, **options),
    "GameVecEnv": lambda game, **options: GameVecEnv(game, 2, **options),
}


def first_legal(observations: Any, masks: Any, rng: Any) -> Any:
    """Return the first legal action of each row."""
    return masks.argmax(axis=1)


def last(observations: Any, masks: Any, rng: Any) -> Any:
    """Return the last legal action of each row: an agent that the first legal one is told from."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def middle(observations: Any, masks: Any, rng: Any) -> Any:
    """Return a legal action in the middle of each row's."""
    counts = masks.cumsum(axis=1, dtype=np.int64)
    return (counts >= (counts[:, -1:] + 1) // 2).argmax(axis=1)


def chosen(observations: Any, masks: Any, rng: Any) -> Any:
    """Return a legal action of each row."""
    return some_legal(masks, rng)


def played(game: Game, opponents: Any, steps: int = 8) -> bytes:
    """Return the states of two games after some steps against these opponents."""
    env = GameVectorEnv(game, 2, seat=0, opponents=opponents)
    infos = env.reset(seed=5)[1]
    for _ in range(steps):
        infos = env.step(infos["action_mask"].argmax(axis=1))[4]
    states: bytes = env.batch.states.tobytes()
    return states


def test_a_name_plays_what_its_agent_plays(game: Game) -> None:
    name = agents.default_agent(game)
    assert played(game, name) == played(game, agents.load(name, game) if name != "random" else "random")


@pytest.mark.parametrize("api", APIS)
def test_every_environment_takes_names_lists_and_pools(game: Game, api: str) -> None:
    others = int(game.rules.configure().seats[0]) - 1
    for opponents in ("random", ["random"] * others, {"pool": ["random", first_legal]}, first_legal):
        env = APIS[api](game, opponents=opponents)
        env.set_opponents(opponents)
        env.reset()


def test_a_list_seats_each_agent_in_turn_order_after_the_learner(game: Game) -> None:
    others = int(game.rules.configure().seats[0]) - 1
    assert played(game, [last] * others) == played(game, last)


def test_what_a_row_draws_of_a_pool_hangs_on_its_own_seed_alone(game: Game) -> None:
    pool = {"pool": [first_legal, last, middle]}
    many = GameVectorEnv(game, 12, opponents=pool)
    many.reset(seed=7)
    for row in range(3):
        one = GameVectorEnv(game, 1, opponents=pool)
        one.reset(seed=7 + row)
        np.testing.assert_array_equal(one.batch.lineup[0], many.batch.lineup[row])
    seated = many.batch.lineup[:, : int(many.batch.templates["seats"].max()) - 1]
    assert set(seated.ravel()) == {0, 1, 2}, "every agent of the pool is drawn"


def test_what_opponents_draw_among_equal_scores_hangs_on_the_rows_own_seed_alone(game: Game) -> None:
    first, actions = game.rules.fields.parts[0].name, len(game.rules.actions)
    agent = Scorer(game, lambda fields, weights: np.zeros((len(fields[first]), actions), np.float32), {})
    many, one = (GameVectorEnv(game, rows, opponents=agent) for rows in (5, 1))
    many.reset(seed=7)
    one.reset(seed=9)
    for _ in range(30):
        assert one.batch.states[0].tobytes() == many.batch.states[2].tobytes()
        chosen = last(None, many.batch.masks, None)
        many.step(chosen)
        one.step(chosen[2:3])


def test_each_new_game_of_a_row_draws_anew(game: Game) -> None:
    env = GameVectorEnv(game, 8, opponents={"pool": [first_legal, last]})
    drawn = set()
    for _ in range(6):
        env.reset()
        drawn.add(env.batch.lineup.tobytes())
    assert len(drawn) > 1


def test_an_environment_with_opponents_is_a_gymnasium_id_and_a_json_spec(game: Game) -> None:
    made = gymnasium.make(gymnasium_id(game), opponents={"pool": ["random", "random"]}, seat=0)
    assert made.spec is not None
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(made.spec.to_json()))
    np.testing.assert_array_equal(made.reset(seed=3)[0], again.reset(seed=3)[0])


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("opponents", "complaint"),
    [
        ("no_such_agent", "expected an agent among"),
        (7, "expected an agent act.* or the name of one, got 7"),
        ({"pool": []}, "expected a pool of opponents such as"),
        ({"pool": "random"}, "expected a pool of opponents such as"),
        ({"greedy": 1}, "expected a pool of opponents such as"),
        (["random"] * 9, "expected one opponent or"),
    ],
)
def test_what_is_no_opponent_is_one_clear_line(game: Game, api: str, opponents: Any, complaint: str) -> None:
    with pytest.raises((TypeError, ValueError), match=complaint) as refused:
        APIS[api](game, opponents=opponents)
    assert "\n" not in str(refused.value)
