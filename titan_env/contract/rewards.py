"""Payoffs of a result: by winning, by rank, or by points. Each sums to zero over the seats of a finished game."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from titan_env.compiler.jit import rule
from titan_env.contract.header import Status


class Reward(IntEnum):
    """The measure of a result."""

    WIN = 0
    RANK = 1
    SCORE = 2


@rule
def result_is_final(state: Any, seat: int, reward: int = 0) -> bool:
    """Return whether a seat's result is final before the end of the game.

    It is once the seat has left, and by winning for every seat once somebody has won. It never is with rewards by
    points: the points of the other seats, who go on, count against them.
    """
    if reward == Reward.WIN and somebody_has_won(state):
        return True
    return state.out[seat] != 0 and reward != Reward.SCORE


@rule
def somebody_has_won(state: Any) -> bool:
    """Return whether there is a winner already."""
    for seat in range(state.seats):
        if state.won[seat]:
            return True
    return False


@rule
def payoff(state: Any, seat: int, reward: int = 0, scale: float = 1.0) -> float:
    """Compute the payoff of `seat`: 0 while its result is open.

    A game that its own limit has cut short leaves results open, but for ranks, where the seats that had not left share
    the open places. `scale` is the number of points worth 1.
    """
    if state.over != Status.TERMINATED and not result_is_final(state, seat, reward):
        if state.over == Status.TRUNCATED and reward == Reward.RANK:
            return by_open_places(state)
        return 0.0
    if reward == Reward.SCORE:
        return by_score(state, seat) / scale
    if reward == Reward.RANK:
        return by_rank(state, seat)
    return by_win(state, seat)


@rule
def by_win(state: Any, seat: int) -> float:
    """Compute the payoff by winning: 1 for each winner, the opposite shared by the losers; 0 if all draw.

    If seats leave before the end the number of winners is not known yet: each loser pays what it would pay to a single
    winner, and the winners share that.
    """
    seats = state.seats
    winners = 0
    left = 0
    for other in range(seats):
        winners += state.won[other]
        left += state.out[other]
    losers = seats - winners
    if losers == 0 or (winners == 0 and not left):
        return 0.0
    if left:
        return losers / (seats - 1) / winners if state.won[seat] else -1.0 / (seats - 1)
    return 1.0 if state.won[seat] else -winners / losers


@rule
def by_rank(state: Any, seat: int) -> float:
    """Compute the payoff by rank, from 1 for the first to -1 for the last in even steps; ties share their mean.

    In a game that keeps no places all winners come first and all others after them.
    """
    seats = state.seats
    place = state.place[seat]
    better = place - 1
    equals = 0
    winners = 0
    for other in range(seats):
        winners += state.won[other]
        equals += place > 0 and state.place[other] == place
    if place == 0:
        better = 0 if state.won[seat] else winners
        equals = winners if state.won[seat] else seats - winners
    mean = better + (equals + 1) / 2
    return (seats + 1 - 2 * mean) / (seats - 1)


@rule
def by_open_places(state: Any) -> float:
    """Compute the mean payoff by rank of the places that nobody has taken, for each seat that has not left."""
    taken = 0.0
    staying = 0
    for seat in range(state.seats):
        if state.out[seat]:
            taken += by_rank(state, seat)
        else:
            staying += 1
    return -taken / staying


@rule
def by_score(state: Any, seat: int) -> float:
    """Compute the difference between a seat's points and the mean of the others'."""
    others = 0
    for other in range(state.seats):
        others += state.scores[other]
    others -= state.scores[seat]
    return state.scores[seat] - others / (state.seats - 1)
