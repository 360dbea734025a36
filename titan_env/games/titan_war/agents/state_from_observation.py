"""The war before each seat as plain numbers, laid anew from what the seat sees; the own seat is 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import MOST_SEATS
from titan_env.games.titan_battle.rules.observation import FIELDS as BATTLE_FIELDS
from titan_env.games.titan_battle.rules.state import KINDS
from titan_env.games.titan_battle.rules.state import Ask as BattleAsk
from titan_env.games.titan_war.rules.lands import TERRAIN
from titan_env.games.titan_war.rules.observation import FIELDS, SCORE_STEP
from titan_env.games.titan_war.rules.state import LANDS

Array = NDArray[np.float32]

SEAT_VIEW = np.dtype(
    [
        ("ask", np.int64),  # Ask
        ("owner", np.int64, (LANDS, MOST_SEATS)),  # 1: a legion of this player, the own first
        ("height", np.int64, LANDS),
        ("least", np.int64, (LANDS, KINDS)),
        ("most", np.int64, (LANDS, KINDS)),
        ("can_move", np.int64, LANDS),
        ("about", np.int64),  # the land that is asked about, or NOWHERE
        ("stack", np.int64, (3, KINDS)),
        ("talk", np.int64, (2, KINDS)),
        ("split", np.int64, KINDS),
        ("supply", np.int64, KINDS),
        ("power", np.int64, MOST_SEATS),
        ("markers", np.int64),
        ("roll", np.int64),
        ("terrain", np.int64),  # of the engagement at hand
        ("attacks", np.int64),  # 1: the seat is the attacker in it
        ("living", np.int64, MOST_SEATS),
        ("score", np.int64, MOST_SEATS),  # points, twenties rounded down
        ("mover", np.int64),
        ("teleported", np.int64),  # 1: the mover has, in this turn
        ("summoned", np.int64),  # 1: the same
        ("fights", np.int64),  # 1: asked within a battle
        ("goal", np.int64),  # points that end the war; 0: none
        ("turns_left", np.int64),  # of all players, this one too; 0: no last one
    ],
    align=True,
)
"""The war as a seat sees it."""

_CAN_MOVE, _ENGAGED, _ABOUT = 1, 2, 3
"""The meaning of a land's marks, by their place in the field."""
_SCALES = {part.name: part.scale for part in FIELDS.parts}
_OF_BATTLE = [part.name for part in BATTLE_FIELDS.parts]
_OF_BOARD = ["ask", *(name for name in _SCALES if name not in _OF_BATTLE)]


def fields_of_battle(fields: Mapping[str, Array], rows: NDArray[np.bool_]) -> dict[str, Array]:
    """Return the fields of an observation of Titan: battle for the seats that a mask (B,) names."""
    seen = {name: fields[name][rows] for name in _OF_BATTLE}
    seen["ask"] = seen["ask"][:, : len(BattleAsk) - 1]
    return seen


def fields_of_board(fields: Mapping[str, Array], rows: NDArray[np.bool_]) -> dict[str, Array]:
    """Return the fields that `seat_views` reads, those of the masterboard, for the seats that a mask (B,) names."""
    return {name: fields[name][rows] for name in _OF_BOARD}


def seat_views(fields: Mapping[str, Array]) -> Any:
    """Return the war before each seat, records (B,)."""
    views = np.zeros(len(fields["ask"]), SEAT_VIEW)

    def whole(name: str) -> NDArray[np.float32]:
        return np.rint(fields[name] * _SCALES[name])

    views["ask"] = np.where(fields["ask"].any(axis=1), 1 + fields["ask"].argmax(axis=1), 0)
    views["owner"], views["height"] = fields["land_owner"] > 0, whole("land_height")
    views["least"], views["most"] = whole("land_at_least"), whole("land_at_most")
    views["can_move"] = fields["land_status"][:, :, _CAN_MOVE] > 0
    about = fields["land_status"][:, :, _ABOUT]
    views["about"] = np.where(about.any(axis=1), about.argmax(axis=1), -1)
    for name in ("stack", "talk", "split", "supply", "power", "living"):
        views[name] = whole(name)
    views["markers"] = whole("markers")[:, 0]
    views["roll"] = fields["roll"].argmax(axis=1)
    views["terrain"] = _terrain_of_talk(fields, views)
    views["attacks"] = fields["turn"][:, 0] > 0
    views["score"] = SCORE_STEP * whole("score")
    views["mover"] = fields["mover"].argmax(axis=1)
    views["goal"], views["turns_left"] = SCORE_STEP * whole("goal"), whole("turns_left")
    views["teleported"], views["summoned"] = fields["turn"][:, 1] > 0, fields["turn"][:, 2] > 0
    return views


def _terrain_of_talk(fields: Mapping[str, Array], views: Any) -> NDArray[np.int64]:
    """Return the terrain of the engagement at hand: the engaged land on which both legions of the talk stand."""
    both = views["talk"].sum(axis=1)[:, None, :]
    here = (views["least"] == both).all(axis=2) & (fields["land_status"][:, :, _ENGAGED] > 0)
    return TERRAIN[here.argmax(axis=1)]
