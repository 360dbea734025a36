"""N games with one learning seat each, or all seats learning, and opponents for the rest.

The environments `vector`, `single_agent` and `sb3` are thin wrappers of `LearnerBatch`.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import copy_records, put_records, take_records
from titan_env.contract import MOST_SEATS, Game, Reward, Status
from titan_env.contract.options import brief
from titan_env.engine.batch import Batch, Records, Snapshot
from titan_env.engine.snapshots import check_snapshot
from titan_env.engine.validation import check_bool, check_choice, check_limit, expand_seeds
from titan_env.engine.varied_options import VariedOptions
from titan_env.play.agent_calls import ask_in_batch, fractions_in
from titan_env.play.best_actions import best_actions, scores_actions
from titan_env.play.delegation import MOST_STARTS, Delegate, Delegation, never_asked
from titan_env.play.determinization import agent_rng
from titan_env.play.learner_loops import LearnerRows, OpponentMode, StepResults, reset_rows, step_rows_to_learner
from titan_env.play.shaping import RewardShaping, Weights

Act: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.int8], np.random.Generator], NDArray[Any]]
"""An agent: ``act(observations (B, F), masks (B, A), rng) -> actions (B,)``."""


@dataclass(frozen=True)
class OpponentPool:
    """Agents of which every game draws one for each other seat, each as likely; one may stand in it repeatedly."""

    agents: tuple[Act, ...]


OpponentAgents: TypeAlias = str | Act | Sequence[Act] | OpponentPool
"""``"random"``, one agent for every other seat, one for each, in turn order after the learner, or a pool of them."""

ON_ILLEGAL = ("random", "raise")

_RUNNING = int(Status.RUNNING)  # read in every step, where reaching an enum's member takes as long as a rule
_ENDLESS = int(np.iinfo(np.int64).max)  # the limit of decisions that stands for none
_RANDOM_SEAT = -1  # the seat number that stands for one drawn at random
_WAITING = -1  # the value of `ended` while the learner waits for a game or an opponent
_SNAPSHOT_FIELDS = (
    "learners",
    "illegal",
    "paid",
    "settled",
    "rewards",
    "payoffs_at_end",
    "ended",
    "steps",
    "lineup",
    "masks",
    "observations",
    "rng",
    "shaping",
    "shaped",
)


class LearnerBatch(Batch):
    """N games with one learning seat each, or with every seat learning: the base of all learners' environments.

    After `start` and `step` each row shows, for its learner (`learners`, (N,) int8), `observations` (N, F) and `masks`
    (N, A) at its next decision, `rewards` (N,) summed since its last one, `ended` (N,) as in `Status`, and `illegal`
    (N,), the number of illegal actions replaced in this episode. The episode of a learner whose result is final before
    the others' ends there. `settled` (N, MOST_SEATS) marks the seats whose game has just ended, `payoffs_at_end` (N,
    MOST_SEATS) their payoffs (`reward`: "win", "rank" or "score"), `paid` the seats that have got theirs already. The
    loops read `masks`, `learners` and `illegal`: give callers only what `shown` returns of them.

    A row's game, its learner's seat, the agents that it draws of an `OpponentPool` and the decisions of ``"random"``
    for all other seats and of agents that score actions depend on the row's own seed alone. Other agents draw from
    `rng`, which the rows share.

    `varied`: options of which every game draws, as `Batch` does with `vary`.

    `shaping`, weights on the game's observation fields, adds `shaped` (N,) to the rewards of a learner whose discount
    is `gamma` (`titan_env.play.shaping`); `rewards` are those without.

    A game of `max_cycles` decisions, by any seats, and an episode of `max_episode_steps` steps of the learner are
    truncated. Neither cuts a game before its learner's first decision: there would be nothing to learn from.
    """

    def __init__(
        self,
        game: Game | str,
        num_games: int,
        templates: Records,
        *,
        seat: int | None = None,
        opponents: OpponentAgents | OpponentMode = "random",
        on_illegal: str = "random",
        reward: str = "win",
        copy: bool = True,
        threads: int = 1,
        whole: bool = False,
        max_cycles: int | None = None,
        max_episode_steps: int | None = None,
        delegate: Delegate | None = None,
        shaping: Weights | None = None,
        gamma: float = 1.0,
        varied: VariedOptions | None = None,
    ) -> None:
        check_choice("on_illegal", on_illegal, ON_ILLEGAL)
        decisions = check_limit("max_cycles", max_cycles, "decisions") or _ENDLESS
        self._most_steps = check_limit("max_episode_steps", max_episode_steps, "steps") or _ENDLESS
        # Where the learner plays every seat each decision is a step.
        self._most = min(decisions, self._most_steps) if opponents is OpponentMode.NOBODY else decisions
        super().__init__(game, num_games, threads=threads, templates=templates, whole=whole, vary=varied)
        self._payoff_args = self.game.rules.reward_scale(reward)
        self.on_illegal = on_illegal
        self.learners = np.zeros(num_games, np.int8)
        self.illegal = np.zeros(num_games, np.int32)
        self.paid = np.zeros((num_games, MOST_SEATS), np.int8)
        self.settled = np.zeros((num_games, MOST_SEATS), np.int8)
        self.rewards = np.zeros(num_games)
        self.payoffs_at_end = np.zeros((num_games, MOST_SEATS))
        self.ended = np.full(num_games, _WAITING, np.int8)
        self.steps = np.zeros(num_games, np.int64)
        self.lineup = np.zeros((num_games, MOST_SEATS), np.int64)
        self.rng = np.random.default_rng()
        self._copy = check_bool("copy", copy)
        self._delegation = Delegation(self.game, delegate)
        self._delegates = bool(self._delegation)
        self._keeps_arrays = not copy and self._parts == 1 and not self._delegates
        """Whether a step plays on one thread, from and into arrays that stay the same from step to step."""
        self._seat = self._checked_seat(seat)
        self.set_opponents(opponents)
        if shaping is not None and self._others == OpponentMode.NOBODY:
            raise ValueError(
                "expected no shaping where every seat learns: an observation and the next one are of different seats"
            )
        self.shaping = None if shaping is None else RewardShaping(self.game, num_games, shaping, gamma, whole)
        self._actions = np.zeros(num_games, np.int64)
        self.shaped = np.zeros(num_games)
        """What `shaping` adds to the rewards of the latest step, float64 (N,)."""

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what holds the addresses of arrays."""
        return {name: value for name, value in super().__getstate__().items() if name != "_play_every_row"}

    def _checked_seat(self, seat: int | None) -> int:
        """Return the learner's seat number, `_RANDOM_SEAT` for None. Raises ValueError for an invalid seat."""
        if seat is None:
            return _RANDOM_SEAT
        fewest = int(self.templates["seats"].min())
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < fewest:
            raise ValueError(f"expected seat to be None (drawn for each game) or 0 .. {fewest - 1}, got {brief(seat)}")
        return int(seat)

    def set_opponents(self, opponents: OpponentAgents | OpponentMode) -> None:
        """Set the agents of the other seats, from the next decision on, or `OpponentMode.NOBODY`.

        Raises ValueError or TypeError for anything else.
        """
        self._agents, self._others = self._checked_opponents(opponents)
        self.__dict__.pop("_play_every_row", None)
        self._drawn = isinstance(opponents, OpponentPool)
        others = np.arange(MOST_SEATS)  # the first column is of the seat next after the learner
        self.lineup[:] = others if isinstance(opponents, Sequence) and self._agents else 0
        if self._drawn:
            self._draw_lineup(self._every_row)

    def _draw_lineup(self, rows: NDArray[np.bool_]) -> None:
        """Draw an agent of the pool for each other seat in each of the rows (N,), by the rows' own streams."""
        pool = np.repeat(rows.astype(np.int8)[:, None], len(self._agents), axis=1)  # a row without ones draws nothing
        for k in range(int(self.templates["seats"].max()) - 1):
            self.lineup[rows, k] = self.sample(pool)[rows]

    def _checked_opponents(self, opponents: OpponentAgents | OpponentMode) -> tuple[tuple[Act, ...], OpponentMode]:
        """Return the opponents' agents and the kind of player (`OpponentMode`) in the other seats."""
        if opponents is OpponentMode.NOBODY:
            return (), OpponentMode.NOBODY
        if isinstance(opponents, str):
            if opponents != "random":
                load = f"titan_env.agents.load({opponents!r}, game)"
                raise ValueError(f'expected opponents to be "random" or agents act(...), got {opponents!r}; try {load}')
            return (), OpponentMode.CHANCE
        if callable(opponents):
            return (opponents,), OpponentMode.AGENTS
        if isinstance(opponents, OpponentPool):
            return opponents.agents, OpponentMode.AGENTS
        if not isinstance(opponents, Sequence) or not all(callable(agent) for agent in opponents):
            raise TypeError(
                f"expected every opponent to be a function act(observations, masks, rng), got {brief(opponents)}"
            )
        agents: tuple[Any, ...] = tuple(opponents)
        most = int(self.templates["seats"].max()) - 1
        if len(agents) != most:
            raise ValueError(f"expected one opponent or {most}, one for each other seat, got {len(agents)}")
        return agents, OpponentMode.AGENTS

    def reseed(self, seeds: Any, rows: NDArray[np.bool_] | None = None) -> None:
        """Give the rows (N,) new random streams; a row whose seed is None goes on with its own.

        Equal seeds give equal games in every environment and in a batch of any size.
        """
        seeds = expand_seeds(seeds, self.num_games)
        given = self._chosen(rows) & [seed is not None for seed in seeds]
        if given.any():
            luck, choices = copy_records(self.luck), copy_records(self.choices)
            self.seed([0 if seed is None else seed for seed in seeds])
            put_records(self.luck, ~given, take_records(luck, ~given))
            put_records(self.choices, ~given, take_records(choices, ~given))
            self.rng = agent_rng(int(self.luck["stream"][given.argmax()]))

    def renew(self, keep: bool = False) -> None:
        """Set the payoffs to 0, and allocate new observations, so that those that a caller has got stay as they are.

        The new observations are empty, or computed again if the games are kept (`keep`); with ``copy=False`` the old
        ones stay.
        """
        self.payoffs_at_end.fill(0)
        if self._copy:
            self.observations = self.observe(self.learners) if keep else np.empty_like(self.observations)

    def shown(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return an array of the loops' for a caller: a copy, or with ``copy=False`` a read-only view."""
        if self._copy:
            return array.copy()
        view = array.view()
        view.flags.writeable = False
        return view

    def start(self, rows: NDArray[np.bool_] | None = None) -> None:
        """Begin a new game in each of the rows (N,), all by default, and play to its learner's first decision."""
        rows = self._chosen(rows)
        for _ in range(MOST_STARTS):
            if not np.count_nonzero(rows):  # a tenth of the time of `any`
                return
            self.draw_options(rows)
            self._run(reset_rows, rows, self._arrays(), self._plain.templates, self._seat, self._payoff_args[0])
            begun = np.flatnonzero(rows)  # often few: quicker to write to than by the mask
            self.ended[begun] = _RUNNING
            self.rewards[begun] = 0
            self.steps[begun] = 0
            if self._drawn:
                self._draw_lineup(rows)
            if self._delegates:  # the pay of the last game is none of the new one
                self.payoffs_at_end[rows], self.settled[rows] = 0, 0
            self._ask_agents(rows, _ENDLESS)
            if self.shaping:
                self.shaping.begin(self.observations, rows)
                self.shaped = np.where(rows, 0.0, self.shaped)
            rows = rows & (self.ended != _RUNNING)
        raise never_asked()

    def step(self, actions: Any, rows: NDArray[np.bool_] | None = None) -> None:
        """Play as `step_unshaped`, and compute what `shaping` adds to the rewards."""
        self.step_unshaped(actions, rows)
        if self.shaping:
            self.shape(self._chosen(rows))

    def shape(self, rows: NDArray[np.bool_]) -> None:
        """Compute what `shaping`, if there is any, adds to the rewards of the rows (N,) at their observations."""
        if self.shaping:
            self.shaped = self.shaping.step(self.observations, self.ended == Status.TERMINATED, rows)

    def step_unshaped(self, actions: Any, rows: NDArray[np.bool_] | None = None) -> None:
        """Play one decision of the learner in each of the rows (N,), up to its next one or the end of the game.

        The other rows must be started again before their observations are read. Raises, before anything has changed,
        IllegalAction with ``on_illegal="raise"``, ValueError for a game in which the learner is not to act, and
        ValueError or TypeError for actions that are no integers (N,).
        """
        actions, rows = self._action_numbers(actions), self._chosen(rows)
        if np.count_nonzero(self.ended if rows is self._every_row else self.ended[rows]):  # _RUNNING is 0
            reason = "finished, not begun, or left in the middle by an opponent that raised an error"
            raise ValueError(f"expected games in which the learner is asked, got one that is {reason}; reset it first")
        if self.on_illegal == "raise":
            self._refuse_illegal(actions, rows)
        self.renew()
        acted = self.learners.copy() if self._delegates else self.learners
        self._play(actions, rows, self._most)
        self._ask_agents(rows, self._most)
        if self._delegates and self._others == OpponentMode.NOBODY:
            self.rewards[rows] = self.payoffs_at_end[rows, acted[rows]]
        self._count_steps(rows)

    def _count_steps(self, rows: NDArray[np.bool_]) -> None:
        """Count a learner's step in each of the rows (N,), if steps are limited, and truncate episodes at the limit."""
        if self._most_steps == _ENDLESS:
            return
        self.steps[rows] += 1
        cut = rows & (self.ended == _RUNNING) & (self.steps >= self._most_steps)
        self.ended[cut] = Status.TRUNCATED
        self.masks[cut] = 0

    def snapshot(self) -> Snapshot:
        """Return the state of all rows, for `restore`."""
        return replace(
            super().snapshot(), table=copy.deepcopy({name: getattr(self, name) for name in _SNAPSHOT_FIELDS})
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state that `snapshot` returned. Raises TypeError or ValueError for another batch's."""
        check_snapshot(self, snapshot)
        if not snapshot.table:
            raise ValueError("expected a snapshot of a LearnerBatch, got one of a Batch")
        self.renew()
        super().restore(snapshot)
        self.__dict__.update(copy.deepcopy(snapshot.table))
        self.__dict__.pop("_play_every_row", None)

    def _ask_agents(self, rows: NDArray[np.bool_], most: int) -> None:
        """Let agents decide until every learner is to take a decision of its own or its game is over or cut.

        The agent next after the learner plays in all rows before the one behind it is called: so rows gather, and each
        agent is called seldom, for many of them at once.
        """
        if self._others != OpponentMode.AGENTS and not self._delegates:
            return
        waiting = rows & (self._others_asked() | self._delegated())
        while waiting.any():
            self.ended[waiting] = _WAITING
            delegated = waiting & self._delegated()
            if delegated.any():
                # A copy: once an agent has acted its rows ask something else, perhaps another seat.
                for agent, own in self._delegation.parts(self.states["ask"].copy(), delegated):
                    self._let_act(agent, own, most)
            else:
                turns_later = (self.states["seat"] - self.learners - 1) % self.states["seats"]
                numbers = self.lineup[np.arange(self.num_games), turns_later]
                number = numbers[waiting].min()
                self._let_act(self._agents[number], waiting & (numbers == number), most)
            waiting &= self._others_asked() | self._delegated()

    def _delegated(self) -> NDArray[np.bool_]:
        """Return the rows that run in which the learner is asked what an agent answers for it, (N,)."""
        asked: NDArray[np.bool_] = (self.states["over"] == _RUNNING) & (self.states["seat"] == self.learners)
        return asked & (self.ended <= _RUNNING) & self._delegation.among(self.states["ask"])

    def _others_asked(self) -> NDArray[np.bool_]:
        """Return the rows that run for the learner too, and in which an agent of another seat is to act: bool (N,)."""
        if self._others != OpponentMode.AGENTS:
            return np.zeros(self.num_games, np.bool_)
        asked: NDArray[np.bool_] = (self.states["over"] == _RUNNING) & (self.states["seat"] != self.learners)
        asked &= self.ended <= _RUNNING
        if self._payoff_args[0] != Reward.SCORE:
            asked &= self.states["out"][np.arange(self.num_games), self.learners] == 0
        return asked

    def _let_act(self, agent: Act, rows: NDArray[np.bool_], most: int) -> None:
        """Let one agent decide in each of the rows (N,). Raises ValueError or IllegalAction for invalid actions."""
        chosen = np.asarray(self._decisions(agent, np.flatnonzero(rows)))
        if chosen.shape != (rows.sum(),) or chosen.dtype.kind not in "iu":
            raise ValueError(f"expected {rows.sum()} action numbers from {agent!r}, got {chosen.dtype} {chosen.shape}")
        actions = np.zeros(self.num_games, np.int64)
        actions[rows] = chosen
        self._refuse_illegal(actions, rows)
        earlier = self.payoffs_at_end[rows], self.settled[rows]
        self._play(actions, rows, most)
        if self._others == OpponentMode.NOBODY:  # every seat learns: who went out earlier in this step is paid in it
            self.payoffs_at_end[rows] += earlier[0]
            self.settled[rows] |= earlier[1]

    def _decisions(self, agent: Act, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Return an agent's actions in these rows (B,); among best scores the rows' own streams draw."""
        if not scores_actions(agent):
            return ask_in_batch(agent, self, rows, self.rng).actions
        best = np.zeros_like(self.masks)  # a row without ones draws nothing
        best[rows] = best_actions(agent.scores(fractions_in(self, rows)), self.masks[rows])  # type: ignore[attr-defined]
        return self.sample(best)[rows]

    def _play(self, actions: NDArray[np.int64], rows: NDArray[np.bool_], most: int) -> None:
        """Play one decision in each of the rows (N,); games of `most` decisions are truncated."""
        if rows is self._every_row and most == self._most and self._keeps_arrays:
            self._actions[:] = actions
            self._play_every_row()
        else:
            self._run(step_rows_to_learner, rows, *self._play_arguments(actions), most)

    @functools.cached_property
    def _play_every_row(self) -> Callable[[], Any]:
        """The loop over all rows with `_actions`, prepared; to be deleted where other arrays or opponents come."""
        arguments = self._every_row, *self._play_arguments(self._actions), self._most
        return self.loops.prepare(step_rows_to_learner, 0, self.num_games, *arguments)

    def _play_arguments(self, actions: NDArray[np.int64]) -> tuple[Any, ...]:
        """Return the arguments of the loop between its rows and the limit of decisions."""
        results = StepResults(self.rewards, self.payoffs_at_end, self.settled, self.ended)
        return self._arrays(), actions, results, *self._payoff_args

    def _arrays(self) -> LearnerRows:
        """Return the arrays that both loops over rows take."""
        records = (self._plain.states, self._plain.luck, self._plain.choices, self._plain.log)
        shown = (self.masks, self.observations, self.scales, self.learners, self.illegal, self.paid)
        return LearnerRows(*records, *shown, int(self._others))
