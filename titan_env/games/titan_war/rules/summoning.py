"""Summoning: one angel or archangel per player and turn, taken from another own legion, in a battle or after it."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.titan_battle.rules.state import LEGION, Character
from titan_env.games.titan_war.rules.legions import free_legion, gain, has_enemy_at, is_own, lose, oldest_at
from titan_env.games.titan_war.rules.record import conclude, show
from titan_env.games.titan_war.rules.recruiting import muster_kinds
from titan_env.games.titan_war.rules.state import LEGIONS, NOBODY, Ask, Event


@rule
def may_give(state: Any, marker: int, kind: int) -> bool:
    """Whether an own legion that is in no unresolved engagement holds an angel, or an archangel, to be summoned."""
    legion = state.legions[marker]
    seat = state.legions[state.attacker].owner
    if marker == state.attacker or not is_own(state, marker, seat) or legion.holds[kind] == 0 or state.summoned:
        return False
    return not has_enemy_at(state, seat, legion.land)


@rule
def may_donate(state: Any, marker: int) -> bool:
    """Whether a legion can give either."""
    return may_give(state, marker, Character.ANGEL.value) or may_give(state, marker, Character.ARCHANGEL.value)


@rule
def has_donor_of(state: Any, kind: int) -> bool:
    """Whether any legion can give a kind of angel."""
    for marker in range(LEGIONS):
        if may_give(state, marker, kind):
            return True
    return False


@rule
def may_donate_at(state: Any, land: int) -> bool:
    """Whether the attacker's legion on a land can give an angel."""
    marker = oldest_at(state, state.legions[state.attacker].owner, land)
    return marker != NOBODY and may_donate(state, marker)


@rule
def pick_donor(state: Any, land: int) -> None:
    """The legion there gives; if it has both, it is asked which."""
    state.donor = oldest_at(state, state.legions[state.attacker].owner, land)
    state.ask = Ask.SUMMON_KIND


@rule
def donor_kinds(state: Any) -> int:
    """What the donor can give, as a set of kinds."""
    kinds = 0
    for kind in (Character.ANGEL.value, Character.ARCHANGEL.value):
        if may_give(state, state.donor, kind):
            kinds |= 1 << kind
    return kinds


@rule
def show_angel(state: Any, kind: int, log: Any) -> None:
    """The donor shows the angel when it is picked, even if it then stays outside."""
    show(state, state.donor, kind, 1, log)


@rule
def give(state: Any, kind: int, log: Any) -> None:
    """The angel stays with its new legion. A donor left empty is eliminated."""
    donor, taker = state.legions[state.donor], state.legions[state.attacker]
    log_event(log, Event.GIVEN, taker.owner, kind, donor.land)
    lose(donor, kind)
    gain(taker, kind)
    state.summoned = 1
    if donor.height == 0:
        free_legion(state, state.donor)
    state.donor = NOBODY
    conclude(state, taker.owner)


# After an engagement


@rule
def may_summon_now(state: Any) -> bool:
    """A winning attacker, not after a flight, may summon now, if it has not in this turn and has fewer than seven."""
    if not state.may_summon or state.legions[state.attacker].height >= LEGION:
        return False
    return has_donor_of(state, Character.ANGEL.value) or has_donor_of(state, Character.ARCHANGEL.value)


@rule
def offer_help(state: Any) -> bool:
    """A winning attacker may summon, a winning defender be reinforced if it was not in battle; whether any is asked."""
    if state.winner == NOBODY:
        return False
    state.seat = state.legions[state.winner].owner
    if may_summon_now(state):
        state.ask = Ask.SUMMON
        return True
    if state.may_reinforce and muster_kinds(state, state.winner) != 0:
        state.ask = Ask.REINFORCE
        return True
    return False
