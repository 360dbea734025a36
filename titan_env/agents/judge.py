"""The agent that judges a game's positions in an analysis, and the values that it has for them if it is a policy."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import default_agent
from titan_env.agents.planning import leaf_values
from titan_env.agents.trained import PLAYED_BY, shipped
from titan_env.contract import Game
from titan_env.engine.batch import Batch

Critic = Callable[[Batch], NDArray[np.float64]]
"""``critic(batch) -> chances``: the chance of winning of each seat in each row, (N, seats)."""


def judge_of(game: Game) -> str:
    """Return the name of the agent that plays on for everybody: the game's smallest policy, or its default agent."""
    policies = [
        (file.stat().st_size, name) for name, file in shipped(game).items() if PLAYED_BY[file.suffix] == "policy"
    ]
    can_play = importlib.util.find_spec("onnxruntime") is not None
    return min(policies)[1] if policies and can_play else default_agent(game)


def critic_of(agent: Any) -> Critic | None:
    """Return the values of an agent that was trained to win as chances; None for one without."""
    if not hasattr(agent, "policy") or getattr(agent, "reward", "") != "win":
        return None

    def critic(batch: Batch) -> NDArray[np.float64]:
        seats = int(batch.states["seats"][0])
        values = leaf_values(batch, agent)[:, :seats]
        return np.clip((1 + (seats - 1) * values) / seats, 0, 1)

    return critic
