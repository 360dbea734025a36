"""Arriving: what the square does on which a movement has ended."""

from __future__ import annotations

from titan_env.contract import log_event, push_effect, rule
from titan_env.games.fantasy_racing.rules.board import first_opponent, has_barrier
from titan_env.games.fantasy_racing.rules.data_tables import SHORTCUT_ROWS
from titan_env.games.fantasy_racing.rules.dice import clear_dice, roll
from titan_env.games.fantasy_racing.rules.fights import attacks, fight
from titan_env.games.fantasy_racing.rules.movement import knock, leap
from titan_env.games.fantasy_racing.rules.points import score
from titan_env.games.fantasy_racing.rules.state import (
    MOST_ARRIVALS,
    NOBODY,
    NOTHING,
    UNSHIELDED,
    Due,
    Event,
    Race,
    Reason,
    Roll,
    Size,
    Square,
)

HOLE_POINTS = -2


@rule
def arrive(race: Race, who: int, manner: int) -> None:
    """A movement has ended here. From the 21st arrival of a turn on nothing follows: so every chain ends."""
    state = race.state
    square = state.racers[who].square
    state.arrivals += 1
    if state.arrivals > MOST_ARRIVALS:
        log_event(race.log, Event.GUARD, who, square, 0)
    elif state.traps[square]:
        spring_trap(race, who, manner)
    else:
        meet(race, who, manner)


@rule
def spring_trap(race: Race, who: int, manner: int) -> None:
    """A trap is gone and gives a big shock, by its owner if that is an opponent.

    If the shock does not move the racer, what else is on the square follows.
    """
    state = race.state
    square = state.racers[who].square
    owner = int(state.traps[square]) - 1
    log_event(race.log, Event.TRAP_SPRUNG, who, square, 0)
    state.traps[square] = 0
    push_effect(state, Due.SHOCK, who, NOBODY if owner == who else owner, Size.BIG, manner)


@rule
def meet(race: Race, who: int, manner: int) -> None:
    """What a racer meets where no trap lies: terrain, or else the first of the opponents that stand there."""
    state = race.state
    square = int(state.racers[who].square)
    printed = state.printed[square]
    if has_barrier(state, square):
        break_barrier(race, who)
    elif printed == Square.ROCK:
        log_event(race.log, Event.ROCK_HIT, who, square, 0)
        push_effect(state, Due.SHOCK, who, UNSHIELDED, Size.SMALL, NOTHING)
    elif printed == Square.HOLE:
        fall(race, who)
    elif printed == Square.SHORTCUT:
        push_effect(state, Due.LEAP, who, 0, 0, 0)
        roll(race, who, Roll.SHORTCUT, 1, len(SHORTCUT_ROWS))
    else:
        other = first_opponent(state, who, square)
        if other != NOBODY:
            if attacks(state, who, other, manner):
                fight(race, who, other)
            else:
                fight(race, other, who)


@rule
def break_barrier(race: Race, who: int) -> None:
    """A barrier that a racer lands on is destroyed for the rest of the race and gives a small shock by nobody."""
    square = race.state.racers[who].square
    race.state.gone[square] = 1
    log_event(race.log, Event.BARRIER_DESTROYED, who, square, 0)
    push_effect(race.state, Due.SHOCK, who, NOBODY, Size.SMALL, NOTHING)


@rule
def fall(race: Race, who: int) -> None:
    """Falling into a hole costs 2 points; the racer comes out on the square before it."""
    log_event(race.log, Event.HOLE, who, race.state.racers[who].square, 0)
    score(race, who, Reason.HOLE, HOLE_POINTS)
    knock(race, who, 1, 0)


@rule
def take_shortcut(race: Race, who: int) -> None:
    """A shortcut leads up to 4 rows back or up to 5 forward, in its column."""
    state = race.state
    rows = int(SHORTCUT_ROWS[state.dice[0] - 1])
    clear_dice(state)
    log_event(race.log, Event.SHORTCUT, who, state.racers[who].square, rows)
    leap(race, who, rows, 0)
