"""Every game inside programs of JAX: byte for byte the games of a batch, under jit, vmap, scan and while_loop."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

from tests.games.orchard import GAME as ORCHARD  # noqa: E402
from tests.games.orchard import MOST_ROUNDS, PICK, SHAKE  # noqa: E402
from titan_env.contract import Game, Status  # noqa: E402
from titan_env.engine import xla  # noqa: E402
from titan_env.engine.batch import Batch  # noqa: E402
from titan_env.envs.jax import GameJaxEnv, State  # noqa: E402

GAMES, DECISIONS = 64, 150
STRUCTS = {
    "XLA_FFI_Args": xla.ARGS,
    "XLA_FFI_Rets": xla.RETS,
    "XLA_FFI_Attrs": xla.ATTRS,
    "XLA_FFI_CallFrame": xla.CALL_FRAME,
    "XLA_FFI_Buffer": xla.BUFFER,
    "XLA_FFI_Array": xla.ARRAY,
    "XLA_FFI_Api_Version": xla.API_VERSION,
    "XLA_FFI_Api": xla.API,
    "XLA_FFI_Metadata": xla.METADATA,
    "XLA_FFI_Extension_Base": xla.EXTENSION_BASE,
    "XLA_FFI_Metadata_Extension": xla.METADATA_EXTENSION,
    "XLA_FFI_Error_Create_Args": xla.ERROR_CREATE_ARGS,
}


def begun(env: GameJaxEnv, games: int = GAMES) -> State:
    """Games that have just begun."""
    states: State = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), games))
    return states


def first_legal(state: State) -> Any:
    """The first legal action of each game."""
    return jnp.argmax(state.legal_action_mask, axis=-1).astype(jnp.int32)


def are_equal(one: Any, other: Any) -> bool:
    """Return whether two states are equal in every array."""
    return all(np.array_equal(*pair) for pair in zip(one, other, strict=True))


def row(states: State, number: int) -> State:
    """One of many games."""
    return State(*(part[number] for part in states))


def check_beside_a_batch(game: Game, whole: bool) -> None:
    """Play games in JAX and in a batch with the same streams of chance, and compare every array."""
    env = GameJaxEnv(game, autoreset=True, whole=whole)
    states, batch = begun(env), Batch(game, GAMES, whole=whole)
    batch.seed(0)
    batch.luck[:] = np.asarray(states.luck).view(game.rules.luck)[:, 0]
    batch.states[:] = np.asarray(states.record).view(game.rules.state)[:, 0]
    batch.refresh()
    step = jax.jit(jax.vmap(env.step))
    for _ in range(DECISIONS):
        assert np.asarray(states.record).tobytes() == batch.states.tobytes()
        assert np.asarray(states.luck).tobytes() == batch.luck.tobytes()
        assert states.observation.dtype == batch.observations.dtype
        assert np.array_equal(states.observation, batch.observations)
        assert np.array_equal(states.legal_action_mask, batch.masks != 0)
        assert np.array_equal(states.current_player, batch.states["seat"])
        actions, before = batch.sample(), batch.payoffs("win")
        states = step(states, actions.astype(np.int32))
        batch.step(actions)
        assert np.allclose(states.rewards, (batch.payoffs("win") - before)[:, : env.num_players])
        assert np.array_equal(states.terminated, batch.states["over"] == Status.TERMINATED)
        assert np.array_equal(states.truncated, batch.states["over"] == Status.TRUNCATED)
        batch.start(batch.over)


@pytest.mark.thorough
def test_every_byte_is_that_of_a_batch(game: Game) -> None:
    check_beside_a_batch(game, whole=False)


@pytest.mark.thorough
def test_observations_in_whole_numbers_are_those_of_a_batch() -> None:
    check_beside_a_batch(ORCHARD, whole=True)


@pytest.mark.thorough
def test_all_actions_of_one_state_under_vmap_are_its_single_steps() -> None:
    env = GameJaxEnv(ORCHARD, on_illegal="ignore")
    state = row(begun(env, 1), 0)
    every = jax.vmap(env.step, in_axes=(None, 0))(state, jnp.arange(env.num_actions))
    for action in range(env.num_actions):
        assert are_equal(row(every, action), env.step(state, action))


def test_an_illegal_action_fails_the_program_and_says_so() -> None:
    env = GameJaxEnv(ORCHARD)
    with pytest.raises(Exception, match="expected a legal action in every game, got an illegal one; nothing has chan"):
        jax.block_until_ready(env.step(row(begun(env, 1), 0), env.num_actions))


def test_an_illegal_action_that_is_ignored_leaves_its_game_as_it_is_and_marks_it() -> None:
    env = GameJaxEnv(ORCHARD, on_illegal="ignore")
    states = begun(env, 2)
    after = jax.vmap(env.step)(states, jnp.array([-1, 0]))
    assert after.illegal.tolist() == [True, False]
    assert not after.rewards.any()
    assert np.array_equal(after.record[0], states.record[0])
    assert not np.array_equal(after.record[1], states.record[1])


@pytest.mark.thorough
def test_a_branch_that_is_not_taken_does_no_harm_where_illegal_actions_are_ignored() -> None:
    env = GameJaxEnv(ORCHARD, on_illegal="ignore")

    def maybe(state: State, plays: Any) -> State:
        bad, good = (lambda one: env.step(one, env.num_actions)), (lambda one: env.step(one, first_legal(one)))
        chosen: State = jax.lax.cond(plays, good, bad, state)
        return chosen

    states = begun(env, 2)
    after = jax.vmap(maybe)(states, jnp.array([True, False]))
    assert after.illegal.tolist() == [False, True]


@pytest.mark.thorough
def test_a_scan_leaves_its_inputs_as_they_were_and_plays_what_single_steps_play() -> None:
    env = GameJaxEnv(ORCHARD, autoreset=True)
    states = begun(env)
    before = State(*(np.array(part) for part in states))

    @jax.jit
    def many(states: State) -> State:
        return jax.lax.scan(lambda s, _: (jax.vmap(env.step)(s, first_legal(s)), None), states, None, 50)[0]

    after = many(states)
    assert are_equal(states, before)
    for _ in range(50):
        states = jax.vmap(env.step)(states, first_legal(states))
    assert are_equal(after, states)


def test_a_game_that_is_over_stays_over_and_pays_once() -> None:
    env = GameJaxEnv(ORCHARD)

    def pick_or_shake(state: State) -> State:
        return env.step(state, jnp.where(state.current_player == 0, PICK, SHAKE))

    @jax.jit
    def to_the_end(state: State) -> State:
        played: State = jax.lax.while_loop(lambda state: ~state.terminated, pick_or_shake, state)
        return played

    end = to_the_end(row(begun(env, 1), 0))
    assert int(np.asarray(end.record).view(ORCHARD.rules.state)[0]["rounds"]) == MOST_ROUNDS
    assert end.terminated
    assert end.rewards.any()
    assert not end.legal_action_mask.any()
    later = env.step(end, 0)
    assert later.terminated
    assert not later.rewards.any()
    assert np.array_equal(later.record, end.record)


@pytest.mark.thorough
def test_chance_follows_the_key_of_a_step_and_without_one_goes_on() -> None:
    env = GameJaxEnv("pig")
    state = row(begun(env, 1), 0)
    roll = first_legal(state)
    keys = jax.random.split(jax.random.key(1), 32)
    fell = jax.vmap(lambda key: env.step(state, roll, key))(keys)
    assert len({bytes(record) for record in np.asarray(fell.record)}) > 1
    assert are_equal(row(fell, 3), env.step(state, roll, keys[3]))
    assert are_equal(env.step(state, roll), env.step(state, roll))


@pytest.mark.parametrize("name", STRUCTS)
def test_the_structs_are_those_of_the_header(name: str) -> None:
    header = (Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h").read_text("utf-8")
    (body,) = re.findall(rf"struct {name} \{{(.*?)\n\}}", header, re.S)
    body = re.sub(r"_XLA_FFI_API_STRUCT_FIELD\(XLA_FFI_(\w+)\)", r"void* \1", re.sub(r"//.*", "", body))
    fields = re.findall(r"(\w+);", body)
    own = STRUCTS[name]
    assert own.names is not None
    named = [field for field in own.names if field != "padding"]
    assert named == fields[: len(named)]
    places = [own.fields[field] for field in named]  # type: ignore[index]
    assert all(place % min(dtype.itemsize, 8) == 0 for dtype, place, *_ in places), "as a C compiler lays them out"


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"on_illegal": "skip"}, ValueError, "expected on_illegal to be one of raise, ignore, got 'skip'"),
        ({"autoreset": 1}, TypeError, "expected autoreset to be True or False, got 1"),
        ({"reward": "gold"}, ValueError, "expected reward to be one of win, rank, score, got 'gold'"),
        ({"apples": 3}, TypeError, "apples"),
    ],
)
def test_what_cannot_be_is_refused(keywords: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        GameJaxEnv(ORCHARD, **keywords)


@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        ([0, 1], ValueError, r"expected one action, got an array of shape \(2,\); jax.vmap\(env.step\) takes many"),
        (0.5, TypeError, "expected an integer as action, got float32"),
    ],
)
def test_an_action_is_one_integer(action: Any, error: type[Exception], message: str) -> None:
    env = GameJaxEnv(ORCHARD)
    with pytest.raises(error, match=message):
        env.step(row(begun(env, 1), 0), jnp.array(action))


@pytest.mark.thorough
def test_rules_that_run_as_plain_python_are_refused_in_a_sentence() -> None:
    code = "import titan_env; titan_env.GameJaxEnv('titan_race')"
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    assert "expected compiled rules, which XLA calls; unset NUMBA_DISABLE_JIT" in result.stderr
