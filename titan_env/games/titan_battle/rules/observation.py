"""What a seat may know, in whole numbers: listed fields, its own side first. Nothing is hidden in a battle.

Hexes are in the order of their numbers, A1 A2 A3 B1 ... F4.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Field, Fields, rule
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES
from titan_env.games.titan_battle.rules.lands import BORDERS, ENTRANCES, HAZARDS, LEVELS
from titan_env.games.titan_battle.rules.state import (
    DIRECTIONS,
    FIGHTERS,
    HEXES,
    KINDS,
    LANDS,
    LEGION,
    NOBODY,
    OUTSIDE,
    ROUNDS,
    SLOTS,
    Ask,
    Border,
    Character,
    Hazard,
    Land,
    Phase,
    Side,
    Window,
)

LEFT_SCALE, DICE_SCALE, MOST_TIMES = 18, 20, 4
"""What the most power and the most dice of a usual battle are; how many times as much is seen before it is cut off."""
MOST_LEFT, MOST_DICE = LEFT_SCALE * MOST_TIMES, DICE_SCALE * MOST_TIMES
MARKS = ("moved", "locked", "struck", "slain")
SIDES = ("mine", "theirs")
ROLES = ("I am attacker", "I am defender", "my half", "my strikes")
LATE = (
    *("summoning not yet", "summoning open", "summoning past"),
    *("the defender may still be reinforced", "an angel waits", "an archangel waits"),
)
NUMBERS = 6  # strike numbers
WINDOWS = len(Window)
_DIRECTION_NAMES = ("N", "NE", "SE", "S", "SW", "NW")


def _named(names: Iterable[IntEnum]) -> tuple[str, ...]:
    """The members of an enum as words."""
    return tuple(member.name.lower().replace("_", " ") for member in names)


_KINDS = _named(Character)
_BORDERS = _named(list(Border)[1:])
_GROUND = (
    *_named(Hazard),
    *("level 1 or 2", "level 2"),
    *(f"{border} {direction}" for direction in _DIRECTION_NAMES for border in _BORDERS),
    *("my entry", "their entry"),
)

FIELDS = Fields(
    (
        Field("ask", (len(Ask) - 1,), 0, 1, "pending question, one-hot", (_named(list(Ask)[1:]),)),
        Field("role", (len(ROLES),), 0, 1, "own side, own half of the round, own strikes", (ROLES,)),
        Field("round", (ROUNDS,), 0, 1, "the round", (tuple(f"round {k}" for k in range(1, ROUNDS + 1)),)),
        Field("terrain", (LANDS,), 0, 1, "the battleland", (_named(Land),)),
        Field("hexes", (HEXES, len(_GROUND)), 0, 1, "the ground and borders of each hex", (HEX_NAMES, _GROUND)),
        Field("fighter_kind", (HEXES, 2, KINDS), 0, 1, "character on each hex, one-hot", (HEX_NAMES, SIDES, _KINDS)),
        Field(
            "fighter_marks",
            (HEXES, 2, len(MARKS)),
            0,
            1,
            "status of the character on each hex",
            (HEX_NAMES, SIDES, MARKS),
        ),
        Field("fighter_left", (HEXES, 2), 0, 4, "power left, eighteenths", (HEX_NAMES, SIDES), LEFT_SCALE),
        Field("fighter_hits", (HEXES, 2), 0, 4, "hits taken, eighteenths", (HEX_NAMES, SIDES), LEFT_SCALE),
        Field("outside", (2, KINDS), 0, 1, "characters not yet on the map, sevenths", (SIDES, _KINDS), LEGION),
        Field(
            "running",
            (HEXES, 2),
            0,
            1,
            "hexes of the picked character and of its target",
            (HEX_NAMES, ("picked", "target")),
        ),
        Field(
            "dice", (2,), 0, 4, "dice of the strike and surplus hits, twentieths", (("dice", "surplus"),), DICE_SCALE
        ),
        Field("number", (NUMBERS,), 0, 1, "strike number", (tuple(map(str, range(1, NUMBERS + 1))),)),
        Field("titan_power", (2,), 0, 4, "power of the titans, twentieths", (SIDES,), DICE_SCALE),
        Field("late", (len(LATE),), 0, 1, "arrivals that are still possible", (LATE,)),
        Field("picked_kind", (KINDS,), 0, 1, "character picked from outside the map, one-hot", (_KINDS,)),
    ),
    whole=True,
)
"""The observation of a battle, in order."""

BEGIN = FIELDS.slices["role"].start
"""Where the part begins that a battle shows by itself; all before it is what the game asks."""
_AT = {name: np.uint64(span.start - BEGIN) for name, span in FIELDS.slices.items() if span.start >= BEGIN}
ROLE, ROUND, TERRAIN, GROUND = _AT["role"], _AT["round"], _AT["terrain"], _AT["hexes"]
KIND, MARK, LEFT, HITS = _AT["fighter_kind"], _AT["fighter_marks"], _AT["fighter_left"], _AT["fighter_hits"]
BEYOND, RUNNING, DICE, NUMBER = _AT["outside"], _AT["running"], _AT["dice"], _AT["number"]
TITAN_POWER, LATE_ARRIVALS, PICKED_KIND = _AT["titan_power"], _AT["late"], _AT["picked_kind"]
_GROUND_SIZE = np.uint64(HEXES * len(_GROUND))
_WIDTH = np.uint64(len(_GROUND))
_MY_ENTRY = GROUND + np.uint64(_GROUND.index("my entry"))
_KINDS_SEEN, _MARKS_SEEN, _TWO, _ONE = (np.uint64(number) for number in (KINDS, len(MARKS), 2, 1))


def _ground(land: int) -> NDArray[np.int8]:
    """The ground of a land as it is seen, (945,), without the entries."""
    seen = np.zeros((HEXES, len(_GROUND)), np.int8)
    seen[:, : len(Hazard)] = HAZARDS[land][:, None] == np.arange(len(Hazard))
    levels = len(Hazard)
    seen[:, levels], seen[:, levels + 1] = LEVELS[land] >= 1, LEVELS[land] >= 2
    borders = BORDERS[land][:, :, None] == np.arange(1, len(Border))
    first = levels + 2
    seen[:, first : first + DIRECTIONS * len(_BORDERS)] = borders.reshape(HEXES, -1)
    return seen.ravel()


SEEN_GROUND = np.array([_ground(land) for land in range(LANDS)])
"""The ground of each land as it is seen, int8 (11, 945)."""


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """Write what a seat may know in whole numbers; `FIELDS` says what stands where, and its scale."""
    vector[:] = 0
    if state.ask != Ask.NOTHING:
        vector[state.ask - 1] = 1
    side = Side.ATTACKER.value if seat == state.attacker else Side.DEFENDER.value
    see_battle(state.battle, side, vector[BEGIN:])


@rule
def see_battle(battle: Any, side: int, vector: Any) -> None:
    """Write what a side sees of a battle, from the field `role` on; all was zero before."""
    _see_course(battle, side, vector)
    _see_ground(battle, side, vector)
    for who in range(FIGHTERS):
        fighter = battle.fighters[who]
        if fighter.hex <= OUTSIDE:
            _see_fighter(fighter, np.uint64(who // SLOTS != side), vector)
    _see_strike(battle, vector)


@rule
def _see_course(battle: Any, side: int, vector: Any) -> None:
    """The role of a side, how far the battle has come, and what may still arrive."""
    vector[ROLE + np.uint64(side)] = 1
    vector[ROLE + np.uint64(2)] = battle.half == side
    strikes = battle.half if battle.phase == Phase.STRIKE else 1 - battle.half
    vector[ROLE + np.uint64(3)] = battle.phase >= Phase.STRIKE and strikes == side
    vector[ROUND + np.uint64(battle.rounds_begun - 1)] = 1
    vector[TERRAIN + np.uint64(battle.land)] = 1
    vector[LATE_ARRIVALS + np.uint64(battle.window)] = 1
    late = LATE_ARRIVALS + np.uint64(WINDOWS)
    vector[late] = battle.may_reinforce
    if side == Side.ATTACKER and battle.window != Window.PAST:
        vector[late + _ONE] = battle.angel_waits
        vector[late + _TWO] = battle.archangel_waits


@rule
def _see_ground(battle: Any, side: int, vector: Any) -> None:
    """The map, and where both sides enter."""
    land = np.uint64(battle.land)
    number = vector.dtype.type
    for i in range(_GROUND_SIZE):
        vector[GROUND + i] = number(SEEN_GROUND[land, i])
    mine, his = ENTRANCES[side, battle.entry], ENTRANCES[1 - side, battle.entry]
    for hexagon in range(np.uint64(HEXES)):
        index = _MY_ENTRY + _WIDTH * hexagon
        vector[index] = number(mine >> np.int64(hexagon) & 1)
        vector[index + _ONE] = number(his >> np.int64(hexagon) & 1)


@rule
def _see_fighter(fighter: Any, is_enemy: Any, vector: Any) -> None:
    """One character, mine or his."""
    kind = np.uint64(fighter.kind)
    if fighter.kind == Character.TITAN:
        vector[TITAN_POWER + is_enemy] = min(MOST_DICE, fighter.power)
    if fighter.hex == OUTSIDE:
        vector[BEYOND + _KINDS_SEEN * is_enemy + kind] += 1
        return
    here = _TWO * np.uint64(fighter.hex) + is_enemy
    vector[KIND + _KINDS_SEEN * here + kind] = 1
    marks = MARK + _MARKS_SEEN * here
    vector[marks] = fighter.moved
    vector[marks + _ONE] = fighter.locked
    vector[marks + _TWO] = fighter.struck
    vector[marks + _TWO + _ONE] = fighter.slain
    vector[LEFT + here] = min(MOST_LEFT, fighter.power - fighter.hits)
    vector[HITS + here] = min(MOST_LEFT, fighter.hits)


@rule
def _see_strike(battle: Any, vector: Any) -> None:
    """Who is picked, the target, and the dice."""
    if battle.picked != NOBODY:
        fighter = battle.fighters[battle.picked]
        if fighter.hex == OUTSIDE:
            vector[PICKED_KIND + np.uint64(fighter.kind)] = 1
        else:
            vector[RUNNING + _TWO * np.uint64(fighter.hex)] = 1
    if battle.target != NOBODY:
        vector[RUNNING + _TWO * np.uint64(battle.fighters[battle.target].hex) + _ONE] = 1
        vector[DICE] = min(MOST_DICE, battle.dice)
        vector[DICE + _ONE] = min(MOST_DICE, battle.surplus)
        vector[NUMBER + np.uint64(battle.number - 1)] = 1
