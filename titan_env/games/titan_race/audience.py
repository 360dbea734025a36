"""What people beside the engine want: the position as one player sees it, and what a race is counted by."""

from __future__ import annotations

from typing import Any

from titan_env.games.titan_race.cards import hand_size
from titan_env.games.titan_race.circuits import CIRCUIT_NAMES
from titan_env.games.titan_race.position import show
from titan_env.games.titan_race.state import OWN_TERRAIN, Titan


def show_to(state: Any, seat: int) -> str:
    """The position as text for one seat: of the other hands only how many cards they hold."""
    lines = []
    for line in show(state).splitlines():
        key, _, _ = line.partition(":")
        if key.startswith("hand ") and key != f"hand {seat}":
            count = hand_size(state, int(key.removeprefix("hand ")))
            line = f"{key}: {count} hidden"
        lines.append(line)
    return "\n".join(lines)


def traits(state: Any) -> dict[str, Any]:
    """What a finished race is counted by: its circuit, its length, who raced in which seat."""
    racing = state.titans[: int(state.titans_in_race)]
    kinds = [Titan(int(titan.kind)).name.lower() for titan in racing]
    seats = int(state.seats)
    own, slam = state.circuit[0] == OWN_TERRAIN, state.circuits > 1
    return {
        "circuit": "grand slam" if slam else "own drawing" if own else CIRCUIT_NAMES[state.circuit[0]],
        "turns per Titan": int(state.turns) / len(kinds),
        "titan": [" ".join(kinds[seat::seats]) for seat in range(seats)],
    }
