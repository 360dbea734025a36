"""Data-parallel learning: processes that play games of their own and learn from all decisions together.

All of them hold the same weights. Every gradient is the sum over all processes (gloo's all-reduce), so each takes the
same step, and the result depends on their number only. Process 0 is the user's: it starts the others, says when to play
and learn, and asks for their states; they end with it.
"""

from __future__ import annotations

import atexit
import io
import os
import signal
import tempfile
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from multiprocessing import get_context
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
    import torch.distributed

_distributed: Any = torch.distributed  # its types lack what a group beside the global one takes
_LONGEST = timedelta(days=30)  # that a process may wait for the others, whose end it notices at once
_END = timedelta(seconds=5)


class LostProcess(Exception):
    """A process of the run has ended before the run did."""


class Job(NamedTuple):
    """The facts that another process needs to take part in a run."""

    game: str
    config: Config
    out: Path
    device: str
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
        self._group: Any = None
        self._others: list[tuple[Any, Any]] = []  # of process 0: each other one, and the pipe to it

    @property
    def others(self) -> list[Any]:
        """The other processes, where this one has started them."""
        return [process for process, _ in self._others]

    def connect(self, folder: str) -> None:
        """Meet the other processes by a file in a folder; return when all are there."""
        gloo, store = _distributed.ProcessGroupGloo, _distributed.FileStore(str(Path(folder) / "store"), self.size)
        options = gloo._Options()
        options._devices = [gloo.create_device(hostname="127.0.0.1")]
        options._timeout = _LONGEST
        self._group = gloo(store, self.rank, self.size, options)

    def play(self, seconds: float) -> None:
        """Have the other processes do one iteration, at so many seconds of learning; start them before the first."""
        self._tell(seconds)

    def states(self) -> list[bytes]:
        """Return the states of the other processes, in order; start them before the first call."""
        self._tell(None)
        try:
            return [pipe.recv_bytes() for _, pipe in self._others]
        except (EOFError, OSError):
            raise self._lost() from None

    def total(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the sum of numbers of this shape over all processes; without others the same tensor."""
        if self.size == 1:
            return numbers
        summed = numbers.detach().cpu().contiguous().clone()
        try:
            self._group.allreduce([summed]).wait()
        except RuntimeError:
            raise self._lost() from None
        return summed.to(numbers.device)

    def share_gradients(self, weights: list[torch.nn.Parameter]) -> None:
        """Set the gradients of weights to their sums over all processes."""
        if self.size == 1:
            return
        own = [torch.zeros_like(one) if one.grad is None else one.grad for one in weights]
        flat = self.total(torch.cat([gradient.flatten() for gradient in own]))
        for one, summed in zip(weights, flat.split([one.numel() for one in weights]), strict=True):
            one.grad = summed.view_as(one)

    def close(self) -> None:
        """End the other processes at once: what they hold is in the checkpoint."""
        atexit.unregister(self.close)
        for process, pipe in self._others:
            process.kill()
            process.join()
            pipe.close()
        self._others, self._group = [], None

    def _tell(self, order: float | None) -> None:
        if self.rank == 0 and self.size > 1:
            if not self._others:
                self._start()
            try:
                for _, pipe in self._others:
                    pipe.send(order)
            except OSError:
                raise self._lost() from None

    def _start(self) -> None:
        """Start the other processes and wait until they are there."""
        context = get_context("spawn")
        atexit.register(self.close)
        with tempfile.TemporaryDirectory() as folder:
            for rank in range(1, self.size):
                ours, theirs = context.Pipe()
                arguments = (self._job, rank, self.resumes, folder, theirs)
                process = context.Process(target=_take_part, args=arguments, daemon=True)
                process.start()
                theirs.close()
                self._others.append((process, ours))
            self._await_others()  # before the store: one that fell before it would be waited for in vain
            self.connect(folder)
            self._await_others()  # the folder stays until all have met in it

    def _await_others(self) -> None:
        """Wait for a word of each of the other processes."""
        try:
            for _, pipe in self._others:
                pipe.recv()
        except (EOFError, OSError):
            raise self._lost() from None

    def _lost(self) -> BaseException:
        """Return the error for a process that has ended; a process that is not the user's ends itself, in silence."""
        if self.rank:
            return SystemExit(1)
        for process, _ in self._others:
            process.join(_END.total_seconds() if process is self._others[-1][0] else 0.1)
        ended = [(rank, process.exitcode) for rank, (process, _) in enumerate(self._others, 1) if process.exitcode]
        which = " and ".join(f"process {rank} (exit code {code})" for rank, code in ended) or "one"
        self.close()
        return LostProcess(f"expected {self.size} processes until the end of the run, but {which} ended before")


ALONE = Peers(Job("", Config(), Path(), "cpu", 1, ""))
"""A run of one process."""


def _take_part(job: Job, rank: int, resumes: bool, folder: str, pipe: Any) -> None:
    """Play and learn as the user's process says, until it ends or ends this one."""
    from titan_env.training.ppo import Trainer

    end_with_parent(signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the user's process saves, and ends this one
    torch.set_num_threads(job.threads)
    os.environ[PRECISION] = job.precision
    peers = Peers(job, rank)
    trainer = Trainer(registry.load(job.game), job.config, job.out, job.device, peers)
    (trainer.resume if resumes else trainer.begin)()
    pipe.send(True)
    peers.connect(folder)
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


def job_of(game: Game, config: Config, out: Path, device: str) -> Job:
    """Return what other processes need to take part in a run; nothing is asked of the game in a run of one process."""
    if config.processes == 1:
        return Job("", config, out, device, torch.get_num_threads(), "")
    precision = str(quick_dtype(torch.device(device).type)).removeprefix("torch.")
    return Job(registry.address(game), config, out, device, torch.get_num_threads(), precision)
