"""What a seat may know, in whole numbers: listed fields, seen from its own racer. Nothing is hidden.

The board is rolled around the own racer: from six rows behind it to eleven ahead, three columns to
each side, so equal situations look equal wherever on the circuit they arise. Racers are listed in seat
order, beginning with the own one.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

import numpy as np

from titan_env.contract import Field, Fields, rule
from titan_env.games.fantasy_racing.rules.board import current, square_at
from titan_env.games.fantasy_racing.rules.board_window import (
    BLOCK,
    LINES,
    SEEN_GONE,
    TWICE,
    WINDOW,
    lay_out,
    mark,
    mark_others,
    turn_round,
)
from titan_env.games.fantasy_racing.rules.data_tables import FIGHT, SHORTCUT_ROWS, SIDES_OF_HIDDEN_DICE, SPEED
from titan_env.games.fantasy_racing.rules.dice import FAST_DIE, opposite_on_movement
from titan_env.games.fantasy_racing.rules.fights import outcome
from titan_env.games.fantasy_racing.rules.flips import opposite, sides, waiting
from titan_env.games.fantasy_racing.rules.movement import recoil_rows
from titan_env.games.fantasy_racing.rules.points import colour_in, standing_of
from titan_env.games.fantasy_racing.rules.shocks import landing
from titan_env.games.fantasy_racing.rules.state import (
    ALL_CHARACTERS,
    ALL_OBJECTS,
    COLUMNS,
    HAND_LIMIT,
    MOST_DICE,
    MOST_RACERS,
    ROWS,
    SQUARES,
    Aim,
    Ask,
    Character,
    Colour,
    Object,
    Outcome,
    Roll,
    Rule,
    Size,
    Square,
)
from titan_env.games.fantasy_racing.rules.turn import REFILL_EVERY

ROWS_BEHIND, COLUMNS_LEFT = 6, 3
MOST_ROUNDS = 15
POINTS_SEEN = 120
"""Points, and differences of points, up to here are one number, those beyond it another, which is cut here."""
OWED = 3
DIE_SHARE = 30
"""What the sides of every die divide, but for the D100's."""
RANGE = 30
ALL_RULES = len(Rule)
ALL_COLOURS = len(Colour)
ALL_OUTCOMES = len(Outcome)


def _named(names: Iterable[IntEnum]) -> tuple[str, ...]:
    """The members of an enum as words."""
    return tuple(member.name.lower().replace("_", " ") for member in names)


_ROWS_SEEN = (*(f"{n} behind" for n in range(ROWS_BEHIND, 0, -1)), "own row", *(f"{n} ahead" for n in range(1, 12)))
_COLUMNS_SEEN = (*(f"{n} left" for n in range(COLUMNS_LEFT, 0, -1)), "own column", "1 right", "2 right", "3 right")
_PLACES = tuple("own" if index == 0 else f"racer {index}" for index in range(MOST_RACERS))
_FLAGS = (
    "it is the own turn",
    "the main action is done",
    "coins have been spent",
    "the special has been used",
    "the free flip is left",
    "the shock in question is a big one",
)
_DICE = ("first", "second", "fast")
_LAID = ("as rolled", "as flipped")


def _plane(name: str, meaning: str, scale: int = 1) -> Field:
    """Where something is on the board around the own racer."""
    return Field(f"board_{name}", (ROWS, COLUMNS), 0, 1, meaning, (_ROWS_SEEN, _COLUMNS_SEEN), scale)


def _racers(name: str, meaning: str, scale: int = 1, low: int = 0) -> Field:
    """One number for each racer."""
    return Field(f"racer_{name}", (MOST_RACERS,), low, 1, meaning, (_PLACES,), scale)


def _of_racers(name: str, words: tuple[str, ...], meaning: str, scale: int = 1) -> Field:
    """Several numbers for each racer."""
    return Field(f"racer_{name}", (MOST_RACERS, len(words)), 0, 1, meaning, (_PLACES, words), scale)


FIELDS = Fields(
    (
        *(_plane(square.name.lower(), f"a {square.name.lower()}") for square in list(Square)[1:]),
        _plane("gone", "an object that will reappear"),
        _plane("trap", "another's trap"),
        _plane("own_trap", "an own trap"),
        _plane("opponent", "opponents, thirds, at most 1", 3),
        _plane("protected", "an opponent that is protected"),
        _plane("ball", "the fire ball"),
        Field("ask", (12,), 0, 1, "pending question, one-hot", (_named(list(Ask)[1:]),)),
        Field("flags", (6,), 0, 1, "the course of the turn", (_FLAGS,)),
        Field("roll", (8,), 0, 1, "purpose of the roll, one-hot", (_named(list(Roll)[1:]),)),
        Field("dice", (3,), 0, 1, "faces, share of the sides; of the fast die sixths", (_DICE,), DIE_SHARE),
        Field("opposite", (3,), 0, 1, "the opposite faces, likewise", (_DICE,), DIE_SHARE),
        Field("d100", (2,), 0, 1, "the die with a hundred sides, hundredths", (_LAID,), int(SIDES_OF_HIDDEN_DICE)),
        Field("object", (10,), 0, 1, "face of the object die, one-hot", (_named(Object),)),
        Field("instead", (10,), 0, 1, "the alternative object", (_named(Object),)),
        Field("outcome", (2, 3), 0, 1, "outcome of a fight", (_LAID, _named(Outcome))),
        Field(
            "landing",
            (2, 2),
            -1,
            1,
            "destination of a shock or shortcut, relative to the racer",
            (_LAID, ("rows, fifths", "columns")),
            5,
        ),
        Field("aim", (7,), 0, 1, "thing that is aimed, one-hot", (_named(Aim),)),
        Field("range_left", (), 0, 1, "steps of the ball, thirtieths; else squares, fifteenths", (), RANGE),
        Field("to_line", (), 0, 1, "rows to the line, eighteenths", (), ROWS),
        Field("round", (), 0, 1, "number of the round, fifteenths", (), MOST_ROUNDS),
        Field("rounds_left", (), 0, 1, "rounds after this one, fifteenths", (), MOST_ROUNDS),
        Field("refill_in", (), 0, 1, "rounds until objects reappear, thirds; 0: never again", (), REFILL_EVERY),
        _racers("in_race", "there is such a racer"),
        _racers("turn", "it is its turn"),
        _racers("asked", "it is asked"),
        _racers("played", "it has played in this round"),
        _racers("protected", "it is protected"),
        _racers("poisoned", "it is poisoned"),
        _racers("marked", "it is still to suffer from fire, lightning or plague"),
        _racers("points", "points, those of others less the own, 120ths, cut at 1", POINTS_SEEN, -1),
        _racers("more_points", "the points beyond 120, 120ths, cut at 1", POINTS_SEEN, -1),
        _racers("rank", "racers with more points, fifths", 5),
        _racers("order", "place in this round's order, fifths", 5),
        _racers("rows", "rows before the own racer, eighteenths", ROWS, -1),
        _of_racers("columns", tuple(f"{n} to the right" for n in range(COLUMNS)), "columns from the own racer"),
        _racers("owes", "crossings of the line to be made again, thirds, cut at 1", OWED),
        _of_racers("chest", _named(Colour), "colour of its chest icon"),
        _of_racers("objects", _named(Object), "number of each object that it holds, ninths", HAND_LIMIT),
        _of_racers("character", _named(Character), "its character, one-hot"),
        _of_racers("rules", _named(Rule), "the special rules it has"),
        _racers("fight", "fight value, hundredths", 100),
        _racers("speed", "speed, thirds", 3),
    ),
    whole=True,
)
"""The observation of Fantasy Racing, in order."""

_AT = {name: np.int64(span.start) for name, span in FIELDS.slices.items()}
ASK, FLAGS, ROLL, DICE, OPPOSITE = _AT["ask"], _AT["flags"], _AT["roll"], _AT["dice"], _AT["opposite"]
D100 = _AT["d100"]
OBJECT, INSTEAD, OUTCOME, LANDING = _AT["object"], _AT["instead"], _AT["outcome"], _AT["landing"]
AIM, RANGE_LEFT, TO_LINE = _AT["aim"], _AT["range_left"], _AT["to_line"]
ROUND, ROUNDS_LEFT, REFILL_IN = _AT["round"], _AT["rounds_left"], _AT["refill_in"]

_BOARD = {name[6:]: np.uint64(begin) for name, begin in _AT.items() if name.startswith("board_")}
"""Unsigned numbers, which spare the compiled code a check for negative ones at every place that is written."""
TRAP, OWN_TRAP = _BOARD["trap"], _BOARD["own_trap"]
OPPONENT, PROTECTED, BALL = _BOARD["opponent"], _BOARD["protected"], _BOARD["ball"]
_RACER = {name[6:]: np.uint64(begin) for name, begin in _AT.items() if name.startswith("racer_")}
IN_RACE, TURN, ASKED, PLAYED = _RACER["in_race"], _RACER["turn"], _RACER["asked"], _RACER["played"]
IS_PROTECTED, POISONED, MARKED = _RACER["protected"], _RACER["poisoned"], _RACER["marked"]
POINTS, MORE_POINTS, RANK, ORDER = _RACER["points"], _RACER["more_points"], _RACER["rank"], _RACER["order"]
ROWS_AHEAD, COLUMNS_RIGHT, OWES = _RACER["rows"], _RACER["columns"], _RACER["owes"]
CHEST, OBJECTS, CHARACTER = _RACER["chest"], _RACER["objects"], _RACER["character"]
RULES, FIGHT_VALUE, SPEED_VALUE = _RACER["rules"], _RACER["fight"], _RACER["speed"]
_COLOURS, _OBJECTS, _CHARACTERS, _RULES = map(np.uint64, (ALL_COLOURS, ALL_OBJECTS, ALL_CHARACTERS, ALL_RULES))
_ONE, _OWN_COLUMN = np.uint64(1), np.uint64(COLUMNS - COLUMNS_LEFT)


_SEEN = np.array(
    [
        [
            square_at(here // COLUMNS + i // COLUMNS - ROWS_BEHIND, here % COLUMNS + i % COLUMNS - COLUMNS_LEFT)
            for i in range(SQUARES)
        ]
        for here in range(SQUARES)
    ],
    np.uint8,
)
"""The squares around each square, row by row from six behind, in each row from three to the left."""
FIRST = _SEEN[:, 0].copy()
"""The square with which the window around each square begins."""
PLACE = np.argsort(_SEEN, 1).astype(np.uint8)
"""Where each square lies in the window around another."""
_KINDS, _OWNERS, _LAID_OUT = OPPONENT, OPPONENT + BLOCK, OPPONENT + BLOCK + BLOCK
"""Room for what lies between the board and its planes, in a part of the observation that is written later."""


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """Write what a seat may know in whole numbers; `FIELDS` says what stands where, and its scale."""
    here = np.uint64(state.racers[seat].square)
    vector[:] = 0  # first of all and in order: memory that is far away comes quickest so
    _see_board(state, seat, here, vector)
    vector[OPPONENT:] = 0
    _see_opponents(state, seat, here, vector)
    _see_turn(state, seat, here, vector)
    if state.roll != Roll.NONE:
        _see_roll(state, vector)
    _see_racers(state, seat, here, vector)


@rule
def _see_board(state: Any, seat: int, here: Any, vector: Any) -> None:
    """What is printed, and the traps, around the own racer.

    The planes are written in order, each a little too long: what comes next puts that right.
    """
    kinds, owners = vector[_KINDS:_OWNERS], vector[_OWNERS:_LAID_OUT]
    board = vector[_LAID_OUT : _LAID_OUT + TWICE]
    lay_out(state, board)
    turn_round(board, np.uint64(FIRST[here]), kinds, owners)
    for kind in range(Square.BARRIER.value, SEEN_GONE + 1):
        mark(kinds, kind, vector[np.uint64(kind - 1) * WINDOW :])
    mark_others(owners, seat + 1, vector[TRAP:])
    mark(owners, seat + 1, vector[OWN_TRAP:])


@rule
def _see_opponents(state: Any, seat: int, here: Any, vector: Any) -> None:
    """The opponents and the ball around the own racer."""
    for who in range(state.seats):
        racer = state.racers[who]
        i = np.uint64(PLACE[here, np.uint64(racer.square)])
        if who != seat:
            vector[OPPONENT + i] = min(3, vector[OPPONENT + i] + 1)
            if racer.protected:
                vector[PROTECTED + i] = 1
    if state.ask == Ask.FIRE:
        vector[BALL + np.uint64(PLACE[here, np.uint64(state.ball)])] = 1


@rule
def _see_turn(state: Any, seat: int, here: Any, vector: Any) -> None:
    """The question and the course of the turn and of the race."""
    if state.ask != Ask.NOTHING:
        vector[ASK + state.ask - 1] = 1
    vector[FLAGS] = state.rounds_begun > 0 and current(state) == seat
    vector[FLAGS + 1] = state.main_done
    vector[FLAGS + 2] = state.coins_done
    vector[FLAGS + 3] = state.special_done
    vector[FLAGS + 4] = state.free_flip
    if state.ask == Ask.FIRE:
        vector[RANGE_LEFT] = state.range
    elif state.ask == Ask.DISTANCE:
        vector[RANGE_LEFT] = 2 * state.range
    elif state.ask == Ask.SHORTCUT:
        vector[RANGE_LEFT] = 2 * waiting(state)[2]
    elif state.ask == Ask.SHIELD:
        vector[FLAGS + 5] = waiting(state)[3] == Size.BIG
    elif state.ask == Ask.AIM:
        vector[AIM + waiting(state)[2]] = 1
    vector[TO_LINE] = ROWS - np.int64(here // LINES)
    vector[ROUND] = state.rounds_begun
    vector[ROUNDS_LEFT] = state.rounds - state.rounds_begun
    refill = REFILL_EVERY - (state.rounds_begun + REFILL_EVERY - 1) % REFILL_EVERY
    if state.rounds_begun > 0 and state.rounds_begun + refill <= state.rounds:
        vector[REFILL_IN] = refill


@rule
def _see_roll(state: Any, vector: Any) -> None:
    """The dice on the table, their opposite faces, and what comes of either."""
    vector[ROLL + state.roll - 1] = 1
    if state.roll == Roll.MOVEMENT:
        for die in range(MOST_DICE):
            if state.dice[die] > 0:
                vector[DICE + die] = int(state.dice[die]) * (DIE_SHARE // 6)
                vector[OPPOSITE + die] = opposite_on_movement(state, die) * (DIE_SHARE // 6)
        return
    item = waiting(state)
    if state.roll == Roll.OBJECT:
        vector[OBJECT + item[2]] = 1
        vector[INSTEAD + item[3]] = 1
        return
    if sides(state) == SIDES_OF_HIDDEN_DICE:
        vector[D100] = state.dice[0]
        vector[D100 + 1] = opposite(state, 0)
    else:
        share = DIE_SHARE // sides(state)
        for die in range(FAST_DIE):
            if state.dice[die] > 0:
                vector[DICE + die] = int(state.dice[die]) * share
                vector[OPPOSITE + die] = opposite(state, die) * share
    for flipped in range(2):
        face = opposite(state, 0) if flipped else int(state.dice[0])
        if state.roll == Roll.FIGHT:
            vector[OUTCOME + ALL_OUTCOMES * flipped + outcome(state, int(item[1]), face)] = 1
        elif state.roll == Roll.SHORTCUT:
            vector[LANDING + 2 * flipped] = SHORTCUT_ROWS[face - 1]
        elif state.roll == Roll.SHOCK:
            vector[FLAGS + 5] = item[2] == Size.BIG
            rows, columns = landing(int(item[2]), face)
            free = recoil_rows(state, int(item[1]), rows, columns)
            vector[LANDING + 2 * flipped] = -max(free, 0)
            vector[LANDING + 2 * flipped + 1] = 0 if free < 0 else columns * 5


@rule
def _see_racers(state: Any, seat: int, here: Any, vector: Any) -> None:
    """Every racer, by its seat after the own one."""
    who = seat
    for i in range(np.uint64(state.seats)):
        _see_racer(state, seat, here, who, i, vector)
        who = who + 1 if who + 1 < state.seats else 0
    for position in range(state.seats):
        i = _listed(state, seat, state.order[position])
        vector[ORDER + i] = position
        vector[PLAYED + i] = position < state.turn
    vector[ASKED + _listed(state, seat, state.seat)] = state.ask != Ask.NOTHING
    if state.rounds_begun > 0:
        vector[TURN + _listed(state, seat, current(state))] = 1


@rule
def _listed(state: Any, seat: int, who: int) -> Any:
    """How many places after the own racer another one is listed."""
    return np.uint64(who - seat if who >= seat else who - seat + state.seats)


@rule
def _see_racer(state: Any, seat: int, here: Any, who: int, i: Any, vector: Any) -> None:
    """One racer, listed in place `i`."""
    racer = state.racers[who]
    more, equal = standing_of(state, who)
    points = state.scores[who] - (0 if who == seat else state.scores[seat])
    vector[IN_RACE + i] = 1
    vector[IS_PROTECTED + i] = racer.protected
    vector[POISONED + i] = racer.poisoned
    vector[MARKED + i] = racer.mark > 0
    first = max(-POINTS_SEEN, min(POINTS_SEEN, points))
    vector[POINTS + i] = first
    vector[MORE_POINTS + i] = max(-POINTS_SEEN, min(POINTS_SEEN, points - first))
    vector[RANK + i] = more
    square = np.uint64(PLACE[here, np.uint64(racer.square)])
    vector[ROWS_AHEAD + i] = np.int64(square // LINES) - ROWS_BEHIND
    vector[COLUMNS_RIGHT + LINES * i + (square % LINES + _OWN_COLUMN) % LINES] = 1
    vector[OWES + i] = min(OWED, racer.highest - racer.laps)
    vector[CHEST + _COLOURS * i + np.uint64(colour_in(state, more, equal))] = 1
    for thing in range(_OBJECTS):
        vector[OBJECTS + _OBJECTS * i + thing] = racer.objects[thing]
    if racer.character >= 0:
        character = np.uint64(racer.character)
        vector[CHARACTER + _CHARACTERS * i + character] = 1
        vector[FIGHT_VALUE + i] = FIGHT[character]
        vector[SPEED_VALUE + i] = SPEED[character]
    rules = np.uint64(racer.rules)
    for special in range(_RULES):
        vector[RULES + _RULES * i + special] = rules >> special & _ONE
