"""The board as the expert sees it: what each space costs and brings, who stands there and how much they matter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.expert.titan_race.ways import HERE, NEIGHBOUR, ROWS_GAINED, Places
from titan_env.agents.greedy.titan_race import Array, flat
from titan_env.contract import rule
from titan_env.games.titan_race.rules.board import COLUMNS, ROWS
from titan_env.games.titan_race.rules.fields import RACE, ROWS_BEHIND
from titan_env.games.titan_race.rules.state import SPACES, Direction

_MOST_LIVES = 6
_LIVES = 6  # `titan_life` and `titan_gauge` are told in sixths
_AHEAD = 6.0  # rows: who is that much further from the line than the first matters a third as much
_CLOSE = 5.0  # rows: who is that close to the line may win in its next turn
_GRAND_SLAM = 9
_DIRECTIONS = len(Direction)


@dataclass(frozen=True)
class Board:
    """B boards seen from the own Titan; each plane is (B, 36)."""

    life: Array  # what having 0 to 6 lives is worth, (7,)
    lives: Places  # own lives, (B,)
    next_life: Array  # what the own next life is worth, (B, 1)
    rows_left: Array  # own rows to the end of the race, (B, 1)
    lost: Array  # lives that entering costs
    gain: Array  # what else entering brings
    ice: Array
    pentacle: Array
    jump: Array  # spaces that a step jumps over, (B, 36, 3)
    weight: Array  # how much a row of who stands there matters: an opponent's above 0, an ally's below, the own row's
    harm: Array  # what it is worth that who stands there loses a life
    shove: Array  # what it is worth that who stands there goes one space in each direction, (B, 36, 6)
    followed: Array  # how many Titans stand on the three spaces behind
    titans: Places  # where the other Titans stand, (B, 5); 36: nowhere
    titan_harm: Array  # what it is worth that they lose a life, (B, 5)


def worth_of_lives(weights: Mapping[str, float]) -> Array:
    """What having 0 to 6 lives is worth: the last one most."""
    each = [0.0, weights["life_1"], weights["life_2"], weights["life_3"], *[weights["life_4"]] * (_MOST_LIVES - 3)]
    return np.cumsum(each).astype(np.float32)


def lives_of(fields: Mapping[str, Array]) -> Places:
    """The lives of each Titan, (B, 6); what is above six is worth no more."""
    return _lives(fields["titan_life"])


def most_lives_of(fields: Mapping[str, Array]) -> Places:
    """How many lives each Titan can have, (B, 6), likewise."""
    return _lives(fields["titan_gauge"])


def _lives(told: Array) -> Places:
    """Lives as they are counted here of lives as they are told."""
    return np.clip(np.rint(told * _LIVES), 0, _MOST_LIVES).astype(np.int64)


def see(fields: Mapping[str, Array], weights: Mapping[str, float]) -> Board:
    """The boards of B observations."""
    life, lives = worth_of_lives(weights), lives_of(fields)
    rows_left = np.rint(fields["titan_to_go"] * RACE)
    titans, there = _places(fields)
    titan_weight = _importance(fields, weights, rows_left)
    next_life = fields["titan_fit"] * (life[lives] - life[np.maximum(lives - 1, 0)])
    titan_harm = weights["harm"] * titan_weight * next_life[:, 1:]
    weight, harm, occupied = (_scatter(titans, values) for values in (titan_weight, titan_harm, there))
    hand = fields["titan_hand"][:, :1]
    lava, trap, pirates = (flat(fields, plane) for plane in ("lava", "trap", "pirates"))
    gain = flat(fields, "bonus") * weights["bonus"] * (hand < 1) - pirates * weights["toll"] * (hand > 0)
    gain += flat(fields, "statue") * _sums(harm, Direction.F)
    followed = _sums(occupied, Direction.B)
    weight[:, HERE], harm[:, HERE], occupied[:, HERE] = -weights["row"], -next_life[:, 0], 1
    return Board(
        life=life,
        lives=lives[:, 0],
        next_life=next_life[:, :1],
        rows_left=rows_left[:, :1],
        lost=lava + trap + pirates * (hand == 0),
        gain=gain,
        ice=flat(fields, "ice"),
        pentacle=flat(fields, "pentacle"),
        jump=_jumps(fields),
        weight=weight,
        harm=harm,
        shove=_shoves(weight, harm, occupied, np.minimum(1, lava + trap)),
        followed=followed,
        titans=titans,
        titan_harm=titan_harm,
    )


def _jumps(fields: Mapping[str, Array]) -> Array:
    """How many spaces a step from each space in each forward direction jumps over, (B, 36, 3)."""
    jump = np.repeat(flat(fields, "multi_ramp")[:, :, None], 3, axis=2)
    jump[:, :, Direction.FL] += 2 * flat(fields, "super_ramp_left")
    jump[:, :, Direction.FR] += 2 * flat(fields, "super_ramp_right")
    return jump


def _places(fields: Mapping[str, Array]) -> tuple[Places, NDArray[np.bool_]]:
    """Where the other Titans stand in the window, (B, 5), and whether they do."""
    row = np.rint(ROWS * (fields["titan_row"][:, 1:] - fields["titan_row"][:, :1])).astype(np.int64)
    ahead = (row + ROWS_BEHIND) % ROWS
    column = fields["titan_column"][:, 1:].argmax(axis=2)
    places = ahead * 3 + (column - (ahead - ROWS_BEHIND) % 2) % COLUMNS // 2
    seen = np.take_along_axis(flat(fields, "titan"), places, axis=1) > 0
    there = seen & (fields["titan_on_board"][:, 1:] > 0)
    far = np.rint(fields["titan_lead"][:, 1:] * RACE) != ahead - ROWS_BEHIND
    there &= ~(far & (fields["flags"][:, _GRAND_SLAM, None] > 0))
    return np.where(there, places, SPACES), there


def _importance(fields: Mapping[str, Array], weights: Mapping[str, float], rows_left: Array) -> Array:
    """How much a row of each other Titan matters, (B, 5): most that of the first; below 0 for allies."""
    ally = fields["titan_ally"][:, 1:] > 0
    racing = (fields["titan_in_race"][:, 1:] > 0) & ~ally
    left = np.where(racing, rows_left[:, 1:], np.inf)
    first = np.where(racing, left, 1e6).min(axis=1, keepdims=True)
    importance = weights["anybody"] + weights["leader"] * np.exp((first - left) / _AHEAD)
    importance = importance * (1 + weights["urgent"] * (left <= _CLOSE))
    return np.where(ally, -weights["ally"], racing * importance).astype(np.float32)


def _scatter(places: Places, values: NDArray[Any]) -> Array:
    """A plane (B, 36) with values at places (B, 5)."""
    plane = np.zeros((len(places), SPACES + 1), np.float32)
    np.put_along_axis(plane, places, values.astype(np.float32), axis=1)
    return plane[:, :SPACES]


def _sums(plane: Array, first: Direction) -> Array:
    """The sum of a plane (B, 36) over the spaces beside each space, from this direction on."""
    sums = np.zeros_like(plane)
    _sum_beside(plane, int(first), sums)
    return sums


def _shoves(weight: Array, harm: Array, occupied: Array, hurts: Array) -> Array:
    """What it is worth that who stands on each space goes in each direction, pushing the next one, (B, 36, 6)."""
    shoves = np.zeros((*weight.shape, len(Direction)), np.float32)
    _shove(weight, harm, occupied, hurts, shoves)
    return shoves


@rule
def _sum_beside(plane: Any, first: int, sums: Any) -> None:
    """Add up what is beside each space of each plane."""
    for board in range(len(plane)):
        for space in range(SPACES):
            for direction in range(first, _DIRECTIONS):
                sums[board, space] += plane[board, NEIGHBOUR[space, direction]]


@rule
def _shove(weight: Any, harm: Any, occupied: Any, hurts: Any, shoves: Any) -> None:
    """Write what it is worth that somebody goes from each space, where somebody stands."""
    for board in range(len(weight)):
        for space in range(SPACES):
            if occupied[board, space]:
                for direction in range(_DIRECTIONS):
                    to, rows = NEIGHBOUR[space, direction], ROWS_GAINED[direction]
                    goes = harm[board, space] * hurts[board, to] - weight[board, space] * rows
                    pushed = harm[board, to] - weight[board, to] * rows
                    shoves[board, space, direction] = goes + occupied[board, to] * pushed
