"""Movement: one die, then legions move one after the other, by the signs or by teleport; who still shares joins."""

from __future__ import annotations

from typing import Any

from titan_env.contract import draw, log_event, rule
from titan_env.games.titan_battle.rules.state import KINDS, Character, Entry
from titan_env.games.titan_battle.rules.state import Land as Terrain
from titan_env.games.titan_war.rules.lands import ENTRY_SIDE, NOWHERE, TELEPORTS, TERRAIN, WAY_COUNT, WAYS
from titan_env.games.titan_war.rules.legions import (
    free_legion,
    go_to,
    has_enemy_at,
    has_legion_at,
    has_lord,
    is_alone,
    is_own,
    legion_at,
    oldest_at,
)
from titan_env.games.titan_war.rules.record import conclude, show
from titan_env.games.titan_war.rules.state import FACES, LANDS, LEGIONS, NOBODY, Ask, Event, Mulligan, Phase

TELEPORT_ROLL = 6
TITAN_TELEPORT = 400  # points
ENTRIES = len(Entry)
ALL_SIDES = (1 << ENTRIES) - 1
AGAIN = (2, 5)  # rolls that a championship lets throw again


# The die


@rule
def throw(state: Any, luck: Any, log: Any) -> None:
    """One die. In a player's first turn it may be thrown again."""
    state.roll = draw(luck, FACES) + 1
    log_event(log, Event.ROLLED, state.mover, state.roll, 0)
    if not state.had_turn[state.mover] and may_reroll(state):
        offer_mulligan(state)
    else:
        state.phase = Phase.MOVEMENT


@rule
def may_reroll(state: Any) -> bool:
    """Any first die may be thrown again once; in a championship a 2 or a 5, without end."""
    return state.mulligan == Mulligan.ONCE or state.roll in AGAIN


@rule
def offer_mulligan(state: Any) -> None:
    """Ask whether the die holds."""
    state.ask = Ask.MULLIGAN
    state.seat = state.mover


@rule
def reroll(state: Any, luck: Any, log: Any) -> None:
    """Throw the die once more; the second roll holds."""
    if state.mulligan != Mulligan.ONCE:
        throw(state, luck, log)
        return
    state.roll = draw(luck, FACES) + 1
    log_event(log, Event.ROLLED, state.mover, state.roll, 0)
    state.phase = Phase.MOVEMENT


# Normal moves


@rule
def walk(state: Any, marker: int, way: int) -> int:
    """Where a legion comes to by one of the ways that the signs allow: ENTRIES x land + Entry; NOWHERE if it may not.

    Entering a land with an enemy ends the move there; one where an own legion already faces an enemy may be neither
    entered nor crossed. The move ends on a land without another own legion.
    """
    legion = state.legions[marker]
    seat, land, roll = int(legion.owner), int(legion.land), int(state.roll)
    for step in range(roll):
        before = land
        land = int(WAYS[legion.land, roll, way, step])
        meets = has_enemy_at(state, seat, land)
        if meets and has_legion_at(state, seat, land):
            return NOWHERE
        if meets or step == roll - 1:
            if not meets and has_legion_at(state, seat, land) and not (land == legion.land and is_alone(state, marker)):
                return NOWHERE
            return ENTRIES * land + int(ENTRY_SIDE[land, before])
    return NOWHERE


@rule
def ways_of(state: Any, marker: int) -> int:
    """How many ways the signs allow a legion."""
    return int(WAY_COUNT[state.legions[marker].land, state.roll])


@rule
def can_walk(state: Any, marker: int) -> bool:
    """Whether a legion can make a normal move."""
    for way in range(ways_of(state, marker)):
        if walk(state, marker, way) != NOWHERE:
            return True
    return False


# Teleports


@rule
def may_tower_teleport(state: Any, marker: int, land: int) -> bool:
    """With a 6 a legion that starts on a tower and holds a lord may go to any vacant tower, or any vacant land near.

    At most six steps away, signs, legions and engagements ignored.
    """
    legion = state.legions[marker]
    if state.seats_at[land] != 0 or not TELEPORTS[legion.land, land] or not has_lord(legion):
        return False
    return state.first_teleport == 1 or state.had_turn[legion.owner] == 1 or TERRAIN[land] != Terrain.TOWER


@rule
def may_titan_teleport(state: Any, marker: int, land: int) -> bool:
    """With a 6 and 400 points the legion with the titan may go to any land with an enemy and without an own legion."""
    legion = state.legions[marker]
    if legion.holds[Character.TITAN] == 0 or state.scores[legion.owner] < TITAN_TELEPORT:
        return False
    return has_enemy_at(state, legion.owner, land) and not has_legion_at(state, legion.owner, land)


@rule
def may_teleport_to(state: Any, marker: int, land: int) -> bool:
    """One teleport per player and turn."""
    if state.roll != TELEPORT_ROLL or state.teleported == 1:
        return False
    return may_tower_teleport(state, marker, land) or may_titan_teleport(state, marker, land)


@rule
def can_teleport(state: Any, marker: int) -> bool:
    """Whether a legion can teleport anywhere."""
    if state.roll != TELEPORT_ROLL or state.teleported == 1:
        return False
    for land in range(LANDS):
        if may_teleport_to(state, marker, land):
            return True
    return False


# Who moves


@rule
def can_move(state: Any, marker: int) -> bool:
    """Each legion moves at most once."""
    return state.legions[marker].moved == 0 and (can_walk(state, marker) or can_teleport(state, marker))


@rule
def may_stop(state: Any) -> bool:
    """At least one legion must move if any can make a normal move; where some share a land one of them must."""
    able, moved = False, False
    for marker in range(LEGIONS):
        if is_own(state, marker, state.mover):
            if state.legions[marker].moved:
                moved = True
            elif can_walk(state, marker):
                able = True
                if not is_alone(state, marker):
                    return False
    return moved or not able


@rule
def offer_move(state: Any) -> None:
    """Ask which legion moves, if any can; else the movement is over."""
    for marker in range(LEGIONS):
        if is_own(state, marker, state.mover) and can_move(state, marker):
            state.ask = Ask.MOVE
            state.seat = state.mover
            return
    state.phase = Phase.ENGAGEMENT


@rule
def stack_places(state: Any) -> int:
    """Which of the legions on the picked land can move, counted from the oldest, as a set of places."""
    places = 0
    for index in range(LEGIONS):
        marker = legion_at(state, state.mover, state.land, index)
        if marker == NOBODY:
            return places
        if can_move(state, marker):
            places |= 1 << index
    return places


@rule
def pick_stack(state: Any, index: int) -> None:
    """One of the legions on the land moves."""
    state.picked = legion_at(state, state.mover, state.land, index)
    state.ask = Ask.GO_LAND


# Where to


@rule
def pick_destination(state: Any, land: int, log: Any) -> None:
    """A titan is shown where it goes to an enemy; another lord that leaves a tower is shown too."""
    state.destination = land
    if not state.teleporting or has_enemy_at(state, state.mover, land):
        if state.teleporting:
            show(state, state.picked, Character.TITAN.value, 1, log)
        arrive(state, log)
    else:
        state.ask = Ask.SHOW


@rule
def lords_of(state: Any, marker: int) -> int:
    """The kinds of lord that a legion holds, as a set of kinds."""
    kinds = 0
    for kind in (Character.TITAN.value, Character.ANGEL.value, Character.ARCHANGEL.value):
        if state.legions[marker].holds[kind] > 0:
            kinds |= 1 << kind
    return kinds


@rule
def arrive(state: Any, log: Any) -> None:
    """Where an enemy stands the side is asked on which it is met; on an empty land it means nothing."""
    if has_enemy_at(state, state.mover, state.destination):
        state.ask = Ask.SIDE
    else:
        move(state, 0, log)


@rule
def sides_of(state: Any) -> int:
    """The sides on which the picked legion can meet the enemy, as a set of entries; a tower is entered from below."""
    if TERRAIN[state.destination] == Terrain.TOWER:
        return 1 << Entry.BOTTOM.value
    if state.teleporting:
        return ALL_SIDES
    sides = 0
    for way in range(ways_of(state, state.picked)):
        end = walk(state, state.picked, way)
        if end != NOWHERE and end // ENTRIES == state.destination:
            sides |= 1 << end % ENTRIES
    return sides


@rule
def move(state: Any, entry: int, log: Any) -> None:
    """The picked legion stands on its new land, and has moved."""
    marker = state.picked
    legion = state.legions[marker]
    log_event(log, Event.TELEPORTED if state.teleporting else Event.MOVED, state.mover, legion.land, state.destination)
    go_to(state, marker, state.destination)
    legion.moved = 1
    legion.entry = entry
    if state.teleporting:
        state.teleported = 1
    state.teleporting = state.land = state.destination = 0
    state.picked = NOBODY


# The end of the movement


@rule
def end_movement(state: Any, log: Any) -> None:
    """Legions that still share a land join again under the oldest marker."""
    for marker in range(LEGIONS):
        if is_own(state, marker, state.mover):
            oldest = oldest_at(state, state.mover, state.legions[marker].land)
            if oldest != marker:
                join(state, oldest, marker)
                log_event(log, Event.JOINED, state.mover, state.legions[oldest].land, 0)
    conclude(state, state.mover)


@rule
def join(state: Any, oldest: int, marker: int) -> None:
    """A legion goes under the marker of another; of the public record both numbers are added."""
    taker, other = state.legions[oldest], state.legions[marker]
    taker.height += other.height
    for kind in range(KINDS):
        taker.holds[kind] += other.holds[kind]
        taker.at_least[kind] += other.at_least[kind]
        taker.at_most[kind] += other.at_most[kind]
    free_legion(state, marker)
