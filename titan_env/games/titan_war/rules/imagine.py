"""What a seat cannot know, drawn anew from the public record alone: how others' characters are spread.

Per player and kind each legion gets what it has at least; the rest is dealt one by one to legions that still need
some, up to what they have at most. Where none can take the kind that is dealt, a legion takes it and gives one that it
got before, and that one is dealt instead.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from titan_env.contract import draw, rule
from titan_env.games.titan_battle.rules.characters import IS_LORD
from titan_env.games.titan_battle.rules.musters import SHOWN
from titan_env.games.titan_battle.rules.state import KINDS, Character
from titan_env.games.titan_battle.rules.state import Land as Terrain
from titan_env.games.titan_war.rules.battles import see_what_waits
from titan_env.games.titan_war.rules.lands import NOWHERE, TERRAIN
from titan_env.games.titan_war.rules.legions import is_own, oldest_at
from titan_env.games.titan_war.rules.movement import TITAN_TELEPORT, can_walk, ways_of
from titan_env.games.titan_war.rules.offers import land_on_way
from titan_env.games.titan_war.rules.splits import split_size
from titan_env.games.titan_war.rules.state import LEGIONS, NOBODY, Ask, Phase, Stage

MOST_BUMPS = 60  # of one dealt character, before its deal has failed


class Need(NamedTuple):
    """So many characters of a kind that a legion must hold at least; none where `least` is 0."""

    marker: int
    kind: int
    least: int


class JointNeed(NamedTuple):
    """The needs of one legion, or of two where two must answer a question together."""

    first: Need
    second: Need


NO_NEED = Need(NOBODY, 0, 0)
NO_NEEDS = JointNeed(NO_NEED, NO_NEED)


@rule
def imagine(state: Any, seat: int, luck: Any) -> None:
    """Draw anew how the others' characters are spread over their legions, so that the open question can be answered."""
    for other in range(state.seats):
        if other != seat and not state.out[other]:
            imagine_seat(state, other, luck)
    if state.stage == Stage.BATTLE:
        see_what_waits(state)


@rule
def imagine_seat(state: Any, seat: int, luck: Any) -> None:
    """Deal a player's characters; where it is asked for something hidden, so that it has what the question needs."""
    if seat == state.seat and needs_hidden(state):
        pairs = LEGIONS * KINDS
        first = draw(luck, pairs)
        for i in range(pairs):
            pair = (first + i) % pairs
            need = need_of(state, pair // KINDS, pair % KINDS)
            if need.least > 0 and deal_with(state, seat, need, luck):
                return
    deal(state, seat, NO_NEEDS, luck)


@rule
def deal_with(state: Any, seat: int, need: Need, luck: Any) -> bool:
    """Deal with the need of one legion, and with that of another one where two must answer; whether it went out."""
    if state.ask != Ask.STACK:
        return deal(state, seat, JointNeed(need, NO_NEED), luck)
    for marker in range(LEGIONS):
        for kind in range(KINDS):
            other = need_of(state, marker, kind)
            if other.least > 0 and marker != need.marker and deal(state, seat, JointNeed(need, other), luck):
                return True
    return False


# What the open question needs


@rule
def needs_hidden(state: Any) -> bool:
    """Whether the open question has an answer, or a choice, only by what a legion holds.

    On foot none of those that may move could go, or the one that goes had no choice: so one can teleport.
    """
    if state.ask == Ask.SUMMON_KIND or state.ask == Ask.SHOW:
        return True
    if state.ask == Ask.SPLIT:
        return split_size(state) == 1
    if state.ask == Ask.GO_LAND:
        return state.teleporting == 1 or not has_choice_on_foot(state)
    if state.ask == Ask.STACK:
        return not can_walk(state, oldest_at(state, state.seat, state.land))
    return state.ask == Ask.MOVE and not any_can_walk(state)


@rule
def has_choice_on_foot(state: Any) -> bool:
    """Whether the picked legion can walk to more than one land."""
    found = NOWHERE
    for way in range(ways_of(state, state.picked)):
        land = land_on_way(state, way)
        if land != NOWHERE and found != NOWHERE and land != found:
            return True
        found = max(found, land)
    return False


@rule
def any_can_walk(state: Any) -> bool:
    """Whether any legion of the player who moves can still make a normal move."""
    for marker in range(LEGIONS):
        if is_own(state, marker, state.seat) and not state.legions[marker].moved and can_walk(state, marker):
            return True
    return False


@rule
def need_of(state: Any, marker: int, kind: int) -> Need:
    """How many of a kind the question needs of a legion; `NO_NEED`: it may not do."""
    if not is_asked_about(state, marker):
        return NO_NEED
    count = demanded(state, marker, kind)
    return Need(marker, kind, count) if 0 < count <= state.legions[marker].at_most[kind] else NO_NEED


@rule
def is_asked_about(state: Any, marker: int) -> bool:
    """Whether a legion could be the one that has what the question needs."""
    if state.ask == Ask.SUMMON_KIND:
        return marker == state.donor
    if state.ask == Ask.MOVE or state.ask == Ask.STACK:
        legion = state.legions[marker]
        if not is_own(state, marker, state.seat) or legion.moved:
            return False
        return state.ask == Ask.MOVE or legion.land == state.land
    return marker == state.picked


@rule
def demanded(state: Any, marker: int, kind: int) -> int:
    """How many of a kind in a legion would do for the open question; 0: that kind does not help."""
    if state.ask == Ask.SUMMON_KIND:
        return int(kind == Character.ANGEL or kind == Character.ARCHANGEL)
    if state.ask == Ask.SPLIT:
        for lower in range(kind + 1):
            if state.split[lower] > 0:
                return int(state.split[kind]) + 1
        return 0
    land = state.legions[marker].land
    if state.phase == Phase.ENLISTMENT:
        return int(SHOWN[state.lean, TERRAIN[land], state.wanted, kind])
    if TERRAIN[land] == Terrain.TOWER:
        return int(IS_LORD[kind])
    return int(kind == Character.TITAN and state.scores[state.seat] >= TITAN_TELEPORT)


@rule
def floor(state: Any, marker: int, kind: int, needs: JointNeed) -> int:
    """How many of a kind a legion has at least, with those picked from it and those that the question needs of it."""
    least = int(state.legions[marker].at_least[kind])
    if state.ask == Ask.SPLIT and marker == state.picked:
        least = max(least, int(state.split[kind]))
    for need in needs:
        if need.marker == marker and need.kind == kind:
            least = max(least, need.least)
    return least


# Dealing


@rule
def deal(state: Any, seat: int, needs: JointNeed, luck: Any) -> bool:
    """Deal all of a player's characters; whether that went out even. `needs`: those of one or two legions."""
    even = True
    for kind in range(KINDS):
        if not deal_kind(state, seat, kind, needs, luck):
            even = False
    for marker in range(LEGIONS):
        if is_own(state, marker, seat) and free_places(state, marker, KINDS - 1, needs) != 0:
            even = False
    return even


@rule
def deal_kind(state: Any, seat: int, kind: int, needs: JointNeed, luck: Any) -> bool:
    """Deal all of a kind; whether each of them was taken. All kinds before it have been dealt."""
    left, first = 0, NOBODY
    for marker in range(LEGIONS):
        if is_own(state, marker, seat):
            least = floor(state, marker, kind, needs)
            left += int(state.legions[marker].holds[kind]) - least
            state.legions[marker].holds[kind] = least
            first = marker if first == NOBODY else first
    while left > 0:
        if not deal_one(state, seat, kind, needs, luck):
            break
        left -= 1
    if left != 0:
        state.legions[first].holds[kind] += left  # a deal that does not go out loses nobody
    return left == 0


@rule
def free_places(state: Any, marker: int, dealt: int, needs: JointNeed) -> int:
    """How many more a legion needs, beside what it is sure to get of the kinds after the one that is being dealt."""
    legion = state.legions[marker]
    places = int(legion.height)
    for kind in range(KINDS):
        if kind <= dealt:
            places -= int(legion.holds[kind])
        else:
            places -= floor(state, marker, kind, needs)
    return places


@rule
def deal_one(state: Any, seat: int, dealt: int, needs: JointNeed, luck: Any) -> bool:
    """Deal one character, perhaps against another one that was dealt before; whether it was taken."""
    kind = dealt
    for _ in range(MOST_BUMPS):
        if lay(state, seat, kind, dealt, needs, luck):
            return True
        swaps = count_swaps(state, seat, kind, dealt, needs)
        if swaps == 0:
            break
        kind = swap(state, seat, kind, dealt, needs, draw(luck, swaps))
    if kind != dealt:
        give_back(state, seat, kind, dealt)
    return False


@rule
def lay(state: Any, seat: int, kind: int, dealt: int, needs: JointNeed, luck: Any) -> bool:
    """Lay a character under a marker that has room for it, each free place as likely; whether there was one."""
    places = 0
    for marker in range(LEGIONS):
        places += places_for(state, seat, marker, kind, dealt, needs)
    if places <= 0:
        return False
    free = draw(luck, places)
    for marker in range(LEGIONS):
        free -= places_for(state, seat, marker, kind, dealt, needs)
        if free < 0:
            state.legions[marker].holds[kind] += 1
            return True
    return False


@rule
def places_for(state: Any, seat: int, marker: int, kind: int, dealt: int, needs: JointNeed) -> int:
    """How many free places a legion has, if it may take one more of a kind."""
    if not is_own(state, marker, seat) or state.legions[marker].holds[kind] >= state.legions[marker].at_most[kind]:
        return 0
    return max(0, free_places(state, marker, dealt, needs))


@rule
def may_swap(state: Any, seat: int, marker: int, kind: int, given: int, dealt: int, needs: JointNeed) -> bool:
    """Whether a legion may take one of a kind and give one of another that has been dealt."""
    if given == kind or given > dealt or not is_own(state, marker, seat):
        return False
    legion = state.legions[marker]
    if legion.holds[kind] >= legion.at_most[kind]:
        return False
    return legion.holds[given] > floor(state, marker, given, needs)


@rule
def count_swaps(state: Any, seat: int, kind: int, dealt: int, needs: JointNeed) -> int:
    """In how many ways a kind can be taken for another."""
    swaps = 0
    for marker in range(LEGIONS):
        for given in range(dealt + 1):
            swaps += may_swap(state, seat, marker, kind, given, dealt, needs)
    return swaps


@rule
def swap(state: Any, seat: int, kind: int, dealt: int, needs: JointNeed, which: int) -> int:
    """A legion takes one of a kind and gives one of another, which is dealt next."""
    for marker in range(LEGIONS):
        for given in range(dealt + 1):
            if may_swap(state, seat, marker, kind, given, dealt, needs):
                if which == 0:
                    state.legions[marker].holds[kind] += 1
                    state.legions[marker].holds[given] -= 1
                    return given
                which -= 1
    return kind


@rule
def give_back(state: Any, seat: int, kind: int, dealt: int) -> None:
    """A deal has failed with another kind in hand: that one is put down, and one of the kind that is dealt taken up."""
    for marker in range(LEGIONS):
        if is_own(state, marker, seat) and state.legions[marker].holds[dealt] > 0:
            state.legions[marker].holds[kind] += 1
            state.legions[marker].holds[dealt] -= 1
            return
