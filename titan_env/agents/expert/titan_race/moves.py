"""What moves come to, from every space of the window: each is followed step by step, over ramps and ice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.expert.titan_race.planes import Board
from titan_env.agents.expert.titan_race.ways import (
    GROUND,
    OUTLOOK,
    PATTERNS,
    TURN,
    WAY,
    WIN,
    Places,
    Weights,
    look,
)
from titan_env.agents.greedy.titan_race import Array
from titan_env.contract import COMPILED, bind
from titan_env.games.titan_race.rules.dice import allows
from titan_env.games.titan_race.rules.state import SPACES, Face

_FLAG_MOVED, _FLAG_EXTRA, _FLAG_DONE = 2, 3, 5


class Way(NamedTuple):
    """Where ways end and what happens on them; arrays of one shape."""

    to: Places
    rows: Array
    lost: Array  # own lives
    gain: Array  # cards, statues
    push: Array  # what happens to who is in the way
    slid: Array  # 1: it ended with a slide, and with it the movement


class Turn(NamedTuple):
    """What the rest of the turn is worth, and how; B decisions."""

    step: Way  # one step in each forward direction, (B, 3)
    wings: Way  # one step forward over one space more, (B, 1)
    move: Array  # each move pattern with what follows, (B, 10)
    face: Array  # each face but purple, from each of the own row's spaces, the own one first, (B, 3, 5)
    rest: Array  # the rest of this turn, and the prospect from where it ends, from where one may be soon, (B, 36)
    new_die: Array  # a die rolled on a pentacle, (B,)


def look_ahead(fields: Mapping[str, Array], weights: Mapping[str, float], board: Board) -> Turn:
    """The rest of the turn from every space where the own Titan may be soon."""
    turns = _records(len(board.lives), TURN)
    counted = Weights(*(np.float32(weights[name]) for name in Weights._fields))
    ways, outlooks = _records((SPACES, len(PATTERNS)), WAY), _records(SPACES, OUTLOOK)
    bind(look, {"allows": allows})(_grounds(fields, board), counted, ways, outlooks, turns)
    step, wings = (Way(*(turns[part][name] for name in Way._fields)) for part in ("step", "wings"))
    return Turn(step, wings, *(turns[part] for part in Turn._fields[2:]))


def _records(shape: Any, kind: np.dtype[Any]) -> Any:
    """Zeros of a record, as compiled code and plain Python take them."""
    records = np.zeros(shape, kind)
    return records if COMPILED else records.view(np.recarray)


def _grounds(fields: Mapping[str, Array], board: Board) -> Any:
    """The boards as records (B,)."""
    grounds = _records(len(board.lives), GROUND)
    for part in ("lost", "gain", "ice", "harm", "pentacle", "followed", "jump", "lives"):
        grounds[part] = getattr(board, part)
    grounds["push"] = board.shove + board.harm[:, :, None]
    grounds["life"] = board.life
    grounds["next_life"], grounds["rows_left"] = board.next_life[:, 0], board.rows_left[:, 0]
    flags, action = fields["flags"] > 0, fields["action"] > 0
    grounds["red_due"], grounds["green_due"] = (
        action[:, face] & flags[:, _FLAG_EXTRA] for face in (Face.RED, Face.GREEN)
    )
    grounds["moved"] = flags[:, _FLAG_MOVED] | flags[:, _FLAG_DONE]
    grounds["faces"] = action[:, :5] | ~action.any(axis=1, keepdims=True)
    return grounds


def value(board: Board, way: Way, weights: Mapping[str, float]) -> Array:
    """What ways (B, ...) are worth without what follows: rows, lives, gains, pushes, the win."""
    tail = (len(board.lives), *[1] * (way.to.ndim - 1))
    lives = board.lives.reshape(tail)
    left = np.maximum(0, lives - np.rint(way.lost).astype(np.int64))
    wins = way.rows >= board.rows_left.reshape(tail)
    spent = board.life[lives] - board.life[left]
    worth: Array = weights["row"] * way.rows + way.gain + way.push - spent + WIN * wins
    return worth


def pick(table: NDArray[Any], places: Places) -> NDArray[Any]:
    """The entries of a table (B, N) at places (B, ...)."""
    chosen = np.take_along_axis(table, places.reshape(len(places), -1), axis=1)
    return chosen.reshape(places.shape)
