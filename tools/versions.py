"""Play every game with the lowest versions of the libraries that `setup.cfg` allows, and with the newest::

    python -m tools.versions lowest newest

Each gets an environment of its own in a temporary folder, in which `python -m tools.versions play` plays decisions of
every game as plain Python, and then of one game compiled. The lowest versions want Python 3.11, which all of them know.
"""

from __future__ import annotations

import argparse
import configparser
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DECISIONS = 30
COMPILED = "titan_battle"
"""The game whose rules ask most of the compiler."""


def lowest_versions() -> list[str]:
    """Return the requirements of the package without built code, each at its lower bound, as pip takes them.

    >>> lowest_versions()[0].startswith("numpy==")
    True
    """
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    asked = setup["options"]["install_requires"] + setup["options.extras_require"]["author"]
    bounds = re.findall(r"^([\w-]+)>=([\d.]+)", asked, re.MULTILINE)
    return [f"{library}=={bound}" for library, bound in bounds]


def check(kind: str) -> None:
    """Install the lowest or the newest versions, and play with them. Raises CalledProcessError where that fails."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = str(Path(folder, "Scripts" if os.name == "nt" else "bin", "python"))
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
        subprocess.run(
            [*pip, "--editable", str(ROOT), *(lowest_versions() if kind == "lowest" else ())], check=True, cwd=folder
        )
        for plain, games in (("1", []), ("0", [COMPILED])):
            command = [python, "-m", "tools.versions", "play", *games]
            subprocess.run(command, check=True, cwd=ROOT, env=os.environ | {"NUMBA_DISABLE_JIT": plain})


def play(names: Sequence[str]) -> None:
    """Play decisions of games, or of all, by PettingZoo's API and by Gymnasium's vector API, and print the versions."""
    import numpy as np

    import titan_env
    from titan_env import registry

    libraries = ("numpy", "numba", "gymnasium", "pettingzoo")
    print(", ".join(f"{library} {version(library)}" for library in libraries), flush=True)
    for name in names or registry.names():
        game = titan_env.load(name)
        aec: Any = titan_env.GameAEC(game)
        aec.reset(seed=7)
        for agent in aec.agent_iter(DECISIONS):
            observation, _reward, terminated, truncated, _info = aec.last()
            mask = observation["action_mask"]
            aec.step(None if terminated or truncated else aec.action_space(agent).sample(mask))
        many: Any = titan_env.GameVectorEnv(game, 2)
        _observations, infos = many.reset(seed=7)
        for _ in range(DECISIONS):
            *_, infos = many.step(np.array([np.flatnonzero(mask)[0] for mask in infos["action_mask"]]))
        print(f"{name}: {DECISIONS} decisions by each API", flush=True)


def main() -> None:
    """Check the kinds of versions that are named, or play the games that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "deeds", nargs="+", metavar="lowest|newest|play", help="Versions to check, or: play [GAME ...]."
    )
    deeds = parser.parse_args().deeds
    if deeds[0] == "play":
        return play(deeds[1:])
    for kind in deeds:
        if kind not in ("lowest", "newest"):
            parser.error(f"expected lowest or newest, got {kind!r}")
    for kind in deeds:
        check(kind)


if __name__ == "__main__":
    main()
