"""Data-parallel learning: processes that play games of their own and learn from all decisions together.

All of them hold the same weights. Every gradient is the sum over all processes, in the order of their numbers, so each
takes the same step, and the result depends on their number only. Process 0 is the user's: it starts the others, says
when to play and learn, sums what they write into shared memory, and asks for their states; they end with it.
"""

from __future__ import annotations

import atexit
import io
import os
import signal
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from titan_env import registry
from titan_env.compiler.forks import end_with_parent
from titan_env.contract import Game
from titan_env.extras import extra
from titan_env.training.network import PRECISION, quick_dtype
from titan_env.training.ppo_config import Config

with extra("training"):
    import torch
    from torch.multiprocessing import get_context

_SHARED_BYTES = 1 << 20  # of each process: longer tensors are summed in parts
_END = 5.0  # seconds that a lost process may take to end


class LostProcess(Exception):
    """A process of the run has ended before the run did."""


class Job(NamedTuple):
    """The facts that another process needs to take part in a run."""

    game: str
    config: Config
    out: Path
    device: str
    games: str
    threads: int
    precision: str
    """The dtype of networks' multiplications, as the user's process has measured it: all multiply alike."""


def share_of(config: Config, rank: int) -> Config:
    """Return the config of one process's games: an equal share of them, with a seed of its own.

    Raises ValueError for games that cannot be shared equally.
    """
    if config.processes == 1:
        return config
    games, rest = divmod(config.num_envs, config.processes)
    if rest or not games:
        raise ValueError(
            f"expected num_envs to be a multiple of processes, got {config.num_envs} games for {config.processes}"
        )
    seed = int(np.random.SeedSequence([config.seed, rank]).generate_state(1)[0]) if rank else config.seed
    return replace(config, num_envs=games, processes=1, seed=seed)


class Peers:
    """The processes of a run, as one of them deals with the others; a run of one process has none to deal with."""

    def __init__(self, job: Job, rank: int = 0) -> None:
        self.rank, self.size, self.resumes = rank, job.config.processes, False
        self._job = job
        self.others: list[Any] = []  # of process 0: the processes that it has started
        self._pipes: list[Any] = []  # of process 0: to each of the others; of another one: to process 0
        self._shared = torch.empty(0)
        self._gradients: torch.Tensor | None = None

    def connect(self, pipes: list[Any], shared: torch.Tensor) -> None:
        """Set the pipes to all others, or to process 0, and the memory that all share, uint8 (processes, bytes)."""
        self._pipes, self._shared = pipes, shared

    def play(self, seconds: float) -> None:
        """Have the other processes do one iteration, at so many seconds of learning; start them before the first."""
        self._tell(seconds)

    def states(self) -> list[bytes]:
        """Return the states of the other processes, in order; start them before the first call."""
        self._tell(None)
        try:
            return [pipe.recv_bytes() for pipe in self._pipes]
        except (EOFError, OSError):
            raise self._lost() from None

    def total(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the sum of numbers of this shape over all processes; without others the same tensor."""
        if self.size == 1:
            return numbers
        summed = numbers.detach().cpu().contiguous().clone()
        self._add_up(summed.view(-1))
        return summed.to(numbers.device)

    def _add_up(self, numbers: torch.Tensor) -> None:
        """Replace numbers (N,) by their sums over all processes, a part at a time."""
        shared = self._shared.view(numbers.dtype)
        try:
            for part in numbers.split(shared.shape[1]):
                self._add_up_part(part, shared[:, : len(part)])
        except (EOFError, OSError):
            raise self._lost() from None

    def _add_up_part(self, part: torch.Tensor, shared: torch.Tensor) -> None:
        """Replace numbers (N,) by their sums, by way of shared memory (processes, N).

        Process 0 writes into it once all others have written, hence have read the sums before these.
        """
        if self.rank:
            shared[self.rank] = part
            self._pipes[0].send_bytes(b"")
            self._pipes[0].recv_bytes()
            part.copy_(shared[0])
        else:
            for rank, pipe in enumerate(self._pipes, 1):
                pipe.recv_bytes()
                part += shared[rank]
            shared[0] = part
            for pipe in self._pipes:
                pipe.send_bytes(b"")

    def share_gradients(self, weights: list[torch.nn.Parameter]) -> None:
        """Set the gradients of weights to their sums over all processes."""
        if self.size == 1:
            return
        sizes = [one.numel() for one in weights]
        if self._gradients is None:
            self._gradients = torch.empty(sum(sizes))
        for one, own in zip(weights, self._gradients.split(sizes), strict=True):
            own.view_as(one).copy_(torch.zeros_like(one) if one.grad is None else one.grad)
        self._add_up(self._gradients)
        for one, summed in zip(weights, self._gradients.split(sizes), strict=True):
            one.grad = summed.view_as(one).to(one.device)

    def close(self) -> None:
        """End the other processes at once: what they hold is in the checkpoint."""
        atexit.unregister(self.close)
        for process, pipe in zip(self.others, self._pipes, strict=True):
            process.kill()
            process.join()
            pipe.close()
        self.others, self._pipes = [], []

    def _tell(self, order: float | None) -> None:
        if self.rank == 0 and self.size > 1:
            if not self.others:
                self._start()
            try:
                for pipe in self._pipes:
                    pipe.send(order)
            except OSError:
                raise self._lost() from None

    def _start(self) -> None:
        """Start the other processes and wait until they are there."""
        context = get_context("spawn")
        atexit.register(self.close)
        self.connect([], torch.zeros((self.size, _SHARED_BYTES), dtype=torch.uint8).share_memory_())
        for rank in range(1, self.size):
            ours, theirs = context.Pipe()
            arguments = (self._job, rank, self.resumes, theirs, self._shared)
            process = context.Process(target=_take_part, args=arguments, daemon=True)
            process.start()
            theirs.close()
            self.others.append(process)
            self._pipes.append(ours)
        try:
            for pipe in self._pipes:
                pipe.recv()
        except (EOFError, OSError):
            raise self._lost() from None

    def _lost(self) -> BaseException:
        """Return the error for a process that has ended; a process that is not the user's ends itself, in silence."""
        if self.rank:
            return SystemExit(1)
        for process in self.others:
            process.join(_END if process is self.others[-1] else 0.1)
        ended = [(rank, process.exitcode) for rank, process in enumerate(self.others, 1) if process.exitcode]
        which = " and ".join(f"process {rank} (exit code {code})" for rank, code in ended) or "one"
        self.close()
        return LostProcess(f"expected {self.size} processes until the end of the run, but {which} ended before")


ALONE = Peers(Job("", Config(), Path(), "cpu", "", 1, ""))
"""A run of one process."""


def _take_part(job: Job, rank: int, resumes: bool, pipe: Any, shared: torch.Tensor) -> None:
    """Play and learn as the user's process says, until it ends or ends this one."""
    from titan_env.training.ppo import Trainer

    end_with_parent(signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the user's process saves, and ends this one
    torch.set_num_threads(job.threads)
    os.environ[PRECISION] = job.precision
    peers = Peers(job, rank)
    trainer = Trainer(registry.load(job.game), job.config, job.out, job.device, peers, job.games)
    (trainer.resume if resumes else trainer.begin)()
    peers.connect([pipe], shared)
    pipe.send(True)
    with suppress(EOFError, OSError, FloatingPointError):  # the user's process has ended, or says it itself
        while True:
            seconds = pipe.recv()
            if seconds is None:
                state = io.BytesIO()
                torch.save(trainer.state(), state)
                pipe.send_bytes(state.getvalue())
            else:
                trainer.seconds = seconds
                trainer.iterate()


def job_of(game: Game, config: Config, out: Path, device: str, games: str = "") -> Job:
    """Return what other processes need to take part in a run; nothing is asked of the game in a run of one process."""
    if config.processes == 1:
        return Job("", config, out, device, games, torch.get_num_threads(), "")
    precision = str(quick_dtype(torch.device(device).type)).removeprefix("torch.")
    return Job(registry.address(game), config, out, device, games, torch.get_num_threads(), precision)
