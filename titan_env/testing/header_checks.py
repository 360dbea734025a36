"""Checks of a state's header, at every decision and at the end."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import Game, Reward, Status, payoff
from titan_env.testing.errors import require


def check_standing(game: Game, state: Any, decisions: int, before: Any | None = None) -> None:
    """Raise BadGame for an invalid header of a state; `before` is the state that led there."""
    seats, over, ask, seat = (int(state[name]) for name in ("seats", "over", "ask", "seat"))
    fewest, most = game.rules.seats
    require(over in list(Status), "over to be one of Status", over)
    require(fewest <= seats <= most, f"seats from {fewest} to {most}", seats, "configure writes them")
    write = "count with % state.seats"
    require(0 <= seat < seats, f"seat to be one of 0 to {seats - 1}, at the end too", seat, write)
    write = "leave it alone: what plays a step counts it"
    require(state.decisions == decisions, f"decisions={decisions}", int(state.decisions), write)
    if over == Status.RUNNING:
        known, write = [int(kind) for kind in game.rules.asks if kind], "write state.ask in setup and step"
        require(ask in known, f"ask to say what is asked, one of {known}", ask, write)
        require(not state.out[seat], "a seat that is in to be asked", f"seat {seat}, which is out", "go on to the next")
    else:
        require(ask == 0, "ask=0 at the end", ask, "leave it to what plays a step, and do not step on")
    for name in ("won", "place", "out", "scores"):
        require(not state[name][seats:].any(), f"{name} of the seats at the table only", state[name].tolist())
    for name in ("won", "out"):
        require(set(state[name].tolist()) <= {0, 1}, f"{name} of 0 and 1", state[name].tolist())
    _check_result(state, seats)
    if before is not None:
        _check_seats_that_are_out(before, state)


def _check_result(state: Any, seats: int) -> None:
    """Check that winners and places are final where they are set, and fit together."""
    final = state.over == Status.TERMINATED or state.out[:seats] == 1
    won, place = state.won[:seats], state.place[:seats]
    write = "end the game with state.over = Status.TERMINATED, or let the seat go with state.out[seat] = 1"
    require(not (won * (1 - final)).any(), "won where the game has terminated or the seat is out", won.tolist(), write)
    require(not state.out[:seats].all() or state.over, "the game to be over where every seat is out", "one that runs")
    require(((place >= 0) & (place <= seats)).all(), f"places from 1 to {seats}, or 0", place.tolist())
    require(
        not (place * (1 - final)).any(),
        "places where the game has terminated or the seat is out",
        place.tolist(),
        write,
    )
    if state.over == Status.TERMINATED and place.any():
        ranks = [1 + int((place < own).sum()) for own in place]
        require(place.tolist() == ranks, f"places of all, equals sharing the better one ({ranks})", place.tolist())
        behind = [seat for seat in np.flatnonzero(won) if place[seat] > place[won == 0].min(initial=seats + 1)]
        require(not behind, "winners to be placed before all others", f"won {won.tolist()}, place {place.tolist()}")


def _check_seats_that_are_out(before: Any, state: Any) -> None:
    """Check that seats that were out stay out with the same result."""
    for seat in np.flatnonzero(before.out):
        kept = all(before[name][seat] == state[name][seat] for name in ("out", "won", "place"))
        require(kept, f"the result of seat {seat}, which is out, to be final", "another one, after it had been paid")


def check_payoffs(game: Game, state: Any) -> None:
    """Check that payoffs sum to zero, for every kind of reward that leaves no result open.

    In a truncated game these are the payoffs by rank, and those by winning once somebody has won.
    """
    has_winner = bool(np.any(state.won[: state.seats]))
    for reward in Reward:
        if reward == Reward.SCORE and game.rules.score_scale is None:
            continue
        is_settled = {Reward.WIN: has_winner, Reward.RANK: True, Reward.SCORE: False}[reward]
        if state.over != Status.TERMINATED and not is_settled:
            continue
        name = reward.name.lower()
        paid = [float(payoff(state, seat, *game.rules.reward_scale(name))) for seat in range(state.seats)]
        write = "where seats leave before the end somebody must win; equals at the end all do"
        got = f"{paid} with won={state.won[: state.seats].tolist()}"
        require(abs(sum(paid)) <= 1e-4 * (1 + max(map(abs, paid))), f"payoffs by {name} that sum to 0", got, write)
