"""The expert agent of Tiny Turbo Cars: it looks for programs many slides away with a beam search.

Every program is driven by the rules as the greedy agent does it; the slides that lead there cost what time is worth.
"""

from __future__ import annotations

from collections.abc import Mapping

from titan_env.agents.scorer import Scorer, make_scorer
from titan_env.contract import Game
from titan_env.games.tiny_turbo_cars.agents import greedy
from titan_env.games.tiny_turbo_cars.agents.beam_search import best_slides
from titan_env.games.tiny_turbo_cars.agents.state_from_observation import Array, positions

WEIGHTS: Mapping[str, float] = {
    **greedy.WEIGHTS,
    "depth": 16,  # slides that are looked ahead
    "beam": 40,  # controllers that are kept at each of them
}


def make(game: Game, **weights: float) -> Scorer:
    """Return the expert agent with some weights changed. Raises ValueError for a weight that is not in `WEIGHTS`."""
    return make_scorer(game, score, WEIGHTS, weights)


def score(fields: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """Return the score of each of the 33 actions, float32 (B, 33), from the named fields of B observations."""
    asks, scores = fields["ask"].argmax(axis=1) + 1, greedy.choices(fields)
    depths, beam = greedy.slides_ahead(fields, weights["depth"]), max(1, int(weights["beam"]))
    best_slides(positions(fields), asks, depths, beam, greedy.in_order(weights), scores)
    return scores
