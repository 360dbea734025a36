"""Games as tensors are, row by row and byte for byte, those of `GameVectorEnv`; tests/kernels plays those of a GPU."""

from __future__ import annotations

import importlib.util
import itertools
import re
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
import torch

from tests.envs.pairs import VARIED, assert_same_records, play_both, same
from tests.play.test_delegation import asked_most
from titan_env import agents, registry
from titan_env.compiler.cuda_driver import CudaDriver
from titan_env.contract import Game
from titan_env.engine.batch import IllegalAction
from titan_env.envs.torch import GameTorchEnv, NumpyAgent
from titan_env.envs.vector import GameVectorEnv
from titan_env.extras import MissingExtra

ROWS, STEPS = 6, 80


def lowest(observations: Any, masks: Any, rng: Any = None) -> Any:
    """The agent and the policy that play the legal action with the lowest number."""
    return masks.argmax(1)


def play_and_compare(one: GameTorchEnv, other: GameVectorEnv, steps: int = STEPS) -> int:
    """Play so many steps in both and compare them at each; return the number of ends."""
    ends = play_both(one, other)
    for _ in range(steps):
        next(ends)
        assert_same_records(one, other)
    return next(ends)


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
@pytest.mark.parametrize("seats", ["all", "one"])
def test_the_games_are_those_of_the_vector_environment(game: Game, seats: str, mode: str) -> None:
    keywords: dict[str, Any] = {"seats": seats, "autoreset_mode": mode, "max_cycles": 40, "reward": "rank"}
    whole = game.rules.fields.whole
    ended = play_and_compare(
        GameTorchEnv(game, ROWS, whole=whole, **keywords), GameVectorEnv(game, ROWS, whole=whole, **keywords)
    )
    assert ended > 0


@pytest.mark.parametrize("opponents", [lowest, "each"], ids=["one", "each"])
def test_policies_play_the_other_seats_as_agents_do(game: Game, opponents: Any) -> None:
    seats = int(game.rules.configure()["seats"][0])
    given = [lowest] * (seats - 1) if opponents == "each" else lowest
    keywords: dict[str, Any] = {"opponents": given, "max_episode_steps": 15}
    play_and_compare(GameTorchEnv(game, ROWS, **keywords), GameVectorEnv(game, ROWS, **keywords), 40)


@pytest.mark.parametrize("opponents", ["name", "each", "pool", "own"])
def test_agents_of_the_processor_play_the_other_seats_as_in_the_vector_environment(game: Game, opponents: str) -> None:
    seats, name = int(game.rules.configure()["seats"][0]), agents.default_agent(game)
    own = agents.load("flat:2", game)  # one that plans
    given = {"name": name, "each": [name, *["random"] * (seats - 2)], "pool": {"pool": ["random", name]}, "own": own}
    keywords: dict[str, Any] = {"whole": game.rules.fields.whole, "max_episode_steps": 15}
    there = NumpyAgent(own) if opponents == "own" else given[opponents]
    one = GameTorchEnv(game, ROWS, opponents=there, **keywords)
    play_and_compare(one, GameVectorEnv(game, ROWS, opponents=given[opponents], **keywords), 20)


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
@pytest.mark.parametrize("name", VARIED)
def test_every_game_draws_of_the_options_that_vary(name: str, mode: str) -> None:
    keywords: dict[str, Any] = {"vary": VARIED[name], "autoreset_mode": mode, "max_episode_steps": 5}
    one, other = GameTorchEnv(name, ROWS, **keywords), GameVectorEnv(name, ROWS, **keywords)
    assert play_and_compare(one, other, 40) > 0
    batch = one.to_host([1, 3])
    assert batch.variant.tolist() == other.batch.variant[[1, 3]].tolist()
    assert len(set(other.batch.variant.tolist())) > 1
    with pytest.raises(ValueError, match="expected either vary or options of the game"):
        one.reset(options={"game": {key: values[0] for key, values in VARIED[name].items()}})


def test_options_vary_in_every_game_that_has_some() -> None:
    assert set(VARIED) == {*registry.names()} - {"bare"}


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
@pytest.mark.parametrize("seats", ["all", "one", "policies"])
def test_policies_answer_what_is_delegated_as_agents_do(game: Game, seats: str, mode: str) -> None:
    asks = asked_most(game)
    keywords: dict[str, Any] = {"autoreset_mode": mode, "max_cycles": 60, "reward": "rank"}
    keywords |= {"opponents": lowest} if seats == "policies" else {"seats": seats}
    if len(asks) > 1:
        others = [ask.name for ask in game.rules.asks if int(ask) and int(ask) != asks[0]]
        keywords["delegate"] = dict(zip(others, itertools.cycle([lowest, agents.default_agent(game)])))
        play_and_compare(GameTorchEnv(game, ROWS, **keywords), GameVectorEnv(game, ROWS, **keywords), 10)


@pytest.mark.parametrize("opponents", ["random", lowest], ids=["random", "policy"])
@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_rewards_are_shaped_as_in_the_vector_environment(game: Game, mode: str, opponents: Any) -> None:
    rng = np.random.default_rng(0)
    weights = {part.name: rng.normal(size=part.shape) for part in game.rules.fields.parts}
    keywords: dict[str, Any] = {"shaping": weights, "gamma": 0.9, "autoreset_mode": mode, "opponents": opponents}
    for whole in {False, game.rules.fields.whole}:
        keywords |= {"whole": whole, "max_episode_steps": 15}
        one, other = GameTorchEnv(game, ROWS, **keywords), GameVectorEnv(game, ROWS, **keywords)
        assert play_and_compare(one, other, 40) > 0
        one.reset()  # where all have just ended, all potentials are 0
        assert one.batch.shaping
        assert one.batch.shaping.potentials.any() or game.name == "bare"  # which begins with nothing seen


def test_some_fields_are_seen_in_whole_numbers_or_fractions() -> None:
    for whole in (False, True):
        layout = GameTorchEnv("titan_race", 1, whole=whole).view.layout
        chosen: dict[str, Any] = {"fields": [layout.parts[0].name, layout.parts[-1].name], "whole": whole}
        one, other = GameTorchEnv("titan_race", ROWS, **chosen), GameVectorEnv("titan_race", ROWS, **chosen)
        play_and_compare(one, other, 20)
        assert one.observation_space == other.observation_space


def test_rows_of_a_mask_are_reset_with_options_of_their_own() -> None:
    envs = GameTorchEnv("titan_race", 3, seats="all"), GameVectorEnv("titan_race", 3, seats="all")
    mask = np.array([False, True, False])
    for env in envs:
        env.reset(seed=1)
        env.reset(seed=[None, 7, None], options={"reset_mask": mask, "game": {"circuit": "kaldheira"}})
    one, other = envs
    for _ in range(400):  # the middle game begins anew on its circuit
        one.step(one.batch.sample())
        other.step(other.batch.sample())
    assert one.to_host().states.tobytes() == other.batch.states.tobytes()


def test_a_refused_action_leaves_its_game_as_it_is_until_somebody_asks() -> None:
    env = GameTorchEnv("pig", 3, seats="all", on_illegal="raise")
    env.reset(seed=1)
    before = env.to_host().states.copy()
    actions = env.batch.sample()
    actions[1] = 99
    *_, infos = env.step(actions)
    assert infos["decided"].tolist() == [True, False, True]
    assert env.to_host().states[1] == before[1]
    assert env.to_host().states[0] != before[0]
    with pytest.raises(IllegalAction, match=r"expected an action from 0 to .*, got 99 in row 1"):
        env.raise_illegal()
    env.raise_illegal()  # it was told
    env.step(env.batch.sample())
    env.raise_illegal()


def test_an_illegal_action_is_replaced_and_counted() -> None:
    env = GameTorchEnv("pig", 2, seats="all")
    env.reset(seed=1)
    *_, infos = env.step(torch.tensor([99, -1]))
    assert infos["illegal"].tolist() == [1, 1]
    assert infos["decided"].all()


def test_finished_rows_stay_as_they_are_where_nothing_resets_them() -> None:
    env = GameTorchEnv("pig", 2, seats="all", autoreset_mode="DISABLED", max_cycles=1)
    env.reset(seed=1)
    *_, truncations, _ = env.step(env.batch.sample())
    before = env.to_host().states.copy()
    *_, again, infos = env.step(torch.zeros(2, dtype=torch.int64))
    assert truncations.all()
    assert again.all()
    assert not infos["decided"].any()
    assert env.to_host().states.tobytes() == before.tobytes()


def test_a_row_on_the_host_plays_on_as_the_row_does() -> None:
    env = GameTorchEnv("titan_race", 4, seats="all")
    env.reset(seed=1)
    batch = env.to_host([2])
    for _ in range(20):
        env.step(env.batch.sample())
        batch.step(batch.sample())
    assert batch.states[0].tobytes() == env.to_host([2]).states[0].tobytes()
    assert (env.to_host(torch.tensor([False, False, True, False])).masks == batch.masks).all()


def test_every_seat_observes_and_is_paid_as_in_a_batch() -> None:
    env = GameTorchEnv("titan_race", 4, seats="all")
    env.reset(seed=1)
    for _ in range(30):
        env.step(env.batch.sample())
    seats = torch.tensor([0, 1, 2, 3])
    batch = env.to_host()
    assert same(env.batch.observe(seats), batch.observe(seats.numpy()))
    assert same(env.batch.payoffs(), batch.payoffs())


def test_arrays_are_copies_unless_told_otherwise_and_other_libraries_take_them() -> None:
    for copy in (True, False):
        env = GameTorchEnv("pig", 2, seats="all", copy=copy)
        seen, infos = env.reset(seed=1)
        taken = np.from_dlpack(seen)
        env.step(env.batch.sample())
        assert np.shares_memory(taken, seen.numpy())
        assert (env.batch.observations.data_ptr() == seen.data_ptr()) is not copy
        assert (env.batch.masks.data_ptr() == infos["action_mask"].data_ptr()) is not copy


WRONG: dict[str, tuple[type[Exception], Callable[[], Any], str]] = {
    "unknown device": (ValueError, lambda: GameTorchEnv("pig", device="tpu"), 'expected device to be "cpu", "cuda"'),
    "device without memory": (ValueError, lambda: GameTorchEnv("pig", device="meta"), "expected device to be"),
    "no device": (TypeError, lambda: GameTorchEnv("pig", device=3), "expected device to be"),
    "agent": (ValueError, lambda: GameTorchEnv("pig", opponents="experts"), "expected an agent among"),
    "no agent": (TypeError, lambda: GameTorchEnv("pig", opponents=[3]), "opponents: expected a policy.*, got 3"),
    "no pool": (ValueError, lambda: GameTorchEnv("pig", opponents={"pool": "greedy"}), "got {'pool': 'greedy'}"),
    "array": (TypeError, lambda: GameTorchEnv("pig", opponents=np.array(["random"] * 2)), "opponents: expected a po"),
    "name as agent": (TypeError, lambda: NumpyAgent("greedy"), "expected an agent act.*, got 'greedy'"),
    "both": (ValueError, lambda: GameTorchEnv("pig", seats="all", seat=0), "expected neither seat nor opponents"),
    "keyword": (TypeError, lambda: GameTorchEnv("pig", threads=2), "threads"),
    "delegate": (TypeError, lambda: GameTorchEnv("pig", delegate={"roll": 3}), "expected a policy.*, got 3"),
    "question": (ValueError, lambda: GameTorchEnv("pig", delegate={"shoot": lowest}), "expected questions among"),
    "shaping": (ValueError, lambda: GameTorchEnv("pig", seats="all", shaping={}), "expected no shaping where every"),
    "games": (ValueError, lambda: GameTorchEnv("pig", 0), "expected num_envs to be a number from 1"),
    "illegal": (ValueError, lambda: GameTorchEnv("pig", on_illegal="stay"), "expected on_illegal to be one of"),
    "gpu": (RuntimeError, lambda: GameTorchEnv("pig", device="cuda:99"), "expected a (CUDA build of torch|GPU of NV)"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_in_one_line(case: str) -> None:
    error, call, line = WRONG[case]
    with pytest.raises(error, match=line) as result:
        call()
    assert "\n" not in str(result.value)


def test_wrong_actions_and_masks_change_nothing() -> None:
    env = GameTorchEnv("pig", 2, seats="all")
    with pytest.raises(Exception, match=re.escape("expected reset() before the first step()")):
        env.step(torch.zeros(2, dtype=torch.int64))
    with pytest.raises(ValueError, match="expected the first reset to be of all games"):
        env.reset(options={"reset_mask": torch.tensor([True, False])})
    env.reset(seed=1)
    before = env.to_host().states.tobytes()
    for actions in (np.zeros(2, np.int64), torch.zeros(2), torch.zeros(2, dtype=torch.bool)):
        with pytest.raises(TypeError, match="expected actions as a tensor of integers"):
            env.step(actions)
    with pytest.raises(ValueError, match="expected actions as a tensor of integers"):
        env.step(torch.zeros(3, dtype=torch.int64))
    for mask in (torch.tensor([False, False]), torch.tensor([1, 0]), torch.tensor([True])):
        with pytest.raises(ValueError, match="expected options"):
            env.reset(options={"reset_mask": mask})
    assert env.to_host().states.tobytes() == before


def test_seeds_of_rows_that_are_not_reset_change_nothing() -> None:
    one, other = GameTorchEnv("pig", 2), GameVectorEnv("pig", 2)
    one.reset(seed=1)
    other.reset(seed=1)
    one.reset(seed=[None, 5], options={"reset_mask": torch.tensor([True, False])})
    other.reset(seed=[None, 5], options={"reset_mask": np.array([True, False])})
    assert_same_records(one, other)
    assert one.batch.rng.bit_generator.state == other.batch.rng.bit_generator.state


def test_too_little_memory_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*shape: Any, **keywords: Any) -> Any:
        raise RuntimeError("CUDA out of memory.\nTried to allocate 3 GiB")

    monkeypatch.setattr(torch, "zeros", full)
    with pytest.raises(MemoryError, match=r"expected room for 5000 games on cpu, some \d+ MB, got less; make fewer"):
        GameTorchEnv("titan_race", 5000)


def test_an_opponent_that_plays_illegal_actions_is_refused() -> None:
    agent = NumpyAgent(lambda seen, masks, rng: masks.argmin(1))
    twice = NumpyAgent(lambda seen, masks, rng: masks.argmax(1).repeat(2))
    for policy, line in (
        (lambda seen, masks: masks.argmin(1), "expected legal actions"),
        (lowest_twice, "expected 2 action numbers"),
        (lambda seen, masks: masks.argmax(1) > 0, "expected 2 action numbers from a policy, got torch.bool"),
        (lambda seen, masks: masks.argmax(1).tolist(), r"expected 2 action numbers from a policy as a tensor, got \["),
        (agent, "expected a legal action in row"),
        (twice, "expected 2 action numbers"),
    ):
        env = GameTorchEnv("goofspiel", 2, seat=1, opponents=policy)
        with pytest.raises((TypeError, ValueError), match=line):
            env.reset(seed=1)


def test_games_that_an_error_of_an_opponent_has_left_are_to_be_reset() -> None:
    answers = iter([True, False])

    def fails_once(observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        if not next(answers, True):
            raise KeyError("opponent")
        return masks.argmax(1)

    env = GameTorchEnv("goofspiel", 2, seat=1, opponents=fails_once)
    env.reset(seed=1)
    with pytest.raises(KeyError, match="opponent"):
        env.step(env.batch.sample())
    with pytest.raises(ValueError, match="left in the middle by an opponent that raised an error; reset it first"):
        env.step(env.batch.sample())
    env.reset()
    assert env.step(env.batch.sample())[4]["decided"].all()


def lowest_twice(observations: Any, masks: Any) -> Any:
    """A policy that answers each question twice."""
    return masks.argmax(1).repeat(2)


def test_what_a_gpu_lacks_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(RuntimeError, match="expected a GPU of NVIDIA with its driver as cuda, found 0; use device"):
        GameTorchEnv("pig", device="cuda")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="expected numba_cuda, which the extra cuda brings"):
        CudaDriver((9, 0), nullcontext)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "nvidia" else name)
    with pytest.raises(MissingExtra, match="expected nvidia-cuda-nvcc, which the extra cuda brings"):
        CudaDriver((9, 0), nullcontext)
