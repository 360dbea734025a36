"""What a race is made of: its names, its numbers and its one flat record."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from titan_env.contract import HEADER, MOST_SEATS

MOST_RACERS = MOST_SEATS
ROWS, COLUMNS = 18, 7
SQUARES = ROWS * COLUMNS
MOST_DICE = 3  # in one roll
HAND_LIMIT = 9  # of each object
MOST_ARRIVALS = 20  # in a turn that have an effect
MOST_DUE = 32  # effects that can wait on the agenda
NOBODY = -1  # instead of a racer
UNSHIELDED = -2  # instead of who inflicted a shock: a rock, against which no shield helps
NOTHING = -1  # no arrival waits behind a shock


class Character(IntEnum):
    """The ten characters."""

    ELF = 0
    HUMAN = 1
    DWARF = 2
    GOBLIN = 3
    ORC = 4
    BEASTMAN = 5
    SORCERESS = 6
    HYBRID_BABY = 7
    THIEF = 8
    LIZARDMAN = 9


ALL_CHARACTERS = len(Character)
DEALT, CHOSEN = -1, -2
"""Instead of a character: dealt at `set_up`, or chosen by its player."""


class Rule(IntEnum):
    """The special rules; the human has one of the first nine."""

    POISON = 0
    BITE = 1
    DEFUSING = 2
    INITIATIVE = 3
    PLAGUE = 4
    FIRE_WAND = 5
    TELEPORT_WAND = 6
    FAST = 7
    THEFT = 8
    BRUTE = 9


class Square(IntEnum):
    """What is printed on a square: nothing, terrain, or an object."""

    PLAIN = 0
    BARRIER = 1
    ROCK = 2
    HOLE = 3
    SHORTCUT = 4
    COIN = 5
    CLOVER = 6
    SHIELD = 7
    CHEST = 8


class Object(IntEnum):
    """The ten objects; the first seven are used as a main action."""

    FIRE_RING = 0
    LIGHTNING_RING = 1
    AXE = 2
    SPEAR = 3
    TRAP = 4
    BOTTLE = 5
    SYRINGE = 6
    SHIELD = 7
    CLOVER = 8
    COIN = 9


ALL_OBJECTS = len(Object)


class Colour(IntEnum):
    """The chest icon of a racer, from the best bonus to the worst malus."""

    DARK_GREEN = 0
    LIGHT_GREEN = 1
    WHITE = 2
    ORANGE = 3
    RED = 4


class Roll(IntEnum):
    """What dice are rolled for."""

    NONE = 0
    MOVEMENT = 1
    OBJECT = 2
    SHORTCUT = 3
    FIGHT = 4
    THEFT = 5
    SHOCK = 6
    TWO_D3 = 7  # bottle, syringe, lightning ring
    TWO_D10 = 8  # fire ring


class Outcome(IntEnum):
    """How a fight ends for its attacker."""

    DEFEAT = 0
    SIMPLE = 1
    CRUSHING = 2


class Size(IntEnum):
    """The two shocks; the number is what inflicting one is worth."""

    SMALL = 1
    BIG = 2


class Aim(IntEnum):
    """What is being aimed."""

    AXE = 0
    SPEAR = 1
    TRAP = 2
    BITE = 3
    FIRE_WAND = 4
    TELEPORT_WAND = 5
    THEFT = 6


class Way(IntEnum):
    """How a racer changes its square."""

    WALK = 0
    LEAP = 1
    KNOCK = 2


class Manner(IntEnum):
    """How a racer arrives: by its own movement, or by one that it suffered."""

    MOVER = 0
    SUFFERED = 1


class Flight(IntEnum):
    """A step of the fire ball."""

    F = 0
    B = 1
    L = 2
    R = 3
    RELEASE = 4


class Phase(IntEnum):
    """How far the race, and in it the turn, has come."""

    CHOICE = 0  # of characters and the human's rule, before the race
    MOVEMENT = 1
    SKID = 2
    ACTION = 3
    END = 4


class Ask(IntEnum):
    """What the seat to act is asked."""

    NOTHING = 0
    CHOOSE = 1  # a character, before the race
    RULE = 2  # the human's rule, before the race
    DIE = 3  # which die of the movement roll, as it lies or flipped
    ROLL = 4  # which dice of any other roll are flipped
    SKID = 5
    TURN = 6  # what to do in the action phase
    DISTANCE = 7  # how far bottle or syringe carry
    SHIELD = 8  # whether the shield is used against a shock
    SHIFT = 9  # the tactical shift of a fight's winner
    SHORTCUT = 10  # whether a walk stops on a shortcut
    FIRE = 11  # where the fire ball flies
    AIM = 12  # the target of an object or a special


class Due(IntEnum):
    """Effects that wait on the agenda, the latest carried out first: who, and up to three numbers."""

    WALK = 1  # who, squares left, squares walked
    SKID = 2  # who, -1 left or +1 right, squares left, squares gone
    DEFUSE = 3  # who: takes the trap on its square, once the chest there is opened
    CHEST = 4  # who: opens the chest
    OPENED = 5  # who, object, the alternative: what the object die shows
    ARRIVE = 6  # who, Manner
    LEAP = 7  # who: as far as the shortcut's die says
    FIGHT = 8  # attacker, defender: as the fight die says
    SHOCK = 9  # victim, by whom, Size, Manner of the arrival that waits behind it or NOTHING
    RECOIL = 10  # victim, Size, the same: as the shock's die says
    SHIFT = 11  # who has won a fight
    AIM = 12  # who, Aim
    STEAL = 13  # who, whom: as the theft die says
    DISTANCE = 14  # who, squares beside the dice: bottle or syringe
    LAUNCH = 15  # who: the fire ball, as far as the dice say
    FLY = 16  # who: the next step of the fire ball
    BURN = 17  # who: the next victim of the fire
    LIGHTNING = 18  # who: victims, as the dice say
    STRIKE = 19  # who: the next victim of the lightning
    INFECT = 20  # who: the next victim of the plague


class Reason(IntEnum):
    """Why points change."""

    ROWS = 0
    LINE = 1
    FIGHT = 2
    POISON = 3
    BRUTE = 4
    SHOCK = 5
    LIGHTNING = 6
    PLAGUE = 7
    DEFUSING = 8
    THEFT = 9
    HOLE = 10
    SHIELD = 11


class Event(IntEnum):
    """What can happen: (kind, who, whom or where, how much). Who and whom are racers."""

    ROLLED = 0  # who, Roll, face
    FLIPPED = 1  # who, which die from 0 on, face or object
    MOVED = 2  # who, square, Way
    POINTS = 3  # who, Reason, change
    LINE = 4  # who, -, +1 or -1
    TOOK = 5  # who, Object, square
    CHEST = 6  # who, Object, Colour of its icon
    BLOCKED = 7  # who, square that stops it
    HOLE_STOP = 8  # who, square of the hole
    HOLE = 9  # who, square
    SHORTCUT = 10  # who, square, rows
    TRAP_SET = 11  # who, square
    TRAP_SPRUNG = 12  # who, square
    TRAP_DESTROYED = 13  # who, square
    DEFUSED = 14  # who, square
    BARRIER_DESTROYED = 15  # who, square
    ROCK_HIT = 16  # who, square
    FIGHT = 17  # attacker, defender, Outcome
    SHOCK = 18  # victim, by whom or NOBODY, Size
    SHIELDED = 19  # victim, by whom or NOBODY, Size
    POISONED = 20  # who, by whom
    USED = 21  # who, -, Object
    COINS = 22  # who, -, how many are spent
    AIMED = 23  # who, square, Aim
    BALL = 24  # who, square
    LIGHTNING = 25  # who, whom, rows
    PLAGUE = 26  # who, whom, rows
    STOLEN = 27  # who, whom, Object
    ESCAPED = 28  # who, whom: the theft has failed
    ROUND = 29  # who plays first, -, number
    REFILL = 30  # who plays first
    GUARD = 31  # who, square: too many arrivals in this turn, nothing happens
    CHOSE = 32  # who, -, Character
    LEARNED = 33  # who, -, Rule
    WON = 34  # who, -, points


_RACER = np.dtype(
    [
        # Who it is
        ("character", np.int8),  # Character, DEALT or CHOSEN
        ("rules", np.int16),  # one bit for each Rule
        # Where it is
        ("square", np.int8),  # 0..125
        ("laps", np.int8),  # crossings of the line, net
        ("highest", np.int8),  # the most laps that it ever had
        # How it is
        ("objects", np.int8, (ALL_OBJECTS,)),  # how many of each
        ("protected", np.int8),  # 1: its first turn has not begun
        ("poisoned", np.int8),  # 1: one D6 only in its next movement phase
        ("mark", np.int8),  # still to suffer: Size of the fire's shock, rows of the lightning or the plague
    ]
)

RACER = np.dtype((np.record, _RACER))
"""One racer, which has the number of its seat. As a record type, so that its fields have names in plain Python too."""

STATE = np.dtype(
    [
        *HEADER,  # `scores` are the points
        # The race
        ("circuit", np.int8),  # number of the circuit, RANDOM, GENERATED_CIRCUIT or OWN_CIRCUIT
        ("levels", np.int16, (2,)),  # of a circuit to be generated: the first level and how many; else 0
        ("rounds", np.int8),  # in the whole race
        ("rounds_begun", np.int8),  # 0 before the race
        ("order", np.int8, (MOST_RACERS,)),  # of play in this round
        ("turn", np.int8),  # place in `order` of the racer whose turn it is
        ("phase", np.int8),  # Phase
        # The board
        ("starts", np.int8, (MOST_RACERS,)),  # the numbered squares
        ("printed", np.int8, (SQUARES,)),  # Square
        ("gone", np.int8, (SQUARES,)),  # 1: the object is taken, the barrier destroyed
        ("traps", np.int8, (SQUARES,)),  # 0, or 1 + the racer that set it
        # The racers, by seat
        ("racers", RACER, (MOST_RACERS,)),
        # The turn
        ("main_done", np.int8),
        ("coins_done", np.int8),
        ("special_done", np.int8),
        ("free_flip", np.int8),  # 1: the racer to move may flip a die without a clover
        ("arrivals", np.int8),  # in this turn, of all racers
        # The roll that waits for its effect
        ("roll", np.int8),  # Roll
        ("roller", np.int8),  # who rolled, 0 where nobody has
        ("fresh", np.int8),  # 1: nobody has looked yet whether it is flipped
        ("dice", np.int8, (MOST_DICE,)),  # faces, 0 where there is no die
        # Bottle, syringe and the fire ball
        ("range", np.int8),  # squares or steps left
        ("ball", np.int8),  # its square, 0 where none flies
        ("ball_rows", np.int8),  # flown forward, negative: back
        ("ball_columns", np.int8),  # flown aside in this row, negative: to the left
        # What is still to be carried out, the next one last
        ("due", np.int8),
        ("agenda", np.int8, (MOST_DUE, 5)),  # Due, who and three numbers
    ]
)
"""One race; nothing about it is hidden."""

RANDOM, OWN_CIRCUIT, GENERATED_CIRCUIT = -1, -2, -3
"""Instead of a circuit's number: drawn at `set_up`, or painted by the user."""


class Race(NamedTuple):
    """What every rule works on: the state, the dice and the log of what happens."""

    state: Any
    luck: Any
    log: Any
