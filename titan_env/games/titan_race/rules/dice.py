"""The dice: the pool, the draft, the six faces."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import draw, log_event, push_effect, rule
from titan_env.games.titan_race.rules.actions import MOVES
from titan_env.games.titan_race.rules.board import has_trap, is_fit, living
from titan_env.games.titan_race.rules.circuits import TITANS
from titan_env.games.titan_race.rules.harm import (
    gain,
    hit,
    lose,
    may_be_hit,
    may_set_trap,
    set_trap,
    space_beside,
)
from titan_env.games.titan_race.rules.movement import begin_movement
from titan_env.games.titan_race.rules.state import (
    NO_FACE,
    NOBODY,
    NOWHERE,
    Cause,
    Direction,
    Due,
    Event,
    Face,
    Race,
)

FACE_MOVES = {
    Face.YELLOW: ("SS",),
    Face.BLUE: ("SL", "SR", "LS", "RS"),
    Face.BROWN: ("LLL", "RRR"),
    Face.RED: ("S",),
    Face.GREEN: ("LL", "RR"),
}
"""The move patterns that each face allows; purple plays another face."""

ALLOWS = np.array([[move in FACE_MOVES.get(face, ()) for move in MOVES] for face in Face])
COLOUR = np.array([Face[titan["colour"].upper()] for titan in TITANS], np.int64)
"""The Face that bears each Titan's colour."""
assert set(COLOUR) == set(Face), "a die's colour names one Titan"

PENTACLE_LIVES = 2
"""Rerolling costs 1 life and may not be the last."""


# The pool


@rule
def must_roll(state: Any) -> bool:
    """The player about to choose rolls when the pool is unrolled or when exactly one die is left."""
    dice = 0
    for face in range(6):
        dice += state.pool[face]
    return bool(state.unrolled or dice == 1)


@rule
def roll_pool(race: Race, who: int) -> None:
    """Take back all dice, as many as Titans in the race, and roll them."""
    state = race.state
    state.unrolled = 0
    state.pool[:] = 0
    for other in range(state.titans_in_race):
        state.titans[other].face = NO_FACE
        state.pool[draw(race.luck, 6)] += 1
    log_event(race.log, Event.ROLLED, who, NOBODY, 0)


@rule
def may_draft(state: Any, face: int) -> bool:
    """A die is taken from those in the pool."""
    return bool(state.pool[face] > 0)


@rule
def draft(race: Race, who: int, face: int) -> None:
    """Take a die from the pool and put it on the Titan's board."""
    race.state.pool[face] -= 1
    race.state.titans[who].face = face
    log_event(race.log, Event.DRAFTED, who, NOBODY, face)


# Playing a die


@rule
def take_up(race: Race, who: int, face: int) -> None:
    """A die is to be played: one of the Titan's own colour first gains it 1 life.

    Chtooloo and purple: no gain, no cost.
    """
    state = race.state
    is_own = COLOUR[state.titans[who].kind] == face
    if is_own and face != Face.PURPLE:
        gain(race, who, 1)
    state.face = face
    state.moved = 0
    state.die_done = 0
    state.begun = 0
    state.extra_due = 0
    state.action = NO_FACE
    state.owes = face == Face.PURPLE and not is_own
    if face != Face.PURPLE:
        choose_action(state, face)


@rule
def choose_action(state: Any, face: int) -> None:
    """The action of this face is played; red owes a trap, green owes damage."""
    state.action = face
    state.extra_due = face in (Face.RED, Face.GREEN)


@rule
def may_copy(state: Any) -> bool:
    """A purple die, the only one whose action is still open, plays any one of the other five faces."""
    return bool(state.action == NO_FACE)


@rule
def may_pay(state: Any) -> bool:
    """The life that purple costs may be paid before the move."""
    return bool(state.owes and not state.moved)


@rule
def pay(race: Race, who: int) -> None:
    """Purple costs 1 life."""
    race.state.owes = 0
    lose(race, who, Cause.PURPLE, NOBODY)


@rule
def allows(face: int, pattern: int) -> bool:
    """A die action's move follows a pattern of its face."""
    return bool(ALLOWS[face, pattern])


@rule
def move(race: Race, who: int, pattern: int) -> None:
    """Make the die action's move."""
    begin_movement(race.state, who)
    push_effect(race.state, Due.DIE_MOVED, who, 0, 0, 0)
    push_effect(race.state, Due.MOVE, who, pattern, 0, 0)


@rule
def end_move(race: Race, who: int) -> None:
    """After the move an unpaid purple die is paid for, unless the move knocked its Titan out."""
    race.state.moved = 1
    if race.state.owes:
        pay(race, who)


# Red and green


@rule
def may_trap(state: Any, who: int, direction: int) -> bool:
    """Red's trap goes on a space behind without a trap, before or after the move."""
    due = state.extra_due and state.action == Face.RED
    return bool(due) and direction >= Direction.B and may_set_trap(state, space_beside(state, who, direction))


@rule
def lay_trap(race: Race, who: int, direction: int) -> None:
    """Red's trap."""
    race.state.extra_due = 0
    set_trap(race, who, space_beside(race.state, who, direction))


@rule
def may_strike(state: Any, who: int, direction: int) -> bool:
    """Green's damage goes to a living Titan or a trap on a space before, before or after the move."""
    due = state.extra_due and state.action == Face.GREEN
    return bool(due) and direction < Direction.B and may_be_hit(state, space_beside(state, who, direction))


@rule
def strike(race: Race, who: int, direction: int) -> None:
    """Green's damage."""
    race.state.extra_due = 0
    hit(race, who, space_beside(race.state, who, direction), Cause.STRIKE)


@rule
def may_spare(state: Any, who: int) -> bool:
    """Green's damage is compulsory when a living Titan is before; where only traps are, it may be left."""
    if not (state.extra_due and state.action == Face.GREEN and state.moved):
        return False
    traps = False
    for direction in range(Direction.B):
        space = space_beside(state, who, direction)
        if living(state, space) != NOBODY:
            return False
        traps |= space >= 0 and has_trap(state, space)
    return traps


@rule
def is_action_over(state: Any, who: int) -> bool:
    """The die action is over when its move is made and what else it asks is done or impossible."""
    if not state.moved:
        return False
    for direction in range(6):
        if may_trap(state, who, direction) or may_strike(state, who, direction):
            return False
    return True


# The pentacle


@rule
def may_reroll(state: Any, who: int) -> bool:
    """The pentacle serves, once the die's action is over, a living Titan with 2 lives or more.

    Its latest movement of its own (die, kick, a card that says "move") must have ended there, and it there still.
    """
    titan = state.titans[who]
    there = state.pentacle != NOWHERE and state.pentacle == titan.space
    return bool(state.die_done and there and is_fit(state, who) and titan.life >= PENTACLE_LIVES)


@rule
def reroll(race: Race, who: int) -> None:
    """Lose 1 life to roll one new die; from this choice on no ability and no card of any kind in this turn."""
    race.state.rerolled = 1
    race.state.pentacle = NOWHERE
    push_effect(race.state, Due.REROLL, who, 0, 0, 0)
    lose(race, who, Cause.PENTACLE, NOBODY)


@rule
def roll_again(race: Race, who: int) -> None:
    """The new die (not from the pool) must be played, own-colour gain and purple's cost included."""
    face = draw(race.luck, 6)
    log_event(race.log, Event.REROLLED, who, NOBODY, face)
    take_up(race, who, face)
    race.state.begun = 1
