"""The value of a program, and the beam search for a better one some slides away: compiled, in one file.

It plays the rules of the game on positions that were laid anew (see `positions`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import COMPILED, LOG, LUCK, SILENT, inline_rule, specialize, specialize_part
from titan_env.games.tiny_turbo_cars.agents.state_from_observation import OWN, ROW
from titan_env.games.tiny_turbo_cars.rules.abilities import NO_LANE, landing_lane
from titan_env.games.tiny_turbo_cars.rules.actions import FINISH, FLY_STAY, SPEND, STOP
from titan_env.games.tiny_turbo_cars.rules.commands import carry_out
from titan_env.games.tiny_turbo_cars.rules.controller import ALL_PUSHES, LONGEST_PUSH, command, hole_of, may_push, push
from titan_env.games.tiny_turbo_cars.rules.damage import penalty
from titan_env.games.tiny_turbo_cars.rules.movement import drive_on
from titan_env.games.tiny_turbo_cars.rules.state import COMMANDS, PLACES, STATE, Ask, Race, Terrain
from titan_env.games.tiny_turbo_cars.rules.track import other_car, terrain_at
from titan_env.games.tiny_turbo_cars.rules.turn import SHIELD_DRIVE

NAMES = ("row", "battery", "lying", "shield", "harm", "boost", "carpet", "ahead", "slide")
"""The weights in the order in which they are handed in."""
_ROW, _BATTERY, _LYING, _SHIELD, _HARM, _BOOST, _CARPET, _AHEAD, _SLIDE = range(len(NAMES))
_CELLS_AHEAD = 4
_SEEN, _SEEN_NEAR = 1 << 14, 1 << 6
"""Room for the arrangements that one search meets, a power of two: of many slides, and of one."""
judge: Any = None
"""Bound by `search_with`: the value of the own car's program so many slides from now."""
_PRIME, _BASIS = np.uint64(0x100000001B3), np.uint64(0xCBF29CE484222325)
_ONE = np.uint64(1)

NEAR = np.dtype(
    [
        ("before", np.dtype((np.record, STATE))),  # as it is seen
        ("works", np.dtype((np.record, STATE)), (1,)),
        ("luck", np.dtype((np.record, LUCK))),
        ("log", np.dtype((np.record, LOG))),
        ("kept", np.int8, (1, PLACES + 1)),
        ("there", np.int8, (ALL_PUSHES, PLACES + 1)),
        ("values", np.float64, ALL_PUSHES),
        ("seen", np.uint64, _SEEN_NEAR),
        ("best", np.int8, PLACES),
        ("order", np.int64, 1),
    ],
    align=True,
)
"""The arrays of a search that looks one slide ahead."""


@inline_rule
def free_ahead(state: Any, row: int, lane: int) -> int:
    """Return the number of cells straight ahead that do not stop a car, up to a few."""
    for ahead in range(_CELLS_AHEAD):
        terrain = terrain_at(state, row + ahead + 1, lane)
        stops = terrain == Terrain.IMPASSABLE or terrain == Terrain.OBSTACLE
        if stops or other_car(state, OWN, row + ahead + 1, lane) >= 0:
            return ahead
    return _CELLS_AHEAD


@inline_rule
def worth(state: Any, before: Any, weights: Any) -> float:
    """Return the value of a position to the own car, relative to the one before."""
    own = state.drivers[OWN]
    terrain = terrain_at(state, own.row, own.lane)
    value = weights[_ROW] * (own.row - ROW) + weights[_BATTERY] * own.batteries
    value += weights[_SHIELD] * own.shields - weights[_LYING] * own.lying
    value += weights[_AHEAD] * free_ahead(state, own.row, own.lane)
    value += weights[_BOOST] * (terrain == Terrain.BOOST) + weights[_CARPET] * (terrain == Terrain.CARPET)
    for other in range(1, state.seats):
        whom, was = state.drivers[other], before.drivers[other]
        value += weights[_HARM] * (was.batteries - whom.batteries + was.shields - whom.shields)
    return value


@inline_rule
def simulate_alone(race: Race) -> None:
    """Carry out the program of the own car as if nobody else moved."""
    penalty(race, OWN)
    waiting = 0
    for number in range(COMMANDS):
        waiting = carry_out(race, OWN, command(race.state.drivers[OWN], number), waiting)


@inline_rule
def outcome(race: Race, before: Any, slides: int, weights: Any) -> float:
    """Return the value of the own car's program, driven as if nobody else moved; it does not depend on slides."""
    simulate_alone(race)
    return worth(race.state, before, weights)


@inline_rule
def is_new(controller: Any, seen: Any) -> bool:
    """Return whether an arrangement is new, and add it to those known by a number that hardly any other has."""
    name = _BASIS
    for i in range(PLACES):
        name = (name ^ np.uint64(controller[i])) * _PRIME
    mask = np.uint64(len(seen)) - _ONE
    where = name & mask
    while seen[where] != 0 and seen[where] != name:
        where = (where + _ONE) & mask
    known = seen[where] == name
    seen[where] = name
    return not known


@inline_rule
def spread(works: Any, before: Any, kept: Any, order: Any, taken: int, there: Any, met: int, seen: Any) -> int:
    """Write the arrangements one slide further that were not met before; how many they are.

    `kept` and `there` (n, 17) hold arrangements, each with the first of the slides that lead to it.
    """
    own = works[0].drivers[OWN]
    count = 0
    for i in order:
        copy(own.controller, kept[i])
        hole = hole_of(own)
        for number in range(ALL_PUSHES):
            if not may_push(before, hole, number):
                continue
            copy(own.controller, kept[i])
            push(own, number // LONGEST_PUSH, number % LONGEST_PUSH + 1)
            if 2 * (met + count) < len(seen) and is_new(own.controller, seen):
                copy(there[count], own.controller)
                there[count, PLACES] = number if taken == 1 else kept[i, PLACES]
                count += 1
    return count


@inline_rule
def copy(into: Any, controller: Any) -> None:
    """Copy the tiles of a controller."""
    for i in range(PLACES):
        into[i] = controller[i]


@inline_rule
def begin(race: Race, works: Any, before: Any, kept: Any, seen: Any, about: Any, scores: Any, best: Any) -> float:
    """Score finishing now, and return it; the arrangement is the first that is kept, the only one met, and the best."""
    seen[:] = 0
    works[0] = before
    own = works[0].drivers[OWN]
    is_new(own.controller, seen)
    copy(kept[0], own.controller)
    copy(best, own.controller)
    value = judge(race, before, 0, about)
    scores[FINISH] = value
    return value


@inline_rule
def search(
    race: Race,
    works: Any,
    before: Any,
    depth: int,
    beam: int,
    found: Any,
    values: Any,
    seen: Any,
    about: Any,
    cost: float,
    scores: Any,
    best: Any,
) -> int:
    """Score finishing now, and each slide by the best program that it leads to, the cost of the slides deducted.

    ``judge(race, before, slides, about)`` is bound to its parts by `search_with`.
    `found` (2, n, 17) holds the arrangements of the latest two levels, each with its first slide. The best one of all
    is written into `best` (16,); how many slides away it is.
    """
    most = begin(race, works, before, found[0], seen, about, scores, best)
    order = np.zeros(1, np.int64)
    met, away = 1, 0
    for taken in range(1, depth + 1):
        there = found[taken % 2]
        count = spread(works, before, found[(taken + 1) % 2], order[:beam], taken, there, met, seen)
        met += count
        most_here = judge_level(race, works, before, taken, there[:count], values, about, cost, scores, most, best)
        if most_here > most:
            most, away = most_here, taken
        order = np.argsort(values[:count])
    return away


@inline_rule
def judge_level(
    race: Race,
    works: Any,
    before: Any,
    taken: int,
    there: Any,
    values: Any,
    about: Any,
    cost: float,
    scores: Any,
    most: float,
    best: Any,
) -> float:
    """Judge the arrangements `there` (n, 17) some slides away; return the value of the best, or `most` if none is more.

    Their values go, negative, to `values`; the best to `best` (16,); the score of each first slide to `scores`.
    """
    own = works[0].drivers[OWN]
    for i in range(len(there)):
        works[0] = before
        copy(own.controller, there[i])
        value = judge(race, before, taken, about)
        values[i] = -value
        first = int(there[i, PLACES])
        scores[first] = max(scores[first], value - taken * cost)
        if value - taken * cost > most:
            most = value - taken * cost
            copy(best, there[i])
    return most


def search_with(judge: Any) -> Any:
    """Return `search` with ``judge(race, before, slides, about)`` bound to it, for `specialize`."""
    return specialize_part(search, judged_parts(judge))


def judged_parts(judge: Any) -> dict[str, Any]:
    """Return the parts of a search that judge arrangements, by name, with ``judge`` bound to them."""
    return {part.__name__: specialize_part(part, {"judge": judge}) for part in (begin, judge_level)}


@inline_rule
def look_near(race: Race, scratch: Any, weights: Any, scores: Any) -> None:
    """Score finishing now, and each slide by the program that it leads to, as `search` at a depth of 1."""
    before, works, seen, best = scratch.before, scratch.works, scratch.seen, scratch.best
    kept, there, cost = scratch.kept, scratch.there, weights[_SLIDE]
    most = begin(race, works, before, kept, seen, weights, scores, best)
    count = spread(works, before, kept, scratch.order, 1, there, 1, seen)
    judge_level(race, works, before, 1, there[:count], scratch.values, weights, cost, scores, most, best)


@inline_rule
def score_others(race: Race, works: Any, before: Any, asked: int, weights: Any, scores: Any) -> None:
    """Flight and shields: where the car would be is worth what it is."""
    works[0] = before
    own = works[0].drivers[OWN]
    if asked == Ask.FLY:
        scores[FLY_STAY] = worth(race.state, before, weights)
        for side in (-1, 1):
            lane = landing_lane(before, OWN, side)
            if lane != NO_LANE:
                own.lane = lane
                scores[FLY_STAY + side] = worth(race.state, before, weights)
    elif asked == Ask.SHIELD:
        own.shields = 0
        scores[STOP] = worth(race.state, before, weights)
        own.shields = before.drivers[OWN].shields - 1
        drive_on(race, OWN, SHIELD_DRIVE)
        own.shields = 0
        scores[SPEND] = worth(race.state, before, weights)


_LOOK_NEAR = specialize_part(look_near, judged_parts(outcome))


@inline_rule
def score_near(asked: int, scratch: Any, weights: Any, scores: Any) -> None:
    """Score what is asked in the position `scratch.before`, looking one slide ahead."""
    scratch.log.count = SILENT
    race = Race(scratch.works[0], scratch.luck, scratch.log)
    if asked == Ask.PROGRAM:
        scores[:FINISH] = -np.inf
        _LOOK_NEAR(race, scratch, weights, scores)
    else:
        score_others(race, scratch.works, scratch.before, asked, weights, scores)


def look(befores: Any, asks: Any, depths: Any, beam: int, scratch: Any, weights: Any, scores: Any) -> None:
    """Score the actions of each decision."""
    works, luck, log, found, values, seen, best = scratch
    race = Race(works[0], luck[0], log[0])
    cost = weights[_SLIDE]
    for i in range(len(befores)):
        if asks[i] == Ask.PROGRAM:
            scores[i, :FINISH] = -np.inf
            one, depth = befores[i], depths[i]
            search(race, works, one, depth, beam, found, values, seen, weights, cost, scores[i], best)
        else:
            score_others(race, works, befores[i], asks[i], weights, scores[i])


def scratch_for(beam: int) -> tuple[Any, ...]:
    """Return the arrays of a search: a position, its chance and log, two levels of the beam, the best arrangement."""
    works, luck, log = (np.zeros(1, kind) for kind in (STATE, LUCK, LOG))
    log["count"] = SILENT
    if not COMPILED:
        works, luck, log = (records.view(np.recarray) for records in (works, luck, log))
    found, values = np.zeros((2, beam * ALL_PUSHES, PLACES + 1), np.int8), np.zeros(beam * ALL_PUSHES)
    return works, luck, log, found, values, np.zeros(_SEEN, np.uint64), np.zeros(PLACES, np.int8)


def best_slides(
    befores: Any, asks: NDArray[np.int64], depths: NDArray[np.int64], beam: int, weights: Any, scores: Any
) -> None:
    """Write the scores of what is asked in each position into `scores` (B, 33)."""
    befores = befores if COMPILED else befores.view(np.recarray)
    parts: dict[str, Any] = {"carry_out": carry_out, "search": search_with(outcome)}
    specialize(look, parts)(befores, asks, depths, beam, scratch_for(beam), weights, scores)
