"""Reference agents, each named by a text: ``"random"``, ``"greedy:push=2,life=1.5"``, ``"mcts:256"``.

An agent is a function ``act(observations, masks, rng) -> actions`` over a batch of decisions:
observations float32 (B, F), masks int8 (B, A), actions int64 (B,). It sees no state. One that plans
says so (``plans = True``) and gets imagined worlds besides (`titan_env.worlds.Worlds`).
A trained policy is named by its script and its game, ``"ppo@<game>-v0"``, or by its file,
``"policy:runs/ppo/policy.onnx"``.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game

Agent = Callable[..., NDArray[np.int64]]

AGENTS = {
    "random": "agents.uniform",
    "greedy": "agents.greedy",
    "expert": "agents.expert",
    "flat": "agents.flat",
    "mcts": "agents.mcts",
    "policy": "agents.policy",
}
"""Where each agent's ``make(game, **parameters)`` is."""

_UNNAMED = {"flat": "simulations", "mcts": "simulations", "policy": "path"}
"""Which parameter it is that stands alone behind the colon."""


def load(name: str, game: Game) -> Agent:
    """The agent that a text names, ready to play a game.

    Raises ValueError for an unknown agent, or a parameter that it does not have.
    """
    if not isinstance(game, Game):
        raise TypeError(f"expected a game, such as titan_env.registry.load({game!r}), got {game!r}")
    if not isinstance(name, str):
        raise TypeError(f"expected the name of an agent, got {name!r}")
    kind, _, tail = name.partition(":")
    if "@" in kind:
        from agents.policy import shipped

        parameters = {"path": shipped(kind), **_parameters(name, kind, tail)}
        kind = "policy"
    else:
        parameters = _parameters(name, kind, tail)
    if kind not in AGENTS:
        raise ValueError(f"expected an agent among {', '.join(AGENTS)}, or a policy such as ppo@<game>, got {name!r}")
    make = importlib.import_module(AGENTS[kind]).make
    accepted = inspect.signature(make).parameters
    unknown = [key for key in parameters if key not in accepted]
    if unknown and not any(known.kind is known.VAR_KEYWORD for known in accepted.values()):
        known = ", ".join(key for key in accepted if key != "game") or "(none)"
        raise ValueError(f"expected parameters of {kind} among {known}, got {', '.join(unknown)} in {name!r}")
    agent: Agent = make(game, **parameters)
    return agent


def _parameters(name: str, kind: str, tail: str) -> dict[str, Any]:
    """The parameters behind the colon: numbers where they are, else texts."""
    parameters: dict[str, Any] = {}
    for place, item in enumerate(filter(None, tail.split(","))):
        key, equals, value = item.partition("=")
        if not equals and place == 0 and kind in _UNNAMED:
            key, value = _UNNAMED[kind], item
        elif not equals:
            raise ValueError(f"expected parameters such as push=2 in {name!r}, got {item!r}")
        try:
            parameters[key.strip()] = float(value)
        except ValueError:
            parameters[key.strip()] = value.strip()
    return parameters
