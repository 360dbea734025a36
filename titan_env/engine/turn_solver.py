"""The exact probability of a win within the current turn, or in the rest of the game, by exhaustive search.

The turn lasts while the game's clock (`chance_clock`) stands still or, if the clock counts decisions, while the same
seat is to act. That seat maximizes, other seats that act within its turn minimize (expectiminimax). A draw of all
counts as a share of a win. The search knows the full state, hidden information included.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from titan_env.contract import Game
from titan_env.engine.outcomes import chance_outcomes
from titan_env.moved import old_names

MOST_OUTCOMES = 2_000
"""The bound on sequences of chance answers for one decision."""
MOST_DECISIONS = 400
"""The bound on decisions whose outcomes are listed for one turn."""
DEEPEST = 60
"""The bound on the length of a turn, in decisions."""


class SearchLimit(ValueError):
    """The error for a turn that exceeds the bounds of the search."""


def turn_of(game: Game, states: Any) -> Any:
    """Return the turn, int64, in which a position or each of many stands; consecutive turns have different numbers."""
    return np.asarray(states["seat" if game.rules.chance_clock == "decisions" else game.rules.chance_clock]).astype(
        np.int64
    )


def result_value(state: Any, seat: int) -> float:
    """Return the value of the result to a seat: 1 for a win, 1 / seats for a draw of all, else 0."""
    seats = int(state["seats"])
    if state["won"][:seats].all():
        return 1.0 / seats
    return float(state["won"][seat] != 0)


class TurnSolver:
    """The search of one turn, from a position in which its seat is to act; results are cached.

    With `whole` it is the rest of the game, for last turns that no clock holds together while other seats are asked.
    """

    def __init__(self, game: Game, state: Any, most: int = MOST_DECISIONS, whole: bool = False) -> None:
        self.game, self._most, self._whole = game, most, whole
        self.seat, self._turn = int(state.seat), int(turn_of(game, state))
        self._known: dict[bytes, float] = {}
        self._after: dict[tuple[bytes, int], list[tuple[float, Any]]] = {}
        self._mask = np.zeros(len(game.rules.actions), np.int8)

    def goes_on(self, state: Any) -> bool:
        """Return whether a position still belongs to this turn, or to the game."""
        return bool(not state["over"] and (self._whole or turn_of(self.game, state) == self._turn))

    def value(self, state: Any, depth: int = 0) -> float:
        """Compute the probability that the turn's seat wins within the turn. Raises SearchLimit beyond the bounds."""
        if not self.goes_on(state):
            return result_value(state, self.seat)
        key = state.tobytes()
        if key not in self._known:
            self._known[key] = self._listed(state, depth)
        return self._known[key]

    def _listed(self, state: Any, depth: int) -> float:
        """Compute the value of a position within the turn; actions that decide it for certain are tried first."""
        if depth > DEEPEST:
            raise SearchLimit(f"expected a turn of at most {DEEPEST} decisions")
        best = 1.0 if int(state.seat) == self.seat else 0.0
        actions = self.legal(state)
        for action in actions:
            if self._certain_value(state, action) == best:
                return best
        values = [self.action_value(state, action, depth) for action in actions]
        return max(values) if best else min(values)

    def _certain_value(self, state: Any, action: int) -> float | None:
        """Return an action's value if it ends the turn with the same result for all chance answers, else None."""
        ends = {None if self.goes_on(after) else self.value(after) for _, after in self.after(state, action)}
        return ends.pop() if len(ends) == 1 else None

    def action_value(self, state: Any, action: int, depth: int = 0) -> float:
        """Compute an action's value: the mean over its outcomes."""
        outcomes = self.after(state, action)
        return min(1.0, math.fsum(chance * self.value(after, depth + 1) for chance, after in outcomes))

    def action_values(self, state: Any) -> dict[int, float]:
        """Return the value of each legal action."""
        return {action: self.action_value(state, action) for action in self.legal(state)}

    def list_all(self, state: Any) -> None:
        """List all positions that can be reached, by any action. Raises SearchLimit beyond the bounds."""
        open_, known = [state], {state.tobytes()}
        for _ in range(DEEPEST):
            after = [one for now in open_ for action in self.legal(now) for _, one in self.after(now, action)]
            fresh = {one.tobytes(): one for one in after if self.goes_on(one)}
            open_ = [one for key, one in fresh.items() if key not in known]
            known.update(fresh)

    def legal(self, state: Any) -> list[int]:
        """Return the legal action numbers."""
        self.game.rules.legal(state, self._mask)
        return [int(action) for action in np.flatnonzero(self._mask)]

    def after(self, state: Any, action: int) -> list[tuple[float, Any]]:
        """Return the outcomes of an action: (probability, state) pairs. Raises SearchLimit beyond the bounds."""
        key = (state.tobytes(), action)
        if key not in self._after:
            if len(self._after) >= self._most:
                raise SearchLimit(f"expected at most {self._most} decisions with their outcomes")
            try:
                self._after[key] = chance_outcomes(self.game, state, action, MOST_OUTCOMES)
            except ValueError as error:
                raise SearchLimit(str(error)) from None
        return self._after[key]


if not TYPE_CHECKING:
    __getattr__ = old_names(__name__)
