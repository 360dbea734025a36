"""Positions that people make: what may be played on from, and how things are put elsewhere by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import Status
from titan_env.contract.position_text import NOTHING, YES_OR_NO, Bounds, check_bounds, expect, is_index
from titan_env.contract.translation import mark
from titan_env.games.tiny_turbo_cars.rules.abilities import may_fly
from titan_env.games.tiny_turbo_cars.rules.boards import check_board, check_joins, kind_of
from titan_env.games.tiny_turbo_cars.rules.controller import CONTENTS, is_dealt
from titan_env.games.tiny_turbo_cars.rules.programming import is_programming, programmers
from titan_env.games.tiny_turbo_cars.rules.setup import MOST_COUNTDOWN, MOST_ROUNDS, MOST_SLIDES, track_of
from titan_env.games.tiny_turbo_cars.rules.state import (
    ALL_CARS,
    BATTERIES,
    BOARD_ROWS,
    LANES,
    MOST_BOARDS,
    MOST_CARS,
    NO_CAR,
    UNPLACED,
    Ask,
    Terrain,
)
from titan_env.games.tiny_turbo_cars.rules.track import is_racing, racers, starting_place, terrain_at
from titan_env.games.tiny_turbo_cars.rules.turn import may_spend
from titan_env.games.tiny_turbo_cars.words.notation import write_cell
from titan_env.games.tiny_turbo_cars.words.sentences import driver_name
from titan_env.games.tiny_turbo_cars.words.translation import _

MOST_GAIN = 39
"""Rows that no turn can gain more than."""


# What may be played on from


def validate_position(state: Any) -> None:
    """Raises ValueError for a position that the rules could not safely be played on from, saying why."""
    expect(
        state.over == Status.RUNNING,
        _("expected a race that is still running; this one is over: begin at an earlier moment"),
    )
    check_bounds(state, {"seats": (2, MOST_CARS), "boards": (3, MOST_BOARDS), "ask": (1, len(Ask) - 1)})
    check_bounds(state, _bounds(state))
    _check_track(state)
    _check_podium(state)
    for who in range(int(state.seats)):
        _check_driver(state, who)
    _check_once(state)
    if state.ask in (Ask.CAR, Ask.PLACE):
        _check_preparing(state)
    elif state.ask == Ask.PROGRAM:
        _check_programming(state)
    else:
        _check_racing(state)


def _bounds(state: Any) -> Bounds:
    """Return the lowest and highest number of each field of a race that is running."""
    last = int(state.seats) - 1
    limit = int(state.round_limit) or np.iinfo(np.int16).max
    return {
        "scores": NOTHING,
        **dict.fromkeys(("won", "place", "out"), (0, last if state.podium else 0)),
        "decisions": (0, 2**30),
        "shuffles": (0, 2**30),
        "draft": YES_OR_NO,
        "slides": (1, MOST_SLIDES),
        "countdown": (1, MOST_COUNTDOWN),
        "line_pushes": YES_OR_NO,
        "podium": YES_OR_NO,
        "round_limit": (0, MOST_ROUNDS),
        "line": ((int(state.boards) - 1) * BOARD_ROWS, int(state.boards) * BOARD_ROWS),
        "first": (0, last),
        "seat": (0, last),
        "rounds": NOTHING if state.ask in (Ask.CAR, Ask.PLACE) else (1, limit),
        "tick": (0, int(state.slides)),
        "time_left": (0, int(state.countdown) if state.ask == Ask.PROGRAM else 0),
    }


def _check_track(state: Any) -> None:
    """Raise ValueError unless every board can be raced on, and a way leads from each into the next."""
    track = track_of(state)
    for board in range(int(state.boards)):
        terrain = track[board * BOARD_ROWS : (board + 1) * BOARD_ROWS]
        check_board(kind_of(board, int(state.boards)), terrain, _("board {n}", n=board + 1))
    check_joins(track)


def _check_podium(state: Any) -> None:
    """Raise ValueError unless the seats that are out hold the first places, and at least two cars race on."""
    seats = int(state.seats)
    gone = [who for who in range(seats) if state.out[who]]
    places = [int(state.place[who]) for who in gone]
    are_first = sorted(places) == [*range(1, len(gone) + 1)] and np.count_nonzero(state.place) == len(gone)
    expect(are_first, _("expected the first places for the seats that are out, and none for others"))
    is_flag = state.out.tolist() == [int(who in gone) for who in range(len(state.out))]
    expect(is_flag and len(gone) <= seats - 2, _("expected `out` to be 0 or 1, with two cars at least that race on"))
    has_won = state.won.tolist() == [int(place == 1) for place in state.place.tolist()]
    expect(has_won, _("expected the seat with place 1 to have won, and no other"))
    for who in gone:
        driver = state.drivers[who]
        message = mark("expected {who}, who has left the track, to have no cell, token, slides or controller")
        is_gone = driver.row == UNPLACED and not (driver.token or driver.slides or driver.acted or is_dealt(driver))
        expect(is_gone, _(message, who=driver_name(state, who)))


def _check_driver(state: Any, who: int) -> None:
    """Raise ValueError unless a seat's car, cell, batteries, shields and controller are possible."""
    driver, name = state.drivers[who], driver_name(state, who)
    bounds: Bounds = {
        "car": (NO_CAR if state.ask == Ask.CAR else 0, ALL_CARS - 1),
        "row": (UNPLACED if state.ask <= Ask.PLACE or state.out[who] else 1, int(state.line) + MOST_GAIN),
        "lane": (0, LANES - 1),
        "batteries": (0, BATTERIES),
        "shields": (0, int(state.seats)),
        "lying": YES_OR_NO,
        "slipping": YES_OR_NO,
        "token": (0, int(state.seats)),
        "slides": (0, int(state.slides)),
        "acted": YES_OR_NO,
    }
    check_bounds(driver, bounds, _("{who}'s ", who=name))
    message = mark("expected {name}, which lies, to have at most {batteries} batteries up")
    is_down = not driver.lying or driver.batteries < BATTERIES
    expect(is_down, _(message, name=name, batteries=BATTERIES - 1))
    is_up = driver.lying or driver.batteries > 0
    expect(is_up, _("expected {name}, which stands, to have a battery up", name=name))
    where = write_cell(driver.row, driver.lane)
    is_open = not driver.row or terrain_at(state, int(driver.row), int(driver.lane)) != Terrain.IMPASSABLE
    expect(is_open, _("expected {name} on a cell that is not impassable, got {got}", name=name, got=where))
    is_whole = not is_dealt(driver) or np.array_equal(np.sort(driver.controller), np.sort(CONTENTS))
    expect(is_whole, _("expected the controller of {name} to hold the 15 tiles and the hole", name=name))
    has_token = driver.token or driver.slides < state.slides
    expect(has_token, _("expected {name} to have a token after all its slides", name=name))


def _check_once(state: Any) -> None:
    """Raise ValueError unless each car and each token occurs once: tokens from the happiest on, the last one last."""
    drivers, racing = state.drivers[: int(state.seats)], racers(state)
    cars = [int(car) for car in drivers["car"] if car != NO_CAR]
    expect(len(set(cars)) == len(cars), _("expected every car once"))
    held = sorted(int(token) for token in drivers["token"] if token)
    are_first = held == [*range(1, racing), int(state.seats)][: len(held)]
    expect(are_first, _("expected the first tokens, each once, got {got}", got=", ".join(map(str, held))))


def _fresh(state: Any, names: tuple[str, ...], when: str) -> None:
    """Raise ValueError unless these numbers of all seats are still 0."""
    for name in names:
        is_fresh = not state.drivers[name][: int(state.seats)].any()
        expect(is_fresh, _("expected {name} 0 of every seat {when}", name=name, when=when))


def _check_preparing(state: Any) -> None:
    """Raise ValueError unless the next seat is asked for its car or its place, and nothing else has begun."""
    seats, first = int(state.seats), int(state.first)
    _fresh(state, ("shields", "lying", "slipping", "token", "slides", "acted"), _("before the first round"))
    clockwise = [(first + i) % seats for i in range(seats)]
    waiting = [who for who in clockwise if state.drivers[who].car == NO_CAR]
    if state.ask == Ask.PLACE:
        waiting = [who for who in reversed(clockwise) if state.drivers[who].row == UNPLACED]
    chosen = [clockwise, clockwise[::-1]][int(state.ask == Ask.PLACE)][seats - len(waiting) :]
    is_next = waiting == chosen and [state.seat] == waiting[:1]
    expect(is_next, _("expected cars to be chosen clockwise from the first player, and places in reverse"))
    grid = [starting_place(state, lane) for lane in range(LANES)]
    stood = [(int(driver.row), int(driver.lane)) for driver in state.drivers[:seats] if driver.row]
    is_grid = len(set(stood)) == len(stood) and set(stood) <= set(grid) and not (state.ask == Ask.CAR and stood)
    expect(is_grid, _("expected every car that is placed alone on a place of the starting grid"))
    is_dealt_early = any(is_dealt(driver) for driver in state.drivers[:seats])
    expect(not is_dealt_early, _("expected no controller before the first round"))


def _check_programming(state: Any) -> None:
    """Raise ValueError unless the seat that is asked may be, and every other is at a possible point of programming."""
    drivers = state.drivers[: int(state.seats)]
    asked = drivers[int(state.seat)]
    _fresh(state, ("slipping",), _("between the turns"))
    programming = [who for who in range(len(drivers)) if is_programming(state, who)]
    expect(
        state.seat in programming and not asked.acted and is_dealt(asked),
        _("expected the seat that is asked to have a controller, no token, and this tick before it"),
    )
    for who, driver in enumerate(drivers):
        has_begun = driver.token or driver.slides or driver.acted
        expect(is_dealt(driver) or not has_begun, _("expected a controller of {who}", who=driver_name(state, who)))
        is_before = driver.row <= state.line
        expect(is_before, _("expected {who} before the line until its turn", who=driver_name(state, who)))
    is_timed = (state.time_left > 0) == (len(programming) == 1)
    expect(is_timed, _("expected time_left while a single seat is programming, and only then"))


def _check_racing(state: Any) -> None:
    """Raise ValueError unless all have programmed, and the seat that is asked may be asked that."""
    drivers = state.drivers[: int(state.seats)]
    driver, who = drivers[int(state.seat)], int(state.seat)
    are_dealt = all(is_dealt(other) for whom, other in enumerate(drivers) if is_racing(state, whom))
    expect(are_dealt and not programmers(state), _("expected every seat to have a token and a controller in the race"))
    for whom, other in enumerate(drivers):
        name = driver_name(state, whom)
        waits = other.token > driver.token or (state.ask == Ask.DRIVE and whom == who)
        is_before = not waits or (other.row <= state.line and not other.slipping)
        expect(is_before, _("expected {who} before the line, and not slipping, until its turn", who=name))
        is_bare = other.token >= driver.token or not (other.shields or other.slipping)
        expect(is_bare, _("expected shields and slip token of {who} to be given back", who=name))
    may_answer = {Ask.FLY: may_fly, Ask.SHIELD: may_spend}.get(Ask(int(state.ask)))
    expect(may_answer is None or may_answer(state, who), _("expected a question that the seat can answer"))


# Putting things elsewhere by hand


def edit_position(state: Any, what: str, where: str) -> None:
    """Put a thing of the picture on another, by their keys: a car on a cell; a click on a battery turns it.

    Raises ValueError for what cannot be put there.
    """
    kind, _sep, number = what.partition(":")
    part, _sep, target = where.partition(":")
    if kind == "car" and part == "cell" and is_index(number, int(state.seats)):
        _put_car(state, int(number), target)
    elif kind == "battery":
        _turn_battery(state, number)
    else:
        message = mark("expected a car and a cell, or a battery, got {got} and {where}")
        raise ValueError(_(message, got=repr(what), where=repr(where)))


def _put_car(state: Any, who: int, target: str) -> None:
    """A car stands elsewhere."""
    row, _sep, lane = target.partition(",")
    is_cell = row != "0" and is_index(row, MOST_BOARDS * BOARD_ROWS + 1) and is_index(lane, LANES)
    expect(is_cell, _("expected a cell of the track, got {got}", got=repr(target)))
    is_open = terrain_at(state, int(row), int(lane)) != Terrain.IMPASSABLE
    expect(is_open, _("expected a cell that is not impassable, got {got}", got=write_cell(int(row), int(lane))))
    state.drivers[who].row, state.drivers[who].lane = int(row), int(lane)


def _turn_battery(state: Any, number: str) -> None:
    """A click on a car's n-th battery: it has n up, or one less if it had just these; without any it lies."""
    who, _sep, battery = number.partition(":")
    is_battery = is_index(who, int(state.seats)) and is_index(battery, BATTERIES)
    expect(is_battery, _("expected the battery of a car, got {got}", got=repr(number)))
    driver = state.drivers[int(who)]
    up = int(battery) + 1
    driver.batteries = up - 1 if driver.batteries == up else up
    driver.lying = driver.batteries == 0
