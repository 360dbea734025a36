"""The probabilities with which an agent takes actions, for exact computations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import Agent, uniform
from titan_env.agents.logits import chances_of
from titan_env.agents.policy import Policy
from titan_env.agents.scorer import Scorer
from titan_env.contract import Game
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.determinization import batch_of


def action_chances(game: Game, agent: Agent, states: Any, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return how likely an agent takes each action in these positions (B,): (B, A).

    Of actions that a scorer finds equally good each is as likely, as at random; a policy at a temperature above 0 says
    how likely each is; other agents are asked once.
    """
    batch = batch_of(game, states, rng)
    if agent is uniform.act:
        likely = batch.masks.astype(np.float64)
    elif isinstance(agent, Scorer):
        scores = np.where(batch.masks != 0, agent.scores(batch.observations), -np.inf)
        likely = (scores == scores.max(axis=1, keepdims=True)).astype(np.float64)
    elif isinstance(agent, Policy) and agent.temperature > 0:
        logits = agent.logits(batch.observations, batch.masks)[0]
        likely = chances_of(logits.astype(np.float64) / agent.temperature) * batch.masks
    else:
        chosen = ask_in_batch(agent, batch, np.arange(len(states)), rng).actions
        likely = np.zeros(batch.masks.shape)
        likely[np.arange(len(states)), chosen] = 1
    return likely / likely.sum(axis=1, keepdims=True)
