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
def judge(table: Any, room: Any, minds: Any, scores: Any) -> None:
    """Write the scores of one table, battles apart."""
    asked = table.ask
    note_foes(table, room)
    if asked == Ask.MOVE or asked == Ask.STACK or asked == Ask.GO_LAND or asked == Ask.SIDE or asked == Ask.SPLIT:
        note_reach(table, room)
    lay_out(table, room)
    if asked == Ask.MOVE:
        score_moves(table, room, minds, scores)
    elif asked == Ask.STACK:
        score_stack(table, room, minds, scores)
    elif asked == Ask.GO_LAND:
        score_goals(table, room, minds, scores)
    elif asked == Ask.SIDE:
        score_sides(table, room, minds, scores)
    elif asked == Ask.START:
        score_first_legion(table, minds, scores)
    elif asked == Ask.SPLIT:
        score_split(table, room, minds, scores)
    elif asked == Ask.ENGAGE:
        score_engagements(table, scores)
    elif asked == Ask.SUMMON:
        score_donors(table, scores)
    elif asked == Ask.DEFEND or asked == Ask.ATTACK or asked == Ask.ANSWER:
        score_talk(table, room, minds, scores)
    elif asked == Ask.MULLIGAN:
        score_mulligan(table, room, minds, scores)
    else:
        score_the_rest(table, scores)
        if asked == Ask.MUSTER:
            score_musters(table, room, minds, scores)


# Moves


@inline_rule
def look_at(room: Any, counts: Any) -> None:
    """Look at a legion."""
    for kind in range(KINDS):
        room.mine[kind] = counts[kind]


@inline_rule
def find_goals(table: Any, room: Any, land: int) -> None:
    """Find where the legion that is looked at may go from a land, on foot or by teleport."""
    find_ends(room.ways, land, table.roll)
    for there in range(LANDS):
        room.goals[there] = _WALKS if room.ways.ends[there] else 0
        room.sides[there] = room.ways.sides[there]
    if table.roll != TELEPORT_ROLL or table.teleported:
        return
    lord = room.mine[TITAN] + room.mine[Character.ANGEL] + room.mine[Character.ARCHANGEL] > 0
    far = room.mine[TITAN] > 0 and table.score[0] >= TITAN_TELEPORT
    for there in range(LANDS):
        if room.goals[there] or room.ways.own[there]:
            continue
        if room.ways.enemy[there]:
            if far:
                room.goals[there] = _TELEPORTS
                room.sides[there] = _ALL_SIDES
        elif lord and TELEPORTS[land, there]:
            room.goals[there] = _TELEPORTS


@inline_rule
def worth_of_going(table: Any, room: Any, there: int, minds: Any) -> float:
    """Return the worth of a move of the legion that is looked at to a land."""
    if not room.ways.enemy[there]:
        return worth_of_place(table, room, there, True, minds)
    value = best_attack(table, room, there, room.sides[there], minds)
    if height_of(room.mine) < LEGION:
        value += minds.weights.after * worth_of_muster(room.mine, table.supply, TERRAIN[there])
    return value


@inline_rule
def best_way(table: Any, room: Any, land: int, minds: Any) -> float:
    """Return the worth of the best move of the legion that is looked at; NEVER where there is none."""
    best = NEVER
    find_goals(table, room, land)
    for there in range(LANDS):
        if room.goals[there]:
            best = max(best, worth_of_going(table, room, there, minds))
    return best


@inline_rule
def score_moves(table: Any, room: Any, minds: Any, scores: Any) -> None:
    """MOVE: the legion that gains most by its best move; enough when nobody gains."""
    scores[actions.END] = 0.0
    for land in range(LANDS):
        if table.can_move[land]:
            look_at(room, table.least[land])
            stay = worth_of_place(table, room, land, False, minds)
            scores[actions.PICK_LAND + land] = best_way(table, room, land, minds) - stay


@inline_rule
def score_stack(table: Any, room: Any, minds: Any, scores: Any) -> None:
    """STACK: the legion that gains most by its best move."""
    for number in range(_STACK):
        look_at(room, table.stack[number])
        if height_of(room.mine) > 0:
            stay = worth_of_place(table, room, table.about, False, minds)
            scores[actions.STACK + number] = best_way(table, room, table.about, minds) - stay


@inline_rule
def score_goals(table: Any, room: Any, minds: Any, scores: Any) -> None:
    """GO_LAND: what each land is worth; a teleport as much as the best land that only it reaches."""
    look_at(room, table.stack[0])
    find_goals(table, room, table.about)
    for there in range(LANDS):
        if room.goals[there]:
            value = worth_of_going(table, room, there, minds)
            scores[actions.TO_LAND + there] = value
            if room.goals[there] == _TELEPORTS:
                scores[actions.TELEPORT] = max(scores[actions.TELEPORT], value)


@inline_rule
def score_sides(table: Any, room: Any, minds: Any, scores: Any) -> None:
    """SIDE: the best one for the best attack; where the enemy stands is not said."""
    look_at(room, table.stack[0])
    find_goals(table, room, table.about)
    best = NEVER
    for there in range(LANDS):
        if room.goals[there] and room.ways.enemy[there] and TERRAIN[there] != Land.TOWER:
            value = best_attack(table, room, there, room.sides[there], minds)
            if value > best:
                best = value
                for side in range(len(ENTRY_NAMES)):
                    if room.sides[there] >> side & 1:
                        worth = worth_of_attack(table, room, room.foe_at[there], there, side, minds)
                        scores[actions.SIDE + side] = worth


# Splits and musters


@inline_rule
def score_split(table: Any, room: Any, minds: Any, scores: Any) -> None:
    """SPLIT: a tall legion splits off the two that both parts fare best with, if they fare better than together."""
    scores[actions.PASS] = 0.0
    begun = height_of(table.split)
    if begun >= SMALLEST:
        scores[actions.END] = _SURE
        return
    look_at(room, table.stack[0])
    if height_of(room.mine) < max(float(SPLITTING), minds.weights.tall):
        return
    for kind in range(KINDS):
        room.whole[kind] = room.mine[kind]
    together = worth_of_place(table, room, table.about, False, minds)
    for one in range(KINDS):
        if IS_LORD[one] or room.whole[one] < 1 or (begun == 1 and table.split[one] == 0):
            continue
        for other in range(one, KINDS):
            if IS_LORD[other] or room.whole[other] < 1 + (one == other):
                continue
            worth = worth_apart(table, room, one, other, minds) - together - minds.weights.apart
            if begun == 0:
                scores[actions.PICK_KIND + one] = max(scores[actions.PICK_KIND + one], worth)
            else:
                scores[actions.PICK_KIND + other] = worth + _SURE


@inline_rule
def worth_apart(table: Any, room: Any, one: int, other: int, minds: Any) -> float:
    """Return the worth of a legion in two parts, one of them these two creatures."""
    for kind in range(KINDS):
        room.mine[kind] = (kind == one) + (kind == other)
    pair = value_of(room.mine, 0)
    worth = worth_of_place(table, room, table.about, False, minds) - minds.weights.lean * pair
    for kind in range(KINDS):
        room.mine[kind] = room.whole[kind] - room.mine[kind]
    return worth + worth_of_place(table, room, table.about, False, minds)


@inline_rule
def score_musters(table: Any, room: Any, minds: Any, scores: Any) -> None:
    """MUSTER: what joins is worth its points, and what can be mustered with it next turn."""
    for kind in range(KINDS):
        look_at(room, table.stack[0])
        room.mine[kind] += 1
        later = prospects(table, room, room.mine, table.about)
        scores[actions.MUSTER + kind] = float(VALUE[kind]) + minds.weights.prospect * later


# The beginning


@inline_rule
def score_first_legion(table: Any, minds: Any, scores: Any) -> None:
    """START: so many of the first two kinds of starters go with the titan, of the third one for the rest."""
    wanted = (minds.weights.centaurs, minds.weights.gargoyles, 3.0)
    for kind in range(KINDS):
        place = FIRST_PLACE[kind]
        if place >= 0:
            scores[actions.PICK_KIND + kind] = 1.0 if table.split[kind] < wanted[place] else -1.0
            scores[actions.PICK_KIND + kind] -= 0.1 * place


@inline_rule
def score_mulligan(table: Any, room: Any, minds: Any, scores: Any) -> None:
    """MULLIGAN: a first roll by which both legions can muster less than by the average one is thrown again."""
    home = 0
    while home < LANDS - 1 and not table.owner[home, 0]:
        home += 1
    look_at(room, table.least[home])
    room.mine[TITAN] = room.mine[Character.ANGEL] = 0
    mean, now = 0.0, 0.0
    for roll in range(1, ROLLS + 1):
        value = worth_of_first_roll(table, room, home, roll, minds)
        mean += value / ROLLS
        if roll == table.roll:
            now = value
    scores[actions.KEEP] = 0.0
    scores[actions.REROLL] = mean - now


@inline_rule
def worth_of_first_roll(table: Any, room: Any, home: int, roll: int, minds: Any) -> float:
    """Return what two legions can muster at the best two lands that a roll reaches from home, and later from there."""
    first, second = 0.0, 0.0
    find_ends(room.ways, home, roll)
    for there in range(LANDS):
        room.goals[there] = room.ways.ends[there]
    for there in range(LANDS):
        if room.goals[there] and not room.ways.enemy[there]:
            value = worth_of_muster(room.mine, table.supply, TERRAIN[there])
            value += minds.weights.prospect * prospects(table, room, room.mine, there)
            if value > first:
                first, second = value, first
            elif value > second:
                second = value
    return first + second
