"""Scores of the order of engagements, of the talk before a battle, and of donors of angels; compiled."""

from __future__ import annotations

from typing import Any

from titan_env.contract import inline_rule
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_battle.rules.state import KINDS, LEGION
from titan_env.games.titan_battle.value.quick import foretell_one
from titan_env.games.titan_war.agents.enemy_estimates import value_of
from titan_env.games.titan_war.agents.expert_values import (
    Stake,
    chance_of_goal,
    forecast_for,
    gained,
    has_waiting,
    lay,
    rivals,
)
from titan_env.games.titan_war.agents.position_value import TITAN
from titan_env.games.titan_war.rules import actions
from titan_env.games.titan_war.rules.state import LANDS


@inline_rule
def score_engagements(view: Any, scores: Any) -> None:
    """ENGAGE: the lower legions first, those with a titan last."""
    for land in range(LANDS):
        scores[actions.PICK_LAND + land] = -float(view.height[land]) - 10.0 * view.least[land, TITAN]


@inline_rule
def score_donors(view: Any, scores: Any) -> None:
    """SUMMON: in battle always, after it out of a full legion; rather not from the titan's."""
    scores[actions.PASS] = 0.0
    for land in range(LANDS):
        if view.owner[land, 0]:
            tall = 1.0 if view.height[land] >= LEGION else 0.0
            need = 2.0 if view.fights else tall
            scores[actions.PICK_LAND + land] = need + 0.5 * tall - 0.3 * view.least[land, TITAN] - 0.1


@inline_rule
def score_talk(view: Any, scratch: Any, minds: Any, scores: Any) -> None:
    """DEFEND, ATTACK, ANSWER: what battle, flight, concession and mutual elimination are worth."""
    weights = minds.weights
    mine = Stake(value_of(view.talk[0], view.power[0]), float(view.talk[0, TITAN]), view.score[0])
    enemy = enemy_met(view)
    his_power = view.power[enemy]
    his = Stake(value_of(view.talk[1], his_power), float(view.talk[1, TITAN]), view.score[enemy])
    fight = worth_of_fight(view, scratch, mine, his, his_power, minds)
    shared = rivals(view)
    gain = weights.spoils * his.value / shared + weights.regicide * his.titans / shared
    agree = gain - mine.value - weights.titan * mine.titans
    scores[actions.FIGHT] = fight
    scores[actions.FLEE] = -mine.value * (1.0 + 0.5 * weights.given / shared)
    scores[actions.FLEE] -= weights.reached * chance_of_goal(view, his.score, 0.5 * mine.value)
    scores[actions.CONCEDE] = -mine.value * (1.0 + weights.given / shared) - weights.titan * mine.titans - 1.0
    scores[actions.CONCEDE] -= weights.reached * chance_of_goal(view, his.score, mine.value)
    scores[actions.AGREE] = agree
    if not his.titans:  # nobody gives a titan away
        scores[actions.OFFER] = weights.hope * agree + (1.0 - weights.hope) * fight - 0.01


@inline_rule
def enemy_met(view: Any) -> int:
    """Return the seat in the engagement: the mover, or the enemy on the engaged land that holds what is talked of."""
    if not view.attacks:
        return view.mover
    for land in range(LANDS):
        if view.owner[land, 0]:
            for seat in range(1, view.owner.shape[1]):
                if view.owner[land, seat]:
                    same = True
                    for kind in range(KINDS):
                        same = same and view.least[land, kind] == view.talk[0, kind] + view.talk[1, kind]
                    if same:
                        return seat
    return 1


@inline_rule
def worth_of_fight(view: Any, scratch: Any, mine: Stake, his: Stake, his_power: int, minds: Any) -> float:
    """Return the worth of the battle that is talked of, on the average of the sides where the attacker may enter."""
    met = minds.met
    attacks = view.attacks == 1
    lay(met, 0 if attacks else 1, view.talk[0], view.power[0])
    lay(met, 1 if attacks else 0, view.talk[1], his_power)
    seat = 0 if attacks else view.mover
    angel, archangel = has_waiting(scratch, seat, view.talk[0 if attacks else 1])
    if view.summoned:
        angel = archangel = 0
    worth = 0.0
    for side in range(len(ENTRY_NAMES)):
        foretell_one(met, view.terrain, side, angel, archangel, 1, minds.network)
        worth += gained(forecast_for(met, attacks), mine, his, view, minds.weights) / len(ENTRY_NAMES)
    return worth
