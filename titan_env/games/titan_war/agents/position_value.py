"""The values of lands, legions and engagements to a player of the war; compiled."""

from __future__ import annotations

import math
from typing import Any

from titan_env.contract import MOST_SEATS, inline_rule
from titan_env.games.titan_battle.rules.characters import SKILL, VALUE
from titan_env.games.titan_battle.rules.state import KINDS, LEGION, Character, Land
from titan_env.games.titan_war.agents.legion_moves import ROLLS, find_ends
from titan_env.games.titan_war.agents.recruits import worth_of_muster
from titan_env.games.titan_war.rules.lands import TERRAIN
from titan_env.games.titan_war.rules.state import LANDS

TITAN = Character.TITAN.value
_OPEN, _WALLED = 0.88, 1.41
"""The ratio of values, attacker to defender, at which a battle is even: in the open, and in a tower."""


@inline_rule
def worth_of_legion(counts: Any, power: int) -> float:
    """Power times skill of everybody in a legion."""
    value = 0.0
    for kind in range(KINDS):
        value += counts[kind] * float(VALUE[kind])
    return value + counts[TITAN] * float(SKILL[TITAN]) * (power - 6)


@inline_rule
def height_of(counts: Any) -> int:
    """Return the number of a legion's characters."""
    height = 0
    for kind in range(KINDS):
        height += counts[kind]
    return height


@inline_rule
def chance_to_win(attacker: float, defender: float, is_tower: bool, weights: Any) -> float:
    """Return the attacker's probability of winning a battle, from the values of both legions."""
    even = _WALLED if is_tower else _OPEN
    odds = math.log(max(1.0, attacker) / max(1.0, defender) / even)
    return 1.0 / (1.0 + math.exp(-weights.sharp * odds))


@inline_rule
def worth_seen(view: Any, land: int) -> float:
    """Return the estimated value of the enemy legion on a land: known characters, the rest by both bounds' mean."""
    seat = enemy_on(view, land)
    least, most = 0.0, 0.0
    few, many = 0, 0
    for kind in range(KINDS):
        value = float(VALUE[kind])
        if kind == TITAN:
            value = float(SKILL[TITAN]) * view.power[seat]
        least += view.least[land, kind] * value
        few += view.least[land, kind]
        more = view.most[land, kind] - view.least[land, kind]
        most += more * value
        many += more
    unknown = view.height[land] - few
    return least if many == 0 else least + unknown * most / many


@inline_rule
def enemy_on(view: Any, land: int) -> int:
    """Return the owner of the enemy legion on a land, from 1 on; 0 without one."""
    for seat in range(1, MOST_SEATS):
        if view.owner[land, seat]:
            return seat
    return 0


@inline_rule
def lay_out(view: Any, scratch: Any) -> None:
    """Note where own legions and enemies stand."""
    for land in range(LANDS):
        scratch.ways.own[land] = view.owner[land, 0]
        scratch.ways.enemy[land] = enemy_on(view, land) > 0


@inline_rule
def prospects(view: Any, scratch: Any, counts: Any, land: int) -> float:
    """Return the mean value over the six rolls of a legion's muster next turn from a land."""
    if height_of(counts) >= LEGION:
        return 0.0
    value = 0.0
    for roll in range(1, ROLLS + 1):
        find_ends(scratch.ways, land, roll)
        best = 0.0
        for there in range(LANDS):
            if scratch.ways.ends[there] and not scratch.ways.enemy[there]:
                best = max(best, worth_of_muster(counts, view.supply, TERRAIN[there]))
        value += best / ROLLS
    return value


@inline_rule
def mark_threats(view: Any, scratch: Any) -> None:
    """Write each land's value and chance of the strongest enemy that may reach it with one roll."""
    scratch.strong[:] = 0
    scratch.rolls[:] = 0
    for land in range(LANDS):
        scratch.swap_own[land] = scratch.ways.own[land]
        scratch.swap_enemy[land] = scratch.ways.enemy[land]
    for land in range(LANDS):
        if not scratch.swap_enemy[land] or scratch.swap_own[land]:
            continue
        value, seat = worth_seen(view, land), enemy_on(view, land)
        for other in range(LANDS):
            scratch.ways.own[other] = view.owner[other, seat]
            scratch.ways.enemy[other] = 0
        for roll in range(1, ROLLS + 1):
            find_ends(scratch.ways, land, roll)
            for there in range(LANDS):
                if scratch.ways.ends[there]:
                    scratch.rolls[there] += 1
                    scratch.strong[there] = max(scratch.strong[there], value)
    for land in range(LANDS):
        scratch.ways.own[land] = scratch.swap_own[land]
        scratch.ways.enemy[land] = scratch.swap_enemy[land]


@inline_rule
def danger(view: Any, scratch: Any, counts: Any, land: int, weights: Any) -> float:
    """Return a legion's expected loss on a land to the strongest enemy that can come."""
    if scratch.rolls[land] == 0:
        return 0.0
    value = worth_of_legion(counts, view.power[0]) + counts[TITAN] * weights.titan
    defending = worth_of_legion(counts, view.power[0])
    wins = chance_to_win(scratch.strong[land], defending, TERRAIN[land] == Land.TOWER, weights)
    return min(1.0, scratch.rolls[land] / ROLLS) * wins * wins * value


@inline_rule
def worth_of_place(view: Any, scratch: Any, counts: Any, land: int, moves: bool, weights: Any) -> float:
    """Return the value of a legion's ending its move on a land, or staying: musters, now and next, and danger."""
    value = -weights.danger * danger(view, scratch, counts, land, weights)
    if moves and height_of(counts) < LEGION:
        value += weights.muster * worth_of_muster(counts, view.supply, TERRAIN[land])
    return value + weights.prospect * prospects(view, scratch, counts, land)


@inline_rule
def worth_of_attack(view: Any, counts: Any, land: int, weights: Any) -> float:
    """Return the value of a legion's attack on the enemy on a land."""
    mine, his = worth_of_legion(counts, view.power[0]), worth_seen(view, land)
    wins = chance_to_win(mine, his, TERRAIN[land] == Land.TOWER, weights)
    prize = his + view.least[land, TITAN] * weights.titan
    stake = mine + counts[TITAN] * weights.titan
    return weights.attack * (wins * prize - (1.0 - wins) * stake - weights.cost * wins * min(his, mine))
