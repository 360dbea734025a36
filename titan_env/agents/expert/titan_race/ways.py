"""The loops that find where moves end and what the rest of a turn is worth: compiled, in one file."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.greedy.titan_race import Array
from titan_env.contract import shared
from titan_env.games.titan_race.rules.actions import ENTRIES, FACES, MOVES
from titan_env.games.titan_race.rules.board import COLUMN_STEP, COLUMNS, ROW_STEP, ROWS
from titan_env.games.titan_race.rules.dice import allows
from titan_env.games.titan_race.rules.fields import ROWS_BEHIND
from titan_env.games.titan_race.rules.state import SPACES, Direction, Face

Places = NDArray[np.int64]

HERE = ROWS_BEHIND * 3
"""Where the own Titan stands in the window of the board."""


def _neighbours() -> Places:
    """The space in each direction of each space of the window, (36, 6)."""
    table = np.zeros((SPACES, len(Direction)), np.int64)
    for place in range(SPACES):
        row = place // 3 - ROWS_BEHIND
        column = place % 3 * 2 + row % 2
        for direction in Direction:
            to_row = row + int(ROW_STEP[direction])
            to_column = (column + int(COLUMN_STEP[direction])) % COLUMNS
            table[place, direction] = (to_row + ROWS_BEHIND) % ROWS * 3 + (to_column - to_row % 2) % COLUMNS // 2
    return table


NEIGHBOUR = _neighbours()
ROWS_GAINED: Array = ROW_STEP.astype(np.float32)
_STEPS = "SLR"  # forward, to the left, to the right, as `Direction` begins
PATTERNS = [*_STEPS, *(pattern for pattern in sorted(MOVES, key=len) if len(pattern) > 1)]
_BEFORE = np.array([PATTERNS.index(pattern[:-1]) if len(pattern) > 1 else -1 for pattern in PATTERNS])
_LAST = np.array([_STEPS.index(pattern[-1]) for pattern in PATTERNS])
_NUMBERS = np.array([PATTERNS.index(move) for move in MOVES])
_LONGEST_SLIDE = 6
WIN = 60.0  # rows that winning at once is worth
_RED, _GREEN, _AHEAD = int(Face.RED), int(Face.GREEN), int(Direction.F)
_ENTRIES, _FACES = len(ENTRIES), np.float32(len(FACES))
_COPIED = len(FACES) - 1  # faces that have moves of their own: all but purple


class Weights(NamedTuple):
    """Those of the expert's weights that moves are valued by."""

    row: Any
    best: Any
    second: Any
    mean: Any
    dread: Any
    pentacle: Any
    chased: Any


_MET = ("rows", "lost", "gain", "push", "slid")
WAY = np.dtype([("to", np.int64), *((part, np.float32) for part in _MET)], align=True)
OUTLOOK = np.dtype([(part, np.float32) for part in ("prospect", "new_die", "landing")])
"""What a space promises: the next turn from there, a die rolled on a pentacle, both where a move ends there."""
TURN = np.dtype(
    [
        ("step", WAY, (3,)),
        ("wings", WAY, (1,)),
        ("move", np.float64, len(MOVES)),
        ("face", np.float64, (len(ENTRIES), _COPIED)),
        ("rest", np.float64, SPACES),
        ("new_die", np.float32),
    ],
    align=True,
)
GROUND = np.dtype(
    [
        *((plane, np.float32, SPACES) for plane in ("lost", "gain", "ice", "harm", "pentacle", "followed")),
        ("jump", np.float32, (SPACES, 3)),
        ("push", np.float32, (SPACES, 6)),  # what it is worth that who stands there is pushed in each direction
        ("life", np.float32, 7),
        ("lives", np.int64),
        ("next_life", np.float32),
        ("rows_left", np.float32),
        ("red_due", np.int8),
        ("green_due", np.int8),
        ("moved", np.int8),
        ("faces", np.int8, _COPIED),  # whose action is played, or may be
    ],
    align=True,
)
"""What one board is to who moves on it."""


def look(grounds: Any, weights: Any, ways: Any, outlooks: Any, turns: Any) -> None:
    """Write what the rest of each turn is worth; `ways` (36, 12) and `outlooks` (36,) are to work in."""
    moves, faces, alone = np.zeros(len(_NUMBERS)), np.zeros(_COPIED), np.zeros(_COPIED, np.float32)
    face_of = np.zeros(len(_NUMBERS), np.int64)
    soon = np.zeros(SPACES, np.bool_)
    for move in range(len(_NUMBERS)):
        for face in range(_COPIED):
            if allows(face, move):
                face_of[move] = face
    for i in range(len(grounds)):
        ground, turn = grounds[i], turns[i]
        _follow(ground, ways)
        for space in range(SPACES):
            _expect(ground, weights, ways[space], face_of, space, alone, outlooks[space])
        for direction in range(3):
            turn.step[direction] = ways[HERE, direction]
        _step(ground, HERE, _AHEAD, 1, turn.wings[0])
        turn.new_die = outlooks[HERE].new_die
        _mark(turn, soon)
        for space in range(SPACES):
            if soon[space]:
                _value_moves(ground, weights, ways[space], outlooks, moves)
                _value_faces(ground, ways[space], face_of, space, moves, faces)
                turn.rest[space] = outlooks[space].prospect if ground.moved else _best_face(ground, faces)
                if HERE <= space < HERE + _ENTRIES:
                    turn.face[space - HERE, :] = faces
                if space == HERE:
                    _value_due(ground, ways[HERE], moves)
                    turn.move[:] = moves


# Ways


@shared
def _mark(turn: Any, soon: Any) -> None:
    """Where the own Titan may stand next without a die: where it is or enters, beside that, after a step, on wings."""
    soon[:] = False
    soon[HERE : HERE + _ENTRIES] = True
    for direction in range(len(NEIGHBOUR[HERE])):
        soon[NEIGHBOUR[HERE, direction]] = True
    for direction in range(3):
        soon[turn.step[direction].to] = True
    soon[turn.wings[0].to] = True


@shared
def _follow(ground: Any, ways: Any) -> None:
    """Each pattern of steps from each space."""
    for space in range(SPACES):
        for direction in range(3):
            _step(ground, space, direction, 0, ways[space, direction])
    for space in range(SPACES):
        for pattern in range(3, len(_LAST)):
            ways[space, pattern] = ways[space, _BEFORE[pattern]]
            way = ways[space, pattern]
            _go_on(ground, ways[way.to, _LAST[pattern]], way)


@shared
def _step(ground: Any, start: int, direction: int, more: int, way: Any) -> None:
    """A step from a space, over what a ramp carries over; wings carry over one space `more`; on over ice."""
    jump = int(ground.jump[start, direction]) + more
    to = start
    for _ in range(1 + jump):
        to = NEIGHBOUR[to, direction]
    way.rows = jump * ROWS_GAINED[direction]
    way.lost = way.gain = way.push = 0
    _arrive(ground, to, direction, way)
    way.slid = ground.ice[to]
    for _ in range(_LONGEST_SLIDE):
        if ground.ice[way.to] == 0:
            break
        _arrive(ground, NEIGHBOUR[way.to, direction], direction, way)


@shared
def _arrive(ground: Any, to: int, direction: int, way: Any) -> None:
    """Who enters a space meets what is there."""
    way.to = to
    way.rows += ROWS_GAINED[direction]
    way.lost += ground.lost[to]
    way.gain += ground.gain[to]
    way.push += ground.push[to, direction]


@shared
def _go_on(ground: Any, step: Any, way: Any) -> None:
    """One step more, unless the way is over: who has no life left stops, and so does who has slid."""
    if way.lost < ground.lives and way.slid == 0:
        way.to = step.to
        way.rows += step.rows
        way.lost += step.lost
        way.gain += step.gain
        way.push += step.push
        way.slid = step.slid


# What they are worth


@shared
def _worth(ground: Any, weights: Any, way: Any) -> float:
    """What a way is worth without what follows, as `moves.value` says of many."""
    left = max(0, ground.lives - int(np.rint(way.lost)))
    spent = ground.life[ground.lives] - ground.life[left]
    return float(weights.row * way.rows + way.gain + way.push - spent) + WIN * (way.rows >= ground.rows_left)


@shared
def _expect(ground: Any, weights: Any, ways: Any, face_of: Any, space: int, faces: Any, outlook: Any) -> None:
    """What a space promises if nobody were in the way."""
    dread = min(ground.next_life, weights.dread)
    faces[:] = -np.inf
    for move in range(len(_NUMBERS)):
        way, face = ways[_NUMBERS[move]], face_of[move]
        faces[face] = max(faces[face], weights.row * way.rows + way.gain - dread * way.lost)
    _sort(faces)
    best, second, mean = faces[-1], faces[-2], faces.sum() / np.float32(_COPIED)
    outlook.prospect = weights.best * best + weights.second * second + weights.mean * mean
    outlook.new_die = (np.float32(_COPIED) * mean + best - dread) / _FACES
    again = np.float32(0)
    if ground.lives >= 2:
        again = ground.pentacle[space] * max(np.float32(0), outlook.new_die - ground.next_life)
    outlook.landing = outlook.prospect + weights.chased * ground.followed[space] + weights.pentacle * again


@shared
def _sort(numbers: Any) -> None:
    """Bring a few numbers in order, the least first."""
    for last in range(1, len(numbers)):
        for i in range(last, 0, -1):
            if numbers[i] < numbers[i - 1]:
                numbers[i], numbers[i - 1] = numbers[i - 1], numbers[i]


@shared
def _value_moves(ground: Any, weights: Any, ways: Any, outlooks: Any, moves: Any) -> None:
    """Each move from a space, with what follows it."""
    for move in range(len(_NUMBERS)):
        way = ways[_NUMBERS[move]]
        moves[move] = _worth(ground, weights, way) + outlooks[way.to].landing


@shared
def _value_faces(ground: Any, ways: Any, face_of: Any, space: int, moves: Any, faces: Any) -> None:
    """Each face but purple from a space: its best move, and whom red's trap or green's damage hits before or after."""
    faces[:] = -np.inf
    for move in range(len(_NUMBERS)):
        face, worth = face_of[move], moves[move]
        if face in (_RED, _GREEN):
            before, after = _hit(ground, face, space), _hit(ground, face, ways[_NUMBERS[move]].to)
            worth += max(before, after)
        faces[face] = max(faces[face], worth)


@shared
def _best_face(ground: Any, faces: Any) -> float:
    """The best of the faces whose action is played, or may be."""
    most = -np.inf
    for face in range(_COPIED):
        if ground.faces[face]:
            most = max(most, faces[face])
    return most


@shared
def _value_due(ground: Any, ways: Any, moves: Any) -> None:
    """Add to the own moves the trap or the damage that is due after them."""
    for move in range(len(_NUMBERS)):
        to = ways[_NUMBERS[move]].to
        if ground.red_due:
            moves[move] += _hit(ground, _RED, to)
        if ground.green_due:
            moves[move] += _hit(ground, _GREEN, to)


@shared
def _hit(ground: Any, face: int, space: int) -> Any:
    """What one life is worth of whom red's trap, behind, or green's damage, before, reaches from a space."""
    most = np.float32(0)
    first = 3 if face == _RED else 0
    for direction in range(first, first + 3):
        reached = NEIGHBOUR[space, direction]
        if reached != HERE:
            most = max(most, ground.harm[reached])
    return most
