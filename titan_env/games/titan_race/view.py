"""What a seat may know, as numbers: listed fields, the observing seat's Titan first.

The board is seen from that Titan: 36 spaces, three to a row, from two rows behind it to nine
rows before it, so equal situations look equal wherever on the circuit they arise. Titans are
listed in turn order, beginning with its own. Hidden stays hidden: of other hands only the size.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

import numpy as np

from titan_env.contract import Field, Fields
from titan_env.games.titan_race.board import (
    COLUMNS,
    ROWS,
    column_of,
    owner,
    space_at,
)
from titan_env.games.titan_race.cards import pile, tally
from titan_env.games.titan_race.dice import may_reroll
from titan_env.games.titan_race.state import (
    BONUS_CARDS,
    DECK,
    DISCARD,
    EMPTY,
    HAND_LIMIT,
    MOST_TITANS,
    NO_CARD,
    NO_FACE,
    NOBODY,
    NOWHERE,
    SPACES,
    TRAP,
    TRAPS,
    Ask,
    Card,
    Condition,
    Face,
    Terrain,
    Titan,
)
from titan_env.games.titan_race.turn import is_free
from titan_env.jit import rule

ROWS_BEHIND = 2
LAST_TERRAIN = Terrain.ICE
MOST_LEAD = 3.0  # laps between two Titans at which the lead is cut off
_FLAGS = (
    "it is the seat's own turn",
    "the die action has begun",
    "its move has been made",
    "red's trap or green's damage is to come",
    "purple is not paid for",
    "the die action is over",
    "the ability may still be used this turn",
    "a card may still be played this turn",
    "the pentacle may be used",
    "Grand Slam",
)


def _named(names: Iterable[IntEnum]) -> tuple[str, ...]:
    """The members of an enum as words."""
    return tuple(member.name.lower().replace("_", " ") for member in names)


_ROWS_SEEN = (*(f"{n} behind" for n in range(ROWS_BEHIND, 0, -1)), "own row", *(f"{n} ahead" for n in range(1, 10)))
_COLUMNS_SEEN = ("first", "second", "third")
_PLACES = tuple(f"Titan {place}:" for place in range(MOST_TITANS))
_COLUMNS = tuple(str(column) for column in range(COLUMNS))
_FACES = (_named(Face),)
_CARDS = (_named(Card),)


def _plane(name: str, what: str) -> Field:
    """Where something is on the board around the own Titan."""
    meaning = f"{what}, by row, and in a row from the own column to the right"
    return Field(f"board_{name}", (12, 3), 0, 1, meaning, (_ROWS_SEEN, _COLUMNS_SEEN))


FIELDS = Fields(
    (
        *(_plane(terrain.name.lower(), *_named([terrain])) for terrain in list(Terrain)[1:]),
        _plane("trap", "a trap"),
        _plane("titan", "another Titan"),
        Field("ask", (10,), 0, 1, "what is asked", (_named(list(Ask)[1:]),)),
        Field("flags", (len(_FLAGS),), 0, 1, "the course of the turn", (_FLAGS,)),
        Field("pool", (6,), 0, 1, "dice of each face in the pool, sixths", _FACES),
        Field("face", (6,), 0, 1, "face of the die taken in this turn", _FACES),
        Field("action", (6,), 0, 1, "face whose action is played", _FACES),
        Field("hand", (13,), 0, 1, "cards in the own hand", _CARDS),
        Field("discard_pile", (13,), 0, 1, "cards on the discard pile", _CARDS),
        Field("card", (13,), 0, 1, "the card that waits for its aim", _CARDS),
        Field("borrowed", (6,), 0, 1, "the Titan whose ability Mimic lends", (_named(Titan),)),
        Field("deck", (), 0, 1, "cards left in the deck, thirteenths"),
        Field("supply", (), 0, 1, "trap tokens left, fifteenths"),
        Field("laps_to_win", (), 0, 1, "laps to be completed in all: 1 / number"),
        Field("turns_left", (), 0, 1, "share of the turn limit that is left; 1 without a limit"),
        Field("titan_in_race", (6,), 0, 1, "a Titan sits in this place of the turn order"),
        Field("titan_ally", (6,), 0, 1, "it wins together with the observing seat"),
        Field("titan_own", (6,), 0, 1, "it belongs to the observing seat"),
        Field("titan_turn", (6,), 0, 1, "it is its turn"),
        Field("titan_target", (6,), 0, 1, "it is about to be shoved"),
        Field("titan_mover", (6,), 0, 1, "its movement was the latest"),
        Field("titan_on_board", (6,), 0, 1, "it has entered the race"),
        Field("titan_life", (6,), 0, 1, "its life, share of its gauge"),
        Field("titan_gauge", (6,), 0, 1, "top of its gauge, sixths, at most 1"),
        Field("titan_fit", (6,), 0, 1, "it is not K.O."),
        Field("titan_recovering", (6,), 0, 1, "it is K.O. and its lost turn is over"),
        Field("titan_barred", (6,), 0, 1, "the hourglass bars its next turn, or this one"),
        Field("titan_hand", (6,), 0, 1, "cards in its player's hand, halves"),
        Field("titan_lead", (6,), -1, 1, "rows before the own Titan, in laps, thirds, cut at 1"),
        Field("titan_to_go", (6,), 0, 1, "share of the race still before it, at most 1"),
        Field("titan_row", (6,), 0, 1, "row on the circuit, twelfths"),
        Field("titan_column", (6, 6), 0, 1, "columns to the right of the own Titan, wrapping", (_PLACES, _COLUMNS)),
        Field("titan_kind", (6, 6), 0, 1, "which Titan it is", (_PLACES, _named(Titan))),
    )
)
"""The observation of Titan Race, in order."""

_AT = {name: np.int64(place.start) for name, place in FIELDS.places.items()}
BOARD = _AT["board_bonus"]
TRAP_PLANE, TITAN_PLANE = _AT["board_trap"], _AT["board_titan"]
ASK, FLAGS = _AT["ask"], _AT["flags"]
POOL, FACE, ACTION = _AT["pool"], _AT["face"], _AT["action"]
HAND, DISCARDED, CARD, BORROWED = _AT["hand"], _AT["discard_pile"], _AT["card"], _AT["borrowed"]
DECK_LEFT, SUPPLY, LAPS, TURNS_LEFT = _AT["deck"], _AT["supply"], _AT["laps_to_win"], _AT["turns_left"]
IN_RACE, ALLY, OWN, TURN = _AT["titan_in_race"], _AT["titan_ally"], _AT["titan_own"], _AT["titan_turn"]
TARGET, MOVER, ON_BOARD = _AT["titan_target"], _AT["titan_mover"], _AT["titan_on_board"]
LIFE, GAUGE, FIT, RECOVERING = _AT["titan_life"], _AT["titan_gauge"], _AT["titan_fit"], _AT["titan_recovering"]
BARRED, HANDS, LEAD, TO_GO = _AT["titan_barred"], _AT["titan_hand"], _AT["titan_lead"], _AT["titan_to_go"]
ROW, COLUMN, KIND = _AT["titan_row"], _AT["titan_column"], _AT["titan_kind"]
OWN_PLACE = ROWS_BEHIND * 3
"""Where the own Titan's space lies in the window."""


def _window() -> Any:
    """The spaces around each space of a circuit, relative to the first space of the circuit below.

    The window is read row by row, from two rows behind, and within a row from the own column to
    the right. The first half wraps; in the second half, for a Grand Slam, it leads on to the
    circuits below and above. Unsigned numbers spare the compiled code a check for negative ones.
    """
    seen = np.zeros((2, SPACES, SPACES), np.uint16)
    for here in range(SPACES):
        for i in range(SPACES):
            row = here // 3 - ROWS_BEHIND + i // 3
            odd = (i // 3 - ROWS_BEHIND) % 2
            column = (column_of(here) + 2 * (i % 3) + odd) % COLUMNS
            seen[0, here, i] = space_at(column, row % ROWS + 1)
            seen[1, here, i] = seen[0, here, i] + (row // ROWS + 1) * SPACES
    return seen


SEEN = _window()
PLANE = np.array([TITAN_PLANE, *(BOARD + kind * SPACES for kind in range(LAST_TERRAIN))], np.uint16)
"""Where the plane of each terrain begins; plain spaces have none and are written where it does no harm."""
WINDOW = np.uint64(SPACES)
COLUMNS_RIGHT = np.array(
    [[(column_of(there) - column_of(here)) % COLUMNS for there in range(SPACES)] for here in range(SPACES)]
)


@rule
def own_titan(state: Any, seat: int) -> int:
    """The Titan through whose eyes a seat sees: the one it is asked about, else the one to move, else its first."""
    if owner(state, state.asked) == seat:
        return int(state.asked)
    if owner(state, state.titan) == seat:
        return int(state.titan)
    return int(seat)


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """Write what a seat may know as a float32 vector; `FIELDS` says what stands where."""
    me = own_titan(state, seat)
    here = max(int(state.titans[me].space), 0)
    vector[:] = 0
    if state.circuits == 1:
        _see_circuit(state, here, vector)
    else:
        _see_grand_slam(state, here, vector)
    _see_turn(state, seat, vector)
    piles = tally(state)
    _see_cards(state, seat, piles, vector)
    _see_titans(state, seat, me, here, piles, vector)


@rule
def _see_circuit(state: Any, here: int, vector: Any) -> None:
    """The terrain, the traps and the other Titans around the own one."""
    for i in range(WINDOW):
        _see_space(state, SEEN[0, here, i], i, vector)
    vector[TITAN_PLANE + OWN_PLACE] = 0


@rule
def _see_grand_slam(state: Any, here: int, vector: Any) -> None:
    """The same in a Grand Slam, which ends at its bottom and at its top."""
    first = here - here % SPACES
    for i in range(WINDOW):
        space = int(SEEN[1, here % SPACES, i]) + first - SPACES
        if 0 <= space < state.circuits * SPACES:
            _see_space(state, space, i, vector)
    vector[TITAN_PLANE + OWN_PLACE] = 0


@rule
def _see_space(state: Any, space: int, i: int, vector: Any) -> None:
    """One space, without a branch that the processor would have to guess."""
    token = state.on[space]
    vector[PLANE[state.terrain[space]] + i] = 1
    vector[TRAP_PLANE + i] = token >= TRAP
    vector[TITAN_PLANE + i] = token != EMPTY and token != TRAP


@rule
def _see_turn(state: Any, seat: int, vector: Any) -> None:
    """The question, the dice and the course of the turn."""
    if state.ask != Ask.NOTHING:
        vector[ASK + state.ask - 1] = 1
    free = is_free(state)
    vector[FLAGS] = owner(state, state.titan) == seat
    vector[FLAGS + 1] = state.begun
    vector[FLAGS + 2] = state.moved
    vector[FLAGS + 3] = state.extra_due
    vector[FLAGS + 4] = state.owes
    vector[FLAGS + 5] = state.die_done
    vector[FLAGS + 6] = free and not state.ability_used
    vector[FLAGS + 7] = free and not state.card_played
    vector[FLAGS + 8] = may_reroll(state, state.titan)
    vector[FLAGS + 9] = state.circuits > 1
    for face in range(6):
        vector[POOL + face] = state.pool[face] * (1 / MOST_TITANS)
    if state.face != NO_FACE:
        vector[FACE + state.face] = 1
    if state.action != NO_FACE:
        vector[ACTION + state.action] = 1
    vector[SUPPLY] = state.supply * (1 / TRAPS)
    vector[LAPS] = 1 / state.laps
    vector[TURNS_LEFT] = max(0.0, 1 - state.turns / state.turn_limit) if state.turn_limit else 1.0


@rule
def _see_cards(state: Any, seat: int, piles: int, vector: Any) -> None:
    """The own hand, the discard pile, and the card that is being played."""
    for card in range(BONUS_CARDS):
        vector[HAND + card] = state.cards[card] == seat
        vector[DISCARDED + card] = state.cards[card] == DISCARD
    vector[DECK_LEFT] = pile(piles, DECK) * (1 / BONUS_CARDS)
    if state.card != NO_CARD:
        vector[CARD + state.card] = 1
    if state.ask == Ask.ABILITY or (state.ask == Ask.SHOVE and not state.ability_used):
        vector[BORROWED + state.borrowed] = 1


@rule
def _mark(state: Any, me: int, who: int, field: Any, vector: Any) -> None:
    """Mark one Titan in a field, if there is one to mark."""
    if who != NOBODY:
        place = who - me if who >= me else who - me + state.titans_in_race
        vector[field + place] = 1


@rule
def _see_titans(state: Any, seat: int, me: int, here: int, piles: int, vector: Any) -> None:
    """Every Titan, by its place in the turn order after the own one."""
    own = state.titans[me]
    own_rows = own.lap * ROWS + here % SPACES // 3
    per_lap = 1 / (state.laps * ROWS)
    _mark(state, me, state.titan, TURN, vector)
    _mark(state, me, state.target, TARGET, vector)
    _mark(state, me, state.mover, MOVER, vector)
    who = me
    for place in range(state.titans_in_race):
        titan = state.titans[who]
        rows = titan.lap * ROWS
        if titan.space != NOWHERE:
            space = int(titan.space) % SPACES
            rows += space // 3
            vector[ON_BOARD + place] = 1
            vector[ROW + place] = space // 3 * (1 / ROWS)
            vector[COLUMN + place * COLUMNS + COLUMNS_RIGHT[here % SPACES, space]] = 1
        vector[IN_RACE + place] = 1
        vector[ALLY + place] = titan.side == own.side
        vector[OWN + place] = titan.seat == seat
        vector[LIFE + place] = titan.life / titan.life_max
        vector[GAUGE + place] = min(1.0, titan.life_max * (1 / 6))
        vector[FIT + place] = titan.condition == Condition.FIT
        vector[RECOVERING + place] = titan.condition == Condition.RECOVERING
        vector[BARRED + place] = titan.barred or (state.barred and state.titan == who)
        vector[HANDS + place] = pile(piles, titan.seat) * (1 / HAND_LIMIT)
        vector[LEAD + place] = max(-1.0, min(1.0, (rows - own_rows) * (1 / (ROWS * MOST_LEAD))))
        vector[TO_GO + place] = max(0.0, min(1.0, 1 - (rows - ROWS) * per_lap))
        vector[KIND + place * MOST_TITANS + titan.kind] = 1
        who = who + 1 if who + 1 < state.titans_in_race else 0
