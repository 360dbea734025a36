"""Trained agents of games: files in a game's folder ``agents/``, named ``ppo@<game>-v0`` and the like."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from titan_env import registry
from titan_env.contract import Game
from titan_env.contract.options import hint

PLAYED_BY = {".onnx": "policy", ".npz": "afterstate", ".json": "tuned"}
"""Ending of a file -> the kind of agent that plays it."""


def shipped(game: Game | None = None) -> dict[str, Path]:
    """Return the file of each trained agent by name: those of one game, or of every registered one."""
    if game is not None:
        return _files(game.name, game.metadata.version, Path(game.metadata.folder)) if game.metadata.folder else {}
    found: dict[str, Path] = {}
    for name, entry in registry.GAMES.items():
        folder = _folder(entry.place)
        found |= _files(name, entry.version, folder) if folder else {}
    return found


def trained(name: str) -> tuple[str, dict[str, Any]]:
    """Return kind and parameters of the agent that plays a trained agent's file. Raises ValueError if it is unknown."""
    known = shipped()
    if name not in known:
        raise ValueError(f"expected a policy among {', '.join(known)}, got {name!r}; {hint(name, list(known))}")
    return PLAYED_BY[known[name].suffix], {"path": str(known[name])}


def _folder(place: str | Game) -> Path | None:
    """Return the folder of a game without importing it; None for a game without one."""
    if not isinstance(place, str):
        return Path(place.metadata.folder) if place.metadata.folder else None
    try:
        found = importlib.util.find_spec(place.partition(":")[0])
    except (ImportError, ValueError):
        return None
    return Path(found.origin).parent if found is not None and found.origin is not None else None


def _files(game: str, version: int, folder: Path) -> dict[str, Path]:
    """Return the trained agents in a game's folder by name."""
    files = (path for path in sorted((folder / "agents").glob("*")) if path.suffix in PLAYED_BY)
    return {f"{path.stem}@{game}-v{version}": path for path in files}
