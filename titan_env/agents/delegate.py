"""One agent for most questions, others for some: ``delegate:ppo@<game>-v0,roll=greedy,strike=expert``.

A policy that was trained with `delegate`, on the decisions that were left to it, plays so as it was trained. Questions
are named as in the game's `asks`; an agent's own parameters may follow its name unless they hold a comma.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env import agents
from titan_env.agents.name_grammar import quoted
from titan_env.compiler.record_copies import take_records
from titan_env.contract import Game
from titan_env.contract.options import brief
from titan_env.play.agent_calls import ask_agent, needs_of
from titan_env.play.delegation import Delegation
from titan_env.play.determinization import Determinizations


class Delegating:
    """The agent: it plans, since only positions say what is asked, and hands on imagined worlds to those that plan."""

    plans = True

    def __init__(self, game: Game, otherwise: Any, delegated: Mapping[str, Any]) -> None:
        self._game, self._otherwise = game, otherwise
        self._delegation = Delegation(game, delegated)
        self.at_once = all(needs_of(agent).at_once for agent in (otherwise, *delegated.values()))

    def __call__(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
        worlds: Determinizations,
    ) -> NDArray[np.int64]:
        """Return what the agent of each question decides, int64 (B,)."""
        asks = worlds.states["ask"]
        chosen = np.zeros(len(masks), np.int64)
        own = ~self._delegation.among(asks)
        parts = [*self._delegation.parts(asks, ~own), *([(self._otherwise, own)] if own.any() else [])]
        for agent, rows in parts:
            states = take_records(worlds.states, rows)
            decided = ask_agent(agent, self._game, states, observations[rows], masks[rows], rng)
            chosen[rows] = decided.actions
            for row, opinion in zip(np.flatnonzero(rows).tolist(), decided.opinions, strict=True):
                worlds.leave(row, opinion)
        return chosen


def delegating(game: Game, otherwise: Any, delegated: Mapping[str, Any]) -> Any:
    """Return an agent with those that answer some questions for it; itself where there are none."""
    return Delegating(game, otherwise, delegated) if delegated else otherwise


def load_delegated(
    game: Game, names: Mapping[str, Any] | None, load: Callable[[Any, Game], Any] = agents.agent_of
) -> dict[str, Any]:
    """Return the agents that are given themselves or by name, by question, each loaded by `load`.

    Raises ValueError for an unknown agent or question, TypeError for what is no agent or no mapping.
    """
    if not isinstance(names, Mapping | None):
        raise TypeError(f"expected delegate as agents by question such as {{'roll': 'greedy'}}, got {brief(names)}")
    delegated = {ask: load(agent, game) for ask, agent in (names or {}).items()}
    Delegation(game, delegated)
    return delegated


def delegating_name(otherwise: str, asks: Mapping[str, str] | None) -> str:
    """Return the name of an agent with those that answer some questions for it, if there are any."""
    if not asks:
        return otherwise
    return ",".join([f"delegate:{quoted(otherwise)}", *(f"{ask}={quoted(name)}" for ask, name in asks.items())])


def make(game: Game, otherwise: str = "", **asks: str) -> Delegating:
    """Return the agent of these names. Raises ValueError for an unknown agent or question, or without any."""
    if not otherwise or not asks:
        raise ValueError("expected an agent and who answers what, as delegate:expert,roll=random")
    return Delegating(game, agents.load(otherwise, game), load_delegated(game, asks))
