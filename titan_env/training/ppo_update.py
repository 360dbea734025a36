"""The update of proximal policy optimisation: a network learns from one rollout (Schulman et al. 2017).

With a `kl_coef` it is that of magnetic mirror descent (Sokota et al. 2023), as Rudolph et al. compare it (2025,
"Reevaluating Policy Gradient Methods for Imperfect-Information Games"): the loss gains the reverse KL divergence from
the policy that played the rollout. The magnet is the uniform policy over legal actions: the divergence from it is the
negative entropy, but for a constant. Clipping stays; a large `clip_coef` is none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.extras import extra
from titan_env.training.data_parallel import ALONE, Peers
from titan_env.training.network import PolicyNetwork, quick_precision
from titan_env.training.ppo_config import Config
from titan_env.training.ppo_rollout import RolloutBuffer

with extra("training"):
    import torch
    from torch import nn

_DOUBT = 0.1  # probability of the other actions from which on a decision is always used
_LEAST = -30.0  # lowest log-probability in the entropy; exponentials of far lower ones are slow


class WeightedMean:
    """A weighted mean, for samples that stand for others; `total` is the sum of the counts of all processes."""

    def __init__(self, counts: torch.Tensor, total: torch.Tensor) -> None:
        self._shares = counts / total

    def __call__(self, numbers: torch.Tensor) -> torch.Tensor:
        """Compute the weighted mean of numbers (B,), or this process's part of it."""
        return self._shares @ numbers


def minibatches(order: torch.Tensor, size: int, peers: Peers = ALONE) -> list[torch.Tensor]:
    """Split an order into parts of `size`; a tail too short for its own normalisation joins the part before it.

    With other processes every part is shared: all have the same number of parts, each of nearly the same size.
    """
    if peers.size > 1:
        total = int(peers.total(torch.tensor(len(order))))
        return list(order.tensor_split(max(1, round(total / size)))) if total > 1 else []
    parts = list(order.split(size))
    if len(parts) > 1 and len(parts[-1]) <= size / 4:
        parts[-2:] = [torch.cat(parts[-2:])]
    return [part for part in parts if len(part) > 1]


def inclusion_probability(log_probs: NDArray[np.float32], sure: float) -> NDArray[np.float32]:
    """Return each sample's inclusion probability per epoch: 1 if the policy was uncertain, down to `sure`.

    `log_probs` are the log-probabilities of the actions taken. Nearly certain decisions and those with one legal action
    teach the policy little, and the value much the same as neighbouring ones.
    """
    return np.clip(-np.expm1(log_probs) / _DOUBT, sure, 1)


def reverse_kl(change: torch.Tensor) -> torch.Tensor:
    """Estimate KL(new, old) of two policies from actions of the old one, without bias and never below 0.

    `change` are the actions' log-probabilities, new minus old, (B,); the mean of the result (B,) is the estimate, and
    its gradient that of the divergence.
    """
    ratio = change.exp()
    return ratio * change - ratio + 1


def learn(
    network: PolicyNetwork,
    optimiser: torch.optim.Optimizer,
    rollout: RolloutBuffer,
    config: Config,
    lesson: float = 0.0,
    peers: Peers = ALONE,
) -> dict[str, float]:
    """Update the network with one rollout; return the metrics to log. `lesson` is the weight of the imitation loss.

    The minibatches, their means and gradients are those of the rollouts of all processes together.

    Raises FloatingPointError for infinite or NaN weights.
    """
    advantages = rollout.advantages(config.gae_lambda)
    surprises = rollout.advantages(config.value_gae_lambda)
    use = np.flatnonzero(rollout.links.taken)
    kept = inclusion_probability(rollout.log_probs.ravel(), config.sure)
    targets = (surprises + rollout.values).ravel()

    def sent(numbers: NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(numbers.ravel()).to(network.device)

    counts, target = sent(1 / kept), sent(targets)
    actions, old, advantage = sent(rollout.actions), sent(rollout.log_probs), sent(advantages)
    taught = None if rollout.taught is None else sent(rollout.taught)
    every, apart = list(network.parameters()), network.learned_apart()
    logged: list[torch.Tensor] = []
    for _ in range(config.update_epochs):
        order = rollout.rng.permutation(use)
        order = order[rollout.rng.random(len(order)) < kept[order]]
        for part in minibatches(sent(order), config.minibatch_size, peers):
            mean = WeightedMean(counts[part], peers.total(counts[part].sum()))
            with quick_precision(network.device.type):
                logits, values = network(*rollout.inputs_of(part))
            log_probs = torch.log_softmax(logits, 1)
            likely = log_probs.clamp(min=_LEAST)
            change = log_probs.gather(1, actions[part, None])[:, 0] - old[part]
            better = advantage[part] - peers.total(mean(advantage[part]))
            better = better / (peers.total(mean(better.square())).sqrt() + 1e-6)
            ratio = change.exp()
            clipped = ratio.clamp(1 - config.clip_coef, 1 + config.clip_coef)
            policy_loss = -mean(torch.minimum(ratio * better, clipped * better))
            value_loss = mean((values - target[part]).square())
            entropy = -mean((likely.exp() * likely).sum(1))
            loss = policy_loss + config.vf_coef * value_loss - config.ent_coef * entropy
            if config.kl_coef:
                loss = loss + config.kl_coef * mean(reverse_kl(change))
            if taught is not None:
                loss = loss - lesson * mean(log_probs.gather(1, taught[part, None])[:, 0])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            peers.share_gradients(every)
            for weights in apart:
                nn.utils.clip_grad_norm_(weights, config.max_grad_norm)
            optimiser.step()
            divergence, far = mean(ratio - 1 - change), mean((ratio != clipped).float())
            logged.append(torch.stack((policy_loss, value_loss, entropy, divergence, far)).detach())
    if not all(weights.isfinite().all() for weights in network.parameters()):
        raise FloatingPointError("expected finite weights after learning, got others; the checkpoint is from before")
    names = ("policy_loss", "value_loss", "entropy", "divergence", "clip_fraction")
    means = (
        dict(zip(names, np.mean(peers.total(torch.stack(logged)).tolist(), axis=0).tolist(), strict=True))
        if logged
        else {}
    )
    return {**means, "explained_variance": explained(targets[use], surprises.ravel()[use])}


def explained(targets: np.ndarray[Any, Any], errors: np.ndarray[Any, Any]) -> float:
    """Compute the explained variance of the value targets; 1 is all of it."""
    variance = float(np.var(targets)) if len(targets) else 0.0
    return 1 - float(np.var(errors)) / variance if variance else 0.0
