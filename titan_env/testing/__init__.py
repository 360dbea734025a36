"""Whether a game keeps what `titan_env.contract.Game` promises: `check_game`, for the tests of whoever writes one.

It needs Hypothesis, which finds the shortest game that shows a mistake: ``pip install 'titan_env[testing]'``.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from titan_env.contract import Game
from titan_env.testing.agents import check_agents
from titan_env.testing.declared import check_declared
from titan_env.testing.mistake import BadGame
from titan_env.testing.play import check_ends, check_play

__all__ = ["BadGame", "check_game"]


def check_game(
    game: Game, options: Mapping[str, Any] | None = None, *, games: int = 10, decisions: int = 60, seed: int = 0
) -> None:
    """Raise `BadGame` for the first thing that a game does otherwise than its tables expect.

    The sentence says what was expected, what came, and what to write. Looked at is what the game declares,
    then so many `games` with these `options` (by default none, then each of its presets), up to so many `decisions`
    of each one by one and at last many to their end; `seed` is that of the first of those. The agents that the game
    names are loaded, and decide in some games.

    Each rule is played as plain Python first, where it cannot write where it must not, then compiled, with
    watched room on either side. Nothing is assumed of a game but what its header says: chance, hidden things,
    options, winners and illegal actions may all be lacking.
    """
    try:
        check_declared(game)
        with warnings.catch_warnings():
            # A number that leaves its type wraps around in plain Python and not where it is compiled, or otherwise.
            warnings.simplefilter("error", RuntimeWarning)
            warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"titan_env\.contract\.luck")
            for chosen in _usual_and_presets(game) if options is None else [options]:
                check_play(game, chosen, games, decisions)
                check_ends(game, chosen, seed)
            check_agents(game, seed)
    except BadGame as error:
        raise BadGame(f"{game.metadata.title}: {error}") from error.__cause__


def _usual_and_presets(game: Game) -> list[Mapping[str, Any]]:
    """Return the options to look at by default: none at all, and each preset that has any."""
    return [{}, *(options for options in game.rules.presets.values() if options)]
