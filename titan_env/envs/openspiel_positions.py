"""The positions of an OpenSpiel state: decisions with the chance answers they have had so far.

A position never changes, so all copies of a state share it, and what was computed of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import as_arrays
from titan_env.contract import Game, Status, outcomes, specialize
from titan_env.engine.batch import Records, null_log
from titan_env.engine.batch_loops import observe_rows
from titan_env.engine.observation_view import ObservationView
from titan_env.engine.specialized_loops import Loops
from titan_env.engine.validation import is_truncated

SET_UP = -1
"""The pseudo-action of the game's setup, whose chance nodes come first."""
CHANCE, TERMINAL = -1, -4
"""The players that stand for a chance node and for a game that is over; the values of OpenSpiel's `PlayerId`."""
_RUNNING = int(Status.RUNNING)

step: Any = None
setup: Any = None
legal: Any = None


def play_answers(before: Any, states: Any, action: int, luck: Any, log: Any, answers: Any) -> tuple[Any, Any, Any]:
    """Copy `before` (1,) to `states` (1,) and play an action, or the setup, in it.

    The chance answers are these (n,), and 0 for all later ones. Returns the number of possible answers of the first
    question behind them (0 if nothing else was asked, negative if the answers are not equally likely), the state's
    `over` and its `seat`.
    """
    states[0] = before[0]
    stream = luck[0]
    stream.stream = 0
    stream.asked = 0
    stream.odds = 1.0
    stream.given = len(stream.answers)
    for i in range(len(stream.answers)):
        stream.answers[i] = answers[i] if i < len(answers) else 0
    if action == SET_UP:
        setup(states[0], stream)
    else:
        step(states[0], action, stream, log[0])
    asked = np.int64(0)
    if len(answers) < min(stream.asked, len(stream.answers)):
        asked = np.int64(stream.sides[len(answers)])
    return asked, np.int64(states[0].over), np.int64(states[0].seat)


def write_mask(states: Any, mask: Any) -> None:
    """Write the mask of legal actions (A,) of row 0."""
    legal(states[0], mask)


class OpenSpielRules:
    """The rules, options and limits that all states of an OpenSpiel game share."""

    def __init__(
        self, game: Game, template: Records, reward: str, max_cycles: int | None, view: ObservationView
    ) -> None:
        self.game, self.max_cycles, self.view = game, max_cycles, view
        self.worth = game.rules.reward_scale(reward)
        self.template = as_arrays(template)
        self.players = range(int(template["seats"][0]))
        self.actions = range(len(game.rules.actions))
        self._play = specialize(play_answers, {"step": game.rules.step, "setup": game.rules.setup}, counts=False)
        self._observe = Loops(game)[observe_rows]
        self._write_mask = specialize(write_mask, {"legal": game.rules.legal}, counts=False)
        self._no_log = as_arrays(null_log(game))
        self._luck = as_arrays(np.zeros(1, game.rules.luck).view(np.recarray))
        self._most_answers = self._luck["answers"].shape[1]
        self.begun = Position(self, self.template, SET_UP)

    def play(self, before: Any, action: int, answers: Sequence[int]) -> tuple[Any, Any, tuple[int, int, int]]:
        """Play an action with these chance answers, then 0s.

        Returns the position (1,) after it, the luck record (1,), and the numbers of `play_answers`. Raises
        OverflowError for more questions than the record has room for.
        """
        after, luck = np.empty_like(before), np.empty_like(self._luck)
        numbers = self._play(before, after, action, luck, self._no_log, np.array(answers, np.int64))
        if luck["asked"][0] > self._most_answers:
            outcomes(luck[0])  # raises the OverflowError
        return after, luck, numbers

    def odds(self, before: Any, action: int, answers: Sequence[int]) -> float:
        """Return the joint probability of those of the answers that are not equally likely.

        Later questions of that kind are summed over all their answers.
        """
        _, luck, _ = self.play(before, action, answers)
        sides = luck["sides"][0, len(answers) : luck["asked"][0]]
        later = np.flatnonzero(sides < 0)
        if not later.size:
            return float(luck["odds"][0])
        until = [*answers, *[0] * int(later[0])]
        return sum(self.odds(before, action, [*until, answer]) for answer in range(-int(sides[later[0]])))

    def observe(self, state: Any, seat: int, out: NDArray[np.float32]) -> None:
        """Write the observation of a seat in a position (1,) into `out` (1, F)."""
        self._observe(0, 1, state, np.array([seat], np.int64), out, self.game.rules.fields.scales)

    def mask(self, state: Any) -> NDArray[np.int8]:
        """Return the mask of legal actions, int8 (A,), in a position (1,)."""
        mask = np.zeros(len(self.game.rules.actions), np.int8)
        self._write_mask(state, mask)
        return mask


class Position:
    """A decision, or the setup (`SET_UP`), that is complete or, at a chance node, still asks for chance answers.

    `state` (1,) is the position after the decision; at a chance node the one before it.
    """

    def __init__(
        self,
        rules: OpenSpielRules,
        before: Any,
        action: int,
        answers: tuple[int, ...] = (),
        previous: Position | None = None,
    ) -> None:
        self.rules, self.before, self.action, self.answers, self.previous = rules, before, action, answers, previous
        after, _, (self.asked, over, seat) = rules.play(before, action, answers)
        if self.asked:
            self._show(before, _RUNNING, int(before["seat"][0]))
        else:
            self._show(after, over, seat)

    def _show(self, state: Any, over: int, seat: int) -> None:
        """Set the state, and what is read of it at every call."""
        self.state, self.seat = state, seat
        self.has_begun = not self.asked or self.action != SET_UP
        self.is_over = not self.asked and (over != _RUNNING or is_truncated(state, self.rules.max_cycles))
        self.player = CHANCE if self.asked else TERMINAL if self.is_over else self.seat
        self._mask: list[int] | None = None
        self._heard: dict[int, list[str]] = {}

    @classmethod
    def resampled(cls, origin: Position, state: Any, seat: int) -> Position:
        """Return a position without a past: `state`, and the decisions that a seat knew of at `origin`."""
        made = cls.__new__(cls)
        made.rules, made.before, made.action, made.answers = origin.rules, origin.rules.template, SET_UP, ()
        made.previous, made.asked = None, 0
        made._show(state, int(state["over"][0]), int(state["seat"][0]))
        made._heard = dict.fromkeys(made.rules.players, origin.heard(seat))
        return made

    def __deepcopy__(self, memo: Any) -> Position:
        return self

    def decided(self, action: int) -> Position:
        """Return the position of the next decision."""
        return Position(self.rules, self.state, action, (), self)

    def answered(self, answer: int) -> Position:
        """Return this decision with one more chance answer."""
        return Position(self.rules, self.before, self.action, (*self.answers, answer), self.previous)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible answers of the question that is asked, with their probabilities."""
        if self.asked > 0:
            return [(answer, 1 / self.asked) for answer in range(self.asked)]
        given = range(-self.asked)
        odds = [self.rules.odds(self.before, self.action, [*self.answers, answer]) for answer in given]
        total = sum(odds)
        return [(answer, chance / total) for answer, chance in enumerate(odds) if chance > 0]

    def mask(self) -> list[int]:
        """Return the mask of legal actions (A,) of the seat to act, a list that is shared: zeros in a game over."""
        if self._mask is None:
            self._mask = [0] * len(self.rules.actions) if self.is_over else self.rules.mask(self.state).tolist()
        return self._mask

    def is_legal(self, action: int) -> bool:
        """Return whether an action is legal."""
        return 0 <= action < len(mask := self.mask()) and mask[action] == 1

    def tensor(self, seat: int) -> list[float]:
        """Return the observation of a seat as the chosen fields."""
        row = np.zeros((1, self.rules.game.rules.fields.size), np.float32)
        self.rules.observe(self.state, seat, row)
        tensor: list[float] = (row[0] if self.rules.view.is_plain else self.rules.view(row[0])).tolist()
        return tensor

    def legal_actions(self) -> list[int]:
        """Return the legal actions of the seat to act, in order; none in a game that is over."""
        return list(compress(self.rules.actions, self.mask()))

    def heard(self, seat: int) -> list[str]:
        """Return the texts of all complete decisions that a seat may know of."""
        sentences: list[list[str]] = []
        position: Position | None = self.previous if self.asked else self
        while position is not None:
            sentences.append(position._text_for(seat))
            position = position.previous
        return [text for texts in reversed(sentences) for text in texts]

    def _text_for(self, seat: int) -> list[str]:
        """Return the text of this decision for a seat: none for the setup and for one that it may not know of."""
        if seat not in self._heard:
            sentence = None
            if self.action != SET_UP:
                sentence = self.rules.game.action_text_for(self.before[0], self.action, seat)
            self._heard[seat] = [] if sentence is None else [f"player_{self.before['seat'][0]}: {sentence}"]
        return self._heard[seat]
