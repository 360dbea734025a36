"""The board as the expert sees it: what each space costs and brings, who stands there and how much they matter.

Compiled, with `lookahead` and `action_values`: every function looks at one board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import inline_rule
from titan_env.games.titan_race.agents.greedy import Array
from titan_env.games.titan_race.rules.board import COLUMN_STEP, COLUMNS, ROW_STEP, ROWS
from titan_env.games.titan_race.rules.fields import FIELDS, RACE, ROWS_BEHIND
from titan_env.games.titan_race.rules.state import SPACES, Direction, Face

Places = NDArray[np.int64]

HERE = ROWS_BEHIND * 3
"""The own Titan's place in the window of the board."""
MOST_LIVES = 6
_LIVES = np.float32(6)  # `titan_life` and `titan_gauge` are told in sixths
_AHEAD = np.float32(6)  # rows: who is that much further from the line than the first matters a third as much
_CLOSE = 5  # rows: who is that close to the line may win in its next turn
_NOBODY = 10**6  # rows to the line of who does not race
_MOVED, _EXTRA, _DONE, _GRAND_SLAM = 2, 3, 5, 9  # of the flags
OTHERS = 5
COPIED = len(Face) - 1  # faces that have moves of their own: all but purple
_RED, _GREEN, _BACK = int(Face.RED), int(Face.GREEN), int(Direction.B)
_LEFT, _RIGHT = int(Direction.FL), int(Direction.FR)
_DIRECTIONS = len(Direction)


def _neighbours() -> Places:
    """Return the space in each direction of each space of the window, (36, 6)."""
    neighbours = np.zeros((SPACES, len(Direction)), np.int64)
    for space in range(SPACES):
        row = space // 3 - ROWS_BEHIND
        column = space % 3 * 2 + row % 2
        for direction in Direction:
            to_row = row + int(ROW_STEP[direction])
            to_column = (column + int(COLUMN_STEP[direction])) % COLUMNS
            neighbours[space, direction] = (to_row + ROWS_BEHIND) % ROWS * 3 + (to_column - to_row % 2) % COLUMNS // 2
    return neighbours


NEIGHBOUR = _neighbours()
ROWS_GAINED: Array = ROW_STEP.astype(np.float32)
_NEARER: Array = np.exp(-np.arange(4 * RACE, dtype=np.float32) / _AHEAD)
"""The weight of a Titan so many rows behind the first, relative to it."""

BOARD = np.dtype(
    [
        ("lost", np.float32, SPACES),  # lives that entering costs
        ("gain", np.float32, SPACES),  # what else entering brings
        ("ice", np.float32, SPACES),
        ("pentacle", np.float32, SPACES),
        ("jump", np.float32, (SPACES, 3)),  # spaces that a step jumps over
        ("occupied", np.float32, SPACES),
        ("weight", np.float32, SPACES),  # a row of who stands there: an opponent's above 0, an ally's below, the own
        ("harm", np.float32, SPACES),  # what it is worth that who stands there loses a life
        ("followed", np.float32, SPACES),  # how many Titans stand on the three spaces behind
        ("shove", np.float32, (SPACES, _DIRECTIONS)),  # what it is worth that who stands there goes one space
        ("push", np.float32, (SPACES, _DIRECTIONS)),  # the same, and that it loses a life
        ("titans", np.int64, OTHERS),  # where the other Titans stand; 36: nowhere
        ("titan_harm", np.float32, OTHERS),  # what it is worth that they lose a life
        ("life", np.float32, MOST_LIVES + 1),  # what having 0 to 6 lives is worth
        ("lives", np.int64),  # own lives
        ("next_life", np.float32),  # what the own next life is worth
        ("rows_left", np.float32),  # own rows to the end of the race
        ("red_due", np.int8),
        ("green_due", np.int8),
        ("moved", np.int8),
        ("faces", np.int8, COPIED),  # whose action is played, or may be
    ],
    align=True,
)
"""One board seen from the own Titan."""


CALLED = {part.name: part.name for part in FIELDS.parts} | {"flags": "course"}
"""The names of fields in a record, which has flags of its own."""
SEEN = np.dtype([(CALLED[part.name], np.float32, part.shape) for part in FIELDS.parts], align=True)
"""An observation as a record of its fields."""


def worth_of_lives(weights: Mapping[str, float]) -> Array:
    """Return the value of having 0 to 6 lives: the last one counts most."""
    each = [0.0, weights["life_1"], weights["life_2"], weights["life_3"], *[weights["life_4"]] * (MOST_LIVES - 3)]
    return np.cumsum(each).astype(np.float32)


@inline_rule
def lives_of(share: Any) -> int:
    """Return the number of lives that a share of six stands for; more than six are worth no more."""
    return min(max(int(np.rint(share * _LIVES)), 0), MOST_LIVES)


@inline_rule
def largest(numbers: Any, first: int) -> int:
    """Return the index of the largest number, cyclically from a place on: the first of equal ones."""
    most = first
    for i in range(first, len(numbers)):
        if numbers[i] > numbers[most]:
            most = i
    return most - first


@inline_rule
def see(seen: Any, weights: Any, board: Any) -> None:
    """Write the board of an observation."""
    own = lives_of(seen.titan_life[0])
    board.lives = own
    board.next_life = _next_life(seen, 0, board)
    board.rows_left = _rows_left(seen, 0)
    _place_others(seen, weights, board)
    _lay_out(seen, weights, board)
    board.weight[HERE], board.harm[HERE], board.occupied[HERE] = -weights.row, -board.next_life, 1
    for space in range(SPACES):
        for direction in range(_DIRECTIONS):
            board.shove[space, direction] = _shove(seen, board, space, direction)
            board.push[space, direction] = board.shove[space, direction] + board.harm[space]
    _say_what_is_due(seen, board)


@inline_rule
def _next_life(seen: Any, titan: int, board: Any) -> Any:
    """Return the value of the next life of a Titan that can lose one."""
    lives = lives_of(seen.titan_life[titan])
    return seen.titan_fit[titan] * (board.life[lives] - board.life[max(lives - 1, 0)])


@inline_rule
def _place_others(seen: Any, weights: Any, board: Any) -> None:
    """Write the places of the other Titans, the weight of a row of each, and of one of its lives."""
    for plane in (board.weight, board.harm, board.occupied):
        plane[:] = 0
    first = _rows_of_first(seen)
    for k in range(OTHERS):
        matters = _importance(seen, k + 1, first, weights)
        harm = weights.harm * matters * _next_life(seen, k + 1, board)
        space = _space_of(seen, k + 1)
        board.titans[k], board.titan_harm[k] = space, harm
        if space < SPACES:
            board.weight[space], board.harm[space], board.occupied[space] = matters, harm, 1


@inline_rule
def _space_of(seen: Any, titan: int) -> int:
    """Return another Titan's place in the window, or 36."""
    rows = int(np.rint(np.float32(ROWS) * (seen.titan_row[titan] - seen.titan_row[0])))
    ahead = (rows + ROWS_BEHIND) % ROWS
    column = largest(seen.titan_column[titan], 0)
    space = ahead * 3 + (column - (ahead - ROWS_BEHIND) % 2) % COLUMNS // 2
    there = seen.board_titan[space // 3, space % 3] > 0 and seen.titan_on_board[titan] > 0
    far = int(np.rint(seen.titan_lead[titan] * np.float32(RACE))) != ahead - ROWS_BEHIND
    return space if there and not (far and seen.course[_GRAND_SLAM] > 0) else SPACES


@inline_rule
def _races(seen: Any, titan: int) -> bool:
    """Return whether another Titan is an opponent in the race."""
    return bool(seen.titan_in_race[titan] > 0 and not seen.titan_ally[titan] > 0)


@inline_rule
def _rows_left(seen: Any, titan: int) -> int:
    """Return the number of rows that a Titan has to go."""
    return int(np.rint(seen.titan_to_go[titan] * np.float32(RACE)))


@inline_rule
def _rows_of_first(seen: Any) -> int:
    """Return the number of rows that the first of the opponents has to go."""
    first = _NOBODY
    for titan in range(1, 1 + OTHERS):
        if _races(seen, titan):
            first = min(first, _rows_left(seen, titan))
    return first


@inline_rule
def _importance(seen: Any, titan: int, first: int, weights: Any) -> Any:
    """Return the weight of a row of another Titan: largest for the first; below 0 for allies."""
    if seen.titan_ally[titan] > 0:
        return -weights.ally
    if not _races(seen, titan):
        return np.float32(0)
    left = _rows_left(seen, titan)
    matters = weights.anybody + weights.leader * _NEARER[min(left - first, len(_NEARER) - 1)]
    return np.float32(matters * (1.0 + weights.urgent * (left <= _CLOSE)))


@inline_rule
def _lay_out(seen: Any, weights: Any, board: Any) -> None:
    """Write the cost and gain of entering each space, and the end of a step from it."""
    hand = seen.titan_hand[0]
    for space in range(SPACES):
        row, column = space // 3, space % 3
        pirates = seen.board_pirates[row, column]
        board.lost[space] = seen.board_lava[row, column] + seen.board_trap[row, column] + pirates * (hand == 0)
        gain = seen.board_bonus[row, column] * weights.bonus * np.float32(hand < 1)
        gain = gain - pirates * weights.toll * np.float32(hand > 0)
        board.gain[space] = gain + seen.board_statue[row, column] * _beside(board.harm, space, 0)
        board.followed[space] = _beside(board.occupied, space, _BACK)
        board.ice[space] = seen.board_ice[row, column]
        board.pentacle[space] = seen.board_pentacle[row, column]
        board.jump[space, :] = seen.board_multi_ramp[row, column]
        board.jump[space, _LEFT] += 2 * seen.board_super_ramp_left[row, column]
        board.jump[space, _RIGHT] += 2 * seen.board_super_ramp_right[row, column]


@inline_rule
def _beside(plane: Any, space: int, first: int) -> Any:
    """Return the sum of a plane over the spaces beside a space, from a direction on."""
    total = np.float32(0)
    for direction in range(first, _DIRECTIONS):
        total += plane[NEIGHBOUR[space, direction]]
    return total


@inline_rule
def _shove(seen: Any, board: Any, space: int, direction: int) -> Any:
    """Return the gain when the Titan on a space moves in a direction, pushing the next one."""
    if board.occupied[space] == 0:
        return np.float32(0)
    to, rows = NEIGHBOUR[space, direction], ROWS_GAINED[direction]
    hurts = min(np.float32(1), seen.board_lava[to // 3, to % 3] + seen.board_trap[to // 3, to % 3])
    goes = board.harm[space] * hurts - board.weight[space] * rows
    return goes + board.occupied[to] * (board.harm[to] - board.weight[to] * rows)


@inline_rule
def _say_what_is_due(seen: Any, board: Any) -> None:
    """Write the stage of the turn: the faces that may still be played, and the effects after the move."""
    extra = seen.course[_EXTRA] > 0
    board.red_due, board.green_due = extra and seen.action[_RED] > 0, extra and seen.action[_GREEN] > 0
    board.moved = seen.course[_MOVED] > 0 or seen.course[_DONE] > 0
    chosen = False
    for face in range(len(seen.action)):
        chosen = chosen or seen.action[face] > 0
    for face in range(COPIED):
        board.faces[face] = not chosen or seen.action[face] > 0
