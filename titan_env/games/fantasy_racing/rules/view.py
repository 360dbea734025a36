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
from titan_env.games.fantasy_racing.rules.dice import FAST_DIE, opposite_on_movement
from titan_env.games.fantasy_racing.rules.fights import outcome
from titan_env.games.fantasy_racing.rules.flips import opposite, sides, waiting
from titan_env.games.fantasy_racing.rules.movement import recoil_rows
from titan_env.games.fantasy_racing.rules.numbers import FIGHT, SHORTCUT_ROWS, SPEED
from titan_env.games.fantasy_racing.rules.points import colour_of
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
POINTS_SEEN = 200
"""Points, and differences of points, are cut here."""
OWED = 3
DIE_SHARE = 300
"""What the sides of every die divide."""
RANGE = 30
ALL_RULES = len(Rule)
ALL_COLOURS = len(Colour)
ALL_OUTCOMES = len(Outcome)


def _named(names: Iterable[IntEnum]) -> tuple[str, ...]:
    """The members of an enum as words."""
    return tuple(member.name.lower().replace("_", " ") for member in names)


_ROWS_SEEN = (*(f"{n} behind" for n in range(ROWS_BEHIND, 0, -1)), "own row", *(f"{n} ahead" for n in range(1, 12)))
_COLUMNS_SEEN = (*(f"{n} left" for n in range(COLUMNS_LEFT, 0, -1)), "own column", "1 right", "2 right", "3 right")
_PLACES = tuple("own" if place == 0 else f"racer {place}" for place in range(MOST_RACERS))
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
        Field("ask", (12,), 0, 1, "what is asked", (_named(list(Ask)[1:]),)),
        Field("flags", (6,), 0, 1, "the course of the turn", (_FLAGS,)),
        Field("roll", (8,), 0, 1, "what the dice are rolled for", (_named(list(Roll)[1:]),)),
        Field("dice", (3,), 0, 1, "faces, share of the sides; of the fast die sixths", (_DICE,), DIE_SHARE),
        Field("opposite", (3,), 0, 1, "the opposite faces, likewise", (_DICE,), DIE_SHARE),
        Field("object", (10,), 0, 1, "what the object die shows", (_named(Object),)),
        Field("instead", (10,), 0, 1, "the alternative object", (_named(Object),)),
        Field("outcome", (2, 3), 0, 1, "outcome of a fight", (_LAID, _named(Outcome))),
        Field("landing", (2, 2), -1, 1, "where a shock or shortcut leads", (_LAID, ("rows, fifths", "columns")), 5),
        Field("aim", (7,), 0, 1, "what is being aimed", (_named(Aim),)),
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
        _racers("points", "points, those of others less the own, two-hundredths, cut at 1", POINTS_SEEN, -1),
        _racers("rank", "racers with more points, fifths", 5),
        _racers("order", "place in this round's order, fifths", 5),
        _racers("rows", "rows before the own racer, eighteenths", ROWS, -1),
        _of_racers("columns", tuple(f"{n} to the right" for n in range(COLUMNS)), "columns from the own racer"),
        _racers("owes", "crossings of the line to be made again, thirds, cut at 1", OWED),
        _of_racers("chest", _named(Colour), "colour of its chest icon"),
        _of_racers("objects", _named(Object), "how many it holds, ninths", HAND_LIMIT),
        _of_racers("character", _named(Character), "who it is"),
        _of_racers("rules", _named(Rule), "the special rules it has"),
        _racers("fight", "fight value, hundredths", 100),
        _racers("speed", "speed, thirds", 3),
    ),
    whole=True,
)
"""The observation of Fantasy Racing, in order."""

_AT = {name: np.int64(place.start) for name, place in FIELDS.places.items()}
TRAP, OWN_TRAP, GONE = _AT["board_trap"], _AT["board_own_trap"], _AT["board_gone"]
OPPONENT, PROTECTED, BALL = _AT["board_opponent"], _AT["board_protected"], _AT["board_ball"]
ASK, FLAGS, ROLL, DICE, OPPOSITE = _AT["ask"], _AT["flags"], _AT["roll"], _AT["dice"], _AT["opposite"]
OBJECT, INSTEAD, OUTCOME, LANDING = _AT["object"], _AT["instead"], _AT["outcome"], _AT["landing"]
AIM, RANGE_LEFT, TO_LINE = _AT["aim"], _AT["range_left"], _AT["to_line"]
ROUND, ROUNDS_LEFT, REFILL_IN = _AT["round"], _AT["rounds_left"], _AT["refill_in"]
IN_RACE, TURN, ASKED, PLAYED = _AT["racer_in_race"], _AT["racer_turn"], _AT["racer_asked"], _AT["racer_played"]
IS_PROTECTED, POISONED, MARKED = _AT["racer_protected"], _AT["racer_poisoned"], _AT["racer_marked"]
POINTS, RANK, ORDER = _AT["racer_points"], _AT["racer_rank"], _AT["racer_order"]
ROWS_AHEAD, COLUMNS_RIGHT, OWES = _AT["racer_rows"], _AT["racer_columns"], _AT["racer_owes"]
CHEST, OBJECTS, CHARACTER = _AT["racer_chest"], _AT["racer_objects"], _AT["racer_character"]
RULES, FIGHT_VALUE, SPEED_VALUE = _AT["racer_rules"], _AT["racer_fight"], _AT["racer_speed"]


def _planes() -> Any:
    """The plane of what is printed, as it is and as gone, (2, 9).

    What has none is written to that of the traps, which are written after it.
    """
    planes = np.full((2, len(Square)), TRAP, np.int64)
    planes[0, 1:] = [_AT[f"board_{square.name.lower()}"] for square in list(Square)[1:]]
    planes[1, Square.COIN :] = GONE
    return planes


SEEN = np.array(
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
PLACE = np.argsort(SEEN, 1).astype(np.uint8)
"""Where each square lies in the window around another."""
PLANE = _planes()
WINDOW = np.uint64(SQUARES)


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """Write what a seat may know in whole numbers; `FIELDS` says what stands where, and its scale."""
    vector[:] = 0
    here = int(state.racers[seat].square)
    _see_board(state, seat, here, vector)
    _see_turn(state, seat, here, vector)
    if state.roll != Roll.NONE:
        _see_roll(state, vector)
    _see_racers(state, seat, here, vector)


@rule
def _see_board(state: Any, seat: int, here: int, vector: Any) -> None:
    """What is printed, the traps, the opponents and the ball around the own racer."""
    own = seat + 1
    for i in range(WINDOW):
        square = SEEN[here, i]
        vector[PLANE[state.gone[square], state.printed[square]] + i] = 1
        trap = state.traps[square]
        vector[TRAP + i] = trap != 0 and trap != own
        vector[OWN_TRAP + i] = trap == own
    for who in range(state.seats):
        racer = state.racers[who]
        i = PLACE[here, racer.square]
        if who != seat:
            vector[OPPONENT + i] = min(3, vector[OPPONENT + i] + 1)
            if racer.protected:
                vector[PROTECTED + i] = 1
    if state.ask == Ask.FIRE:
        vector[BALL + PLACE[here, state.ball]] = 1


@rule
def _see_turn(state: Any, seat: int, here: int, vector: Any) -> None:
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
    vector[TO_LINE] = ROWS - here // COLUMNS
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
def _see_racers(state: Any, seat: int, here: int, vector: Any) -> None:
    """Every racer, by its seat after the own one."""
    for place in range(state.seats):
        who = int(state.order[place])
        i = (who - seat) % state.seats
        vector[ORDER + i] = place
        vector[PLAYED + i] = place < state.turn
        _see_racer(state, seat, here, who, i, vector)
    vector[ASKED + (state.seat - seat) % state.seats] = state.ask != Ask.NOTHING
    if state.rounds_begun > 0:
        vector[TURN + (current(state) - seat) % state.seats] = 1


@rule
def _see_racer(state: Any, seat: int, here: int, who: int, i: int, vector: Any) -> None:
    """One racer, listed in place `i`."""
    racer = state.racers[who]
    points = state.scores[who] - (0 if who == seat else state.scores[seat])
    vector[IN_RACE + i] = 1
    vector[IS_PROTECTED + i] = racer.protected
    vector[POISONED + i] = racer.poisoned
    vector[MARKED + i] = racer.mark > 0
    vector[POINTS + i] = max(-POINTS_SEEN, min(POINTS_SEEN, points))
    for other in range(state.seats):
        vector[RANK + i] += state.scores[other] > state.scores[who]
    vector[ROWS_AHEAD + i] = int(PLACE[here, racer.square]) // COLUMNS - ROWS_BEHIND
    vector[COLUMNS_RIGHT + COLUMNS * i + (racer.square - here) % COLUMNS] = 1
    vector[OWES + i] = min(OWED, racer.highest - racer.laps)
    vector[CHEST + ALL_COLOURS * i + colour_of(state, who)] = 1
    for thing in range(ALL_OBJECTS):
        vector[OBJECTS + ALL_OBJECTS * i + thing] = racer.objects[thing]
    if racer.character >= 0:
        vector[CHARACTER + ALL_CHARACTERS * i + racer.character] = 1
        vector[FIGHT_VALUE + i] = FIGHT[racer.character]
        vector[SPEED_VALUE + i] = SPEED[racer.character]
    for special in range(ALL_RULES):
        vector[RULES + ALL_RULES * i + special] = racer.rules >> special & 1
