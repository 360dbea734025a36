"""The network of the training scripts: an actor and a critic, advised or not, as an agent and measured in games."""

from __future__ import annotations

import functools
import json
import os
import timeit
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env import agents
from titan_env.agents.score_features import Adviser
from titan_env.contract import Game
from titan_env.evaluation.matches.match import Proportion, win_rates
from titan_env.extras import extra

with extra("training"):
    import torch
    from torch import nn

FORBIDDEN = -1e8
"""The logit of an illegal action."""
TRUST = 4.0
"""The initial weight of an advice of 1 in a logit, by default."""
_MUCH = 1.25  # the speed ratio that counts as faster: nearly equal times must not decide by chance
PRECISION = "TITAN_ENV_PRECISION"
"""The variable that sets the dtype of networks' multiplications."""
_PRECISIONS = {"bfloat16": torch.bfloat16, "float32": torch.float32}


def check_device(name: str) -> None:
    """Raise ValueError for a device that is neither the CPU nor a GPU of CUDA that torch has here."""
    numbers = range(torch.cuda.device_count() if torch.cuda.is_available() else 0)
    known = ["cpu", *["cuda"] * bool(numbers), *(f"cuda:{number}" for number in numbers)]
    if name not in known:
        raise ValueError(f"expected a device that torch has here, {' or '.join(known)}, got {name!r}")


@functools.cache
def quick_dtype(device: str) -> torch.dtype:
    """Return the dtype of networks' multiplications: bfloat16 if it is supported and clearly faster, else float32.

    `device` is the type of the network's device: a GPU that supports bfloat16 is faster with it. On the CPU it is
    measured once: some processors take half the time of float32 for it, others twice as much. The variable
    ``TITAN_ENV_PRECISION`` (bfloat16 or float32) sets it instead, so that other programs' load cannot change a result.
    Raises ValueError for another word in it.
    """
    if wanted := os.environ.get(PRECISION):
        if wanted not in _PRECISIONS:
            raise ValueError(f"expected {PRECISION} to be {' or '.join(_PRECISIONS)}, got {wanted!r}")
        return _PRECISIONS[wanted]
    if device == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32
    known: Mapping[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    if not known.get("avx512_bf16") and not known.get("amx_bf16"):
        return torch.float32
    quick = _seconds(torch.bfloat16) * _MUCH < _seconds(torch.float32)
    return torch.bfloat16 if quick else torch.float32


def _seconds(dtype: torch.dtype) -> float:
    """Measure the shortest time of several multiplications of a hidden layer's size."""
    rows, weights = torch.ones(1024, 512, dtype=dtype), torch.ones(512, 256, dtype=dtype)
    return min(timeit.repeat(lambda: rows @ weights, number=1, repeat=8))


def quick_precision(device: str) -> torch.autocast:
    """Return a context in which networks on this type of device multiply in the dtype of `quick_dtype`."""
    return torch.autocast(device, torch.bfloat16, enabled=quick_dtype(device) == torch.bfloat16)


def _layer(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """Return a linear layer with orthogonal weights and zero biases."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _hidden(inputs: int, width: int) -> nn.Sequential:
    """Return two hidden layers."""
    return nn.Sequential(_layer(inputs, width, 2**0.5), nn.ReLU(), _layer(width, width, 2**0.5), nn.ReLU())


def _through(layers: nn.Sequential, observations: torch.Tensor, columns: torch.Tensor | None) -> torch.Tensor:
    """Return the output of layers for observations that have some columns alone, or all of them."""
    if columns is None:
        hidden: torch.Tensor = layers(observations)
        return hidden
    first: Any = layers[0]
    hidden = layers[1:](nn.functional.linear(observations, first.weight.index_select(1, columns), first.bias))
    return hidden


class PolicyNetwork(nn.Module):
    """Two hidden layers, a masked policy and a value in -1..1, for any game's flat observation.

    With a `critic` the value has two hidden layers of its own. With an `adviser` the input also holds its scores of the
    actions, and the untrained policy follows them: a full score adds `trust` to a logit.
    """

    def __init__(
        self,
        inputs: int,
        actions: int,
        width: int = 128,
        adviser: Adviser | None = None,
        critic: bool = False,
        trust: float = TRUST,
    ) -> None:
        super().__init__()
        self.seen, self.adviser = inputs, adviser
        heard = inputs + (actions if adviser else 0)
        self.trunk = _hidden(heard, width)
        self.policy = _layer(width, actions, 0.01)
        self.value = _layer(width, 1, 1.0)
        self.critic = _hidden(heard, width) if critic else None
        if adviser:
            self.trust = nn.Parameter(torch.full((actions,), trust))

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.policy.weight.device

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor, columns: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return masked logits (B, A) and values (B,), float32, of observations (B, F) and boolean masks (B, A).

        With an adviser the observations are (B, F + A). With `columns` they have these columns alone, int64, in order:
        all but some that are 0, and all of the adviser's.
        """
        hidden = _through(self.trunk, observations, columns)
        judged = _through(self.critic, observations, columns) if self.critic else hidden
        return self._logits(hidden, observations, masks), self.value(judged).float()[:, 0].tanh()

    def logits(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Return the masked logits alone, (B, A)."""
        return self._logits(self.trunk(observations), observations, masks)

    def judged(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the input of the value's last layer, (B, width)."""
        layers = self.critic or self.trunk
        hidden: torch.Tensor = layers(observations)
        return hidden

    def learned_apart(self) -> list[list[nn.Parameter]]:
        """Return groups of weights with independent gradients: all, or with a critic the policy's and the value's."""
        if not self.critic:
            return [list(self.parameters())]
        of_value = [*self.critic.parameters(), *self.value.parameters()]
        ids = {id(weights) for weights in of_value}
        return [[weights for weights in self.parameters() if id(weights) not in ids], of_value]

    def value_layers(self) -> list[nn.Module]:
        """Return the layers from the input to the value."""
        return [*(self.critic or self.trunk), self.value, nn.Tanh()]

    def _logits(self, hidden: torch.Tensor, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        logits = self.policy(hidden).float()
        if self.adviser:
            logits = logits + self.trust * observations[:, -len(self.trust) :].float()
        return logits.masked_fill(~masks, FORBIDDEN)

    def network_input(self, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> torch.Tensor:
        """Return the network's input, on its device: observations (B, F), with an adviser (B, F + A)."""
        return torch.from_numpy(
            self.adviser.augmented_observation(observations, masks) if self.adviser else observations
        ).to(self.device)


def network_agent(network: PolicyNetwork, temperature: float = 0.0) -> Any:
    """Return an agent that plays the network: its best action, or one sampled at this temperature."""

    def act(observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        may = torch.from_numpy(masks != 0).to(network.device)
        with torch.no_grad(), quick_precision(network.device.type):
            logits = network.logits(network.network_input(observations, masks), may)
        scores = logits.cpu().numpy()
        if temperature > 0:
            scores = scores / temperature + rng.gumbel(size=scores.shape)
        chosen: NDArray[np.int64] = scores.argmax(1)
        return chosen

    return act


def wins(
    game: Game, agent: agents.Agent, name: str, setups: Collection[Mapping[str, Any]], seed: int, games: int = 400
) -> Proportion:
    """Return an agent's share of wins against another one at tables with these options."""
    pair = {"learner": agent, name: agents.load(name, game)}
    different = Counter(json.dumps(options) for options in setups)
    played = [
        win_rates(game, pair, -(-games * count // len(setups)), seed, **json.loads(setup))["learner"]
        for setup, count in different.items()
    ]
    return Proportion(sum(share.happened for share in played), sum(share.of for share in played))
