"""Models of Stable-Baselines3 and sb3-contrib as agents, and as modules that `save_module` writes to policy files::

    agent = as_agent(model)
    network = network_of(model)
    save_module(path, network, game, {}, network.view, network.memory)

Those that score discrete actions: PPO, A2C, TRPO, MaskablePPO, RecurrentPPO, DQN, QRDQN and ARS.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from titan_env.agents import Agent
from titan_env.agents.logits import chosen_by
from titan_env.agents.recurrent import Answers, RecurrentAgent
from titan_env.engine.observation_view import ObservationView
from titan_env.extras import extra

with extra("sb3"):
    import torch
    from stable_baselines3.common.vec_env import unwrap_vec_normalize
    from torch import nn


class ModelNetwork(nn.Module):
    """A model's network, which takes observations in fractions (B, V).

    `view` is what the model was trained to see, None: all that a game shows; `memory` is the shape of what it
    remembers, () for nothing.
    """

    memory: Sequence[int] = ()

    def __init__(self, model: Any, view: ObservationView | None) -> None:
        super().__init__()
        self.policy, self.view = model.policy, view
        is_whole = np.issubdtype(model.observation_space.dtype, np.integer)
        if is_whole and view is None:
            raise ValueError("expected the view of a model that observes in whole numbers: as_agent(model, env.view)")
        divisors = torch.from_numpy(view.layout.divisors) if view and is_whole else torch.zeros(0)
        self.divisors: torch.Tensor
        self.register_buffer("divisors", divisors.to(model.policy.device), persistent=False)

    def as_trained(self, observations: torch.Tensor) -> torch.Tensor:
        """Return observations as the model gets them: in whole numbers if its environment gives those."""
        return torch.round(observations * self.divisors) if len(self.divisors) else observations

    def logits(self, features: torch.Tensor) -> torch.Tensor:
        """Return an actor's logits (B, A)."""
        logits: torch.Tensor = self.policy.action_net(self.policy.mlp_extractor.forward_actor(features))
        return logits


class _Feedforward(ModelNetwork):
    """A network without memory."""

    def forward(self, observations: torch.Tensor) -> Any:
        """Return logits (B, A), or these and values (B,) if the model has any."""
        policy, seen = self.policy, self.as_trained(observations)
        if hasattr(policy, "mlp_extractor"):
            critic = policy.mlp_extractor.forward_critic(policy.vf_features_extractor(seen))
            return self.logits(policy.pi_features_extractor(seen)), policy.value_net(critic)[:, 0]
        if hasattr(policy, "q_net"):
            return policy.q_net(seen)
        if hasattr(policy, "quantile_net"):
            return policy.quantile_net(seen).mean(dim=1)
        return policy.action_net(policy.features_extractor(seen))


class _Recurrent(ModelNetwork):
    """A network with an LSTM."""

    def __init__(self, model: Any, view: ObservationView | None) -> None:
        super().__init__(model, view)
        self.memory = (2 * self.policy.lstm_actor.num_layers, self.policy.lstm_actor.hidden_size)

    def forward(self, observations: torch.Tensor, memory: torch.Tensor) -> Any:
        """Return logits (B, A) and what is remembered after `memory` (B, 2 x layers, units)."""
        features = self.policy.pi_features_extractor(self.as_trained(observations))
        hidden, after = self.policy.lstm_actor(features[None], memory.transpose(0, 1).contiguous().chunk(2))
        return self.logits(hidden[0]), torch.cat(after).transpose(0, 1)


def network_of(model: Any, view: ObservationView | None = None) -> ModelNetwork:
    """Return a model's network, which learns as the model does; `view` is by default that of its environment.

    Raises TypeError for a model that scores no actions, ValueError for one whose observations are normalised, or that
    observes in whole numbers and has neither an environment nor a `view`.
    """
    policy, env = model.policy, model.get_env()
    parts = ("mlp_extractor", "q_net", "quantile_net", "action_net")
    if not isinstance(model.action_space, Discrete) or not any(hasattr(policy, part) for part in parts):
        raise TypeError(f"expected a model that scores discrete actions, got {type(model).__name__}")
    if env is not None and unwrap_vec_normalize(env) is not None:
        raise ValueError("expected a model of observations as the games give them, got one with VecNormalize")
    if view is None and env is not None:
        view = env.get_attr("view")[0]
    return (_Recurrent if hasattr(policy, "lstm_actor") else _Feedforward)(model, view)


def _answers(network: ModelNetwork, masks: NDArray[np.int8], *inputs: NDArray[np.float32]) -> list[Any]:
    """Return a network's answers to observations (B, F) and a memory if it has one, with masked logits."""
    observations, *memory = inputs
    seen = network.view.in_fractions()(observations) if network.view else observations
    learns = network.training
    with torch.no_grad():
        outputs = network.eval()(*(torch.from_numpy(each).to(network.policy.device) for each in (seen, *memory)))
    network.train(learns)
    logits, *others = (each.cpu().numpy() for each in (outputs if isinstance(outputs, tuple) else (outputs,)))
    return [np.where(masks != 0, logits, -np.inf), *others]


class _ModelAgent(RecurrentAgent):
    """A model with an LSTM, as an agent."""

    def __init__(self, network: ModelNetwork, temperature: float) -> None:
        self._network, self.memory, self.temperature = network, network.memory, temperature

    def answers(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8], memory: NDArray[np.float32]
    ) -> Answers:
        """Return masked logits (B, A), values of 0 (B,), and what is remembered."""
        logits, after = _answers(self._network, masks, observations, memory)
        return logits, np.zeros(len(masks), np.float32), after


def as_agent(model: Any, view: ObservationView | None = None, temperature: float = 0.0) -> Agent:
    """Return a model as an agent that takes the most probable legal action, or draws at a temperature above 0.

    The agent plays as the model does now and after further learning. Raises TypeError and ValueError as `network_of`.
    """
    network = network_of(model, view)
    if network.memory:
        return _ModelAgent(network, temperature)

    def act(observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        return chosen_by(_answers(network, masks, observations)[0], temperature, rng)

    return act
