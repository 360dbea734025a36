"""The seats of a game as text that are asked: one against agents by name, or all of them."""

from __future__ import annotations

from typing import Any

from titan_env.agents.name_grammar import split_names
from titan_env.envs.text import GameTextEnv
from titan_env.play.delegation import MOST_STARTS


def agents_around(seats: int, seat: int | None, opponents: str | None) -> dict[int, str]:
    """Return the agents of the other seats: one for all, or names between commas in turn order after `seat`.

    Without opponents all seats are asked: {}. Raises ValueError for a seat that is not there, one without opponents, or
    too few agents.

    >>> agents_around(3, 1, "greedy,random")
    {2: 'greedy', 0: 'random'}
    """
    if seat is not None and seat not in range(seats):
        raise ValueError(f"expected a seat from 0 to {seats - 1}, got {seat!r}")
    if opponents is None:
        if seat is not None:
            raise ValueError(f"expected opponents beside seat {seat}, got none; without both all seats are asked")
        return {}
    names = split_names(opponents)
    if len(names) not in (1, seats - 1):
        raise ValueError(f"expected one agent for all other seats, or {seats - 1}, got {len(names)}: {opponents}")
    others = [((seat or 0) + turn) % seats for turn in range(1, seats)]
    return dict(zip(others, names * (seats - 1) if len(names) == 1 else names, strict=True))


def begin(text: GameTextEnv, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
    """Begin games, equal for equal seeds, until one asks a seat: others end before. Raises ValueError if none does."""
    text.reset(seed, options)
    for _ in range(MOST_STARTS):
        if text.seat >= 0:
            return
        text.reset(None, options)
    raise ValueError(f"expected a seat to be asked within {MOST_STARTS} games; raise max_cycles or tokens")
