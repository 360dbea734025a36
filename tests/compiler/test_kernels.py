"""Kernels of a real game, compiled for this processor without NVIDIA's compilers, play byte for byte as its loops do.

tests/kernels, which needs an environment with these compilers, plays all games to their ends and compiles for GPUs.
"""

from __future__ import annotations

import pytest

from tests.envs.pairs import play_to_ends
from titan_env import registry
from titan_env.engine.devices import KernelDevice
from titan_env.envs.torch import GameTorchEnv
from titan_env.envs.vector import GameVectorEnv

ROWS, ENDS, MOST = 150, 20, 500
"""Games side by side, more than one block of threads; the games to play to their ends, in at most so many steps."""


@pytest.mark.compiled
def test_kernels_of_a_real_game_play_as_on_the_processor() -> None:
    pytest.importorskip("numba_cuda")
    from tests.kernels.processor import Processor

    game = registry.load("tiny_turbo_cars")
    one = GameTorchEnv(game, ROWS, KernelDevice(game, "cpu", Processor()), seats="all", whole=True)
    other = GameVectorEnv(game, ROWS, seats="all", whole=True)
    play_to_ends(one, other, ENDS, MOST)
