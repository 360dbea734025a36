"""The search for the slides that lead to the best afterstate: compiled, in one file.

It plays the rules of the game on positions that were laid anew, as the greedy agent and the expert do.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.afterstate import Array
from titan_env.contract import COMPILED, inline_rule, specialize
from titan_env.games.tiny_turbo_cars.agents.beam_search import (
    free_ahead,
    score_others,
    scratch_for,
    search,
    search_with,
    simulate_alone,
)
from titan_env.games.tiny_turbo_cars.agents.state_from_observation import OWN, ROW
from titan_env.games.tiny_turbo_cars.rules.actions import FINISH
from titan_env.games.tiny_turbo_cars.rules.commands import carry_out
from titan_env.games.tiny_turbo_cars.rules.state import BATTERIES, LANES, MOST_CARS, Ask, Race, Terrain
from titan_env.games.tiny_turbo_cars.rules.track import terrain_at
from titan_env.games.tiny_turbo_cars.rules.turn import SHIELD_DRIVE


class Feature(IntEnum):
    """The features of a program: the own car's cell at its end, other effects, the time until then."""

    ROWS_GAINED = 0
    PAST_LINE = 1
    ROWS_PAST_LINE = 2
    TO_LINE = 3
    TO_LINE_SOON = 4  # the last rows to the line alone
    BATTERIES = 5
    LYING = 6
    SHIELDS = 7
    BOOST = 8
    CARPET = 9
    FREE_AHEAD = 10
    SHIELDS_OF_USE = 11  # that the cells ahead leave room for
    HARM = 12  # what the others would have lost
    MARGIN = 13  # rows before the foremost of the others
    CARS_BEFORE = 14
    CARS_NEAR = 15
    ALL_BATTERIES = 16
    ONE_BATTERY = 17
    STOPS_AHEAD = 18
    INNER_LANE = 19
    SLIDES = 20
    AT_ONCE = 21
    SOON = 22
    SLIDES_SQUARED = 23


AFTERSTATE = tuple(part.name.lower() for part in Feature)
"""The names of the numbers, in order."""
_TEN, _LONG, _PROGRAM = 10.0, 20.0, 14.0  # rows or slides that stand for 1
_RIVALS, _NEAR, _FREE = MOST_CARS - 1, 5, 4.0
_LOOK, _STOPS = 6, 9.0  # rows that are looked over, and the stops there that stand for 1
_FEW = 3  # slides


class DecisionNetwork(NamedTuple):
    """The judge of one decision: what the situation does to its hidden units, and the weights of an afterstate."""

    situation_units: Any
    afterstate: Any
    hidden: Any
    direct: Any


@inline_rule
def write_car_features(state: Any, features: Any) -> None:
    """Write the features of the own car: its place and condition."""
    own = state.drivers[OWN]
    terrain = terrain_at(state, own.row, own.lane)
    left = int(state.line) + 1 - int(own.row)
    free = free_ahead(state, own.row, own.lane)
    features[Feature.ROWS_GAINED] = (int(own.row) - ROW) / _TEN
    features[Feature.PAST_LINE] = left <= 0
    features[Feature.ROWS_PAST_LINE] = max(0, -left) / _TEN
    features[Feature.TO_LINE] = max(0, left) / _LONG
    features[Feature.TO_LINE_SOON] = min(max(0, left), _PROGRAM) / _PROGRAM
    features[Feature.BATTERIES] = own.batteries / BATTERIES
    features[Feature.ALL_BATTERIES] = own.batteries == BATTERIES
    features[Feature.ONE_BATTERY] = own.batteries == 1
    features[Feature.LYING] = own.lying
    features[Feature.SHIELDS] = own.shields / _RIVALS
    features[Feature.SHIELDS_OF_USE] = min(int(own.shields), (free + 1) // SHIELD_DRIVE) / _RIVALS
    features[Feature.BOOST] = terrain == Terrain.BOOST
    features[Feature.CARPET] = terrain == Terrain.CARPET
    features[Feature.FREE_AHEAD] = free / _FREE
    features[Feature.STOPS_AHEAD] = stops_ahead(state, own.row, own.lane) / _STOPS
    features[Feature.INNER_LANE] = 0 < own.lane < LANES - 1


@inline_rule
def stops_ahead(state: Any, row: int, lane: int) -> float:
    """Return the number of obstacles a few rows on, in the lane and those beside it; carpet counts half."""
    stops = 0.0
    for ahead in range(1, _LOOK + 1):
        for side in range(-1, 2):
            terrain = terrain_at(state, row + ahead, lane + side)
            stops += terrain == Terrain.OBSTACLE or terrain == Terrain.IMPASSABLE
            stops += 0.5 * (terrain == Terrain.CARPET)
    return stops


@inline_rule
def write_rival_features(state: Any, before: Any, features: Any) -> None:
    """Write the features of the own car among the others, which have not moved, and their losses."""
    row = int(state.drivers[OWN].row)
    harm = in_front = near = 0
    margin = row
    for other in range(1, state.seats):
        whom, was = state.drivers[other], before.drivers[other]
        harm += int(was.batteries) - whom.batteries + was.shields - whom.shields
        margin = min(margin, row - whom.row)
        in_front += whom.row > row
        near += whom.row > row - _NEAR
    features[Feature.HARM] = harm / _RIVALS
    features[Feature.MARGIN] = margin / _TEN
    features[Feature.CARS_BEFORE] = in_front / _RIVALS
    features[Feature.CARS_NEAR] = near / _RIVALS


@inline_rule
def write_time_features(slides: int, features: Any) -> None:
    """Write the features of time: the number of slides until the program is there."""
    features[Feature.SLIDES] = slides / _TEN
    features[Feature.AT_ONCE] = slides == 0
    features[Feature.SOON] = min(slides, _FEW) / _FEW
    features[Feature.SLIDES_SQUARED] = (slides / _TEN) ** 2


@inline_rule
def value(features: Any, network: DecisionNetwork, units: Any) -> Any:
    """Return the log odds of winning with an afterstate; `units` (H,) holds the hidden units."""
    units[:] = network.situation_units
    for number in range(len(features)):
        if features[number] != 0:
            for unit in range(len(units)):
                units[unit] += features[number] * network.afterstate[number, unit]
    total: Any = np.float32(0)
    for unit in range(len(units)):
        total += max(units[unit], np.float32(0)) * network.hidden[unit]
    for number in range(len(features)):
        total += features[number] * network.direct[number]
    return total


@inline_rule
def judged(race: Race, before: Any, slides: int, about: Any) -> Any:
    """Drive the program of the own car as if nobody else moved; what the position then is worth.

    `about` is the network, with arrays for its features (L,) and its hidden units (H,).
    """
    network, features, units = about
    simulate_alone(race)
    write_car_features(race.state, features)
    write_rival_features(race.state, before, features)
    write_time_features(slides, features)
    return value(features, network, units)


def look(
    befores: Any, asks: Any, depths: Any, beam: int, scratch: Any, weights: Any, network: Any, scores: Any, chosen: Any
) -> None:
    """Score the actions of each decision, programs by the network, all else by the `weights` of the greedy agent."""
    works, luck, log, found, values, seen, best = scratch
    race = Race(works[0], luck[0], log[0])
    situation_units, afterstate, hidden, direct = network
    units = np.zeros(len(hidden), np.float32)
    for i in range(len(befores)):
        if asks[i] == Ask.PROGRAM:
            scores[i, :FINISH] = -np.inf
            about = (DecisionNetwork(situation_units[i], afterstate, hidden, direct[i]), chosen[i], units)
            one, depth = befores[i], depths[i]
            away = search(race, works, one, depth, beam, found, values, seen, about, 0.0, scores[i], best)
            works[0] = one
            works[0].drivers[OWN].controller[:] = best
            judged(race, one, away, about)  # so that the features left behind are those of the choice
        else:
            score_others(race, works, befores[i], asks[i], weights, scores[i])


def best_slides(
    befores: Any,
    asks: NDArray[np.int64],
    depths: NDArray[np.int64],
    beam: int,
    weights: Any,
    network: DecisionNetwork,
    scores: Array,
    chosen: Array,
) -> None:
    """Write the scores of what is asked in each position into `scores` (B, 33), the best afterstates into `chosen`.

    Of the network, `situation_units` (B, H) and `direct` (B, L) have a line for each position.
    """
    befores = befores if COMPILED else befores.view(np.recarray)
    parts: dict[str, Any] = {"carry_out": carry_out, "search": search_with(judged)}
    specialize(look, parts)(befores, asks, depths, beam, scratch_for(beam), weights, network, scores, chosen)
