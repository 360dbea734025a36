"""A whole position as text, both ways: the turn, the players, every legion, and the battle that is fought.

A line for each thing::

    titan_war_v0
    seats: 2
    turns: 7
    mover: 1
    phase: movement
    roll: 4
    scores: 100 24 0 0 0 0
    legion 0 41: titan, centaur, ogre 2, lion / age 1, moved, entry B / record titan 0-1, ogre 1-2
    legion 13 5: angel, troll 2 / age 4 / owner 0
    supply: ...

`legion 0 41` is the legion under marker 0 on land 41: its characters, its age, and the public record of the kinds that
it does not know for certain. Markers 12 to 23 are those of seat 1 until somebody captures them; `owner` says so, and
`markers` for those that are free. A battle is written as in Titan: battle, under the line `battle:`. Everything left
out has its usual value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from titan_env.contract.position_text import (
    LineKind,
    PositionLayout,
    expect,
    expect_known,
    field_lines,
    read_word,
)
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.characters import CHARACTERS, SUPPLY
from titan_env.games.titan_battle.rules.decision import seat_of
from titan_env.games.titan_battle.rules.state import BATTLE, KINDS, Side
from titan_env.games.titan_battle.rules.state import STATE as BATTLE_STATE
from titan_env.games.titan_battle.words import position as battle_position
from titan_env.games.titan_battle.words.notation import ENTRY, KIND
from titan_env.games.titan_war.rules.state import LEGIONS, MARKERS, NOBODY, STATE
from titan_env.games.titan_war.words.notation import (
    COUNT,
    FIELDS,
    FIRST_FIELDS,
    KINDS_COUNTED,
    LAND,
    LISTS,
    MARKER,
    MARKS,
)
from titan_env.games.titan_war.words.translation import _

HEADING = "titan_war_v0"
_LEGION, _MARKERS, _BATTLE = "legion", "markers", "battle"
_NOTHING = "nobody"
_PART = " / "


# Legions


def write_counts(counts: Any) -> str:
    """So many characters of each kind."""
    items = [
        name if count == 1 else f"{name} {int(count)}" for name, count in zip(CHARACTERS, counts, strict=True) if count
    ]
    return ", ".join(items) or _NOTHING


def _read_counts(value: str) -> list[int]:
    """So many characters of each kind."""
    counts = [0] * KINDS
    if value == _NOTHING:
        return counts
    for item in filter(None, (part.strip() for part in value.split(","))):
        name, _sep, count = item.partition(" ")
        counts[KIND.read(name)] += COUNT.read(count) if count else 1
    return counts


def legion_line(state: Any, marker: int, is_open: bool) -> str:
    """Return a legion on the board; without what it holds where that `is_open` to nobody but its player."""
    legion = state.legions[marker]
    holds = write_counts(legion.holds) if is_open else f"{int(legion.height)} hidden"
    parts = [f"{_LEGION} {marker} {LAND.write(legion.land)}: {holds}", f"age {int(legion.age)}"]
    marks = ["moved"] * bool(legion.moved) + [f"entry {ENTRY.write(legion.entry)}"] * bool(legion.entry)
    parts[-1] = ", ".join([parts[-1], *marks])
    if legion.owner != marker // MARKERS:
        parts.append(f"owner {int(legion.owner)}")
    record = [
        f"{CHARACTERS[kind]} {int(legion.at_least[kind])}-{int(legion.at_most[kind])}"
        for kind in range(KINDS)
        if not (legion.at_least[kind] == legion.at_most[kind] == (legion.holds[kind] if is_open else 0))
    ]
    return _PART.join([*parts, *(["record " + ", ".join(record)] if record else [])])


def _legion_lines(state: Any, usual: Any) -> Iterator[str]:
    """Write each legion on the board."""
    yield from (legion_line(state, marker, True) for marker in range(LEGIONS) if state.legions[marker].height > 0)


def _read_legion(state: Any, name: str, value: str) -> None:
    """A legion: marker and land, who is in it, its age, owner and record."""
    _verb, _blank, thing = name.partition(" ")
    marker, *lands = thing.split()
    is_thing = len(lands) == 1 and marker != MARKER.write(NOBODY)
    expect(is_thing, _("expected a marker and a land, got {got}", got=repr(thing)))
    legion = state.legions[MARKER.read(marker)]
    legion.land = LAND.read(lands[0])
    holds, *parts = value.split(_PART)
    legion.holds = legion.at_least = legion.at_most = _read_counts(holds)
    legion.height = int(legion.holds.sum())
    for part in parts:
        kind, _sep, rest = part.strip().partition(" ")
        if kind == "owner":
            legion.owner = _owner(rest)
        elif kind == "record":
            _read_record(legion, rest)
        else:
            _read_marks(legion, part)


def _read_record(legion: Any, value: str) -> None:
    """Parse the public record of a legion, kind by kind."""
    for item in value.split(","):
        name, _sep, bounds = item.strip().partition(" ")
        least, _dash, most = bounds.partition("-")
        kind = KIND.read(name)
        legion.at_least[kind], legion.at_most[kind] = COUNT.read(least), COUNT.read(most)


def _read_marks(legion: Any, value: str) -> None:
    """Age, whether it has moved, the side on which it came upon an enemy."""
    for item in (part.strip() for part in value.split(",")):
        name, _sep, word = item.partition(" ")
        expect_known(name, MARKS)
        legion[name] = 1 if item == "moved" else read_word(MARKS, name, word)


# Markers and counts


def _marker_lines(state: Any, usual: Any) -> Iterator[str]:
    """Write the free markers that no longer belong to their first player."""
    found: dict[int, list[int]] = {}
    for marker in range(LEGIONS):
        legion = state.legions[marker]
        if legion.height == 0 and legion.owner != usual.legions[marker].owner:
            found.setdefault(int(legion.owner), []).append(marker)
    yield from (f"{_MARKERS} {MARKER.write(owner)}: {' '.join(map(str, own))}" for owner, own in found.items())


def _read_markers(state: Any, name: str, value: str) -> None:
    """The free markers of a seat, or of none."""
    owner = _owner(name.removeprefix(f"{_MARKERS} "))
    for word in value.split():
        state.legions[MARKER.read(word)].owner = owner


def _owner(word: str) -> int:
    """Return a seat, or none."""
    owner = MARKER.read(word)
    expect(owner < LEGIONS // MARKERS, _("expected a seat or none, got {got}", got=repr(word)))
    return owner


def _count_lines(state: Any, usual: Any) -> Iterator[str]:
    """Write the fields that count characters of each kind, where they are not as usual."""
    for name in KINDS_COUNTED:
        if (state[name] != usual[name]).any():
            yield f"{name}: {write_counts(state[name])}"


def _read_count_line(state: Any, name: str, value: str) -> None:
    """A field that counts characters of each kind."""
    state[name] = _read_counts(value)


# The battle


def has_battle(state: Any) -> bool:
    """Return whether a battle is fought; without one its record is all zero."""
    return bool(state.battle.rounds_begun > 0)


def game_of_battle(battle: Any) -> Any:
    """Return a game of Titan: battle in which this battle is fought, about which nothing else is to be said."""
    state = np.zeros(1, BATTLE_STATE).view(np.recarray)[0]
    state.seats = 2
    state.battle = np.frombuffer(battle.tobytes(), BATTLE)[0]
    state.ask = state.battle.ask
    state.clock = 2 * int(battle.rounds_begun) - (int(battle.half) == Side.DEFENDER)
    state.seat = seat_of(state, int(battle.asked))
    return state


def _battle_section(state: Any, usual: Any) -> list[str]:
    """Write the battle that is fought as Titan: battle writes it, without its heading."""
    lines = battle_position.position_text(game_of_battle(state.battle)).splitlines() if has_battle(state) else []
    return [f"{_BATTLE}:", *lines[1:]] if lines else []


_FIRST = (field_lines(FIRST_FIELDS, always=FIRST_FIELDS),)
"""The lines from which others follow."""
_REST = (
    field_lines(LISTS),
    LineKind((f"{_LEGION} MARKER LAND",), _legion_lines, _read_legion),
    LineKind((f"{_MARKERS} SEAT",), _marker_lines, _read_markers),
    LineKind(KINDS_COUNTED, _count_lines, _read_count_line),
    field_lines(FIELDS),
)
_LAYOUT = PositionLayout(
    HEADING,
    (*_FIRST, *_REST, LineKind((_BATTLE,), _battle_section)),
    mark("expected `name: value`, got {got}"),
    _,
)


# A whole position


def _begin() -> np.recarray[Any, Any]:
    """Return a war about which nothing has been said yet."""
    position = np.zeros(1, STATE).view(np.recarray)
    state = position[0]
    state.picked = state.attacker = state.defender = state.winner = state.donor = NOBODY
    state.agreements = state.concede = state.first_teleport = 1
    return position


def _left_in_box(state: Any) -> Any:
    """Return the number of each character left in the box, those on the board taken out."""
    return np.maximum(SUPPLY - state.legions["holds"].sum(axis=0), 0)


def _follow(state: Any) -> None:
    """Fill in what usually follows from the number of players: whose the markers are."""
    owners = np.arange(LEGIONS) // MARKERS
    state.legions["owner"] = np.where(owners < state.seats, owners, NOBODY)


def _stand(state: Any) -> None:
    """Note where each seat has legions: that follows from the legions."""
    for legion in state.legions:
        if legion.height > 0 and legion.owner >= 0:
            state.seats_at[legion.land] |= 1 << int(legion.owner)


def position_text(state: Any) -> str:
    """Return the whole position of a game as text; `parse_position` turns it back."""
    usual = _begin()[0]
    usual.seats = state.seats
    _follow(usual)
    usual.supply = _left_in_box(state)
    return _LAYOUT.write(state, usual)


def parse_position(text: str) -> np.recarray[Any, Any]:
    """Parse the text of a position into a record array (1,). Raises ValueError naming the line that is wrong."""
    head, *battle = re.split(rf"^[ \t]*{_BATTLE}[ \t]*:.*$", text, maxsplit=1, flags=re.MULTILINE)
    _drawn, lines = _LAYOUT.split(head)
    names = {line.name for line in lines}
    message = mark("expected a line of the seats, and one of what is asked, or that the war is over")
    expect("seats" in names and names & {"ask", "over"}, _(message))
    position = _begin()
    state = position[0]
    _LAYOUT.read(state, lines, _FIRST)
    _follow(state)
    _LAYOUT.read(state, lines, _REST)
    _stand(state)
    if "supply" not in names:
        state.supply = _left_in_box(state)
    if battle:
        lines_before = "\n" * head.count("\n")
        state.battle = battle_position.parse_position(lines_before + battle[0])[0].battle
    return position
