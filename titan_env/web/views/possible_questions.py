"""Questions in private that a person could be asked, as far as the others know.

Who is asked in private needs time to answer. So that the time tells nothing, the question goes to everybody of whom the
others cannot exclude it: who does not hold the card is asked too, and has one answer. Until all have answered, the
others see what they saw before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from titan_env.compiler.record_copies import copy_records, take_records
from titan_env.contract import Game, events_of, scattered
from titan_env.contract.luck import outcomes, preset
from titan_env.play.determinization import agent_rng
from titan_env.web.views.rules import anchor_of_question
from titan_env.web.views.standing_orders import EVERYBODY, reaction_of, sentence_of
from titan_env.web.views.translation import _

WORLDS = 256
"""The number of imagined worlds in which it is looked for who could be asked."""
NOTHING_TO_PLAY = -1
"""The only answer to a question that a seat is asked because the others cannot exclude it; no action."""


class PossibleQuestion(NamedTuple):
    """A question in private that a seat could be asked."""

    events_before: int
    """The number of events between the decision that everybody saw and the question."""
    seat: int
    ask: str
    """Its name."""
    say: str
    """The sentences of the answers that everybody would see."""
    orders: tuple[str, ...]
    """The orders by which it can be answered in every imagined world in which it is asked."""


class PossibleQuestions:
    """The questions that are still to be answered before everybody may see what a decision led to.

    `is_asked` says of a state whether a person is to act there.
    """

    def __init__(self, game: Game, is_asked: Callable[[Any], bool]) -> None:
        self._game, self._is_asked = game, is_asked
        self._left: list[PossibleQuestion] = []
        self._true: list[PossibleQuestion] = []
        self._events_before = 0
        self.shown = 0
        """The number of moments that everybody may know of while `now` is a question."""

    def __len__(self) -> int:
        return len(self._left)

    def now(self, state: Any) -> PossibleQuestion | None:
        """Return the next question to somebody who is not asked it in truth; `state` is the true one."""
        if not self._left:
            return None
        is_true = self._game.rules.is_private(state, EVERYBODY) and self._is_asked(state)
        return None if is_true and self._events_before < self._left[0].events_before else self._left[0]

    def orders(self, state: Any) -> list[str]:
        """Return the orders by which the question now can be answered, in truth or not, in every imagined world."""
        if (question := self.now(state)) is not None:
            return list(question.orders)
        reaction = None if state.over else reaction_of(self._game, state)
        if reaction is None:
            return []
        alike = [one.orders for one in self._true if (one.seat, one.ask) == (int(state.seat), self._name(state))]
        return [order for order in reaction.orders if all(order in orders for orders in alike)]

    def answered(self) -> None:
        """Go on to the next question."""
        del self._left[0]

    def leave(self, seat: int) -> None:
        """Ask a seat no more, in which an agent plays on."""
        self._left = [question for question in self._left if question.seat != seat]

    def clear(self) -> None:
        """Ask nobody any more."""
        self._left.clear()

    def went_on(self, before: Any, action: int, luck: Any, after: Any, events: int, moments: int) -> None:
        """Follow a decision from `before` (1,) to `after` (1,), with its luck (1,) and the number of its events.

        `moments` is how many moments there were before it.
        """
        game = self._game
        if game.rules.public_view is None:
            return
        if game.action_text_for(before[0], action, EVERYBODY) is None:
            self._events_before += events
        else:
            earlier = [
                question._replace(events_before=EVERYBODY)
                for question in self._left
                if question.events_before < self._events_before
            ]
            self.shown, self._events_before = self.shown if earlier else moments, events
            self._left = [*earlier, *self._possible(before, action, luck)]
        if not after[0].over and game.rules.is_private(after[0], EVERYBODY):
            asked = (self._events_before, int(after[0].seat), self._name(after[0]))
            self._true = [question for question in self._left if question[:3] == asked]
            self._left = [question for question in self._left if question[:3] != asked]

    def _possible(self, before: Any, action: int, luck: Any) -> list[PossibleQuestion]:
        """Return who could be asked what after a decision, in order, by what everybody knows.

        The seat that decides is left out: to the others its time is that of its decision.
        """
        game, seats, imagine = self._game, int(before[0].seats), self._game.rules.imagine
        if imagine is None:
            return []
        decider, rng = int(before[0].seat), agent_rng(int(before[0].decisions), action)
        worlds = take_records(before, np.zeros(WORLDS, np.int64))
        streams = scattered(rng, WORLDS, game.rules.luck)
        found: dict[tuple[int, int, str], PossibleQuestion] = {}
        for world, stream in zip(worlds, streams, strict=True):
            for seat in ((decider + 1) % seats, decider):  # no hand stays as it is
                imagine(world, seat, stream)
            if game.rules.mask(world)[action]:
                for question in self._asked_in(world, action, luck):
                    if question.seat != decider:
                        known = found.setdefault(question[:3], question)
                        found[question[:3]] = min(known, question, key=lambda one: len(one.orders))
        return sorted(found.values())

    def _asked_in(self, world: Any, action: int, luck: Any) -> Iterator[PossibleQuestion]:
        """Yield the questions to people in one world, where everybody answers in silence."""
        game, events_before = self._game, 0
        luck, log = copy_records(luck), np.zeros(1, game.rules.log).view(np.recarray)[0]
        preset(luck[0], outcomes(luck[0])[:, 0].tolist())
        while True:
            log.count = 0
            game.rules.step(world, action, luck[0], log)
            events_before += len(events_of(log))
            reaction = None if world.over else reaction_of(game, world)
            if reaction is None:
                return
            if self._is_asked(world):
                say = sentence_of(game, world, reaction)
                yield PossibleQuestion(events_before, int(world.seat), self._name(world), say, tuple(reaction.orders))
            action = reaction.declined

    def _name(self, state: Any) -> str:
        """Return the name of the question at a state."""
        return self._game.rules.asks(int(state.ask)).name


def as_possible(game: Game, question: PossibleQuestion) -> dict[str, Any]:
    """Return what the view of who is asked a possible question shows in place of the moment's own."""
    answer = {"number": NOTHING_TO_PLAY, "text": "", "say": _("Nothing to play: go on")}
    anchor = anchor_of_question(game, int(game.rules.asks[question.ask]))
    return {"ask": question.ask, "question": anchor, "barred": False, "actions": [answer]}
