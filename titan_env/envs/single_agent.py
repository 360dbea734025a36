"""One learning seat of one game as a Gymnasium `Env`."""

from __future__ import annotations

from typing import Any, Unpack

import gymnasium
import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.contract import Game, Status
from titan_env.engine.validation import check_seed
from titan_env.envs.environment_options import EnvironmentSetup, LearnerOptions, show_keywords
from titan_env.envs.opponents import Opponents, load_opponents
from titan_env.envs.spaces import METADATA, action_space, observation_space
from titan_env.game_options import GameOptions
from titan_env.pictures.render import svg_of
from titan_env.play.learner_batch import LearnerBatch


class _Options(LearnerOptions, GameOptions, total=False):
    """Keywords of `GameEnv` and of the games."""


class GameEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """One learning seat of one game; a step goes from its own decision to its own next one.

    The `opponents` decide in between. The reward is the seat's sum in between: its payoff when its game ends, else 0.
    Keywords are those of `LearnerOptions` and the options of the game; `view`, an `ObservationView`, is what is
    observed. A limit of the learner's own steps is Gymnasium's ``gymnasium.make(..., max_episode_steps=n)``.

    The mask of legal actions is ``info["action_mask"]`` (A,) int8, which `Discrete.sample` takes, and `action_masks()`
    (A,) bool, which MaskablePPO calls. ``info["seat"]`` is the learner's seat, ``info["illegal"]`` the number of
    illegal actions of this episode that ``on_illegal="random"`` has replaced by a legal one; ``"raise"`` refuses them
    before anything has changed.
    """

    metadata = METADATA

    @show_keywords(LearnerOptions)
    def __init__(self, game: Game | str, **options: Unpack[_Options]) -> None:
        setup = EnvironmentSetup(game, options, GameEnv)
        self.game = game = setup.game
        self.render_mode = setup.render_mode
        self._painter = setup.painter
        self._usual = setup.usual
        self.varied = setup.usual.varied
        self.view = setup.view
        self.batch = LearnerBatch(game, 1, self._usual.template, copy=False, **setup.batch_keywords())
        self.action_space = action_space(game)
        self.observation_space: gymnasium.Space[Any] = observation_space(self.view.layout, self.view.whole)
        self._started = False

    def set_opponents(self, opponents: Opponents) -> None:
        """Set the agents of the other seats, from the next decision on."""
        self.batch.set_opponents(load_opponents(opponents, self.game))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin a new game and play to the learner's first decision; without a seed the random stream goes on.

        ``options={"game": {...}}`` overrides options of the game in this episode.
        """
        self._usual.of_episode(options)  # is refused before anything has changed
        seed = check_seed(seed)
        self.batch.reseed(seed)
        super().reset(seed=seed)
        self.batch.renew()
        self._usual.next_games(self.batch, options)
        self.batch.start()
        self._started = True
        self._show_window()
        return self.view(self.batch.observations[0].copy()), self._info()

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play one action of the learner, then the opponents' decisions up to its next one or the end."""
        if not self._started:
            raise gymnasium.error.ResetNeeded("expected reset() before the first step()")
        self.batch.step(np.asarray(action)[None])
        self._show_window()
        batch, info = self.batch, self._info()
        over, reward, seen = int(batch.ended[0]), float(batch.rewards[0]), batch.observations[0].copy()
        if batch.shaping:
            info["unshaped_reward"] = reward
            reward += float(batch.shaped[0])
        return self.view(seen), reward, over == Status.TERMINATED, over == Status.TRUNCATED, info

    def _info(self) -> dict[str, Any]:
        """Return the infos of the current observation: "action_mask" int8 (A,), "seat" and "illegal"."""
        batch = self.batch
        seat, illegal = int(batch.learners[0]), int(batch.illegal[0])
        return {
            "action_mask": batch.masks[0].copy(),
            "seat": seat,
            "illegal": illegal,
            **self._usual.infos(batch),
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now: bool (A,)."""
        return self.batch.masks[0].astype(np.bool_)

    def render(self) -> Any:
        """Render the learner's view: "ansi" text, "rgb_array" uint8 (height, width, 3), or "human" in a window.

        Raises ResetNeeded before the first `reset`.
        """
        if not self._started:
            raise gymnasium.error.ResetNeeded("expected reset() before the first render()")
        return self._painter.render(self.batch.states[0], int(self.batch.learners[0]))

    def position(self) -> str:
        """Return the full position as text. Raises ResetNeeded before the first `reset`."""
        if not self._started:
            raise gymnasium.error.ResetNeeded("expected reset() before the game is looked at")
        return self.game.text.position_text(self.batch.states[0])

    def _show_window(self) -> None:
        """Draw the position in the window with ``render_mode="human"``."""
        if self.render_mode == "human":
            self.render()

    def _repr_svg_(self) -> str | None:
        """Return the position as SVG, for notebooks; None before the first `reset`."""
        return svg_of(self.game, self.batch.states[0], int(self.batch.learners[0])) if self._started else None

    def close(self) -> None:
        """Close the window, if there is one."""
        self._painter.close()


def make(*, game: Game | str, **options: Any) -> GameEnv:
    """Make an environment by the game's name; options are those of `GameEnv` and of the game itself."""
    return GameEnv(registry.game_of(game), **options)
