"""The expert agent of Titan: war: it weighs every move, split and engagement in points.

A legion goes where it musters best, now and by the next rolls, less what the strongest enemies that can come there are
expected to take. It attacks where the forecast of the battle (points, angels, both sides' losses, a titan apart) is
worth more than that. Legions of seven split off the two creatures without which both parts fare best. Where a goal or a
last turn ends the war, or two are left, other weights hold. Battles are fought by the expert of Titan: battle.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from typing import Any

import numpy as np

from titan_env.agents.scorer import Scorer, make_scorer
from titan_env.contract import COMPILED, Game, rule
from titan_env.games.titan_battle.agents import afterstate as battle_afterstate
from titan_env.games.titan_battle.agents import expert as battle_expert
from titan_env.games.titan_battle.rules.actions import ACTIONS as BATTLE_ACTIONS
from titan_env.games.titan_battle.rules.observation import FIELDS as BATTLE_FIELDS
from titan_env.games.titan_battle.value.quick import layers, meeting
from titan_env.games.titan_war.agents.enemy_estimates import SCRATCH
from titan_env.games.titan_war.agents.expert_scores import judge
from titan_env.games.titan_war.agents.expert_values import Minds
from titan_env.games.titan_war.agents.greedy import battles_in, fights_in
from titan_env.games.titan_war.agents.greedy_scores import NEVER
from titan_env.games.titan_war.agents.state_from_observation import Array, fields_of_battle, seat_views
from titan_env.games.titan_war.rules.actions import ACTIONS

_USUAL: Mapping[str, float] = {
    "muster": 1.0,  # power times skill of what can be mustered where the move ends
    "prospect": 0.5,  # and of what can be in the next turn, on the average of the rolls
    "full": 0.0,  # a legion of seven, which must split before it musters again
    "after": 0.5,  # what the winner can muster where it has attacked
    "danger": 0.6,  # what the strongest enemies that can come may be expected to take
    "points": 0.8,  # a point that is scored
    "given": 0.8,  # and one that an enemy scores
    "spoils": 0.8,  # a point of the enemies' legions that is lost, shared among the enemies
    "regicide": 300.0,  # an enemy titan beside its power times skill
    "titan": 300.0,  # the own titan
    "reach": 0.0,  # points that reach the goal
    "reached": 0.0,  # and those with which an enemy reaches it
    "tall": 7.0,  # characters of a legion that may split
    "apart": -5.0,  # what a split must bring
    "lean": 0.1,  # how much rather the less valuable split off
    "centaurs": 1.0,  # that go with the titan at first, or lions in a lean game
    "gargoyles": 2.0,  # or trolls
    "hope": 0.25,  # how likely mutual elimination is agreed to
}
_CASES: Mapping[str, Mapping[str, float]] = {
    "": {},
    "_goal": {},
    "_duel": {},
    "_soon": {"tall": 5.0, "lean": 0.0},
}
"""What differs where a number of points ends the war, where two players are left, and in the last turns, when the value
of all legions counts, and many of them muster more."""
WEIGHTS: Mapping[str, float] = {
    **{f"{name}{case}": value for case, other in _CASES.items() for name, value in {**_USUAL, **other}.items()},
    "soon": 8.0,  # turns of each player before the last one
    "trained": 0.0,  # above 0 the trained network of Titan: battle fights, else its expert
}
"""The weights by name; those that end in `_goal`, `_duel` and `_soon` hold in these cases, the others elsewhere."""
DUEL = 2
"""The players left with whom the weights of a duel hold."""
_Weights = namedtuple("_Weights", _USUAL)  # type: ignore[misc]


def make(game: Game, **weights: float) -> Scorer:
    """Return the expert agent with some weights changed: one without an ending in every case whose own one is not.

    Raises ValueError for a weight that is not in `WEIGHTS`.
    """
    everywhere = {f"{name}{case}": value for name, value in weights.items() if name in _USUAL for case in _CASES}
    return make_scorer(game, score, WEIGHTS, {**everywhere, **weights})


def score(fields: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """Return a score for each of the 365 actions, float32 (B, 365), from the named fields of B observations."""
    usual, goal, duel, last = (_Weights(*(float(weights[f"{name}{case}"]) for name in _USUAL)) for case in _CASES)
    fights = fights_in(fields)
    battles = battles_in(fields)
    scores = np.full((len(fights), len(ACTIONS)), NEVER)
    if not battles.all():
        views, buffers = seat_views({name: part[~battles] for name, part in fields.items()}), np.zeros(1, SCRATCH)
        views["fights"] = fights[~battles]
        if not COMPILED:
            views, buffers = views.view(np.recarray), buffers.view(np.recarray)
        written = scores[~battles]
        minds = Minds(usual, meeting(), layers())
        judge_all(views, buffers, minds, goal, duel, last, float(weights["soon"]), written)
        scores[~battles] = written
    if battles.any():
        seen = fields_of_battle(fields, battles)
        scores[battles, : len(BATTLE_ACTIONS)] = score_battles(seen, weights["trained"] > 0)
    return scores.astype(np.float32)


def score_battles(fields: Mapping[str, Array], trained: bool) -> Array:
    """Return a score for each of the 159 actions of a battle, float32 (B, 159), by its expert or its network."""
    if trained:
        return battle_afterstate.decide(fields, battle_afterstate.trained_network()).scores
    return battle_expert.SCORE(BATTLE_FIELDS.join(fields), battle_expert.WEIGHTS)


@rule
def judge_all(views: Any, buffers: Any, minds: Any, goal: Any, duel: Any, last: Any, soon: float, scores: Any) -> None:
    """Write the scores of every seat; battles are left to the expert of battles.

    `goal`, `duel` and `last` are the weights where points end the war, where two players are left, and in the last
    `soon` turns of each player.
    """
    for i in range(len(views)):
        view, weights = views[i], minds.weights
        if 0 < view.turns_left <= soon * view.living.sum():
            weights = last
        elif view.goal:
            weights = goal
        elif view.living.sum() == DUEL:
            weights = duel
        judge(view, buffers[0], Minds(weights, minds.met, minds.network), scores[i])
