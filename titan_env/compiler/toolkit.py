"""NVIDIA's assembler and library of functions, from the wheel that the extra ``cuda`` brings."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from titan_env.extras import missing

EXTRA = "cuda"
_REGISTERS, _SPILLS, _STACK = r"Used (\d+) registers", r"(\d+) bytes spill stores", r"(\d+) bytes (?:cumulative )?stack"


class MachineCode(NamedTuple):
    """A kernel for one kind of GPU, and what the assembler says of it."""

    cubin: bytes
    registers: int
    """Registers of each thread, of 255."""
    spills: int
    """Bytes that do not fit into the registers and are stored in a thread's own memory."""
    stack: int
    """Bytes of a thread's own memory for arrays and calls."""


def assemble(ptx: str, capability: tuple[int, int]) -> MachineCode:
    """Return the machine code of PTX with one kernel. Raises RuntimeError with the assembler's message."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
        source.write_text(ptx, "utf-8")
        kind = f"-arch=sm_{capability[0]}{capability[1]}"
        # Products and sums stay apart, as on the CPU.
        command = [str(assembler()), "-v", kind, "--fmad=false", "-o", str(target), str(source)]
        ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        if ran.returncode:
            raise RuntimeError(f"expected PTX that ptxas takes, got: {ran.stderr.strip()[:300]}")
        # It tells of each function that the kernel calls, too: the most of them is what a thread takes.
        counts = (max(map(int, re.findall(pattern, ran.stderr))) for pattern in (_REGISTERS, _SPILLS, _STACK))
        return MachineCode(target.read_bytes(), *counts)


def assembler() -> Path:
    """Return NVIDIA's assembler. Raises MissingExtra without it."""
    return _file("bin/ptxas")


def libdevice() -> bytes:
    """Return NVIDIA's library of functions such as exp, as bitcode."""
    return _file("nvvm/libdevice/libdevice.10.bc").read_bytes()


def _file(name: str) -> Path:
    """Return a file of the wheel of NVIDIA's compilers. Raises MissingExtra without it."""
    found = importlib.util.find_spec("nvidia")
    for folder in (found.submodule_search_locations or ()) if found else ():
        for path in Path(folder).glob(f"*/{name}"):
            return path
    raise missing(EXTRA, "nvidia-cuda-nvcc")
