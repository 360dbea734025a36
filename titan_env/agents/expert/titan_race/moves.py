"""Where moves really end, from every space of the window: step by step, over ramps and ice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.expert.titan_race.planes import HERE, NEIGHBOUR, ROWS_GAINED, Board, Places
from titan_env.agents.greedy.titan_race import Array
from titan_env.games.titan_race.rules.actions import FACES, MOVES
from titan_env.games.titan_race.rules.dice import FACE_MOVES
from titan_env.games.titan_race.rules.state import SPACES, Direction, Face

_STEPS = {"S": Direction.F, "L": Direction.FL, "R": Direction.FR}
_LONGEST_SLIDE = 6
_WIN = 60.0  # rows that winning at once is worth
_FLAG_MOVED, _FLAG_EXTRA, _FLAG_DONE = 2, 3, 5
_ALLOWED = [[MOVES.index(pattern) for pattern in FACE_MOVES[Face(face)]] for face in range(5)]


class Way(NamedTuple):
    """Where ways end and what happens on them; arrays of one shape."""

    to: Places
    rows: Array
    lost: Array  # own lives
    gain: Array  # cards, statues
    push: Array  # what happens to who is in the way
    slid: Array  # 1: it ended with a slide, and with it the movement

    def each(self, view: Callable[[NDArray[Any]], NDArray[Any]]) -> Way:
        """The same part of each array."""
        return Way(*(view(part) for part in self))


@dataclass(frozen=True)
class Turn:
    """What the rest of the turn is worth from each space, and how; B decisions."""

    step: Way  # one step in each forward direction, (B, 36, 3)
    move: Array  # each move pattern with what follows, (B, 36, 10)
    face: Array  # each face but purple, (B, 36, 5)
    rest: Array  # the rest of this turn and the prospect from where it ends, (B, 36)
    new_die: Array  # a die rolled on a pentacle, (B, 36)


def pick(table: NDArray[Any], places: Places) -> NDArray[Any]:
    """The entries of a table (B, N) at places (B, ...)."""
    chosen = np.take_along_axis(table, places.reshape(len(places), -1), axis=1)
    return chosen.reshape(places.shape)


def arrive(board: Board, to: Places, direction: Places, rows: Array) -> Way:
    """Who enters the spaces `to` (B, N) in directions (N,) meets what is there, and slides on over ice."""
    shoves = (board.shove + board.harm[:, :, None]).reshape(len(to), -1)
    lost, gain, push = pick(board.lost, to), pick(board.gain, to), pick(shoves, to * 6 + direction)
    slid = pick(board.ice, to)
    for _ in range(_LONGEST_SLIDE):
        sliding = pick(board.ice, to)
        if not sliding.any():
            break
        to = np.where(sliding > 0, NEIGHBOUR[to, direction], to)
        rows = rows + (sliding * ROWS_GAINED[direction]).astype(np.float32)
        lost = lost + sliding * pick(board.lost, to)
        gain = gain + sliding * pick(board.gain, to)
        push = push + sliding * pick(shoves, to * 6 + direction)
    return Way(to, rows, lost, gain, push, slid)


def step_from(board: Board, start: Places, direction: Places, more: int = 0) -> Way:
    """A step from spaces (N,) in directions (N,), (B, N); wings carry over one space `more`."""
    jump = board.jump[:, start, direction] + more
    to = NEIGHBOUR[start, direction]
    for under in range(3):
        to = np.where(jump > under, NEIGHBOUR[to, direction], to)
    return arrive(board, to, direction, (1 + jump) * ROWS_GAINED[direction])


def follow(board: Board, step: Way) -> Way:
    """Each move pattern from each space, (B, 36, 10). Who has no life left stops, and so does who has slid."""
    found = {letter: _toward(step, direction) for letter, direction in _STEPS.items()}
    for pattern in sorted(MOVES, key=len):
        if len(pattern) > 1:
            found[pattern] = _one_more(board, found[pattern[:-1]], found[pattern[-1]])
    to, *rest = (np.stack(parts, axis=2) for parts in zip(*(found[pattern] for pattern in MOVES), strict=True))
    return Way(to, *rest)


def _toward(step: Way, direction: Direction) -> Way:
    """The steps in one direction, (B, 36)."""
    return step.each(lambda part: part[:, :, direction])


def _one_more(board: Board, so_far: Way, step: Way) -> Way:
    """A way (B, 36) and one step more from where it ends, unless it is over."""
    going = (so_far.lost < board.lives[:, None]) * (1 - so_far.slid)
    more = step.each(lambda part: pick(part, so_far.to))
    return Way(
        to=np.where(going > 0, more.to, so_far.to),
        rows=so_far.rows + going * more.rows,
        lost=so_far.lost + going * more.lost,
        gain=so_far.gain + going * more.gain,
        push=so_far.push + going * more.push,
        slid=so_far.slid + going * more.slid,
    )


def value(board: Board, way: Way, weights: Mapping[str, float]) -> Array:
    """What ways (B, ...) are worth without what follows: rows, lives, gains, pushes, the win."""
    tail = (len(board.lives), *[1] * (way.to.ndim - 1))
    lives = board.lives.reshape(tail)
    left = np.maximum(0, lives - np.rint(way.lost).astype(np.int64))
    wins = way.rows >= board.rows_left.reshape(tail)
    spent = board.life[lives] - board.life[left]
    worth: Array = weights["row"] * way.rows + way.gain + way.push - spent + _WIN * wins
    return worth


def look_ahead(fields: Mapping[str, Array], weights: Mapping[str, float], board: Board) -> Turn:
    """The rest of the turn from every space."""
    every = np.arange(SPACES * 3)
    step = step_from(board, every // 3, every % 3).each(lambda part: part.reshape(-1, SPACES, 3))
    way = follow(board, step)
    prospect, new_die = _prospects(board, weights, way)
    again = board.pentacle * np.maximum(0, new_die - board.next_life) * (board.lives[:, None] >= 2)
    behind = weights["chased"] * board.followed
    move = value(board, way, weights) + pick(prospect + behind + weights["pentacle"] * again, way.to)
    striking, trapping = (_hits(board, directions) for directions in (range(3), range(3, 6)))
    faces = []
    for face, allowed in enumerate(_ALLOWED):
        best = move[:, :, allowed]
        if face in (Face.RED, Face.GREEN):
            hits = trapping if face == Face.RED else striking
            best = best + np.maximum(hits[:, :, None], pick(hits, way.to[:, :, allowed]))
        faces.append(best.max(axis=2))
    flags, action = fields["flags"] > 0, fields["action"]
    for face, hits in ((Face.RED, trapping), (Face.GREEN, striking)):
        due = (action[:, face] > 0) & flags[:, _FLAG_EXTRA]
        move += due[:, None, None] * pick(hits, way.to)
    best_of_face = np.stack(faces, axis=2)
    chosen = (action[:, :5] > 0) | ~action.any(axis=1, keepdims=True)
    rest = np.where(chosen[:, None], best_of_face, -np.inf).max(axis=2)
    moved = flags[:, [_FLAG_MOVED, _FLAG_DONE]].any(axis=1, keepdims=True)
    return Turn(step, move, best_of_face, np.where(moved, prospect, rest), new_die)


def _hits(board: Board, directions: range) -> Array:
    """What one life is worth of whom one reaches from each space in some directions, (B, 36)."""
    reached = NEIGHBOUR[:, directions]
    hits: Array = np.where(reached == HERE, 0, board.harm[:, reached]).max(axis=2)
    return np.maximum(hits, 0)


def _prospects(board: Board, weights: Mapping[str, float], way: Way) -> tuple[Array, Array]:
    """What the next turn promises from each space if nobody were in the way, and what one new die, both (B, 36)."""
    worth = np.minimum(board.next_life, weights["dread"])[:, :, None]
    alone = weights["row"] * way.rows + way.gain - worth * way.lost
    faces = np.sort(np.stack([alone[:, :, allowed].max(axis=2) for allowed in _ALLOWED], axis=2), axis=2)
    best, mean = faces[..., -1], faces.mean(axis=2)
    prospect = weights["best"] * best + weights["second"] * faces[..., -2] + weights["mean"] * mean
    new_die = (5 * mean + best - worth[..., 0]) / len(FACES)
    return prospect.astype(np.float32), new_die.astype(np.float32)
