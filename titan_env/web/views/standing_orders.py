"""Standing orders of people for reactions that are asked in private: always, or never, until they want to be asked."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from titan_env.contract import Game
from titan_env.web.views.translation import _

ALWAYS, NEVER, ASK_ME = "always", "never", "ask"
_EVERYBODY = -1
"""In place of a seat: what all may know."""


class Reaction(NamedTuple):
    """A question in private with two answers: one that everybody sees, and one in silence."""

    played: int
    declined: int


class StandingOrders:
    """The orders of each seat by the name of the question; what is answered by order keeps nobody waiting."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._orders: dict[tuple[int, str], tuple[str, str]] = {}

    def offered(self, state: Any) -> Reaction | None:
        """Return the reaction that the seat to act is asked for; None for any other question."""
        game = self._game
        if not game.rules.is_private(state, _EVERYBODY):
            return None
        legal = np.flatnonzero(game.rules.mask(state)).tolist()
        silent = [action for action in legal if game.action_text_for(state, action, _EVERYBODY) is None]
        told = [action for action in legal if action not in silent]
        return Reaction(told[0], silent[0]) if len(told) == len(silent) == 1 else None

    def give(self, state: Any, order: str) -> int:
        """Keep an order for the question at this state; return the answer. Raises ValueError for no reaction."""
        reaction = self.offered(state)
        if reaction is None or order not in (ALWAYS, NEVER):
            raise ValueError(_("expected {known} to a question for a reaction", known=f"{ALWAYS}, {NEVER}"))
        name = self._name(state)
        self._orders[int(state.seat), name] = order, self._game.text.describe_action(state, reaction.played)
        return reaction.played if order == ALWAYS else reaction.declined

    def clear(self, seats: Collection[int], name: str) -> None:
        """Let these seats be asked this question again."""
        self._orders = {key: kept for key, kept in self._orders.items() if key[0] not in seats or key[1] != name}

    def answer(self, state: Any) -> int | None:
        """Return the answer that the seat to act has ordered; None without an order."""
        order, _said = self._orders.get((int(state.seat), self._name(state)), (ASK_ME, ""))
        reaction = None if order == ASK_ME or state.over else self.offered(state)
        if reaction is None:
            return None
        return reaction.played if order == ALWAYS else reaction.declined

    def of(self, seats: Collection[int]) -> list[dict[str, str]]:
        """Return the orders of these seats: the question, the order, and the sentence of what is played or not."""
        kept = sorted(self._orders.items())
        return [{"ask": name, "order": order, "say": say} for (seat, name), (order, say) in kept if seat in seats]

    def _name(self, state: Any) -> str:
        """Return the name of the question at a state."""
        return self._game.rules.asks(int(state.ask)).name
