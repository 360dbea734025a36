"""The expert agent of Fantasy Racing: it looks at the next roll, the skid after this one, and the rival ahead.

Beside what the greedy agent looks at, every square is worth what the movement roll of the next turn may bring from
there; a die is worth its walk, the best skid from its end, and the best advance after that. Coins are saved up, and
harm to others counts more the fewer they are.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from titan_env.agents.scorer import Scorer, make_scorer
from titan_env.contract import Game
from titan_env.games.fantasy_racing.agents import greedy
from titan_env.games.fantasy_racing.agents.greedy import (
    Array,
    Look,
    put,
    score_movement,
    score_rest,
    score_turn,
    step_aside,
)
from titan_env.games.fantasy_racing.rules.actions import ACTIONS, PLACES
from titan_env.games.fantasy_racing.rules.observation import POINTS_SEEN
from titan_env.games.fantasy_racing.rules.state import COLUMNS, ROWS

WEIGHTS: Mapping[str, float] = {
    **greedy.WEIGHTS,
    "coin": 1.5,  # objects picked up are worth more to who saves them for the right moment
    "clover": 1.3,
    "shield": 1.3,
    "shield_small": 1.0,
    "flip": 1.6,
    "next": 0.6,  # what the next movement roll may bring
    "harm": 1.0,  # a point that the only rival loses
    "saved": 1.5,  # what a coin must bring early in the race
    "hurry": 1.0,  # what it must bring in the last round
    "leader": 0.02,  # a point that a target is ahead
}

_FREE = 6.0
"""Specials cost nothing and are used at once, before a walk leads out of reach."""
_D6 = 6
_OF_TWO = np.array([(2 * rank + 1) / 36 for rank in range(_D6)], np.float32)
"""The probability of each of six values, sorted, to be the better one of two dice."""


def make(game: Game, **weights: float) -> Scorer:
    """Return the expert agent with some weights changed. Raises ValueError for a weight that is not in `WEIGHTS`."""
    return make_scorer(game, score, WEIGHTS, weights)


def score(fields: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """Return the score of each of the 162 actions, float32 (B, 162), from the named fields of B observations."""
    look = Look(fields, weights)
    scores = np.zeros((look.rows, len(ACTIONS)), np.float32)
    coming = next_roll(look)
    walks = look.walks + following(look, coming) - coming
    speed = np.rint(fields["racer_speed"][:, 0] * 3).astype(int)
    each = np.arange(look.rows)
    action = np.maximum(walks[speed, each], 0) + coming
    skids = look.skids(action.astype(np.float32))
    best = np.max(list(skids.values()), axis=0)
    dice = look.here(look.walks + following(look, best))
    score_movement(scores, look, dice, skids)
    score_turn(scores, look, look.here(walks))
    score_rest(scores, look, look.here(walks))
    _save_coins(scores, look, look.here(walks))
    _harm(scores, look)
    _aim_at_who_leads(scores, look)
    step_aside(scores, look, action)
    return scores


def next_roll(look: Look) -> Array:
    """Return the expected gain of the next movement roll from each square, (B, 18, 7): the better of two dice."""
    sorted_walks = np.sort(look.walks[1 : _D6 + 1], axis=0)
    better = np.tensordot(_OF_TWO, sorted_walks, axes=1)
    rounds_left = look.fields["rounds_left"][:, None, None] > 0
    return (look.weights["next"] * rounds_left * better).astype(np.float32)


def following(look: Look, plane: Array) -> Array:
    """Return a plane's (B, 18, 7) values on the squares where walks of 0, 1, 2 ... squares end, (n, B, 18, 7)."""
    rows = (np.arange(ROWS)[:, None] + look.reach) % ROWS
    return np.take_along_axis(plane[None], rows, axis=2)


def _save_coins(scores: Array, look: Look, walks: Array) -> None:
    """Five coins carry three squares each, one carries one: they are kept until late or until there are many."""
    late = (1 - look.fields["rounds_left"] * 15 / 6).clip(0, 1)
    price = look.weights["saved"] * (1 - late) + look.weights["hurry"] * late
    for coins in range(1, 6):
        put(scores, f"coins:{coins}", walks[coins * (coins + 1) // 2] - price * coins)


def _harm(scores: Array, look: Look) -> None:
    """Score objects and specials: the points, and the rows that rivals lose."""
    rivals = np.maximum(look.fields["racer_in_race"][:, 1:].sum(axis=1), 1)
    harm = look.weights["harm"] / rivals
    struck = (look.fields["racer_points"][:, 1:] >= 0) & (look.fields["racer_in_race"][:, 1:] > 0)
    many = (struck & (look.fields["racer_protected"][:, 1:] == 0)).sum(axis=1)
    near = look.rivals[:, 4:9, 1:6].sum(axis=(1, 2)) > 0
    put(scores, "use:axe", 1 + 1.8 * harm)
    put(scores, "use:spear", 2 + 2.6 * harm)
    put(scores, "use:trap", np.where(near, 2 + 2.6 * harm, 0.8))
    put(scores, "use:fire_ring", 2 + 0.5 * rivals + 2 * harm)
    put(scores, "use:lightning_ring", many * (2 + 2.5 * harm))
    put(scores, "bite", _FREE + 1.8 * harm)
    put(scores, "fire_wand", _FREE + 1.8 * harm)
    put(scores, "theft", _FREE)


def _aim_at_who_leads(scores: Array, look: Look) -> None:
    """Score the target with most points higher than the others."""
    rows = np.rint(look.fields["racer_rows"][:, 1:] * ROWS).astype(int)
    columns = look.fields["racer_columns"][:, 1:].argmax(axis=2)
    points = POINTS_SEEN * (look.fields["racer_points"] + look.fields["racer_more_points"])
    lead = look.weights["leader"] * points[:, 1:] * look.fields["racer_in_race"][:, 1:]
    for row, column in PLACES:
        there = ((rows - row) % ROWS == 0) & ((columns - column) % COLUMNS == 0)
        scores[:, ACTIONS.numbers[f"at:{row:+d},{column:+d}"]] += (lead * there).sum(axis=1)
