"""A game with its options, checked and configured once: the value that all that plays, measures or shows it takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from titan_env.compiler.record_copies import copy_records
from titan_env.contract import Game
from titan_env.contract.options import brief, unknown, whole_number
from titan_env.engine.validation import errors_in_one_line, parse_checked_position
from titan_env.registry import game_of

_BITS = 64
PLAYERS = "players"
"""The option with the number of players, by the name that all games understand."""


def known_options(game: Game) -> list[str]:
    """Return the names of the options that a game takes: its own, and `players`."""
    return list(dict.fromkeys([*game.rules.options, PLAYERS]))


def _plain(name: str, value: Any) -> Any:
    """Return the value of an option, an array as a list. Raises ValueError for an integer beyond 64 bits."""
    if isinstance(value, int) and value.bit_length() > _BITS:
        raise ValueError(f"{name}: expected a number of at most {_BITS} bits, got {brief(value)}")
    return value.tolist() if isinstance(value, np.ndarray) else value


def _configured(game: Game, options: Mapping[str, Any]) -> np.recarray[Any, Any]:
    """Return the state (1,) that a game's options configure, with `players` for a game whose own name is another.

    Raises ValueError or TypeError for an invalid value, and for another number of players than the options seat.
    """
    if PLAYERS in game.rules.options or PLAYERS not in options:
        return game.rules.configure(**options)
    players = whole_number(PLAYERS, options[PLAYERS], *game.rules.seats)
    own = {name: value for name, value in options.items() if name != PLAYERS}
    states = game.rules.configure(**own)
    if states["seats"][0] != players and game.rules.players in game.rules.options.keys() - own.keys():
        states = game.rules.configure(**own, **{game.rules.players: players})
    if (seats := int(states["seats"][0])) != players:
        raise ValueError(f"{PLAYERS}: expected {seats} with these options of {game.metadata.title}, got {players}")
    return states


@dataclass(frozen=True, eq=False)
class GameSetup:
    """A game and the state from which its games begin, configured by `options` or parsed from the text of a `position`.

    Make one where options come in, and hand it down: `of` for options that a person names, `of_keywords` for keywords
    of a function, `at` for a position.
    """

    game: Game
    options: Mapping[str, Any]
    template: np.recarray[Any, Any]
    """The state (1,) before the rules set it up, or that of the position; not to be changed."""
    position: str | None = None

    @classmethod
    def of(cls, game: Game | str, options: Mapping[str, Any]) -> GameSetup:
        """Return a game, given itself or by name, with these options.

        Raises ValueError for an unknown option or an invalid value, TypeError for what is no game.
        """
        game = game_of(game)
        try:
            return cls.of_keywords(game, options)
        except TypeError as error:
            raise ValueError(str(error)) from None

    @classmethod
    def of_keywords(cls, game: Game, options: Mapping[str, Any], api: Callable[..., Any] | None = None) -> GameSetup:
        """Return a game with these options. Raises TypeError for an unknown option, both for an invalid value.

        `api` is the function or class that takes the options among keywords of its own, which the error lists too.
        """
        for name in options:
            if name not in game.rules.options and name != PLAYERS:
                own = inspect.signature(api).parameters.values() if api else ()
                keywords = (parameter.name for parameter in own if parameter.kind is parameter.KEYWORD_ONLY)
                raise unknown(name, [*known_options(game), *keywords], game.metadata.title)
        with errors_in_one_line():
            plain = {name: _plain(name, value) for name, value in options.items()}
            return cls(game, plain, _configured(game, plain))

    @classmethod
    def at(cls, game: Game, position: str, options: Mapping[str, Any]) -> GameSetup:
        """Return a game that begins in the position of a text; `options` are noted in its records alone.

        Raises ValueError for a position that cannot be played.
        """
        return cls(game, options, parse_checked_position(game, position), position)

    @property
    def seats(self) -> int:
        """The number of players."""
        return int(self.template["seats"][0])

    @property
    def sides(self) -> int:
        """The number of sides among which the players are divided."""
        return int(self.template[self.game.rules.sides][0])

    def check_agents(self, agents: int = 2) -> None:
        """Raise ValueError unless this many agents can be compared: at least 2, and at most one for each side."""
        if not 2 <= agents <= self.sides:
            raise ValueError(f"expected 2 to {self.sides} agents at a table of {self.sides}, got {agents}")

    def first_states(self, luck: np.recarray[Any, Any]) -> np.recarray[Any, Any]:
        """Return the state (1,) at the first decision; the rules draw from `luck` (1,), except for a position."""
        states: np.recarray[Any, Any] = copy_records(self.template)
        if self.position is None:
            self.game.rules.setup(states[0], luck[0])
        return states
