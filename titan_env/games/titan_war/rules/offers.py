"""What may be answered to a question of the war: kinds, lands and words. A question with one answer is not asked."""

from __future__ import annotations

from typing import Any

from titan_env.contract import rule
from titan_env.games.titan_battle.rules.state import KINDS
from titan_env.games.titan_war.rules import actions
from titan_env.games.titan_war.rules.aftermath import angel_kind
from titan_env.games.titan_war.rules.lands import NOWHERE
from titan_env.games.titan_war.rules.legions import is_engaged
from titan_env.games.titan_war.rules.movement import (
    ENTRIES,
    can_teleport,
    lords_of,
    may_stop,
    may_teleport_to,
    sides_of,
    stack_places,
    walk,
    ways_of,
)
from titan_env.games.titan_war.rules.record import is_public
from titan_env.games.titan_war.rules.recruiting import muster_kinds, shown_kinds
from titan_env.games.titan_war.rules.splits import SMALLEST, split_kinds, split_size
from titan_env.games.titan_war.rules.start import start_kinds
from titan_env.games.titan_war.rules.state import LANDS, Ask, Phase, Stage
from titan_env.games.titan_war.rules.summoning import donor_kinds, may_donate_at
from titan_env.games.titan_war.rules.talk import may_agree, may_concede, may_flee, may_offer

FIRST_WORD = actions.STACK
WORDS = len(actions.ACTIONS) - FIRST_WORD
"""The actions behind those of lands; they are offered as one set, bit 0 for the first of them."""


@rule
def word(action: int) -> int:
    """The set of one word."""
    return 1 << action - FIRST_WORD


@rule
def is_of_battle(state: Any) -> bool:
    """Whether the question is the battle's own."""
    return state.stage == Stage.BATTLE and state.ask != Ask.SUMMON and state.ask != Ask.SUMMON_KIND


# Kinds


@rule
def offered_kinds(state: Any) -> int:
    """The characters that may be picked or mustered, as a set of kinds."""
    if state.ask == Ask.START:
        return start_kinds(state)
    if state.ask == Ask.SPLIT:
        return split_kinds(state)
    if state.ask == Ask.SHOW:
        return show_kinds(state)
    if state.ask == Ask.SUMMON_KIND:
        return donor_kinds(state)
    if state.ask == Ask.MUSTER:
        return muster_kinds(state, state.picked)
    if state.ask == Ask.REINFORCE:
        return muster_kinds(state, state.winner)
    return 1 << angel_kind(state) if state.ask == Ask.ANGEL else 0


@rule
def show_kinds(state: Any) -> int:
    """What may be shown; of a public legion it does not matter, so that nothing is asked."""
    kinds = lords_of(state, state.picked) if state.phase == Phase.MOVEMENT else shown_kinds(state)
    return kinds & -kinds if is_public(state.legions[state.picked]) else kinds


@rule
def first_of_kinds(state: Any) -> int:
    """The action of the first kind: kinds are picked, but those from the supply mustered."""
    if state.ask == Ask.MUSTER or state.ask == Ask.REINFORCE or state.ask == Ask.ANGEL:
        return actions.MUSTER
    return actions.PICK_KIND


# Lands


@rule
def may_name_land(state: Any, land: int) -> bool:
    """Whether a land may be answered: where to fight, where to teleport, who gives an angel."""
    if state.ask == Ask.ENGAGE:
        return is_engaged(state, state.mover, land)
    if state.ask == Ask.SUMMON:
        return may_donate_at(state, land)
    return state.ask == Ask.GO_LAND and state.teleporting == 1 and may_teleport_to(state, state.picked, land)


@rule
def names_lands(state: Any) -> bool:
    """Whether a land is asked for that is not reached on foot."""
    return state.ask == Ask.ENGAGE or state.ask == Ask.SUMMON or (state.ask == Ask.GO_LAND and state.teleporting == 1)


@rule
def first_of_lands(state: Any) -> int:
    """The action of the first land: lands are picked, but those where a legion goes are gone to."""
    return actions.TO_LAND if state.ask == Ask.GO_LAND else actions.PICK_LAND


@rule
def land_on_way(state: Any, way: int) -> int:
    """Where the picked legion comes to by a way on foot; NOWHERE if it may not."""
    end = walk(state, state.picked, way)
    return end if end == NOWHERE else end // ENTRIES


# Words


@rule
def may_pass(state: Any) -> bool:
    """Whether the question can be declined."""
    if state.ask == Ask.SPLIT:
        return split_size(state) == 0
    return state.ask == Ask.MUSTER or state.ask == Ask.REINFORCE or state.ask == Ask.ANGEL or state.ask == Ask.SUMMON


@rule
def may_end(state: Any) -> bool:
    """Whether enough has been done: two or more split off; legions have moved as they must."""
    if state.ask == Ask.SPLIT:
        return split_size(state) >= SMALLEST
    return state.ask == Ask.MOVE and may_stop(state)


@rule
def offered_words(state: Any) -> int:
    """The words that may be answered, as a set."""
    if state.ask == Ask.STACK:
        return stack_places(state) * word(actions.STACK)
    if state.ask == Ask.SIDE:
        return sides_of(state) * word(actions.SIDE)
    if state.ask == Ask.GO_LAND:
        return word(actions.TELEPORT) if not state.teleporting and can_teleport(state, state.picked) else 0
    if state.ask == Ask.MULLIGAN:
        return word(actions.KEEP) | word(actions.REROLL)
    if state.ask == Ask.DEFEND or state.ask == Ask.ATTACK or state.ask == Ask.ANSWER:
        return talk_words(state)
    return 0


@rule
def talk_words(state: Any) -> int:
    """The defender flees, concedes, offers or fights; the attacker answers; an offer of his is answered."""
    words = word(actions.FIGHT)
    words |= word(actions.FLEE) * may_flee(state)
    words |= word(actions.CONCEDE) * may_concede(state)
    words |= word(actions.OFFER) * may_offer(state)
    return words | word(actions.AGREE) * may_agree(state)


# A question with one possible answer is not asked


@rule
def only_answer(state: Any) -> int:
    """The only answer that there is to the question; NO_ACTION where there are several, or where it is always asked."""
    if state.over or state.ask == Ask.NOTHING or state.ask == Ask.MOVE or is_of_battle(state):
        return actions.NO_ACTION
    kinds, words = offered_kinds(state), offered_words(state)
    found = only_bit(kinds, first_of_kinds(state), KINDS, actions.NO_ACTION)
    found = only_bit(words, FIRST_WORD, WORDS, found)
    if may_pass(state):
        found = another(found, actions.PASS)
    if may_end(state):
        found = another(found, actions.END)
    if names_lands(state):
        for land in range(LANDS):
            if may_name_land(state, land):
                found = another(found, first_of_lands(state) + land)
    elif state.ask == Ask.GO_LAND:
        for way in range(ways_of(state, state.picked)):
            land = land_on_way(state, way)
            if land != NOWHERE:
                found = another(found, actions.TO_LAND + land)
    return max(found, actions.NO_ACTION)


SEVERAL = -2  # answers


@rule
def another(found: int, action: int) -> int:
    """What has been found with one more action: it alone, or SEVERAL."""
    return action if found == actions.NO_ACTION or found == action else SEVERAL


@rule
def only_bit(bits: int, first: int, size: int, found: int) -> int:
    """What has been found with the actions of a set."""
    for number in range(size):
        if bits >> number & 1:
            found = another(found, first + number)
    return found
