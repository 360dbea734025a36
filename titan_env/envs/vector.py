"""N games as a Gymnasium `VectorEnv`."""

from __future__ import annotations

import functools
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeAlias, Unpack

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from titan_env import registry
from titan_env.compiler.forks import after_fork
from titan_env.contract import Game, Status
from titan_env.contract.options import brief
from titan_env.engine.validation import check_buffer, check_choice
from titan_env.envs.environment_options import EnvironmentSetup, VectorOptions, show_keywords
from titan_env.envs.opponents import Opponents, load_opponents
from titan_env.envs.spaces import BATCH_RENDER_MODES, METADATA, action_space, observation_space
from titan_env.game_options import GameOptions
from titan_env.play.learner_batch import LearnerBatch
from titan_env.play.learner_loops import OpponentMode

FACES = ("one", "all")

_RUNNING, _TERMINATED, _TRUNCATED = int(Status.RUNNING), int(Status.TERMINATED), int(Status.TRUNCATED)
"""Read in every step, where reaching an enum's member takes as long as a rule."""

StepResult: TypeAlias = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]
"""Observations, rewards, terminations, truncations and infos."""


@functools.cache
def _pool() -> ThreadPoolExecutor:
    """Return the threads on which `step_async` plays."""
    return ThreadPoolExecutor(thread_name_prefix="titan_env step_async")


after_fork(_pool.cache_clear)


def autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return the autoreset mode given by itself, its name or its value. Raises ValueError for another."""
    for known in AutoresetMode:
        if mode is known or (isinstance(mode, str) and mode in (known.name, known.value)):
            return known
    raise ValueError(f"expected autoreset_mode to be one of {', '.join(AutoresetMode.__members__)}, got {brief(mode)}")


class _Options(VectorOptions, GameOptions, total=False):
    """Keywords of `GameVectorEnv` and of the games."""


class GameVectorEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """N games of one kind, stepped together by compiled loops.

    Keywords are those of `VectorOptions` and the options of the game; `view`, an `ObservationView`, is what is
    observed, and `view.layout` the `Fields` of it.

    `seats="one"`: one seat of each game learns, the `opponents` play the others.
    One step goes from the learner's decision to its own next one; its reward is the sum in between: the payoff when the
    game ends, else 0.

    `seats="all"`: the learner plays every seat. One step is one decision of the seat to act: `infos["seat"]` (N,) is
    the seat of the observation and the mask, and the reward is that of the seat that has just acted. `infos["rewards"]`
    (N, MOST_SEATS) are the payoffs of all seats, and ``infos["settled"]`` (N, MOST_SEATS) marks the seats that were
    paid in this step: all at the end, some before it in a game that goes on without them.
    `titan_env.play.transitions.Transitions` pairs each decision with the same seat's next one. The final observation
    is that of the seat that acted last.

    Infos, each with its ``_key`` companion: `action_mask` (N, A) int8, `seat` (N,) int64, `illegal` (N,) int32 (illegal
    actions of this episode that ``on_illegal="random"`` replaced by a legal one; ``"raise"`` refuses them before
    anything has changed), `decided` (N,) bool (the latest action was played: False where a row was reset instead, and
    nothing is to be learned from it) and, for all seats, `rewards` and `settled`. They hold for every row; after a
    reset of some rows the companions mark these rows, as Gymnasium's own do.

    `step_async` plays in a thread of its own while the caller computes something else, and `step_wait` returns what
    `step` would; in between the environment takes no other call.

    The three autoreset modes are Gymnasium's. `NEXT_STEP`: a finished row ignores the next action, and its mask allows
    every one; its step returns the new game's first observation and reward 0. `SAME_STEP`: the row shows the new game
    at once; the old one's last observation and infos are in `final_obs` and `final_info`. `DISABLED`: reset finished
    rows with ``options={"reset_mask": ...}``.

    Without `copy` masks cannot be written to. `out` may be pinned memory, as ``torch.empty(shape, dtype=torch.int8,
    pin_memory=True).numpy()``, or a row of a buffer.

    Options of the game may be given to `reset` too: ``options={"game": {...}}`` overrides the constructor's in the rows
    that are reset, until they are reset again.
    """

    metadata = METADATA

    @show_keywords(VectorOptions)
    def __init__(self, game: Game | str, num_envs: int = 1, **options: Unpack[_Options]) -> None:
        setup = EnvironmentSetup(game, options, GameVectorEnv, BATCH_RENDER_MODES)
        keywords, play = setup.keywords, setup.batch_keywords()
        self.game = game = setup.game
        self.num_envs = num_envs
        self.everybody = check_choice("seats", keywords["seats"], FACES) == "all"
        if self.everybody:
            if play["seat"] is not None or play["opponents"] != "random":
                raise ValueError(
                    'expected neither seat nor opponents with seats="all", where the learner plays every seat'
                )
            play["opponents"] = OpponentMode.NOBODY
        self.autoreset_mode = autoreset_mode(keywords["autoreset_mode"])
        self.metadata = {**METADATA, "render_modes": [*BATCH_RENDER_MODES[1:]], "autoreset_mode": self.autoreset_mode}
        self.render_mode = setup.render_mode
        self._painter = setup.painter
        self._usual = setup.usual
        self.varied = setup.usual.varied
        self.view = setup.view
        self.out = check_buffer("out", keywords["out"], (num_envs, self.view.layout.size), self.view.dtype)
        """The array that observations are written into; None: one of their own. It may be exchanged between steps."""
        self.batch = LearnerBatch(game, num_envs, self._usual.template, **play)
        self._choices = len(game.rules.actions)
        self.single_action_space = action_space(game)
        self.single_observation_space = observation_space(self.view.layout, self.view.whole)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._started = False
        self._all, self._none = np.ones(num_envs, np.bool_), np.zeros(num_envs, np.bool_)
        self._all.flags.writeable = self._none.flags.writeable = False
        self._pending: Future[Any] | None = None

    def set_opponents(self, opponents: Opponents) -> None:
        """Set the agents of the other seats, from the next decision on. Raises ValueError with ``seats="all"``."""
        if self.everybody:
            raise ValueError('expected seats="one" to set opponents; with seats="all" there are none')
        self.batch.set_opponents(load_opponents(opponents, self.game))

    def reset(  # type: ignore[override]
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin new games with the seeds ``seed, seed + 1, ...``, or a list of seeds.

        Without a seed the rows' random streams go on. With ``options={"reset_mask": mask}``, bool (N,), only the rows
        of the mask are reset.
        """
        self._refuse_when_closed("reset")
        self._refuse_while_pending("reset")
        self._usual.of_episode(options)  # is refused before anything has changed
        chosen = self._all if options is None or "reset_mask" not in options else options["reset_mask"]
        self._check_reset_mask(chosen)
        self.batch.reseed(seed, chosen)
        self.batch.renew(keep=not chosen.all())
        self._usual.next_games(self.batch, options, chosen)
        self.batch.start(None if chosen.all() else chosen)
        self._started = True
        known = self._all if chosen.all() else chosen.copy()
        return self._observe(), self._infos(known, self._none)

    def _check_reset_mask(self, mask: Any) -> None:
        """Raise TypeError or ValueError unless the mask is bool (N,) with a True, and all True in the first reset."""
        expected = f"expected options['reset_mask'] to be a bool array of shape ({self.num_envs},) with a True in it"
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"{expected}, got {getattr(mask, 'dtype', type(mask))}")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"{expected}, got {mask}")
        if not self._started and not mask.all():
            raise ValueError("expected the first reset to be of all games; call reset() without a reset_mask first")

    def step(self, actions: NDArray[Any]) -> StepResult:
        """Play one action in every game; return observations, rewards, terminations, truncations and infos.

        Raises ResetNeeded before the first `reset`, ValueError for finished rows in autoreset mode `DISABLED`.
        """
        if not self._started:
            raise gymnasium.error.ResetNeeded("expected reset() before the first step()")
        self._refuse_when_closed("step")
        self._refuse_while_pending("step")
        return self._play(actions)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Begin to play one action in every game, in another thread; `step_wait` returns the results.

        Raises ResetNeeded before the first `reset`, AlreadyPendingCallError where a step is being played.
        """
        if not self._started:
            raise gymnasium.error.ResetNeeded("expected reset() before the first step_async()")
        self._refuse_when_closed("step_async")
        self._refuse_while_pending("step_async")
        self._pending = _pool().submit(self._play, np.array(actions))

    def step_wait(self, timeout: float | None = None) -> StepResult:
        """Return the results of the step that `step_async` began, or raise what it raised.

        Raises NoAsyncCallError without one, TimeoutError if it is not played after so many seconds.
        """
        if self._pending is None:
            raise gymnasium.error.NoAsyncCallError("expected step_async() before step_wait()", "step")
        try:
            return self._pending.result(timeout)
        finally:
            if self._pending.done():
                self._pending = None

    def _refuse_when_closed(self, call: str) -> None:
        """Raise ClosedEnvironmentError once the environment is closed."""
        if self.closed:
            raise gymnasium.error.ClosedEnvironmentError(f"expected {call}() before close(); make another environment")

    def _refuse_while_pending(self, call: str) -> None:
        """Raise AlreadyPendingCallError while a step of `step_async` waits to be collected."""
        if self._pending is not None:
            raise gymnasium.error.AlreadyPendingCallError(f"expected step_wait() before {call}()", "step")

    def _play(self, actions: NDArray[Any]) -> StepResult:
        """Play one action in every game that is not over, begin the others anew, and return the five results."""
        batch = self.batch
        finished = batch.ended > _RUNNING
        if np.count_nonzero(finished):  # a tenth of the time of `any`
            if self.autoreset_mode == AutoresetMode.DISABLED:
                raise ValueError(
                    f"expected every game to be running, got finished ones in rows {np.flatnonzero(finished)}; "
                    'reset them with reset(options={"reset_mask": terminations | truncations})'
                )
            self._decide(actions, ~finished)
            batch.start(finished)
            return self._outcome(~finished)
        self._decide(actions, self._all)
        return self._outcome(self._all)

    def _decide(self, actions: NDArray[Any], rows: NDArray[np.bool_]) -> None:
        """Play one action in each of the rows (N,)."""
        self.batch.step(actions, None if rows is self._all else rows)

    def _observe(self) -> NDArray[Any]:
        """Return what the learners see, (N, V)."""
        seen = self.view(self.batch.observations)
        if self.out is None:
            return seen
        np.copyto(self.out, seen)
        return self.out

    def _observe_rows(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Return what the learners of some rows see, (n, V)."""
        return self.view(self.batch.observations[rows])

    def _masks(self) -> NDArray[np.int8]:
        """Return the masks of legal actions for a caller, int8 (N, A)."""
        return self.batch.shown(self.batch.masks)

    def _outcome(self, decided: NDArray[np.bool_]) -> StepResult:
        """Return the five results of a step with the rows (N,) whose action was played.

        In `SAME_STEP` mode finished rows are reset first.
        """
        batch = self.batch
        unshaped = batch.rewards.copy()
        rewards = unshaped + batch.shaped if batch.shaping else unshaped
        extra_infos = {"unshaped_reward": unshaped, "_unshaped_reward": self._all} if batch.shaping else {}
        terminations, truncations = batch.ended == _TERMINATED, batch.ended == _TRUNCATED
        finished = terminations | truncations
        if not np.count_nonzero(finished):
            return self._observe(), rewards, terminations, truncations, self._infos(self._all, decided) | extra_infos
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            infos = self._final_infos(finished)
            batch.start(finished)
        else:
            infos = {}
            if self.autoreset_mode == AutoresetMode.NEXT_STEP:
                batch.masks[finished] = 1
        observations = self._observe()
        infos |= self._infos(self._all, decided) | extra_infos
        return observations, rewards, terminations, truncations, infos

    def _infos(self, known: NDArray[np.bool_], decided: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the infos of all rows, with `known` (N,) as the ``_key`` companion of each."""
        batch = self.batch
        infos = {
            "decided": decided,
            "action_mask": self._masks(),
            "seat": batch.learners.astype(np.int64),
            "illegal": batch.shown(batch.illegal),
        }
        if self.everybody:
            infos |= {"rewards": batch.payoffs_at_end.copy(), "settled": batch.settled.copy()}
        if self.varied is not None:
            infos |= {"variant": batch.variant.copy()}
        return infos | {f"_{key}": known for key in infos}

    def _final_infos(self, finished: NDArray[np.bool_]) -> dict[str, Any]:
        """Return `final_obs` and `final_info` of the finished rows (N,), for `SAME_STEP` mode."""
        batch = self.batch
        rows = np.flatnonzero(finished)
        final = np.empty(self.num_envs, object)  # all None
        for row, observation in zip(rows, self._observe_rows(rows), strict=True):
            final[row] = observation
        info: dict[str, Any] = {
            "action_mask": np.zeros((self.num_envs, self._choices), np.int8),
            "seat": np.zeros(self.num_envs, np.int64),
            "illegal": np.zeros(self.num_envs, np.int32),
        }
        info["seat"][rows], info["illegal"][rows] = batch.learners[rows], batch.illegal[rows]
        if self.everybody:
            info |= {"rewards": batch.payoffs_at_end.copy(), "settled": batch.settled.copy()}
        if self.varied is not None:
            info |= {"variant": np.where(finished, batch.variant, 0)}
        info |= {f"_{key}": finished for key in info}
        return {"final_obs": final, "_final_obs": finished, "final_info": info, "_final_info": finished}

    def render(self) -> tuple[Any, ...] | None:
        """Render every game from its learner's view: a tuple of texts or uint8 arrays (height, width, 3)."""
        if self.render_mode is None:
            gymnasium.logger.warn("expected a render_mode to render; give it when making the environment")
            return None
        if not self._started:
            raise gymnasium.error.ResetNeeded("expected reset() before the first render()")
        learners = self.batch.learners
        return tuple(
            self._painter.render(state, int(seat)) for state, seat in zip(self.batch.states, learners, strict=True)
        )


def make(num_envs: int = 1, *, game: Game | str, **options: Any) -> GameVectorEnv:
    """Make N games by name; options are those of `GameVectorEnv` and of the game itself."""
    return GameVectorEnv(registry.game_of(game), num_envs, **options)
