"""The expert agent of Titan: battle: it plans the places at the end of the maneuvers, and strikes together.

Before each maneuver it plans the places of all its characters, one after the other, some times over: what they will
do and take in the strikes that follow, what the enemy can do in his half, how far they are. Then it makes the
move of the plan that leads furthest. It ends the phase when everybody stands where the plan wants it.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from typing import Any

from titan_env.agents.scorer import Scorer, make_scorer
from titan_env.contract import Game, inline_rule, specialize_part
from titan_env.games.titan_battle.agents.greedy import judge_battle, judge_seen, score_the_rest
from titan_env.games.titan_battle.agents.position_value import outlook
from titan_env.games.titan_battle.agents.strike_scores import SCRATCH, appraise, score_targets
from titan_env.games.titan_battle.rules import actions
from titan_env.games.titan_battle.rules.actions import ACTIONS
from titan_env.games.titan_battle.rules.characters import SKILL
from titan_env.games.titan_battle.rules.fighters import occupied
from titan_env.games.titan_battle.rules.hexes import STEPS, has_hex
from titan_env.games.titan_battle.rules.lands import ENTRANCES
from titan_env.games.titan_battle.rules.maneuver import destinations, may_go
from titan_env.games.titan_battle.rules.state import FIGHTERS, HEXES, NOBODY, OUTSIDE, SLOTS, Ask
from titan_env.play.score_rules import ScoreRule

WEIGHTS: Mapping[str, float] = {
    "titan": 4.3,  # the own titan's value, as a multiple of power times skill
    "regicide": 2.7,  # and the enemy titan's
    "slain": 0.61,  # the share of a character's value that goes when it is slain, not hit by hit
    "taken": 0.9,  # harm that an attacker takes in the coming strikes, beside the harm that he does
    "taken_defending": 1.1,  # and a defender
    "threat": 0.18,  # harm that an attacker takes in the enemy's half
    "threat_defending": 0.36,  # and a defender
    "counter": 0.16,  # harm that an attacker does then
    "counter_defending": 0.14,  # and a defender
    "late": 0.6,  # how much less an attacker minds harm in the last round
    "stall": 0.2,  # how much more a defender does
    "shot": 0.61,  # of the harm that rangestrikes do
    "arrow": 0.64,  # of the harm that the enemy's rangestrikes may do in his half
    "siege": 1.5,  # and of those in each round that is left, on a defender who cannot answer them
    "caution": 0.39,  # how much the enemy minds what he takes
    "approach": 1.3,  # a step nearer to the nearest enemy, for an attacker
    "approach_defending": 0.22,  # and for a defender
    "hurry": 0.4,  # how much more for an attacker with every round
    "ground": 1.0,  # good ground under an attacker, as a share of what each is worth
    "ground_defending": 3.0,  # and under a defender
    "shelter": 1.8,  # a step between the own titan and the nearest enemy
    "outside": 5.0,  # a share of the value of those who are still outside
    "door": 20.0,  # everybody who finds no free entry hex
    "wait": 0.051,  # what a move must bring
}
MOST_SKILL = int(SKILL.max())
_PASSES = 2  # how often each character looks again at its place
_Weights = namedtuple("_Weights", WEIGHTS)  # type: ignore[misc]


def make(game: Game, **weights: float) -> Scorer:
    """Return the expert agent with some weights changed. Raises ValueError for a weight that is not in `WEIGHTS`."""
    return make_scorer(game, SCORE, WEIGHTS, weights)


@inline_rule
def judge(battle: Any, side: int, scratch: Any, weights: Any, scores: Any) -> None:
    """Write the scores of one position."""
    asked = battle.ask
    appraise(battle, side, scratch, weights)
    if asked == Ask.MANEUVER:
        plan(battle, side, scratch, weights)
        score_picks(battle, side, scratch, weights, scores)
    elif asked == Ask.GO:
        plan(battle, side, scratch, weights)
        score_ways(battle, side, scratch, weights, scores)
    elif asked == Ask.TARGET:
        score_targets(battle, scratch, True, scores)
    else:
        score_the_rest(battle, scratch, scores)


# The plan


@inline_rule
def plan(battle: Any, side: int, scratch: Any, weights: Any) -> None:
    """Return the better of two plans: one begun from the position, one begun as if no enemy ever struck back."""
    for who in range(FIGHTERS):
        scratch.at[who] = scratch.begin[who] = battle.fighters[who].hex
    improve(battle, side, scratch, weights, _PASSES)
    quiet = scratch.value
    for who in range(FIGHTERS):
        scratch.quiet[who] = scratch.at[who]
        scratch.at[who] = scratch.begin[who]
    scratch.bold = 1
    is_other = improve(battle, side, scratch, weights, 1)
    scratch.bold = 0
    if is_other:
        improve(battle, side, scratch, weights, _PASSES)
    if not is_other or scratch.value <= quiet:
        for who in range(FIGHTERS):
            scratch.at[who] = scratch.quiet[who]
    for who in range(FIGHTERS):
        battle.fighters[who].hex = scratch.begin[who]


@inline_rule
def improve(battle: Any, side: int, scratch: Any, weights: Any, passes: int) -> bool:
    """Let everybody look again at its place, so many times over; return whether anybody has left it.

    Whoever looks twice with nobody else leaving in between stays, and so it ends there.
    """
    scratch.value = outlook(battle, side, scratch, weights)
    scratch.last = NOBODY
    for _ in range(passes):
        if not place_all(battle, side, scratch, weights):
            break
    return bool(scratch.last != NOBODY)


@inline_rule
def place_all(battle: Any, side: int, scratch: Any, weights: Any) -> bool:
    """Find a place for everybody who may still move, the nimble first: the others may reach the doors only.

    Return whether anybody has left its place. It ends early at the last who did before, if nobody has since.
    """
    is_new = False
    for slower in range(MOST_SKILL):
        for who in range(side * SLOTS, side * SLOTS + SLOTS):
            fighter = battle.fighters[who]
            may = not fighter.moved and not fighter.locked and scratch.begin[who] <= OUTSIDE
            if not may or SKILL[fighter.kind] != MOST_SKILL - slower:
                continue
            if who == scratch.last and not is_new:
                return False
            hexagon = scratch.at[who]
            find_place(battle, side, scratch, weights, who)
            if scratch.at[who] != hexagon:
                scratch.last = who
                is_new = True
    return is_new


@inline_rule
def find_place(battle: Any, side: int, scratch: Any, weights: Any, who: int) -> None:
    """Plan the place of one fighter, all others standing as planned."""
    for other in range(FIGHTERS):
        battle.fighters[other].hex = scratch.at[other]
    battle.fighters[who].hex = scratch.begin[who]
    hexes = destinations(battle, who)
    most, best, kept = scratch.value + 1e-9, scratch.at[who], scratch.value
    for number in range(HEXES):
        if has_hex(hexes, number):
            scratch.at[who] = number
            here = outlook(battle, side, scratch, weights)
            value = here - weights.wait * (number != scratch.begin[who])
            if value > most:
                most, best, kept = value, number, here
    scratch.at[who], scratch.value = best, kept


# Answers


@inline_rule
def score_picks(battle: Any, side: int, scratch: Any, weights: Any, scores: Any) -> None:
    """MANEUVER: of those whom the plan moves the one that goes furthest; the end when everybody stands as planned."""
    scores[actions.END] = 0.0
    free = ~occupied(battle)
    door = ENTRANCES[side, battle.entry]
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        if not may_go(battle, who, free):
            continue
        fighter = battle.fighters[who]
        action = actions.PICK_KIND + fighter.kind if fighter.hex == OUTSIDE else actions.PICK + fighter.hex
        value = -1.0
        if fighter.hex == OUTSIDE:
            value = 0.5
        if scratch.at[who] != scratch.begin[who] and has_hex(destinations(battle, who), scratch.at[who]):
            value = 1.0 + 0.2 * depth(door, scratch.at[who])
        scores[action] = max(scores[action], value)


@inline_rule
def depth(door: int, hexagon: int) -> int:
    """Return the number of steps from a place to the own entry."""
    nearest = HEXES
    for number in range(HEXES):
        if has_hex(door, number):
            nearest = min(nearest, STEPS[hexagon, number])
    return int(nearest)


@inline_rule
def score_ways(battle: Any, side: int, scratch: Any, weights: Any, scores: Any) -> None:
    """GO: what the plan is worth with the picked fighter on each hex; who was to stand there stays, or changes."""
    who = battle.picked
    hexes = destinations(battle, who)
    for number in range(HEXES):
        if not has_hex(hexes, number):
            continue
        meant = scratch.at[who]
        scratch.at[who] = number
        other = NOBODY
        for friend in range(side * SLOTS, side * SLOTS + SLOTS):
            if friend != who and scratch.at[friend] == number:
                other = friend
        if other != NOBODY:
            same_kind = battle.fighters[who].kind == battle.fighters[other].kind
            alike = same_kind and scratch.begin[who] == scratch.begin[other]
            scratch.at[other] = meant if alike else scratch.begin[other]
        scores[actions.TO + number] = outlook(battle, side, scratch, weights)
        if other != NOBODY:
            scratch.at[other] = number
        scratch.at[who] = meant


_judge_battle = specialize_part(judge_battle, {"judge": judge})
SCORE = ScoreRule(specialize_part(judge_seen, {"judge_battle": _judge_battle}), SCRATCH, _Weights, len(ACTIONS))
