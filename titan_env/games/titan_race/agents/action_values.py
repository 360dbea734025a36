"""The values of abilities, cards, traps and shoves: each as its gain over the rest of the turn; compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import inline_rule
from titan_env.games.titan_race.agents.features import HERE, NEIGHBOUR, OTHERS, ROWS_GAINED, largest, lives_of
from titan_env.games.titan_race.agents.lookahead import PATH, worth_of_path
from titan_env.games.titan_race.rules.actions import CARDS, DIRECTIONS
from titan_env.games.titan_race.rules.state import SPACES, Titan

NEVER = np.float32(-30)
_IN_THE_WAY = np.float32(0.25)  # a trap of one's own before oneself
_HOURGLASS = np.float32(0.8)  # rows that a turn without ability and card is short of
_HEALING = 2
_DIRECTIONS = len(DIRECTIONS)
_RASSIK, _RAGNAROK, _CRAKEN, _GRINDER, _SLAUGG, _CHTOOLOO = map(int, Titan)
AIMED = ("surprise_trap", "speed_potion", "fireball", "mimic", "gust", "hourglass")
"""The cards that need a direction."""
_TRAP, _POTION, _FIREBALL, _MIMIC, _GUST, _HOUR = range(len(AIMED))
PLAYED = (*AIMED, "explosion", "lightning", "healing_potion", "wings")
"""Write the values of the cards of one's own turn."""
_EXPLOSION, _LIGHTNING, _HEAL, _WINGS = range(len(AIMED), len(PLAYED))
CARD_OF = np.array([CARDS.index(name) for name in PLAYED])

DEEDS = np.dtype(
    [
        ("hit", np.float32, _DIRECTIONS),  # what a life is worth of who stands there
        ("step", np.float64, 3),
        ("trap", np.float32, _DIRECTIONS),
        ("abilities", np.float32, (len(Titan), _DIRECTIONS)),  # of each kind of Titan
        ("ability", np.float32, _DIRECTIONS),  # the own one, or the one that Mimic lends
        ("shove", np.float32, _DIRECTIONS),  # of the target
        ("aim", np.float64, (len(AIMED), _DIRECTIONS)),
        ("play", np.float64, len(PLAYED)),
        ("healed", np.float32),  # what it is worth to gain a life
        ("path", PATH, 1),  # to work with
    ],
    align=True,
)
"""The values of deeds beside the die's move, by direction for those that have one."""


@inline_rule
def weigh(seen: Any, weights: Any, board: Any, turn: Any, deeds: Any) -> None:
    """Write what each deed would do."""
    for direction in range(_DIRECTIONS):
        deeds.hit[direction] = board.harm[NEIGHBOUR[HERE, direction]]
    for direction in range(3):
        deeds.step[direction] = _go(board, weights, turn, turn.step[direction])
    for direction in range(_DIRECTIONS):
        deeds.trap[direction] = _trap(board, weights, deeds, direction)
    deeds.healed = _healed(seen, board, 1)
    _weigh_abilities(board, weights, turn, deeds)
    deeds.ability[:] = deeds.abilities[_own_kind(seen)]
    target = min(board.titans[largest(seen.titan_target, 1)], SPACES - 1)
    deeds.shove[:] = board.shove[target]
    _aim_cards(seen, board, deeds)
    _play_cards(seen, board, weights, turn, deeds)


@inline_rule
def _go(board: Any, weights: Any, turn: Any, path: Any) -> float:
    """Return the gain of going a path now and spending the rest of the turn from its end."""
    return float(worth_of_path(board, weights, path) + turn.rest[path.to] - turn.rest[HERE])


@inline_rule
def _trap(board: Any, weights: Any, deeds: Any, direction: int) -> Any:
    """Return a trap on an adjacent space: it hits who stands there, else waits for a pursuer or is in the way."""
    space = NEIGHBOUR[HERE, direction]
    if board.weight[space] != 0:
        return deeds.hit[direction]
    pursuers = np.float32(0)
    for behind in range(3, _DIRECTIONS):
        if NEIGHBOUR[space, behind] != HERE:
            pursuers += max(np.float32(0), board.harm[NEIGHBOUR[space, behind]])
    waits = weights.trap * pursuers
    if direction < 3:
        waits -= _IN_THE_WAY
    return deeds.hit[direction] + waits


@inline_rule
def _weigh_abilities(board: Any, weights: Any, turn: Any, deeds: Any) -> None:
    """Write the value of the ability of each kind of Titan; Slaugg's is the same in every direction."""
    ahead = deeds.hit[0] + deeds.hit[1] + deeds.hit[2]
    for direction in range(_DIRECTIONS):
        deeds.abilities[_RASSIK, direction] = deeds.step[direction] if direction < 3 else NEVER
        deeds.abilities[_CRAKEN, direction] = _swap(board, weights, turn, deeds, direction)
        deeds.abilities[_RAGNAROK, direction] = board.shove[NEIGHBOUR[HERE, direction]].max()
        deeds.abilities[_GRINDER, direction] = deeds.trap[direction]
        deeds.abilities[_SLAUGG, direction] = ahead
        deeds.abilities[_CHTOOLOO, direction] = deeds.hit[direction] + deeds.healed


@inline_rule
def _swap(board: Any, weights: Any, turn: Any, deeds: Any, direction: int) -> float:
    """Changing places: rows for oneself, as many lost by the other; nobody slides."""
    space, path = NEIGHBOUR[HERE, direction], deeds.path[0]
    path.to, path.rows = space, ROWS_GAINED[direction]
    path.lost, path.gain = board.lost[space], board.gain[space]
    hurts = deeds.hit[direction] * min(np.float32(1), board.lost[HERE])
    path.push = board.weight[space] * ROWS_GAINED[direction] + hurts
    return _go(board, weights, turn, path)


@inline_rule
def _own_kind(seen: Any) -> int:
    """Return the kind of Titan whose ability one has: the own one, or the one that Mimic lends."""
    return largest(seen.borrowed, 0) if seen.borrowed.max() > 0 else largest(seen.titan_kind[0], 0)


@inline_rule
def _healed(seen: Any, board: Any, lives: int) -> Any:
    """Return the value of gaining lives."""
    top = max(lives_of(seen.titan_gauge[0]), board.lives)
    return board.life[min(board.lives + lives, top)] - board.life[board.lives]


@inline_rule
def _aim_cards(seen: Any, board: Any, deeds: Any) -> None:
    """Write the values of the cards that need a direction, in each of the six."""
    for direction in range(_DIRECTIONS):
        space = NEIGHBOUR[HERE, direction]
        occupied = board.weight[space] != 0
        deeds.aim[_TRAP, direction] = deeds.trap[direction]
        deeds.aim[_POTION, direction] = deeds.step[direction] if direction < 3 else NEVER
        deeds.aim[_FIREBALL, direction] = deeds.hit[direction] if direction < 3 else NEVER
        deeds.aim[_MIMIC, direction] = _lent(seen, board, deeds, space)
        deeds.aim[_GUST, direction] = board.shove[space, direction] if occupied else NEVER
        deeds.aim[_HOUR, direction] = _HOURGLASS * board.weight[space] if occupied else NEVER


@inline_rule
def _lent(seen: Any, board: Any, deeds: Any, space: int) -> Any:
    """Return the value of using the ability of the Titan on a space."""
    most = NEVER
    for k in range(OTHERS):
        if board.titans[k] == space:
            most = max(most, deeds.abilities[largest(seen.titan_kind[k + 1], 0)].max())
    return most


@inline_rule
def _play_cards(seen: Any, board: Any, weights: Any, turn: Any, deeds: Any) -> None:
    """Write the values of the cards of one's own turn."""
    for card in range(len(AIMED)):
        deeds.play[card] = deeds.aim[card].max()
    around = np.float32(0)
    for direction in range(_DIRECTIONS):
        around += deeds.hit[direction]
    deeds.play[_EXPLOSION] = around
    deeds.play[_LIGHTNING] = board.titan_harm[_first(seen)]
    deeds.play[_HEAL] = _healed(seen, board, _HEALING)
    deeds.play[_WINGS] = _go(board, weights, turn, turn.wings[0])


@inline_rule
def _first(seen: Any) -> int:
    """Return the first of the other Titans that can be hit on the board."""
    first, lead = 0, -np.inf
    for k in range(OTHERS):
        racing = seen.titan_fit[k + 1] * seen.titan_on_board[k + 1] > 0
        if racing and seen.titan_lead[k + 1] > lead:
            first, lead = k, seen.titan_lead[k + 1]
    return first
