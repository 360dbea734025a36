"""The track around each own car and the cars there, laid anew from what a seat sees of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import COMPILED, inline_rule, rule
from titan_env.games.tiny_turbo_cars.rules.observation import (
    FIELDS,
    MOST_LEAD,
    MOST_SHIELDS,
    MOST_TO_GO,
    ROWS_BEHIND,
    TILES,
    WINDOW,
)
from titan_env.games.tiny_turbo_cars.rules.state import (
    ALL_CARS,
    BATTERIES,
    LANES,
    MOST_CARS,
    NO_CAR,
    PLACES,
    STATE,
    UNDEALT,
    USUAL_SLIDES,
    Ask,
    Terrain,
)
from titan_env.games.tiny_turbo_cars.rules.track import cell
from titan_env.play.score_rules import index_in, whole

Array = NDArray[np.float32]

OWN = 0  # the seat of the own car in the positions that are laid anew
ROW = 10  # and its row
AT = {name: span.start for name, span in FIELDS.slices.items()}
"""Where each field of an observation begins."""
_TERRAINS = ("carpet", "boost", "obstacle", "puddle", "impassable", "start")
_PLANES = np.array([AT[f"track_{name}"] for name in _TERRAINS])
_ASK, _SEATED, _LINE_PUSHES, _TO_LINE = AT["ask"], AT["seated"], AT["line_pushes"], AT["to_line"]
_BEYOND, _CAR, _LANE, _LEAD, _UP = AT["beyond"], AT["car"], AT["lane"], AT["lead"], AT["batteries"]
_SHIELDS, _LYING, _SLIPPING, _COUNTDOWN = AT["shields"], AT["lying"], AT["slipping"], AT["countdown"]
_CONTROLLER = AT["controller"]
_ASKS = len(Ask) - 1


def positions(fields: Mapping[str, Array]) -> Any:
    """Return the track around each own car with the cars there, as far as it is seen: state records (B,)."""
    seen = FIELDS.join(fields)
    found = np.zeros(len(seen), STATE)
    read_all(seen, found if COMPILED else found.view(np.recarray))
    return found


@rule
def read_all(seen: Any, states: Any) -> None:
    """Write the position that each observation (B, F) shows."""
    for i in range(len(seen)):
        read_position(seen[i], states[i])


@inline_rule
def asked(seen: Any) -> int:
    """Return the Ask of an observation, the first one where nothing is asked."""
    return 1 + max(0, index_in(seen, _ASK, _ASKS))


@inline_rule
def read_position(seen: Any, state: Any) -> None:
    """Write the track around the own car with the cars there; nothing else of the state is touched."""
    read_track(seen, state)
    state.seats = 0
    for who in range(MOST_CARS):
        if seen[_SEATED + who] > 0:
            state.seats = who + 1
        state.out[who] = seen[_SEATED + who] <= 0
        read_driver(seen, who, state.drivers[who])
    state.line_pushes = seen[_LINE_PUSHES] > 0
    to_line = whole(seen[_TO_LINE], MOST_TO_GO)
    state.line = ROW - 1 + to_line if to_line > 0 else ROW - whole(seen[_BEYOND], MOST_LEAD)
    own = state.drivers[OWN]
    own.token = state.seats if seen[_COUNTDOWN] > 0 else 0
    for slot in range(PLACES):
        tile = index_in(seen, _CONTROLLER + TILES * slot, TILES)
        own.controller[slot] = tile if tile >= 0 else UNDEALT


@inline_rule
def read_track(seen: Any, state: Any) -> None:
    """Write the terrain of the cells that are seen; nobody passes behind the first row."""
    for i in range(cell(1, 0)):
        state.terrain[i] = Terrain.IMPASSABLE.value
    first = cell(ROW - ROWS_BEHIND, 0)
    for i in range(WINDOW):
        terrain = 0
        for number in range(len(_PLANES)):
            if seen[_PLANES[number] + i] > 0:
                terrain = number + 1
        state.terrain[first + i] = terrain


@inline_rule
def read_driver(seen: Any, who: int, driver: Any) -> None:
    """Write a car where it stands, and its condition; the controllers of others are not seen."""
    car, lane = index_in(seen, _CAR + ALL_CARS * who, ALL_CARS), index_in(seen, _LANE + LANES * who, LANES)
    driver.car = car if car >= 0 else NO_CAR
    driver.row = ROW + whole(1 + seen[_LEAD + who], MOST_LEAD) - MOST_LEAD if lane >= 0 else 0
    driver.lane = max(0, lane)
    driver.batteries = whole(seen[_UP + who], BATTERIES)
    driver.shields = whole(seen[_SHIELDS + who], MOST_SHIELDS)
    driver.lying, driver.slipping = seen[_LYING + who] > 0, seen[_SLIPPING + who] > 0
    driver.token = 0
    for slot in range(PLACES):
        driver.controller[slot] = UNDEALT


def slides_left(fields: Mapping[str, Array]) -> NDArray[np.int64]:
    """Return the number of slides that each seat has left while it programs, (B,)."""
    return np.rint(fields["slides_left"] * USUAL_SLIDES).astype(np.int64)
