"""The two rings: the fire ball that is flown over the board, and the lightning on all who lead."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, push_effect, rule
from titan_env.games.fantasy_racing.rules.board import beside, first_opponent, has_barrier
from titan_env.games.fantasy_racing.rules.dice import clear_dice, roll
from titan_env.games.fantasy_racing.rules.movement import recoil, recoil_rows
from titan_env.games.fantasy_racing.rules.points import has_most, score
from titan_env.games.fantasy_racing.rules.questions import ask
from titan_env.games.fantasy_racing.rules.state import (
    COLUMNS,
    NOBODY,
    NOTHING,
    ROWS,
    Ask,
    Due,
    Event,
    Flight,
    Race,
    Reason,
    Roll,
    Size,
)

FIRE_RANGE = 10
"""Steps of the fire ball beside the dice."""
LIGHTNING_POINTS = 2


# The fire ring


@rule
def may_burn(state: Any, who: int) -> bool:
    """The fire ring serves while any opponent is not protected."""
    for other in range(state.seats):
        if other != who and not state.racers[other].protected:
            return True
    return False


@rule
def throw_fire(race: Race, who: int) -> None:
    """The range of the fire ball is 10 + 2D10 steps."""
    push_effect(race.state, Due.LAUNCH, who, 0, 0, 0)
    roll(race, who, Roll.TWO_D10, 2, 10)


@rule
def launch(race: Race, who: int) -> None:
    """The ball starts on its user's square."""
    state = race.state
    state.range = FIRE_RANGE + state.dice[0] + state.dice[1]
    clear_dice(state)
    state.ball = state.racers[who].square
    push_effect(state, Due.FLY, who, 0, 0, 0)


@rule
def may_fly(state: Any, step: int) -> bool:
    """Forward and back exclude each other for the whole flight, left and right within a row.

    No row is entered again, and none is flown all around; the ball may be released after any step.
    """
    rows, columns = state.ball_rows, state.ball_columns
    if step == Flight.RELEASE:
        return bool(rows != 0 or columns != 0)
    if step == Flight.F:
        return bool(0 <= rows < ROWS - 1)
    if step == Flight.B:
        return bool(-ROWS + 1 < rows <= 0)
    if step == Flight.L:
        return bool(-COLUMNS + 1 < columns <= 0)
    return bool(0 <= columns < COLUMNS - 1)


@rule
def may_only_release(state: Any) -> bool:
    """Whether the ball can fly no further."""
    for step in range(Flight.RELEASE):
        if may_fly(state, step):
            return False
    return True


@rule
def fly_on(race: Race, who: int) -> None:
    """The flight ends by itself at its range; else its next step is asked for."""
    state = race.state
    if state.range == 0 or may_only_release(state):
        release(race, who)
    else:
        push_effect(state, Due.FLY, who, 0, 0, 0)
        ask(state, Ask.FIRE, who)


@rule
def fly(race: Race, who: int, step: int) -> None:
    """One step of the ball: it flies over everything; traps and barriers on its way are destroyed."""
    state = race.state
    rows, columns = 0, 0
    if step == Flight.F:
        rows = 1
    elif step == Flight.B:
        rows = -1
    elif step == Flight.L:
        columns = -1
    else:
        columns = 1
    state.ball = beside(int(state.ball), rows, columns)
    state.ball_rows += rows
    state.ball_columns = 0 if rows != 0 else state.ball_columns + columns
    state.range -= 1
    log_event(race.log, Event.BALL, who, state.ball, 0)
    pass_over(race, who)


@rule
def pass_over(race: Race, who: int) -> None:
    """The ball destroys the trap or barrier on its square, and marks the opponents there that are not protected."""
    destroy(race, who, int(race.state.ball))
    for other in range(race.state.seats):
        racer = race.state.racers[other]
        if racer.square == race.state.ball and other != who and not racer.protected:
            racer.mark = Size.SMALL


@rule
def destroy(race: Race, who: int, square: int) -> None:
    """A trap and a barrier are destroyed, without points."""
    state = race.state
    if state.traps[square]:
        state.traps[square] = 0
        log_event(race.log, Event.TRAP_DESTROYED, who, square, 0)
    if has_barrier(state, square):
        state.gone[square] = 1
        log_event(race.log, Event.BARRIER_DESTROYED, who, square, 0)


@rule
def release(race: Race, who: int) -> None:
    """The first of the opponents on the ball's last square is its target; who suffers is settled now."""
    state = race.state
    target = first_opponent(state, who, int(state.ball))
    if target != NOBODY:
        state.racers[target].mark = Size.BIG
    state.ball = state.ball_rows = state.ball_columns = state.range = 0
    push_effect(state, Due.BURN, who, 0, 0, 0)


@rule
def burn(race: Race, who: int) -> None:
    """The others on the way suffer a small shock in this round's order, the target a big one last of all."""
    state = race.state
    for size in (Size.SMALL, Size.BIG):
        for position in range(state.seats):
            victim = int(state.order[position])
            if state.racers[victim].mark == size:
                state.racers[victim].mark = 0
                push_effect(state, Due.BURN, who, 0, 0, 0)
                push_effect(state, Due.SHOCK, victim, who, size, NOTHING)
                return


# The lightning ring


@rule
def is_struck(state: Any, who: int, other: int) -> bool:
    """Victims are the opponents with at least the user's points that are not protected."""
    return bool(other != who and not state.racers[other].protected and state.scores[other] >= state.scores[who])


@rule
def may_strike(state: Any, who: int) -> bool:
    """The lightning ring needs a victim."""
    for other in range(state.seats):
        if is_struck(state, who, other):
            return True
    return False


@rule
def call_lightning(race: Race, who: int) -> None:
    """The user rolls 2D3."""
    push_effect(race.state, Due.LIGHTNING, who, 0, 0, 0)
    roll(race, who, Roll.TWO_D3, 2, 3)


@rule
def settle_lightning(race: Race, who: int) -> None:
    """Each victim recoils by the first die, one that nobody is ahead of by the sum of both."""
    state = race.state
    first, second = state.dice[0], state.dice[1]
    clear_dice(state)
    for other in range(state.seats):
        if is_struck(state, who, other):
            state.racers[other].mark = first + second if has_most(state, other) else first
    push_effect(state, Due.STRIKE, who, 0, 0, 0)


@rule
def strike(race: Race, who: int) -> None:
    """The next victim of the lightning goes back, no shield helps; 2 points if it goes back at all."""
    drive_back(race, who, Due.STRIKE, Event.LIGHTNING, Reason.LIGHTNING, LIGHTNING_POINTS)


@rule
def drive_back(race: Race, who: int, due: int, event: int, reason: int, points: int) -> None:
    """The next marked racer, in this round's order, recoils straight; the points are given just before it does."""
    state = race.state
    for position in range(state.seats):
        victim = int(state.order[position])
        rows = int(state.racers[victim].mark)
        if rows > 0:
            state.racers[victim].mark = 0
            push_effect(state, due, who, 0, 0, 0)
            log_event(race.log, event, who, victim, rows)
            if recoil_rows(state, victim, rows, 0) > 0:
                score(race, who, reason, points)
            recoil(race, victim, rows, 0)
            return
