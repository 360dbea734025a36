"""Afterstates of Tiny Turbo Cars: where the program of the own car would lead, found by a beam search over slides.

Every program is driven by the rules as the expert does it; what it is worth here and now, and how much later, says a
network that has learned from finished races. Cars, places, flights and shields are chosen as the greedy agent does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from titan_env.agents.afterstate import Afterstate, Array, ScoredActions, ValueNetwork
from titan_env.contract import Game
from titan_env.games.tiny_turbo_cars.agents.afterstate_search import AFTERSTATE, DecisionNetwork, Feature, best_slides
from titan_env.games.tiny_turbo_cars.agents.features import SITUATION, situations
from titan_env.games.tiny_turbo_cars.agents.greedy import WEIGHTS, choices, in_order, slides_ahead
from titan_env.games.tiny_turbo_cars.agents.state_from_observation import positions
from titan_env.games.tiny_turbo_cars.rules.state import Ask

__all__ = ["AFTERSTATE", "AT_TABLE", "BY_HAND", "LEARNING", "SITUATION", "SPREAD", "clearness", "decide", "make"]

AT_TABLE, LEARNING = (16, 40), (14, 24)
"""Slides that are looked ahead, and controllers that are kept at each of them: as the expert does, and while it learns,
when twice as many games are worth more."""
_CLEAR = 15  # rows ahead that leave no doubt

BY_HAND: Mapping[str, float] = {
    "rows_gained": 3.0,
    "batteries": 0.54,
    "lying": -0.75,
    "shields": 1.4,
    "boost": 0.2,
    "carpet": -0.2,
    "free_ahead": 0.2,
    "harm": 0.3,
    "slides": -0.5,
}
"""The direct weights before learning, in log odds: the greedy agent's."""
SPREAD: Mapping[str, float] = {
    "rows_gained": 1.0,
    "batteries": 0.4,
    "lying": 0.6,
    "shields": 0.6,
    "shields_of_use": 0.2,
    "boost": 0.2,
    "carpet": 0.2,
    "free_ahead": 0.2,
    "harm": 0.3,
    "margin": 0.3,
    "cars_before": 0.3,
    "slides": 0.6,
    "at_once": 0.2,
}
"""The standard deviation of each direct weight's changes while it learns, so that other programs are tried."""


def make(game: Game, path: str = "") -> Afterstate:
    """Return the agent with the network of a file. Raises ValueError where there is none, or not for this game."""
    return Afterstate(game, path)


def decide(
    fields: Mapping[str, Array], judge: ValueNetwork, changes: Array | None = None, reach: tuple[int, int] = AT_TABLE
) -> ScoredActions:
    """Score the 33 actions from the named fields of B observations, looking so far.

    `changes` (B, L) are added to the direct weights of each decision.
    """
    depth, beam = reach
    asks = fields["ask"].argmax(axis=1) + 1
    scores = choices(fields)
    depths = slides_ahead(fields, depth)
    situation = situations(fields)
    direct = np.repeat(judge.direct[None], len(asks), axis=0)
    if changes is not None:
        direct += changes
    network = DecisionNetwork(situation @ judge.situation + judge.bias, judge.afterstate, judge.hidden, direct)
    chosen = np.zeros((len(asks), len(AFTERSTATE)), np.float32)
    best_slides(positions(fields), asks, depths, beam, in_order(WEIGHTS), network, scores, chosen)
    judged = asks == Ask.PROGRAM
    return ScoredActions(scores, judged, situation, chosen, judged & (chosen[:, Feature.AT_ONCE] > 0))


def clearness(states: Any) -> Array:
    """Return each seat's lead over the foremost other in finished races, negative behind it, (N, seats)."""
    seats = int(states["seats"].max())
    rows = states["drivers"]["row"][:, :seats].astype(np.float32)
    others = np.where(np.eye(seats, dtype=np.bool_), -np.inf, rows[:, None]).max(axis=2)
    ahead: Array = np.clip(rows - others, -_CLEAR, _CLEAR) / _CLEAR
    return ahead
