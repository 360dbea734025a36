"""A device gets the loops of a game as kernels, with words for arguments, and aligned records in its memory.

Here one runs them as plain Python, a row at a time; tests/kernels runs what a GPU does.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from titan_env import registry
from titan_env.compiler.device_arrays import DeviceArray, aligned, words_of
from titan_env.compiler.jit import interpreted
from titan_env.contract import Game
from titan_env.engine.devices import HostDevice, KernelDevice
from titan_env.envs.torch import GameTorchEnv
from titan_env.envs.vector import GameVectorEnv


class Interpreter:
    """A driver that runs kernels as plain Python."""

    def load(self, bound: Any, arguments: tuple[Any, ...], layout: Any) -> Any:
        """Return the loop as plain Python, and such arguments as it takes."""
        return interpreted(bound), arguments

    def launch(self, kernel: Any, rows: int, words: list[int]) -> None:
        """Run the loop for each row."""
        loop, kinds = kernel
        left = iter(words)
        given = read(kinds, left)
        assert list(left) == []
        for row in range(rows):
            loop(row, row + 1, *given)


def read(kind: Any, words: Iterator[int]) -> Any:
    """Return the argument of this kind that the next words stand for."""
    if isinstance(kind, tuple):
        parts = [read(part, words) for part in kind]
        return type(kind)(*parts) if hasattr(kind, "_fields") else tuple(parts)
    if isinstance(kind, float):
        return struct.unpack("<d", next(words).to_bytes(8, "little", signed=True))[0]
    if not isinstance(kind, DeviceArray):
        return next(words)
    _, _, count, size, address = (next(words) for _ in range(5))
    shape, strides = ([next(words) for _ in kind.shape] for _ in range(2))
    if not count:
        return np.zeros(shape, kind.dtype)
    memory = np.frombuffer((ctypes.c_char * (count * size)).from_address(address), kind.dtype).reshape(shape)
    assert list(memory.strides) == strides
    return memory.view(np.recarray) if kind.dtype.names else memory


@pytest.mark.parametrize("seats", ["all", "one"])
def test_a_device_with_aligned_records_plays_the_games_of_the_processor(game: Game, seats: str) -> None:
    device = KernelDevice(game, "cpu", Interpreter())
    keywords: dict[str, Any] = {"seats": seats, "max_cycles": 12, "whole": game.rules.fields.whole}
    one, other = GameTorchEnv(game, 2, device, **keywords), GameVectorEnv(game, 2, **keywords)
    one.reset(seed=3)
    other.reset(seed=3)
    for _ in range(15):
        actions, numbers = one.batch.sample(), other.batch.sample()
        assert actions.tolist() == numbers.tolist()
        seen, *_ = one.step(actions)
        array, *_ = other.step(numbers)
        assert seen.numpy().tobytes() == array.tobytes()
    host = one.to_host()
    assert host.states.tobytes() == other.batch.states.tobytes()
    assert host.luck.tobytes() == other.batch.luck.tobytes()


def test_the_processor_plays_the_same_games_on_any_number_of_threads() -> None:
    game = registry.load("pig")
    one, other = (GameTorchEnv(game, 200, HostDevice(game, threads), seats="all") for threads in (1, 2))
    for env in (one, other):
        env.reset(seed=1)
        for _ in range(10):
            env.step(env.batch.sample())
    assert one.to_host().states.tobytes() == other.to_host().states.tobytes()


@pytest.mark.parametrize("name", registry.names())
def test_records_are_aligned_and_keep_their_fields(name: str) -> None:
    rules = registry.load(name).rules
    for dtype in (rules.state, rules.luck, rules.log):
        there = aligned(dtype)
        assert there.isalignedstruct
        assert there.names == dtype.names
        records = np.frombuffer(np.random.default_rng(1).bytes(dtype.itemsize), dtype)
        assert records.astype(there).astype(dtype).tobytes() == records.tobytes()


def test_arguments_are_words_of_eight_bytes() -> None:
    array = DeviceArray(4096, np.dtype(np.float32), (2, 3))
    assert words_of((array, -1, 1.0, True)) == [0, 0, 6, 4, 4096, 2, 3, 12, 4, -1, 0x3FF0000000000000, 1]
