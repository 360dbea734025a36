"""The 94 actions of Titan Race, declared once and frozen with the game's version.

An action means the same wherever it is legal. Directions are from the acting (or aimed) Titan's
own view: forward is always up the board.
"""

from enum import IntEnum

import numpy as np

from titan_env.contract import ActionTable
from titan_env.games.titan_race.rules.state import CIRCUIT_NAMES, Card, Direction, Face, Titan

FACES = [face.name.lower() for face in Face]
CARDS = [card.name.lower() for card in Card]
MOVES = ["S", "SS", "SL", "SR", "LS", "RS", "LL", "RR", "LLL", "RRR"]
"""The move patterns: straight, left and right, in order."""
DIRECTIONS = [direction.name for direction in Direction]
ENTRIES = ["A1", "C1", "E1"]


class Verb(IntEnum):
    """A group of actions: one verb with each of its objects."""

    DRAFT = 0
    ENTER = 1
    COPY = 2
    PAY = 3
    MOVE = 4
    TRAP = 5
    STRIKE = 6
    ABILITY = 7
    SHOVE = 8
    PLAY = 9
    AIM = 10
    DISCARD = 11
    SUFFER = 12
    PASS = 13
    REROLL = 14
    END = 15
    CHOOSE = 16
    ORDER = 17
    CIRCUIT = 18


_OBJECTS = {
    Verb.DRAFT: FACES,
    Verb.ENTER: ENTRIES,
    Verb.COPY: FACES[:5],
    Verb.PAY: [""],
    Verb.MOVE: MOVES,
    Verb.TRAP: ["B", "BL", "BR"],
    Verb.STRIKE: ["F", "FL", "FR"],
    Verb.ABILITY: ["", *DIRECTIONS],
    Verb.SHOVE: DIRECTIONS,
    Verb.PLAY: CARDS,
    Verb.AIM: DIRECTIONS,
    Verb.DISCARD: CARDS,
    Verb.SUFFER: [""],
    Verb.PASS: [""],
    Verb.REROLL: [""],
    Verb.END: [""],
    Verb.CHOOSE: [titan.name.lower() for titan in Titan],
    Verb.ORDER: ["kept", "swapped"],
    Verb.CIRCUIT: list(CIRCUIT_NAMES),
}
_ACTIONS = [(verb, index, thing) for verb, things in _OBJECTS.items() for index, thing in enumerate(things)]

ACTIONS = ActionTable(tuple(f"{verb.name.lower()}:{thing}".removesuffix(":") for verb, _, thing in _ACTIONS))

VERB_OF = np.array([verb for verb, _, _ in _ACTIONS], np.int64)
"""The `Verb` of each action."""
OBJECT_OF = np.array([index for _, index, _ in _ACTIONS], np.int64)
"""The index of each action's object among those of its verb."""

# The first action of each group, for rules that count from it.
DRAFT = ACTIONS.numbers["draft:yellow"]
ENTER = ACTIONS.numbers["enter:A1"]
COPY = ACTIONS.numbers["copy:yellow"]
PAY = ACTIONS.numbers["pay"]
MOVE = ACTIONS.numbers["move:S"]
TRAP_BEHIND = ACTIONS.numbers["trap:B"]
STRIKE = ACTIONS.numbers["strike:F"]
ABILITY_TO = ACTIONS.numbers["ability:F"]
SHOVE = ACTIONS.numbers["shove:F"]
PLAY = ACTIONS.numbers["play:surprise_trap"]
AIM = ACTIONS.numbers["aim:F"]
DISCARD_CARD = ACTIONS.numbers["discard:surprise_trap"]
SUFFER = ACTIONS.numbers["suffer"]
PASS = ACTIONS.numbers["pass"]
REROLL = ACTIONS.numbers["reroll"]
END = ACTIONS.numbers["end"]
CHOOSE = ACTIONS.numbers["choose:rassik"]
ORDER = ACTIONS.numbers["order:kept"]
CIRCUIT = ACTIONS.numbers[f"circuit:{CIRCUIT_NAMES[0]}"]
