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
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
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
    kind, parameters = parse(name)
    agent: Agent = importlib.import_module(AGENTS[kind]).make(game, **parameters)
    return agent


def parse(name: str) -> tuple[str, dict[str, Any]]:
    """The kind of an agent, as in `AGENTS`, and its parameters. Raises ValueError as `load` does."""
    kind, _, tail = name.partition(":")
    parameters: dict[str, Any] = {}
    if "@" in kind:
        from agents.policy import shipped

        kind, parameters = "policy", {"path": str(shipped(kind))}
    if kind not in AGENTS:
        known = ", ".join(AGENTS)
        raise ValueError(f"expected an agent among {known}, or a policy such as ppo@<game>-v0, got {name!r}")
    make = importlib.import_module(AGENTS[kind]).make
    accepted = dict(itertools.islice(inspect.signature(make, eval_str=True).parameters.items(), 1, None))
    for given in parameters:
        del accepted[given]
    for key, value in _items(name, kind, tail, accepted):
        if key in parameters or key == "game":
            raise ValueError(f"expected each parameter of {kind} once, got {key} in {name!r}")
        if key in accepted and accepted[key].annotation is str:
            parameters[key] = value
        else:
            what = f"a number as {key}" if key in accepted else f"numbers as {list(accepted)[-1]}"
            parameters[key] = _number(value, f"expected {what}, got {key}={value} in {name!r}")
    return kind, parameters


def _items(name: str, kind: str, tail: str, accepted: Mapping[str, inspect.Parameter]) -> Iterator[tuple[str, str]]:
    """The parameters behind the colon by name, as texts. A path may hold commas and equals signs."""
    alone = _UNNAMED.get(kind, "")
    items = [item.strip() for item in tail.split(",")] if tail else []
    if alone in accepted and accepted[alone].annotation is str:
        ends = [place for place, item in enumerate(items) if item.partition("=")[0] in accepted]
        end = ends[0] if ends else len(items)
        items = [*filter(None, [",".join(items[:end])]), *items[end:]]
    free = any(parameter.kind is parameter.VAR_KEYWORD for parameter in accepted.values())
    known = f"such as push=2 of {kind}" if free else f"of {kind} among {', '.join(accepted) or '(none)'}"
    for place, item in enumerate(items):
        key, equals, value = (part.strip() for part in item.partition("="))
        is_path = place == 0 and alone in accepted and accepted[alone].annotation is str and key not in accepted
        if is_path or (place == 0 and alone in accepted and not equals):
            yield alone, item
        elif equals and (free or key in accepted):
            yield key, value
        else:
            raise ValueError(f"expected parameters {known}, got {key if equals else repr(item)} in {name!r}")


def _number(value: str, complaint: str) -> float:
    """The number that a text is. Raises ValueError with this complaint where it is none."""
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(complaint)
    return number
