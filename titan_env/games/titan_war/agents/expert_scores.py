"""Scores of every answer by the expert, question by question; compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import inline_rule
from titan_env.games.titan_battle.rules.characters import IS_LORD, VALUE
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_battle.rules.state import KINDS, LEGION, Character, Land
from titan_env.games.titan_war.agents.enemy_estimates import note_foes, note_reach, value_of
from titan_env.games.titan_war.agents.engagement_scores import score_donors, score_engagements, score_talk
from titan_env.games.titan_war.agents.expert_values import (
    best_attack,
    worth_of_attack,
    worth_of_place,
)
from titan_env.games.titan_war.agents.greedy_scores import NEVER, score_the_rest
from titan_env.games.titan_war.agents.legion_moves import ROLLS, find_ends
from titan_env.games.titan_war.agents.position_value import TITAN, height_of, lay_out, prospects
from titan_env.games.titan_war.agents.recruits import worth_of_muster
from titan_env.games.titan_war.rules import actions
from titan_env.games.titan_war.rules.lands import TELEPORTS, TERRAIN
from titan_env.games.titan_war.rules.movement import TELEPORT_ROLL, TITAN_TELEPORT
from titan_env.games.titan_war.rules.splits import SMALLEST, SPLITTING
from titan_env.games.titan_war.rules.start import STARTERS
from titan_env.games.titan_war.rules.state import LANDS, Ask

_STACK = 3
_WALKS, _TELEPORTS = 1, 2
_ALL_SIDES = (1 << len(ENTRY_NAMES)) - 1
_SURE = 1e5

FIRST_PLACE = np.full(KINDS, -1)
"""The place of each kind among the creatures with which players start, or -1."""
for _starters in STARTERS:
    FIRST_PLACE[_starters] = range(len(_starters))


@inline_rule
def judge(view: Any, scratch: Any, minds: Any, scores: Any) -> None:
    """Write the scores of one seat, battles apart."""
    asked = view.ask
    note_foes(view, scratch)
    is_move = asked == Ask.MOVE or asked == Ask.STACK or asked == Ask.GO_LAND or asked == Ask.SIDE
    if is_move or asked == Ask.SPLIT:
        note_reach(view, scratch)
    lay_out(view, scratch)
    if is_move:
        score_march(view, scratch, minds, scores)
    elif asked == Ask.START:
        score_first_legion(view, minds, scores)
    elif asked == Ask.SPLIT:
        score_split(view, scratch, minds, scores)
    elif asked == Ask.MULLIGAN:
        score_mulligan(view, scratch, minds, scores)
    elif asked == Ask.ENGAGE:
        score_engagements(view, scores)
    elif asked == Ask.SUMMON:
        score_donors(view, scores)
    elif asked == Ask.DEFEND or asked == Ask.ATTACK or asked == Ask.ANSWER:
        score_talk(view, scratch, minds, scores)
    else:
        score_the_rest(view, scores)
        if asked == Ask.MUSTER:
            score_musters(view, scratch, minds, scores)


# Moves


@inline_rule
def score_march(view: Any, scratch: Any, minds: Any, scores: Any) -> None:
    """Score the questions of a move: from which land, which legion there, to which land, on which side."""
    asked = view.ask
    if asked == Ask.MOVE:
        score_moves(view, scratch, minds, scores)
    elif asked == Ask.STACK:
        score_stack(view, scratch, minds, scores)
    elif asked == Ask.GO_LAND:
        score_goals(view, scratch, minds, scores)
    else:
        score_sides(view, scratch, minds, scores)


@inline_rule
def look_at(scratch: Any, counts: Any) -> None:
    """Look at a legion."""
    for kind in range(KINDS):
        scratch.mine[kind] = counts[kind]


@inline_rule
def find_goals(view: Any, scratch: Any, land: int) -> None:
    """Find where the legion that is looked at may go from a land, on foot or by teleport."""
    find_ends(scratch.ways, land, view.roll)
    for there in range(LANDS):
        scratch.goals[there] = _WALKS if scratch.ways.ends[there] else 0
        scratch.sides[there] = scratch.ways.sides[there]
    if view.roll != TELEPORT_ROLL or view.teleported:
        return
    lord = scratch.mine[TITAN] + scratch.mine[Character.ANGEL] + scratch.mine[Character.ARCHANGEL] > 0
    far = scratch.mine[TITAN] > 0 and view.score[0] >= TITAN_TELEPORT
    for there in range(LANDS):
        if scratch.goals[there] or scratch.ways.own[there]:
            continue
        if scratch.ways.enemy[there]:
            if far:
                scratch.goals[there] = _TELEPORTS
                scratch.sides[there] = _ALL_SIDES
        elif lord and TELEPORTS[land, there]:
            scratch.goals[there] = _TELEPORTS


@inline_rule
def worth_of_going(view: Any, scratch: Any, there: int, minds: Any) -> float:
    """Return the worth of a move of the legion that is looked at to a land."""
    if not scratch.ways.enemy[there]:
        return worth_of_place(view, scratch, there, True, minds)
    value = best_attack(view, scratch, there, scratch.sides[there], minds)
    if height_of(scratch.mine) < LEGION:
        value += minds.weights.after * worth_of_muster(scratch.mine, view.supply, TERRAIN[there])
    return value


@inline_rule
def best_way(view: Any, scratch: Any, land: int, minds: Any) -> float:
    """Return the worth of the best move of the legion that is looked at; NEVER where there is none."""
    best = NEVER
    find_goals(view, scratch, land)
    for there in range(LANDS):
        if scratch.goals[there]:
            best = max(best, worth_of_going(view, scratch, there, minds))
    return best


@inline_rule
def score_moves(view: Any, scratch: Any, minds: Any, scores: Any) -> None:
    """MOVE: the legion that gains most by its best move; enough when nobody gains."""
    scores[actions.END] = 0.0
    for land in range(LANDS):
        if view.can_move[land]:
            look_at(scratch, view.least[land])
            stay = worth_of_place(view, scratch, land, False, minds)
            scores[actions.PICK_LAND + land] = best_way(view, scratch, land, minds) - stay


@inline_rule
def score_stack(view: Any, scratch: Any, minds: Any, scores: Any) -> None:
    """STACK: the legion that gains most by its best move."""
    for number in range(_STACK):
        look_at(scratch, view.stack[number])
        if height_of(scratch.mine) > 0:
            stay = worth_of_place(view, scratch, view.about, False, minds)
            scores[actions.STACK + number] = best_way(view, scratch, view.about, minds) - stay


@inline_rule
def score_goals(view: Any, scratch: Any, minds: Any, scores: Any) -> None:
    """GO_LAND: what each land is worth; a teleport as much as the best land that only it reaches."""
    look_at(scratch, view.stack[0])
    find_goals(view, scratch, view.about)
    for there in range(LANDS):
        if scratch.goals[there]:
            value = worth_of_going(view, scratch, there, minds)
            scores[actions.TO_LAND + there] = value
            if scratch.goals[there] == _TELEPORTS:
                scores[actions.TELEPORT] = max(scores[actions.TELEPORT], value)


@inline_rule
def score_sides(view: Any, scratch: Any, minds: Any, scores: Any) -> None:
    """SIDE: the best one for the best attack; where the enemy stands is not said."""
    look_at(scratch, view.stack[0])
    find_goals(view, scratch, view.about)
    best = NEVER
    for there in range(LANDS):
        if scratch.goals[there] and scratch.ways.enemy[there] and TERRAIN[there] != Land.TOWER:
            value = best_attack(view, scratch, there, scratch.sides[there], minds)
            if value > best:
                best = value
                for side in range(len(ENTRY_NAMES)):
                    if scratch.sides[there] >> side & 1:
                        worth = worth_of_attack(view, scratch, scratch.foe_at[there], there, side, minds)
                        scores[actions.SIDE + side] = worth


# Splits and musters


@inline_rule
def score_split(view: Any, scratch: Any, minds: Any, scores: Any) -> None:
    """SPLIT: a tall legion splits off the two that both parts fare best with, if they fare better than together."""
    scores[actions.PASS] = 0.0
    begun = height_of(view.split)
    if begun >= SMALLEST:
        scores[actions.END] = _SURE
        return
    look_at(scratch, view.stack[0])
    if height_of(scratch.mine) < max(float(SPLITTING), minds.weights.tall):
        return
    for kind in range(KINDS):
        scratch.whole[kind] = scratch.mine[kind]
    together = worth_of_place(view, scratch, view.about, False, minds)
    for one in range(KINDS):
        if IS_LORD[one] or scratch.whole[one] < 1 or (begun == 1 and view.split[one] == 0):
            continue
        for other in range(one, KINDS):
            if IS_LORD[other] or scratch.whole[other] < 1 + (one == other):
                continue
            worth = worth_apart(view, scratch, one, other, minds) - together - minds.weights.apart
            if begun == 0:
                scores[actions.PICK_KIND + one] = max(scores[actions.PICK_KIND + one], worth)
            else:
                scores[actions.PICK_KIND + other] = worth + _SURE


@inline_rule
def worth_apart(view: Any, scratch: Any, one: int, other: int, minds: Any) -> float:
    """Return the worth of a legion in two parts, one of them these two creatures."""
    for kind in range(KINDS):
        scratch.mine[kind] = (kind == one) + (kind == other)
    pair = value_of(scratch.mine, 0)
    worth = worth_of_place(view, scratch, view.about, False, minds) - minds.weights.lean * pair
    for kind in range(KINDS):
        scratch.mine[kind] = scratch.whole[kind] - scratch.mine[kind]
    return worth + worth_of_place(view, scratch, view.about, False, minds)


@inline_rule
def score_musters(view: Any, scratch: Any, minds: Any, scores: Any) -> None:
    """MUSTER: what joins is worth its points, and what can be mustered with it next turn."""
    for kind in range(KINDS):
        look_at(scratch, view.stack[0])
        scratch.mine[kind] += 1
        later = prospects(view, scratch, scratch.mine, view.about)
        scores[actions.MUSTER + kind] = float(VALUE[kind]) + minds.weights.prospect * later


# The beginning


@inline_rule
def score_first_legion(view: Any, minds: Any, scores: Any) -> None:
    """START: so many of the first two kinds of starters go with the titan, of the third one for the rest."""
    wanted = (minds.weights.centaurs, minds.weights.gargoyles, 3.0)
    for kind in range(KINDS):
        i = FIRST_PLACE[kind]
        if i >= 0:
            scores[actions.PICK_KIND + kind] = 1.0 if view.split[kind] < wanted[i] else -1.0
            scores[actions.PICK_KIND + kind] -= 0.1 * i


@inline_rule
def score_mulligan(view: Any, scratch: Any, minds: Any, scores: Any) -> None:
    """MULLIGAN: a first roll by which both legions can muster less than by the average one is thrown again."""
    home = 0
    while home < LANDS - 1 and not view.owner[home, 0]:
        home += 1
    look_at(scratch, view.least[home])
    scratch.mine[TITAN] = scratch.mine[Character.ANGEL] = 0
    mean, now = 0.0, 0.0
    for roll in range(1, ROLLS + 1):
        value = worth_of_first_roll(view, scratch, home, roll, minds)
        mean += value / ROLLS
        if roll == view.roll:
            now = value
    scores[actions.KEEP] = 0.0
    scores[actions.REROLL] = mean - now


@inline_rule
def worth_of_first_roll(view: Any, scratch: Any, home: int, roll: int, minds: Any) -> float:
    """Return what two legions can muster at the best two lands that a roll reaches from home, and later from there."""
    first, second = 0.0, 0.0
    find_ends(scratch.ways, home, roll)
    for there in range(LANDS):
        scratch.goals[there] = scratch.ways.ends[there]
    for there in range(LANDS):
        if scratch.goals[there] and not scratch.ways.enemy[there]:
            value = worth_of_muster(scratch.mine, view.supply, TERRAIN[there])
            value += minds.weights.prospect * prospects(view, scratch, scratch.mine, there)
            if value > first:
                first, second = value, first
            elif value > second:
                second = value
    return first + second
