"""Enemy legions as an agent takes them: what they may hold, where they can come with each roll; compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import MOST_SEATS, inline_rule
from titan_env.games.titan_battle.rules.characters import SKILL, VALUE
from titan_env.games.titan_battle.rules.state import KINDS, Character
from titan_env.games.titan_war.agents.legion_moves import ROLLS, find_ends
from titan_env.games.titan_war.agents.legion_moves import ROOM as WAYS
from titan_env.games.titan_war.agents.position_value import TITAN, enemy_on
from titan_env.games.titan_war.rules.state import LANDS, LEGIONS

ROOM = np.dtype(
    [
        ("ways", np.dtype((np.record, WAYS))),
        ("goals", np.int64, LANDS),  # where the legion that is looked at may go: 1 or, by teleport, 2
        ("sides", np.int64, LANDS),  # on which sides it may come there, a set of Entry
        ("mine", np.float64, KINDS),  # the legion that is looked at
        ("whole", np.float64, KINDS),  # and before it is split
        ("foes", np.int64),  # how many enemy legions there are
        ("foe_land", np.int64, LEGIONS),
        ("foe_seat", np.int64, LEGIONS),
        ("foe_holds", np.float64, (LEGIONS, KINDS)),  # the mean of what they may hold
        ("foe_at", np.int64, LANDS),  # the number of the enemy legion on each land, or -1
        ("reach", np.int64, (LEGIONS, LANDS)),  # with which rolls they can come to each land, a set
        ("from_side", np.int64, (LEGIONS, LANDS)),  # and on which sides, a set of Entry
        ("worst", np.float64, (MOST_SEATS, ROLLS + 1)),  # harm that a seat may do with each roll
        ("angels", np.float64, MOST_SEATS),  # of each seat, in all its legions
        ("archangels", np.float64, MOST_SEATS),
    ],
    align=True,
)
"""The room that the expert works in."""


@inline_rule
def note_foes(table: Any, room: Any) -> None:
    """Note every enemy legion that the own ones have not met yet, and the angels of every seat."""
    room.foes = 0
    room.foe_at[:] = -1
    room.angels[:] = 0
    room.archangels[:] = 0
    for land in range(LANDS):
        seat = enemy_on(table, land)
        if table.owner[land, 0]:
            room.angels[0] += table.least[land, Character.ANGEL]
            room.archangels[0] += table.least[land, Character.ARCHANGEL]
        elif seat > 0:
            foe = room.foes
            room.foes += 1
            room.foe_at[land] = foe
            room.foe_land[foe] = land
            room.foe_seat[foe] = seat
            estimate(table, land, room.foe_holds[foe])
            room.angels[seat] += room.foe_holds[foe, Character.ANGEL]
            room.archangels[seat] += room.foe_holds[foe, Character.ARCHANGEL]


@inline_rule
def estimate(table: Any, land: int, holds: Any) -> None:
    """Write the mean of what a legion on a land may hold: the least, and the rest spread over what it may have."""
    few, many = 0, 0
    for kind in range(KINDS):
        few += table.least[land, kind]
        many += table.most[land, kind] - table.least[land, kind]
    share = (table.height[land] - few) / many if many > 0 else 0.0
    for kind in range(KINDS):
        holds[kind] = table.least[land, kind] + share * (table.most[land, kind] - table.least[land, kind])


@inline_rule
def note_reach(table: Any, room: Any) -> None:
    """Note with which rolls every enemy legion can come to each land, and on which sides; nobody is in its way."""
    for foe in range(room.foes):
        room.reach[foe, :] = 0
        room.from_side[foe, :] = 0
        for other in range(LANDS):
            room.ways.own[other] = table.owner[other, room.foe_seat[foe]]
            room.ways.enemy[other] = 0
        for roll in range(1, ROLLS + 1):
            find_ends(room.ways, room.foe_land[foe], roll)
            for there in range(LANDS):
                if room.ways.ends[there]:
                    room.reach[foe, there] |= 1 << roll
                    room.from_side[foe, there] |= room.ways.sides[there]


@inline_rule
def value_of(holds: Any, power: float) -> float:
    """Return the value of a legion in points."""
    value = float(holds[TITAN] * SKILL[TITAN] * power)
    for kind in range(TITAN + 1, KINDS):
        value += holds[kind] * VALUE[kind]
    return value
