"""The worth of fights, places and musters to the expert, in points; compiled."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from titan_env.contract import MOST_SEATS, inline_rule
from titan_env.games.titan_battle.rules.characters import VALUE
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_battle.rules.state import KINDS, LEGION, Character, Entry, Land
from titan_env.games.titan_battle.value.quick import foretell_one
from titan_env.games.titan_war.agents.enemy_estimates import value_of
from titan_env.games.titan_war.agents.legion_moves import ROLLS
from titan_env.games.titan_war.agents.position_value import TITAN, height_of, prospects
from titan_env.games.titan_war.agents.recruits import NOBODY, best_muster
from titan_env.games.titan_war.rules.lands import TERRAIN

ENTRIES = len(ENTRY_NAMES)
_LORDS_LIKELY = 0.5  # from so many lords on an enemy legion is taken to have one, and cannot flee
_ANGEL_LIKELY = 0.5  # from so many angels elsewhere on one is taken to wait
_HALF = 0.5  # of its value a fled legion gives

Minds = namedtuple("Minds", ("weights", "met", "network"))
"""The weights of the expert, and arrays and network for the chances of battles."""


@inline_rule
def lay(met: Any, side: int, holds: Any, power: int) -> None:
    """Write one legion of a battle whose chances are asked next."""
    for kind in range(KINDS):
        met.holds[side, kind] = holds[kind]
    met.titans[side] = power


@inline_rule
def has_waiting(scratch: Any, seat: int, holds: Any) -> tuple[int, int]:
    """Return whether an angel, an archangel of a seat waits outside a legion."""
    angel = scratch.angels[seat] - holds[Character.ANGEL] > _ANGEL_LIKELY
    archangel = scratch.archangels[seat] - holds[Character.ARCHANGEL] > _ANGEL_LIKELY
    return int(angel), int(archangel)


@inline_rule
def rivals(view: Any) -> float:
    """Return the number of the others who still play, among whom an enemy's loss is shared."""
    count = 0.0
    for seat in range(1, MOST_SEATS):
        count += view.living[seat]
    return max(1.0, count)


@inline_rule
def gained(
    wins: float, loses: float, both: float, kills: float, losses: float, mine: Any, his: Any, view: Any, weights: Any
) -> float:
    """Return the worth of a battle: points and the enemy's losses, less the own losses and points given; titans apart.

    `mine` and `his` are what a legion is worth and how many titans it has.
    """
    shared = rivals(view)
    gain = weights.points * wins * his[0] + weights.spoils * kills / shared
    loss = losses + weights.given * loses * mine[0] / shared
    gain += weights.regicide * his[1] * (wins + both) / shared
    return float(gain - loss - weights.titan * mine[1] * (loses + both))


@inline_rule
def worth_of_attack(view: Any, scratch: Any, foe: int, land: int, side: int, minds: Any) -> float:
    """Return the worth of an attack of the legion that is looked at on an enemy one, which flees where it can gain."""
    met, weights, holds = minds.met, minds.weights, scratch.foe_holds[foe]
    power = view.power[scratch.foe_seat[foe]]
    lay(met, 0, scratch.mine, view.power[0])
    lay(met, 1, holds, power)
    angel, archangel = has_waiting(scratch, 0, scratch.mine)
    summons = not view.summoned
    foretell_one(met, TERRAIN[land], side, angel * summons, archangel * summons, 1, minds.network)
    told = met.told
    mine = (value_of(scratch.mine, view.power[0]), scratch.mine[TITAN])
    his = (value_of(holds, power), holds[TITAN])
    worth = gained(told[0], told[1], told[2], told[4], told[3], mine, his, view, weights)
    if holds[TITAN] + holds[Character.ANGEL] + holds[Character.ARCHANGEL] < _LORDS_LIKELY:
        worth = min(worth, (_HALF * weights.points + weights.spoils / rivals(view)) * his[0])
    return worth


@inline_rule
def best_attack(view: Any, scratch: Any, land: int, sides: int, minds: Any) -> float:
    """Return the worth of an attack on a land from the best of the sides on which it can come."""
    best = -1e6
    foe = scratch.foe_at[land]
    for side in range(ENTRIES):
        is_open = sides >> side & 1 if TERRAIN[land] != Land.TOWER else side == Entry.BOTTOM
        if is_open and foe >= 0:
            best = max(best, worth_of_attack(view, scratch, foe, land, side, minds))
    return best


@inline_rule
def worth_of_defence(view: Any, scratch: Any, foe: int, land: int, side: int, minds: Any) -> float:
    """Return the worth of an enemy's attack on the legion that is looked at, on a land, to that legion: 0 or less."""
    met, weights, holds = minds.met, minds.weights, scratch.foe_holds[foe]
    seat = scratch.foe_seat[foe]
    power = view.power[seat]
    lay(met, 0, holds, power)
    lay(met, 1, scratch.mine, view.power[0])
    angel, archangel = has_waiting(scratch, seat, holds)
    foretell_one(met, TERRAIN[land], side, angel, archangel, 1, minds.network)
    told = met.told
    mine = (value_of(scratch.mine, view.power[0]), scratch.mine[TITAN])
    his = (value_of(holds, power), holds[TITAN])
    worth = gained(told[1], told[0], told[2], told[3], told[4], mine, his, view, weights)
    if scratch.mine[TITAN] + scratch.mine[Character.ANGEL] + scratch.mine[Character.ARCHANGEL] == 0:
        worth = max(worth, -mine[0] - _HALF * weights.given * mine[0] / rivals(view))
    return min(0.0, worth)


@inline_rule
def danger(view: Any, scratch: Any, land: int, minds: Any) -> float:
    """Return the expected loss of the legion that is looked at on a land before its next turn."""
    if scratch.foes == 0:
        return 0.0
    scratch.worst[:] = 0
    for foe in range(scratch.foes):
        rolls = scratch.reach[foe, land]
        if rolls == 0:
            continue
        side = 0
        while not scratch.from_side[foe, land] >> side & 1:
            side += 1
        if TERRAIN[land] == Land.TOWER:
            side = Entry.BOTTOM.value
        harm = -worth_of_defence(view, scratch, foe, land, side, minds)
        for roll in range(1, ROLLS + 1):
            if rolls >> roll & 1:
                seat = scratch.foe_seat[foe]
                scratch.worst[seat, roll] = max(scratch.worst[seat, roll], harm)
    total = 0.0
    for seat in range(1, MOST_SEATS):
        for roll in range(1, ROLLS + 1):
            total += scratch.worst[seat, roll] / ROLLS
    return total


@inline_rule
def worth_of_place(view: Any, scratch: Any, land: int, moves: bool, minds: Any) -> float:
    """Return the worth of a land to the legion that moves or stays there: musters, now and later, less danger."""
    weights = minds.weights
    value = -weights.danger * danger(view, scratch, land, minds)
    kind = NOBODY
    if moves and height_of(scratch.mine) < LEGION:
        kind = best_muster(scratch.mine, view.supply, TERRAIN[land])
    if kind != NOBODY:
        value += weights.muster * float(VALUE[kind])
        scratch.mine[kind] += 1
    if height_of(scratch.mine) < LEGION:
        value += weights.prospect * prospects(view, scratch, scratch.mine, land)
    else:
        value += weights.full
    if kind != NOBODY:
        scratch.mine[kind] -= 1
    return value
