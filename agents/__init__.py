"""Reference agents, each named by a text: ``"random"``, ``"greedy"``, ``"greedy:push=2,life=1.5"``.

An agent is a function ``act(observations, masks, rng) -> actions`` over a batch of decisions:
observations float32 (B, F), masks int8 (B, A), actions int64 (B,). It sees no state.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game

Agent = Callable[..., NDArray[np.int64]]

AGENTS = {
    "random": "agents.uniform",
    "greedy": "agents.greedy",
}
"""Where each agent's ``make(game, **parameters)`` is."""


def load(name: str, game: Game) -> Agent:
    """The agent that a text names, ready to play a game.

    Raises ValueError for an unknown agent, or a parameter that it does not have.
    """
    kind, _, tail = name.partition(":")
    if kind not in AGENTS:
        raise ValueError(f"expected an agent among {', '.join(AGENTS)}, got {name!r}")
    agent: Agent = importlib.import_module(AGENTS[kind]).make(game, **_parameters(name, tail))
    return agent


def _parameters(name: str, tail: str) -> dict[str, Any]:
    """The parameters behind the colon, as numbers."""
    parameters = {}
    for item in filter(None, tail.split(",")):
        key, _, value = item.partition("=")
        try:
            parameters[key.strip()] = float(value)
        except ValueError:
            raise ValueError(f"expected parameters such as push=2 in {name!r}, got {item!r}") from None
    return parameters
