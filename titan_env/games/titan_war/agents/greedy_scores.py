"""The greedy agent's scores of each answer of the war, question by question; compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import inline_rule
from titan_env.games.titan_battle.agents.strike_scores import SCRATCH as BATTLE_SCRATCH
from titan_env.games.titan_battle.rules.characters import IS_CREATURE, VALUE
from titan_env.games.titan_battle.rules.state import KINDS, LEGION, Character, Land
from titan_env.games.titan_war.agents.legion_moves import MOVE_SCRATCH, find_ends
from titan_env.games.titan_war.agents.position_value import (
    TITAN,
    chance_to_win,
    height_of,
    lay_out,
    mark_threats,
    worth_of_attack,
    worth_of_legion,
    worth_of_place,
)
from titan_env.games.titan_war.agents.state_from_observation import SEAT_VIEW
from titan_env.games.titan_war.rules import actions
from titan_env.games.titan_war.rules.movement import TELEPORT_ROLL
from titan_env.games.titan_war.rules.state import LANDS, Ask

NEVER = -1e6
"""The score of what is not legal, or not seen to be."""
_TWO, _FIVE = 2, 5
_STACK = 3

SCRATCH = np.dtype(
    [
        ("war", np.dtype((np.record, SEAT_VIEW))),  # the war as it is seen
        ("battle", np.dtype((np.record, BATTLE_SCRATCH))),
        ("ways", np.dtype((np.record, MOVE_SCRATCH))),
        ("goals", np.int64, LANDS),  # 1: the legion that is looked at may go there
        ("strong", np.float64, LANDS),  # the value of the strongest enemy that may come there with one roll
        ("rolls", np.int64, LANDS),  # with how many rolls, all enemies together
        ("swap_own", np.int64, LANDS),
        ("swap_enemy", np.int64, LANDS),
        ("counts", np.int64, KINDS),  # the legion that is looked at
    ],
    align=True,
)
"""The arrays of the agent."""


@inline_rule
def judge(view: Any, scratch: Any, weights: Any, scores: Any) -> None:
    """Write the scores of one seat."""
    asked = view.ask
    if asked == Ask.MOVE or asked == Ask.STACK or asked == Ask.GO_LAND:
        lay_out(view, scratch)
        mark_threats(view, scratch)
        score_moves(view, scratch, weights, scores)
    elif asked == Ask.START:
        score_start(scores)
    elif asked == Ask.SPLIT:
        score_split(view, scratch, scores)
    elif asked == Ask.ENGAGE or asked == Ask.SUMMON:
        score_lands(view, scratch, weights, scores)
    elif asked == Ask.DEFEND or asked == Ask.ATTACK or asked == Ask.ANSWER:
        score_talk(view, weights, scores)
    else:
        score_the_rest(view, scores)


@inline_rule
def score_start(scores: Any) -> None:
    """START: a centaur and two gargoyles go with the titan, a centaur and two ogres with the angel."""
    scores[actions.PICK_KIND + Character.CENTAUR.value] = 1.0
    for kind in range(KINDS):
        if IS_CREATURE[kind]:
            scores[actions.PICK_KIND + kind] = -float(kind)


@inline_rule
def score_split(view: Any, scratch: Any, scores: Any) -> None:
    """SPLIT: seven split into five and two, the two least valuable creatures, alike if they can be; others stay."""
    begun = height_of(view.split)
    take_counts(scratch, view.stack[0])
    scores[actions.PASS] = 0.0
    scores[actions.END] = 1e5
    first, second = pair_to_split(scratch)
    if begun == 0 and height_of(scratch.counts) < LEGION:
        return
    if begun == 0:
        scores[actions.PICK_KIND + first] = 1.0
    else:
        scores[actions.PICK_KIND + second] = 1.0


@inline_rule
def pair_to_split(scratch: Any) -> tuple[int, int]:
    """Return the two creatures of the least value together that a legion splits off, in the order of their kinds."""
    best, first, second = 1e6, 0, 0
    for one in range(KINDS):
        for other in range(one, KINDS):
            if not (IS_CREATURE[one] and IS_CREATURE[other]):
                continue
            if scratch.counts[one] < 1 or scratch.counts[other] < 1 + (one == other):
                continue
            value = float(VALUE[one] + VALUE[other]) - 3.0 * (one == other)
            if value < best:
                best, first, second = value, one, other
    return first, second


@inline_rule
def take_counts(scratch: Any, counts: Any) -> None:
    """Look at a legion."""
    for kind in range(KINDS):
        scratch.counts[kind] = counts[kind]


@inline_rule
def worth_of_going(view: Any, scratch: Any, land: int, there: int, weights: Any) -> float:
    """Return the gain if the legion in question goes from one land to another."""
    if scratch.ways.enemy[there]:
        return worth_of_attack(view, scratch.counts, there, weights)
    return worth_of_place(view, scratch, scratch.counts, there, True, weights)


@inline_rule
def best_way(view: Any, scratch: Any, land: int, weights: Any) -> float:
    """Return the value of the best normal move of the legion in question; NEVER without any."""
    best = NEVER
    find_ends(scratch.ways, land, view.roll)
    for there in range(LANDS):
        scratch.goals[there] = scratch.ways.ends[there]
    for there in range(LANDS):
        if scratch.goals[there]:
            best = max(best, worth_of_going(view, scratch, land, there, weights))
    return best


@inline_rule
def score_moves(view: Any, scratch: Any, weights: Any, scores: Any) -> None:
    """MOVE: which land's legion gains most; STACK: which of them; GO_LAND: where it goes."""
    scores[actions.END] = 0.0
    if view.ask == Ask.MOVE:
        for land in range(LANDS):
            if view.can_move[land]:
                take_counts(scratch, view.least[land])
                stay = worth_of_place(view, scratch, scratch.counts, land, False, weights)
                scores[actions.PICK_LAND + land] = best_way(view, scratch, land, weights) - stay
    elif view.ask == Ask.STACK:
        for number in range(_STACK):
            take_counts(scratch, view.stack[number])
            scores[actions.STACK + number] = best_way(view, scratch, view.about, weights)
    else:
        take_counts(scratch, view.stack[0])
        find_ends(scratch.ways, view.about, view.roll)
        for there in range(LANDS):
            scratch.goals[there] = scratch.ways.ends[there]
        for there in range(LANDS):
            if scratch.goals[there] or view.roll == TELEPORT_ROLL:
                scores[actions.TO_LAND + there] = worth_of_going(view, scratch, view.about, there, weights)
        scores[actions.TELEPORT] = 0.0


@inline_rule
def score_lands(view: Any, scratch: Any, weights: Any, scores: Any) -> None:
    """ENGAGE: any, the weaker legions first; SUMMON: the angel of the legion that misses it least."""
    scores[actions.PASS] = -1e5
    for land in range(LANDS):
        scores[actions.PICK_LAND + land] = -float(view.height[land]) - 10.0 * view.least[land, TITAN]


@inline_rule
def score_talk(view: Any, weights: Any, scores: Any) -> None:
    """DEFEND, ATTACK, ANSWER: fight where there is a chance, else flee, or offer and agree; a titan fights."""
    mine = worth_of_legion(view.talk[0], view.power[0])
    his = worth_of_legion(view.talk[1], 6)
    is_tower = view.terrain == Land.TOWER
    attacker, defender = (mine, his) if view.attacks else (his, mine)
    wins = chance_to_win(attacker, defender, is_tower, weights)
    if not view.attacks:
        wins = 1.0 - wins
    leads = view.talk[0, TITAN] > 0
    scores[actions.FIGHT] = 0.0
    scores[actions.CONCEDE] = -2.0
    scores[actions.OFFER] = -1.0 if leads else 0.1 * (weights.agree - wins)
    scores[actions.FLEE] = weights.flee - wins
    scores[actions.AGREE] = -1.0 if leads else weights.agree - wins


@inline_rule
def score_the_rest(view: Any, scores: Any) -> None:
    """Musters and angels of the most value; the least one is shown; a first roll of two or five is thrown again."""
    scores[actions.PASS] = 0.0
    for kind in range(KINDS):
        value = float(VALUE[kind])
        scores[actions.MUSTER + kind] = value
        scores[actions.PICK_KIND + kind] = value if view.ask == Ask.SUMMON_KIND else -value
        if kind == TITAN and view.ask == Ask.SHOW:
            scores[actions.PICK_KIND + kind] = -1e3
    scores[actions.KEEP] = 0.0
    scores[actions.REROLL] = 1.0 if view.roll == _TWO or view.roll == _FIVE else -1.0
