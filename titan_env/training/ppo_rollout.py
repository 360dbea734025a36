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
from titan_env.compiler.record_copies import take_records
from titan_env.contract import MOST_SEATS, Game, Status
from titan_env.engine.batch import Batch, Snapshot
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.match import sides_of
from titan_env.extras import extra
from titan_env.play.agent_calls import ask_in_batch, needs_of
from titan_env.play.delegation import Delegation
from titan_env.play.determinization import agent_rng
from titan_env.play.transitions import Transitions
from titan_env.training.network import PolicyNetwork, quick_dtype, quick_precision
from titan_env.training.network_inputs import NetworkInputs
from titan_env.training.ppo_config import Config

with extra("training"):
    import torch

_EARLIEST = 1e-30  # an arrival at 0 would have no logarithm
LEARNER = 0  # in `RolloutBuffer.players`: a learning seat; k: one played by the k-th of the others
_RECORDS = ("states", "luck", "choices", "templates")  # of a batch, all of its future depends on
DELEGATED = -1  # instead, in one decision: an agent answers it, and nothing is learned from it


def teacher_of(config: Config, game: Game) -> Any:
    """Return the teacher, None without one. Raises ValueError for one that plans, which would be too slow."""
    teacher = agents.load(config.teacher, game) if config.teacher else None
    if needs_of(teacher).plans:
        raise ValueError(f"expected a teacher that answers at once, got {config.teacher!r}, which plans")
    return teacher


class RolloutBuffer:
    """Many games and their decisions: arrays (steps, games) of all that learning needs.

    Observations are stored as the game counts, in integers if it has them; `seen` converts them for the network. They
    and the masks are on the network's device, all else is on the CPU.
    """

    def __init__(
        self,
        game: Game,
        config: Config,
        rng: np.random.Generator,
        adviser: Adviser | None = None,
        device: str = "cpu",
    ) -> None:
        shape = (config.num_steps, config.num_envs)
        self.game, self.config, self.rng = game, config, rng
        self.others_rng = agent_rng(config.seed)
        templates = np.concatenate([GameSetup.of(game, options).template for options in config.dealt()])
        whole = game.rules.fields.whole
        threads = torch.get_num_threads()
        self.batch = Batch(game, config.num_envs, templates=templates.view(np.recarray), whole=whole, threads=threads)
        self.others: list[Any] = []
        self.delegation = Delegation(game, load_delegated(game, config.delegate))
        self.teacher, self.adviser = teacher_of(config, game), adviser
        self._pool = ThreadPoolExecutor(threads)
        self.players = np.zeros((config.num_envs, MOST_SEATS), np.int64)
        kept = torch.from_numpy(self.batch.observations).dtype if whole else torch.bfloat16
        factors = np.full(input_size(game, adviser is not None), 1 / QUANTIZED_ONE)
        factors[: game.rules.fields.size] = game.rules.fields.to_float(np.ones(game.rules.fields.size, np.int64))
        self._factors = torch.from_numpy(factors).to(device, quick_dtype(torch.device(device).type))
        self.observations = torch.zeros((*shape, len(factors)), dtype=kept, device=device)
        self.masks = torch.zeros((*shape, len(game.rules.actions)), dtype=torch.bool, device=device)
        self.inputs = NetworkInputs(self.observations.flatten(0, 1), self.masks.flatten(0, 1), self._factors)
        self.seats = np.zeros(shape, np.int64)
        self.actions = np.zeros(shape, np.int64)
        self.taught: NDArray[np.int64] | None = None  # the teacher's actions, while it teaches
        self.log_probs = np.zeros(shape, np.float32)  # log-probabilities
        self.values = np.zeros(shape, np.float32)
        self.outlooks = np.zeros(shape, np.float32)  # bootstrap values of decisions that are incomplete at the end
        self.links = Transitions(*shape)
        self.lengths: list[int] = []  # of the games that have ended in this rollout, in decisions
        self.env_seconds = 0.0
        self.begin()

    def begin(self) -> None:
        """Begin a new game in every row, with new random streams."""
        self.batch.reseed_from(self.rng)
        self.batch.start()
        self.reseat(np.ones(self.config.num_envs, np.bool_))

    def state(self) -> dict[str, Any]:
        """Return all that play goes on from between two rollouts, as tensors and numbers."""
        snapshot = self.batch.snapshot()
        records = {name: torch.frombuffer(bytearray(getattr(snapshot, name)), dtype=torch.uint8) for name in _RECORDS}
        generators = (self.rng.bit_generator.state, self.others_rng.bit_generator.state)
        return {**records, "players": torch.from_numpy(self.players.copy()), "generators": generators}

    def restore(self, saved: dict[str, Any]) -> None:
        """Go on from a `state` of a run with the same settings. Raises an error for any other."""
        records: dict[str, Any] = {
            name: np.frombuffer(saved[name].numpy().tobytes(), getattr(self.batch, name).dtype).view(np.recarray)
            for name in _RECORDS
        }
        self.batch.restore(Snapshot(**records))
        self.players[:] = saved["players"].numpy()
        self.rng.bit_generator.state, self.others_rng.bit_generator.state = saved["generators"]

    def reseat(self, rows: NDArray[np.bool_]) -> None:
        """Choose the players of new games: learners only, or one of the others for some of the sides."""
        self.players[rows] = LEARNER
        if self.others:
            mixed = np.flatnonzero(rows & (self.rng.random(len(rows)) < self.config.others))
            who = self.rng.integers(1, len(self.others) + 1, len(rows))
            taken = self.rng.random(self.players.shape) < 0.5  # by side
            taken[np.arange(len(rows)), self.rng.integers(0, 2, len(rows))] = False  # somebody learns
            if len(mixed):
                sides = sides_of(self.game, take_records(self.batch.states, mixed))
                self.players[mixed, : sides.shape[1]] = np.take_along_axis(taken[mixed], sides, 1) * who[mixed, None]

    def play(self, network: PolicyNetwork, taught: bool = False) -> None:
        """Play on until every (step, game) is filled; with `taught`, ask the teacher too."""
        self.links.clear()
        self.lengths.clear()
        every = np.arange(self.config.num_envs)
        for step in range(self.config.num_steps):
            self.seats[step] = self.batch.states["seat"]
            player = self.players[every, self.seats[step]]
            actions = np.zeros(self.config.num_envs, np.int64)
            asks = self.batch.states["ask"]
            for agent, own in self.delegation.parts(asks, player == LEARNER):
                actions[own] = ask_in_batch(agent, self.batch, np.flatnonzero(own), self.others_rng).actions
                player[own] = DELEGATED
            learning = np.flatnonzero(player == LEARNER)
            if len(learning):
                actions[learning] = self._learner_acts(network, step, learning)
            for number, other in enumerate(self.others, 1):
                rows = np.flatnonzero(player == number)
                if len(rows):
                    actions[rows] = ask_in_batch(other, self.batch, rows, self.others_rng).actions
            began = time.perf_counter()
            self.batch.step(actions)
            self._settle(step, taken=player == LEARNER)
            self.env_seconds += time.perf_counter() - began
        self._look_ahead(network)
        self.taught = self._lessons() if taught else None

    def _learner_acts(self, network: PolicyNetwork, step: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sample an action for each of these games, and store all that learning needs."""
        at = torch.from_numpy(rows).to(self.masks.device)
        seen = self.game.rules.fields.size
        self.observations[step, :, :seen].copy_(torch.from_numpy(self.batch.observations))
        self.masks[step].copy_(torch.from_numpy(self.batch.masks))
        if self.adviser:
            advice = torch.from_numpy(self._advice(self.batch.observations[rows], self.batch.masks[rows]))
            self.observations[step, at, seen:] = advice.to(self.observations)
        with torch.no_grad(), quick_precision(network.device.type):
            logits, values = network(*self.inputs.of(step * self.config.num_envs + at))
        log_probs = torch.log_softmax(logits, 1)
        race = torch.from_numpy(self.rng.standard_exponential(log_probs.shape, np.float32)).to(log_probs)
        actions = (log_probs - race.clamp_(min=_EARLIEST).log_()).argmax(1)  # the noise is Gumbel's
        self.actions[step, rows] = actions.cpu().numpy()
        self.log_probs[step, rows] = log_probs.gather(1, actions[:, None])[:, 0].cpu().numpy()
        self.values[step, rows] = values.cpu().numpy()
        return self.actions[step, rows]

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

    def _settle(self, step: int, taken: NDArray[np.bool_]) -> None:
        """Pay the seats whose own game has ended, and begin a new game in finished rows.

        A seat that was paid before has no decision left that `Transitions` could pay.
        """
        over = self.batch.over
        truncated = self.batch.states["over"] == Status.TRUNCATED
        settled = over[:, None] | (self.batch.states["out"] != 0)
        payoffs = np.where(settled, self.payoffs(), 0)
        self.links.add(self.seats[step], payoffs, over & ~truncated, truncated, taken, settled)
        if over.any():
            self.lengths += self.batch.states["decisions"][over].tolist()
            self.batch.start(over)
            self.reseat(over)

    def payoffs(self) -> NDArray[np.float32]:
        """Return the payoff of each seat, (N, MOST_SEATS), in games that are over."""
        return self.batch.payoffs(self.config.reward)

    def _look_ahead(self, network: PolicyNetwork) -> None:
        """Compute the bootstrap values of incomplete decisions: the value of their seats' current observations."""
        self.outlooks[:] = 0
        step, row = np.nonzero(self.links.waiting)
        seat = self.seats[step, row]
        views = np.empty((len(row), self.game.rules.fields.size), self.batch.observations.dtype)
        for number in range(MOST_SEATS):
            fewer = np.minimum(number, self.batch.states["seats"] - 1)
            views[seat == number] = self.batch.observe(fewer)[row[seat == number]]
        masks = torch.ones((len(row), len(self.game.rules.actions)), dtype=torch.bool)
        with torch.no_grad(), quick_precision(network.device.type):
            inputs = np.concatenate([views, self._advice(views, masks.numpy())], axis=1)
            self.outlooks[step, row] = (
                network(self.seen(torch.from_numpy(inputs)), masks.to(self.masks))[1].cpu().numpy()
            )

    def _lessons(self) -> NDArray[np.int64]:
        """Return the teacher's action for each decision of the network, int64 (steps, games).

        Other decisions, and those without a choice, get a legal action. Each step has a generator of its own, so the
        result does not depend on threads.
        """
        observations, every_mask = self.observations.cpu(), self.masks.cpu()
        taught = every_mask.to(torch.uint8).argmax(dim=2).numpy()
        asked = self.links.taken & (every_mask.sum(dim=2) > 1).numpy()
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
        return taught

    def advantages(self, trace: float) -> NDArray[np.float32]:
        """Compute the generalised advantage estimates with lambda `trace`, along each seat's own decisions."""
        discount, links = self.config.gamma, self.links
        found = np.zeros(self.actions.shape, np.float32)
        every = np.arange(self.config.num_envs)
        for step in reversed(range(self.config.num_steps)):
            follows = links.next[step]
            linked = follows >= 0
            onward = np.where(linked, self.values[follows, every], self.outlooks[step])
            later = np.where(linked, found[follows, every], 0)
            surprise = links.rewards[step] + discount * onward - self.values[step]
            found[step] = surprise + discount * trace * later
        return found
