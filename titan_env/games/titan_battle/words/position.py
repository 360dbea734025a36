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

from collections.abc import Iterator
from typing import Any

import numpy as np

from titan_env.contract.position_text import (
    FieldFormats,
    LineKind,
    PositionLayout,
    expect,
    expect_known,
    field_lines,
    read_word,
)
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
    MARKS,
    PICKED,
    PLACE,
    SEAT,
    SEAT_FIELD,
    STATE_FIELDS,
)
from titan_env.games.titan_battle.words.translation import _

HEADING = "titan_battle_v0"
_SIDES = tuple(side.name.lower() for side in Side)
_ARRIVAL = "arrival"
_COUNTS: FieldFormats = {"hits": COUNT, "power": COUNT}
_OF_A_FIGHTER = (*(f"{name}=" for name in _COUNTS), *MARKS, _ARRIVAL)
_FIRST_ROUND = 2  # of a position that does not say which
_ASKED_IN = {Phase.MANEUVER: Ask.MANEUVER, Phase.STRIKE: Ask.STRIKE, Phase.STRIKE_BACK: Ask.STRIKE}


# Sides


def _map_lines(state: Any, usual: Any) -> list[str]:
    """Draw the map."""
    return draw_map(state.battle)


def _side_lines(state: Any, usual: Any) -> Iterator[str]:
    """Write the characters of each side."""
    for side, name in enumerate(_SIDES):
        yield f"{name}: {side_line(state.battle, side)}"


def side_line(battle: Any, side: int) -> str:
    """Return the characters of a side in the order of its slots."""
    items = []
    for slot in range(SLOTS):
        fighter = battle.fighters[side * SLOTS + slot]
        if fighter.hex == EMPTY:
            continue
        words = [KIND.write(fighter.kind), PLACE.write(fighter.hex)]
        words += [f"hits={fighter.hits}"] * bool(fighter.hits)
        words += [f"power={fighter.power}"] * bool(fighter.power != POWER[fighter.kind])
        words += [name for name in MARKS if fighter[name]] + [_ARRIVAL] * (slot == ARRIVAL_SLOT)
        items.append(" ".join(words))
    return ", ".join(items)


def _read_side(state: Any, name: str, value: str) -> None:
    """The characters of a side, in the order of its slots."""
    battle, first, slot = state.battle, _SIDES.index(name) * SLOTS, 0
    for item in filter(None, (part.strip() for part in value.split(","))):
        words = item.split()
        is_arrival = _ARRIVAL in words
        message = mark("expected at most {most} characters and an arrival, got {got}")
        expect(slot < LEGION or is_arrival, _(message, most=LEGION, got=item))
        fighter = battle.fighters[first + (ARRIVAL_SLOT if is_arrival else slot)]
        expect(fighter.hex == EMPTY, _("expected one arrival of a side, got {got}", got=repr(item)))
        _read_fighter(battle, fighter, [word for word in words if word != _ARRIVAL])
        slot += not is_arrival


def _read_fighter(battle: Any, fighter: Any, words: list[str]) -> None:
    """One character: its kind, where it is, hits and power, marks."""
    message = mark("expected a character and its hex, outside or gone, got {got}")
    expect(len(words) >= 2, _(message, got=repr(" ".join(words))))
    kind, number = KIND.read(words[0]), PLACE.read(words[1])
    is_free = number >= HEXES or fighter_at(battle, number) == NOBODY
    expect(is_free, _("expected one character on {hex}, got another", hex=words[1]))
    fighter.kind, fighter.hex, fighter.power = kind, number, POWER[kind]
    for word in words[2:]:
        name, equals, count = word.partition("=")
        expect_known(name + equals, _OF_A_FIGHTER)
        fighter[name] = read_word(_COUNTS, name, count) if equals else 1


def _expect_sides(battle: Any) -> None:
    """Raise ValueError where a side has nobody."""
    for side, name in enumerate(_SIDES):
        is_here = (battle.fighters["hex"][side * SLOTS : (side + 1) * SLOTS] != EMPTY).any()
        expect(is_here, _("expected a line of the {side} with its characters", side=name))


# Lines with a name


def _seat_line(state: Any, usual: Any) -> list[str]:
    """Write the seat that attacks, unless it is the first."""
    return [f"{SEAT_FIELD}: {SEAT.write(state.attacker)}"] * bool(state.attacker)


def _read_seat(state: Any, name: str, value: str) -> None:
    """The seat that attacks."""
    state.attacker = SEAT.read(value)


def _picked_lines(state: Any, usual: Any) -> Iterator[str]:
    """Write who is picked, or struck: by its hex, or by its kind while it is outside."""
    for name in PICKED:
        if state.battle[name] != NOBODY:
            fighter = state.battle.fighters[state.battle[name]]
            yield f"{name}: {HEX_NAMES[fighter.hex] if fighter.hex < HEXES else KIND.write(fighter.kind)}"


def _read_picked(state: Any, name: str, value: str) -> None:
    """The fighter that is picked, or struck: by its hex, or by its kind while it is outside."""
    battle = state.battle
    who = outsider(battle, CHARACTERS.index(value)) if value in CHARACTERS else fighter_at(battle, hex_number(value))
    expect(who != NOBODY, _("expected a character on the map or outside, got {got}", got=repr(value)))
    battle[name] = who


_FIRST = (
    field_lines(FIRST_FIELDS, always=FIRST_FIELDS, part="battle"),
    LineKind((), _map_lines),
    LineKind(_SIDES, _side_lines, _read_side),
    LineKind((SEAT_FIELD,), _seat_line, _read_seat),
)
"""The lines from which others follow."""
_REST = (
    field_lines(BATTLE_FIELDS, part="battle"),
    LineKind(PICKED, _picked_lines, _read_picked),
    field_lines(STATE_FIELDS),
)
_LAYOUT = PositionLayout(
    HEADING,
    (*_FIRST, *_REST),
    mark("expected a line of the map or `name: value`, got {got}"),
    _,
    is_drawn=lambda line: line.lstrip()[0] in "+|",
)


# A whole position


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


def position_text(state: Any) -> str:
    """Return the whole position of a game as text; `parse_position` turns it back."""
    usual = _begin()[0]
    usual.attacker = state.attacker
    for name in (*FIRST_FIELDS, "fighters"):
        usual.battle[name] = state.battle[name]
    _follow(usual)
    return _LAYOUT.write(state, usual)


def parse_position(text: str) -> np.recarray[Any, Any]:
    """Parse the text of a position into a record array (1,). Raises ValueError naming the line that is wrong."""
    drawn, lines = _LAYOUT.split(text)
    position = _begin()
    state, battle = position[0], position[0].battle
    _LAYOUT.read(state, lines, _FIRST)
    _expect_sides(battle)
    _follow(state)
    _LAYOUT.read(state, lines, _REST)
    if battle.ask in (Ask.MANEUVER, Ask.GO):
        lock_in_contact(battle)
    state.ask = Ask.NOTHING if state.over else battle.ask
    if drawn:
        check_map(battle, drawn)
    return position
