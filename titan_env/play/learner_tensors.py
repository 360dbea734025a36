"""N games with one learning seat each, or all seats learning, as tensors of torch on a device (`GameTorchEnv`).

The rows are those of `LearnerBatch`, played by the same loops with the same seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import MOST_SEATS, Game, Reward, Status, seeded
from titan_env.contract.options import brief
from titan_env.engine.batch import Records
from titan_env.engine.devices import Device, column
from titan_env.engine.validation import expand_seeds
from titan_env.extras import extra
from titan_env.play.batch_tensors import BatchTensors
from titan_env.play.best_actions import scores_actions
from titan_env.play.delegation import MOST_STARTS, never_asked
from titan_env.play.determinization import agent_rng
from titan_env.play.learner_batch import LearnerBatch
from titan_env.play.learner_loops import LearnerRows, OpponentMode, StepResults, reset_rows, step_rows_to_learner
from titan_env.play.shaping import RewardShaping
from titan_env.play.tensor_scores import scores_on

with extra("training"):
    import torch

Policy = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""An opponent: ``policy(observations (B, F), masks (B, A)) -> actions (B,)``, tensors on the device."""


class NumpyAgent:
    """An agent ``act(observations, masks, rng)`` among the opponents on a device.

    It answers on the processor, but scores of actions by a rule, or that torch can trace, are computed on the device.
    """

    def __init__(self, agent: Callable[..., Any]) -> None:
        if not callable(agent):
            raise TypeError(f"expected an agent act(observations, masks, rng), got {brief(agent)}")
        self.agent: Any = agent

    def __call__(self, *arguments: Any) -> Any:
        """Ask the agent."""
        return self.agent(*arguments)


_RUNNING, _WAITING = int(Status.RUNNING), -1
_UNKNOWN_ACTION = np.iinfo(np.int64).min


class _Keywords(LearnerBatch):
    """The keywords of `LearnerTensors`, checked on one game of `LearnerBatch`."""

    def play_values(self) -> tuple[int, tuple[int, float], tuple[int, int]]:
        """Return the learner's seat, the reward, and the most decisions and steps."""
        return self._seat, self._payoff_args, (self._most, self._most_steps)

    def players(self) -> tuple[OpponentMode, tuple[Any, ...], dict[int, Any]]:
        """Return the kind of opponents, their policies, and those that questions are delegated to, by number."""
        return self._others, self._agents, self._delegation.by_ask

    def order(self) -> tuple[NDArray[np.int64], bool, int]:
        """Return the opponent of each other seat, (MOST_SEATS,), whether it is drawn, and the most other seats."""
        return self.lineup[0], self._drawn, int(self.templates["seats"].max()) - 1


class TensorShaping:
    """The shaped rewards of N rows on a device, as `RewardShaping` computes them."""

    def __init__(self, shaping: RewardShaping, num_games: int, device: str) -> None:
        potential = shaping.potential
        arrays = (potential.columns, potential.divisors, potential.weights)
        self._columns, self._divisors, self._weights = (torch.from_numpy(array).to(device) for array in arrays)
        self._gamma = shaping.gamma
        self.potentials = torch.zeros(num_games, device=device)

    def _potential(self, observations: torch.Tensor) -> torch.Tensor:
        """Compute the potentials of observations (N, F), float32 (N,)."""
        numbers = observations[:, self._columns].float() / self._divisors
        return (numbers.double() @ self._weights).float()

    def begin(self, observations: torch.Tensor, rows: torch.Tensor) -> None:
        """Take the first observations (N, F) of new games in these rows (N,)."""
        self.potentials = torch.where(rows, self._potential(observations), self.potentials)

    def step(self, observations: torch.Tensor, terminated: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        """Return what a step adds to the rewards, float64 (N,), 0 outside of these rows (N,)."""
        after = self._potential(observations).masked_fill(terminated, 0)
        extra = torch.where(rows, self._gamma * after.double() - self.potentials, 0.0)
        self.potentials = torch.where(rows, after, self.potentials)
        return extra


class LearnerTensors(BatchTensors):
    """N games with one learning seat each, or with every seat learning, on a device.

    Attributes are those of `LearnerBatch`, each a tensor (N, ...); `decided` (N,) marks the rows whose action the
    latest `step` played, and `refused` (N,) is the first illegal action that ``on_illegal="raise"`` has left unplayed.

    Nothing here waits for the device but `start`, and `step` where policies or agents are asked. Agents (`NumpyAgent`)
    that do not score actions draw from `rng`, which the rows share.
    """

    def __init__(
        self, game: Game, num_games: int, template: Records, device: Device, *, on_illegal: str, **keywords: Any
    ) -> None:
        checked = _Keywords(game, 1, template, **keywords)
        self._seat, self._payoff_args, (self._most, self._most_steps) = checked.play_values()
        self.others, self.policies, self._delegated = checked.players()
        self._order, self._drawn, self._most_others = checked.order()
        self._scores = {
            player: scores_on(device, player.agent, game.rules.fields, num_games)
            for player in (*self.policies, *self._delegated.values())
            if isinstance(player, NumpyAgent) and scores_actions(player.agent)
        }
        self.rng = np.random.default_rng()
        self._asks_policies = self.others == OpponentMode.AGENTS or bool(self._delegated)
        self.refuses = on_illegal == "raise"
        self._shaping = checked.shaping
        super().__init__(game, num_games, checked.templates, device, whole=checked.whole, varied=checked.varied)

    def _allocate(self, templates: Records) -> None:
        """Make all tensors."""
        super()._allocate(templates)
        self.learners, self.illegal = self._zeros(np.int8), self._zeros(np.int32)
        self.paid, self.settled = self._zeros(np.int8, MOST_SEATS), self._zeros(np.int8, MOST_SEATS)
        self.rewards, self.payoffs_at_end = self._zeros(np.float64), self._zeros(np.float64, MOST_SEATS)
        self.ended = self._zeros(np.int8).fill_(_WAITING)
        self.steps, self.refused = self._zeros(np.int64), self._zeros(np.int64).fill_(_UNKNOWN_ACTION)
        self.decided = self._zeros(np.bool_)
        self.lineup = torch.from_numpy(self._order).to(self.device.name).repeat(self.num_games, 1)
        self._asks = torch.tensor([*self._delegated], dtype=torch.int8, device=self.device.name)
        self.shaped = self._zeros(np.float64)
        self.shaping = self._shaping and TensorShaping(self._shaping, self.num_games, self.device.name)
        self._rows = LearnerRows(
            *(self.states, self.luck, self.choices, self.log, column(self.masks), column(self.observations)),
            *(self.scales, column(self.learners), column(self.illegal), column(self.paid)),
            int(self.others),
        )
        self._results = StepResults(*map(column, (self.rewards, self.payoffs_at_end, self.settled, self.ended)))

    def reseed(self, seeds: Any, rows: torch.Tensor) -> None:
        """Give the rows (N,) new random streams; a row whose seed is None goes on with its own."""
        seeds = expand_seeds(seeds, self.num_games)
        given = rows & torch.tensor([seed is not None for seed in seeds], device=rows.device)
        if bool(given.any()):
            luck = seeded([0 if seed is None else seed for seed in seeds], self.game.rules.luck)
            self._take_luck(luck, given)
            self.rng = agent_rng(int(luck["stream"][int(given.int().argmax())]))

    def start(self, rows: torch.Tensor) -> None:
        """Begin a new game in each of the rows (N,) and play to its learner's first decision."""
        for _ in range(MOST_STARTS):
            self._draw_options(rows)
            self._run(reset_rows, column(rows), self._rows, self.templates, self._seat, self._payoff_args[0])
            self.ended.masked_fill_(rows, _RUNNING)
            self.rewards.masked_fill_(rows, 0)
            self.steps.masked_fill_(rows, 0)
            self._draw_lineup(rows)
            if self._delegated:  # the pay of the last game is none of the new one
                self.payoffs_at_end.masked_fill_(rows[:, None], 0)
                self.settled.masked_fill_(rows[:, None], 0)
            self._ask_policies(rows, int(np.iinfo(np.int64).max))
            if self.shaping:
                self.shaping.begin(self.observations, rows)
                self.shaped = self.shaped.masked_fill(rows, 0)
            if not self._asks_policies:
                return
            rows = rows & (self.ended != _RUNNING)
            if not bool(rows.any()):
                return
        raise never_asked()

    def _draw_lineup(self, rows: torch.Tensor) -> None:
        """Draw an opponent of the pool, if there is one, for each other seat in each of the rows (N,)."""
        pool = rows.to(torch.int8)[:, None].repeat(1, len(self.policies))  # a row without ones draws nothing
        for seat in range(self._most_others if self._drawn else 0):
            self.lineup[:, seat] = torch.where(rows, self.sample(pool), self.lineup[:, seat])

    def step(self, actions: torch.Tensor) -> None:
        """Play one decision of the learner in each game that runs, up to its next one or the end of the game.

        Rows whose game is over stay as they are, and so do those with an illegal action where these are refused.
        Raises ValueError for games that were left in the middle by an opponent that raised an error.
        """
        if self._asks_policies and bool((self.ended == _WAITING).any()):
            reason = "left in the middle by an opponent that raised an error"
            raise ValueError(f"expected games in which the learner is asked, got one that is {reason}; reset it first")
        rows = self.ended == _RUNNING
        if self.refuses:
            rows = rows & self._allowed(actions, rows)
        self.payoffs_at_end.zero_()
        self.rewards.masked_fill_(~rows, 0)
        self.settled.masked_fill_((~rows & (self.ended == _RUNNING))[:, None], 0)
        self.decided, acted = rows, self.learners.long()
        self._play(actions, rows, self._most)
        self._ask_policies(rows, self._most)
        if self._delegated and self.others == OpponentMode.NOBODY:
            self.rewards = torch.where(rows, self.payoffs_at_end.gather(1, acted[:, None])[:, 0], self.rewards)
        self._count_steps(rows)
        if self.shaping:
            self.shaped = self.shaping.step(self.observations, self.ended == int(Status.TERMINATED), rows)

    def _allowed(self, actions: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        """Return the rows whose action is legal, bool (N,); the first that is not is kept in `refused`."""
        allowed = self._legal(actions)
        first = rows & ~allowed & (self.refused == _UNKNOWN_ACTION)
        self.refused = torch.where(first, actions, self.refused)
        return allowed

    def _legal(self, actions: torch.Tensor) -> torch.Tensor:
        """Return the rows whose mask allows the action, bool (N,)."""
        columns = actions.clamp(0, self.masks.shape[1] - 1)
        return (columns == actions) & (self.masks.gather(1, columns[:, None])[:, 0] != 0)

    def first_refused(self) -> tuple[int, int] | None:
        """Return the first row with an illegal action that was not played, and the action; forget all of them."""
        found = torch.nonzero(self.refused != _UNKNOWN_ACTION)
        if not len(found):
            return None
        row = int(found[0, 0])
        action = int(self.refused[row])
        self.refused.fill_(_UNKNOWN_ACTION)
        return row, action

    def _count_steps(self, rows: torch.Tensor) -> None:
        """Count a learner's step in each of the rows (N,), and truncate episodes at the limit."""
        self.steps += rows
        cut = rows & (self.ended == _RUNNING) & (self.steps >= self._most_steps)
        self.ended.masked_fill_(cut, int(Status.TRUNCATED))
        self.masks.masked_fill_(cut[:, None], 0)

    def _ask_policies(self, rows: torch.Tensor, most: int) -> None:
        """Let policies decide until every learner is to take a decision of its own or its game is over or cut."""
        while self._asks_policies:
            delegated = rows & self._learner_asked() if self._delegated else torch.zeros_like(rows)
            waiting = delegated | (rows & self._others_asked()) if self.others == OpponentMode.AGENTS else delegated
            if not bool(waiting.any()):
                return
            self.ended.masked_fill_(waiting, _WAITING)
            if self._delegated and bool(delegated.any()):
                asks = self.field("ask").clone()  # once a policy has acted its rows ask something else
                for ask, policy in self._delegated.items():
                    self._let_act(policy, delegated & (asks == ask), most)
            else:
                turns_later = (self.field("seat").long() - self.learners - 1) % self.field("seats")
                number = self.lineup.gather(1, turns_later[:, None])[:, 0]
                first = int(number[waiting].min())
                self._let_act(self.policies[first], waiting & (number == first), most)

    def _let_act(self, policy: Policy, rows: torch.Tensor, most: int) -> None:
        """Let a policy decide in each of the rows (N,), if any. Raises TypeError or ValueError for invalid actions."""
        asked = torch.nonzero(rows)[:, 0]
        if not len(asked):
            return
        chosen = self._choices(policy, asked)
        expected = f"expected {len(asked)} action numbers from a policy"
        if not isinstance(chosen, torch.Tensor):
            raise TypeError(f"{expected} as a tensor, got {brief(chosen)}")
        if chosen.shape != asked.shape or chosen.is_floating_point() or chosen.dtype == torch.bool:
            raise ValueError(f"{expected}, got {chosen.dtype} {tuple(chosen.shape)}")
        actions = self._zeros(np.int64)
        actions[asked] = chosen.to(torch.int64)
        if not bool(self._legal(actions)[asked].all()):
            raise ValueError("expected legal actions from a policy, got an illegal one; choose by the masks")
        if self.others != OpponentMode.NOBODY:
            self._play(actions, rows, most)
            return
        # Every seat learns: who went out earlier in this step is paid in it.
        payoffs, settled = self.payoffs_at_end.clone(), self.settled.clone()
        self._play(actions, rows, most)
        self.payoffs_at_end += torch.where(rows[:, None], payoffs, 0)
        self.settled |= torch.where(rows[:, None], settled, 0)

    def _choices(self, policy: Policy, asked: torch.Tensor) -> torch.Tensor:
        """Return the actions of a policy or agent in these rows (B,); among best scores the rows' own streams draw."""
        if not isinstance(policy, NumpyAgent):
            return policy(self.observations[asked], self.masks[asked])
        if policy not in self._scores:
            return torch.from_numpy(self.ask_agent(policy.agent, asked, self.rng)).to(asked.device)
        best = torch.zeros_like(self.masks)  # a row without ones draws nothing
        best[asked] = self._scores[policy].best(self.observations[asked], self.masks[asked])
        return self.sample(best)[asked]

    def _learner_asked(self) -> torch.Tensor:
        """Return the rows that run in which the learner is asked what a policy answers for it, bool (N,)."""
        asked = (self.field("over") == _RUNNING) & (self.field("seat") == self.learners) & (self.ended <= _RUNNING)
        return asked & torch.isin(self.field("ask"), self._asks)

    def _others_asked(self) -> torch.Tensor:
        """Return the rows that run for the learner too, and in which another seat is to act: bool (N,)."""
        asked = (self.field("over") == _RUNNING) & (self.field("seat") != self.learners) & (self.ended <= _RUNNING)
        if self._payoff_args[0] != Reward.SCORE:
            asked &= self.field("out").gather(1, self.learners[:, None].long())[:, 0] == 0
        return asked

    def _play(self, actions: torch.Tensor, rows: torch.Tensor, most: int) -> None:
        """Play one decision in each of the rows (N,); games of `most` decisions are truncated."""
        arrays = (column(rows), self._rows, column(actions), self._results)
        self._run(step_rows_to_learner, *arrays, self._payoff_args[0], float(self._payoff_args[1]), most)
