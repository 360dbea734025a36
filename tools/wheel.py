"""Build what is published, into ``dist/``: wheels with built code, and an sdist, whose rules compile at first use::

    python -m tools.wheel

Needs twine and ziglang, which `make wheel` brings. The wheel for this platform holds code for one minor version of
Python, and runs wherever Numba's own wheel does: both stand in its tag, such as ``cp311-none-manylinux_2_27_x86_64``.
Those for other platforms are written here too (`titan_env.compiler.platforms`): they hold libraries, and no bitcode for
games of one's own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path

from setuptools import build_meta

from titan_env.compiler.libraries import FOLDER
from titan_env.compiler.machine import LEVEL
from titan_env.compiler.platforms import PLATFORMS
from titan_env.compiler.target import kind_of_machine

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
_LOWEST = {"x86_64": "x86-64"}
"""The architectures of which machine code for a level below this processor's is shipped too, and that level."""


def build_code() -> None:
    """Write the code of all games into the package: for this level of processors, the lowest, and other platforms.

    Bitcode, by which Numba compiles more, is there for this level alone: with both the wheel would be too large.
    """
    triple, level = kind_of_machine()
    lowest = _LOWEST.get(triple.partition("-")[0], level)
    for each in dict.fromkeys((level, lowest)):
        print(f"code for {each}", flush=True)
        others = [f"--platform={other.name}" for other in PLATFORMS] if each == level else []
        command = [sys.executable, "-m", "titan_env", "cache", "--build", *others]
        subprocess.run(command, env={**os.environ, LEVEL: each}, check=True)
    if lowest != level:
        shutil.rmtree(FOLDER / f"{triple}-{lowest}")


def platform() -> str:
    """Return the platform of the installed Numba's wheel, as tags name it."""
    tags = [line for line in (distribution("numba").read_text("WHEEL") or "").splitlines() if line.startswith("Tag:")]
    if not tags:
        raise ValueError("expected Numba to be installed from a wheel, whose platform this one takes, got no tag")
    return tags[0].rpartition("-")[2]


def build_wheels(folder: Path) -> list[Path]:
    """Write a wheel for each platform that there is built code for, with that code, into a folder; return the paths."""
    others = {other.folder: other.tag for other in PLATFORMS}
    found = {path.name for path in FOLDER.iterdir()}
    parts = [(platform(), found - others.keys()), *((others[name], {name}) for name in sorted(found & others.keys()))]
    return [_build_wheel(folder, tag, names) for tag, names in parts]


def _build_wheel(folder: Path, tag: str, names: Collection[str]) -> Path:
    """Write the wheel for the platforms of a tag, with these folders of built code; return its path.

    A process of its own does it: setuptools remembers which folders it has made.
    """
    options = [f"--python-tag=cp{sys.version_info.major}{sys.version_info.minor}", f"--plat-name={tag}"]
    call = f"build_meta.build_wheel({str(folder)!r}, {{'--build-option': {options}}})"
    with _alone(names):
        _forget_earlier_builds()
        subprocess.run([sys.executable, "-c", f"from setuptools import build_meta; {call}"], check=True)
        _forget_earlier_builds()
    (made,) = folder.glob(f"*-{tag}.whl")
    return made


@contextmanager
def _alone(names: Collection[str]) -> Iterator[None]:
    """Put folders of built code but those with these names aside while the block runs."""
    with tempfile.TemporaryDirectory(dir=FOLDER.parents[1], prefix=".built-") as aside:
        others = [path for path in FOLDER.iterdir() if path.name not in names]
        try:
            for path in others:
                path.rename(Path(aside, path.name))
            yield
        finally:
            for path in others:
                if not path.exists():
                    Path(aside, path.name).rename(path)


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
    made = [*build_wheels(DIST), build_sdist(DIST)]
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *map(str, made)], check=True)
    for path in made:
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
