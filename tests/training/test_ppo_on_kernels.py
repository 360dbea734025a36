"""PPO learns the same from games that kernels play, and a run goes on from them on the processor; no GPU is needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.devices import KernelDevice
from titan_env.training.ppo import Trainer
from titan_env.training.ppo_config import Config

pytestmark = [pytest.mark.thorough, pytest.mark.compiled]

ALONE = Config(num_envs=150, num_steps=12, minibatch_size=512, width=16, others=0.0, scripted=(), sure=1.0, seed=3)
"""Every seat learns, in more games than a block has threads."""
AT_TABLES = replace(ALONE, others=0.6, scripted=("random",), snapshot_every=1_000, past_selves=2)
"""Past selves and an agent sit in some seats."""


@pytest.fixture(scope="module")
def kernels() -> Any:
    """Return a real game and the device that runs its kernels on the processor."""
    pytest.importorskip("numba_cuda")
    from tests.kernels.processor import Processor

    game = registry.load("tiny_turbo_cars")
    return game, KernelDevice(game, "cpu", Processor())


def learned(game: Game, config: Config, out: Path, games: Any, rollouts: int) -> Trainer:
    """Return a trainer after some rollouts, with games on a device."""
    trainer = Trainer(game, replace(config, game=game.name), out, games=games)
    for _ in range(rollouts):
        trainer.iterate()
    return trainer


def same_run(one: Trainer, other: Trainer) -> bool:
    """Return whether two runs have the same weights, and go on from the same games."""
    weights = (trainer.network.state_dict() for trainer in (one, other))
    states, others = one.rollout.state(), other.rollout.state()
    return all(torch.equal(a, b) for a, b in zip(*(each.values() for each in weights), strict=True)) and all(
        torch.equal(states[name], others[name]) if torch.is_tensor(states[name]) else states[name] == others[name]
        for name in states
    )


@pytest.mark.parametrize("config", [ALONE, AT_TABLES], ids=["alone", "at tables"])
def test_the_same_weights_are_learned_from_games_of_kernels(kernels: Any, config: Config, tmp_path: Path) -> None:
    game, device = kernels
    one, other = (learned(game, config, tmp_path, games, 3) for games in (device, "cpu"))
    assert same_run(one, other)
    assert not same_run(one, learned(game, config, tmp_path, "cpu", 2))


def test_a_run_with_games_of_kernels_goes_on_on_the_processor(kernels: Any, tmp_path: Path) -> None:
    game, device = kernels
    whole, part = (learned(game, AT_TABLES, tmp_path, device, rollouts) for rollouts in (4, 2))
    part.save()
    later = learned(game, AT_TABLES, tmp_path, "cpu", 0)
    later.resume()
    for _ in range(2):
        later.iterate()
    assert same_run(whole, later)


def test_nothing_is_fetched_from_the_games_in_a_step_where_every_seat_learns(
    kernels: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks for the truth or the number of a tensor, or for its NumPy, waits for a GPU."""
    game, device = kernels
    trainer = learned(game, ALONE, tmp_path, device, 1)
    fetched: list[str] = []
    for name in ("__bool__", "__int__", "__float__", "item", "tolist", "numpy", "nonzero"):
        asked = getattr(torch.Tensor, name)
        monkeypatch.setattr(torch.Tensor, name, lambda *given, n=name, asked=asked: fetched.append(n) or asked(*given))
    monkeypatch.setattr(trainer.rollout, "_look_ahead", lambda network: None)
    trainer.rollout.play(trainer.network)
    assert fetched == []
