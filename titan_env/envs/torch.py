"""N games as tensors of torch, on a GPU of NVIDIA or on the processor, with the names of `GameVectorEnv`.

    env = titan_env.GameTorchEnv(game, 4096, device="cuda")
    observations, infos = env.reset(seed=1)
    observations, rewards, terminations, truncations, infos = env.step(env.batch.sample())

The kernels are compiled from the functions that the processor runs. No GPU was at hand where this was written: on
``device="cuda"`` the launch by NVIDIA's driver has never run, and no speed is known. The rest has: tests run the very
kernels on the processor, thread by thread, and find states, luck, masks, observations and rewards byte for byte those
of `GameVectorEnv`. ``device="cpu"`` plays by the loops of the processor, without a copy between NumPy and torch.
Needs the extra ``training``, and ``cuda`` for a GPU with a CUDA build of torch.
"""

from __future__ import annotations

from typing import Any, TypeAlias, Unpack

import gymnasium
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from titan_env import registry
from titan_env.agents import load
from titan_env.contract import Game, Status
from titan_env.contract.options import brief
from titan_env.engine.batch import MOST_ROWS, Batch
from titan_env.engine.devices import Device
from titan_env.engine.illegal_actions import illegal_action_error
from titan_env.engine.validation import check_bool, check_choice, check_integer
from titan_env.envs.environment_options import EnvironmentSetup, TorchOptions, show_keywords
from titan_env.envs.spaces import METADATA, action_space, observation_space
from titan_env.envs.vector import FACES, autoreset_mode
from titan_env.extras import extra
from titan_env.game_options import GameOptions
from titan_env.play.learner_batch import ON_ILLEGAL
from titan_env.play.learner_loops import OpponentMode
from titan_env.play.learner_tensors import LearnerTensors, NumpyAgent
from titan_env.play.torch_devices import device_of

with extra("training"):
    import torch

StepResult: TypeAlias = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, dict[str, Any]]
"""Observations, rewards, terminations, truncations and infos."""


class _Options(TorchOptions, GameOptions, total=False):
    """Keywords of `GameTorchEnv` and of the games."""


class GameTorchEnv(VectorEnv[torch.Tensor, torch.Tensor, torch.Tensor]):
    """N games of one kind as tensors on a `device`: "cpu", "cuda", "cuda:1", or a `Device` of one's own.

    All is as in `GameVectorEnv`, row by row: `seats`, rewards, infos, autoreset modes and seeds. `step` takes actions
    (N,) int64 on the device and does not wait for it, unless policies or agents are asked. So errors wait, too: in mode
    `DISABLED` a finished row stays as it is, and with ``on_illegal="raise"`` so does one with an illegal action, until
    `raise_illegal` is asked. In mode `SAME_STEP` ``infos["final_obs"]`` (N, V) and ``infos["final_info"]`` are tensors
    of all rows, and ``infos["_final_obs"]`` marks those that have ended.

    Work is queued on torch's current stream: use one stream. Without `copy` the next step overwrites what this one
    returned. Other libraries take the tensors by DLPack. `to_host` returns rows as a `Batch`.
    """

    metadata = METADATA

    @show_keywords(TorchOptions)
    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        device: str | torch.device | Device = "cpu",
        **options: Unpack[_Options],
    ) -> None:
        setup = EnvironmentSetup(game, options, GameTorchEnv, load=_player)
        keywords, play = setup.keywords, setup.batch_keywords()
        self.game, self.view, self._usual = setup.game, setup.view, setup.usual
        self.varied = setup.usual.varied
        self.num_envs = check_integer("num_envs", num_envs, 1, MOST_ROWS)
        check_choice("on_illegal", keywords["on_illegal"], ON_ILLEGAL)
        self._copy = check_bool("copy", play.pop("copy"))
        self.everybody = check_choice("seats", keywords["seats"], FACES) == "all"
        if self.everybody:
            if play["seat"] is not None or play["opponents"] != "random":
                raise ValueError('expected neither seat nor opponents with seats="all", got them')
            play["opponents"] = OpponentMode.NOBODY
        self.autoreset_mode = autoreset_mode(keywords["autoreset_mode"])
        self.metadata = {**METADATA, "render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.device = device_of(self.game, device)
        self.batch = LearnerTensors(self.game, self.num_envs, self._usual.template, self.device, **play)
        self._columns = None if self.view.is_plain else torch.tensor(self.view.columns, device=self.device.name)
        self.single_action_space = action_space(self.game)
        self.single_observation_space = observation_space(self.view.layout, self.view.whole)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._started = False

    def reset(  # type: ignore[override]
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[torch.Tensor, dict[str, Any]]:
        """Begin new games with the seeds ``seed, seed + 1, ...``, or a list of seeds.

        Without a seed the rows' random streams go on. With ``options={"reset_mask": mask}``, bool (N,), only the rows
        of the mask are reset.
        """
        template = self._usual.of_episode(options)  # is refused before anything has changed
        chosen = self._chosen(options)
        self.batch.reseed(seed, chosen)
        if self.varied is None:
            self.batch.set_templates(template, chosen)
        self.batch.payoffs_at_end.zero_()
        self.batch.decided = torch.zeros_like(chosen)
        self.batch.start(chosen)
        self._started = True
        return self._observe(), self._infos(chosen)

    def _chosen(self, options: Any) -> torch.Tensor:
        """Return the rows to reset, bool (N,). Raises TypeError or ValueError for an invalid mask."""
        every = self.batch.every_row
        if options is None or "reset_mask" not in options:
            return every
        mask = torch.as_tensor(options["reset_mask"], device=self.device.name)
        if mask.dtype != torch.bool or mask.shape != every.shape or not bool(mask.any()):
            raise ValueError(
                f"expected options['reset_mask'] to be bool ({self.num_envs},) with a True in it, got {brief(mask)}"
            )
        if not self._started and not bool(mask.all()):
            raise ValueError("expected the first reset to be of all games; call reset() without a reset_mask first")
        return mask.clone()

    def step(self, actions: torch.Tensor) -> StepResult:
        """Play one action in every game; return observations, rewards, terminations, truncations and infos.

        Raises ResetNeeded before the first `reset`, TypeError or ValueError unless actions are integers (N,) on the
        device.
        """
        if not self._started:
            raise gymnasium.error.ResetNeeded("expected reset() before the first step()")
        batch = self.batch
        numbers = self._action_numbers(actions)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            finished = batch.ended > int(Status.RUNNING)
            batch.step(numbers)
            batch.start(finished)
        else:
            batch.step(numbers)
        return self._outcome()

    def _action_numbers(self, actions: Any) -> torch.Tensor:
        """Return the actions as int64 (N,). Raises TypeError or ValueError for anything else."""
        expected = f"expected actions as a tensor of integers ({self.num_envs},) on {self.device.name}"
        if not isinstance(actions, torch.Tensor) or actions.dtype == torch.bool or actions.dtype.is_floating_point:
            raise TypeError(f"{expected}, got {getattr(actions, 'dtype', type(actions).__name__)}")
        if actions.shape != (self.num_envs,) or actions.device != self.batch.masks.device:
            raise ValueError(f"{expected}, got shape {tuple(actions.shape)} on {actions.device}")
        return actions.to(torch.int64).contiguous()

    def _outcome(self) -> StepResult:
        """Return the five results of a step; in `SAME_STEP` mode finished rows are reset first."""
        batch = self.batch
        unshaped = batch.rewards.clone()
        rewards = unshaped + batch.shaped if batch.shaping else unshaped
        extra_infos = {"unshaped_reward": unshaped, "_unshaped_reward": batch.every_row} if batch.shaping else {}
        terminations, truncations = batch.ended == int(Status.TERMINATED), batch.ended == int(Status.TRUNCATED)
        finished = terminations | truncations
        final: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            infos = self._infos(finished)
            del infos["decided"], infos["_decided"]
            final = {"final_obs": self._observe(copy=True), "_final_obs": finished}
            final |= {"final_info": {name: value.clone() for name, value in infos.items()}, "_final_info": finished}
            batch.start(finished)
        elif self.autoreset_mode == AutoresetMode.NEXT_STEP:
            batch.masks.masked_fill_(finished[:, None], 1)
        return self._observe(), rewards, terminations, truncations, final | self._infos(batch.every_row) | extra_infos

    def _observe(self, copy: bool = False) -> torch.Tensor:
        """Return what the learners see, (N, V)."""
        seen = self.batch.observations
        if self._columns is not None:
            kind: torch.dtype = getattr(torch, self.view.dtype.name)
            return seen[:, self._columns].to(kind)
        return seen.clone() if copy or self._copy else seen

    def _infos(self, known: torch.Tensor) -> dict[str, Any]:
        """Return the infos of all rows, with `known` (N,) as the ``_key`` companion of each."""
        batch = self.batch
        shown = {"action_mask": batch.masks, "illegal": batch.illegal}
        if self.everybody:
            shown |= {"rewards": batch.payoffs_at_end, "settled": batch.settled}
        infos = {name: tensor.clone() if self._copy else tensor for name, tensor in shown.items()}
        infos |= {"decided": batch.decided, "seat": batch.learners.to(torch.int64)}
        if self.varied is not None:
            infos["variant"] = batch.variant
        return infos | {f"_{key}": known for key in infos}

    def raise_illegal(self) -> None:
        """Raise IllegalAction for the first row with an illegal action that was not played since it was last asked."""
        found = self.batch.first_refused()
        if found is not None:
            row, action = found
            batch = self.to_host([row])
            raise illegal_action_error(self.game, batch.states[0], action, batch.masks[0], row)

    def to_host(self, rows: Any = slice(None)) -> Batch:
        """Return a `Batch` of copies of these rows, by index or mask, for pictures, records, agents and search."""
        return self.batch.to_host(rows)


def _player(player: Any, game: Game) -> Any:
    """Return a policy itself, or the agent of a name. Raises TypeError for others."""
    if isinstance(player, str):
        return NumpyAgent(load(player, game))
    if not callable(player):
        raise TypeError(
            f"expected a policy(observations, masks) of tensors or the name of an agent, got {brief(player)}"
        )
    return player


def make(num_envs: int = 1, *, game: Game | str, **options: Any) -> GameTorchEnv:
    """Make N games by name; options are those of `GameTorchEnv` and of the game itself."""
    return GameTorchEnv(registry.game_of(game), num_envs, **options)
