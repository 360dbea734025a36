"""Fingerprints of agents: hashes of the files that an agent consists of.

An agent's files are its code, its module for the game and its policy, found by following imports, and the networks
that these modules name (``chances.npz``). One from a file is loaded in a process of its own, which says what it has
imported and opened. The engine and the rules are left out, since the game's version covers them.
These are all that `titan_env.engine.batch` imports, and the modules of the game's compiled rules with their imports.
Only the module of `imagine` counts for agents that plan.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from titan_env import agents, registry
from titan_env.agents.process import make as make_process
from titan_env.contract import Game
from titan_env.contract.frame import written_by_the_game
from titan_env.play.agent_calls import needs_of

_ENGINE = "titan_env.engine.batch"
FROM_FILES = ("process", "python")
"""The kinds of agents that are code in a file."""
_NO_PART = ("titan_env.agents", "titan_env.extras")  # the table of agents' names, and errors of missing libraries


def fingerprint(name: str, game: Game) -> str:
    """Return an agent's fingerprint: 12 hex digits that change with any of its files, and the endpoint that it asks."""
    digest = hashlib.sha256()
    for source in sources(name, game):
        digest.update(source.read_bytes())
    address = getattr(agents.load(name, game), "address", "")
    return digest.hexdigest()[:12] + (f" at {address}" if address else "")


def fingerprints_by_game(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the fingerprint of the agent of each game, by the game's name."""
    return {name: fingerprint(agent, registry.load(name)) for name, agent in chosen.items()}


def sources(name: str, game: Game) -> list[Path]:
    """Return the files that an agent consists of."""
    kind, parameters = agents.parse(name, game)
    if kind in game.metadata.agents:
        begun = [game.metadata.agents[kind].partition(":")[0]]
    else:
        module = agents.AGENTS[kind]
        begun = [one for one in (module, f"{module}.{game.name}") if _file(one)]
    vouched = _reached([_ENGINE, *_rule_modules(game)]) - set(begun)
    files = [path for one in sorted(_reached(begun) - vouched) for path in _files(one)]
    agent = agents.load(name, game)
    if game.rules.imagine is not None and needs_of(agent).plans:
        files.append(Path(inspect.getfile(inspect.unwrap(written_by_the_game(game.rules.imagine)))))
    if kind in FROM_FILES and sys.platform == "linux":
        files += make_process(game, parameters["path"]).report().files
    elif "path" in parameters:
        files.append(Path(getattr(agent, "path", parameters["path"])))
    if base := getattr(agent, "base", ""):
        files += sources(base, game)
    if adviser := getattr(agent, "adviser", None):
        files += sources(adviser.name, game)
    if getattr(agent, "values", None):
        module = game.metadata.position_values.partition(":")[0]
        files += [path for one in sorted(_reached([module]) - vouched) for path in _files(one)]
    for part in agents.parts(kind, parameters):
        files += sources(part, game)
    return list(dict.fromkeys(files))


def _rule_modules(game: Game) -> list[str]:
    """Return the modules of a game's compiled rules."""
    written = map(written_by_the_game, game.rules.functions.values())
    return sorted({getattr(rule, "py_func", rule).__module__ for rule in written})


def _reached(modules: Iterable[str]) -> set[str]:
    """Return these modules and all that they import, directly or not, from this package or their own distribution."""
    reached: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in reached and module not in _NO_PART:
            reached.add(module)
            waiting += _imports(module)
    return reached


@functools.cache
def _imports(module: str) -> tuple[str, ...]:
    """Return the modules that a module imports from this package or from its own package or folder."""
    found = []
    path = _file(module)
    assert path is not None
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            within = [f"{base}.{name.name}" for name in node.names]
            found += [one if _is_beside(one, path) else base for one in within]
    return tuple(one for one in found if _is_beside(one, path))


def _is_beside(module: str, importer: Path) -> bool:
    """Return whether a module is of this package, or in the importer's package or, without one, in its folder."""
    path = _file(module)
    if path is None:
        return False
    if module.partition(".")[0] == __name__.partition(".")[0]:
        return True
    package = importer.parent
    while (package.parent / "__init__.py").exists():
        package = package.parent
    return path.is_relative_to(package) and "site-packages" not in path.relative_to(package).parts[:-1]


@functools.cache
def _files(module: str) -> tuple[Path, ...]:
    """Return the file of a module and those of the networks beside it that it names."""
    path = _file(module)
    if path is None:
        return ()
    named = {node.value for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Constant)}
    return path, *sorted(one for one in path.parent.glob("*.npz") if one.name in named)


@functools.cache
def _file(module: str) -> Path | None:
    """Return the file of a module; None if there is no such module, or it has no Python file."""
    try:
        found = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    is_python = found is not None and found.origin is not None and found.origin.endswith(".py")
    return Path(str(found.origin)) if found and is_python else None
