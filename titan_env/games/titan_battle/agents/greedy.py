"""The greedy agent of Titan: battle: it brings everybody on, goes near the enemy, and strikes for most harm."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from typing import Any

from titan_env.agents.scorer import Scorer, make_scorer
from titan_env.contract import Game, inline_rule
from titan_env.games.titan_battle.agents.state_from_observation import asked, read_battle
from titan_env.games.titan_battle.agents.strike_scores import (
    SCRATCH,
    appraise,
    score_arrivals,
    score_carries,
    score_handicaps,
    score_strikes,
    score_targets,
    worth_of_strike,
)
from titan_env.games.titan_battle.rules import actions
from titan_env.games.titan_battle.rules.actions import ACTIONS
from titan_env.games.titan_battle.rules.characters import VALUE
from titan_env.games.titan_battle.rules.fighters import fighter_at, hexes_of, occupied
from titan_env.games.titan_battle.rules.hexes import STEPS
from titan_env.games.titan_battle.rules.lands import CONTACT, ENTRANCES
from titan_env.games.titan_battle.rules.maneuver import destinations, may_go
from titan_env.games.titan_battle.rules.observation import BEGIN
from titan_env.games.titan_battle.rules.state import HEXES, OUTSIDE, SLOTS, Ask
from titan_env.play.score_rules import ScoreRule

WEIGHTS: Mapping[str, float] = {
    "enter": 100.0,  # who is outside comes on
    "approach": 1.0,  # a step nearer to the nearest enemy
    "strike": 0.3,  # what the best strike from there is expected to be worth
    "titan": 1.0,  # the own titan's value, as a multiple of power times skill
    "regicide": 2.0,  # and the enemy titan's
    "slain": 0.4,  # the share of a character's value that goes when it is slain, not hit by hit
    "lead": 0.01,  # who is worth more goes first
}
NEVER = -100.0
"""The score of what is not legal, or not seen to be."""
_Weights = namedtuple("_Weights", WEIGHTS)  # type: ignore[misc]


def make(game: Game, **weights: float) -> Scorer:
    """Return the greedy agent with some weights changed. Raises ValueError for a weight that is not in `WEIGHTS`."""
    return make_scorer(game, SCORE, WEIGHTS, weights)


@inline_rule
def judge_seen(seen: Any, scratch: Any, weights: Any, scores: Any) -> None:
    """Write the score of each of the 159 actions from an observation."""
    judge_battle(seen[BEGIN:], asked(seen), scratch, weights, scores)


@inline_rule
def judge_battle(seen: Any, ask: int, scratch: Any, weights: Any, scores: Any) -> None:
    """Write the scores from what is seen of a battle, from the field `role` on."""
    scores[:] = NEVER
    side = read_battle(seen, ask, scratch.battle)
    judge(scratch.battle, side, scratch, weights, scores)


@inline_rule
def judge(battle: Any, side: int, scratch: Any, weights: Any, scores: Any) -> None:
    """Write the scores of one position."""
    asked = battle.ask
    appraise(battle, side, scratch, weights)
    if asked == Ask.MANEUVER:
        score_picks(battle, side, scratch, weights, scores)
    elif asked == Ask.GO:
        score_ways(battle, side, scratch, weights, scores)
    elif asked == Ask.TARGET:
        score_targets(battle, scratch, False, scores)
    else:
        score_the_rest(battle, scratch, scores)


@inline_rule
def score_the_rest(battle: Any, scratch: Any, scores: Any) -> None:
    """Score the questions that both agents answer alike: striking, handicaps, carries, arrivals."""
    asked = battle.ask
    if asked == Ask.STRIKE:
        score_strikes(battle, scratch, scores)
    elif asked == Ask.HANDICAP:
        score_handicaps(battle, scratch, scores)
    elif asked == Ask.CARRY:
        score_carries(battle, scratch, scores)
    elif asked != Ask.NOTHING:
        score_arrivals(battle, scores)


@inline_rule
def worth_of_place(battle: Any, side: int, scratch: Any, weights: Any, who: int, hexagon: int) -> float:
    """Return a fighter's value on a hex: its best strike from there, and the distance of the nearest enemy."""
    enemies = hexes_of(battle, 1 - side)
    goals = enemies if enemies != 0 else ENTRANCES[1 - side, battle.entry]
    nearest = HEXES
    for number in range(HEXES):
        if goals >> number & 1:
            nearest = min(nearest, STEPS[hexagon, number])
    value = -weights.approach * nearest
    near = CONTACT[battle.land, hexagon] & enemies
    most = 0.0
    for number in range(HEXES):
        if near >> number & 1:
            begin = battle.fighters[who].hex
            battle.fighters[who].hex = hexagon
            most = max(most, worth_of_strike(battle, scratch, who, fighter_at(battle, number)))
            battle.fighters[who].hex = begin
    return float(value + weights.strike * most)


@inline_rule
def best_place(battle: Any, side: int, scratch: Any, weights: Any, who: int) -> float:
    """Return the value of the best of a fighter's possible places."""
    most = NEVER
    hexes = destinations(battle, who)
    for number in range(HEXES):
        if hexes >> number & 1:
            most = max(most, worth_of_place(battle, side, scratch, weights, who, number))
    return most


@inline_rule
def score_picks(battle: Any, side: int, scratch: Any, weights: Any, scores: Any) -> None:
    """MANEUVER: what the best place adds; everybody comes on; the end when nobody gains anything."""
    scores[actions.END] = 0.0
    free = ~occupied(battle)
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        if may_go(battle, who, free):
            fighter = battle.fighters[who]
            value = best_place(battle, side, scratch, weights, who) + weights.lead * VALUE[fighter.kind]
            if fighter.hex == OUTSIDE:
                scores[actions.PICK_KIND + fighter.kind] = value + weights.enter
            else:
                here = worth_of_place(battle, side, scratch, weights, who, fighter.hex)
                scores[actions.PICK + fighter.hex] = value - here - weights.lead * VALUE[fighter.kind] - 1e-6


@inline_rule
def score_ways(battle: Any, side: int, scratch: Any, weights: Any, scores: Any) -> None:
    """GO: what the picked fighter is worth on each hex."""
    hexes = destinations(battle, battle.picked)
    for number in range(HEXES):
        if hexes >> number & 1:
            scores[actions.TO + number] = worth_of_place(battle, side, scratch, weights, battle.picked, number)


SCORE = ScoreRule(judge_seen, SCRATCH, _Weights, len(ACTIONS))
