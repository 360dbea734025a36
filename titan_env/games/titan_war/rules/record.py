"""The public record: of each kind, how many a legion has at least and at most, as everybody can conclude.

Everything a player ever got or lost is public, so the sum of its characters is; only how they are spread over its
legions is hidden.
"""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.titan_battle.rules.state import KINDS
from titan_env.games.titan_war.rules.legions import is_own
from titan_env.games.titan_war.rules.state import LEGIONS, Event


@rule
def is_public(legion: Any) -> bool:
    """Whether everybody knows what a legion holds."""
    for kind in range(KINDS):
        if legion.at_least[kind] != legion.at_most[kind]:
            return False
    return True


@rule
def show(state: Any, marker: int, kind: int, count: int, log: Any) -> None:
    """Show so many of a kind to everybody, who conclude from it at once."""
    legion = state.legions[marker]
    legion.at_least[kind] = max(legion.at_least[kind], count)
    log_event(log, Event.SHOWN, legion.owner, kind, count)
    conclude(state, legion.owner)


@rule
def reveal(legion: Any) -> None:
    """Show a legion whole: both numbers become the truth."""
    for kind in range(KINDS):
        legion.at_least[kind] = legion.at_most[kind] = legion.holds[kind]


@rule
def record_split(old: Any, new: Any) -> None:
    """Of a split others know how many went and how many stayed; both legions have their height already."""
    for kind in range(KINDS):
        least, most = old.at_least[kind], old.at_most[kind]
        new.at_least[kind] = max(0, least - old.height)
        new.at_most[kind] = min(most, new.height)
        old.at_least[kind] = max(0, least - new.height)
        old.at_most[kind] = min(most, old.height)


@rule
def conclude(state: Any, seat: int) -> None:
    """Conclude from a player's legions what everybody can, until nothing changes; in an open war all is public."""
    if state.open:
        for marker in range(LEGIONS):
            if is_own(state, marker, seat):
                reveal(state.legions[marker])
        return
    changes = True
    while changes:
        changes = False
        for kind in range(KINDS):
            if conclude_kind(state, seat, kind):
                changes = True
        for marker in range(LEGIONS):
            if is_own(state, marker, seat) and conclude_legion(state.legions[marker]):
                changes = True


@rule
def conclude_kind(state: Any, seat: int, kind: int) -> bool:
    """Of the player's total of a kind a legion has at most what others need not have, at least what they cannot."""
    total, least, most = 0, 0, 0
    for marker in range(LEGIONS):
        if is_own(state, marker, seat):
            legion = state.legions[marker]
            total += int(legion.holds[kind])
            least += int(legion.at_least[kind])
            most += int(legion.at_most[kind])
    if least == most:
        return False
    changes = False
    for marker in range(LEGIONS):
        if is_own(state, marker, seat):
            legion = state.legions[marker]
            least_before, most_before = int(legion.at_least[kind]), int(legion.at_most[kind])
            if narrow(legion, kind, total - (most - most_before), total - (least - least_before)):
                changes = True
                least += int(legion.at_least[kind]) - least_before
                most += int(legion.at_most[kind]) - most_before
    return changes


@rule
def conclude_legion(legion: Any) -> bool:
    """Of its height a legion has of a kind at most what its others leave, at least what they cannot fill."""
    least, most = 0, 0
    for kind in range(KINDS):
        least += int(legion.at_least[kind])
        most += int(legion.at_most[kind])
    if least == most:
        return False
    changes = False
    for kind in range(KINDS):
        least_before, most_before = int(legion.at_least[kind]), int(legion.at_most[kind])
        height = int(legion.height)
        if narrow(legion, kind, height - (most - most_before), height - (least - least_before)):
            changes = True
            least += int(legion.at_least[kind]) - least_before
            most += int(legion.at_most[kind]) - most_before
    return changes


@rule
def narrow(legion: Any, kind: int, least: int, most: int) -> bool:
    """Take closer bounds over; whether there were any."""
    changes = legion.at_least[kind] < least or legion.at_most[kind] > most
    if changes:
        legion.at_least[kind] = max(legion.at_least[kind], least)
        legion.at_most[kind] = min(legion.at_most[kind], most)
    return changes
