"""The six abilities, each once per own turn, before or after the die action."""

from __future__ import annotations

from typing import Any

from titan_env.contract import Status, log_event, push_effect, rule
from titan_env.games.titan_race.rules.board import (
    FORWARD,
    OPPOSITE,
    ROW_STEP,
    crossing,
    leave,
    living,
    neighbour,
    stand,
    standing,
)
from titan_env.games.titan_race.rules.harm import (
    damage_around,
    lose,
    may_be_hit,
    may_set_trap,
    set_trap,
    space_beside,
)
from titan_env.games.titan_race.rules.movement import begin_movement, count_laps, win_by_laps
from titan_env.games.titan_race.rules.questions import ask
from titan_env.games.titan_race.rules.state import (
    NOBODY,
    NOWHERE,
    Ask,
    Cause,
    Direction,
    Due,
    Event,
    Manner,
    Race,
    Titan,
)

NO_DIRECTION = -1
"""Slaugg's ability needs none."""
FORWARD_CHOICES = sum(2 << direction for direction in FORWARD)


@rule
def ability_choices(state: Any, who: int, kind: int) -> int:
    """Where the ability of a kind of Titan does something for `who`: bit 1 + Direction, bit 0 for Slaugg's."""
    if kind == Titan.SLAUGG:
        return 1 if may_breathe(state, who) else 0
    if kind == Titan.RASSIK:
        return FORWARD_CHOICES if may_kick_off(state, who) else 0
    choices = 0
    for direction in range(6):
        if may_target(state, who, kind, space_beside(state, who, direction)):
            choices |= 2 << direction
    return choices


@rule
def may_target(state: Any, who: int, kind: int, space: int) -> bool:
    """Whether an ability that has a target does something on an adjacent space."""
    if kind == Titan.CRAKEN:
        return standing(state, space) != NOBODY
    if kind == Titan.RAGNAROK:
        return may_be_shoved(state, standing(state, space))
    if kind == Titan.GRINDER:
        return may_trap_beside(state, space)
    return may_drain(state, who, space)


@rule
def may_use_ability(state: Any, who: int, kind: int) -> bool:
    """Whether the ability of a kind of Titan would do anything for `who`."""
    return ability_choices(state, who, kind) != 0


@rule
def use_ability(race: Race, who: int, direction: int) -> None:
    """Use the ability that has been chosen (one's own, or the one that Mimic borrowed)."""
    kind = race.state.borrowed
    log_event(race.log, Event.ABILITY, who, NOBODY, kind)
    if kind == Titan.SLAUGG:
        breathe(race, who)
    elif kind == Titan.RASSIK:
        kick_off(race, who, direction)
    elif kind == Titan.CRAKEN:
        swap(race, who, direction)
    elif kind == Titan.RAGNAROK:
        grab(race, who, direction)
    elif kind == Titan.GRINDER:
        set_trap(race, who, space_beside(race.state, who, direction))
    else:
        drain(race, who, direction)


@rule
def borrow(race: Race, who: int, lender: int) -> None:
    """Mimic: use the ability of an adjacent Titan as if it were one's own."""
    race.state.borrowed = race.state.titans[lender].kind
    ask(race.state, Ask.ABILITY, who)


# Rassik


@rule
def may_kick_off(state: Any, who: int) -> bool:
    """Rassik needs a Titan, K.O.'d or not, on one of the three spaces behind him."""
    for direction in range(Direction.B, Direction.BR + 1):
        if standing(state, space_beside(state, who, direction)) != NOBODY:
            return True
    return False


@rule
def kick_off(race: Race, who: int, direction: int) -> None:
    """Rassik kicks off the Titan behind him, which is unharmed, and moves 1 space forward."""
    begin_movement(race.state, who)
    push_effect(race.state, Due.STEP, who, direction, Manner.OWN, 0)


# Slaugg


@rule
def may_breathe(state: Any, who: int) -> bool:
    """Slaugg needs a living Titan or a trap on one of the three spaces before him."""
    for direction in range(Direction.B):
        if may_be_hit(state, space_beside(state, who, direction)):
            return True
    return False


@rule
def breathe(race: Race, who: int) -> None:
    """Slaugg deals 1 damage to each of the three spaces before him, without a choice."""
    damage_around(race, who, Direction.F, Direction.B, Cause.SLAUGG)


# Craken


@rule
def swap(race: Race, who: int, direction: int) -> None:
    """Craken changes places with an adjacent Titan; then Craken meets all that his new space does, then the other.

    Nobody slides, jumps or is pushed. Across the finish line both laps change, Craken's first, before anybody wins.
    """
    state = race.state
    mine = state.titans[who].space
    theirs = neighbour(state, mine, direction)
    whom = standing(state, theirs)
    log_event(race.log, Event.SWAPPED, who, whom, 0)
    laps = crossing(mine, direction)
    leave(state, who)
    leave(state, whom)
    stand(state, who, theirs)
    stand(state, whom, mine)
    state.titans[who].progress += ROW_STEP[direction]
    state.titans[whom].progress -= ROW_STEP[direction]
    if laps != 0:
        count_laps(race, who, laps)
        count_laps(race, whom, -laps)
        win_by_laps(race, who)
        win_by_laps(race, whom)
    if state.over == Status.RUNNING:
        push_effect(state, Due.ENTER, whom, OPPOSITE[direction], Manner.SWAPPED, 0)
        push_effect(state, Due.ENTER, who, direction, Manner.SWAPPED, 0)


# Ragnarok


@rule
def may_be_shoved(state: Any, whom: int) -> bool:
    """A Titan can be shoved when there is a space for it in some direction."""
    if whom == NOBODY:
        return False
    for direction in range(6):
        if may_shove_to(state, whom, direction):
            return True
    return False


@rule
def may_shove_to(state: Any, whom: int, direction: int) -> bool:
    """Nobody can be shoved below row 1 of the first board of a Grand Slam."""
    return space_beside(state, whom, direction) != NOWHERE


@rule
def grab(race: Race, who: int, direction: int) -> None:
    """Ragnarok chooses an adjacent Titan, K.O.'d or not; then he is asked which way it goes."""
    race.state.target = standing(race.state, space_beside(race.state, who, direction))
    ask(race.state, Ask.SHOVE, who)


@rule
def shove(race: Race, who: int, whom: int, direction: int) -> None:
    """Shove a Titan 1 space: an ordinary step, but it takes no ramp and itself loses nothing."""
    race.state.target = NOBODY
    log_event(race.log, Event.SHOVED, who, whom, direction)
    begin_movement(race.state, whom)
    push_effect(race.state, Due.STEP, whom, direction, Manner.SHOVED, 0)


# Grinder


@rule
def may_trap_beside(state: Any, space: int) -> bool:
    """Grinder's trap goes on any adjacent space without one; on a K.O.'d Titan it would do nothing."""
    return may_set_trap(state, space) and (standing(state, space) == NOBODY or living(state, space) != NOBODY)


# Chtooloo


@rule
def may_drain(state: Any, who: int, space: int) -> bool:
    """Chtooloo needs an adjacent living Titan and room on his gauge."""
    return living(state, space) != NOBODY and state.titans[who].life < state.titans[who].life_max


@rule
def drain(race: Race, who: int, direction: int) -> None:
    """Chtooloo deals 1 damage to an adjacent Titan, then gains 1 life unless the damage was prevented."""
    lose(race, standing(race.state, space_beside(race.state, who, direction)), Cause.CHTOOLOO, who)
