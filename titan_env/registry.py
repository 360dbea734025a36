"""Games by name, loaded when they are asked for, and known to Gymnasium and PettingZoo."""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from titan_env.contract import Game


@dataclass(frozen=True)
class Entry:
    """Where a game is found: ``"module:NAME"``, or the game itself; and the version of its rules."""

    place: str | Game
    version: int


GAMES: dict[str, Entry] = {
    "titan_race": Entry("titan_env.games.titan_race:GAME", 0),
}
"""Every game by name. Only here does generic code name games."""


def names() -> list[str]:
    """The names of all games."""
    return sorted(GAMES)


def hint(name: object, known: Sequence[str]) -> str:
    """The end of an error about an unknown name: those that are nearly the same, or else all there are."""
    close = difflib.get_close_matches(name, known, cutoff=0.5) if isinstance(name, str) else []
    return f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(known)}"


def load(name: str) -> Game:
    """The game of this name; its rules are compiled, or found in the cache, when it is loaded first.

    Raises ValueError for an unknown name.
    """
    if name not in GAMES:
        raise ValueError(f"expected the name of a game, got {name!r}; {hint(name, names())}")
    place = GAMES[name].place
    if isinstance(place, str):
        module, _, attribute = place.partition(":")
        game: Game = getattr(importlib.import_module(module), attribute)
        return game
    return place


def game_of(game: str | Game) -> Game:
    """The game itself, or the one of this name. Raises TypeError for what is neither."""
    if isinstance(game, str):
        return load(game)
    if not hasattr(game, "setup"):
        raise TypeError(f"expected a game or its name, got {game!r}; there are: {', '.join(names())}")
    return game


def register(name: str, place: str | Game, version: int = 0) -> None:
    """Make a game known by name, also to Gymnasium and PettingZoo.

    `place` is ``"module:NAME"``, which is imported when the game is asked for, or the game itself.
    A game that other processes unpickle must be registered there too.
    """
    if not isinstance(name, str) or not re.fullmatch("[a-z][a-z0-9_]*", name):
        raise ValueError(f"expected a name of small letters, digits and underscores, as my_game, got {name!r}")
    if not (":" in place if isinstance(place, str) else hasattr(place, "setup")):
        raise ValueError(f'expected the place of a game as "module:NAME", or the game itself, got {place!r}')
    if isinstance(version, bool) or not isinstance(version, int) or version < 0:
        raise ValueError(f"expected version to be a number from 0 on, got {version!r}")
    if GAMES.get(name, Entry(place, version)) != Entry(place, version):
        raise ValueError(f"expected a new name, got {name!r}, which is {GAMES[name].place}")
    GAMES[name] = Entry(place, version)
    announce(name)


def announce(name: str) -> None:
    """Tell Gymnasium and PettingZoo about a game, by text alone: nothing of it is imported."""
    import gymnasium
    import pettingzoo

    version = GAMES[name].version
    title = "".join(word.capitalize() for word in name.split("_"))
    if f"titan_env/{title}-v{version}" in gymnasium.registry:
        return
    gymnasium.register(
        f"titan_env/{title}-v{version}",
        entry_point="titan_env.solo:make",
        vector_entry_point="titan_env.vector:make",
        kwargs={"game": name},
    )
    if hasattr(pettingzoo, "register"):  # from 1.27 on
        pettingzoo.register(
            "aec", f"titan_env/{name}-v{version}", entry_point="titan_env.aec:make", kwargs={"game": name}
        )
