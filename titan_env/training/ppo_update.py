"""The update of proximal policy optimisation: a network learns from one rollout (Schulman et al. 2017).

With a `kl_coef` it is that of magnetic mirror descent (Sokota et al. 2023), as Rudolph et al. compare it (2025,
"Reevaluating Policy Gradient Methods for Imperfect-Information Games"): the loss gains the reverse KL divergence from
the policy that played the rollout. The magnet is the uniform policy over legal actions: the divergence from it is the
negative entropy, but for a constant. Clipping stays; a large `clip_coef` is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from titan_env.extras import extra
from titan_env.training.data_parallel import ALONE, Peers
from titan_env.training.network import PolicyNetwork, quick_precision
from titan_env.training.ppo_config import Config
from titan_env.training.ppo_rollout import RolloutBuffer

with extra("training"):
    import torch
    from torch import nn

_DOUBT = 0.1  # probability of the other actions from which on a decision is always used
_LEAST_SPREAD = 1e-6  # of advantages: equal ones are not divided by 0
_LEAST = -30.0  # lowest log-probability in the entropy; exponentials of far lower ones are slow


class Minibatch(NamedTuple):
    """The decisions (B,) of one step of the optimiser, by number."""

    decisions: torch.Tensor
    shares: torch.Tensor
    """The weights of the decisions in a mean: their sum over all processes is 1."""
    advantages: torch.Tensor
    """Of mean 0 and variance 1."""

    def mean(self, numbers: torch.Tensor) -> torch.Tensor:
        """Compute the weighted mean of numbers (B,), or this process's part of it."""
        return self.shares @ numbers


def split_orders(orders: Sequence[torch.Tensor], size: int, peers: Peers = ALONE) -> list[torch.Tensor]:
    """Split each order into parts of `size`; a tail too short for its own normalisation joins the part before it.

    With other processes every part is shared: all have the same number of parts, each of nearly the same size.
    """
    parts: list[torch.Tensor] = []
    if peers.size > 1:
        lengths = peers.total(torch.tensor([len(order) for order in orders])).tolist()
        for order, length in zip(orders, lengths, strict=True):
            parts += order.tensor_split(max(1, round(length / size))) if length > 1 else []
        return parts
    for order in orders:
        own = list(order.split(size))
        if len(own) > 1 and len(own[-1]) <= size / 4:
            own[-2:] = [torch.cat(own[-2:])]
        parts += [part for part in own if len(part) > 1]
    return parts


def minibatches(
    parts: Sequence[torch.Tensor], counts: torch.Tensor, advantages: torch.Tensor, peers: Peers = ALONE
) -> list[Minibatch]:
    """Weigh the decisions of each part, each of which stands for `counts`, and normalise their advantages.

    The means of all parts are summed over the processes at once.
    """
    if not parts:
        return []
    totals = peers.total(torch.stack([counts[part].sum() for part in parts]))
    shares = [counts[part] / total for part, total in zip(parts, totals, strict=True)]
    means = peers.total(torch.stack([share @ advantages[part] for share, part in zip(shares, parts, strict=True)]))
    better = [advantages[part] - mean for part, mean in zip(parts, means, strict=True)]
    spreads = peers.total(torch.stack([share @ one.square() for share, one in zip(shares, better, strict=True)])).sqrt()
    return [
        Minibatch(part, share, one / (spread + _LEAST_SPREAD))
        for part, share, one, spread in zip(parts, shares, better, spreads, strict=True)
    ]


def inclusion_probability(log_probs: torch.Tensor, sure: float) -> torch.Tensor:
    """Return each sample's inclusion probability per epoch: 1 if the policy was uncertain, down to `sure`.

    `log_probs` are the log-probabilities of the actions taken. Nearly certain decisions and those with one legal action
    teach the policy little, and the value much the same as neighbouring ones.
    """
    return (-torch.expm1(log_probs) / _DOUBT).clamp(sure, 1)


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
    surprises = rollout.advantages(config.value_gae_lambda).flatten()
    use = rollout.links.taken.flatten().nonzero()[:, 0]
    actions, old = rollout.actions.flatten(), rollout.log_probs.flatten()
    kept, target = inclusion_probability(old, config.sure), surprises + rollout.values.flatten()
    advantages = rollout.advantages(config.gae_lambda).flatten()
    taught = None if rollout.taught is None else rollout.taught.flatten()
    every, apart = list(network.parameters()), network.learned_apart()
    orders = []
    for _ in range(config.update_epochs):
        order = use[rollout.random_numbers.permutation(len(use))]
        orders.append(order[rollout.random_numbers.uniform(len(order)) < kept[order]])
    inputs, logged = rollout.learning_inputs(), list[torch.Tensor]()
    for batch in minibatches(split_orders(orders, config.minibatch_size, peers), 1 / kept, advantages, peers):
        part, mean = batch.decisions, batch.mean
        with quick_precision(network.device.type):
            logits, values = network(*inputs.of(part), inputs.columns)
        log_probs = torch.log_softmax(logits, 1)
        likely = log_probs.clamp(min=_LEAST)
        change = log_probs.gather(1, actions[part, None])[:, 0] - old[part]
        ratio = change.exp()
        clipped = ratio.clamp(1 - config.clip_coef, 1 + config.clip_coef)
        policy_loss = -mean(torch.minimum(ratio * batch.advantages, clipped * batch.advantages))
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
    return {**means, "explained_variance": explained(target[use].cpu().numpy(), surprises[use].cpu().numpy())}


def explained(targets: np.ndarray[Any, Any], errors: np.ndarray[Any, Any]) -> float:
    """Compute the explained variance of the value targets; 1 is all of it."""
    variance = float(np.var(targets)) if len(targets) else 0.0
    return 1 - float(np.var(errors)) / variance if variance else 0.0
