"""What the expert looks at in Titan Race: where each move really ends, step by step.

It follows a move over ramps and ice, counts the lives it costs and whether they are enough, and values
the space it ends on: ramps to start from, spaces that are dangerous to stand on. The rest it judges as
the greedy agent does, with harm aimed at who is ahead.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from agents.greedy.titan_race import BESIDE, Array, flat, put, score_actions, worth_of_life
from titan_env.games.titan_race.actions import ACTIONS, CARDS, DIRECTIONS, FACES, MOVES
from titan_env.games.titan_race.board import COLUMN_STEP, COLUMNS, ROW_STEP, ROWS
from titan_env.games.titan_race.dice import FACE_MOVES
from titan_env.games.titan_race.state import Direction, Face, Titan
from titan_env.games.titan_race.view import ROWS_BEHIND

WEIGHTS: Mapping[str, float] = {
    "row": 1.0,  # one row gained
    "life": 0.4,  # one own life
    "weak": 2.4,  # how much more it counts when few are left
    "fall": 5.0,  # rows that a K.O. costs
    "bonus": 0.5,  # a card drawn, while the hand has room
    "super_ramp": 1.5,  # to end the move on a super-ramp
    "multi_ramp": 1.0,  # on a multi-ramp
    "pentacle": 0.3,  # on a pentacle
    "push": -0.8,  # each Titan pushed: it loses a life, but gains rows
    "statue": 0.15,  # each Titan beside an entered statue
    "harm": 0.2,  # one life of another Titan
    "chased": -0.1,  # each Titan close behind the space where the move ends
    "leader": 1.0,  # how much more harm counts against who is ahead
    "colour": 1.0,  # how much the life of the own colour counts
}

_STEPS = {"S": Direction.F, "L": Direction.FL, "R": Direction.FR}
_HARMFUL = ("surprise_trap", "fireball", "hourglass")
"""The cards that harm whom they are aimed at."""
_LONGEST_SLIDE = 6
_HERE = ROWS_BEHIND * 3
PATTERNS = np.array([[_STEPS[p[i]] if i < len(p) else -1 for i in range(3)] for p in MOVES])
"""The directions of each move pattern, (10, 3); -1 after its last step."""


def _neighbours() -> np.ndarray:
    """The space in each direction of each space of the window, (36, 6)."""
    table = np.zeros((36, 6), np.int64)
    for place in range(36):
        row = place // 3 - ROWS_BEHIND
        column = place % 3 * 2 + row % 2
        for direction in Direction:
            to_row = row + int(ROW_STEP[direction])
            to_column = (column + int(COLUMN_STEP[direction])) % COLUMNS
            table[place, direction] = (to_row + ROWS_BEHIND) % ROWS * 3 + (to_column - to_row % 2) % COLUMNS // 2
    return table


NEIGHBOUR = _neighbours()


def score(fields: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """How good each of the 80 actions looks, float32 (B, 80), from the named fields of B observations."""
    worth = worth_of_life(fields, weights)
    moves = follow_moves(fields, weights, worth)
    scores = score_actions(fields, weights, worth, moves)
    put(scores, "draft", FACES, _score_draft(fields, weights, moves, worth))
    _aim_at_the_leader(scores, fields, weights)
    return scores


def follow_moves(fields: Mapping[str, Array], weights: Mapping[str, float], worth: Array) -> Array:
    """What each move pattern is worth, (B, 10): followed step by step over ramps, ice and other Titans."""
    count = len(worth)
    every = np.arange(count)[:, None]
    planes = {
        name.removeprefix("board_"): flat(fields, name.removeprefix("board_")) for name in fields if "board_" in name
    }
    harm = planes["lava"] + planes["trap"]
    room = np.maximum(0, 1 - fields["titan_hand"][:, :1]) * 2
    crowd = planes["titan"][:, NEIGHBOUR].sum(axis=2)
    place = np.full((count, len(MOVES)), _HERE)
    rows, lost, gained = np.zeros((3, count, len(MOVES)), np.float32)
    for step in range(3):
        direction = np.broadcast_to(PATTERNS[:, step], place.shape)
        going = direction >= 0
        direction = np.maximum(direction, 0)
        for leap in range(_LONGEST_SLIDE):
            if leap == 0:
                length = 1 + np.where(going, _jump(planes, every, place, direction), 0)
            to = NEIGHBOUR[place, direction]
            far = rows + ROW_STEP[direction]
            for more in (2, 3):  # what lies under a jump does not happen
                jumps = (length >= more) & (leap == 0)
                to = np.where(jumps, NEIGHBOUR[to, direction], to)
                far = np.where(jumps, far + ROW_STEP[direction], far)
            place, rows = np.where(going, to, place), np.where(going, far, rows)
            entered = going.astype(np.float32)
            lost += entered * (harm[every, place] + planes["pirates"][every, place] * 0.7)
            card = entered * planes["bonus"][every, place] * (room > 0)
            gained += card * weights["bonus"] + entered * planes["titan"][every, place] * weights["push"]
            gained += entered * planes["statue"][every, place] * crowd[every, place] * weights["statue"]
            going = going & (planes["ice"][every, place] > 0)
            if not going.any():
                break
    value = weights["row"] * rows + gained - worth * lost
    ramps = planes["super_ramp_left"] + planes["super_ramp_right"]
    value += weights["super_ramp"] * ramps[every, place] + weights["multi_ramp"] * planes["multi_ramp"][every, place]
    value += weights["pentacle"] * planes["pentacle"][every, place]
    behind = NEIGHBOUR[:, 3:]
    value += weights["chased"] * planes["titan"][:, behind].sum(axis=2)[every, place]
    lives = np.rint(fields["titan_life"][:, :1] * fields["titan_gauge"][:, :1] * 6)
    value -= weights["fall"] * (lost >= lives - 0.1)
    return value.astype(np.float32)


def _jump(planes: Mapping[str, Array], every: np.ndarray, place: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """How many spaces a step jumps over that starts here in this direction."""
    left = (planes["super_ramp_left"][every, place] > 0) & (direction == Direction.FL)
    right = (planes["super_ramp_right"][every, place] > 0) & (direction == Direction.FR)
    return np.where(left | right, 2, np.where(planes["multi_ramp"][every, place] > 0, 1, 0))


def _score_draft(fields: Mapping[str, Array], weights: Mapping[str, float], moves: Array, worth: Array) -> Array:
    """Each face of a die, (B, 6): its best move, what else it does, its colour."""
    rivals = flat(fields, "titan")[:, BESIDE]
    faces = np.zeros((len(moves), len(FACES)), np.float32)
    for face, patterns in FACE_MOVES.items():
        faces[:, face] = moves[:, [MOVES.index(pattern) for pattern in patterns]].max(axis=1)
    faces[:, Face.RED] += 0.5 * weights["harm"]
    faces[:, Face.GREEN] += weights["harm"] * (1 + weights["leader"]) * rivals[:, :3].max(axis=1)
    own = fields["titan_kind"][:, 0]
    faces[:, Face.PURPLE] = faces[:, :5].max(axis=1) - worth[:, 0] * (1 - own[:, Titan.CHTOOLOO])
    missing = fields["titan_life"][:, :1] < 1
    faces[:, :5] += weights["colour"] * own[:, :5] * missing * worth
    return faces


def _aim_at_the_leader(scores: Array, fields: Mapping[str, Array], weights: Mapping[str, float]) -> None:
    """Harm counts more against a Titan that is ahead of the others."""
    lead = fields["titan_lead"][:, 1:] * fields["titan_in_race"][:, 1:]
    column = fields["titan_column"][:, 1:].argmax(axis=2)
    row = np.rint(ROWS * (fields["titan_row"][:, 1:] - fields["titan_row"][:, :1]))
    aimed = fields["card"][:, [CARDS.index(card) for card in _HARMFUL]].any(axis=1)
    for direction in Direction:
        there = (column == COLUMN_STEP[direction] % COLUMNS) & ((row - ROW_STEP[direction]) % ROWS == 0)
        ahead = weights["leader"] * (there * lead * 3).sum(axis=1)
        for verb, harms in (("strike", 1.0), ("ability", 1.0), ("aim", aimed)):
            text = f"{verb}:{DIRECTIONS[direction]}"
            if text in ACTIONS.numbers:
                scores[:, ACTIONS.numbers[text]] += ahead * harms
