"""Every game's rules compile for a GPU, which need not be there, with what `pip install 'numba-cuda[cu12]'` brings."""

from __future__ import annotations

import subprocess
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from titan_env import registry
from titan_env.contract import Game

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(find_spec("numba_cuda") is None, reason="numba-cuda not installed"),
]
OURS = [name for name, entry in registry.GAMES.items() if str(entry.place).startswith("titan_env.games.")]
"""Two of the small games of the tests make arrays in their rules, which no kernel may."""


@pytest.mark.parametrize("name", OURS)
def test_every_rule_is_a_kernel(name: str, tmp_path: Path) -> None:
    from titan_env.engine import cuda

    game = registry.load(name)
    kernels = cuda.ptx(game)
    assert list(kernels) == list(game.rules.functions)
    for kernel, text in kernels.items():
        assert ".target sm_90" in text
        assert text.count(".visible .entry") == 1
        print(name, kernel, *_registers(text, tmp_path))


def _registers(text: str, folder: Path) -> list[str]:
    """What NVIDIA's assembler says of a kernel: its registers, and what does not fit into them. None without it."""
    nvidia = find_spec("nvidia")
    found = (
        [path for place in nvidia.submodule_search_locations or () for path in Path(place).rglob("ptxas")]
        if nvidia
        else []
    )
    if not found:
        return []
    (folder / "kernel.ptx").write_text(text)
    command = [str(found[0]), "-v", "-arch=sm_90", "-o", str(folder / "kernel.cubin"), str(folder / "kernel.ptx")]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return [line.strip() for line in told.splitlines() if "registers" in line or "spill" in line]


def test_records_are_aligned_and_keep_their_fields(game: Game) -> None:
    from titan_env.engine import cuda

    for dtype in (game.rules.state, game.rules.luck, game.rules.log):
        there = cuda.aligned(dtype)
        assert there.isalignedstruct
        assert there.names == dtype.names
        records = np.frombuffer(np.random.default_rng(1).bytes(dtype.itemsize), dtype)
        assert records.astype(there).astype(dtype).tobytes() == records.tobytes()
