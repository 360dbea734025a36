"""Build what is published, into ``dist/``: a wheel with built code, and an sdist, whose rules compile at first use::

    python -m tools.wheel

Needs twine, which `make wheel` brings. Built code is for one minor version of Python and runs wherever Numba's own
wheel does: both stand in the wheel's tag, such as ``cp311-none-manylinux_2_27_x86_64``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

from setuptools import build_meta

from titan_env.compiler.libraries import FOLDER
from titan_env.compiler.machine import LEVEL
from titan_env.compiler.target import kind_of_machine

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
_LOWEST = {"x86_64": "x86-64"}
"""The architectures of which machine code for a level below this processor's is shipped too, and that level."""


def build_code() -> None:
    """Write the code of all games into the package: libraries for this level of processors, and for the lowest.

    Bitcode, by which Numba compiles more, is there for this level alone: with both the wheel would be too large.
    """
    triple, level = kind_of_machine()
    lowest = _LOWEST.get(triple.partition("-")[0], level)
    for each in dict.fromkeys((level, lowest)):
        print(f"code for {each}", flush=True)
        subprocess.run(
            [sys.executable, "-m", "titan_env", "cache", "--build"], env={**os.environ, LEVEL: each}, check=True
        )
    if lowest != level:
        shutil.rmtree(FOLDER / f"{triple}-{lowest}")


def platform() -> str:
    """Return the platform of the installed Numba's wheel, as tags name it."""
    tags = [line for line in (distribution("numba").read_text("WHEEL") or "").splitlines() if line.startswith("Tag:")]
    if not tags:
        raise ValueError("expected Numba to be installed from a wheel, whose platform this one takes, got no tag")
    return tags[0].rpartition("-")[2]


def build_wheel(folder: Path) -> Path:
    """Write the wheel of the package, with the built code that lies in it, into a folder; return its path."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    options = [f"--python-tag={python}", f"--plat-name={platform()}"]
    _forget_earlier_builds()
    name = build_meta.build_wheel(str(folder), {"--build-option": options})
    _forget_earlier_builds()
    return folder / name


def build_sdist(folder: Path) -> Path:
    """Write the sdist, which holds no built code, into a folder; return its path."""
    return folder / build_meta.build_sdist(str(folder))


def _forget_earlier_builds() -> None:
    """Remove the folder in which setuptools collects files: what an earlier build left there would be packed too."""
    shutil.rmtree(ROOT / "build", ignore_errors=True)


def main() -> None:
    """Build both, and check their metadata."""
    os.chdir(ROOT)
    build_code()
    DIST.mkdir(exist_ok=True)
    made = [build_wheel(DIST), build_sdist(DIST)]
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *map(str, made)], check=True)
    for path in made:
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
