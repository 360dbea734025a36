"""The war before each seat as plain numbers, laid anew from what the seat sees; the own seat is 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import COMPILED, MOST_SEATS, inline_rule, rule
from titan_env.games.titan_battle.rules.observation import FIELDS as BATTLE_FIELDS
from titan_env.games.titan_battle.rules.state import KINDS, LEGION, ROUNDS
from titan_env.games.titan_battle.rules.state import Ask as BattleAsk
from titan_env.games.titan_war.rules.actions import STACK_PLACES
from titan_env.games.titan_war.rules.lands import TERRAIN
from titan_env.games.titan_war.rules.observation import (
    FIELDS,
    HEIGHT,
    MOST_SUPPLY,
    POWER_SCALE,
    SCORE_SCALE,
    SCORE_STEP,
    SIDES,
    STATUS,
    TURN_SCALE,
)
from titan_env.games.titan_war.rules.state import FACES, LANDS, MARKERS, Ask
from titan_env.play.score_rules import index_in, whole

Array = NDArray[np.float32]

SEAT_VIEW = np.dtype(
    [
        ("ask", np.int64),  # Ask
        ("owner", np.int8, (LANDS, MOST_SEATS)),  # 1: a legion of this player, the own first
        ("height", np.int64, LANDS),
        ("least", np.int8, (LANDS, KINDS)),
        ("most", np.int8, (LANDS, KINDS)),
        ("can_move", np.int64, LANDS),
        ("about", np.int64),  # the land that is asked about, or NOWHERE
        ("stack", np.int64, (STACK_PLACES, KINDS)),
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
_TELEPORTED, _SUMMONED = 1, 2
"""And of those of the turn."""
_OF_BATTLE = [part.name for part in BATTLE_FIELDS.parts]
_AT = {name: span.start for name, span in FIELDS.slices.items()}
_OWNER, _HEIGHT, _LEAST, _MOST = (_AT[f"land_{name}"] for name in ("owner", "height", "at_least", "at_most"))
_STATUS, _STACK, _TALK, _SPLIT, _SUPPLY = (_AT[name] for name in ("land_status", "stack", "talk", "split", "supply"))
_POWER, _MARKERS, _ROLL, _TURN, _LIVING = (_AT[name] for name in ("power", "markers", "roll", "turn", "living"))
_SCORE, _MOVER, _GOAL, _TURNS_LEFT, _ROUND = (_AT[name] for name in ("score", "mover", "goal", "turns_left", "round"))
_MARKS, _SIDES, _ASKS, _BATTLE_ASKS, _FACES = len(STATUS), len(SIDES), len(Ask) - 1, len(BattleAsk) - 1, FACES + 1


def fields_of_battle(fields: Mapping[str, Array], rows: NDArray[np.bool_]) -> dict[str, Array]:
    """Return the fields of an observation of Titan: battle for the seats that a mask (B,) names."""
    seen = {name: fields[name][rows] for name in _OF_BATTLE}
    seen["ask"] = seen["ask"][:, :_BATTLE_ASKS]
    return seen


def seat_views(fields: Mapping[str, Array]) -> Any:
    """Return the war before each seat, records (B,)."""
    seen = FIELDS.join(fields)
    views = np.zeros(len(seen), SEAT_VIEW)
    read_all(seen, views if COMPILED else views.view(np.recarray))
    return views


@rule
def read_all(seen: Any, views: Any) -> None:
    """Write the war that each observation (B, F) shows."""
    for i in range(len(seen)):
        read_view(seen[i], views[i])


@inline_rule
def asked(seen: Any) -> int:
    """Return the Ask of an observation."""
    return 1 + index_in(seen, 0, _ASKS)


@inline_rule
def is_in_battle(seen: Any) -> bool:
    """Return whether a seat is asked within a battle."""
    return index_in(seen, 0, _BATTLE_ASKS) >= 0 and index_in(seen, _ROUND, ROUNDS) >= 0


@inline_rule
def read_view(seen: Any, view: Any) -> None:
    """Write the war that an observation shows, all but `fights`."""
    view.ask = asked(seen)
    read_lands(seen, view)
    for kind in range(KINDS):
        for index in range(STACK_PLACES):
            view.stack[index, kind] = whole(seen[_STACK + KINDS * index + kind], LEGION)
        for side in range(_SIDES):
            view.talk[side, kind] = whole(seen[_TALK + KINDS * side + kind], LEGION)
        view.split[kind] = whole(seen[_SPLIT + kind], LEGION)
        view.supply[kind] = whole(seen[_SUPPLY + kind], MOST_SUPPLY)
    for seat in range(MOST_SEATS):
        view.power[seat] = whole(seen[_POWER + seat], POWER_SCALE)
        view.living[seat] = seen[_LIVING + seat] > 0
        view.score[seat] = SCORE_STEP * whole(seen[_SCORE + seat], SCORE_SCALE)
    view.markers = whole(seen[_MARKERS], MARKERS)
    view.roll = max(0, index_in(seen, _ROLL, _FACES))
    view.terrain = terrain_of_talk(seen, view)
    view.attacks = seen[_TURN] > 0
    view.teleported, view.summoned = seen[_TURN + _TELEPORTED] > 0, seen[_TURN + _SUMMONED] > 0
    view.mover = max(0, index_in(seen, _MOVER, MOST_SEATS))
    view.goal = SCORE_STEP * whole(seen[_GOAL], SCORE_SCALE)
    view.turns_left = whole(seen[_TURNS_LEFT], TURN_SCALE)


@inline_rule
def read_lands(seen: Any, view: Any) -> None:
    """Write the legions on each land, which of the own ones can move, and the land that is asked about."""
    view.about = -1
    for land in range(LANDS):
        for seat in range(MOST_SEATS):
            view.owner[land, seat] = seen[_OWNER + MOST_SEATS * land + seat] > 0
        view.height[land] = whole(seen[_HEIGHT + land], HEIGHT)
        for kind in range(KINDS):
            view.least[land, kind] = whole(seen[_LEAST + KINDS * land + kind], HEIGHT)
            view.most[land, kind] = whole(seen[_MOST + KINDS * land + kind], HEIGHT)
        view.can_move[land] = seen[_STATUS + _MARKS * land + _CAN_MOVE] > 0
        if view.about < 0 and seen[_STATUS + _MARKS * land + _ABOUT] > 0:
            view.about = land


@inline_rule
def terrain_of_talk(seen: Any, view: Any) -> int:
    """Return the terrain of the engagement at hand: the engaged land on which both legions of the talk stand."""
    for land in range(LANDS):
        if seen[_STATUS + _MARKS * land + _ENGAGED] > 0:
            alike = True
            for kind in range(KINDS):
                alike = alike and view.least[land, kind] == view.talk[0, kind] + view.talk[1, kind]
            if alike:
                return int(TERRAIN[land])
    return int(TERRAIN[0])
