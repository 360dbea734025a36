"""What an agent is made of, as a short hash: the files of its code, its page for a game, its policy.

The files are found by following imports. The engine and the rules are left out, for which the game's
version vouches: whatever `titan_env.engine.batch` is built on, and the games themselves, but for what a game
imagines for agents that plan.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import inspect
from collections.abc import Iterable
from pathlib import Path

from titan_env import agents
from titan_env.contract import Game

_ROOT = Path(agents.__file__).parents[2]
_OURS = "titan_env"
_ENGINE = "titan_env.engine.batch"
_NAMES, _RULES = "titan_env.agents", "titan_env.games"  # the first only says what each agent is called


def fingerprint(name: str, game: Game) -> str:
    """12 hex digits that change with whatever an agent is made of."""
    digest = hashlib.sha256()
    for source in sources(name, game):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


def sources(name: str, game: Game) -> list[Path]:
    """The files that an agent is made of."""
    kind, parameters = agents.parse(name, game)
    if kind in game.agents:
        return [Path(inspect.getfile(importlib.import_module(game.agents[kind].partition(":")[0])))]
    module = agents.AGENTS[kind]
    begun = [one for one in (module, f"{module}.{game.name}") if _file(one)]
    files = [path for one in sorted(_reached(begun) - _reached([_ENGINE])) if (path := _file(one))]
    agent = agents.load(name, game)
    if game.imagine is not None and getattr(agent, "plans", False):
        files.append(Path(inspect.getfile(inspect.unwrap(game.imagine))))
    if "path" in parameters:
        files.append(Path(parameters["path"]))
    if adviser := getattr(agent, "adviser", None):
        files += sources(adviser.name, game)
    if parameters.get("prior"):
        files += sources(parameters["prior"], game)
    return files


def _reached(modules: Iterable[str]) -> set[str]:
    """These modules of ours, and all that they import, and so on."""
    reached: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in reached and module != _NAMES and not module.startswith(_RULES):
            reached.add(module)
            waiting += _imports(module)
    return reached


@functools.cache
def _imports(module: str) -> tuple[str, ...]:
    """The modules of ours that a module imports."""
    found = []
    path = _file(module)
    assert path is not None
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            within = [f"{node.module}.{name.name}" for name in node.names]
            found += [one if _file(one) else str(node.module) for one in within]
    return tuple(one for one in found if _file(one))


def _file(module: str) -> Path | None:
    """Where a module of ours lies."""
    if module.partition(".")[0] != _OURS:
        return None
    path = _ROOT.joinpath(*module.split("."))
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if file.is_file()), None)
