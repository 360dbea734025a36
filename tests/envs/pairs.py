"""Games as tensors beside the same games of `GameVectorEnv`: played together, compared byte for byte."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from titan_env.envs.torch import GameTorchEnv
from titan_env.envs.vector import GameVectorEnv

VARIED: dict[str, dict[str, list[Any]]] = {
    "titan_race": {"circuit": ["kaldheira", "moltenchest"], "laps": [1, 2, 3]},
    "tiny_turbo_cars": {"length": [1, 4], "podium": [False, True]},
    "fantasy_racing": {"rounds": [5, 10], "circuit": ["sieve", "gauntlet"]},
    "titan_battle": {"land": ["plains", "swamp"], "mirror": [False, True]},
    "titan_war": {"goal": [0, 100], "lean": [False, True]},
    "pig": {"goal": [20, 50], "limit": [0, 9]},
    "orchard": {"rounds": [2, 9]},
    "goofspiel": {"cards": [5, 6]},
    "frontier": {"turns": [30, 60], "limit": [0, 40]},
}
"""Options that vary, of every game that has some beside its number of players."""


def same(tensor: torch.Tensor, array: NDArray[Any]) -> bool:
    """Whether both have the same dtype, shape and bytes."""
    there = tensor.numpy()
    return (there.dtype, there.shape, there.tobytes()) == (array.dtype, array.shape, array.tobytes())


def equal_infos(there: dict[str, Any], here: dict[str, Any]) -> set[str]:
    """The infos of a step that differ; final ones are compared in finished rows."""
    wrong = {name for name in here if not name.startswith(("final", "_final")) and not same(there[name], here[name])}
    if "final_obs" in here:
        rows = here["_final_obs"]
        finals = np.stack([*here["final_obs"][rows]])
        infos = {name for name in here["final_info"] if not name.startswith("_")}
        wrong |= set() if same(there["final_obs"][torch.from_numpy(rows)], finals) else {"final_obs"}
        wrong |= {name for name in infos if not same(there["final_info"][name][rows], here["final_info"][name][rows])}
    return wrong


def play_both(one: GameTorchEnv, other: GameVectorEnv) -> Iterator[int]:
    """Play random actions in both with equal seeds; before each step yield the number of ends, all equal so far."""
    (seen, infos), (array, info) = one.reset(seed=5), other.reset(seed=5)
    ended = 0
    while True:
        assert same(seen, array)
        assert equal_infos(infos, info) == set()
        yield ended
        actions, numbers = one.batch.sample(), other.batch.sample()
        assert same(actions, numbers)
        seen, *results, infos = one.step(actions)
        array, *values, info = other.step(numbers)
        assert all(map(same, results, values))
        ended += int(np.count_nonzero(values[1] | values[2]))


def assert_same_records(one: GameTorchEnv, other: GameVectorEnv) -> None:
    """Assert that both keep the same states, luck and streams of choices."""
    host = one.to_host()
    assert host.states.tobytes() == other.batch.states.tobytes()
    assert host.luck.tobytes() == other.batch.luck.tobytes()
    assert host.choices.tobytes() == other.batch.choices.tobytes()


def play_to_ends(one: GameTorchEnv, other: GameVectorEnv, ends: int, most: int) -> None:
    """Play both as `play_both` until so many games have ended, within so many steps; compare the records too."""
    ended = 0
    for played, ended in enumerate(itertools.islice(play_both(one, other), most)):
        if played % 20 == 0 or ended >= ends:
            assert_same_records(one, other)
        if ended >= ends:
            return
    raise AssertionError(f"expected {ends} games to end within {most} steps, got {ended}")
