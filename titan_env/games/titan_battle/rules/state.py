"""What a battle is made of: its names, its numbers, and its record, which lies in the state of a game."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from titan_env.contract import HEADER

HEXES = 27
DIRECTIONS = 6  # N, NE, SE, S, SW, NW
ROUNDS = 7
LEGION = 7  # characters that a legion can have
SLOTS = LEGION + 1  # of a side: its legion and one arrival
FIGHTERS = 2 * SLOTS
ARRIVAL_SLOT = LEGION  # the slot of a side for its reinforcement or its angel
NOBODY = -1  # instead of a fighter's number
OUTSIDE, GONE, EMPTY = 27, 28, 29
"""Instead of a hex: not yet on the map; slain, or lost outside; there is no such fighter."""


class Character(IntEnum):
    """The 24 characters."""

    TITAN = 0
    ANGEL = 1
    ARCHANGEL = 2
    GUARDIAN = 3
    WARLOCK = 4
    CENTAUR = 5
    GARGOYLE = 6
    OGRE = 7
    LION = 8
    MINOTAUR = 9
    RANGER = 10
    TROLL = 11
    CYCLOPS = 12
    GORGON = 13
    WARBEAR = 14
    GRIFFON = 15
    WYVERN = 16
    BEHEMOTH = 17
    UNICORN = 18
    DRAGON = 19
    GIANT = 20
    HYDRA = 21
    SERPENT = 22
    COLOSSUS = 23


KINDS = len(Character)


class Land(IntEnum):
    """The eleven terrains, each with a battleland."""

    PLAINS = 0
    WOODS = 1
    BRUSH = 2
    JUNGLE = 3
    MARSH = 4
    HILLS = 5
    DESERT = 6
    SWAMP = 7
    MOUNTAINS = 8
    TUNDRA = 9
    TOWER = 10


LANDS = len(Land)


class Hazard(IntEnum):
    """What covers a hex."""

    PLAIN = 0
    TREE = 1
    BOG = 2
    SAND = 3
    BRAMBLE = 4
    DRIFT = 5
    VOLCANO = 6


class Border(IntEnum):
    """What lies on a side of a hex: slope, dune and wall go down from it, a cliff has it on top."""

    NONE = 0
    SLOPE = 1
    DUNE = 2
    WALL = 3
    CLIFF = 4


class Edge(IntEnum):
    """The side between two hexes, as met by whoever looks from one of them to the other."""

    NONE = 0
    DOWN_SLOPE = 1
    DOWN_DUNE = 2
    DOWN_WALL = 3
    DOWN_CLIFF = 4
    UP_SLOPE = 5
    UP_DUNE = 6
    UP_WALL = 7
    UP_CLIFF = 8


UPHILL = 4  # what an edge that goes up adds to the number of its border


class Side(IntEnum):
    """Who fights."""

    ATTACKER = 0
    DEFENDER = 1


class Entry(IntEnum):
    """The side of the map on which the attacker enters; the defender enters opposite."""

    RIGHT = 0
    BOTTOM = 1
    LEFT = 2


class Phase(IntEnum):
    """How far a half of a round has come."""

    ARRIVAL = 0  # reinforcement, summoning
    MANEUVER = 1
    STRIKE = 2  # of the side whose half it is
    STRIKE_BACK = 3  # of the other side


class Window(IntEnum):
    """Whether the attacker may summon."""

    NOT_YET = 0
    OPEN = 1  # a defender has been slain; at the start of the attacker's next half
    PAST = 2


class Result(IntEnum):
    """How a battle stands."""

    RUNNING = 0
    ATTACKER_WINS = 1
    DEFENDER_WINS = 2
    MUTUAL = 3  # both sides are eliminated
    TIME_LOSS = 4  # both still stand after the last round: the attacker is eliminated


class Ask(IntEnum):
    """What a side is asked."""

    NOTHING = 0
    MANEUVER = 1  # who moves or comes on
    GO = 2  # where to
    STRIKE = 3  # who strikes
    TARGET = 4  # whom
    HANDICAP = 5  # the plain strike, or a worse one that can carry over
    CARRY = 6  # who gets the surplus
    REINFORCE = 7
    SUMMON = 8


class Event(IntEnum):
    """What can happen: (kind, who, whom or where, how much). Who is a side, but a seat where that is said.

    A spot is a hex with the character that stands on it (`fighters.spot`): it may be gone when people are told.
    """

    BATTLE = 0  # the attacker's seat, the defender's seat, land
    ENTERED = 1  # side, kind, hex
    WENT = 2  # side, spot that it leaves, hex
    FROZEN = 3  # side, spot: one hit by drift
    STRUCK = 4  # side, spot of the striker, of the target
    DICE = 5  # how many, strike number, hits
    CARRIED = 6  # side of the victim, its spot, hits
    SLAIN = 7  # side, kind, hex
    LEFT_OUTSIDE = 8  # side, kind
    REINFORCED = 9  # side, kind, land
    SUMMONED = 10  # side, kind, land
    RETURNED = 11  # side, kind: it has not entered
    TIME_LOSS = 12
    ELIMINATED = 13  # seat, by whom
    WON = 14  # seat


_FIGHTER = np.dtype(
    [
        ("kind", np.int8),  # Character
        ("hex", np.int8),  # 0..26, OUTSIDE, GONE or EMPTY
        ("hits", np.int8),  # taken
        ("power", np.int8),
        ("moved", np.int8),  # 1: in this phase
        ("locked", np.int8),  # 1: was in contact when this phase began
        ("struck", np.int8),  # 1: in this phase
        ("slain", np.int8),  # 1: lies there until the end of this phase
    ]
)

FIGHTER = np.dtype((np.record, _FIGHTER))
"""One character in a battle. As a record type, so that its fields have names in plain Python too."""

_BATTLE = np.dtype(
    [
        # Where, and how far it has come
        ("land", np.int8),  # Land
        ("entry", np.int8),  # Entry
        ("rounds_begun", np.int8),  # 1..7
        ("half", np.int8),  # Side whose half it is
        ("phase", np.int8),  # Phase
        ("result", np.int8),  # Result
        # The question
        ("ask", np.int8),  # Ask
        ("asked", np.int8),  # Side
        # What may still arrive
        ("window", np.int8),  # Window
        ("angel_waits", np.int8),  # 1: may be summoned
        ("archangel_waits", np.int8),
        ("may_reinforce", np.int8),  # 1: the defender, in round 4
        ("supply", np.int32),  # a bit for each Character that can be mustered
        # What a war adds; all zero in a battle that stands alone
        ("lean", np.int8),  # 1: the ladders of the lean game
        ("concessions", np.int8),  # 1: a side may concede before it moves or enters anybody
        ("may_concede", np.int8),  # 1: nobody has moved or come on in this phase
        # The move or strike that is being made
        ("picked", np.int8),  # number of a fighter, or NOBODY
        ("target", np.int8),  # the same
        ("dice", np.int8),
        ("number", np.int8),  # strike number
        ("surplus", np.int8),  # hits that may be carried over
        # The attacker's fighters, then the defender's: each in the order of kinds, the arrival last
        ("fighters", FIGHTER, (FIGHTERS,)),
    ]
)

BATTLE = np.dtype((np.record, _BATTLE))
"""One battle, which knows sides and no seats."""


class Draw(IntEnum):
    """Where a legion comes from."""

    LISTED = 0
    DRAWN = 1
    WITH_TITAN = 2  # drawn, its lord is a titan


STATE = np.dtype(
    [
        *HEADER,
        ("clock", np.int32),  # halves of rounds so far
        ("limit", np.int32),  # decisions that truncate the battle; 0: no limit
        ("attacker", np.int8),  # seat, or RANDOM
        ("draws", np.int8, (2,)),  # Draw of each side; LISTED once it has been drawn
        ("mirror", np.int8),  # 1: the defender gets what is drawn for the attacker; 0 once it has
        ("growth", np.int8),  # musters behind legions that are still to be drawn
        ("battle", BATTLE),
    ]
)
"""One game; nothing about it is hidden."""

RANDOM = -1
"""Instead of a land, an entry or a seat: drawn at `set_up`."""
