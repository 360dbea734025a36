"""Which dice of a roll may be flipped: a flip is offered only where it changes something."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.fantasy_racing.rules.board import beside
from titan_env.games.fantasy_racing.rules.dice import flips_of, pay_flip, sides_of
from titan_env.games.fantasy_racing.rules.fights import outcome
from titan_env.games.fantasy_racing.rules.movement import recoil_rows
from titan_env.games.fantasy_racing.rules.objects import succeeds
from titan_env.games.fantasy_racing.rules.shocks import landing
from titan_env.games.fantasy_racing.rules.state import Due, Event, Race, Roll, Size

BOTH = 2
"""Instead of the number of a die: both of two."""


@rule
def waiting(state: Any) -> Any:
    """The effect that waits for the roll, the next item of the agenda: Due, who and three numbers."""
    item = state.agenda[state.due - 1]
    return item[0], item[1], item[2], item[3], item[4]


@rule
def sides(state: Any) -> int:
    """How many sides the dice of the roll have."""
    item = waiting(state)
    return sides_of(state.roll, item[0] == Due.RECOIL and item[2] == Size.SMALL)


@rule
def opposite(state: Any, die: int) -> int:
    """The opposite face of a die that lies on the table."""
    return int(sides(state) + 1 - state.dice[die])


@rule
def recoil_square(state: Any, who: int, size: int, face: int) -> int:
    """The square on which a face of a shock's die lands its victim."""
    rows, columns = landing(size, face)
    free = recoil_rows(state, who, rows, columns)
    square = int(state.racers[who].square)
    return square if free < 0 else beside(square, -free, columns)


@rule
def changes_outcome(state: Any) -> bool:
    """Whether flipping the only die of a roll changes what comes of it."""
    item = waiting(state)
    who, face, other = int(item[1]), int(state.dice[0]), opposite(state, 0)
    if state.roll == Roll.FIGHT:
        return outcome(state, who, face) != outcome(state, who, other)
    if state.roll == Roll.THEFT:
        return succeeds(face) != succeeds(other)
    if state.roll == Roll.SHOCK:
        size = int(item[2])
        return recoil_square(state, who, size, face) != recoil_square(state, who, size, other)
    return True  # a shortcut's opposite faces lead to other squares, a chest holds another object


@rule
def changes_dice(state: Any, die: int) -> bool:
    """Whether flipping one of two dice, or both, changes what comes of it; the lightning's are not added up."""
    is_sum = waiting(state)[0] != Due.LIGHTNING
    first, second = int(state.dice[0]), int(state.dice[1])
    other_first, other_second = opposite(state, 0), opposite(state, 1)
    if die == 0:
        return other_first != first
    if die == 1:
        return other_second != second and not (is_sum and first == second)
    return other_first != first and other_second != second and not (is_sum and first == other_second)


@rule
def may_flip(state: Any, which: int) -> bool:
    """Whether the roller may flip the first die, the second, or BOTH."""
    if flips_of(state, state.roller) < (2 if which == BOTH else 1):
        return False
    if state.roll == Roll.TWO_D3 or state.roll == Roll.TWO_D10:
        return changes_dice(state, which)
    return which == 0 and changes_outcome(state)


@rule
def may_flip_any(state: Any) -> bool:
    """Whether there is anything to ask the roller."""
    return may_flip(state, 0) or may_flip(state, 1) or may_flip(state, BOTH)


@rule
def flip(race: Race, who: int, which: int) -> None:
    """Replace a die, or both, by its opposite face; the object die by the alternative object."""
    if which != 1:
        flip_die(race, who, 0)
    if which != 0:
        flip_die(race, who, 1)


@rule
def flip_die(race: Race, who: int, die: int) -> None:
    """One flip is paid for each die."""
    state = race.state
    pay_flip(state, who)
    if state.roll == Roll.OBJECT:
        item = state.agenda[state.due - 1]
        item[2], item[3] = item[3], item[2]
        log_event(race.log, Event.FLIPPED, who, die, item[2])
    else:
        state.dice[die] = opposite(state, die)
        log_event(race.log, Event.FLIPPED, who, die, state.dice[die])
