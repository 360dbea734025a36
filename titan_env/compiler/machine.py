"""The machine at hand, told without a compiler: its platform, and the levels of processors whose code it runs."""

from __future__ import annotations

import functools
import os
import platform
import sys
from pathlib import Path

LEVEL = "TITAN_ENV_LEVEL"
"""The environment variable for a lower level than the processor has: code for more machines than this one."""

_V3 = "avx avx2 bmi1 bmi2 cx16 f16c fma abm movbe popcnt lahf_lm pni sse4_1 sse4_2 ssse3"
"""The features of the level x86-64-v3, as Linux names them."""
_PROCESSOR = Path("/proc/cpuinfo")
_SYSTEMS = {"darwin": "macos", "win32": "windows"}
_PROCESSORS = {"amd64": "x86_64", "arm64": "aarch64"}


def name() -> str:
    """Return the name of this platform, such as "linux-x86_64" or "macos-aarch64"."""
    processor = platform.machine().lower()
    return f"{_SYSTEMS.get(sys.platform, sys.platform)}-{_PROCESSORS.get(processor, processor)}"


@functools.cache
def levels() -> tuple[str, ...]:
    """Return the levels of processors whose code runs here, the best first, and not above `LEVEL`."""
    if not name().endswith("x86_64"):
        return ("generic",)
    found = ("x86-64-v3", "x86-64") if _has(set(_V3.split())) else ("x86-64",)
    return found[found.index(chosen) :] if (chosen := os.environ.get(LEVEL)) in found else found


def _has(features: set[str]) -> bool:
    """Return whether Linux says that the processor has these features; False on other systems."""
    try:
        lines = _PROCESSOR.read_text("utf-8").splitlines()
    except OSError:
        return False
    return features <= set(next((line for line in lines if line.startswith("flags")), "").split())


def folder_name(level: str, platform_name: str = "") -> str:
    """Return the name of the folder of built libraries for a platform, "" for this one, and a level of processors."""
    return f"{platform_name or name()}-{level}"
