"""Who stands where: the fighters of a battle, and the sets of hexes that they hold."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.titan_battle.rules.hexes import ON_MAP
from titan_env.games.titan_battle.rules.lands import CONTACT
from titan_env.games.titan_battle.rules.state import FIGHTERS, NOBODY, OUTSIDE, SLOTS, Event

SPOT = 32
"""What the number of a Character is multiplied by where its hex is added; more than there are hexes."""


@rule
def side_of(who: int) -> int:
    """The side of a fighter."""
    return who // SLOTS


@rule
def hexes_of(battle: Any, side: int) -> int:
    """The set of hexes that a side holds, with its living and slain."""
    hexes = 0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        hexes |= 1 << int(battle.fighters[who].hex)
    return hexes & ON_MAP


@rule
def living_hexes(battle: Any, side: int) -> int:
    """The set of hexes on which a side has somebody alive."""
    hexes = 0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        fighter = battle.fighters[who]
        if not fighter.slain:
            hexes |= 1 << int(fighter.hex)
    return hexes & ON_MAP


@rule
def occupied(battle: Any) -> int:
    """The set of hexes that hold a character, own or enemy, living or slain."""
    hexes = 0
    for who in range(FIGHTERS):
        hexes |= 1 << int(battle.fighters[who].hex)
    return hexes & ON_MAP


@rule
def fighter_at(battle: Any, number: int) -> int:
    """The fighter on a hex, or NOBODY."""
    for who in range(FIGHTERS):
        if battle.fighters[who].hex == number:
            return who
    return NOBODY


@rule
def living(battle: Any, side: int) -> int:
    """How many characters of a side live, on the map or still outside."""
    count = 0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        fighter = battle.fighters[who]
        count += fighter.hex <= OUTSIDE and not fighter.slain
    return count


@rule
def is_on_map(battle: Any, who: int) -> bool:
    """Whether a fighter stands on the map."""
    return battle.fighters[who].hex < OUTSIDE


@rule
def spot(fighter: Any) -> int:
    """A character and the hex that it stands on as one number, for events."""
    return SPOT * int(fighter.kind) + int(fighter.hex)


@rule
def hex_of_spot(number: int) -> int:
    """The hex of a spot."""
    return number % SPOT


@rule
def kind_of_spot(number: int) -> int:
    """The Character that stands, or stood, on a spot."""
    return number // SPOT


@rule
def enemies_around(battle: Any, who: int, enemies: int) -> int:
    """Contact: of a set of enemies' hexes, those next to a fighter with no cliff between."""
    return CONTACT[battle.land, battle.fighters[who].hex] & enemies


@rule
def take_hits(battle: Any, who: int, hits: int, log: Any) -> int:
    """A character whose hits reach its power is slain; how many hits it could not take."""
    fighter = battle.fighters[who]
    taken = min(hits, fighter.power - fighter.hits)
    fighter.hits += taken
    if fighter.hits == fighter.power and not fighter.slain:
        log_event(log, Event.SLAIN, side_of(who), fighter.kind, fighter.hex)
        fighter.slain = 1
    return hits - taken
