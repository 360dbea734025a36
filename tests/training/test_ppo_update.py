"""The update of PPO: how a rollout is divided into minibatches, weighted, and guarded against weights that are NaN."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.small import PIG, ROLL, SMALL
from titan_env.training.ppo import Trainer
from titan_env.training.ppo_config import Config
from titan_env.training.ppo_update import inclusion_probability, learn, minibatches, reverse_kl, split_orders

pytestmark = pytest.mark.thorough

# Minibatches


@pytest.mark.parametrize(
    ("count", "sizes"),
    [
        (5120, [5120]),  # a quarter of 4096 left over: joined to the minibatch before it
        (4097, [4097]),
        (8193, [4096, 4097]),
        (5121, [4096, 1025]),  # more than a quarter: one of its own
        (100, [100]),
        (1, []),  # nothing can be normalised
        (0, []),
    ],
)
def test_a_short_tail_is_joined_to_the_minibatch_before_it(count: int, sizes: list[int]) -> None:
    assert [len(part) for part in split_orders([torch.arange(count)], 4096)] == sizes


def test_minibatches_hold_every_sample_once_and_in_order() -> None:
    first, second = torch.arange(9), torch.arange(10, 17)
    parts = split_orders([first, second], 4)
    assert torch.equal(torch.cat(parts), torch.cat([first, second]))
    assert [len(part) for part in parts] == [4, 5, 4, 3], "no minibatch holds samples of two epochs"


def test_advantages_have_mean_0_and_variance_1_in_each_minibatch_each_counted_as_often_as_it_stands_for() -> None:
    counts, advantages = torch.tensor([1.0, 3.0, 2.0, 2.0]), torch.tensor([8.0, 4.0, 5.0, 5.0])
    uneven, equal = minibatches([torch.tensor([1, 0]), torch.tensor([2, 3])], counts, advantages)
    assert uneven.shares.tolist() == [0.75, 0.25]
    assert float(uneven.mean(uneven.advantages)) == pytest.approx(0)
    assert float(uneven.mean(uneven.advantages.square())) == pytest.approx(1, abs=1e-5)
    assert uneven.advantages.tolist() == pytest.approx([-(3**-0.5), 3**0.5], abs=1e-5)
    assert equal.advantages.tolist() == [0, 0]


# Weights of the network


def test_weights_stay_finite_where_a_minibatch_would_have_a_single_decision_left(tmp_path: Path) -> None:
    trainer = Trainer(PIG, SMALL, tmp_path)
    trainer.rollout.play(trainer.network)
    decisions = int(trainer.rollout.links.taken.sum())
    learn(trainer.network, trainer.optimiser, trainer.rollout, replace(SMALL, minibatch_size=decisions - 1))
    assert all(weights.isfinite().all() for weights in trainer.network.parameters())


def test_weights_that_are_not_finite_are_an_error(tmp_path: Path) -> None:
    trainer = Trainer(PIG, SMALL, tmp_path)
    trainer.rollout.play(trainer.network)
    trainer.rollout.values.fill_(torch.nan)
    with pytest.raises(FloatingPointError, match="the checkpoint is from before"):
        learn(trainer.network, trainer.optimiser, trainer.rollout, SMALL)


# Sure decisions: those whose action the policy was nearly certain of are used in a share of the epochs only


def test_a_decision_is_used_the_less_the_surer_it_was_down_to_the_share_of_sure_ones() -> None:
    log_probs = torch.tensor([1.0, 0.99, 0.95, 0.6, 0.01]).log()
    assert inclusion_probability(log_probs, sure=0.25).tolist() == pytest.approx([0.25, 0.25, 0.5, 1, 1], abs=1e-5)
    assert inclusion_probability(log_probs, sure=1.0).tolist() == pytest.approx([1] * 5)


def test_a_decision_that_is_used_counts_for_those_like_it_that_were_left_out() -> None:
    """The mean over what was drawn, each weighted by 1 / its chance to be drawn, is the mean over all."""
    chances, losses = np.array([0.25, 0.25, 0.5, 1, 1], np.float32), np.array([1, 2, 3, 4, 5], np.float32)
    kinds = np.tile(np.arange(5), 20_000)
    drawn = torch.from_numpy(kinds[np.random.default_rng(0).random(len(kinds)) < chances[kinds]])
    counts = torch.from_numpy(1 / chances)[drawn]
    (batch,) = minibatches([torch.arange(len(counts))], counts, torch.zeros_like(counts))
    assert float(batch.mean(torch.from_numpy(losses)[drawn])) == pytest.approx(losses.mean(), abs=0.03)


def test_with_few_sure_decisions_used_the_network_sees_fewer_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every_decision = SMALL.num_envs * SMALL.num_steps
    assert samples_seen(replace(SMALL, sure=1.0), tmp_path, monkeypatch) == every_decision
    assert samples_seen(replace(SMALL, sure=0.1), tmp_path, monkeypatch) < 0.2 * every_decision


def samples_seen(config: Config, out: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many samples a network that is sure to roll sees in one epoch."""
    config = replace(config, update_epochs=1, others=0.0, scripted=())
    trainer = Trainer(PIG, config, out)
    with torch.no_grad():
        trainer.network.policy.bias[ROLL] = 8.0
    trainer.rollout.play(trainer.network)
    seen, forward = 0, trainer.network.forward

    def counting(observations: Any, masks: Any, *columns: Any) -> Any:
        nonlocal seen
        seen += len(observations)
        return forward(observations, masks, *columns)

    monkeypatch.setattr(trainer.network, "forward", counting)
    learn(trainer.network, trainer.optimiser, trainer.rollout, config)
    return seen


# Magnetic mirror descent: the loss also holds the reverse KL divergence from the policy of the rollout


def test_the_mean_over_the_old_policy_is_the_reverse_divergence_with_its_gradient() -> None:
    old = torch.tensor([0.5, 0.25, 0.25])
    scores = torch.tensor([1.0, 0.0, -1.0], requires_grad=True)
    new = scores.log_softmax(0)
    estimate, exact = old @ reverse_kl(new - old.log()), new.exp() @ (new - old.log())
    assert exact.item() == pytest.approx(0.0928, abs=1e-4)
    assert estimate.item() == pytest.approx(exact.item(), abs=1e-6)
    estimated, true = (torch.autograd.grad(one, scores, retain_graph=True)[0] for one in (estimate, exact))
    assert torch.allclose(estimated, true, atol=1e-6)


def test_the_higher_the_coefficient_the_nearer_a_policy_stays_to_that_of_its_rollout(tmp_path: Path) -> None:
    divergences = []
    for coefficient in (0.0, 1.0, 100.0):
        trainer = Trainer(PIG, replace(SMALL, kl_coef=coefficient, clip_coef=1e6), tmp_path / str(coefficient))
        divergences.append(trainer.iterate()["divergence"])
    assert divergences == sorted(divergences, reverse=True)
    assert divergences[2] < 0.1 * divergences[0]
