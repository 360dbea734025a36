"""Agents by name: ``"random"``, ``"greedy:push=2,life=1.5"``, ``"mcts:256"``.

An agent is a function ``act(observations, masks, rng) -> actions`` over a batch of decisions: observations float32 (B,
F), masks int8 (B, A), actions int64 (B,). It sees no state. One with ``plans = True`` also takes imagined worlds
(`titan_env.play.determinization.Determinizations`). A trained agent is named by its method and its game,
``"ppo@<game>-v0"``, or by its file, ``"policy:runs/ppo/policy.onnx"``, ``"afterstate:runs/afterstates/judge.npz"`` or
``"tuned:runs/tuned.json"``;
an agent of your own by its file too, ``"python:my_agent.py"``, or in processes of its own, ``"process:my_agent.py"``.
`titan_env.agents.name_grammar` is the grammar of names.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.name_grammar import quoted, split_parameters
from titan_env.agents.trained import PLAYED_BY, shipped, trained
from titan_env.contract import Game
from titan_env.contract.options import brief, near
from titan_env.contract.translation import Catalogue, TranslatableError
from titan_env.registry import game_of

Agent = Callable[..., NDArray[np.int64]]

__all__ = [
    "AGENTS",
    "Agent",
    "AgentFailed",
    "agent_of",
    "counts",
    "default_agent",
    "kept_name",
    "load",
    "names",
    "parse",
    "parts",
    "shipped",
    "trained",
    "usage_summary",
]

AGENTS = {
    "random": "titan_env.agents.uniform",
    "constant": "titan_env.agents.constant",
    "flat": "titan_env.agents.flat",
    "mcts": "titan_env.agents.mcts",
    "rollout": "titan_env.agents.rollout",
    "improve": "titan_env.agents.improve",
    "solve": "titan_env.agents.solve",
    "policy": "titan_env.agents.policy",
    "tuned": "titan_env.agents.tuned",
    "delegate": "titan_env.agents.delegate",
    "chat": "titan_env.agents.chat",
    "process": "titan_env.agents.process",
    "python": "titan_env.agents.python",
}
"""The module with ``make(game, **parameters)`` of each agent for any game; games name further ones of their own."""

_UNNAMED = {
    "flat": "simulations",
    "mcts": "simulations",
    "rollout": "worlds",
    "improve": "worlds",
    "constant": "action",
    "chat": "model",
    "delegate": "otherwise",
}
"""The parameter that may stand alone after the colon, by agent; for others it is `path`."""


class AgentFailed(TranslatableError, RuntimeError):
    """The error for an agent that cannot decide, and will not on another call, with the reason."""

    words = Catalogue(Path(__file__).parent / "languages")


def names(game: Game | str) -> list[str]:
    """Return the agents that can play a game by default: those for any game, the game's own and trained ones."""
    game = game_of(game)
    own = [kind for kind in game.metadata.agents if kind not in PLAYED_BY.values()]
    return ["random", *own, *shipped(game), "flat:64", "mcts:256"]


def default_agent(game: Game | str) -> str:
    """Return the name of the game's default agent: the first that the game names, or "random"."""
    return next(iter([*game_of(game).metadata.agents, "random"]))


def agent_of(agent: Agent | str, game: Game | str) -> Agent:
    """Return the agent itself, or the one of this name. Raises TypeError for other types, ValueError as `load` does."""
    if isinstance(agent, str):
        return load(agent, game)
    if not callable(agent):
        raise TypeError(f"expected an agent act(observations, masks, rng) or the name of one, got {brief(agent)}")
    return agent


def load(name: str, game: Game | str) -> Agent:
    """Return the agent with this name, ready to play a game.

    Raises ValueError for an unknown agent, parameter or game, TypeError for no game or no text.
    """
    game = game_of(game)
    if not isinstance(name, str):
        raise TypeError(f"expected the name of an agent, got {brief(name)}")
    kind, parameters = parse(name, game)
    agent: Agent = _maker(kind, game)(game, **parameters)
    return agent


def _maker(kind: str, game: Game | None) -> Callable[..., Agent]:
    """Return the function that makes an agent of this kind: the game's own, or one for any game."""
    module, _, function = (game.metadata.agents.get(kind, "") if game else "").partition(":")
    make: Callable[..., Agent] = getattr(importlib.import_module(module or AGENTS[kind]), function or "make")
    return make


def counts(name: str, game: Game | str) -> dict[str, int]:
    """Return this process's counters of an agent that keeps them (`counts`); {} for others."""
    return dict(getattr(load(name, game), "counts", {}))


def usage_summary(name: str, game: Game | str, counted: Mapping[str, int] | None = None) -> str:
    """Return such counters, this process's or given ones, as a sentence; "" without any."""
    counted = counts(name, game) if counted is None else counted
    summary: str = load(name, game).usage_summary(counted) if counted else ""  # type: ignore[attr-defined]
    return summary


def kept_name(name: str) -> str:
    """Return the name under which an agent's results are kept: without the parameters that change no decision of it."""
    kind, _, tail = name.partition(":")
    nothing = getattr(importlib.import_module(AGENTS[kind]), "CHANGE_NOTHING", ()) if kind in AGENTS else ()
    if not nothing:
        return name
    kept = [(key, value) for key, value in split_parameters(tail) if key not in nothing]
    return f"{kind}:" + ",".join(f"{key}={quoted(value)}" if key else quoted(value) for key, value in kept)


def parse(name: str, game: Game | str | None = None) -> tuple[str, dict[str, Any]]:
    """Parse an agent's name into its kind, as in `AGENTS` or among the game's own, and its parameters.

    Raises ValueError as `load` does.
    """
    game = game if game is None else game_of(game)
    kind, _, tail = name.partition(":")
    parameters: dict[str, Any] = {}
    if "@" in kind:
        kind, parameters = trained(kind)
    own = game.metadata.agents if game else {}
    if kind not in AGENTS and kind not in own:
        known = [*AGENTS, *own]
        choices = f"{', '.join(known)}, or a policy such as ppo@<game>-v0"
        where = f" for {game.metadata.title}" if game else ""
        raise ValueError(f"expected an agent among {choices}, got {brief(name)}{where}{near(kind, known)}")
    make = _maker(kind, game)
    accepted = dict(itertools.islice(inspect.signature(make, eval_str=True).parameters.items(), 1, None))
    for given in parameters:
        del accepted[given]
    free = next((parameter for parameter in accepted.values() if parameter.kind is parameter.VAR_KEYWORD), None)
    for key, value in _items(name, kind, tail, accepted):
        if key in parameters or key == "game":
            raise ValueError(f"expected each parameter of {kind} once, got {key} in {name!r}")
        if getattr(accepted.get(key, free), "annotation", None) is str:
            parameters[key] = value
        else:
            what = f"a number as {key}" if key in accepted else f"numbers as {list(accepted)[-1]}"
            parameters[key] = _number(value, f"expected {what}, got {key}={value} in {name!r}")
    for key, parameter in accepted.items():
        if key not in parameters and parameter.default is parameter.empty and parameter is not free:
            raise ValueError(f"expected {kind} with its {key}, as {kind}:{key.upper()}, got {name!r}")
    return kind, parameters


def parts(kind: str, parameters: Mapping[str, Any]) -> list[str]:
    """Return the names of the agents that an agent of this kind with these parameters asks."""
    asked = parameters if kind == "delegate" else ("prior", "by")
    return [parameters[key] for key in asked if parameters.get(key)]


def _items(name: str, kind: str, tail: str, accepted: Mapping[str, inspect.Parameter]) -> Iterator[tuple[str, str]]:
    """Yield the parameters after the colon: name and text. The first may be a value without its name."""
    alone = _UNNAMED.get(kind, "path")
    free = any(parameter.kind is parameter.VAR_KEYWORD for parameter in accepted.values())
    known = f"such as push=2 of {kind}" if free else f"of {kind} among {', '.join(accepted) or '(none)'}"
    for i, (key, value) in enumerate(split_parameters(tail)):
        if not key and i == 0 and alone in accepted:
            yield alone, value
        elif key and (free or key in accepted):
            yield key, value
        else:
            meant = near(key, list(accepted))
            raise ValueError(f"expected parameters {known}, got {key or repr(value)} in {name!r}{meant}")


def _number(value: str, complaint: str) -> float:
    """Return the number in a text. Raises ValueError with this message if it is no finite number."""
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(complaint)
    return number
