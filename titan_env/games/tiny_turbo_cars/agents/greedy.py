"""The greedy agent of Tiny Turbo Cars: it drives its own program to the end, and those one slide away.

From the fields it sees it lays the track around its car anew, with the cars there, and drives a program by the
rules of the game as if nobody else moved. Beyond the window the floor is taken to be empty.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.scorer import Scorer, make_scorer
from titan_env.contract import Game
from titan_env.games.tiny_turbo_cars.agents.beam_search import NAMES, best_slides
from titan_env.games.tiny_turbo_cars.agents.state_from_observation import Array, positions, slides_left
from titan_env.games.tiny_turbo_cars.rules.actions import ACTIONS, CARS, PLACE
from titan_env.games.tiny_turbo_cars.rules.state import LANES, STARTING_PLACES, Ask

WEIGHTS: Mapping[str, float] = {
    "row": 1.0,  # one row gained
    "battery": 0.6,  # one own battery up at the end
    "lying": 2.5,  # to lie at the end
    "shield": 1.6,  # one own shield at the end of the program: it is worth a drive
    "harm": 0.35,  # one battery or shield of another car
    "boost": 0.7,  # to end on a boost
    "carpet": -0.7,  # to end on carpet
    "ahead": 0.15,  # each free cell ahead of where the car ends
    "slide": 0.17,  # the cost of one slide
}
_CAR_VALUES = {"turbobot": 1.25, "dame_liner": 1.25, "m1_lapin": 1.05, "dogtor": 0.95, "brick_gang": 0.9}
"""The values of cars that win more often than others in games among equal agents; those left out: 0.85."""
_AHEAD = 6  # rows before a starting place that are looked at


def make(game: Game, **weights: float) -> Scorer:
    """Return the greedy agent with some weights changed. Raises ValueError for a weight that is not in `WEIGHTS`."""
    return make_scorer(game, score, WEIGHTS, weights)


def score(fields: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """Return the score of each of the 33 actions, float32 (B, 33), from the named fields of B observations."""
    return looking_ahead(fields, weights, np.ones(len(fields["ask"]), np.int64), 1)


def looking_ahead(
    fields: Mapping[str, Array], weights: Mapping[str, float], depths: NDArray[np.int64], beam: int
) -> Array:
    """Return scores (B, A) of a programmer that looks so many slides ahead, keeping `beam` controllers."""
    asks = fields["ask"].argmax(axis=1) + 1
    scores = score_choices(fields, asks)
    best_slides(positions(fields), asks, depths, beam, in_order(weights), scores)
    return scores


def slides_ahead(fields: Mapping[str, Array], most: float) -> NDArray[np.int64]:
    """Return the number of slides to look ahead, (B,): those that are left, from 1 to `most`."""
    return np.clip(slides_left(fields), 1, max(1, int(most)))


def in_order(weights: Mapping[str, float]) -> NDArray[np.float64]:
    """Return the weights as compiled code takes them."""
    return np.array([weights[name] for name in NAMES], np.float64)


def score_choices(fields: Mapping[str, Array], asks: NDArray[np.int64]) -> Array:
    """Cars by how often they win, places by how far in front they are and how free the way is."""
    scores = np.zeros((len(asks), len(ACTIONS)), np.float32)
    for car, name in enumerate(CARS):
        scores[:, ACTIONS.numbers[f"car:{name}"]] = _CAR_VALUES.get(name, 0.85) + 0.001 * car
    for row in np.flatnonzero(asks == Ask.PLACE):
        starts = np.argwhere(fields["track_start"][row] > 0)
        ordered = sorted(starts.tolist(), key=lambda cell: (-cell[0], cell[1]))[:STARTING_PLACES]
        stops = fields["track_obstacle"][row] + fields["track_impassable"][row] + 0.5 * fields["track_carpet"][row]
        for number, (start, lane) in enumerate(ordered):
            way = stops[start + 1 : start + 1 + _AHEAD, max(lane - 1, 0) : lane + 2].mean()
            scores[row, PLACE + number] = start - 3 * way - 0.1 * abs(lane - (LANES - 1) / 2)
    return scores
