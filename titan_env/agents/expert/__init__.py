"""The expert agent: what an experienced player looks at, written by hand, from what a player may know.

Like the greedy agent it takes the action with the best score; each game has its own page beside this
one, with ``WEIGHTS`` and ``score(fields, weights) -> (B, A)``.
"""

from __future__ import annotations

from titan_env.agents import Agent
from titan_env.agents.greedy import by_score
from titan_env.contract import Game


def make(game: Game, **weights: float) -> Agent:
    """The expert of a game, with some weights changed.

    Raises ValueError for a weight that the game's page does not have, or a game without a page.
    """
    return by_score("expert", game, weights)
