"""Moving: steps, ramps, pushes and queues, laps."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import Status, log_event, pop_effect, push_effect, rule
from titan_env.games.titan_race.rules.board import (
    BEHIND,
    ROW_STEP,
    ROWS,
    crossing,
    holds_its_space,
    is_fit,
    leave,
    neighbour,
    stand,
    standing,
)
from titan_env.games.titan_race.rules.harm import lose, may_react
from titan_env.games.titan_race.rules.questions import ask
from titan_env.games.titan_race.rules.state import (
    BEYOND,
    NOBODY,
    NOWHERE,
    Ask,
    Card,
    Cause,
    Direction,
    Due,
    Event,
    Manner,
    Race,
    Terrain,
)

assert BEHIND[0] == len(Direction) // 2, "a direction below B leads forward"

_STEPS = {"S": Direction.F, "L": Direction.FL, "R": Direction.FR}
_STOP = -1


def _patterns(texts: list[str]) -> Any:
    """Move patterns as directions, one row each, filled up with _STOP."""
    rows = [[_STEPS[letter] for letter in text] + [_STOP] * (4 - len(text)) for text in texts]
    return np.array(rows, np.int64)


PATTERNS = _patterns(["S", "SS", "SL", "SR", "LS", "RS", "LL", "RR", "LLL", "RRR"])


@rule
def begin_movement(state: Any, mover: int) -> None:
    """A movement begins (one die action's move, kick, shove or card move): nobody has been pushed in it yet."""
    state.mover = mover
    for who in range(state.titans_in_race):
        state.titans[who].bumped = 0


@rule
def ramp_jump(terrain: int, direction: int) -> int:
    """How many spaces a ramp carries over: two to its side (super-ramp), one forward (multi-ramp)."""
    if terrain == Terrain.SUPER_RAMP_LEFT and direction == Direction.FL:
        return 2
    if terrain == Terrain.SUPER_RAMP_RIGHT and direction == Direction.FR:
        return 2
    if terrain == Terrain.MULTI_RAMP and direction < Direction.B:
        return 1
    return 0


@rule
def landing(state: Any, start: int, direction: int, manner: int) -> tuple[int, int, int]:
    """Where a step from `start` lands, the laps it crosses and the rows it gains.

    Only a Titan that moves by its own power takes a ramp; wings fly over one space more.
    """
    hops = 1
    if manner <= Manner.FLYING:
        hops += ramp_jump(state.terrain[start], direction) + manner
    space, laps = int(start), 0
    for _ in range(hops):
        laps += crossing(space, direction)
        space = neighbour(state, space, direction)
        if space < 0:
            break
    return space, laps, int(hops * ROW_STEP[direction])


@rule
def step(race: Race, who: int, direction: int, manner: int, has_pushed: int) -> None:
    """One step of one Titan. Whoever stands on the landing space is pushed first, and so on down the queue."""
    state = race.state
    titan = state.titans[who]
    space, laps, rows = landing(state, titan.space, direction, manner)
    if space == BEYOND:
        titan.progress = state.circuits * ROWS
        credit_lap(race, who, 1)
        return
    in_the_way = standing(state, space)
    is_stuck = space == NOWHERE or (manner == Manner.PUSHED and is_awaited(state, space))
    if in_the_way != NOBODY and not has_pushed and not is_stuck:
        titan.moving = 1
        push_effect(state, Due.STEP, who, direction, manner, 1)
        push(race, who, in_the_way, direction)
    elif is_stuck or in_the_way != NOBODY or has_fallen(state, who, manner):
        titan.moving = 0
        log_event(race.log, Event.STOPPED, who, NOBODY, 0)
    else:
        if manner <= Manner.FLYING and ramp_jump(state.terrain[titan.space], direction):
            log_event(race.log, Event.JUMPED, who, titan.space, direction)
        leave(state, who)
        stand(state, who, space)
        titan.progress += rows
        log_event(race.log, Event.MOVED, who, space, rows)
        if laps != 0:
            credit_lap(race, who, laps)
        if state.over == Status.RUNNING:
            push_effect(state, Due.ENTER, who, direction, manner, 0)
    if manner <= Manner.FLYING and not titan.moving:
        reach_pentacle(state, who)


@rule
def has_fallen(state: Any, who: int, manner: int) -> bool:
    """Who is K.O.'d while it pushes by its own movement stops where it lost its last life.

    Unless somebody was pushed on to the space where it lies: never two on a space.
    """
    return manner <= Manner.FLYING and not is_fit(state, who) and holds_its_space(state, who)


@rule
def reach_pentacle(state: Any, who: int) -> None:
    """Where a Titan's own movement has brought it so far: a pentacle serves who ends it there."""
    space = state.titans[who].space
    state.pentacle = space if state.terrain[space] == Terrain.PENTACLE else NOWHERE


@rule
def is_awaited(state: Any, space: int) -> bool:
    """Whether a Titan that has pushed another off a space is about to land there.

    A queue that slides over ice all around the board would take that space again: it ends before it.
    """
    for i in range(state.due):
        item = state.agenda[i]
        if item[0] == Due.STEP and item[4] == 1:
            who, direction, manner = int(item[1]), int(item[2]), int(item[3])
            if landing(state, state.titans[who].space, direction, manner)[0] == space:
                return True
    return False


@rule
def push(race: Race, who: int, whom: int, direction: int) -> None:
    """Whoever is entered upon is pushed one space in the direction of the step, and then loses 1 life."""
    log_event(race.log, Event.PUSHED, who, whom, direction)
    push_effect(race.state, Due.PUSH_LOSS, whom, 0, 0, 0)
    push_effect(race.state, Due.STEP, whom, direction, Manner.PUSHED, 0)


@rule
def credit_lap(race: Race, who: int, laps: int) -> None:
    """Crossing the line changes the lap counter; completing the last lap wins at once, whoever's turn it is."""
    count_laps(race, who, laps)
    win_by_laps(race, who)


@rule
def count_laps(race: Race, who: int, laps: int) -> None:
    """Crossing the line forward is a lap more, going back over it a lap less."""
    race.state.titans[who].lap += laps
    log_event(race.log, Event.LAP, who, NOBODY, laps)


@rule
def win_by_laps(race: Race, who: int) -> None:
    """Who has completed the last lap has won, with its side."""
    state = race.state
    titan = state.titans[who]
    if titan.lap > state.laps:
        log_event(race.log, Event.WON, who, NOBODY, 0)
        state.over = Status.TERMINATED
        for seat in range(state.seats):
            state.won[seat] = state.titans[seat].side == titan.side


@rule
def push_loss(race: Race, who: int) -> None:
    """A pushed Titan loses 1 life, once per movement however far or often it is pushed in it."""
    titan = race.state.titans[who]
    if not titan.bumped:
        titan.bumped = 1
        push_effect(race.state, Due.THORNS, who, 0, 0, 0)
        lose(race, who, Cause.PUSH, NOBODY)


@rule
def may_thorn(state: Any, who: int) -> bool:
    """Thorns answer a push: by a Titan that is not K.O., against a mover that still has a life to lose."""
    return may_react(state, who, Card.THORNS) and state.mover != who and is_fit(state, state.mover)


@rule
def offer_thorns(race: Race, who: int) -> None:
    """The player of a pushed Titan may answer with the thorns."""
    if may_thorn(race.state, who):
        ask(race.state, Ask.THORNS, who)


@rule
def slide(race: Race, who: int, direction: int, manner: int) -> None:
    """On ice a Titan keeps going in its direction; one K.O.'d by its own movement stops, a pushed one slides on.

    With its slide a Titan's own movement ends: the steps that are left of the die are lost.
    """
    state = race.state
    own_power = manner <= Manner.FLYING
    if manner == Manner.SWAPPED or (own_power and not is_fit(state, who)):
        return
    log_event(race.log, Event.SLID, who, state.titans[who].space, 0)
    if own_power and state.due > 0 and state.agenda[state.due - 1][0] == Due.MOVE:
        pop_effect(state)
    if own_power:
        push_effect(state, Due.STEP, who, direction, Manner.OWN, 0)
    else:
        push_effect(state, Due.STEP, who, direction, manner, 0)


@rule
def move_on(race: Race, who: int, pattern: int, taken: int) -> None:
    """The next step of a die's move; a Titan that is K.O. stops and the rest of its action is lost."""
    direction = PATTERNS[pattern, taken]
    if direction != _STOP and is_fit(race.state, who):
        push_effect(race.state, Due.MOVE, who, pattern, taken + 1, 0)
        push_effect(race.state, Due.STEP, who, direction, Manner.OWN, 0)
