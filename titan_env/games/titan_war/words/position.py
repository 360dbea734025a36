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

`legion 0 41` is the legion under marker 0 on land 41, then who is in it, its age, and what the public record says of
the kinds that it does not know for certain; markers 12 to 23 are those of seat 1 until somebody captures them, which
`owner` says, and `markers` for those that are free. A battle is written as in Titan: battle, under the line `battle:`.
What is not said is as usual.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract.position_text import read_word
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.characters import CHARACTERS, SUPPLY
from titan_env.games.titan_battle.rules.decision import seat_of
from titan_env.games.titan_battle.rules.state import BATTLE, KINDS, Side
from titan_env.games.titan_battle.rules.state import STATE as BATTLE_STATE
from titan_env.games.titan_battle.words import position as battle_position
from titan_env.games.titan_war.rules.state import LEGIONS, MARKERS, NOBODY, STATE
from titan_env.games.titan_war.words.notation import (
    AGE,
    COUNT,
    ENTRY,
    FIELDS,
    FIRST_FIELDS,
    KIND,
    KINDS_COUNTED,
    LAND,
    LISTS,
    MARKER,
)
from titan_env.games.titan_war.words.translation import _

HEADING = "titan_war_v0"
_LEGION, _MARKERS, _BATTLE = "legion", "markers", "battle"
_NOTHING = "nobody"
_PART = " / "


# Writing


def position_text(state: Any) -> str:
    """Return the whole position of a game as text; `parse_position` turns it back."""
    lines = [HEADING, *(f"{name}: {word.write(state[name])}" for name, word in FIRST_FIELDS.items())]
    usual = _begin()[0]
    usual.seats = state.seats
    _follow(usual)
    usual.supply = _left_in_box(state)
    lines += [f"{name}: {' '.join(map(word.write, state[name]))}" for name, word in LISTS.items() if state[name].any()]
    lines += [legion_line(state, marker, True) for marker in range(LEGIONS) if state.legions[marker].height > 0]
    lines += owner_lines(state)
    lines += [f"{name}: {write_counts(state[name])}" for name in KINDS_COUNTED if (state[name] != usual[name]).any()]
    lines += [f"{name}: {word.write(state[name])}" for name, word in FIELDS.items() if state[name] != usual[name]]
    if has_battle(state):
        lines += [f"{_BATTLE}:", *battle_lines(state.battle)]
    return "\n".join(lines) + "\n"


def has_battle(state: Any) -> bool:
    """Return whether a battle is fought; without one its record is all zero."""
    return bool(state.battle.rounds_begun > 0)


def battle_lines(battle: Any) -> list[str]:
    """Return a battle as Titan: battle writes it, without its heading."""
    return battle_position.position_text(game_of_battle(battle)).splitlines()[1:]


def game_of_battle(battle: Any) -> Any:
    """Return a game of Titan: battle in which this battle is fought, about which nothing else is to be said."""
    state = np.zeros(1, BATTLE_STATE).view(np.recarray)[0]
    state.seats = 2
    state.battle = np.frombuffer(battle.tobytes(), BATTLE)[0]
    state.ask = state.battle.ask
    state.clock = 2 * int(battle.rounds_begun) - (int(battle.half) == Side.DEFENDER)
    state.seat = seat_of(state, int(battle.asked))
    return state


def write_counts(counts: Any) -> str:
    """So many characters of each kind."""
    told = [
        name if count == 1 else f"{name} {int(count)}" for name, count in zip(CHARACTERS, counts, strict=True) if count
    ]
    return ", ".join(told) or _NOTHING


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


def owner_lines(state: Any) -> list[str]:
    """Return lines for the free markers that no longer belong to their first player."""
    found: dict[int, list[int]] = {}
    for marker in range(LEGIONS):
        legion = state.legions[marker]
        usual = marker // MARKERS if marker // MARKERS < state.seats else NOBODY
        if legion.height == 0 and legion.owner != usual:
            found.setdefault(int(legion.owner), []).append(marker)
    return [f"{_MARKERS} {MARKER.write(owner)}: {' '.join(map(str, own))}" for owner, own in found.items()]


# Reading


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
    for marker in range(LEGIONS):
        owner = marker // MARKERS
        state.legions[marker].owner = owner if owner < state.seats else NOBODY


def parse_position(text: str) -> np.recarray[Any, Any]:
    """Parse the text of a position into a record array (1,). Raises ValueError naming the line that is wrong."""
    position = _begin()
    told, battle = _lines_of(text)
    if "seats" not in told or not told.keys() & {"ask", "over"}:
        raise ValueError(_("expected a line of the seats, and one of what is asked, or that the war is over"))
    for group in (_read_first, _read_rest):
        for name, (number, value) in told.items():
            try:
                group(position[0], name, value)
            except ValueError as error:
                raise ValueError(_("line {number}: {error}", number=number, error=error)) from None
        if group is _read_first:
            _follow(position[0])
    _stand(position[0])
    if "supply" not in told:
        position[0].supply = _left_in_box(position[0])
    if battle:
        position[0].battle = battle_position.parse_position("\n".join(battle))[0].battle
    return position


def _lines_of(text: str) -> tuple[dict[str, tuple[int, str]], list[str]]:
    """Return the lines of a position by their names, and those of its battle, each in its place in the text."""
    told: dict[str, tuple[int, str]] = {}
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not line.strip() or line.strip() == HEADING:
            continue
        if name == _BATTLE and colon:
            return told, [""] * number + lines[number:]
        if not colon or name in told:
            said = mark("line {number}: expected `name: value`, each name once, got {got}")
            raise ValueError(_(said, number=number, got=repr(line.strip())))
        told[name] = number, value
    return told, []


def _read_first(state: Any, name: str, value: str) -> None:
    """The fields from which others follow."""
    if name in FIRST_FIELDS:
        state[name] = read_word(FIRST_FIELDS, name, value)
    if name == "seats" and not 2 <= state.seats <= len(state.scores):
        raise ValueError(_("expected 2 to {most} seats, got {got}", most=len(state.scores), got=repr(value)))


def _read_rest(state: Any, name: str, value: str) -> None:
    """A legion, the owner of markers, counts, lists, or a field that is not as usual."""
    verb, _sep, thing = name.partition(" ")
    if name in FIRST_FIELDS:
        return
    if verb == _LEGION:
        _read_legion(state, thing, value)
    elif verb == _MARKERS and thing:
        for word in value.split():
            state.legions[MARKER.read(word)].owner = _owner(thing)
    elif name in KINDS_COUNTED:
        state[name] = _read_counts(value)
    elif name in LISTS:
        numbers = [read_word(LISTS, name, word) for word in value.split()]
        if len(numbers) != len(state[name]):
            said = mark("expected {most} numbers for {name}, got {n}")
            raise ValueError(_(said, most=len(state[name]), name=name, n=len(numbers)))
        state[name] = numbers
    elif name in FIELDS:
        state[name] = read_word(FIELDS, name, value)
    else:
        known = ", ".join([_LEGION, _MARKERS, *FIRST_FIELDS, *LISTS, *KINDS_COUNTED, *FIELDS, _BATTLE])
        raise ValueError(_("expected one of {known}, got {got}", known=known, got=repr(name)))


def _owner(word: str) -> int:
    """Return a seat, or none."""
    owner = MARKER.read(word)
    if owner >= LEGIONS // MARKERS:
        raise ValueError(_("expected a seat or none, got {got}", got=repr(word)))
    return owner


def _read_counts(value: str) -> list[int]:
    """So many characters of each kind."""
    counts = [0] * KINDS
    if value == _NOTHING:
        return counts
    for item in filter(None, (part.strip() for part in value.split(","))):
        name, _sep, count = item.partition(" ")
        counts[KIND.read(name)] += COUNT.read(count) if count else 1
    return counts


def _read_legion(state: Any, thing: str, value: str) -> None:
    """A legion: marker and land, who is in it, its age, owner and record."""
    words = thing.split()
    if len(words) != 2 or words[0] == MARKER.write(NOBODY):
        raise ValueError(_("expected a marker and a land, got {got}", got=repr(thing)))
    legion = state.legions[MARKER.read(words[0])]
    legion.land = LAND.read(words[1])
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
        if name == "age":
            legion.age = AGE.read(word)
        elif item == "moved":
            legion.moved = 1
        elif name == "entry":
            legion.entry = ENTRY.read(word)
        else:
            raise ValueError(_("expected one of {known}, got {got}", known="age, moved, entry", got=repr(item)))


def _stand(state: Any) -> None:
    """Note where each seat has legions: that follows from the legions."""
    for legion in state.legions:
        if legion.height > 0 and legion.owner >= 0:
            state.seats_at[legion.land] |= 1 << int(legion.owner)
