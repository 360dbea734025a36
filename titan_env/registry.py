"""The registry of games: by name, loaded on demand, and registered with Gymnasium and PettingZoo."""

from __future__ import annotations

import importlib
import importlib.metadata
import re
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from titan_env.contract import Game


@dataclass(frozen=True)
class RegistryEntry:
    """The entry of a game: ``"module:NAME"`` or the game itself, and the version of its rules."""

    place: str | Game
    version: int


GAMES: dict[str, RegistryEntry] = {
    "titan_race": RegistryEntry("titan_env.games.titan_race:GAME", 3),
    "tiny_turbo_cars": RegistryEntry("titan_env.games.tiny_turbo_cars:GAME", 2),
    "fantasy_racing": RegistryEntry("titan_env.games.fantasy_racing:GAME", 2),
    "titan_battle": RegistryEntry("titan_env.games.titan_battle:GAME", 0),
    "titan_war": RegistryEntry("titan_env.games.titan_war:GAME", 0),
}
"""All games by name. No other generic code names a game."""


def names() -> list[str]:
    """Return the names of all games, in the order of registration."""
    return list(GAMES)


def load(name: str) -> Game:
    """Return the game of this name, or at this place (``"module:NAME"``), which is then registered too.

    Its rules are compiled, or read from the cache, when they are first played. Raises ValueError for an unknown game.
    """
    if name in GAMES:
        entry_point = GAMES[name].place
        return _found(entry_point) if isinstance(entry_point, str) else entry_point
    if ":" not in name:
        from titan_env.contract.options import brief, hint

        known = f"{hint(name, names())}; one from outside goes by module:NAME"
        raise ValueError(f"expected the name of a game, got {brief(name)}; {known}")
    game = _found(name)
    if game.name not in GAMES or address(game) != name:
        register(game.name, name, game.metadata.version)
    return game


def _found(entry_point: str) -> Game:
    """Return the game at ``"module:NAME"``. Raises ValueError if there is none."""
    from titan_env.contract.options import brief

    module, _, attribute = entry_point.partition(":")
    try:
        game: Game = getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise ValueError(f"expected a game at {brief(entry_point)}, found no module {brief(error.name)} here") from None
    except (AttributeError, ValueError) as error:
        raise ValueError(f"expected a game at {brief(entry_point)}, got: {error!s:.200}") from None
    if not hasattr(game, "rules"):
        raise ValueError(f"expected a game at {brief(entry_point)}, got {brief(game)}")
    return game


def address(game: Game) -> str:
    """Return the argument with which `load` finds the game in another process: its place, or its name without one.

    Raises ValueError for a game that is not registered.
    """
    if game.name not in GAMES:
        raise ValueError(f"expected a registered game, got {game.name!r}; call titan_env.registry.register() first")
    entry_point = GAMES[game.name].place
    return entry_point if isinstance(entry_point, str) else game.name


def name_in(id: str) -> str:
    """Return the name in a game's id: ``"chess"`` of ``"chess_v0"``."""
    return id.rpartition("_v")[0]


def superseded(id: str) -> str | None:
    """Return a sentence about an earlier version of a game, such as ``"chess_v0"``; None for other ids."""
    name, _, version = id.rpartition("_v")
    entry = GAMES.get(name)
    if entry is None or not version.isdecimal() or int(version) >= entry.version:
        return None
    return f"{id} is no more: the game has changed; import {name}_v{entry.version} instead"


class _EarlierVersions(MetaPathFinder):
    """Refuses imports of earlier versions of games, such as ``titan_env.chess_v0``."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Raise ImportError, with the version to import instead, for the module of an earlier one."""
        package, _, id = fullname.rpartition(".")
        if package == __package__ and (instead := superseded(id)):
            raise ImportError(instead)


def refuse_earlier_versions() -> None:
    """Let imports of earlier versions of games say what to import instead."""
    if not any(isinstance(finder, _EarlierVersions) for finder in sys.meta_path):
        sys.meta_path.append(_EarlierVersions())


def game_of(game: str | Game) -> Game:
    """Return the game itself, or the one of this name. Raises TypeError for other types, ValueError as `load` does."""
    if isinstance(game, str):
        return load(game)
    if not hasattr(game, "rules"):
        from titan_env.contract.options import brief

        raise TypeError(f"expected a game or its name, got {brief(game)}; there are: {', '.join(names())}")
    return game


def register(name: str, place: str | Game, version: int = 0) -> None:
    """Register a game by name, also with Gymnasium and PettingZoo.

    `place` is ``"module:NAME"``, which is imported on demand, or the game itself. Register a game also in every process
    that unpickles it. Raises ValueError for an invalid name, place or version, or a name that is taken.
    """
    if not isinstance(name, str) or not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise ValueError(f"expected a name of small letters, digits and underscores, as my_game, got {name!r}")
    if not (":" in place if isinstance(place, str) else hasattr(place, "setup")):
        raise ValueError(f'expected the place of a game as "module:NAME", or the game itself, got {place!r}')
    if isinstance(version, bool) or not isinstance(version, int) or version < 0:
        raise ValueError(f"expected version to be a number from 0 on, got {version!r}")
    if GAMES.get(name, RegistryEntry(place, version)) != RegistryEntry(place, version):
        raise ValueError(f"expected a new name, got {name!r}, which is {GAMES[name].place}")
    GAMES[name] = RegistryEntry(place, version)
    announce(name)


def discover() -> None:
    """Register the games of installed packages: their entry points in the group ``titan_env.games``.

    Each is named by the game and its version, as in ``my_game_v0 = my_package:GAME``, and imported on demand. One that
    cannot be registered is skipped with a warning.
    """
    for found in importlib.metadata.entry_points(group="titan_env.games"):
        name, _, version = found.name.rpartition("_v")
        try:
            register(name, found.value, int(version))
        except ValueError as error:
            warnings.warn(f"{found.value} of the group titan_env.games is left out: {error}", stacklevel=2)


def title_id(name: str) -> str:
    """Return the id of a game as Gymnasium and TextArena spell it: ``"MyGame-v0"`` of ``"my_game"``."""
    return "".join(word.capitalize() for word in name.split("_")) + f"-v{GAMES[name].version}"


def announce(name: str) -> None:
    """Register a game with Gymnasium and PettingZoo by text alone: nothing of it is imported."""
    import gymnasium
    import pettingzoo

    if (id := f"titan_env/{title_id(name)}") in gymnasium.registry:
        return
    gymnasium.register(
        id,
        entry_point="titan_env.envs.single_agent:make",
        vector_entry_point="titan_env.envs.vector:make",
        kwargs={"game": name},
    )
    if hasattr(pettingzoo, "register"):  # from 1.27 on
        id = f"titan_env/{name}-v{GAMES[name].version}"
        pettingzoo.register("aec", id, entry_point="titan_env.envs.aec:make", kwargs={"game": name})
