"""The worth of fights, places and musters to the expert, in points; compiled."""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

from titan_env.contract import MOST_SEATS, inline_rule
from titan_env.games.titan_battle.rules.characters import VALUE
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_battle.rules.state import KINDS, LEGION, Character, Entry, Land, Side
from titan_env.games.titan_battle.value.quick import foretell_one
from titan_env.games.titan_war.agents.enemy_estimates import value_of
from titan_env.games.titan_war.agents.legion_moves import ROLLS
from titan_env.games.titan_war.agents.position_value import TITAN, height_of, prospects
from titan_env.games.titan_war.agents.recruits import NOBODY, best_muster
from titan_env.games.titan_war.rules.lands import TERRAIN
from titan_env.games.titan_war.rules.observation import SCORE_STEP

ENTRIES = len(ENTRY_NAMES)
_BOTH, _LOSSES = 2, 3
"""The places of mutual elimination and of the attacker's losses in a forecast, as in `Chances`."""
_LORDS_LIKELY = 0.5  # from so many lords on an enemy legion is taken to have one, and cannot flee
_ANGEL_LIKELY = 0.5  # from so many angels elsewhere on one is taken to wait
_HALF = 0.5  # of its value a fled legion gives

Minds = namedtuple("Minds", ("weights", "met", "network"))
"""The weights of the expert, and arrays and network for the chances of battles."""


class BattleForecast(NamedTuple):
    """The chances of a battle as one of its sides sees them, and the losses to be expected, in points."""

    wins: float
    loses: float
    both: float
    """Both titans or both legions fall."""
    kills: float
    """The enemy's losses."""
    losses: float
    """The own losses."""


class Stake(NamedTuple):
    """The worth of a legion in points, its number of titans, and the score of its player."""

    value: float
    titans: float
    score: float
    """Points that its player has scored."""


@inline_rule
def chance_of_goal(view: Any, score: float, more: float) -> float:
    """Return how likely so many more points reach the goal: of a score only its full twenties are seen."""
    if view.goal == 0:
        return 0.0
    return min(1.0, max(0.0, (score + more + SCORE_STEP - view.goal) / SCORE_STEP))


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
def forecast_for(met: Any, attacks: bool) -> BattleForecast:
    """Return the latest forecast as the attacker sees it, or the defender."""
    numbers = met.forecast
    if attacks:
        own, enemy = Side.ATTACKER.value, Side.DEFENDER.value
    else:
        own, enemy = Side.DEFENDER.value, Side.ATTACKER.value
    return BattleForecast(
        numbers[own], numbers[enemy], numbers[_BOTH], numbers[_LOSSES + enemy], numbers[_LOSSES + own]
    )


@inline_rule
def gained(forecast: BattleForecast, mine: Stake, his: Stake, view: Any, weights: Any) -> float:
    """Return the worth of a battle: points and the enemy's losses, less the own losses and points given; titans apart.

    `mine` and `his` are at stake.
    """
    shared = rivals(view)
    gain = weights.points * forecast.wins * his.value + weights.spoils * forecast.kills / shared
    loss = forecast.losses + weights.given * forecast.loses * mine.value / shared
    gain += weights.regicide * his.titans * (forecast.wins + forecast.both) / shared
    gain += weights.reach * forecast.wins * chance_of_goal(view, mine.score, his.value)
    loss += weights.reached * forecast.loses * chance_of_goal(view, his.score, mine.value)
    return float(gain - loss - weights.titan * mine.titans * (forecast.loses + forecast.both))


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
    mine = Stake(value_of(scratch.mine, view.power[0]), scratch.mine[TITAN], view.score[0])
    his = Stake(value_of(holds, power), holds[TITAN], view.score[scratch.foe_seat[foe]])
    worth = gained(forecast_for(met, True), mine, his, view, weights)
    if holds[TITAN] + holds[Character.ANGEL] + holds[Character.ARCHANGEL] < _LORDS_LIKELY:
        flown = (_HALF * weights.points + weights.spoils / rivals(view)) * his.value
        worth = min(worth, flown + weights.reach * chance_of_goal(view, mine.score, _HALF * his.value))
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
    mine = Stake(value_of(scratch.mine, view.power[0]), scratch.mine[TITAN], view.score[0])
    his = Stake(value_of(holds, power), holds[TITAN], view.score[seat])
    worth = gained(forecast_for(met, False), mine, his, view, weights)
    if scratch.mine[TITAN] + scratch.mine[Character.ANGEL] + scratch.mine[Character.ARCHANGEL] == 0:
        fled = -mine.value - _HALF * weights.given * mine.value / rivals(view)
        worth = max(worth, fled - weights.reached * chance_of_goal(view, his.score, _HALF * mine.value))
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
