"""What is legal: the mask of the seat that is asked."""

from __future__ import annotations

from typing import Any

from titan_env.contract import rule
from titan_env.games.titan_battle.rules.legal import legal_in_battle
from titan_env.games.titan_battle.rules.state import KINDS
from titan_env.games.titan_war.rules import actions
from titan_env.games.titan_war.rules.lands import NOWHERE
from titan_env.games.titan_war.rules.legions import is_own
from titan_env.games.titan_war.rules.movement import can_move, ways_of
from titan_env.games.titan_war.rules.offers import (
    FIRST_WORD,
    WORDS,
    first_of_kinds,
    first_of_lands,
    is_of_battle,
    land_on_way,
    may_end,
    may_name_land,
    may_pass,
    names_lands,
    offered_kinds,
    offered_words,
)
from titan_env.games.titan_war.rules.state import LANDS, LEGIONS, Ask


@rule
def legal(state: Any, mask: Any) -> None:
    """Write the mask (365,) int8 of the seat that is asked: 1 for each legal action."""
    mask[:] = 0
    if state.ask == Ask.NOTHING:
        return
    if is_of_battle(state):
        legal_in_battle(state.battle, mask)
        mask[actions.CONCEDE] = state.ask == Ask.MANEUVER and state.battle.may_concede == 1
        return
    kinds, first = offered_kinds(state), first_of_kinds(state)
    for kind in range(KINDS):
        mask[first + kind] = kinds >> kind & 1
    words = offered_words(state)
    for number in range(WORDS):
        mask[FIRST_WORD + number] = words >> number & 1
    mask[actions.PASS] = may_pass(state)
    mask[actions.END] = may_end(state)
    _mark_lands(state, mask)


@rule
def _mark_lands(state: Any, mask: Any) -> None:
    """The lands that may be named, or walked to."""
    if state.ask == Ask.MOVE:
        for marker in range(LEGIONS):
            if is_own(state, marker, state.mover) and can_move(state, marker):
                mask[actions.PICK_LAND + int(state.legions[marker].land)] = 1
    elif names_lands(state):
        first = first_of_lands(state)
        for land in range(LANDS):
            mask[first + land] = may_name_land(state, land)
    elif state.ask == Ask.GO_LAND:
        for way in range(ways_of(state, state.picked)):
            land = land_on_way(state, way)
            if land != NOWHERE:
                mask[actions.TO_LAND + land] = 1
