"""Agents around a table by their names in one text."""

from __future__ import annotations

import re

from titan_env.agents import Agent, load
from titan_env.contract import Game


def seat_names(names: str, seats: int) -> list[str]:
    """Return the names of agents around the table, again from the first where they are too few.

    Raises ValueError where they are too many.
    """
    chosen = read_names(names)
    if len(chosen) > seats:
        raise ValueError(f"expected at most {seats} agents, one for each seat, got {len(chosen)}: {', '.join(chosen)}")
    return [chosen[seat % len(chosen)] for seat in range(seats)]


def read_names(names: str) -> list[str]:
    """Agents by name, one after the other. A comma before a parameter belongs to the agent.

    >>> read_names("greedy:push=2,row=1,expert")
    ['greedy:push=2,row=1', 'expert']
    >>> read_names("policy:a,b.onnx;expert")
    ['policy:a,b.onnx', 'expert']
    """
    parts = names.split(";") if ";" in names else re.split(r",(?!\s*\w+=)", names)
    return [part.strip() for part in parts]


def seat_agents(game: Game, names: str, seats: int) -> list[Agent]:
    """The agents named, one after the other around the table, again from the first where they are too few."""
    agents = {name: load(name, game) for name in seat_names(names, seats)}
    return [agents[name] for name in seat_names(names, seats)]
