"""Learners choose what they observe by the names of fields: in every API the same numbers as without a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from titan_env import registry
from titan_env.contract import DerivedFields, Field, Fields, Game
from titan_env.engine.batch import Batch
from titan_env.engine.observation_view import ObservationView
from titan_env.envs.aec import GameAEC
from titan_env.envs.sb3 import GameVecEnv
from titan_env.envs.single_agent import GameEnv
from titan_env.envs.vector import GameVectorEnv

STEPS = 12
Seen = Iterator[tuple[NDArray[Any], Any]]
"""Observations, each with the space that they are in."""


def every_second(game: Game) -> list[str]:
    """The names of half of a game's fields."""
    return [part.name for part in game.rules.fields.parts][::2]


def by_aec(game: Game, **choice: Any) -> Seen:
    env = GameAEC(game, on_illegal="random", **choice)
    env.reset(seed=3)
    for agent in env.agent_iter(STEPS):
        seen, _, ended, cut, _ = env.last()
        assert seen is not None
        yield seen["observation"], env.observation_space(agent)["observation"]
        env.step(None if ended or cut else int(seen["action_mask"].argmax()))
    yield env.state(), env.state_space


def by_single(game: Game, **choice: Any) -> Seen:
    env = GameEnv(game, **choice)
    seen, info = env.reset(seed=3)
    for _ in range(STEPS):
        yield seen, env.observation_space
        seen, _, ended, _, info = env.step(info["action_mask"].argmax())
        if ended:
            seen, info = env.reset()


def by_vector(game: Game, **choice: Any) -> Seen:
    for how in ({"seats": "all"}, {"autoreset_mode": "SameStep", "max_episode_steps": 3}):
        envs = GameVectorEnv(game, 3, **how, **choice)
        seen, infos = envs.reset(seed=3)
        for _ in range(STEPS):
            yield seen, envs.observation_space
            seen, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
            for final in filter(lambda one: one is not None, infos.get("final_obs", ())):
                yield final, envs.single_observation_space


def by_sb3(game: Game, **choice: Any) -> Seen:
    envs = GameVecEnv(game, 3, max_episode_steps=4, **choice)
    envs.seed(3)
    seen = envs.reset()
    for _ in range(STEPS):
        yield seen[0], envs.observation_space
        seen, _, _, infos = envs.step(envs.action_masks().argmax(axis=1))
        for info in infos:
            if "terminal_observation" in info:
                yield info["terminal_observation"], envs.observation_space


def by_openspiel(game: Game, **choice: Any) -> Seen:
    from titan_env.envs import openspiel

    table = openspiel.load(game.name, **choice)
    state = table.new_initial_state()
    rng = np.random.default_rng(3)
    for _ in range(STEPS):
        while state.is_chance_node():
            state.apply_action(int(state.chance_outcomes()[0][0]))
        if state.is_terminal():
            return
        yield np.array(state.observation_tensor(state.current_player()), np.float32), None
        state.apply_action(int(rng.choice(state.legal_actions())))


def by_jax(game: Game, **choice: Any) -> Seen:
    jax = pytest.importorskip("jax")
    from titan_env.envs.jax import GameJaxEnv

    env = GameJaxEnv(game, **choice)
    state, step = env.init(jax.random.key(3)), jax.jit(env.step)
    for _ in range(3):
        yield np.asarray(state.observation), None
        assert state.observation.shape == env.observation_shape
        state = step(state, state.legal_action_mask.argmax())


APIS = {"aec": by_aec, "single": by_single, "vector": by_vector, "sb3": by_sb3, "openspiel": by_openspiel}


@pytest.mark.thorough
@pytest.mark.parametrize("api", APIS.values(), ids=APIS)
def test_every_api_observes_the_chosen_fields_of_what_it_observes_without_a_choice(
    game: Game, api: Callable[..., Seen]
) -> None:
    if api is by_openspiel:
        pytest.importorskip("pyspiel")
    kept = every_second(game)
    slices = game.rules.fields.slices
    columns = np.concatenate([np.r_[slices[name]] for name in kept])
    left = [part.name for part in game.rules.fields.parts if part.name not in kept]
    choices = [{"fields": kept[::-1]}, {"without": left}] if left else [{"fields": kept}]
    for choice in choices:
        for (whole, _), (seen, space) in zip(api(game), api(game, **choice), strict=True):
            rows = whole.reshape(-1, game.rules.fields.size)[:, columns]
            np.testing.assert_array_equal(seen.reshape(rows.shape), rows)
            assert space is None or space.contains(seen)


@pytest.mark.thorough
def test_inside_of_jax_the_chosen_fields_are_those_of_the_whole_observation() -> None:
    game = registry.load("pig")
    kept = every_second(game)
    columns = np.concatenate([np.r_[game.rules.fields.slices[name]] for name in kept])
    for (every, _), (seen, _) in zip(by_jax(game), by_jax(game, fields=kept), strict=True):
        np.testing.assert_array_equal(seen, every[columns])


def test_whole_numbers_are_chosen_in_the_smallest_dtype_that_holds_the_choice(game: Game) -> None:
    if not game.rules.fields.whole:
        pytest.skip("observes in fractions")
    view = ObservationView(game, fields=every_second(game), whole=True)
    batch = Batch(game, 2, whole=True)
    batch.seed(3)
    batch.start()
    seen = view(batch.observations)
    assert seen.dtype == view.layout.dtype
    plain = ObservationView(game, fields=every_second(game))(game.rules.fields.to_float(batch.observations))
    np.testing.assert_array_equal(view.layout.to_float(seen), plain)


def test_who_chooses_nothing_gets_the_very_array(game: Game) -> None:
    view = ObservationView(game)
    row = np.zeros(game.rules.fields.size, np.float32)
    assert view.is_plain
    assert view(row) is row


def test_the_choice_makes_the_same_view_again(game: Game) -> None:
    view = ObservationView(game, fields=every_second(game), derived=list(game.rules.derived))
    again = ObservationView(game, **view.choice)
    assert again.layout == view.layout
    assert again.choice == view.choice


def test_derived_fields_keep_their_bounds_and_are_equal_in_fractions_and_whole_numbers(game: Game) -> None:
    if not game.rules.derived:
        pytest.skip("derives nothing")
    names = list(game.rules.derived)
    batch = Batch(game, 32, whole=game.rules.fields.whole)
    batch.seed(3)
    batch.start()
    view = ObservationView(game, derived=names, whole=game.rules.fields.whole)
    plain = ObservationView(game, derived=names)
    low, high = plain.layout.bounds()
    for _ in range(60):
        seen = plain(game.rules.fields.to_float(batch.observations))
        assert ((low <= seen) & (seen <= high)).all()
        if game.rules.fields.whole:
            np.testing.assert_array_equal(view.layout.to_float(view(batch.observations)), seen)
        batch.step(batch.sample())
        batch.start(batch.states["over"] > 0)


PIG = registry.load("pig")


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"fields": ["scroe"]}, "expected fields among what is there, got 'scroe'; the observation has the fields"),
        ({"without": ["*"]}, "expected without to leave something to see"),
        ({"fields": []}, "expected fields to leave something to see"),
        ({"derived": ["luck"]}, "expected derived among what is there, got 'luck'; Pig derives nothing"),
        ({"fields": ["*"], "without": ["*"]}, "got both"),
        ({"fields": "points"}, "expected fields as a list of names, got 'points'"),
        ({"without": [3]}, "expected without as a list of names"),
        ({"derived": 3}, "expected derived as a list of names, got 3"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_choice_that_cannot_be_made_is_refused_with_what_there_is(choice: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError)) as refused:
        GameEnv(PIG, **choice)
    assert message in str(refused.value)


def test_a_derived_field_needs_a_name_of_its_own() -> None:
    twice = Field(PIG.rules.fields.parts[0].name, (), 0, 1, "the same again")
    assert DerivedFields((twice,), np.asarray, "").parts == (twice,)
    with pytest.raises(ValueError, match="name of its own"):
        Fields((*PIG.rules.fields.parts, twice), PIG.rules.fields.whole)
