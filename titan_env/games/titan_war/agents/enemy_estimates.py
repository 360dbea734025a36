"""Enemy legions as an agent takes them: what they may hold, where they can come with each roll; compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import MOST_SEATS, inline_rule
from titan_env.games.titan_battle.rules.characters import SKILL, VALUE
from titan_env.games.titan_battle.rules.state import KINDS, Character
from titan_env.games.titan_war.agents.legion_moves import MOVE_SCRATCH, ROLLS, find_ends
from titan_env.games.titan_war.agents.position_value import TITAN, enemy_on
from titan_env.games.titan_war.rules.state import LANDS, LEGIONS

SCRATCH = np.dtype(
    [
        ("ways", np.dtype((np.record, MOVE_SCRATCH))),
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
"""The arrays that the expert works in."""


@inline_rule
def note_foes(view: Any, scratch: Any) -> None:
    """List enemy legions that are not in an engagement, and count each seat's angels and archangels."""
    scratch.foes = 0
    scratch.foe_at[:] = -1
    scratch.angels[:] = 0
    scratch.archangels[:] = 0
    for land in range(LANDS):
        seat = enemy_on(view, land)
        if view.owner[land, 0]:
            scratch.angels[0] += view.least[land, Character.ANGEL]
            scratch.archangels[0] += view.least[land, Character.ARCHANGEL]
        elif seat > 0:
            foe = scratch.foes
            scratch.foes += 1
            scratch.foe_at[land] = foe
            scratch.foe_land[foe] = land
            scratch.foe_seat[foe] = seat
            estimate(view, land, scratch.foe_holds[foe])
            scratch.angels[seat] += scratch.foe_holds[foe, Character.ANGEL]
            scratch.archangels[seat] += scratch.foe_holds[foe, Character.ARCHANGEL]


@inline_rule
def estimate(view: Any, land: int, holds: Any) -> None:
    """Write the mean of what a legion on a land may hold: the least, and the rest spread over what it may have."""
    few, many = 0, 0
    for kind in range(KINDS):
        few += view.least[land, kind]
        many += view.most[land, kind] - view.least[land, kind]
    share = (view.height[land] - few) / many if many > 0 else 0.0
    for kind in range(KINDS):
        holds[kind] = view.least[land, kind] + share * (view.most[land, kind] - view.least[land, kind])


@inline_rule
def note_reach(view: Any, scratch: Any) -> None:
    """Note with which rolls every enemy legion can come to each land, and on which sides; nobody is in its way."""
    for foe in range(scratch.foes):
        scratch.reach[foe, :] = 0
        scratch.from_side[foe, :] = 0
        for other in range(LANDS):
            scratch.ways.own[other] = view.owner[other, scratch.foe_seat[foe]]
            scratch.ways.enemy[other] = 0
        for roll in range(1, ROLLS + 1):
            find_ends(scratch.ways, scratch.foe_land[foe], roll)
            for there in range(LANDS):
                if scratch.ways.ends[there]:
                    scratch.reach[foe, there] |= 1 << roll
                    scratch.from_side[foe, there] |= scratch.ways.sides[there]


@inline_rule
def value_of(holds: Any, power: float) -> float:
    """Return the value of a legion in points."""
    value = float(holds[TITAN] * SKILL[TITAN] * power)
    for kind in range(TITAN + 1, KINDS):
        value += holds[kind] * VALUE[kind]
    return value
