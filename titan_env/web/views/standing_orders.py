"""Standing orders of people for reactions that are asked in private: always, or never, until they want to be asked."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np

from titan_env.contract import Game
from titan_env.contract.translation import mark
from titan_env.web.views.translation import _

_NO_REACTION = mark("expected {known} to a question for a reaction")
ALWAYS, NEVER, ASK_ME = "always", "never", "ask"
EVERYBODY = -1
"""In place of a seat: what all may know."""


class Reaction(NamedTuple):
    """A question in private that one answer declines in silence; everybody sees any other one."""

    played: tuple[int, ...]
    declined: int

    @property
    def orders(self) -> list[str]:
        """The orders by which it can be answered: "always" says what to play if there is one thing alone."""
        return [ALWAYS, NEVER] if len(self.played) == 1 else [NEVER]


def reaction_of(game: Game, state: Any) -> Reaction | None:
    """Return the reaction that the seat to act is asked for in private; None for any other question."""
    if not game.rules.is_private(state, EVERYBODY):
        return None
    legal = np.flatnonzero(game.rules.mask(state)).tolist()
    silent = [action for action in legal if game.action_text_for(state, action, EVERYBODY) is None]
    speaking = [action for action in legal if action not in silent]
    return Reaction(tuple(speaking), silent[0]) if speaking and len(silent) == 1 else None


def sentence_of(game: Game, state: Any, reaction: Reaction) -> str:
    """Return the sentences of the answers that everybody would see."""
    return " / ".join(game.text.describe_action(state, action) for action in reaction.played)


class StandingOrders:
    """The orders of each seat by the name of the question; what is answered by order keeps nobody waiting."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._orders: dict[tuple[int, str], tuple[str, str]] = {}

    def keep(self, seat: int, name: str, order: str, say: str, offered: Collection[str] = (ALWAYS, NEVER)) -> None:
        """Keep a seat's order for a question by its name, with the sentence of what is played or not.

        Raises ValueError for an order that is not on offer.
        """
        if order not in offered:
            raise ValueError(_(_NO_REACTION, known=", ".join(offered)))
        self._orders[seat, name] = order, say

    def stand(self, seat: int, name: str, offered: Collection[str]) -> bool:
        """Return whether a seat has given one of these orders for a question."""
        return self._orders.get((seat, name), (ASK_ME,))[0] in offered

    def give(self, state: Any, order: str, offered: Collection[str]) -> int:
        """Keep an order for the question at this state; return the answer.

        Raises ValueError for no reaction, and for an order that is not on offer.
        """
        reaction = reaction_of(self._game, state)
        if reaction is None:
            raise ValueError(_(_NO_REACTION, known=f"{ALWAYS}, {NEVER}"))
        self.keep(int(state.seat), self._name(state), order, sentence_of(self._game, state, reaction), offered)
        return reaction.played[0] if order == ALWAYS else reaction.declined

    def clear(self, seats: Collection[int], name: str) -> None:
        """Let these seats be asked this question again."""
        self._orders = {key: kept for key, kept in self._orders.items() if key[0] not in seats or key[1] != name}

    def answer(self, state: Any, offered: Callable[[Any], Collection[str]]) -> int | None:
        """Return the answer that the seat to act has ordered; None without an order, or one that is not on offer.

        What is `offered` at a state takes imagined decisions to tell, and is asked only where there is an order.
        """
        order, _sentence = self._orders.get((int(state.seat), self._name(state)), (ASK_ME, ""))
        if order == ASK_ME or state.over or order not in offered(state):
            return None
        reaction = reaction_of(self._game, state)
        if reaction is None:
            return None
        return reaction.played[0] if order == ALWAYS else reaction.declined

    def of(self, seats: Collection[int]) -> list[dict[str, str]]:
        """Return the orders of these seats: the question, the order, and the sentence of what is played or not."""
        kept = sorted(self._orders.items())
        return [{"ask": name, "order": order, "say": say} for (seat, name), (order, say) in kept if seat in seats]

    def _name(self, state: Any) -> str:
        """Return the name of the question at a state."""
        return self._game.rules.asks(int(state.ask)).name
