"""The greedy agent of Tiny Turbo Cars: it drives its own program to the end, and those one slide away.

From the fields it sees it lays the track around its car anew, with the cars there, and drives a program by the
rules of the game as if nobody else moved. Beyond the window the floor is taken to be empty.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.scorer import Scorer, make_scorer
from titan_env.contract import Game, inline_rule, rule
from titan_env.games.tiny_turbo_cars.agents.beam_search import NAMES, NEAR, score_near
from titan_env.games.tiny_turbo_cars.agents.state_from_observation import AT, Array, asked, read_position, slides_left
from titan_env.games.tiny_turbo_cars.rules.actions import ACTIONS, CAR, CARS, PLACE
from titan_env.games.tiny_turbo_cars.rules.observation import FIELDS, WINDOW_ROWS
from titan_env.games.tiny_turbo_cars.rules.state import LANES, STARTING_PLACES, Ask
from titan_env.play.score_rules import ScoreRule

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
CAR_VALUES = np.array([_CAR_VALUES.get(name, 0.85) + 0.001 * car for car, name in enumerate(CARS)], np.float32)
_AHEAD = 6  # rows before a starting place that are looked at
_START, _OBSTACLE, _IMPASSABLE, _CARPET = (
    AT[f"track_{name}"] for name in ("start", "obstacle", "impassable", "carpet")
)
_Weights = namedtuple("_Weights", NAMES)  # type: ignore[misc]


def make(game: Game, **weights: float) -> Scorer:
    """Return the greedy agent with some weights changed. Raises ValueError for a weight that is not in `WEIGHTS`."""
    return make_scorer(game, SCORE, WEIGHTS, weights)


@inline_rule
def judge_seen(seen: Any, scratch: Any, weights: Any, scores: Any) -> None:
    """Write the score of each of the 33 actions from an observation."""
    read_position(seen, scratch.before)
    score_choices(seen, scores)
    score_near(asked(seen), scratch, weights, scores)


@inline_rule
def score_choices(seen: Any, scores: Any) -> None:
    """Score cars by how often they win, places by how far in front they are and how free the way is; all else 0."""
    scores[:] = 0
    for car in range(len(CAR_VALUES)):
        scores[CAR + car] = CAR_VALUES[car]
    if asked(seen) == Ask.PLACE:
        number = 0
        for i in range(WINDOW_ROWS):
            row = WINDOW_ROWS - 1 - i
            for lane in range(LANES):
                if seen[_START + LANES * row + lane] > 0 and number < STARTING_PLACES:
                    side = np.float32(0.1 * (abs(2 * lane - (LANES - 1)) / 2))
                    scores[PLACE + number] = np.float32(row) - np.float32(3) * stops_before(seen, row, lane) - side
                    number += 1


@inline_rule
def stops_before(seen: Any, start: int, lane: int) -> Any:
    """Return the share of cells before a starting place, in its lane and beside it, that stop a car; carpet is half."""
    stops, cells = 0.0, 0
    for row in range(start + 1, min(start + 1 + _AHEAD, WINDOW_ROWS)):
        for place in range(max(lane - 1, 0), min(lane + 2, LANES)):
            at = LANES * row + place
            stops += seen[_OBSTACLE + at] + seen[_IMPASSABLE + at] + 0.5 * seen[_CARPET + at]
            cells += 1
    return np.float32(stops) / np.float32(max(1, cells))


SCORE = ScoreRule(judge_seen, NEAR, _Weights, len(ACTIONS))


@rule
def score_all_choices(seen: Any, scores: Any) -> None:
    """Write the scores of choices from observations (B, F)."""
    for i in range(len(seen)):
        score_choices(seen[i], scores[i])


def choices(fields: Mapping[str, Array]) -> Array:
    """Return the scores of cars and places, (B, 33), for those that look further."""
    seen = FIELDS.join(fields)
    scores = np.zeros((len(seen), len(ACTIONS)), np.float32)
    score_all_choices(seen, scores)
    return scores


def slides_ahead(fields: Mapping[str, Array], most: float) -> NDArray[np.int64]:
    """Return the number of slides to look ahead, (B,): those that are left, from 1 to `most`."""
    return np.clip(slides_left(fields), 1, max(1, int(most)))


def in_order(weights: Mapping[str, float]) -> NDArray[np.float64]:
    """Return the weights as compiled code takes them."""
    return np.array([weights[name] for name in NAMES], np.float64)
