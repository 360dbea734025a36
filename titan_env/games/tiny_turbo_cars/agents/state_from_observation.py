"""The track around each own car and the cars there, laid anew from what a seat sees of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.games.tiny_turbo_cars.rules.observation import MOST_LEAD, MOST_SHIELDS, MOST_TO_GO, ROWS_BEHIND, WINDOW
from titan_env.games.tiny_turbo_cars.rules.state import (
    BATTERIES,
    MOST_CARS,
    NO_CAR,
    PLACES,
    STATE,
    UNDEALT,
    USUAL_SLIDES,
    Terrain,
)
from titan_env.games.tiny_turbo_cars.rules.track import cell

Array = NDArray[np.float32]

OWN = 0  # the seat of the own car in the positions that are laid anew
ROW = 10  # and its row
_TERRAINS = ("carpet", "boost", "obstacle", "puddle", "impassable", "start")


def positions(fields: Mapping[str, Array]) -> Any:
    """Return the track around each own car with the cars there, as far as it is seen: state records (B,)."""
    found = np.zeros(len(fields["ask"]), STATE)
    _lay_track(found, fields)
    seated = fields["seated"] > 0
    found["seats"] = (seated * np.arange(1, MOST_CARS + 1)).max(axis=1)
    found["out"][:, :MOST_CARS] = ~seated
    found["line_pushes"] = fields["line_pushes"]
    to_line, beyond = _whole(fields["to_line"][:, 0], MOST_TO_GO), _whole(fields["beyond"][:, 0], MOST_LEAD)
    found["line"] = np.where(to_line > 0, ROW - 1 + to_line, ROW - beyond)
    _place_cars(found, fields)
    return found


def _lay_track(found: Any, fields: Mapping[str, Array]) -> None:
    """Write the terrain of the cells that are seen; nobody passes behind the first row."""
    planes = np.stack([fields[f"track_{name}"] for name in _TERRAINS], axis=-1).reshape(len(found), WINDOW, -1)
    first = cell(ROW - ROWS_BEHIND, 0)
    found["terrain"][:, : cell(1, 0)] = Terrain.IMPASSABLE
    found["terrain"][:, first : first + WINDOW] = (planes.argmax(axis=-1) + 1) * planes.any(axis=-1)


def _place_cars(found: Any, fields: Mapping[str, Array]) -> None:
    """Write the cars where they stand, their condition, and the own controller."""
    drivers = found["drivers"]
    drivers["car"] = np.where(fields["car"].any(axis=-1), fields["car"].argmax(axis=-1), NO_CAR)
    placed = fields["lane"].any(axis=-1)
    drivers["row"] = np.where(placed, ROW + _whole(fields["lead"], MOST_LEAD), 0)
    drivers["lane"] = fields["lane"].argmax(axis=-1)
    drivers["batteries"] = _whole(fields["batteries"], BATTERIES)
    drivers["shields"] = _whole(fields["shields"], MOST_SHIELDS)
    drivers["lying"], drivers["slipping"] = fields["lying"], fields["slipping"]
    is_last = fields["countdown"] > 0
    drivers["token"][:, OWN] = np.where(is_last, found["seats"], 0)
    drivers["controller"] = UNDEALT
    tiles = fields["controller"].reshape(len(found), PLACES, -1)
    drivers["controller"][:, OWN] = np.where(np.any(tiles, axis=-1), tiles.argmax(axis=-1), UNDEALT)


def slides_left(fields: Mapping[str, Array]) -> NDArray[np.int64]:
    """Return the number of slides that each seat has left while it programs, (B,)."""
    return _whole(fields["slides_left"], USUAL_SLIDES)


def _whole(shares: Array, scale: int) -> NDArray[np.int64]:
    """Return the numbers that shares of a scale stand for."""
    return np.rint(shares * scale).astype(np.int64)
