"""Potential-based reward shaping: additional rewards that leave the optimal policies as they are.

Each step from s to s' is worth ``gamma * potential(s') - potential(s)`` more, and the end has
potential 0 (Ng, Harada, Russell 1999: "Policy Invariance Under Reward Transformations"). Over one
episode the discounted extra rewards add up to minus the potential of its first observation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorWrapper
from numpy.typing import ArrayLike, NDArray

from titan_env.contract import Fields
from titan_env.envs.single_agent import GameEnv
from titan_env.envs.vector import GameVectorEnv

Weights = Mapping[str, ArrayLike]
"""Field name -> one weight for the whole field, or weights in the field's shape."""


class Potential:
    """A potential function that is linear in named observation fields: the weighted sum of their values.

    Raises ValueError for an unknown field, or for weights that are neither one number nor of the field's shape.
    """

    def __init__(self, fields: Fields, weights: Weights) -> None:
        self._vector = np.zeros(fields.size, np.float32)
        shapes = {part.name: part.shape for part in fields.parts}
        for name, weight in weights.items():
            if name not in shapes:
                raise ValueError(f"expected names of observation fields, got {name!r}; there are: {', '.join(shapes)}")
            values = np.asarray(weight, np.float32)
            if values.shape not in ((), shapes[name]):
                raise ValueError(f"expected one weight for {name!r} or shape {shapes[name]}, got shape {values.shape}")
            self._vector[fields.slices[name]] = np.broadcast_to(values, shapes[name]).ravel()

    def __call__(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """Compute the potentials of observations (..., F): float32 (...)."""
        potentials: NDArray[np.float32] = observations @ self._vector
        return potentials


def _checked_gamma(gamma: float) -> float:
    """Return the discount as a float. Raises ValueError outside of [0, 1]."""
    if not 0 <= gamma <= 1:
        raise ValueError(f"expected gamma between 0 and 1, the discount of the learner, got {gamma!r}")
    return float(gamma)


class ShapedEnv(gymnasium.Wrapper[NDArray[np.float32], Any, NDArray[np.float32], Any]):
    """A `GameEnv` with shaped rewards; ``info["unshaped_reward"]`` is the original one.

    `weights` on the game's observation fields make the potential; `gamma` is the learner's discount.
    A truncated game keeps the potential of its last observation, for it is not over.
    """

    def __init__(self, env: gymnasium.Env[NDArray[np.float32], Any], weights: Weights, gamma: float = 1.0) -> None:
        super().__init__(env)
        base = env.unwrapped
        if not isinstance(base, GameEnv):
            raise TypeError(f"expected a GameEnv with named observation fields, got {base!r}")
        self._gamma = _checked_gamma(gamma)
        self._potential = Potential(base.game.rules.fields, weights)
        self._before = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a new game."""
        observation, info = super().reset(seed=seed, options=options)
        self._before = float(self._potential(observation))
        return observation, info

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play one action and return its shaped reward."""
        observation, reward, terminated, truncated, info = super().step(action)
        after = 0.0 if terminated else float(self._potential(observation))
        shaped = float(reward) + self._gamma * after - self._before
        self._before = after
        return observation, shaped, terminated, truncated, info | {"unshaped_reward": float(reward)}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now: bool (A,)."""
        masks: NDArray[np.bool_] = self.env.get_wrapper_attr("action_masks")()
        return masks


class ShapedVectorEnv(VectorWrapper[Any, Any, Any, Any, Any]):
    """A `GameVectorEnv` with one learning seat per game and shaped rewards.

    The plain rewards are in ``infos["unshaped_reward"]``. Works under all three autoreset modes.
    """

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any], weights: Weights, gamma: float = 1.0) -> None:
        super().__init__(env)
        base = env.unwrapped
        if not isinstance(base, GameVectorEnv) or base.everybody:
            raise TypeError(
                f'expected a GameVectorEnv with seats="one", got {base!r}: where every seat learns, '
                "an observation and the next one are views of different seats"
            )
        self._gamma = _checked_gamma(gamma)
        self._potential = Potential(base.game.rules.fields, weights)
        self._mode = base.autoreset_mode
        self._before = np.zeros(base.num_envs, np.float32)
        self._finished = np.zeros(base.num_envs, np.bool_)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin new games in all rows, or in those of the ``reset_mask``."""
        chosen = (options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_))
        observations, infos = super().reset(seed=seed, options=options)
        self._before = np.where(chosen, self._potential(observations), self._before)
        self._finished = self._finished & ~chosen
        return observations, infos

    def step(
        self, actions: Any
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play one action in every game and return the shaped rewards (N,)."""
        observations, rewards, terminations, truncations, infos = super().step(actions)
        shown = self._potential(observations)
        after = shown.copy()
        if self._mode == AutoresetMode.SAME_STEP and truncations.any():
            after[truncations] = self._potential(np.stack(infos["final_obs"][truncations]))
        after[terminations] = 0
        shaped = rewards + self._gamma * after - self._before
        if self._mode == AutoresetMode.NEXT_STEP:
            shaped[self._finished] = 0
        self._finished = terminations | truncations
        self._before = shown if self._mode != AutoresetMode.DISABLED else after
        infos["unshaped_reward"] = rewards
        infos["_unshaped_reward"] = np.ones(self.num_envs, np.bool_)
        return observations, shaped, terminations, truncations, infos
