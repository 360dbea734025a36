"""Small games of two, solved exactly with what is hidden: sequence form and linear program (Koller et al. 1996).

The game is played out to its end from where it begins, over all decisions and all answers of chance. Positions that a
seat cannot tell apart, by what it observes and what it has decided, are one decision of it. Payoffs are 1 for a win of
the first seat, -1 for one of the second, 0 for a game that nobody or everybody wins, or that is truncated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.engine.batch_loops import scale_observation
from titan_env.extras import extra
from titan_env.play.outcomes import OutcomeLister

MOST_POSITIONS = 200_000
"""The bound on the positions of a game that is solved."""
MOST_OUTCOMES = 10_000
"""The bound on the sequences of chance answers to one decision."""
Array = NDArray[np.float64]
Plays = Callable[[Any], Array]
"""``plays(states) -> chances``: how likely each action is in these positions (B,), float64 (B, A)."""


class InformationSet(NamedTuple):
    """A decision of one seat: the sequence before it, its actions with the sequences they end, and a position in it."""

    before: int
    actions: NDArray[np.int64]
    sequences: NDArray[np.int64]
    state: bytes


@dataclass
class SeatSequences:
    """The decisions of one seat in the order of the game, and how many sequences it has; number 0 is the empty one."""

    choices: list[InformationSet] = field(default_factory=list)
    known: dict[tuple[int, bytes], InformationSet] = field(default_factory=dict)
    sequences: int = 1


class Exploitability(NamedTuple):
    """By how much best responses beat an agent beyond the value of the game: on average, and in each seat."""

    mean: float
    first: float
    second: float


class SmallGame:
    """A game of two as a tree, from one position on, or from several (N,) with these probabilities (N,).

    Raises ValueError for more than two seats, or too large a game.
    """

    def __init__(self, game: Game, begun: Any, odds: Sequence[float] = (1.0,)) -> None:
        states = np.atleast_1d(begun)
        if (seats := int(states["seats"].max())) != 2:
            raise ValueError(f"expected a game of two, got one of {seats}")
        self.game, self.seats, self.positions = game, (SeatSequences(), SeatSequences()), 0
        self._lister, self._leaves = OutcomeLister(game), dict[tuple[int, int], float]()
        for state, chance in zip(states, odds, strict=True):
            self._walk(state.tobytes(), (0, 0), chance)
        self.payoffs = np.zeros((self.seats[0].sequences, self.seats[1].sequences))
        """The expected payoffs to the first seat at pairs of sequences, weighed by chance, float64 (S, T)."""
        for pair, worth in self._leaves.items():
            self.payoffs[pair] = worth

    def _walk(self, data: bytes, reached: tuple[int, int], odds: float) -> None:
        """Play out a position that these sequences of both seats and chance with these odds have reached."""
        self.positions += 1
        if self.positions > MOST_POSITIONS:
            raise ValueError(f"expected a game of at most {MOST_POSITIONS:,} positions")
        state = np.frombuffer(data, self.game.rules.state).view(np.recarray)[0]
        if state.over:
            payoff = float(state.won[0] != 0) - float(state.won[1] != 0)
            self._leaves[reached] = self._leaves.get(reached, 0.0) + odds * payoff
            return
        who = int(state.seat)
        choice = self._choice(self.seats[who], who, state, reached[who])
        for action, sequence in zip(choice.actions.tolist(), choice.sequences.tolist(), strict=True):
            after = (sequence, reached[1]) if who == 0 else (reached[0], sequence)
            for chance, then in zip(*self._lister.list(data, action, MOST_OUTCOMES), strict=True):
                self._walk(then.tobytes(), after, odds * chance)

    def _choice(self, seat: SeatSequences, who: int, state: Any, before: int) -> InformationSet:
        """Return the decision of a seat in a position; one with a single action lengthens no sequence."""
        rules = self.game.rules
        mask, seen = np.zeros(len(rules.actions), np.int8), np.zeros(rules.fields.size, np.float32)
        rules.legal(state, mask)
        rules.observe(state, who, seen)
        scale_observation(seen, rules.fields.scales)
        actions = np.flatnonzero(mask)
        if len(actions) == 1:
            return InformationSet(before, actions, np.array([before]), b"")
        key = (before, seen.tobytes())
        if key not in seat.known:
            sequences = seat.sequences + np.arange(len(actions))
            seat.known[key] = InformationSet(before, actions, sequences, state.tobytes())
            seat.choices.append(seat.known[key])
            seat.sequences += len(actions)
        return seat.known[key]

    @cached_property
    def solution(self) -> tuple[float, list[Array]]:
        """The value to the first seat, and an equilibrium: of each seat the weights of its sequences."""
        value, first = _solved(self.payoffs, *self.seats)
        _, second = _solved(-self.payoffs.T, *reversed(self.seats))
        return value, [first, second]

    def weights_of(self, plays: Plays, who: int) -> Array:
        """Return the weights of a seat's sequences as somebody plays it, asked once in each decision."""
        seat, weights = self.seats[who], np.zeros(self.seats[who].sequences)
        weights[0] = 1
        if not seat.choices:
            return weights
        states: Any = np.frombuffer(b"".join(one.state for one in seat.choices), self.game.rules.state)
        for choice, chances in zip(seat.choices, plays(states.copy().view(np.recarray)), strict=True):
            weights[choice.sequences] = weights[choice.before] * chances[choice.actions]
        return weights

    def best_response(self, who: int, weights: Array) -> float:
        """Return the most that a seat wins against the other one's weights, as a payoff to itself."""
        worth = self.payoffs @ weights if who == 0 else -(weights @ self.payoffs)
        for choice in reversed(self.seats[who].choices):
            worth[choice.before] += worth[choice.sequences].max()
        return float(worth[0])

    def exploitability(self, plays: Plays) -> Exploitability:
        """Return what best responses win against somebody who plays so, beyond the value of the game."""
        value, _ = self.solution
        first = self.best_response(1, self.weights_of(plays, 0)) + value
        second = self.best_response(0, self.weights_of(plays, 1)) - value
        return Exploitability((first + second) / 2, first, second)


def _solved(payoffs: Array, own: SeatSequences, other: SeatSequences) -> tuple[float, Array]:
    """Return the value to a seat with these payoffs (S, T), and weights of its sequences that secure it."""
    with extra("evaluation"):
        from scipy.optimize import linprog

    flows, others = _flows(own), _flows(other)
    sequences, bounds = payoffs.shape[0], [(0, None)] * payoffs.shape[0] + [(None, None)] * len(others)
    gains = np.concatenate([np.zeros(sequences), -_begin(others)])
    found = linprog(
        gains,
        A_ub=np.hstack([-payoffs.T, others.T]),
        b_ub=np.zeros(payoffs.shape[1]),
        A_eq=np.hstack([flows, np.zeros((len(flows), len(others)))]),
        b_eq=_begin(flows),
        bounds=bounds,
    )
    if not found.success:
        raise ValueError(f"expected a game that the linear program solves, got {found.message}")
    return -float(found.fun), found.x[:sequences]


def _flows(seat: SeatSequences) -> Array:
    """Return the rows that tie sequences together: the empty one weighs 1, actions as much as what is before them."""
    rows = np.zeros((1 + len(seat.choices), seat.sequences))
    rows[0, 0] = 1
    for row, choice in enumerate(seat.choices, 1):
        rows[row, choice.before] -= 1
        rows[row, choice.sequences] += 1
    return rows


def _begin(flows: Array) -> Array:
    """Return the right side of `_flows`."""
    return np.eye(1, len(flows))[0]
