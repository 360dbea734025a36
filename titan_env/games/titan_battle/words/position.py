"""A whole position as text, both ways, as FEN is for chess.

First where the battle is fought and how far it has come, then the map as it is drawn (`drawn_map`), then a line for
each side, and lines for what else is not as usual::

    land: plains
    entry: B
    rounds_begun: 2
    half: attacker
    phase: strike
    attacker: ogre C3, titan F1 hits=2 power=7, gargoyle gone
    defender: lion C4 hits=3 struck, centaur outside, ogre outside arrival
    ask: target
    picked: C3

The lines of the sides say everything about their characters, each in its place in the legion: the hex, or `outside` or
`gone`, then hits, a power that is not the usual one, and marks; `arrival`: who has been mustered or summoned in the
battle. So the map may be left out, as may everything that is usual: the attacker's maneuvers in round 2, on the
plains, in seat 0, and `locked` of those in contact. A map that is there must show the same.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from titan_env.contract.position_text import FieldFormat, FieldFormats, read_word
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.characters import CHARACTERS, POWER, SUPPLY
from titan_env.games.titan_battle.rules.decision import seat_of
from titan_env.games.titan_battle.rules.fighters import fighter_at
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES, hex_number
from titan_env.games.titan_battle.rules.maneuver import lock_in_contact, outsider
from titan_env.games.titan_battle.rules.setup import SEATS
from titan_env.games.titan_battle.rules.state import (
    ARRIVAL_SLOT,
    EMPTY,
    HEXES,
    KINDS,
    LEGION,
    NOBODY,
    SLOTS,
    STATE,
    Ask,
    Entry,
    Phase,
    Side,
)
from titan_env.games.titan_battle.words.drawn_map import check_map, draw_map
from titan_env.games.titan_battle.words.notation import (
    BATTLE_FIELDS,
    COUNT,
    FIRST_FIELDS,
    KIND,
    LISTS,
    MARKS,
    PICKED,
    PLACE,
    SEAT,
    SEAT_FIELD,
    STATE_FIELDS,
)
from titan_env.games.titan_battle.words.translation import _

HEADING = "titan_battle_v0"
_OTHER_HEADING = re.compile(r"\w{1,40}_v\d+")
_LONGEST_SHOWN = 120
"""Letters of a line that are shown in a complaint about it."""
_SIDES = tuple(side.name.lower() for side in Side)
_ARRIVAL = "arrival"
_FIRST_ROUND = 2  # of a position that does not say which
_ASKED_IN = {Phase.MANEUVER: Ask.MANEUVER, Phase.STRIKE: Ask.STRIKE, Phase.STRIKE_BACK: Ask.STRIKE}


# Writing


def position_text(state: Any) -> str:
    """Return the whole position of a game as text; `parse_position` turns it back."""
    battle = state.battle
    position = _begin()
    usual = position[0]
    usual.attacker = state.attacker
    for name in (*FIRST_FIELDS, "fighters"):
        usual.battle[name] = battle[name]
    _follow(usual)
    lines = [HEADING, *(f"{name}: {word.write(battle[name])}" for name, word in FIRST_FIELDS.items())]
    lines += [*draw_map(battle), *(f"{name}: {side_line(battle, side)}" for side, name in enumerate(_SIDES))]
    if state.attacker:
        lines.append(f"{SEAT_FIELD}: {SEAT.write(state.attacker)}")
    lines += _unusual(battle, usual.battle, BATTLE_FIELDS)
    lines += [f"{name}: {_fighter_word(battle, int(battle[name]))}" for name in PICKED if battle[name] != NOBODY]
    lines += _unusual(state, usual, STATE_FIELDS)
    for name, word in LISTS.items():
        if state[name].any():
            lines.append(f"{name}: {' '.join(word.write(number) for number in state[name])}")
    return "\n".join(lines) + "\n"


def _unusual(record: Any, usual: Any, fields: FieldFormats) -> list[str]:
    """Return the fields of a record that are not as usual."""
    return [f"{name}: {word.write(record[name])}" for name, word in fields.items() if record[name] != usual[name]]


def side_line(battle: Any, side: int) -> str:
    """Return the characters of a side in the order of its slots."""
    told = []
    for slot in range(SLOTS):
        fighter = battle.fighters[side * SLOTS + slot]
        if fighter.hex == EMPTY:
            continue
        words = [KIND.write(fighter.kind), PLACE.write(fighter.hex)]
        words += [f"hits={fighter.hits}"] * bool(fighter.hits)
        words += [f"power={fighter.power}"] * bool(fighter.power != POWER[fighter.kind])
        words += [name for name in MARKS if fighter[name]] + [_ARRIVAL] * (slot == ARRIVAL_SLOT)
        told.append(" ".join(words))
    return ", ".join(told)


def _fighter_word(battle: Any, who: int) -> str:
    """Return a fighter by its hex, or by its kind while it is outside."""
    fighter = battle.fighters[who]
    return HEX_NAMES[fighter.hex] if fighter.hex < HEXES else KIND.write(fighter.kind)


# Reading


def _begin() -> np.recarray[Any, Any]:
    """Return a battle about which nothing has been said yet."""
    position = np.zeros(1, STATE).view(np.recarray)
    battle = position[0].battle
    position[0].seats = SEATS
    battle.entry, battle.rounds_begun = Entry.BOTTOM, _FIRST_ROUND
    battle.half, battle.phase = Side.ATTACKER, Phase.MANEUVER
    battle.picked = battle.target = NOBODY
    battle.fighters["hex"] = EMPTY
    return position


def _follow(state: Any) -> None:
    """Fill in what usually follows from the first fields and the fighters: who is asked what, clock and supply."""
    battle = state.battle
    half = int(battle.half)
    battle.asked = 1 - half if battle.phase == Phase.STRIKE_BACK else half
    arrival = Ask.REINFORCE if half == Side.DEFENDER else Ask.SUMMON
    battle.ask = _ASKED_IN.get(Phase(int(battle.phase)), arrival)
    legions = [fighter for who, fighter in enumerate(battle.fighters) if who % SLOTS < LEGION and fighter.hex != EMPTY]
    there = np.bincount([int(fighter.kind) for fighter in legions], minlength=KINDS)
    battle.supply = sum(1 << kind for kind in range(KINDS) if SUPPLY[kind] > there[kind])
    state.clock = 2 * int(battle.rounds_begun) - (half == Side.DEFENDER)
    state.seat = seat_of(state, int(battle.asked))


def parse_position(text: str) -> np.recarray[Any, Any]:
    """Parse the text of a position into a record array (1,). Raises ValueError naming the line that is wrong."""
    told: dict[str, tuple[int, str]] = {}
    drawn: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not line.strip() or line.strip() == HEADING:
            continue
        if number == 1 and _OTHER_HEADING.fullmatch(line.strip()):
            said = mark("line {number}: expected a position of {heading}, got one of {got}")
            raise ValueError(_(said, number=number, heading=HEADING, got=line.strip()))
        if line.lstrip()[0] in "+|":
            drawn.append((number, line))
        elif not colon:
            said = mark("line {number}: expected a line of the map or `name: value`, got {got}")
            raise ValueError(_(said, number=number, got=repr(line.strip()[:_LONGEST_SHOWN])))
        elif name in told:
            said = mark("line {number}: expected one line of {name}, got another")
            raise ValueError(_(said, number=number, name=repr(name)))
        else:
            told[name] = number, value
    position = _begin()
    for group in (_read_first, _read_rest, _read_picked):
        for name, (number, value) in told.items():
            try:
                group(position[0], name, value)
            except ValueError as error:
                raise ValueError(_("line {number}: {error}", number=number, error=error)) from None
        if group is _read_first:
            _expect_sides(position[0].battle)
            _follow(position[0])
    if position[0].battle.ask in (Ask.MANEUVER, Ask.GO):
        lock_in_contact(position[0].battle)
    position[0].ask = Ask.NOTHING if position[0].over else position[0].battle.ask
    if drawn:
        check_map(position[0].battle, drawn)
    return position


def _expect_sides(battle: Any) -> None:
    """Raise ValueError where a side has nobody."""
    for side, name in enumerate(_SIDES):
        if (battle.fighters["hex"][side * SLOTS : (side + 1) * SLOTS] == EMPTY).all():
            raise ValueError(_("expected a line of the {side} with its characters", side=name))


def _read_first(state: Any, name: str, value: str) -> None:
    """A line from which others follow: land, round, half, phase, the characters of a side, the attacker's seat."""
    if name in _SIDES:
        _read_side(state.battle, _SIDES.index(name), value)
    elif name in FIRST_FIELDS:
        state.battle[name] = read_word(FIRST_FIELDS, name, value)
    elif name == SEAT_FIELD:
        state.attacker = _seat(value)
    elif name not in (*BATTLE_FIELDS, *STATE_FIELDS, *LISTS, *PICKED):
        known = ", ".join([*_SIDES, SEAT_FIELD, *FIRST_FIELDS, *BATTLE_FIELDS, *PICKED, *STATE_FIELDS, *LISTS])
        raise ValueError(_("expected one of {known}, got {got}", known=known, got=repr(name)))


def _seat(value: str) -> int:
    """Return the seat that attacks."""
    seat = SEAT.read(value)
    if not 0 <= seat < SEATS:
        raise ValueError(_("expected seat 0 or 1, got {got}", got=repr(value)))
    return seat


def _read_rest(state: Any, name: str, value: str) -> None:
    """A line of what is not as usual."""
    if name in BATTLE_FIELDS:
        state.battle[name] = read_word(BATTLE_FIELDS, name, value)
    elif name in STATE_FIELDS:
        state[name] = read_word(STATE_FIELDS, name, value)
    elif name in LISTS:
        numbers = [read_word(LISTS, name, word) for word in value.split()]
        if len(numbers) != len(state[name]):
            said = mark("expected {most} numbers for {name}, got {n}")
            raise ValueError(_(said, most=len(state[name]), name=name, n=len(numbers)))
        state[name][:] = numbers


def _read_picked(state: Any, name: str, value: str) -> None:
    """The fighter that is picked, or struck: by its hex, or by its kind while it is outside."""
    if name not in PICKED:
        return
    battle = state.battle
    who = outsider(battle, CHARACTERS.index(value)) if value in CHARACTERS else fighter_at(battle, hex_number(value))
    if who == NOBODY:
        raise ValueError(_("expected a character on the map or outside, got {got}", got=repr(value)))
    battle[name] = who


def _read_side(battle: Any, side: int, value: str) -> None:
    """The characters of a side, in the order of its slots."""
    slot = 0
    for item in filter(None, (part.strip() for part in value.split(","))):
        words = item.split()
        is_arrival = words[-1] == _ARRIVAL
        place = ARRIVAL_SLOT if is_arrival else slot
        if slot == LEGION and not is_arrival:
            raise ValueError(_("expected at most {most} characters and an arrival, got {got}", most=LEGION, got=item))
        fighter = battle.fighters[side * SLOTS + place]
        if fighter.hex != EMPTY:
            raise ValueError(_("expected one arrival of a side, got {got}", got=repr(item)))
        _read_fighter(battle, fighter, words[:-1] if is_arrival else words)
        slot += not is_arrival


def _read_fighter(battle: Any, fighter: Any, words: list[str]) -> None:
    """One character: its kind, where it is, hits and power, marks."""
    if len(words) < 2:
        raise ValueError(_("expected a character and its hex, outside or gone, got {got}", got=repr(" ".join(words))))
    kind, number = KIND.read(words[0]), PLACE.read(words[1])
    if number < HEXES and fighter_at(battle, number) != NOBODY:
        raise ValueError(_("expected one character on {hex}, got another", hex=words[1]))
    fighter.kind, fighter.hex, fighter.power = kind, number, POWER[kind]
    counts: dict[str, FieldFormat] = {"hits": COUNT, "power": COUNT}
    for word in words[2:]:
        name, equals, count = word.partition("=")
        if equals and name in counts:
            fighter[name] = read_word(counts, name, count)
        elif word in MARKS:
            fighter[word] = 1
        else:
            known = ", ".join(["hits=", "power=", *MARKS, _ARRIVAL])
            raise ValueError(_("expected one of {known}, got {got}", known=known, got=repr(word)))
