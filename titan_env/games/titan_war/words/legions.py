"""Legions as a seat may know them: the own ones as they are, others by the public record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from titan_env.games.titan_battle.rules.characters import POWER
from titan_env.games.titan_battle.rules.state import KINDS, Character
from titan_env.games.titan_battle.words.translation import character_name
from titan_env.games.titan_war.rules.legions import titan_power
from titan_env.games.titan_war.rules.state import LEGIONS
from titan_env.games.titan_war.words.translation import _, counted, number_of, player_name

ONLOOKER = -1


@dataclass(frozen=True)
class Seen:
    """One legion as somebody sees it."""

    marker: int
    owner: int
    land: int
    height: int
    age: int
    has_moved: bool
    least: tuple[int, ...]
    """The number of each kind that it holds for certain."""
    most: tuple[int, ...]
    """And how many it may hold."""

    @property
    def known(self) -> list[int]:
        """The kinds that it holds for certain, in their order, each as often."""
        return [kind for kind in range(KINDS) for _time in range(self.least[kind])]

    @property
    def unknown(self) -> int:
        """The number of its characters that are not known."""
        return self.height - sum(self.least)


def may_see(state: Any, seat: int | None, owner: int) -> bool:
    """Return whether a seat may see the contents of a player's legions; None may see everything."""
    return seat is None or seat == owner or bool(state.open)


def seen_legion(state: Any, marker: int, seat: int | None) -> Seen:
    """Return a legion as a seat may know it."""
    legion = state.legions[marker]
    owner = int(legion.owner)
    is_seen = may_see(state, seat, owner)
    least, most = ("holds", "holds") if is_seen else ("at_least", "at_most")
    counts = [tuple(int(count) for count in legion[name]) for name in (least, most)]
    facts = (int(legion.land), int(legion.height), int(legion.age), bool(legion.moved))
    return Seen(marker, owner, *facts, *counts)


def seen_legions(state: Any, seat: int | None) -> list[Seen]:
    """Return all legions on the board as a seat may know them: by player, then by land, the older ones first."""
    there = [marker for marker in range(LEGIONS) if state.legions[marker].height > 0]
    found = [seen_legion(state, marker, seat) for marker in there]
    return sorted(found, key=lambda one: (one.owner, one.land, one.age))


def names_of(kinds: list[int]) -> str:
    """Characters in words, several of a kind by their number: `titan, 2 ogres` as `titan, ogre 2`."""
    names = []
    for kind in sorted(set(kinds)):
        times = kinds.count(kind)
        names.append(character_name(kind) + (f" {times}" if times > 1 else ""))
    return counted(names)


def content_of(seen: Seen) -> str:
    """Return the contents of a legion, as far as known."""
    names = names_of(seen.known)
    if not seen.unknown:
        return names
    maybe = [
        _("up to {n} {who}", n=more, who=character_name(kind))
        for kind in range(KINDS)
        if (more := seen.most[kind] - seen.least[kind]) > 0
    ]
    hidden = _.many("1 of {maybe}", "{n} of {maybe}", seen.unknown, maybe=counted(maybe))
    return f"{names}; {hidden}" if names else hidden


def legion_name(seen: Seen) -> str:
    """Return a legion by its player, land and height."""
    values = {"who": player_name(seen.owner), "land": number_of(seen.land)}
    return _.many("{who} on {land}, 1 character", "{who} on {land}, {n} characters", seen.height, **values)


def power_of(state: Any, seat: int, kind: int) -> int:
    """Return the power of a player's character."""
    return int(titan_power(state, seat)) if kind == Character.TITAN else int(POWER[kind])
