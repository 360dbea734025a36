"""Enlistment: each legion that has moved may muster one character, showing what qualifies it."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.titan_battle.rules.musters import ANYONE, SHOWN, may_muster, shows_enough
from titan_env.games.titan_battle.rules.state import KINDS, LEGION
from titan_env.games.titan_battle.rules.state import Land as Terrain
from titan_env.games.titan_war.rules.lands import TERRAIN
from titan_env.games.titan_war.rules.legions import gain, held_in, oldest_at
from titan_env.games.titan_war.rules.record import conclude, show
from titan_env.games.titan_war.rules.state import LANDS, NOBODY, Ask, Event


@rule
def muster_kinds(state: Any, marker: int) -> int:
    """What a legion may muster where it stands, as a set of kinds: what it qualifies for and the supply has."""
    legion = state.legions[marker]
    if legion.height >= LEGION:
        return 0
    held, kinds = held_in(legion), 0
    for kind in range(KINDS):
        if state.supply[kind] > 0 and may_muster(held, TERRAIN[legion.land], kind, state.lean):
            kinds |= 1 << kind
    return kinds


@rule
def offer_muster(state: Any) -> bool:
    """Ask the next legion that has moved and can muster something, in the order of their lands; whether there is one.

    No muster helps another, so that a fixed order loses nothing.
    """
    for land in range(state.land, LANDS):
        marker = oldest_at(state, state.mover, land)
        if marker != NOBODY and state.legions[marker].moved and muster_kinds(state, marker) != 0:
            state.land = land
            state.picked = marker
            state.ask = Ask.MUSTER
            state.seat = state.mover
            return True
    return False


@rule
def end_muster(state: Any) -> None:
    """This legion has mustered, or does not."""
    state.land += 1
    state.picked = NOBODY
    state.wanted = 0


@rule
def muster(state: Any, kind: int, log: Any) -> None:
    """Muster a character; where several things qualify for it, the player chooses what to show."""
    if TERRAIN[state.land] == Terrain.TOWER and ANYONE[state.lean, kind]:
        recruit(state, state.picked, kind, log)
        end_muster(state)
    else:
        state.wanted = kind
        state.ask = Ask.SHOW


@rule
def shown_kinds(state: Any) -> int:
    """What may be shown for the wanted character, as a set of kinds."""
    legion = state.legions[state.picked]
    held, kinds = held_in(legion), 0
    for kind in range(KINDS):
        if shows_enough(held, TERRAIN[legion.land], state.wanted, kind, state.lean):
            kinds |= 1 << kind
    return kinds


@rule
def show_and_muster(state: Any, kind: int, log: Any) -> None:
    """Show what qualifies, and take the character from the supply."""
    needed = SHOWN[state.lean, TERRAIN[state.land], state.wanted, kind]
    show(state, state.picked, kind, needed, log)
    recruit(state, state.picked, state.wanted, log)
    end_muster(state)


@rule
def recruit(state: Any, marker: int, kind: int, log: Any) -> None:
    """A legion gets a character from the supply."""
    log_event(log, Event.MUSTERED, state.legions[marker].owner, kind, state.legions[marker].land)
    enlist(state, marker, kind)


@rule
def enlist(state: Any, marker: int, kind: int) -> None:
    """One less in the supply, one more in the legion."""
    state.supply[kind] -= 1
    gain(state.legions[marker], kind)
    conclude(state, state.legions[marker].owner)
