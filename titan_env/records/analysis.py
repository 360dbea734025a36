"""Analysis of a played game: what each seat could expect, the best choices and their margins, and mistakes.

A seat's expected result at a moment is its chance of winning, estimated by play-outs with new dice in which one agent
decides for every seat (Tesauro, Galperin 1996: "On-line Policy Improvement using Monte-Carlo Search"). A game that
nobody wins counts as an equal share for all. It is estimated from the true position. The choices of a decision are
compared in worlds that its seat could imagine, all in the same worlds with the same dice: a choice is no mistake
because of cards that nobody could see. What is found is the same for the same seed and question.

The play-outs of many moments are steps of one batch, which takes a half to a sixth of the time of one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import repeat_records, take_records
from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records
from titan_env.play.agent_calls import ask_in_batch, needs_of
from titan_env.play.determinization import Determinizations, agent_rng, batch_of
from titan_env.play.game_loop import game_steps
from titan_env.records.estimates import ChanceEstimate, Expected
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
_ROWS = 2048  # play-outs beside each other
_EXPECTED, _FIRST, _SECOND, _AFTER, _CRITIC = range(5)  # separate streams of chance


class Mistake(StrEnum):
    """The signs of chess players for mistakes."""

    INACCURACY = "?!"
    MISTAKE = "?"
    BLUNDER = "??"


LEAST_MARGIN = {Mistake.BLUNDER: 0.2, Mistake.MISTAKE: 0.1, Mistake.INACCURACY: 0.05}
"""The chance of winning that a mistake of each kind costs at least."""


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

    `critic` says what that agent's values tell of positions without a play-out, (N, seats). `go_on` is called before
    each step: it raises where somebody wants this to stop. Raises ValueError for an agent that plans, which would take
    too long, or a number of worlds out of range.
    """

    def __init__(
        self,
        game: Game,
        by: Callable[..., Any],
        seed: int = 0,
        worlds: int | None = None,
        go_on: Callable[[], None] = lambda: None,
        critic: Callable[[Batch], NDArray[np.float64]] | None = None,
    ) -> None:
        if needs_of(by).plans:
            raise ValueError("expected an agent that does not plan for the play-outs, such as greedy or a policy")
        if worlds is not None and not FEWEST_WORLDS <= worlds <= MOST_WORLDS:
            raise ValueError(f"expected {FEWEST_WORLDS} to {MOST_WORLDS} worlds, got {worlds}")
        self._game, self._by, self._seed, self._worlds, self._go_on = game, by, seed, worlds, go_on
        self._critic = critic

    def estimates(self, states: Records) -> list[ChanceEstimate]:
        """Return the first estimate at each of these positions (M,) of one game: its result, or what the critic says.

        Without a critic nothing is known of positions at which the game goes on.
        """
        empty = np.zeros(int(states["seats"][0]))
        found = [ChanceEstimate(take_records(states, [row]), empty) for row in range(len(states))]
        results = self._shares(states)
        found = [one.with_play_outs(results[[row]]) if one.is_final else one for row, one in enumerate(found)]
        if self._critic is None or len(set(self._sides(states))) < len(empty):
            return found
        for first in range(0, len(states), _ROWS):
            self._go_on()
            part = slice(first, first + _ROWS)
            batch = batch_of(self._game, take_records(states, part), self._rng(states, _CRITIC))
            pairs = zip(found[part], self._critic(batch), strict=True)
            found[part] = [one if one.is_final else one.with_critic(chances) for one, chances in pairs]
        return found

    def refine(self, estimates: Sequence[ChanceEstimate], worlds: int) -> list[ChanceEstimate]:
        """Return estimates of one game with at least so many play-outs each, played beside each other."""
        refined, at_once = list(estimates), max(1, _ROWS // max(1, worlds))
        open_ = [i for i, one in enumerate(refined) if not one.is_final and one.worlds < worlds]
        for first in range(0, len(open_), at_once):
            part = open_[first : first + at_once]
            before = [refined[i] for i in part]
            more = [worlds - one.worlds for one in before]
            alike = [repeat_records(one.states, count) for one, count in zip(before, more, strict=True)]
            known = [number for one in before for number in (int(one.states["decisions"][0]), one.worlds)]
            rng = agent_rng(self._seed, _EXPECTED, *known)
            batch = batch_of(self._game, np.concatenate(alike).view(np.recarray), rng)
            shares = np.split(self._play_out(batch, rng), np.cumsum(more)[:-1])
            for i, found in zip(part, shares, strict=True):
                refined[i] = refined[i].with_play_outs(found)
        return refined

    def expected(self, states: Records) -> list[Expected]:
        """Return what each seat can expect at each of these positions (M,), whose game may be over."""
        refined = self.refine(self.estimates(states), self._worlds or WORLDS)
        return [one.expected for one in refined if one.expected is not None]

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
        expected = self.expected(np.concatenate([moment.states for moment in moments]).view(np.recarray))
        numbers = record.game.rules.actions.numbers
        for at, (moment, after) in enumerate(zip_longest(moments, moments[1:])):
            decision = None if after is None else after.decision
            played = None if decision is None else numbers[decision["action"]]
            choices = None if played is None else self.choices(moment.states, played, len(moments) - at)
            yield MomentAnalysis(at, moment.states, expected[at], decision, choices)

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
        sides = np.array(self._sides(states))
        won = states["won"][:, : len(sides)] != 0
        has_won = np.stack([won[:, sides == side].any(axis=1) for side in np.unique(sides)], axis=1)
        winners = has_won.sum(axis=1, keepdims=True)
        return np.where(winners > 0, won / np.maximum(winners, 1), 1 / has_won.shape[1])

    def _sides(self, states: Records) -> list[int]:
        """Return the side of each seat."""
        return [int(self._game.rules.side(states[0], seat)) for seat in range(int(states["seats"][0]))]

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
