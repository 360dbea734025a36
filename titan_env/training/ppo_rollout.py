"""The rollouts of proximal policy optimisation: decisions of every seat in many games, with rewards and values."""

from __future__ import annotations

import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env import agents
from titan_env.agents.delegate import load_delegated
from titan_env.agents.score_features import QUANTIZED_ONE, Adviser, input_size
from titan_env.contract import MOST_SEATS, Game, Status
from titan_env.engine.batch import Snapshot
from titan_env.engine.devices import Device
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.match import sides_of
from titan_env.extras import extra
from titan_env.play.agent_calls import needs_of
from titan_env.play.batch_tensors import BatchTensors
from titan_env.play.delegation import Delegation
from titan_env.play.determinization import agent_rng
from titan_env.play.torch_devices import device_of
from titan_env.play.transitions import Transitions
from titan_env.training.checkpoints import records_as_tensors, records_of_tensors
from titan_env.training.network import PolicyNetwork, quick_dtype, quick_precision
from titan_env.training.network_inputs import NetworkInputs
from titan_env.training.ppo_config import Config
from titan_env.training.random_numbers import RandomNumbers

with extra("training"):
    import torch

_EARLIEST = 1e-30  # an arrival at 0 would have no logarithm
LEARNER = 0  # in `RolloutBuffer.players`: a learning seat; k: one played by the k-th of the others
DELEGATED = -1  # instead, in one decision: an agent answers it, and nothing is learned from it


def teacher_of(config: Config, game: Game) -> Any:
    """Return the teacher, None without one. Raises ValueError for one that plans, which would be too slow."""
    teacher = agents.load(config.teacher, game) if config.teacher else None
    if needs_of(teacher).plans:
        raise ValueError(f"expected a teacher that answers at once, got {config.teacher!r}, which plans")
    return teacher


class RolloutBuffer:
    """Many games and their decisions: tensors (steps, games) of all that learning needs, on the network's device.

    The games are played on the device `games`. Where they are on a GPU and every seat learns without an adviser, a
    rollout waits for it at its end only. Agents and advisers answer on the processor: the rows that they are asked
    about are sent there in each step. Observations are stored as the game counts, in integers if it has them; `seen`
    converts them for the network.
    """

    def __init__(
        self,
        game: Game,
        config: Config,
        rng: np.random.Generator,
        adviser: Adviser | None = None,
        device: str = "cpu",
        games: str | Device = "cpu",
    ) -> None:
        shape = (config.num_steps, config.num_envs)
        self.game, self.config, self.rng, self.device = game, config, rng, device
        self.others_rng = agent_rng(config.seed)
        self.random_numbers = RandomNumbers(rng, device)
        templates = np.concatenate([GameSetup.of(game, options).template for options in config.dealt()])
        whole = game.rules.fields.whole
        threads = torch.get_num_threads()
        place = device_of(game, games, threads)
        self.batch = BatchTensors(game, config.num_envs, templates.view(np.recarray), place, whole=whole)
        self.scripted: list[Any] = []
        self.past: list[PolicyNetwork] = []
        self.delegation = Delegation(game, load_delegated(game, config.delegate))
        self.teacher, self.adviser = teacher_of(config, game), adviser
        self._pool = ThreadPoolExecutor(threads)
        self.players = np.zeros((config.num_envs, MOST_SEATS), np.int64)
        kept = self.batch.observations.dtype if whole else torch.bfloat16
        factors = np.full(input_size(game, adviser is not None), 1 / QUANTIZED_ONE)
        factors[: game.rules.fields.size] = game.rules.fields.to_float(np.ones(game.rules.fields.size, np.int64))
        self._factors = torch.from_numpy(factors).to(device, quick_dtype(torch.device(device).type))
        self.observations = torch.zeros((*shape, len(factors)), dtype=kept, device=device)
        self.masks = torch.zeros((*shape, len(game.rules.actions)), dtype=torch.bool, device=device)
        self.inputs = NetworkInputs(self.observations.flatten(0, 1), self.masks.flatten(0, 1), self._factors)
        self.seats = torch.zeros(shape, dtype=torch.int64, device=device)
        self.actions = torch.zeros(shape, dtype=torch.int64, device=device)
        self.taught: torch.Tensor | None = None  # the teacher's actions, while it teaches
        self.log_probs = torch.zeros(shape, device=device)  # log-probabilities
        self.values = torch.zeros(shape, device=device)
        self.outlooks = torch.zeros(shape, device=device)  # bootstrap values of decisions incomplete at the end
        self.links = Transitions(*shape, device=device)
        self.ended = torch.zeros(2, dtype=torch.int64, device=device)  # games in this rollout, and their decisions
        self._every_row = torch.arange(config.num_envs, device=device)
        self._all_taken = self.batch.every_row.to(device)
        self.env_seconds = 0.0
        self.begin()

    def begin(self) -> None:
        """Begin a new game in every row, with new random streams."""
        self.batch.reseed_from(self.rng)
        self.batch.start(self.batch.every_row)
        self.reseat(np.ones(self.config.num_envs, np.bool_))

    def state(self) -> dict[str, Any]:
        """Return all that play goes on from between two rollouts, as tensors and numbers."""
        records = records_as_tensors(self.batch.snapshot())
        generators = (self.rng.bit_generator.state, self.others_rng.bit_generator.state)
        return {**records, "players": torch.from_numpy(self.players.copy()), "generators": generators}

    def restore(self, saved: dict[str, Any]) -> None:
        """Go on from a `state` of a run with the same settings, on any device. Raises an error for any other."""
        self.batch.restore(Snapshot(**records_of_tensors(saved, self.game)))
        self.players[:] = saved["players"].numpy()
        self.rng.bit_generator.state, self.others_rng.bit_generator.state = saved["generators"]

    @property
    def number_of_others(self) -> int:
        """The number of players beside the learner."""
        return len(self.scripted) + len(self.past)

    def mean_length(self) -> float | None:
        """Return the mean length of the games that have ended in this rollout, in decisions; None without any."""
        games, decisions = self.ended.tolist()
        return decisions / games if games else None

    def reseat(self, rows: NDArray[np.bool_]) -> None:
        """Choose the players of new games: learners only, or one of the others for some of the sides."""
        self.players[rows] = LEARNER
        if self.number_of_others:
            mixed = np.flatnonzero(rows & (self.rng.random(len(rows)) < self.config.others))
            who = self.rng.integers(1, self.number_of_others + 1, len(rows))
            taken = self.rng.random(self.players.shape) < 0.5  # by side
            taken[np.arange(len(rows)), self.rng.integers(0, 2, len(rows))] = False  # somebody learns
            if len(mixed):
                sides = sides_of(self.game, self.batch.received_states(mixed))
                self.players[mixed, : sides.shape[1]] = np.take_along_axis(taken[mixed], sides, 1) * who[mixed, None]

    def play(self, network: PolicyNetwork, taught: bool = False) -> None:
        """Play on until every (step, game) is filled; with `taught`, ask the teacher too."""
        self.links.clear()
        self.ended.zero_()
        self.random_numbers.begin()
        with torch.no_grad(), quick_precision(network.device.type):
            for step in range(self.config.num_steps):
                self.seats[step].copy_(self.batch.field("seat"))
                self.observations[step, :, : self.game.rules.fields.size].copy_(self.batch.observations)
                self.masks[step].copy_(self.batch.masks)
                actions, taken = self._decide(network, step)
                began = time.perf_counter()
                self.batch.step(actions.to(self.batch.device.name))
                self._settle(step, taken)
                if self.batch.device.name == "cpu":  # a GPU is not waited for
                    self.env_seconds += time.perf_counter() - began
            self._look_ahead(network)
        self.taught = self._lessons() if taught else None

    def _decide(self, network: PolicyNetwork, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the action of each game, int64 (N,), and which of them are the learner's, bool (N,)."""
        if not self.number_of_others and not self.delegation:
            return self._learner_acts(network, step, self._every_row), self._all_taken
        seats = self.seats[step].cpu().numpy()
        player = self.players[np.arange(len(seats)), seats]
        actions = np.zeros(len(seats), np.int64)
        if self.delegation:
            is_network = (player == LEARNER) | (player > len(self.scripted))
            for agent, own in self.delegation.parts(self.batch.field("ask").cpu().numpy(), is_network):
                actions[own] = self._ask(agent, np.flatnonzero(own))
                player[own] = DELEGATED
        for number, agent in enumerate(self.scripted, 1):
            rows = np.flatnonzero(player == number)
            if len(rows):
                actions[rows] = self._ask(agent, rows)
        chosen = torch.from_numpy(actions).to(self.device)
        learns = player == LEARNER
        at = torch.from_numpy(np.flatnonzero(learns)).to(self.device)
        if len(at):
            chosen[at] = self._learner_acts(network, step, at)
        for number, past in enumerate(self.past, 1 + len(self.scripted)):
            at = torch.from_numpy(np.flatnonzero(player == number)).to(self.device)
            if len(at):
                chosen[at] = self._sample(past, step, at)[0]
        return chosen, torch.from_numpy(learns).to(self.device)

    def _ask(self, agent: Any, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return an agent's actions in these games, int64 (B,). Raises IllegalAction for one that the rules forbid."""
        at = torch.from_numpy(rows).to(self.batch.device.name)
        return self.batch.ask_agent(agent, at, self.others_rng)

    def _sample(
        self, network: PolicyNetwork, step: int, rows: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Sample a network's action for each of these games (B,); return log-probabilities (B, A) and values too."""
        if self.adviser:
            advice = torch.from_numpy(self._advice(*self.batch.received_views(rows.to(self.batch.device.name))))
            self.observations[step, rows, self.game.rules.fields.size :] = advice.to(self.observations)
        logits, values = network(*self.inputs.of(step * self.config.num_envs + rows))
        log_probs = torch.log_softmax(logits, 1)
        race = self.random_numbers.exponential(log_probs.shape)
        return (log_probs - race.clamp_(min=_EARLIEST).log_()).argmax(1), log_probs, values  # the noise is Gumbel's

    def _learner_acts(self, network: PolicyNetwork, step: int, rows: torch.Tensor) -> torch.Tensor:
        """Sample an action for each of these games (B,), and store all that learning needs."""
        actions, log_probs, values = self._sample(network, step, rows)
        self.actions[step, rows] = actions
        self.log_probs[step, rows] = log_probs.gather(1, actions[:, None])[:, 0]
        self.values[step, rows] = values
        return actions

    def _advice(self, views: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
        """Return the adviser's scores of actions (B, A), as the observations count; (B, 0) without an adviser.

        The adviser is called on as many threads as torch has.
        """
        adviser, fields = self.adviser, self.game.rules.fields
        if adviser is None:
            return views[:, :0]

        def scores(part: slice) -> NDArray[Any]:
            if not fields.whole:
                return adviser.advice(views[part], masks[part])
            return adviser.quantized(fields.to_float(views[part]), masks[part]).astype(views.dtype)

        ends = np.linspace(0, len(views), torch.get_num_threads() + 1, dtype=np.int64)
        parts = itertools.starmap(slice, itertools.pairwise(ends))
        return np.concatenate(list(self._pool.map(scores, parts)))

    def learning_inputs(self) -> NetworkInputs:
        """Return the inputs of all decisions, numbered step by step, without unused columns."""
        return self.inputs.compact(last=len(self._factors) - self.game.rules.fields.size)

    def seen(self, observations: torch.Tensor) -> torch.Tensor:
        """Convert observations to the network's input: fractions, on its device, in the precision of `quick_dtype`."""
        fractions = observations.to(self._factors)
        return fractions * self._factors if self.game.rules.fields.whole else fractions

    def _settle(self, step: int, taken: torch.Tensor) -> None:
        """Pay the seats whose own game has ended, and begin a new game in finished rows.

        A seat that was paid before has no decision left that `Transitions` could pay.
        """
        status = self.batch.field("over")
        over, truncated = status != 0, (status == int(Status.TRUNCATED)).to(self.device)
        settled = (over[:, None] | (self.batch.field("out") != 0)).to(self.device)
        payoffs = torch.where(settled, self.payoffs(), 0)
        ends = over.to(self.device)
        self.links.add(self.seats[step], payoffs, ends & ~truncated, truncated, taken, settled)
        lengths = torch.where(over, self.batch.field("decisions"), 0)
        self.ended += torch.stack((over.sum(), lengths.sum())).to(self.device)
        self.batch.start(over)
        if self.number_of_others and bool(over.any()):
            self.reseat(over.cpu().numpy())

    def payoffs(self) -> torch.Tensor:
        """Return the payoff of each seat, (N, MOST_SEATS), in games that are over."""
        return self.batch.payoffs(self.config.reward).to(self.device)

    def _look_ahead(self, network: PolicyNetwork) -> None:
        """Compute the bootstrap values of incomplete decisions: the value of their seats' current observations."""
        self.outlooks.zero_()
        step, row = self.links.waiting.nonzero(as_tuple=True)
        seat, last = self.seats[step, row], self.batch.field("seats").to(torch.int64) - 1
        views = self.batch.observations.new_empty((len(row), self.game.rules.fields.size), device=self.device)
        for number in range(MOST_SEATS):
            own = (seat == number).nonzero()[:, 0]
            views[own] = self.batch.observe(last.clamp(max=number)).to(views)[row[own]]
        masks = torch.ones((len(row), len(self.game.rules.actions)), dtype=torch.bool, device=self.device)
        if self.adviser:
            advice = self._advice(views.cpu().numpy(), masks.cpu().numpy())
            views = torch.cat([views, torch.from_numpy(advice).to(views)], 1)
        self.outlooks[step, row] = network(self.seen(views), masks)[1]

    def _lessons(self) -> torch.Tensor:
        """Return the teacher's action for each decision of the network, int64 (steps, games).

        Other decisions, and those without a choice, get a legal action. Each step has a generator of its own, so the
        result does not depend on threads.
        """
        observations, every_mask = self.observations.cpu(), self.masks.cpu()
        taught = every_mask.to(torch.uint8).argmax(dim=2).numpy()
        asked = (self.links.taken.cpu() & (every_mask.sum(dim=2) > 1)).numpy()
        seeds = self.others_rng.integers(2**63, size=len(taught))

        def teach(step: int) -> None:
            rows = np.flatnonzero(asked[step])
            if len(rows):
                views = observations[step, rows, : self.game.rules.fields.size]
                masks = every_mask[step, rows].to(torch.int8)
                fractions = (
                    self.game.rules.fields.to_float(views.numpy())
                    if self.game.rules.fields.whole
                    else views.float().numpy()
                )
                taught[step, rows] = self.teacher(fractions, masks.numpy(), agent_rng(int(seeds[step])))

        list(self._pool.map(teach, range(len(taught))))
        return torch.from_numpy(taught).to(self.device)

    def advantages(self, trace: float) -> torch.Tensor:
        """Compute the generalised advantage estimates with lambda `trace`, along each seat's own decisions."""
        discount, links, every = self.config.gamma, self.links, self._every_row
        found = torch.zeros_like(self.values)
        for step in reversed(range(self.config.num_steps)):
            follows = links.next[step]
            linked = follows >= 0
            onward = torch.where(linked, self.values[follows, every], self.outlooks[step])
            later = torch.where(linked, found[follows, every], 0)
            surprise = links.rewards[step] + discount * onward - self.values[step]
            found[step] = surprise + discount * trace * later
        return found
