"""What a race is made of: its names, its numbers and its one flat record."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from titan_env.contract import HEADER

MOST_TITANS = 6
SPACES = 36  # on one circuit
MOST_CIRCUITS = 3  # laid end to end in a Grand Slam
MOST_SPACES = SPACES * MOST_CIRCUITS
TRAPS = 15  # tokens in the box
HAND_LIMIT = 2
NOWHERE = -1  # not on the board, or no such space
BEYOND = -2  # past the top of the third board of a Grand Slam
NOBODY = -1  # instead of a Titan
MOST_DUE = 24  # effects that can wait on the agenda


class Titan(IntEnum):
    """The six Titans."""

    RASSIK = 0
    RAGNAROK = 1
    CRAKEN = 2
    GRINDER = 3
    SLAUGG = 4
    CHTOOLOO = 5


class Face(IntEnum):
    """The six faces of an Action die."""

    YELLOW = 0
    BLUE = 1
    BROWN = 2
    RED = 3
    GREEN = 4
    PURPLE = 5


NO_FACE = -1


class Direction(IntEnum):
    """The six directions; the first three are the zone before a Titan, the others behind."""

    F = 0
    FL = 1
    FR = 2
    B = 3
    BL = 4
    BR = 5


class Terrain(IntEnum):
    """What is printed on a space."""

    PLAIN = 0
    BONUS = 1
    LAVA = 2
    PIRATES = 3
    SUPER_RAMP_LEFT = 4
    SUPER_RAMP_RIGHT = 5
    MULTI_RAMP = 6
    STATUE = 7
    PENTACLE = 8
    ICE = 9


CIRCUIT_NAMES = ("kaldheira", "dead_mans_lagoon", "moltenchest", "ban_kog", "anglieh", "estenguard")
"""The six circuits of the box."""

EMPTY, TRAP = 0, 7
"""What `on` holds of a space: nothing, or 1 + the number of a Titan, plus TRAP where a trap lies.

Both together when a Titan was placed on a trapped entry space, which triggers nothing, until the second
of two that change places enters its space, and under who has won by entering.
"""


class Card(IntEnum):
    """The 13 bonus cards."""

    SURPRISE_TRAP = 0
    SPEED_POTION = 1
    SHIELD = 2
    EXPLOSION = 3
    FIREBALL = 4
    LIGHTNING = 5
    MIMIC = 6
    RETREAT = 7
    WINGS = 8
    HEALING_POTION = 9
    GUST = 10
    HOURGLASS = 11
    THORNS = 12


BONUS_CARDS = len(Card)
NO_CARD = -1
DECK, DISCARD, ASIDE = -1, -2, -3
"""Where a card is when it is in nobody's hand. The deck has no order: a draw takes any card of it.

ASIDE: out of the game.
"""


class Condition(IntEnum):
    """How a Titan is: racing, or on which page of the K.O. calendar."""

    FIT = 0
    KNOCKED_OUT = 1  # lies there; its next turn is lost
    RECOVERING = 2  # that turn has been lost; the next one begins with new life


class Ask(IntEnum):
    """What the seat to act is asked."""

    NOTHING = 0
    DRAFT = 1  # a die from the pool
    ENTER = 2  # an entry space, in the first turn
    TURN = 3  # what next: die action, ability, card, reroll, end
    DIE = 4  # the rest of a die action that has begun
    AIM = 5  # the direction or target of the card just played
    ABILITY = 6  # the target of the ability that Mimic lends
    SHOVE = 7  # which way the chosen Titan is shoved
    PIRATES = 8  # a card or a life
    SHIELD = 9  # play the shield, or lose the life
    THORNS = 10  # play the thorns on the Titan that pushed you
    TITAN = 11  # before the race: one of the Titans that are left
    ORDER = 12  # before the race: which of the own two Titans goes first
    CIRCUIT = 13  # before the race: one of the six circuits


class Event(IntEnum):
    """What can happen: (kind, who, whom or where, how much). Who and whom are Titans."""

    DRAFTED = 0  # who took a die; face
    GAIN = 1  # who gained life; -; how much
    MOVED = 2  # who is now on a space (second number)
    PUSHED = 3  # who pushed whom
    LAP = 4  # who crossed the line; -; +1 or -1
    LOSS = 5  # who lost 1 life; cause (Cause); life left
    KNOCKED_OUT = 6  # who
    RECOVERED = 7  # who stands up again; -; life
    TRAP_SET = 8  # who set a trap; on which space
    TRAP_SPRUNG = 9  # who entered a trap; on which space
    TRAP_DESTROYED = 10  # who destroyed a trap; on which space
    SLID = 11  # who slid on ice; from which space
    JUMPED = 12  # who took a ramp; from which space
    BLAST = 13  # who set off the statue; on which space
    PIRATES = 14  # who was attacked by pirates; on which space
    BONUS = 15  # who drew a card; -; card
    CARD = 16  # who played a card; -; card
    DISCARDED = 17  # who threw away or gave up a card; -; card
    ABILITY = 18  # who used an ability; - ; whose ability (Titan kind)
    SWAPPED = 19  # who changed places with whom
    SHOVED = 20  # who shoved whom; direction
    SHIELDED = 21  # who lost no life thanks to the shield; cause
    BARRED = 22  # who barred whom for a turn
    REROLLED = 23  # who rerolled on the pentacle; -; face
    ROLLED = 24  # the pool was rolled for who
    WON = 25  # who crossed the line for the last time
    STOPPED = 26  # who could not move on, whom or where
    CHOSE = 27  # who is now a Titan that its player chose; -; Titan
    ORDERED = 28  # who goes before whom, both of one player
    LAID = 29  # who (its player) laid a circuit; on which board; circuit


class Cause(IntEnum):
    """Why a life is lost."""

    PUSH = 0
    TRAP = 1
    LAVA = 2
    PIRATES = 3
    BLAST = 4
    STRIKE = 5
    PURPLE = 6
    PENTACLE = 7
    SLAUGG = 8
    CHTOOLOO = 9
    EXPLOSION = 10
    FIREBALL = 11
    LIGHTNING = 12
    THORNS = 13


class Due(IntEnum):
    """Effects that wait on the agenda; the latest one is carried out first."""

    MOVE = 0  # who, pattern, next step: the die action's move
    STEP = 1  # who, direction, manner, tried: one step of one Titan
    ENTER = 2  # who, direction, manner: what the entered space does
    AREA = 3  # who, next direction, end, cause: damage around a Titan, one space after the other
    LOSE = 4  # who, cause, drainer: 1 life that a shield could save
    PUSH_LOSS = 5  # who: the life that a push costs
    THORNS = 6  # who: may answer the push
    DIE_MOVED = 7  # who: the die's move has ended
    REROLL = 8  # who: the die rolled on the pentacle


class Manner(IntEnum):
    """How a Titan comes to change its space."""

    OWN = 0  # die, kick, or a card that says "move"
    FLYING = 1  # wings: the first space is not entered
    PUSHED = 2
    SHOVED = 3
    SWAPPED = 4


_TITAN = np.dtype(
    [
        # Who it is
        ("kind", np.int8),  # Titan; before it is chosen one that nobody has chosen
        ("chosen", np.int8),  # 1: its player has it; 0 only before the race
        ("seat", np.int8),  # the player who plays it
        ("side", np.int8),  # the team for which it races
        ("life_max", np.int8),  # top of its gauge
        ("life_start", np.int8),  # where it starts and restarts
        # Where it is in the race
        ("space", np.int8),  # 0..107 (three to a row), NOWHERE before it has entered
        ("lap", np.int8),  # starts at 1; may fall below
        ("progress", np.int16),  # rows gained since it entered, net of rows lost; entering counts 0
        # How it is
        ("life", np.int8),
        ("condition", np.int8),  # Condition
        ("barred", np.int8),  # 1: neither ability nor card in its next turn
        ("face", np.int8),  # the die on its board, NO_FACE before the first
        # During one movement
        ("moving", np.int8),  # 1: it has left its space and not yet arrived
        ("bumped", np.int8),  # 1: it has been pushed in this movement
    ]
)

TITAN = np.dtype((np.record, _TITAN))
"""One Titan. As a record type, so that its fields have names in plain Python too."""

STATE = np.dtype(
    [
        *HEADER,
        # The race
        ("titans_in_race", np.int8),
        ("sides", np.int8),  # teams, or seats where everybody races alone
        ("circuits", np.int8),  # 1, or 3 in a Grand Slam
        ("laps", np.int8),  # to be completed
        ("gauges", np.int8, (MOST_TITANS,)),  # top of each Titan's gauge, by its number; 0: as on its board
        ("circuit", np.int8, (MOST_CIRCUITS,)),  # its number; RANDOM, GENERATED_TERRAIN, OWN_TERRAIN, CHOSEN_CIRCUIT
        ("levels", np.int16, (MOST_CIRCUITS, 2)),  # of circuits to be generated: first level and how many; else 0
        ("together", np.int8),  # 1: nobody uses ability or card before the first turn of all is over
        ("before", np.int8),  # 1: Titans or circuits are still being chosen
        ("orders", np.int8),  # players who have still to set the order of their two Titans
        ("turn_limit", np.int16),  # turns of all Titans together; 0: none
        # The board
        ("terrain", np.int8, (MOST_SPACES,)),  # Terrain
        ("on", np.int8, (MOST_SPACES,)),  # EMPTY, 1 + Titan, TRAP, or the sum of both
        ("supply", np.int8),  # trap tokens beside the board
        # The Titans, in turn order
        ("titans", TITAN, (MOST_TITANS,)),
        # Dice and cards
        ("pool", np.int8, (6,)),  # dice of each face in the pool
        ("unrolled", np.int8),  # 1: the pool has not been rolled yet
        ("cards", np.int8, (BONUS_CARDS,)),  # DECK, DISCARD, ASIDE, or the seat that holds it
        ("lots", np.int8, (BONUS_CARDS,)),  # equal where cards lay in a deck together: 0 that of now, above 0 gone
        # The turn
        ("turns", np.int16),  # turns begun, by all Titans
        ("titan", np.int8),  # whose turn it is
        ("first_turn", np.int8),  # 1: it enters the race in this turn: neither ability nor card of any kind
        ("barred", np.int8),  # 1: the hourglass forbids ability and cards in this turn
        ("face", np.int8),  # the die taken in this turn, NO_FACE before
        ("action", np.int8),  # the face whose action is played (differs for purple)
        ("begun", np.int8),  # 1: the die action has begun
        ("moved", np.int8),  # 1: its move has been made
        ("extra_due", np.int8),  # 1: red's trap or green's damage is still to come
        ("owes", np.int8),  # 1: a purple die is not paid for
        ("die_done", np.int8),  # 1: the die action is over
        ("ability_used", np.int8),
        ("card_played", np.int8),
        ("rerolled", np.int8),  # 1: no ability and no card of any kind any more
        ("pentacle", np.int8),  # where its latest movement of its own ended, if on a pentacle that it has not left
        # A question in the middle of something
        ("asked", np.int8),  # the Titan that the question is about
        ("card", np.int8),  # the card that waits for its aim, NO_CARD else
        ("borrowed", np.int8),  # the kind of Titan whose ability is used
        ("target", np.int8),  # the Titan that is about to be shoved
        ("mover", np.int8),  # whose movement it is
        # The agenda: what is still to be carried out, the next one last
        ("due", np.int8),
        ("agenda", np.int8, (MOST_DUE, 5)),  # Due, who and three numbers
    ]
)
"""One race. At most 600 bytes; nothing that a player may not know is hidden elsewhere."""

CHOSEN = -2
"""Instead of a Titan: its player will choose one. RANDOM: it is drawn."""
RANDOM, OWN_TERRAIN, GENERATED_TERRAIN, CHOSEN_CIRCUIT = -1, -2, -3, -4
"""Instead of a circuit's number: drawn, already painted into `terrain`, to be generated, to be chosen."""


class Race(NamedTuple):
    """What every rule works on: the state, the dice and the log of what happens."""

    state: Any
    luck: Any
    log: Any
