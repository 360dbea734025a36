"""A game with its options, checked and configured once: the value that all that plays, measures or shows it takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from titan_env.contract import Game
from titan_env.contract.options import unknown
from titan_env.contract.record_copies import copy_records
from titan_env.engine.validation import parse_checked_position
from titan_env.registry import game_of


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
            if name not in game.rules.options:
                own = inspect.signature(api).parameters.values() if api else ()
                keywords = (parameter.name for parameter in own if parameter.kind is parameter.KEYWORD_ONLY)
                raise unknown(name, [*game.rules.options, *keywords], game.metadata.title)
        return cls(game, options, game.rules.configure(**options))

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
