"""Lookahead over the rest of a turn: moves are followed step by step, over ramps and ice; compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import inline_rule
from titan_env.games.titan_race.agents.features import COPIED, HERE, NEIGHBOUR, ROWS_GAINED
from titan_env.games.titan_race.rules.actions import ENTRIES, FACES, MOVES
from titan_env.games.titan_race.rules.state import SPACES, Direction, Face

_STEPS = "SLR"  # forward, to the left, to the right, as `Direction` begins
PATTERNS = [*_STEPS, *(pattern for pattern in sorted(MOVES, key=len) if len(pattern) > 1)]
_BEFORE = np.array([PATTERNS.index(pattern[:-1]) if len(pattern) > 1 else -1 for pattern in PATTERNS])
_LAST = np.array([_STEPS.index(pattern[-1]) for pattern in PATTERNS])
_NUMBERS = np.array([PATTERNS.index(move) for move in MOVES])
_LONGEST_SLIDE = 6
WIN = 60.0  # rows that winning at once is worth
_RED, _GREEN, _AHEAD = int(Face.RED), int(Face.GREEN), int(Direction.F)
_ENTRIES, _FACES = len(ENTRIES), np.float32(len(FACES))

_MET = ("rows", "lost", "gain", "push", "slid")
PATH = np.dtype([("to", np.int64), *((part, np.float32) for part in _MET)], align=True)
"""The end of a path and its effects: own lives lost, cards and statues gained, Titans pushed; whether it slid."""
OUTLOOK = np.dtype([(part, np.float32) for part in ("prospect", "new_die", "landing")])
"""The prospects of a space: the next turn from there, a die rolled on a pentacle, both if a move ends there."""
TURN = np.dtype(
    [
        ("step", PATH, 3),  # one in each forward direction
        ("wings", PATH, 1),  # one step forward over one space more
        ("move", np.float64, len(MOVES)),  # each move pattern with what follows
        ("face", np.float64, (len(ENTRIES), COPIED)),  # each face but purple from the own row's spaces, the own first
        ("soon", np.int8, SPACES),  # where the own Titan may stand next without a die
        ("rest", np.float64, SPACES),  # the rest of this turn from there, and the prospect from where it ends
        ("new_die", np.float32),  # a die rolled on a pentacle
    ],
    align=True,
)
"""The value of the rest of a turn, and the way to it."""
WORK = np.dtype(
    [
        ("path", PATH, (SPACES, len(PATTERNS))),  # each pattern of steps from each space
        ("outlook", OUTLOOK, SPACES),
        ("moves", np.float64, len(MOVES)),  # the worth of moves from a space
        ("faces", np.float64, COPIED),  # and of faces
        ("alone", np.float32, COPIED),  # and of those if nobody were in the way
        ("face_of", np.int64, len(MOVES)),
    ],
    align=True,
)
"""The arrays of the lookahead."""


@inline_rule
def look_ahead(board: Any, weights: Any, work: Any, turn: Any) -> None:
    """Write what the rest of a turn is worth."""
    paths, outlooks, moves, faces = work.path, work.outlook, work.moves, work.faces
    _follow(board, paths)
    for space in range(SPACES):
        _expect(board, weights, paths[space], work.face_of, space, work.alone, outlooks[space])
    for direction in range(3):
        turn.step[direction] = paths[HERE, direction]
    _step(board, HERE, _AHEAD, 1, turn.wings[0])
    turn.new_die = outlooks[HERE].new_die
    _mark(turn)
    for space in range(SPACES):
        if turn.soon[space]:
            _value_moves(board, weights, paths[space], outlooks, moves)
            _value_faces(board, paths[space], work.face_of, space, moves, faces)
            turn.rest[space] = outlooks[space].prospect if board.moved else _best_face(board, faces)
            if HERE <= space < HERE + _ENTRIES:
                turn.face[space - HERE, :] = faces
            if space == HERE:
                _value_due(board, paths[HERE], moves)
                turn.move[:] = moves


# Ways


@inline_rule
def _mark(turn: Any) -> None:
    """Mark the spaces in reach without a die: the own Titan's or its entries, neighbours, a step on, by wings."""
    turn.soon[:] = 0
    turn.soon[HERE : HERE + _ENTRIES] = 1
    for direction in range(len(NEIGHBOUR[HERE])):
        turn.soon[NEIGHBOUR[HERE, direction]] = 1
    for direction in range(3):
        turn.soon[turn.step[direction].to] = 1
    turn.soon[turn.wings[0].to] = 1


@inline_rule
def _follow(board: Any, paths: Any) -> None:
    """Follow each pattern of steps from each space."""
    for space in range(SPACES):
        for direction in range(3):
            _step(board, space, direction, 0, paths[space, direction])
    for space in range(SPACES):
        for pattern in range(3, len(_LAST)):
            paths[space, pattern] = paths[space, _BEFORE[pattern]]
            path = paths[space, pattern]
            _go_on(board, paths[path.to, _LAST[pattern]], path)


@inline_rule
def _step(board: Any, start: int, direction: int, more: int, path: Any) -> None:
    """Step from a space, over what a ramp carries over; wings carry over one space `more`; ice carries on."""
    jump = int(board.jump[start, direction]) + more
    to = start
    for _ in range(1 + jump):
        to = NEIGHBOUR[to, direction]
    path.rows = jump * ROWS_GAINED[direction]
    path.lost = path.gain = path.push = 0
    _arrive(board, to, direction, path)
    path.slid = board.ice[to]
    for _ in range(_LONGEST_SLIDE):
        if board.ice[path.to] == 0:
            break
        _arrive(board, NEIGHBOUR[path.to, direction], direction, path)


@inline_rule
def _arrive(board: Any, to: int, direction: int, path: Any) -> None:
    """Add the effects of entering a space to a path."""
    path.to = to
    path.rows += ROWS_GAINED[direction]
    path.lost += board.lost[to]
    path.gain += board.gain[to]
    path.push += board.push[to, direction]


@inline_rule
def _go_on(board: Any, step: Any, path: Any) -> None:
    """Take one step more, unless the way is over: a Titan without lives stops, and so does one that has slid."""
    if path.lost < board.lives and path.slid == 0:
        path.to = step.to
        path.rows += step.rows
        path.lost += step.lost
        path.gain += step.gain
        path.push += step.push
        path.slid = step.slid


# What they are worth


@inline_rule
def worth_of_path(board: Any, weights: Any, path: Any) -> float:
    """Return a path's value without its prospects: rows, lives, gains, pushes, the win."""
    left = max(0, board.lives - int(np.rint(path.lost)))
    spent = board.life[board.lives] - board.life[left]
    return float(weights.row * path.rows + path.gain + path.push - spent) + WIN * (path.rows >= board.rows_left)


@inline_rule
def _expect(board: Any, weights: Any, paths: Any, face_of: Any, space: int, faces: Any, outlook: Any) -> None:
    """Write the prospects of a space as if nobody stood in the way."""
    dread = min(board.next_life, weights.dread)
    faces[:] = -np.inf
    for move in range(len(_NUMBERS)):
        path, face = paths[_NUMBERS[move]], face_of[move]
        faces[face] = max(faces[face], weights.row * path.rows + path.gain - dread * path.lost)
    _sort(faces)
    best, second, mean = faces[-1], faces[-2], faces.sum() / np.float32(COPIED)
    outlook.prospect = weights.best * best + weights.second * second + weights.mean * mean
    outlook.new_die = (np.float32(COPIED) * mean + best - dread) / _FACES
    again = np.float32(0)
    if board.lives >= 2:
        again = board.pentacle[space] * max(np.float32(0), outlook.new_die - board.next_life)
    outlook.landing = outlook.prospect + weights.chased * board.followed[space] + weights.pentacle * again


@inline_rule
def _sort(numbers: Any) -> None:
    """Bring a few numbers in order, the least first."""
    for last in range(1, len(numbers)):
        for i in range(last, 0, -1):
            if numbers[i] < numbers[i - 1]:
                numbers[i], numbers[i - 1] = numbers[i - 1], numbers[i]


@inline_rule
def _value_moves(board: Any, weights: Any, paths: Any, outlooks: Any, moves: Any) -> None:
    """Write the value of each move from a space, with what follows it."""
    for move in range(len(_NUMBERS)):
        path = paths[_NUMBERS[move]]
        moves[move] = worth_of_path(board, weights, path) + outlooks[path.to].landing


@inline_rule
def _value_faces(board: Any, paths: Any, face_of: Any, space: int, moves: Any, faces: Any) -> None:
    """Write the value of each face but purple from a space: its best move, with red's trap or green's damage."""
    faces[:] = -np.inf
    for move in range(len(_NUMBERS)):
        face, worth = face_of[move], moves[move]
        if face in (_RED, _GREEN):
            before, after = _hit(board, face, space), _hit(board, face, paths[_NUMBERS[move]].to)
            worth += max(before, after)
        faces[face] = max(faces[face], worth)


@inline_rule
def _best_face(board: Any, faces: Any) -> float:
    """Return the best of the faces whose action is played, or may be."""
    most = -np.inf
    for face in range(COPIED):
        if board.faces[face]:
            most = max(most, faces[face])
    return most


@inline_rule
def _value_due(board: Any, paths: Any, moves: Any) -> None:
    """Add to the own moves the trap or the damage that is due after them."""
    for move in range(len(_NUMBERS)):
        to = paths[_NUMBERS[move]].to
        if board.red_due:
            moves[move] += _hit(board, _RED, to)
        if board.green_due:
            moves[move] += _hit(board, _GREEN, to)


@inline_rule
def _hit(board: Any, face: int, space: int) -> Any:
    """Return the value of one life of those in reach from a space: of red's trap, behind, or green's damage, before."""
    most = np.float32(0)
    first = 3 if face == _RED else 0
    for direction in range(first, first + 3):
        reached = NEIGHBOUR[space, direction]
        if reached != HERE:
            most = max(most, board.harm[reached])
    return most
