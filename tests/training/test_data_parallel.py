"""Processes that share a run's games take the steps that one process takes with all of their decisions."""

from __future__ import annotations

import copy
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.small import PIG, SMALL
from tests.training.test_ppo_runs import has_learned, script
from titan_env.training import data_parallel
from titan_env.training.checkpoints import load_sealed
from titan_env.training.data_parallel import LostProcess, Peers, job_of, share_of
from titan_env.training.network import quick_dtype
from titan_env.training.ppo import Trainer
from titan_env.training.ppo_rollout import RolloutBuffer
from titan_env.training.ppo_update import learn
from titan_env.training.random_numbers import RandomNumbers

PAIR = replace(SMALL, processes=2, num_steps=8, snapshot_every=2_000, others=0.5)


@pytest.fixture
def _float32(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Multiply in float32 in a test."""
    monkeypatch.setenv("TITAN_ENV_PRECISION", "float32")
    quick_dtype.cache_clear()
    yield
    quick_dtype.cache_clear()


class Part:
    """The decisions of a rollout in some of its games, as another rollout."""

    def __init__(self, whole: RolloutBuffer, games: slice, lock: Any) -> None:
        self._whole, self._games, self._lock = whole, games, lock
        self.links = SimpleNamespace(taken=whole.links.taken[:, games])
        self.log_probs, self.values, self.actions = (
            part[:, games] for part in (whole.log_probs, whole.values, whole.actions)
        )
        self.numbers = torch.arange(whole.actions.numel()).reshape(whole.actions.shape)[:, games].flatten()
        self.random_numbers, self.taught = RandomNumbers(np.random.default_rng(0), "cpu"), None

    def advantages(self, trace: float) -> Any:
        """Return the advantages in these games."""
        return self._whole.advantages(trace)[:, self._games]

    columns = None

    def learning_inputs(self) -> Any:
        """Return this as the inputs."""
        return self

    def of(self, decisions: torch.Tensor) -> Any:
        """Return inputs and masks of decisions, numbered among those of these games."""
        with self._lock:
            inputs, masks = self._whole.inputs.of(self.numbers[decisions])
            return inputs.clone(), masks


@pytest.mark.thorough
@pytest.mark.usefixtures("_float32")
def test_two_processes_take_the_step_that_one_takes_with_the_decisions_of_both(tmp_path: Path) -> None:
    """Unequal parts: 40 games and 88. Plain gradient descent, so that weights differ by the gradients."""
    config = replace(SMALL, num_steps=8, minibatch_size=100_000, update_epochs=2, sure=1.0)
    whole = Trainer(PIG, config, tmp_path)
    whole.rollout.play(whole.network)
    lock, copies = threading.Lock(), [copy.deepcopy(whole.network) for _ in range(2)]
    parts: list[Any] = [Part(whole.rollout, games, lock) for games in (slice(0, 40), slice(40, 128))]

    pipes, shared = Pipe(), torch.zeros((2, 4096), dtype=torch.uint8)

    def learned(rank: int) -> tuple[dict[str, torch.Tensor], dict[str, float]]:
        pair = Peers(job_of(PIG, replace(config, processes=2), tmp_path, "cpu"), rank)
        pair.connect([pipes[rank]], shared)
        network = copies[rank]
        metrics = learn(network, torch.optim.SGD(network.parameters(), lr=1.0), parts[rank], config, peers=pair)
        return network.state_dict(), metrics

    with ThreadPoolExecutor(2) as pool:
        (one, metrics), (other, metrics_too) = pool.map(learned, range(2))
    expected = learn(whole.network, torch.optim.SGD(whole.network.parameters(), lr=1.0), whole.rollout, config)
    for name, weights in whole.network.state_dict().items():
        assert torch.equal(one[name], other[name])
        assert one[name].numpy() == pytest.approx(weights.numpy(), abs=1e-5)
    for name in ("policy_loss", "value_loss", "entropy", "clip_fraction"):
        assert metrics[name] == metrics_too[name] == pytest.approx(expected[name], abs=1e-5)


@pytest.mark.parametrize("processes", [3, 256])
def test_games_that_processes_cannot_share_equally_are_refused(processes: int) -> None:
    with pytest.raises(ValueError, match=f"multiple of processes, got 128 games for {processes}"):
        share_of(replace(SMALL, processes=processes), 0)


def test_each_process_plays_its_share_of_the_games_with_a_seed_of_its_own() -> None:
    shares = [share_of(replace(SMALL, processes=4), rank) for rank in range(4)]
    assert [share.num_envs for share in shares] == [32] * 4
    assert len({share.seed for share in shares}) == 4
    assert shares[0].seed == SMALL.seed


def unreachable(_peers: Peers, _pipes: Any, _shared: Any) -> None:
    raise ConnectionError


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_all_processes_multiply_as_the_first_one_has_found_to_be_quick(
    dtype: torch.dtype, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_parallel, "quick_dtype", lambda device: dtype)
    job = job_of(PIG, PAIR, tmp_path, "cpu")
    assert f"torch.{job.precision}" == str(dtype)
    monkeypatch.setenv("TITAN_ENV_PRECISION", "")
    monkeypatch.setattr(data_parallel, "end_with_parent", lambda how: None)
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    monkeypatch.setattr(Peers, "connect", unreachable)
    pipe, _heard = Pipe()
    with pytest.raises(ConnectionError):
        data_parallel._take_part(job, 1, False, pipe, torch.empty(0))
    assert os.environ["TITAN_ENV_PRECISION"] == job.precision


@pytest.mark.thorough
def test_a_run_of_two_processes_that_was_stopped_is_the_run_that_was_not(tmp_path: Path) -> None:
    whole, first, later = (Trainer(PIG, PAIR, tmp_path / name) for name in ("whole", "parts", "parts"))
    alone = Trainer(PIG, replace(PAIR, processes=1), tmp_path / "alone")
    for trainer in (whole, alone):
        trainer.begin()
        for _ in range(4):
            trainer.iterate()
        trainer.save()
    first.begin()
    for _ in range(2):
        first.iterate()
    first.save()
    first.peers.close()
    later.resume()
    for _ in range(2):
        later.iterate()
    later.save()
    saved, again = (load_sealed(tmp_path / name / "checkpoint.pt") for name in ("whole", "parts"))
    for part in ("network", "optimiser", "pool", "processes"):
        assert str(saved[part]) == str(again[part])
    assert all(torch.equal(saved["network"][name], tensor) for name, tensor in again["network"].items())
    mine, other = (own["rollout"]["states"] for own in again["processes"])
    assert len(mine) == len(other)
    assert not torch.equal(mine, other)
    assert torch.equal(other, saved["processes"][1]["rollout"]["states"])
    assert not torch.equal(saved["network"]["value.weight"], alone.network.state_dict()["value.weight"])
    whole.peers.close()
    later.peers.close()


@pytest.mark.thorough
def test_a_process_that_is_killed_ends_the_run_in_one_line_and_leaves_the_checkpoint(tmp_path: Path) -> None:
    trainer = Trainer(PIG, PAIR, tmp_path)
    trainer.begin()
    saved = (tmp_path / "checkpoint.pt").read_bytes()
    os.kill(trainer.peers.others[0].pid, signal.SIGKILL)
    with pytest.raises(LostProcess, match=r"expected 2 processes until .*, but process 1 \(exit code -9\) ended"):
        trainer.iterate()
    assert (tmp_path / "checkpoint.pt").read_bytes() == saved


@pytest.mark.thorough
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_the_other_processes_end_with_the_users(tmp_path: Path, how: signal.Signals) -> None:
    arguments = ("--processes", "2", "--total-timesteps", "100000000", "--checkpoint-every", "0.2")
    with subprocess.Popen(script(*arguments, "--out", str(tmp_path)), stderr=subprocess.PIPE) as running:
        while not has_learned(tmp_path) and running.poll() is None:
            time.sleep(0.05)
        assert running.poll() is None, running.communicate()[1].decode()
        others = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text("utf-8").split()
        os.kill(running.pid, how)
        errors = running.communicate()[1].decode()
    assert others
    assert running.returncode == (-how if how == signal.SIGKILL else 128 + how), errors
    assert "Traceback" not in errors
    if how != signal.SIGKILL:
        assert "It goes on from" in errors
    deadline = time.monotonic() + 20
    while any(map(is_running, others)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(is_running, others))
    assert load_sealed(tmp_path / "checkpoint.pt")["counters"][0] > 0


def is_running(number: str) -> bool:
    """Return whether a process of this number runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
