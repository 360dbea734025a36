"""Commencement: legions of four or more may split, in the order of their lands, each as often as it can."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.titan_battle.rules.state import KINDS
from titan_env.games.titan_war.rules.legions import free_marker, oldest_at, raise_legion
from titan_env.games.titan_war.rules.record import conclude, record_split
from titan_env.games.titan_war.rules.state import LANDS, NOBODY, Ask, Event, Phase

SPLITTING = 4  # fewest characters of a legion that may split
SMALLEST = 2  # fewest that split off, and that stay


@rule
def may_split(state: Any, marker: int) -> bool:
    """Each legion of four or more may split off a new one, up to a free marker."""
    return state.legions[marker].height >= SPLITTING and free_marker(state, state.mover) != NOBODY


@rule
def offer_split(state: Any) -> None:
    """Ask the next legion that may split; after the last one the die is thrown.

    It is always the legion that stood there before that splits, never one that has just split off.
    """
    for land in range(state.land, LANDS):
        marker = oldest_at(state, state.mover, land)
        if marker != NOBODY and may_split(state, marker):
            state.land = land
            state.picked = marker
            state.ask = Ask.SPLIT
            state.seat = state.mover
            return
    state.land = 0
    state.picked = NOBODY
    state.phase = Phase.THROW


@rule
def split_size(state: Any) -> int:
    """How many have been picked for the new legion."""
    size = 0
    for kind in range(KINDS):
        size += state.split[kind]
    return size


@rule
def split_kinds(state: Any) -> int:
    """Who may be picked next, as a set of kinds: in ascending order, at least two stay, a second pick must follow."""
    legion = state.legions[state.picked]
    size = split_size(state)
    if legion.height - size <= SMALLEST:
        return 0
    kinds, from_here = 0, 0
    for back in range(KINDS):
        kind = KINDS - 1 - back
        left = legion.holds[kind] - state.split[kind]
        from_here += left
        if left > 0 and (size > 0 or from_here >= SMALLEST):
            kinds |= 1 << kind
        if state.split[kind] > 0:
            return kinds
    return kinds


@rule
def pass_split(state: Any) -> None:
    """This legion splits no more."""
    state.land += 1
    state.picked = NOBODY


@rule
def pick_for_split(state: Any, kind: int) -> None:
    """One more goes into the new legion."""
    state.split[kind] += 1
    state.ask = Ask.SPLIT
    state.seat = state.mover


@rule
def split(state: Any, log: Any) -> None:
    """The new legion stands on the same land; others learn how many split off."""
    marker = free_marker(state, state.mover)
    raise_legion(state, marker, state.land)
    old, new = state.legions[state.picked], state.legions[marker]
    new.height = split_size(state)
    old.height -= new.height
    for kind in range(KINDS):
        new.holds[kind] = state.split[kind]
        old.holds[kind] -= state.split[kind]
    record_split(old, new)
    state.split[:] = 0
    state.picked = NOBODY
    log_event(log, Event.SPLIT, state.mover, state.land, new.height)
    conclude(state, state.mover)
