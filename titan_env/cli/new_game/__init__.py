"""Write the folder of a new game, ready to be played and changed: the command `new`.

The files `*.in` beside this one are that game; its name is put in the place of `my_game`.
"""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path

from titan_env import registry
from titan_env.records.atomic_files import ensure_absent, replace_atomically

TEMPLATE = Path(__file__).parent
NAME, TITLE = "my_game", "My Game"
FILES = (
    "pyproject.toml",
    "README.md",
    f"{NAME}/__init__.py",
    f"{NAME}/RULES.md",
    f"{NAME}/rules.py",
    f"{NAME}/words.py",
    f"{NAME}/agents.py",
    f"tests/test_{NAME}.py",
)


def write_game(name: str, folder: Path) -> list[Path]:
    """Write a game of that name as a new folder `folder`/`name`, whole or not at all; return its files.

    Raises ValueError for a name that is none, that a game or a module has already, or whose folder exists.
    """
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ValueError(f"expected a name of small letters, digits and underscores, as my_game, got {name!r}")
    if name in registry.GAMES or importlib.util.find_spec(name) is not None:
        raise ValueError(f"expected a name that no game and no module has, got {name!r}")
    home = folder / name
    ensure_absent(home)
    replace_atomically(home, lambda half: _copy(name, half))
    return [home / _renamed(file, name) for file in FILES]


def _copy(name: str, folder: Path) -> None:
    """Write every file of the template under a folder, with the name in it."""
    for file in FILES:
        path = folder / _renamed(file, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_renamed((TEMPLATE / f"{file}.in").read_text("utf-8"), name), "utf-8")


def _renamed(text: str, name: str) -> str:
    """Return a text of the template with the game's name and title."""
    return text.replace(NAME, name).replace(TITLE, name.replace("_", " ").title())
