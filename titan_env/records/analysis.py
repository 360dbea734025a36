"""Analysis of a played game: what each seat could expect, the best choices and their margins, and mistakes.

A seat's expected result at a moment is its chance of winning, estimated by play-outs with new dice in which one agent
decides for every seat (Tesauro, Galperin 1996: "On-line Policy Improvement using Monte-Carlo Search"). A game that
nobody wins counts as an equal share for all. It is estimated from the true position. The choices of a decision are
compared in worlds that its seat could imagine, all in the same worlds with the same dice: a choice is no mistake
because of cards that nobody could see. What is found is the same for the same seed, wherever it is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import repeat_records
from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records
from titan_env.play.agent_calls import ask_in_batch, needs_of
from titan_env.play.determinization import Determinizations, agent_rng, batch_of
from titan_env.play.game_loop import game_steps
from titan_env.records.replay import Record, positions
from titan_env.records.thoughts import describe_line

FEWEST_WORLDS, MOST_WORLDS = 8, 4096
MOST_COMPARED = 4
"""The choices, beside the one that was played, that are compared to the end: those that look best in a first round."""
SURE = 2.5
"""The standard errors by which the played choice must be worse: of four choices no better than it, luck makes one look
so in 1 of 40 cases."""
LONGEST = 1000
"""The bound on the decisions of a play-out; a game that still runs counts as an equal share for all."""
WORLDS = 32
"""The play-outs by which a position is judged where no number of worlds is given."""
WORK = 40_000
"""The decisions that are played for the choices of one moment, about, where no number of worlds is given."""

_LINE = 6  # decisions
_EXPECTED, _FIRST, _SECOND, _AFTER = range(4)  # separate streams of chance


class Mistake(StrEnum):
    """The signs of chess players for mistakes."""

    INACCURACY = "?!"
    MISTAKE = "?"
    BLUNDER = "??"


LEAST_MARGIN = {Mistake.BLUNDER: 0.2, Mistake.MISTAKE: 0.1, Mistake.INACCURACY: 0.05}
"""The chance of winning that a mistake of each kind costs at least."""


class Expected(NamedTuple):
    """The chance of winning of each seat (seats,), and its standard error."""

    chances: NDArray[np.float64]
    errors: NDArray[np.float64]


@dataclass(frozen=True)
class Choice:
    """A legal choice: its action, the chance of winning after it, and how much less that is than after the best one."""

    action: int
    chance: float
    margin: float
    error: float
    """The standard error of the margin."""


@dataclass(frozen=True)
class ComparedChoices:
    """The choices of one decision that were compared, the best first, and the one that was played, if any was."""

    worlds: int
    compared: Sequence[Choice]
    played: Choice | None
    line: Sequence[int]
    """The best choice and the decisions after it as the game may go on."""

    @property
    def mark(self) -> Mistake | None:
        """The mark of the decision that was played; None if it is not surely worse than the best one."""
        if self.played is None or self.played.margin <= SURE * self.played.error:
            return None
        return next((mark for mark, least in LEAST_MARGIN.items() if self.played.margin >= least), None)


@dataclass(frozen=True)
class MomentAnalysis:
    """One moment of a record: what each seat can expect, the decision that follows, and its choices, if any."""

    at: int
    states: Records
    expected: Expected
    decision: Mapping[str, Any] | None
    choices: ComparedChoices | None


class Analysis:
    """The analysis of positions by one agent, which decides for every seat in play-outs.

    `go_on` is called before each of their steps: it raises where somebody wants this to stop. Raises ValueError for an
    agent that plans, which would take too long, or a number of worlds out of range.
    """

    def __init__(
        self,
        game: Game,
        by: Callable[..., Any],
        seed: int = 0,
        worlds: int | None = None,
        go_on: Callable[[], None] = lambda: None,
    ) -> None:
        if needs_of(by).plans:
            raise ValueError("expected an agent that does not plan for the play-outs, such as greedy or a policy")
        if worlds is not None and not FEWEST_WORLDS <= worlds <= MOST_WORLDS:
            raise ValueError(f"expected {FEWEST_WORLDS} to {MOST_WORLDS} worlds, got {worlds}")
        self._game, self._by, self._seed, self._worlds, self._go_on = game, by, seed, worlds, go_on

    def expected(self, states: Records) -> Expected:
        """Return what each seat can expect at a position (1,), whose game may be over."""
        rng = self._rng(states, _EXPECTED)
        worlds = 1 if states["over"][0] else self._worlds or WORLDS
        batch = batch_of(self._game, repeat_records(states, worlds), rng)
        won = self._play_out(batch, rng)
        return Expected(won.mean(axis=0), won.std(axis=0) / worlds**0.5)

    def choices(self, states: Records, played: int | None = None, length: int = 100) -> ComparedChoices | None:
        """Return the comparison of the choices at a position (1,); None where there is no choice.

        `played` is the action that was played. The game is taken to last about `length` more decisions, by which the
        number of worlds is chosen where none is given.
        """
        legal = np.flatnonzero(self._game.rules.mask(states[0]))
        if len(legal) < 2:
            return None
        first, second = self._numbers_of_worlds(len(legal), length)
        tried = self._compare(states, legal, first, _FIRST).mean(axis=1)
        better = legal[np.argsort(-tried, kind="stable")][: MOST_COMPARED + 1]
        kept = better[better != played][:MOST_COMPARED] if played is not None else better[:MOST_COMPARED]
        kept = kept if played is None else np.append(kept, played)
        won = self._compare(states, kept, second, _SECOND)
        best = int(won.mean(axis=1).argmax())
        behind = won[best] - won
        margins, errors = behind.mean(axis=1), behind.std(axis=1) / second**0.5
        columns = zip(kept.tolist(), won.mean(axis=1).tolist(), margins.tolist(), errors.tolist(), strict=True)
        compared = sorted((Choice(*column) for column in columns), key=lambda choice: choice.margin)
        own = next((choice for choice in compared if choice.action == played), None)
        return ComparedChoices(second, compared, own, self._line_after(states, int(kept[best])))

    def of_record(self, record: Record) -> Iterator[MomentAnalysis]:
        """Yield the analysis of each moment of a record. Raises BadRecord where it does not replay."""
        moments = list(positions(record))
        numbers = record.game.rules.actions.numbers
        for at, (moment, after) in enumerate(zip_longest(moments, moments[1:])):
            decision = None if after is None else after.decision
            played = None if decision is None else numbers[decision["action"]]
            choices = None if played is None else self.choices(moment.states, played, len(moments) - at)
            yield MomentAnalysis(at, moment.states, self.expected(moment.states), decision, choices)

    def say(self, states: Records, found: ComparedChoices) -> list[str]:
        """Return the line of play after the best choice as sentences, in the current language."""
        rng = self._rng(states, _AFTER)
        return describe_line(self._game, batch_of(self._game, states, rng), found.line)

    def _numbers_of_worlds(self, choices: int, length: int) -> tuple[int, int]:
        """Return the number of worlds in which all choices are tried, and of those in which the best are compared."""
        compared = min(choices, MOST_COMPARED + 1)
        second = self._worlds or WORK // (2 * compared * max(length, 1))
        second = min(max(second, FEWEST_WORLDS), MOST_WORLDS)
        return min(second, max(FEWEST_WORLDS, second * compared // choices)), second

    def _compare(self, states: Records, actions: NDArray[np.int64], worlds: int, stream: int) -> NDArray[np.float64]:
        """Return the chance of winning of the seat to act after each action in each world, (actions, worlds)."""
        rng = self._rng(states, stream)
        imagined = Determinizations(self._game, states, rng, self._go_on).imagine(worlds, rng)
        batch = imagined.select(np.tile(np.arange(worlds), len(actions)))
        batch.step(np.repeat(actions, worlds))
        won: NDArray[np.float64] = self._play_out(batch, rng)[:, int(states["seat"][0])].reshape(len(actions), worlds)
        return won

    def _play_out(self, batch: Batch, rng: np.random.Generator) -> NDArray[np.float64]:
        """Play a batch on to its end; return each seat's share of the result in each row, (N, seats)."""
        seats = int(batch.states["seats"][0])

        def decide(_agent: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
            return ask_in_batch(self._by, batch, rows, rng).actions

        for number, _running in enumerate(game_steps(batch, np.zeros((batch.num_games, seats), np.int64), decide)):
            self._go_on()
            if number == LONGEST:
                break
        return self._shares(batch.states)

    def _shares(self, states: Records) -> NDArray[np.float64]:
        """Return each seat's share of the result, (N, seats): its side's, which sides that win together share equally.

        Where nobody has won all sides share it.
        """
        sides = np.array([self._game.rules.side(states[0], seat) for seat in range(int(states["seats"][0]))])
        won = states["won"][:, : len(sides)] != 0
        has_won = np.stack([won[:, sides == side].any(axis=1) for side in np.unique(sides)], axis=1)
        winners = has_won.sum(axis=1, keepdims=True)
        return np.where(winners > 0, won / np.maximum(winners, 1), 1 / has_won.shape[1])

    def _line_after(self, states: Records, action: int) -> list[int]:
        """Return an action and the decisions of the agent after it, with new dice."""
        rng = self._rng(states, _AFTER)
        batch = batch_of(self._game, states, rng)
        line = [action]
        batch.step(np.array([action]))
        while len(line) < _LINE and not batch.over[0]:
            line.append(int(ask_in_batch(self._by, batch, np.array([0]), rng).actions[0]))
            batch.step(np.array([line[-1]]))
        return line

    def _rng(self, states: Records, stream: int) -> np.random.Generator:
        """Return the generator for one purpose at a position."""
        return agent_rng(self._seed, int(states["decisions"][0]), stream)
