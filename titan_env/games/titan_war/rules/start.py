"""The first legions: each player divides eight characters into two legions on its tower, in secret."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import draw, rule
from titan_env.games.titan_battle.rules.characters import SUPPLY
from titan_env.games.titan_battle.rules.musters import LEAN_KINDS, TOWER_KINDS
from titan_env.games.titan_battle.rules.state import KINDS, Character
from titan_env.games.titan_war.rules.lands import TOWER_LANDS
from titan_env.games.titan_war.rules.legions import free_marker, gain, has_legion_at, raise_legion
from titan_env.games.titan_war.rules.record import conclude
from titan_env.games.titan_war.rules.state import TOWERS, Ask

STARTERS = np.array([sorted(TOWER_KINDS), sorted(LEAN_KINDS)], np.int64)
"""The creatures with which a player starts, by full and lean game, (2, 3)."""
OF_EACH = 2
WITH_THE_TITAN = 3


@rule
def draw_towers(state: Any, luck: Any) -> None:
    """Each seat is assigned one of the six towers at random, all different; two players may have opposite ones."""
    taken = 0
    for seat in range(state.seats):
        if state.opposite and seat == 1:
            tower = (int(state.towers[0]) - 1 + TOWERS // 2) % TOWERS
        else:
            left = draw(luck, TOWERS - seat)
            tower = 0
            while left > 0 or taken >> tower & 1:
                left -= 1 - (taken >> tower & 1)
                tower += 1
        taken |= 1 << tower
        state.towers[seat] = tower + 1
    state.opposite = 0


@rule
def first_seat(state: Any) -> int:
    """The seat with the highest tower number plays first."""
    first = 0
    for seat in range(state.seats):
        if state.towers[seat] > state.towers[first]:
            first = seat
    return first


@rule
def tower_of(state: Any, seat: int) -> int:
    """The land of a seat's tower."""
    return TOWER_LANDS[state.towers[seat] - 1]


@rule
def start_kinds(state: Any) -> int:
    """Who may go with the titan next, as a set of kinds: in ascending order, and three must still be reached."""
    chosen, lowest = 0, 0
    for index in range(len(STARTERS[0])):
        count = state.split[STARTERS[state.lean, index]]
        chosen += count
        if count > 0:
            lowest = index
    kinds, from_here = 0, 0
    for back in range(len(STARTERS[0])):
        index = len(STARTERS[0]) - 1 - back
        kind = STARTERS[state.lean, index]
        left = OF_EACH - state.split[kind]
        from_here += left
        if left > 0 and index >= lowest and chosen + from_here >= WITH_THE_TITAN:
            kinds |= 1 << kind
    return kinds


@rule
def offer_start(state: Any) -> None:
    """The next seat divides its legion."""
    state.ask = Ask.START
    state.seat = state.mover


@rule
def choose_start(state: Any, kind: int, luck: Any) -> None:
    """One more goes with the titan; with three both legions stand on the tower, and the next seat divides its own.

    Which of the two is the older one is drawn by lot.
    """
    state.split[kind] += 1
    chosen = 0
    for starter in STARTERS[state.lean]:
        chosen += state.split[starter]
    if chosen < WITH_THE_TITAN:
        offer_start(state)
        return
    angel_first = draw(luck, 2)
    for half in range(2):
        raise_half(state, half == angel_first)
    state.split[:] = 0
    conclude(state, state.mover)
    state.mover = (state.mover + 1) % state.seats


@rule
def raise_half(state: Any, with_titan: bool) -> None:
    """Raise the titan with who was chosen, or the angel with the others; everybody knows who there is in all."""
    seat = state.mover
    marker = free_marker(state, seat)
    raise_legion(state, marker, tower_of(state, seat))
    legion = state.legions[marker]
    gain(legion, Character.TITAN.value if with_titan else Character.ANGEL.value)
    for kind in STARTERS[state.lean]:
        for _ in range(state.split[kind] if with_titan else OF_EACH - state.split[kind]):
            gain(legion, kind)
        legion.at_most[kind] = OF_EACH
    legion.at_least[:] = 0
    legion.at_most[Character.TITAN] = legion.at_most[Character.ANGEL] = 1


@rule
def is_divided(state: Any) -> bool:
    """Whether the seat whose turn it would be to divide its legion has done so: all have."""
    return has_legion_at(state, state.mover, tower_of(state, state.mover))


@rule
def stock(state: Any) -> None:
    """The supply is the box, less what the players start with; a lean game goes without three kinds."""
    for kind in range(KINDS):
        state.supply[kind] = SUPPLY[kind]
    if state.lean:
        for kind in STARTERS[0]:
            state.supply[kind] = 0
    for kind in STARTERS[state.lean]:
        state.supply[kind] -= OF_EACH * state.seats
    state.supply[Character.TITAN] -= state.seats
    state.supply[Character.ANGEL] -= state.seats
