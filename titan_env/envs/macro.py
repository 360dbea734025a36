"""N games as a Gymnasium `VectorEnv` whose decisions are whole sequences of actions."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from titan_env import registry
from titan_env.contract import NO_ACTION, Game, Status
from titan_env.contract.options import brief
from titan_env.engine.macro_view import MacroView, candidate_masks
from titan_env.engine.validation import errors_in_one_line
from titan_env.envs.environment_options import VectorOptions
from titan_env.envs.spaces import MaskedDiscrete, observation_space
from titan_env.envs.vector import GameVectorEnv
from titan_env.game_options import GameOptions

_NOT_THERE = NO_ACTION  # an action that no game has: refused or replaced as any illegal one


class _Options(VectorOptions, GameOptions, total=False):
    """Keywords of `MacroVectorEnv` and of the games."""


class MacroVectorEnv(GameVectorEnv):
    """A `GameVectorEnv` in which one action chooses one of K sequences of the game's actions, which are then played.

    `macro` names one of the game's `Rules.macros`. Observations are those of `GameVectorEnv`, then the fields of the
    candidates (`macro_view.layout`); the action space is ``Discrete(K)`` and `action_mask` (N, K) says which candidates
    are there. A step goes on until the learner is to choose again: its reward is the sum on the way. Other keywords are
    those of `GameVectorEnv`, with one learner a game and `autoreset_mode` "SAME_STEP" (the default) or "DISABLED";
    limits count the game's own actions, and every step returns arrays of its own.

    A policy that is saved with `macro_view` is asked at every single action when it plays elsewhere, and plays the
    first action of the candidate that it prefers. Raises ValueError for macro-actions that the game does not have.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        *,
        macro: str,
        **options: Unpack[_Options],
    ) -> None:
        game = registry.game_of(game)
        own: _Options = {"autoreset_mode": AutoresetMode.SAME_STEP, "copy": False}
        super().__init__(game, num_envs, **(own | options))
        if self.autoreset_mode == AutoresetMode.NEXT_STEP or self.everybody:
            raise ValueError('expected autoreset_mode "SAME_STEP" or "DISABLED" and seats="one" with macro-actions')
        if not isinstance(macro, str):
            raise TypeError(f"expected the name of macro-actions, got {brief(macro)}")
        with errors_in_one_line():
            self.macro_view = MacroView(game, macro, self.view)
        self._dropped_when = [game.rules.fields.slices[name] for name in self.macro_view.macro.dropped_when]
        self._choices = self.macro_view.macro.size
        self.single_action_space = MaskedDiscrete(self._choices)
        self.single_observation_space = observation_space(self.macro_view.layout, self.view.whole)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def _infos(self, known: NDArray[np.bool_], decided: NDArray[np.bool_]) -> dict[str, Any]:
        infos = super()._infos(known, decided)
        return infos | {"illegal": infos["illegal"].copy()}

    def _observe(self) -> NDArray[Any]:
        self._candidates = self.macro_view.propose(self.batch.observations)
        return self.macro_view.observe(self.batch.observations, self._candidates)

    def _observe_rows(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        observations = self.batch.observations[rows]
        return self.macro_view.observe(observations, self.macro_view.propose(observations))

    def _masks(self) -> NDArray[np.int8]:
        return candidate_masks(self._candidates, self.batch.masks)

    def _decide(self, actions: NDArray[Any], rows: NDArray[np.bool_]) -> None:
        """Play the chosen sequence in each of the rows (N,), up to its end or to where it is dropped."""
        batch, sequences = self.batch, self._candidates.sequences
        numbers = batch._action_numbers(actions)
        there = (numbers >= 0) & (numbers < sequences.shape[1])
        plans = np.where(there[:, None], sequences[np.arange(self.num_envs), np.where(there, numbers, 0)], _NOT_THERE)
        asks, marks = batch.states["ask"].copy(), self._marks()
        rewards, going = np.zeros(self.num_envs), rows
        for k in range(plans.shape[1]):
            # Without `copy` the other rows stay as they are.
            batch.step_unshaped(plans[:, k].astype(np.int64), going)
            rewards[going] += batch.rewards[going]
            going = going & self._goes_on(plans, k + 1, asks, marks)
            if not going.any():
                break
        batch.rewards[:] = rewards
        batch.shape(rows)

    def _goes_on(self, plans: NDArray[np.int16], k: int, asks: NDArray[Any], marks: NDArray[Any]) -> NDArray[np.bool_]:
        """Return the rows (N,) whose plan has a next action that is legal, and nothing that it is dropped for."""
        batch = self.batch
        if k == plans.shape[1]:
            return np.zeros(self.num_envs, np.bool_)
        following = plans[:, k].astype(np.int64)
        legal = np.take_along_axis(batch.masks, np.maximum(following, 0)[:, None], axis=1)[:, 0] != 0
        same = (batch.states["ask"] == asks) & (self._marks() == marks).all(axis=1)
        going: NDArray[np.bool_] = (following != NO_ACTION) & legal & same & (batch.ended == Status.RUNNING)
        return going

    def _marks(self) -> NDArray[Any]:
        """Return the fields whose change drops a plan, (N, n)."""
        parts = [self.batch.observations[:, columns] for columns in self._dropped_when]
        return np.concatenate(parts, axis=1) if parts else np.zeros((self.num_envs, 0))
