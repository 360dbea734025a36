"""Lists of agents' names in one text, assigned to seats."""

from __future__ import annotations

from titan_env.agents import Agent, load
from titan_env.agents.name_grammar import split_names
from titan_env.contract import Game


def seat_names(names: str, seats: int) -> list[str]:
    """Return the names of the agents in all seats; too few are repeated in order.

    Raises ValueError for more names than seats.
    """
    chosen = split_names(names)
    if len(chosen) > seats:
        raise ValueError(f"expected at most {seats} agents, one for each seat, got {len(chosen)}: {', '.join(chosen)}")
    return [chosen[seat % len(chosen)] for seat in range(seats)]


def seat_agents(game: Game, names: str, seats: int) -> list[Agent]:
    """Return the agents in all seats; too few are repeated in order. Raises ValueError for invalid names."""
    agents = {name: load(name, game) for name in seat_names(names, seats)}
    return [agents[name] for name in seat_names(names, seats)]
