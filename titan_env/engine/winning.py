"""How likely a win in this turn is, exactly: every own decision and every answer of chance is listed.

The turn lasts as long as the game's clock stands, or, in a game whose clock counts decisions, as long as the same seat
is asked. Its seat decides for the best, others who are asked within it for the worst; a draw of all is a share of a
win. The position is taken as it is, with all that is hidden in it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from titan_env.contract import Game
from titan_env.engine.outcomes import chance

MOST_OUTCOMES = 2_000
"""Of chance in one decision."""
MOST_DECISIONS = 400
"""Decisions with all their outcomes that are looked at for one turn."""
DEEPEST = 60
"""Decisions of one turn."""


class TooMany(ValueError):
    """The turn has more outcomes than are listed."""


def turn_of(game: Game, states: Any) -> Any:
    """The turn in which a position, or each of many, stands: other turns beside it have other numbers."""
    return np.asarray(states["seat" if game.rules.chance_clock == "decisions" else game.rules.chance_clock]).astype(
        np.int64
    )


def share(state: Any, seat: int) -> float:
    """What the result is worth to a seat: a draw of all its share of the seats."""
    seats = int(state["seats"])
    if state["won"][:seats].all():
        return 1.0 / seats
    return float(state["won"][seat] != 0)


class Turn:
    """One turn, from a position on in which its seat decides: what may happen, and what that is worth."""

    def __init__(self, game: Game, state: Any, most: int = MOST_DECISIONS) -> None:
        self.game, self._most = game, most
        self.seat, self._turn = int(state.seat), int(turn_of(game, state))
        self._known: dict[bytes, float] = {}
        self._after: dict[tuple[bytes, int], list[tuple[float, Any]]] = {}
        self._mask = np.zeros(len(game.rules.actions), np.int8)

    def goes_on(self, state: Any) -> bool:
        """Whether the turn has not ended with this position."""
        return bool(not state["over"] and turn_of(self.game, state) == self._turn)

    def value(self, state: Any, depth: int = 0) -> float:
        """The best probability of winning in this turn from here on. Raises TooMany where too much may happen."""
        if not self.goes_on(state):
            return share(state, self.seat)
        key = state.tobytes()
        if key not in self._known:
            self._known[key] = self._listed(state, depth)
        return self._known[key]

    def _listed(self, state: Any, depth: int) -> float:
        """The value of a position in which somebody decides: a sure end is looked for before all else is."""
        if depth > DEEPEST:
            raise TooMany(f"expected a turn of at most {DEEPEST} decisions")
        best = 1.0 if int(state.seat) == self.seat else 0.0
        actions = self.legal(state)
        for action in actions:
            if self._sure(state, action) == best:
                return best
        values = [self.worth(state, action, depth) for action in actions]
        return max(values) if best else min(values)

    def _sure(self, state: Any, action: int) -> float | None:
        """What an action is worth that ends the turn whatever chance answers, always alike."""
        ends = {None if self.goes_on(after) else self.value(after) for _, after in self.after(state, action)}
        return ends.pop() if len(ends) == 1 else None

    def worth(self, state: Any, action: int, depth: int = 0) -> float:
        """What an action is worth: the mean of what it may lead to."""
        outcomes = self.after(state, action)
        return min(1.0, math.fsum(chance * self.value(after, depth + 1) for chance, after in outcomes))

    def worths(self, state: Any) -> dict[int, float]:
        """What each legal action is worth."""
        return {action: self.worth(state, action) for action in self.legal(state)}

    def legal(self, state: Any) -> list[int]:
        """The numbers of the legal actions."""
        self.game.rules.legal(state, self._mask)
        return [int(action) for action in np.flatnonzero(self._mask)]

    def after(self, state: Any, action: int) -> list[tuple[float, Any]]:
        """Every position that an action may lead to, with its probability."""
        key = (state.tobytes(), action)
        if key not in self._after:
            if len(self._after) >= self._most:
                raise TooMany(f"expected at most {self._most} decisions with their outcomes")
            try:
                self._after[key] = chance(self.game, state, action, MOST_OUTCOMES)
            except ValueError as error:
                raise TooMany(str(error)) from None
        return self._after[key]
