"""The observation of Titan Race as a table: what a seat may know, in whole numbers with their scales.

The board is seen from the own Titan: 36 spaces, three to a row, from two rows behind it to nine
rows before it, so equal situations look equal wherever on the circuit they arise. Titans are
listed in turn order, beginning with its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from titan_env.contract import Field, Fields
from titan_env.games.titan_race.rules.board import COLUMNS, ROWS
from titan_env.games.titan_race.rules.state import (
    BONUS_CARDS,
    CIRCUIT_NAMES,
    HAND_LIMIT,
    MOST_CIRCUITS,
    MOST_TITANS,
    TRAPS,
    Ask,
    Card,
    Face,
    Terrain,
    Titan,
)

ROWS_BEHIND = 2
LAST_TERRAIN = Terrain.ICE
RACE = 36  # rows of a race of three laps
MOST_LEAD = RACE  # rows between two Titans at which the lead is cut off
MOST_TO_GO = 3 * RACE  # rows still to be made, beyond which no more are told
MOST_LAPS_SEEN = 12
MOST_LIVES_SEEN = 12
MOST_TURNS_SEEN = 100
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
_PLACES = tuple(f"Titan {offset}:" for offset in range(MOST_TITANS))
_COLUMNS = tuple(str(column) for column in range(COLUMNS))
_IN_HAND = "hidden cards of the same group in that player's hand, halves"
_FACES = (_named(Face),)
_IN_RACE, _BEFORE = list(Ask)[Ask.DRAFT : Ask.TITAN], list(Ask)[Ask.TITAN :]
_BOARDS = tuple(f"board {board + 1}" for board in range(MOST_CIRCUITS))
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
        Field("ask", (10,), 0, 1, "question to the observing seat; zeros while another is asked", (_named(_IN_RACE),)),
        Field("flags", (len(_FLAGS),), 0, 1, "the course of the turn", (_FLAGS,)),
        Field("pool", (6,), 0, 1, "dice of each face in the pool, sixths", _FACES, MOST_TITANS),
        Field("face", (6,), 0, 1, "face of the die taken in this turn", _FACES),
        Field("action", (6,), 0, 1, "face whose action is played", _FACES),
        Field("hand", (13,), 0, 1, "cards in the own hand", _CARDS),
        Field("discard_pile", (13,), 0, 1, "cards on the discard pile", _CARDS),
        Field("card", (13,), 0, 1, "the card that waits for its aim", _CARDS),
        Field("borrowed", (6,), 0, 1, "the Titan whose ability Mimic lends", (_named(Titan),)),
        Field("aside", (13,), 0, 1, "cards left out of this race", _CARDS),
        Field(
            "lot",
            (13,),
            0,
            1,
            "number of the group of hidden cards shuffled together, twelfths; 0: the current deck",
            _CARDS,
            12,
        ),
        Field("deck_cards", (13,), 0, 1, "hidden cards of the same group in the deck, thirteenths", _CARDS, 13),
        Field("deck", (), 0, 1, "cards left in the deck, thirteenths", scale=BONUS_CARDS),
        Field("supply", (), 0, 1, "trap tokens left, fifteenths", scale=TRAPS),
        Field("laps_to_win", (), 0, 4, "laps to be completed in all, thirds, at most 4", scale=3),
        Field("turns_left", (), 0, 1, "turns left to the limit, hundredths, at most 1", scale=MOST_TURNS_SEEN),
        Field("titan_in_race", (6,), 0, 1, "a Titan has this number in the turn order"),
        Field("titan_ally", (6,), 0, 1, "it wins together with the observing seat"),
        Field("titan_own", (6,), 0, 1, "it belongs to the observing seat"),
        Field("titan_turn", (6,), 0, 1, "it is its turn"),
        Field("titan_target", (6,), 0, 1, "it is about to be shoved"),
        Field("titan_mover", (6,), 0, 1, "its movement was the latest"),
        Field("titan_on_board", (6,), 0, 1, "it has entered the race"),
        Field("titan_life", (6,), 0, 2, "its lives, sixths, at most 2", scale=6),
        Field("titan_gauge", (6,), 0, 2, "top of its gauge, sixths, at most 2", scale=6),
        Field("titan_fit", (6,), 0, 1, "it is not K.O."),
        Field("titan_recovering", (6,), 0, 1, "it is K.O. and its lost turn is over"),
        Field("titan_barred", (6,), 0, 1, "the hourglass bars its next turn, or this one"),
        Field("titan_hand", (6,), 0, 1, "cards in its player's hand, halves", scale=HAND_LIMIT),
        Field("titan_lead", (6,), -1, 1, "rows before the own Titan, 36ths, cut at 1", scale=RACE),
        Field("titan_to_go", (6,), 0, 3, "rows still before it, 36ths, at most 3", scale=RACE),
        Field("titan_row", (6,), 0, 1, "row on the circuit, twelfths", scale=ROWS),
        Field("titan_column", (6, 6), 0, 1, "columns to the right of the own Titan, wrapping", (_PLACES, _COLUMNS)),
        Field("titan_kind", (6, 6), 0, 1, "its Titan, one-hot", (_PLACES, _named(Titan))),
        Field("titan_cards", (6, 13), 0, 1, _IN_HAND, (_PLACES, _named(Card)), HAND_LIMIT),
        Field("ask_before", (3,), 0, 1, "question to the observing seat before the race", (_named(_BEFORE),)),
        Field("circuits", (3, 6), 0, 1, "circuit of each board, one-hot", (_BOARDS, CIRCUIT_NAMES)),
        Field("together", (), 0, 1, "nobody uses ability or card before the first turn of all is over"),
    ),
    whole=True,
)
"""The observation of Titan Race, in order."""
