"""N games as a Stable-Baselines3 `VecEnv` that returns MaskablePPO's masks as one array.

Needs the extra ``sb3``, as nothing else in the package does.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any, Unpack

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from titan_env import registry
from titan_env.contract import Game, Status
from titan_env.engine.validation import check_seed, expand_seeds
from titan_env.envs.environment_options import EnvironmentSetup, VecEnvOptions, show_keywords
from titan_env.envs.opponents import Opponents, load_opponents
from titan_env.envs.spaces import BATCH_RENDER_MODES, METADATA, action_space, observation_space
from titan_env.extras import extra
from titan_env.game_options import GameOptions
from titan_env.play.learner_batch import LearnerBatch

with extra("sb3"):
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn


class _Options(VecEnvOptions, GameOptions, total=False):
    """Keywords of `GameVecEnv` and of the games."""


class GameVecEnv(VecEnv):
    """N games with one learning seat each; a step goes from the learner's decision to its own next one.

    The `opponents` play the other seats in batch; `set_opponents` replaces them during training, for self-play against
    past selves. Finished games are reset in the same step, and only their infos are filled: `terminal_observation`,
    `TimeLimit.truncated`, `seat`, `illegal` and, as from a `Monitor`, `episode`, whose return is without `shaping`.
    Keywords are those of `VecEnvOptions`
    and the options of the game; `view`, an `ObservationView`, is what is observed.
    With ``render_mode="rgb_array"`` `VecVideoRecorder` films all games side by side.
    """

    @show_keywords(VecEnvOptions)
    def __init__(self, game: Game | str, num_envs: int, **options: Unpack[_Options]) -> None:
        setup = EnvironmentSetup(game, options, GameVecEnv, BATCH_RENDER_MODES)
        self.game = game = setup.game
        self.render_mode = setup.render_mode
        self._painter = setup.painter
        self._usual = setup.usual
        self.varied = setup.usual.varied
        self.view = setup.view
        self.batch = LearnerBatch(game, num_envs, self._usual.template, **setup.batch_keywords())
        super().__init__(num_envs, observation_space(self.view.layout, self.view.whole), action_space(game))
        self.metadata = {**METADATA, "render_modes": [*BATCH_RENDER_MODES[1:]]}
        self._actions: NDArray[Any] = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self._began = np.zeros(num_envs)

    def set_opponents(self, opponents: Opponents) -> None:
        """Set the agents of the other seats, from the next decision on."""
        self.batch.set_opponents(load_opponents(opponents, self.game))

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now: bool (N, A). MaskablePPO calls it before every step."""
        return self.batch.masks.astype(np.bool_)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seeds of the next `reset` to ``seed, seed + 1, ...`` and return them; None draws the first at random.

        Raises ValueError for an invalid seed.
        """
        first = check_seed(seed)
        self._seeds = list(expand_seeds(int(np.random.randint(2**32)) if first is None else first, self.num_envs))
        return self._seeds

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Set the options of the next `reset`: for all games, or a list with one dict a game.

        Raises TypeError or ValueError for options that the game does not accept.
        """
        each = options if isinstance(options, list) else [options] * self.num_envs
        if len(each) != self.num_envs:
            raise ValueError(f"expected options for each of {self.num_envs} games, got {len(each)}")
        for one in each:
            self._usual.of_episode(one)
        super().set_options(options)

    def reset(self) -> NDArray[Any]:
        """Begin new games with the seeds and options set before; return the learners' first observations (N, F)."""
        each = [self._usual.of_episode(options) for options in self._options]
        self.batch.reseed(self._seeds)
        self._reset_seeds()
        self._reset_options()
        self.batch.renew()
        if self.varied is None:
            self.batch.set_templates(np.concatenate(each))
        self.batch.start()
        self._returns[:] = 0
        self._lengths[:] = 0
        self._began[:] = time.perf_counter()
        return self.view(self.batch.observations)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Store the actions (N,) for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play the stored actions up to the learners' next decisions; return observations, rewards, dones and infos."""
        batch = self.batch
        batch.step(self._actions)
        rewards = (batch.rewards + batch.shaped).astype(np.float32)
        finished = batch.ended != Status.RUNNING
        self._returns += batch.rewards.astype(np.float32)
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if finished.any():
            rows = np.flatnonzero(finished)
            for row, observation in zip(rows.tolist(), self.view(batch.observations[rows]), strict=True):
                infos[row] = self._final_info(row, observation)
            self._returns[rows] = 0
            self._lengths[rows] = 0
            self._began[rows] = time.perf_counter()
            batch.start(finished)
        return self.view(batch.observations), rewards, finished, infos

    def _final_info(self, row: int, observation: NDArray[Any]) -> dict[str, Any]:
        """Return the infos of a finished game, with the keys that Stable-Baselines3 and `Monitor` use."""
        batch = self.batch
        return {
            "terminal_observation": observation,
            "TimeLimit.truncated": bool(batch.ended[row] == Status.TRUNCATED),
            "seat": int(batch.learners[row]),
            "illegal": int(batch.illegal[row]),
            **({} if self.varied is None else {"variant": int(batch.variant[row])}),
            "episode": {
                "r": float(self._returns[row]),
                "l": int(self._lengths[row]),
                "t": round(float(time.perf_counter() - self._began[row]), 6),
            },
        }

    def render(self, mode: str | None = None) -> Any:
        """Render all games by `render_mode`: "ansi" a list of texts, "rgb_array" one tiled uint8 (height, width, 3)."""
        return self._shown() if mode in (None, "ansi") and self.render_mode == "ansi" else super().render(mode)

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Render every game from its learner's view: a list of uint8 arrays (height, width, 3)."""
        return self._shown()

    def _shown(self) -> list[Any]:
        """Render every game by `render_mode`, from its learner's view. Raises ResetNeeded before the first `reset`."""
        if self._began.min() == 0:
            raise ResetNeeded("expected reset() before the first render()")
        games = zip(self.batch.states, self.batch.learners, strict=True)
        return [self._painter.render(state, int(seat)) for state, seat in games]

    def close(self) -> None:
        """Do nothing: no resource is held."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return the attribute, which the games share, once for each of the chosen games."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set the attribute of all games. Raises ValueError if `indices` choose only some of them."""
        if indices is not None and len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError("expected indices to be None: the games of this VecEnv share their attributes")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> Any:
        """Call a method; return masks as one array (N, A), any other result once for each chosen game."""
        answer = getattr(self, method_name)(*args, **kwargs)
        if method_name == "action_masks":
            return answer if indices is None else answer[list(self._get_indices(indices))]
        return [answer for _ in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """Return True for `Monitor`, whose `episode` infos this class writes, and False for other wrappers."""
        chosen: Iterable[int] = self._get_indices(indices)
        return [wrapper_class is Monitor for _ in chosen]


def make(num_envs: int, *, game: Game | str, **options: Any) -> GameVecEnv:
    """Make N games by name; options are those of `GameVecEnv` and of the game itself."""
    return GameVecEnv(registry.game_of(game), num_envs, **options)
