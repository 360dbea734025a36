"""Points, the line, and what the standing is worth."""

from __future__ import annotations

from typing import Any

from titan_env.contract import SILENT, log_event, rule
from titan_env.games.fantasy_racing.rules.data_tables import STANDING
from titan_env.games.fantasy_racing.rules.state import COLUMNS, MOST_RACERS, NOBODY, ROWS, Event, Race, Reason

LINE_POINTS = 10


@rule
def score(race: Race, who: int, reason: int, points: int) -> None:
    """Points are won or lost; they may fall below 0."""
    race.state.scores[who] += points
    log_event(race.log, Event.POINTS, who, reason, points)


@rule
def travel(race: Race, who: int, square: int, rows: int, way: int) -> None:
    """A racer is now on a square: 1 point for each row down, -1 for each row up, in any way of moving."""
    state = race.state
    racer = state.racers[who]
    row = racer.square // COLUMNS + rows
    _tell_moved(race, who, square, way, rows)
    racer.square = square
    state.scores[who] += rows
    if row >= ROWS:
        cross_line(race, who, 1)
    elif row < 0:
        cross_line(race, who, -1)


@rule
def _tell_moved(race: Race, who: int, square: int, way: int, rows: int) -> None:
    """One straight run of squares is told as one move and its points, not square by square."""
    log = race.log
    if log.count == SILENT:
        return
    if 2 <= log.count <= len(log.events):
        moved, points = log.events[log.count - 2], log.events[log.count - 1]
        if moved[0] == Event.MOVED and moved[1] == who and moved[3] == way and points[0] == Event.POINTS:
            if points[2] == Reason.ROWS and points[3] * rows > 0:
                moved[2] = square
                points[3] += rows
                return
    log_event(log, Event.MOVED, who, square, way)
    if rows != 0:
        log_event(log, Event.POINTS, who, Reason.ROWS, rows)


@rule
def cross_line(race: Race, who: int, crossing: int) -> None:
    """Crossing the line changes the lap counter; 10 points where it comes to be higher than ever before."""
    racer = race.state.racers[who]
    racer.laps += crossing
    log_event(race.log, Event.LINE, who, NOBODY, crossing)
    if racer.laps > racer.highest:
        racer.highest = racer.laps
        score(race, who, Reason.LINE, LINE_POINTS)


@rule
def standing_of(state: Any, who: int) -> tuple[Any, Any]:
    """How many racers have more points, and how many as many, itself included.

    Empty seats are looked at too: a loop of one length is quicker than a shorter one.
    """
    points, seats = state.scores[who], state.seats
    more, equal = 0, 0
    for other in range(MOST_RACERS):
        more += (state.scores[other] > points) & (other < seats)
        equal += (state.scores[other] == points) & (other < seats)
    return more, equal


@rule
def colour_in(state: Any, more: int, equal: int) -> int:
    """The chest icon: who lies behind is favoured, who leads is penalised.

    It goes by the racers with more points, and half of the others with as many, rounded down.
    """
    return int(STANDING[state.seats, more + (equal - 1) // 2])


@rule
def colour_of(state: Any, who: int) -> int:
    """The chest icon of a racer."""
    more, equal = standing_of(state, who)
    return colour_in(state, more, equal)


@rule
def has_most(state: Any, who: int) -> bool:
    """Whether nobody has more points."""
    for other in range(state.seats):
        if state.scores[other] > state.scores[who]:
            return False
    return True
