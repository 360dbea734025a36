"""Rolling, and clovers: after a roll and before its effect a die may be replaced by its opposite face."""

from __future__ import annotations

from typing import Any

from titan_env.contract import draw, log_event, rule
from titan_env.games.fantasy_racing.rules.board import current, has
from titan_env.games.fantasy_racing.rules.data_tables import FAST_FACES, SIDES_OF_HIDDEN_DICE
from titan_env.games.fantasy_racing.rules.state import MOST_DICE, Event, Object, Race, Roll, Rule

FAST_DIE = 2
"""The place of the fast die in a movement roll."""
FAST_SUM = int(FAST_FACES[0] + FAST_FACES[-1])
"""Opposite faces of the fast die add up to this."""


@rule
def sides_of(roll: int, first_is_small: bool) -> int:
    """How many sides the dice of a roll have; a small shock's die is smaller than a big one's."""
    if roll == Roll.MOVEMENT:
        return 6
    if roll == Roll.SHORTCUT or roll == Roll.TWO_D10:
        return 10
    if roll == Roll.TWO_D3:
        return 3
    if roll == Roll.SHOCK:
        return 6 if first_is_small else 10
    return int(SIDES_OF_HIDDEN_DICE)


@rule
def roll_die(race: Race, who: int, kind: int, die: int, sides: int) -> int:
    """Roll one die; its face."""
    face = draw(race.luck, sides) + 1
    log_event(race.log, Event.ROLLED, who, kind, face)
    race.state.dice[die] = face
    return int(face)


@rule
def roll(race: Race, who: int, kind: int, dice: int, sides: int) -> None:
    """Roll dice for the effect on top of the agenda; the roller may flip them before it is carried out."""
    state = race.state
    state.roll = kind
    state.roller = who
    state.fresh = 1
    for die in range(dice):
        roll_die(race, who, kind, die, sides)


@rule
def roll_movement(race: Race, who: int) -> None:
    """Two D6, with Fast also the fast die; a poisoned racer rolls one D6 and nothing else, and recovers."""
    state = race.state
    racer = state.racers[who]
    state.roll = Roll.MOVEMENT
    state.roller = who
    roll_die(race, who, Roll.MOVEMENT, 0, 6)
    if racer.poisoned:
        racer.poisoned = 0
        return
    roll_die(race, who, Roll.MOVEMENT, 1, 6)
    if has(state, who, Rule.FAST):
        face = FAST_FACES[draw(race.luck, len(FAST_FACES))]
        state.dice[FAST_DIE] = face
        log_event(race.log, Event.ROLLED, who, Roll.MOVEMENT, face)


@rule
def clear_dice(state: Any) -> None:
    """The dice are taken up; the roll has had its effect."""
    state.roll = Roll.NONE
    state.roller = 0
    state.fresh = 0
    for die in range(MOST_DICE):
        state.dice[die] = 0


@rule
def flips_of(state: Any, who: int) -> int:
    """How many dice a racer may flip: one a clover, and in its own turn one by cerebral capacities."""
    free = state.free_flip if who == current(state) else 0
    return int(state.racers[who].objects[Object.CLOVER] + free)


@rule
def pay_flip(state: Any, who: int) -> None:
    """The free flip is spent before clovers."""
    if who == current(state) and state.free_flip > 0:
        state.free_flip -= 1
    else:
        state.racers[who].objects[Object.CLOVER] -= 1


@rule
def opposite_on_movement(state: Any, die: int) -> int:
    """The opposite face of a die of the movement roll."""
    return int((FAST_SUM if die == FAST_DIE else 7) - state.dice[die])


@rule
def squares_of(state: Any, die: int, flipped: bool) -> int:
    """The squares that a die of the movement roll gives; 0 where there is no such die."""
    face = int(state.dice[die])
    return opposite_on_movement(state, die) if flipped and face > 0 else face


@rule
def may_take_die(state: Any, who: int, die: int, flipped: bool) -> bool:
    """Of dice and flips with as many squares one is offered: unflipped before flipped, lower number first."""
    squares = squares_of(state, die, flipped)
    if squares == 0 or (flipped and flips_of(state, who) == 0):
        return False
    for other in range(MOST_DICE):
        if (flipped or other < die) and squares_of(state, other, False) == squares:
            return False
        if flipped and other < die and squares_of(state, other, True) == squares:
            return False
    return True


@rule
def take_die(race: Race, who: int, die: int, flipped: bool) -> int:
    """Choose one die of the movement roll, as rolled or flipped; its squares."""
    state = race.state
    squares = squares_of(state, die, flipped)
    if flipped:
        pay_flip(state, who)
        log_event(race.log, Event.FLIPPED, who, die, squares)
    clear_dice(state)
    return squares
