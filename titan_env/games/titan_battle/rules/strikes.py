"""Strikes: dice and strike numbers, carrying over, and strikes handicapped so that they can carry."""

from __future__ import annotations

from typing import Any

from titan_env.contract import draw_successes, log_event, rule
from titan_env.games.titan_battle.rules.characters import NATIVE, NATIVE_OF_DUNE, NATIVE_OF_SLOPE, SKILL
from titan_env.games.titan_battle.rules.fighters import (
    enemies_around,
    fighter_at,
    living_hexes,
    side_of,
    spot,
    take_hits,
)
from titan_env.games.titan_battle.rules.hexes import has_hex
from titan_env.games.titan_battle.rules.lands import EDGES, HAZARDS
from titan_env.games.titan_battle.rules.state import HEXES, NOBODY, Edge, Event, Hazard

EVEN = 4  # the strike number between equal skills
FACES = 6
VOLCANO_DICE, DOWN_SLOPE_DICE, DOWN_DUNE_DICE, UP_DUNE_DICE = 2, 1, 2, -1


@rule
def strike_number(skill: int, other: int) -> int:
    """The face from which on a die hits: 4, less the striker's skill, and the target's skill added; from 1 to 6."""
    return max(1, min(FACES, EVEN - skill + other))


@rule
def strike_dice(battle: Any, who: int, whom: int) -> int:
    """Dice of a strike: the striker's power, changed by the volcano it stands on, by slope and dune."""
    striker = battle.fighters[who]
    kind, land = striker.kind, battle.land
    edge = EDGES[land, striker.hex, battle.fighters[whom].hex]
    dice = int(striker.power)
    if HAZARDS[land, striker.hex] == Hazard.VOLCANO and NATIVE[kind, Hazard.VOLCANO]:
        dice += VOLCANO_DICE
    if edge == Edge.DOWN_SLOPE and NATIVE_OF_SLOPE[kind]:
        dice += DOWN_SLOPE_DICE
    elif edge == Edge.DOWN_DUNE and NATIVE_OF_DUNE[kind]:
        dice += DOWN_DUNE_DICE
    elif edge == Edge.UP_DUNE and not NATIVE_OF_DUNE[kind]:
        dice += UP_DUNE_DICE
    return dice


@rule
def number_of_strike(battle: Any, who: int, whom: int) -> int:
    """The strike number of a strike: by both skills, changed by bramble, slope and wall."""
    striker, target = battle.fighters[who], battle.fighters[whom]
    kind, land = striker.kind, battle.land
    edge = EDGES[land, striker.hex, target.hex]
    skill, other = int(SKILL[kind]), int(SKILL[target.kind])
    if not NATIVE[kind, Hazard.BRAMBLE]:
        skill -= HAZARDS[land, striker.hex] == Hazard.BRAMBLE
        other += hides(land, target)
    if edge == Edge.UP_SLOPE and not NATIVE_OF_SLOPE[kind]:
        skill -= 1
    elif edge == Edge.DOWN_WALL:
        skill += 1
    elif edge == Edge.UP_WALL:
        skill -= 1
    return strike_number(skill, other)


@rule
def hides(land: int, target: Any) -> bool:
    """Whether a target is at home in the bramble that it stands in."""
    return HAZARDS[land, target.hex] == Hazard.BRAMBLE and NATIVE[target.kind, Hazard.BRAMBLE]


@rule
def living_enemies(battle: Any, who: int) -> int:
    """The living enemies in contact with a fighter, as a set of hexes."""
    return enemies_around(battle, who, living_hexes(battle, 1 - side_of(who)))


# Carrying over


@rule
def goes_up_dune(battle: Any, who: int, whom: int) -> bool:
    """Whether a strike goes up a dune."""
    return EDGES[battle.land, battle.fighters[who].hex, battle.fighters[whom].hex] == Edge.UP_DUNE


@rule
def may_climb(battle: Any, whom: int) -> bool:
    """A strike that did not go up a dune may not be carried up a dune."""
    who = battle.picked
    return not goes_up_dune(battle, who, whom) or goes_up_dune(battle, who, battle.target)


@rule
def may_carry(battle: Any, number: int) -> bool:
    """The surplus may go to another living enemy in contact against whom the strike would be no worse than as rolled.

    With the dice d and the strike number s as rolled, and d' and s' against the other: s' <= s and d' >= d.
    """
    who = battle.picked
    if not has_hex(living_enemies(battle, who), number):
        return False
    whom = fighter_at(battle, number)
    is_no_worse = number_of_strike(battle, who, whom) <= battle.number and strike_dice(battle, who, whom) >= battle.dice
    return is_no_worse and may_climb(battle, whom)


@rule
def may_carry_anywhere(battle: Any) -> bool:
    """Whether anybody can be given the surplus."""
    if battle.surplus == 0:
        return False
    for number in range(HEXES):
        if may_carry(battle, number):
            return True
    return False


@rule
def may_announce(battle: Any, number: int) -> bool:
    """A worse strike, so that it can carry to a certain other enemy: with the fewer dice and the higher strike number.

    Offered where it differs from the plain strike, where it may climb, and where it can have a surplus; of several
    enemies that give the same pair the first one in the order of the hexes.
    """
    who = battle.picked
    others = living_enemies(battle, who) & ~(1 << int(battle.fighters[battle.target].hex))
    if not has_hex(others, number) or not is_useful(battle, number):
        return False
    dice, strike = worse_dice(battle, number), worse_number(battle, number)
    for other in range(number):
        if has_hex(others, other) and worse_dice(battle, other) == dice and worse_number(battle, other) == strike:
            if is_useful(battle, other):
                return False
    return True


@rule
def worse_dice(battle: Any, number: int) -> int:
    """The dice of a strike that can carry to the enemy on a hex."""
    return min(battle.dice, strike_dice(battle, battle.picked, fighter_at(battle, number)))


@rule
def worse_number(battle: Any, number: int) -> int:
    """The strike number of a strike that can carry to the enemy on a hex."""
    return max(battle.number, number_of_strike(battle, battle.picked, fighter_at(battle, number)))


@rule
def is_useful(battle: Any, number: int) -> bool:
    """Whether a handicap differs from the plain strike, and anything could carry to the enemy on this hex."""
    target = battle.fighters[battle.target]
    dice = worse_dice(battle, number)
    differs = dice != battle.dice or worse_number(battle, number) != battle.number
    return differs and dice > target.power - target.hits and may_climb(battle, fighter_at(battle, number))


@rule
def may_announce_any(battle: Any) -> bool:
    """Whether any handicap is offered."""
    for number in range(HEXES):
        if may_announce(battle, number):
            return True
    return False


# The strike


@rule
def aim(battle: Any, whom: int) -> None:
    """One target per strike; the plain strike against it is what is announced first."""
    who = battle.picked
    battle.target = whom
    battle.dice = strike_dice(battle, who, whom)
    battle.number = number_of_strike(battle, who, whom)


@rule
def announce(battle: Any, number: int) -> None:
    """Announce a strike that can carry to the enemy on a hex."""
    dice, strike = worse_dice(battle, number), worse_number(battle, number)
    battle.dice = dice
    battle.number = strike


@rule
def roll(battle: Any, luck: Any, log: Any) -> None:
    """Each die that shows the strike number or more is a hit. What the target cannot take is the surplus."""
    who, whom = battle.picked, battle.target
    striker, target = battle.fighters[who], battle.fighters[whom]
    striker.struck = 1
    log_event(log, Event.STRUCK, side_of(who), spot(striker), spot(target))
    count = draw_successes(luck, battle.dice, FACES + 1 - battle.number, FACES)
    log_event(log, Event.DICE, battle.dice, battle.number, count)
    battle.surplus = take_hits(battle, whom, count, log)


@rule
def carry(battle: Any, log: Any, number: int) -> None:
    """The new victim takes all that it can; what is left may go to another again."""
    whom = fighter_at(battle, number)
    target = battle.fighters[whom]
    log_event(log, Event.CARRIED, side_of(whom), spot(target), min(battle.surplus, target.power - target.hits))
    battle.surplus = take_hits(battle, whom, battle.surplus, log)


@rule
def end_strike(battle: Any) -> None:
    """The strike is over."""
    battle.picked = battle.target = NOBODY
    battle.dice = battle.number = battle.surplus = 0
