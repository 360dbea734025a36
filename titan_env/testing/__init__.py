"""Tests for authors of games: `check_game` checks the contract of a game, a `Scenario` tests a rule in a position.

`check_game` needs the extra ``testing``: Hypothesis, which finds the shortest game that shows a mistake.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from titan_env.contract import Game
from titan_env.registry import game_of
from titan_env.testing.agent_checks import check_agents
from titan_env.testing.definition_checks import check_declared
from titan_env.testing.errors import BadGame
from titan_env.testing.guide_checks import check_first_game
from titan_env.testing.playout_checks import check_ends, check_play
from titan_env.testing.scenario import Scenario

__all__ = ["BadGame", "Scenario", "check_game"]


def check_game(
    game: Game | str, options: Mapping[str, Any] | None = None, *, games: int = 10, decisions: int = 60, seed: int = 0
) -> None:
    """Raise `BadGame` for the first violation of the contract that is found in a game.

    The message names what was expected, the result, and the remedy. Checked are the game's declarations, then `games`
    games with these `options` (by default none, then each of its presets), up to `decisions` of each one by one, and at
    last many games to their end; `seed` is that of the first of those. A guided first game is followed. The agents
    that the game names are loaded, and decide in some games.

    Each rule is played as plain Python first, where an access out of bounds raises, then compiled, with watched memory
    on either side. Nothing is assumed of a game but its header: chance, hidden information, options, winners and
    illegal actions may all be absent.
    """
    game = game_of(game)
    try:
        check_declared(game)
        with warnings.catch_warnings():
            # A number that leaves its type wraps around in plain Python and not where it is compiled, or otherwise.
            warnings.simplefilter("error", RuntimeWarning)
            warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"titan_env\.contract\.luck")
            for chosen in _usual_and_presets(game) if options is None else [options]:
                check_play(game, chosen, games, decisions)
                check_ends(game, chosen, seed)
            check_first_game(game)
            check_agents(game, seed)
    except BadGame as error:
        raise BadGame(f"{game.metadata.title}: {error}") from error.__cause__


def _usual_and_presets(game: Game) -> list[Mapping[str, Any]]:
    """Return the options to check by default: none at all, and each preset that has any."""
    return [{}, *(options for options in game.rules.presets.values() if options)]
