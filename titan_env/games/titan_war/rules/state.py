"""What a war is made of: its names, its numbers, and its record, in which the record of a battle lies."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from titan_env.contract import HEADER, MOST_SEATS
from titan_env.games.titan_battle.rules.state import BATTLE, KINDS

LANDS = 96
TOWERS = 6
MARKERS = 12  # of each player
LEAN_MARKERS = 8  # of each player in a lean game
LEGIONS = MOST_SEATS * MARKERS  # markers in the box: so many legions at most
FACES = 6  # of the movement die
NOBODY = -1  # instead of a seat or the number of a marker
POINTS_AN_ANGEL = 100  # an angel for each multiple that a score reaches or passes
POINTS_AN_ARCHANGEL = 500  # an archangel instead


class Ask(IntEnum):
    """What a seat is asked. The first ones are those of a battle, with the same numbers."""

    NOTHING = 0
    MANEUVER = 1  # who moves or comes on
    GO = 2  # where to
    STRIKE = 3  # who strikes
    TARGET = 4  # whom
    HANDICAP = 5  # the plain strike, or a worse one that can carry over
    CARRY = 6  # who gets the surplus
    REINFORCE = 7  # in round 4, or after the battle
    SUMMON = 8  # which legion gives an angel
    START = 9  # who goes with the titan
    SPLIT = 10  # who splits off
    MULLIGAN = 11  # whether the first die holds
    MOVE = 12  # from which land a legion moves
    STACK = 13  # which of the legions there
    GO_LAND = 14  # where to
    SIDE = 15  # on which side of the battleland
    SHOW = 16  # what is revealed: a lord who teleports, or what qualifies for a muster
    ENGAGE = 17  # which engagement is next
    DEFEND = 18  # the talk: the defender begins
    ATTACK = 19  # the attacker answers
    ANSWER = 20  # the defender answers an offer
    MUSTER = 21  # what joins a legion that has moved
    ANGEL = 22  # whether an angel is taken
    SUMMON_KIND = 23  # which of the donor's angels


PRIVATE_ASKS = (Ask.START, Ask.SPLIT, Ask.SHOW, Ask.MUSTER, Ask.SUMMON, Ask.SUMMON_KIND)
"""Only the seat that is asked may know of these: they are asked where hidden contents allow it."""


class Event(IntEnum):
    """What can happen: (kind, who, whom or where, how much). The first ones are those of a battle.

    Who is a seat, but a side (attacker 0, defender 1) where that is said; lands, hexes, terrains, characters and
    entries by number.
    """

    BATTLE = 0  # attacker, defender, land: they fight
    ENTERED = 1  # side, kind, hex
    WENT = 2  # side, spot that it leaves, hex
    FROZEN = 3  # side, spot: one hit by drift
    STRUCK = 4  # side, spot of the striker, of the target
    DICE = 5  # how many, strike number, hits
    CARRIED = 6  # side of the victim, its spot, hits
    SLAIN = 7  # side, kind, hex
    LEFT_OUTSIDE = 8  # side, kind
    REINFORCED = 9  # side, kind, terrain: called in round 4
    SUMMONED = 10  # side, kind, terrain: called while the window is open
    RETURNED = 11  # side, kind: it has not entered
    TIME_LOSS = 12
    ELIMINATED = 13  # seat, by whom (itself: the other side fell with it)
    WON = 14  # seat
    TURN = 15  # seat, how many turns there have been: a turn begins
    ROLLED = 16  # seat, die
    SPLIT = 17  # seat, land, height of the new legion
    MOVED = 18  # seat, from, to
    TELEPORTED = 19  # seat, from, to
    JOINED = 20  # seat, land: a legion joins the oldest one there
    SHOWN = 21  # seat, kind, how many
    ENGAGED = 22  # attacker, defender, land: both legions are shown
    FLED = 23  # seat, whom, land
    CONCEDED = 24  # seat, whom, land
    OFFERED = 25  # seat, whom, land: mutual elimination
    AGREED = 26  # seat, whom, land: both legions are eliminated
    SCORED = 27  # seat, points
    HALF_POINTS = 28  # seat, points, for the legions of whom
    REMOVED = 29  # seat, land, height: a legion of a dead player
    ACQUIRED = 30  # seat, kind, land: an angel for points
    GIVEN = 31  # seat, kind, land of the donor: an angel joins the engaged legion
    MUSTERED = 32  # seat, kind, land: in enlistment, or after a battle


class Phase(IntEnum):
    """How far a war, and the turn of its mover, has come."""

    START = 0  # each player divides the first legion
    COMMENCEMENT = 1  # legions split
    THROW = 2  # the movement die
    MOVEMENT = 3
    ENGAGEMENT = 4
    ENLISTMENT = 5


class Stage(IntEnum):
    """How far an engagement has come."""

    NONE = 0  # there is none at hand
    TALK = 1
    BATTLE = 2
    ANGELS = 3  # points are counted; the winner may take angels
    HELP = 4  # then it may summon, or muster a reinforcement


class Mulligan(IntEnum):
    """How a player's first movement die may be thrown again."""

    ONCE = 0
    TWO_OR_FIVE = 1  # a 2 or a 5, without end


_LEGION_RECORD = np.dtype(
    [
        ("owner", np.int8),  # the seat whose marker it is; NOBODY: not in this game
        ("height", np.int8),  # characters under it; 0: the marker is free, and all below is zero
        ("land", np.int8),  # 0..95
        ("age", np.int8),  # 1: the oldest legion on the board, 2: the next one, and so on
        ("moved", np.int8),  # 1: in this turn
        ("entry", np.int8),  # Entry: on which side it has come upon an enemy in this turn
        ("holds", np.int8, (KINDS,)),  # how many of each Character
        ("at_least", np.int8, (KINDS,)),  # the public record: so many of each at least
        ("at_most", np.int8, (KINDS,)),  # and at most
    ]
)

LEGION_RECORD = np.dtype((np.record, _LEGION_RECORD))
"""One marker and what is under it. As a record type, so that its fields have names in plain Python too."""

STATE = np.dtype(
    [
        *HEADER,
        # Options, and what the frame asks for
        ("clock", np.int32),  # turns, engagements and halves of battles so far
        ("limit", np.int32),  # decisions that truncate the war; 0: no limit
        ("goal", np.int32),  # points that end the war at the end of a turn; 0: none
        ("turn_limit", np.int32),  # turns of single players that end the war; 0: none
        ("lean", np.int8),  # 1: lion, troll and cyclops take the places of centaur, gargoyle and ogre
        ("agreements", np.int8),  # 1: mutual elimination may be offered
        ("concede", np.int8),  # 1: a player may concede
        ("open", np.int8),  # 1: the contents of all legions are public
        ("opposite", np.int8),  # 1: two players have opposite towers; 0 once towers are drawn
        ("mulligan", np.int8),  # Mulligan
        ("first_teleport", np.int8),  # 1: to any land; 0: not to a tower in a player's first turn
        # The players
        ("towers", np.int8, (MOST_SEATS,)),  # number of each seat's tower, 1..6; 0: nobody sits there
        ("had_turn", np.int8, (MOST_SEATS,)),  # 1: its first turn is over
        # The supply
        ("supply", np.int8, (KINDS,)),  # how many of each Character are left
        ("returning", np.int8, (KINDS,)),  # lords and demi-lords that return when the engagement is over
        # The turn
        ("turns", np.int32),  # turns that are over, of all players
        ("phase", np.int8),  # Phase
        ("mover", np.int8),  # whose turn it is (at START: who divides its legion)
        ("roll", np.int8),  # the movement die; 0: not thrown
        ("teleported", np.int8),  # 1: the mover has, in this turn
        ("summoned", np.int8),  # 1: the same
        # The question
        ("land", np.int8),  # about which land a seat is asked (SPLIT, STACK to SHOW, MUSTER); 0 if none
        ("picked", np.int8),  # the marker of the legion it is asked about, or NOBODY
        ("teleporting", np.int8),  # 1: the picked legion teleports
        ("destination", np.int8),  # land to which it goes, while SIDE and SHOW are asked; else 0
        ("wanted", np.int8),  # Character that is mustered, while SHOW is asked; else 0
        ("split", np.int8, (KINDS,)),  # START: who goes with the titan so far; SPLIT: the new legion so far
        # The engagement
        ("stage", np.int8),  # Stage
        ("attacker", np.int8),  # marker, or NOBODY (also once its legion is eliminated)
        ("defender", np.int8),  # the same
        ("offered", np.int8),  # 1: the defender has offered mutual elimination
        ("winner", np.int8),  # marker of the legion that may still get something, or NOBODY
        ("hundred", np.int16),  # the next multiple of 100 points that brings it an angel, in hundreds
        ("last_hundred", np.int16),  # and the last one
        ("may_summon", np.int8),  # 1: it may after the angels
        ("may_reinforce", np.int8),  # 1: the same
        ("donor", np.int8),  # marker of the legion that gives the angel that is being summoned, or NOBODY
        ("battle", BATTLE),  # all zero while there is no battle
        # The board
        ("seats_at", np.int8, (LANDS,)),  # bit s: seat s has a legion there; it follows from the legions
        ("legions", LEGION_RECORD, (LEGIONS,)),  # by marker: 12 of seat 0, 12 of seat 1, and so on
    ]
)
"""One war. Hidden from others: what a legion holds, and all about a question among PRIVATE_ASKS."""
