"""The exact probability of a win within the current turn, or in the rest of the game, by exhaustive search.

The turn lasts while the game's clock (`chance_clock`) stands still or, if the clock counts decisions, while the same
seat is to act. That seat maximizes, other seats that act within its turn minimize (expectiminimax). A draw of all
counts as a share of a win. The search knows the full state, hidden information included.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.play.outcomes import OutcomeLister

MOST_OUTCOMES = 2_000
"""The bound on sequences of chance answers for one decision."""
MOST_DECISIONS = 400
"""The bound on decisions whose outcomes are listed for one turn."""
DEEPEST = 60
"""The bound on the length of a turn, in decisions."""
ALIKE = 1e-9
"""The difference below which two probabilities count as equal."""


class SearchLimit(ValueError):
    """The error for a turn that exceeds the bounds of the search."""


def turn_of(game: Game, states: Any) -> Any:
    """Return the turn, int64, in which a position or each of many stands; consecutive turns have different numbers."""
    return np.asarray(states["seat" if game.rules.chance_clock == "decisions" else game.rules.chance_clock]).astype(
        np.int64
    )


def result_value(states: Any, seat: int) -> NDArray[np.float64]:
    """Return the value of the result of a position, or of each of many, to a seat.

    It is 1 for a win, 1 / seats for a draw of all, else 0.
    """
    seats, won = np.asarray(states["seats"], np.float64), np.asarray(states["won"]) != 0
    everybody = (won | (np.arange(won.shape[-1]) >= seats[..., None])).all(axis=-1)
    return np.where(everybody, 1.0 / seats, won[..., seat])


class Outcomes(NamedTuple):
    """The outcomes of an action: those that end the turn, and those in which it goes on."""

    ended: list[float]
    """Of each outcome that ends the turn: its probability times the result's value."""
    going: list[tuple[float, Any]]
    """The others: (probability, state) pairs."""
    certain: float | None
    """The value of the result if all outcomes end the turn with the same one, else None."""


class TurnSolver:
    """The search of one turn, from a position in which its seat is to act; results are cached.

    With `whole` it is the rest of the game, for last turns that no clock holds together while other seats are asked.
    """

    def __init__(self, game: Game, state: Any, most: int = MOST_DECISIONS, whole: bool = False) -> None:
        self.game, self.most, self._whole = game, most, whole
        self.seat, self._turn = int(state.seat), int(turn_of(game, state))
        self._known: dict[bytes, float] = {}
        self._lengths: dict[bytes, int] = {}
        self._after: dict[tuple[bytes, int], Outcomes] = {}
        self._mask = np.zeros(len(game.rules.actions), np.int8)
        self._lister = OutcomeLister(game)

    def goes_on(self, states: Any) -> Any:
        """Return whether a position, or each of many, still belongs to this turn, or to the game."""
        on = np.asarray(states["over"]) == 0
        return on if self._whole else on & (turn_of(self.game, states) == self._turn)

    def value(self, state: Any) -> float:
        """Compute the probability that the turn's seat wins within the turn. Raises SearchLimit beyond the bounds."""
        if not self.goes_on(state):
            return float(result_value(state, self.seat))
        return self._value(state, 0)

    def _value(self, state: Any, depth: int) -> float:
        """Compute the value of a position within the turn, once."""
        key = state.tobytes()
        if key not in self._known:
            self._known[key] = self._listed(state, depth)
        return self._known[key]

    def _listed(self, state: Any, depth: int) -> float:
        """Compute the value of a position within the turn from those of its actions.

        Actions that decide it for certain are tried first, then the most promising; those that cannot be better than
        what was found are left out, as soon as that is clear.
        """
        if depth > DEEPEST:
            raise SearchLimit(f"expected a turn of at most {DEEPEST} decisions")
        own = int(state.seat) == self.seat
        best, value, better = (1.0, 0.0, max) if own else (0.0, 1.0, min)
        open_ = []
        for action in self.legal(state):
            outcomes = self.after(state, action)
            if outcomes.certain == best:
                return best
            open_.append(outcomes)
        for outcomes in sorted(open_, key=_middle, reverse=own):
            if value == best:
                break
            value = better(value, self._bounded(outcomes, depth, value, own))
        return value

    def _bounded(self, outcomes: Outcomes, depth: int, known: float, own: bool) -> float:
        """Compute an action's value, or a bound of it as soon as the bound is no better than a `known` value."""
        terms, rest = list(outcomes.ended), [chance if own else 0.0 for chance, _ in outcomes.going]
        for i, (chance, after) in enumerate(outcomes.going):
            bound = min(1.0, math.fsum(terms + rest[i:]))
            if bound <= known if own else bound >= known:
                return bound
            terms.append(chance * self._value(after, depth + 1))
        return min(1.0, math.fsum(terms))

    def action_value(self, state: Any, action: int) -> float:
        """Compute an action's value: the mean over its outcomes."""
        ended, going, _ = self.after(state, action)
        return min(1.0, math.fsum(ended + [chance * self._value(after, 1) for chance, after in going]))

    def action_values(self, state: Any) -> dict[int, float]:
        """Return the value of each legal action."""
        return {action: self.action_value(state, action) for action in self.legal(state)}

    def length(self, state: Any, depth: int = 0) -> int:
        """Return how many decisions of the seat matter in best play: in the shortest one, with the longest luck.

        A decision matters if some action is worth less than the best. Other seats do their worst. Raises SearchLimit
        beyond the bounds.
        """
        key = state.tobytes()
        if key not in self._lengths:
            if depth > DEEPEST:
                raise SearchLimit(f"expected a turn of at most {DEEPEST} decisions")
            own, worths = int(state.seat) == self.seat, self.action_values(state)
            best = max(worths.values()) if own else min(worths.values())
            chosen = [action for action, worth in worths.items() if abs(worth - best) < ALIKE]
            lengths = [
                max((self.length(after, depth + 1) for _, after in self.after(state, action).going), default=0)
                for action in (chosen if best else ())  # nothing matters where nothing can be won
            ]
            matters = len(chosen) < len(worths)
            self._lengths[key] = min(lengths, default=0) + matters if own else max(lengths, default=0)
        return self._lengths[key]

    def list_all(self, state: Any) -> None:
        """List all positions that can be reached, by any action. Raises SearchLimit beyond the bounds."""
        open_, known = [state], {state.tobytes()}
        for _ in range(DEEPEST):
            after = [one for now in open_ for action in self.legal(now) for _, one in self.after(now, action).going]
            fresh = {one.tobytes(): one for one in after}
            open_ = [one for key, one in fresh.items() if key not in known]
            known.update(fresh)

    def legal(self, state: Any) -> list[int]:
        """Return the legal action numbers."""
        self.game.rules.legal(state, self._mask)
        return np.flatnonzero(self._mask).tolist()

    def after(self, state: Any, action: int) -> Outcomes:
        """Return the outcomes of a legal action. Raises SearchLimit beyond the bounds."""
        key = (state.tobytes(), action)
        if key not in self._after:
            if len(self._after) >= self.most:
                raise SearchLimit(f"expected at most {self.most} decisions with their outcomes")
            try:
                chances, states = self._lister.list(*key, MOST_OUTCOMES)
            except ValueError as error:
                raise SearchLimit(str(error)) from None
            on = self.goes_on(states)
            values = result_value(states[~on], self.seat)
            certain = float(values[0]) if len(values) == len(on) and (values == values[0]).all() else None
            going = [(float(chances[i]), states[i]) for i in np.flatnonzero(on)]
            self._after[key] = Outcomes((chances[~on] * values).tolist(), going, certain)
        return self._after[key]


def _middle(outcomes: Outcomes) -> float:
    """Return the middle between the bounds of an action's value."""
    return math.fsum(outcomes.ended) + 0.5 * math.fsum(chance for chance, _ in outcomes.going)
