"""Orchard: a game for points with places, in which equals share the first one and all may.

Rules. On its turn a seat picks one apple, shakes a tree, or gathers what lies on the ground. Of the apples that
a shaken tree lets fall the shaker catches half; the others lie there for whoever gathers them. After so many
rounds the most apples win; who has as many shares the place.

What it shows of the contract: `scores`, `place` and `score_scale`; several seats in `won`; observations in whole
numbers with scales; a question of chance with unequal answers (`draw_weighted`).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from titan_env.contract import (
    HEADER,
    MOST_SEATS,
    ActionTable,
    Field,
    Fields,
    Game,
    Metadata,
    Rules,
    Status,
    Text,
    draw,
    draw_weighted,
    log_event,
    rule,
)

PICK, SHAKE, GATHER = 0, 1, 2
MOST_ROUNDS = 9
HALVES = np.array([2, 5, 3, 1])
"""How likely it is that 0, 1, 2 or 3 apples fall on each side of a shaken tree."""
MOST_APPLES = 120  # that can lie anywhere: six shaken trees a round


class Ask(IntEnum):
    """What the seat to act is asked."""

    NOTHING = 0
    HARVEST = 1


class Event(IntEnum):
    """What can happen: who, nothing, how many apples."""

    PICKED = 0
    SHOOK = 1
    GATHERED = 2


STATE = np.dtype([*HEADER, ("rounds", np.int8), ("ground", np.int16)])
FIELDS = Fields(
    (
        Field("ground", (), 0, 2, "apples on the ground, / 60", scale=60),
        Field("turns", (), 0, 1, "decisions still to come, share of a round of six for nine rounds", scale=54),
        Field("apples", (MOST_SEATS,), 0, 2, "apples of each seat, / 60, the own first", scale=60),
        Field("seated", (MOST_SEATS,), 0, 1, "somebody sits there"),
    ),
    whole=True,
)
ACTIONS = ActionTable(("pick", "shake", "gather"))


def configure(players: int = 2, rounds: int = 9) -> np.recarray[Any, Any]:
    """A game before any chance."""
    for name, number, low, high in (("players", players, 2, MOST_SEATS), ("rounds", rounds, 1, MOST_ROUNDS)):
        if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
            raise ValueError(f"expected {name} from {low} to {high}, got {number!r}")
    fresh = np.zeros(1, STATE).view(np.recarray)
    fresh["seats"], fresh["rounds"] = players, rounds
    return fresh


@rule
def set_up(state: Any, luck: Any) -> None:
    """Anybody may begin; nothing lies on the ground yet."""
    state.seat = draw(luck, state.seats)
    state.ask = Ask.HARVEST


@rule
def legal(state: Any, mask: Any) -> None:
    """Pick or shake whenever you like; gather where something lies on the ground."""
    mask[PICK] = mask[SHAKE] = state.over == 0
    mask[GATHER] = state.over == 0 and state.ground > 0


@rule
def play(state: Any, action: int, luck: Any, log: Any) -> None:
    """Harvest; after the last turn of the last round the apples are counted."""
    seat = state.seat
    if action == PICK:
        harvest(state, 1)
        log_event(log, Event.PICKED, seat, 0, 1)
    elif action == SHAKE:
        half = draw_weighted(luck, HALVES)
        harvest(state, half)
        state.ground += half
        log_event(log, Event.SHOOK, seat, 0, 2 * half)
    else:
        log_event(log, Event.GATHERED, seat, 0, state.ground)
        harvest(state, state.ground)
        state.ground = 0
    state.seat = (seat + 1) % state.seats
    if turns_left(state) == 0:
        count(state)


@rule
def harvest(state: Any, apples: int) -> None:
    """Apples into the own basket."""
    state.scores[state.seat] += apples


@rule
def turns_left(state: Any) -> int:
    """Decisions still to come."""
    return state.rounds * state.seats - state.decisions


@rule
def count(state: Any) -> None:
    """The most apples win; who has as many as others has their place."""
    for seat in range(state.seats):
        state.place[seat] = 1
        for other in range(state.seats):
            state.place[seat] += state.scores[other] > state.scores[seat]
        state.won[seat] = state.place[seat] == 1
    state.over = Status.TERMINATED
    state.ask = Ask.NOTHING


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """Everybody sees everything, in whole numbers."""
    vector[:] = 0
    vector[0] = state.ground
    vector[1] = turns_left(state)
    for place in range(state.seats):
        vector[2 + place] = state.scores[(seat + place) % state.seats]
        vector[2 + MOST_SEATS + place] = 1


def describe_event(state: Any, event: Any) -> str:
    """An event in words."""
    kind, who, _, apples = (int(number) for number in event)
    return f"player_{who} {Event(kind).name.lower()} {apples}"


def validate_position(state: Any) -> None:
    """Whether it could be played on from here."""
    others, fixed = state.scores[state.seats :], (state.won, state.place, state.out)
    if state.over or state.ask != Ask.HARVEST or not 2 <= state.seats <= MOST_SEATS:
        raise ValueError(f"expected a running game of 2 to {MOST_SEATS}, got {state}")
    if not 1 <= state.rounds <= MOST_ROUNDS or not 0 <= state.decisions < state.rounds * state.seats:
        raise ValueError(f"expected up to {MOST_ROUNDS} rounds that are not over, got {state}")
    if not 0 <= state.seat < state.seats or any(part.any() for part in (others, *fixed)):
        raise ValueError(f"expected a seat that is asked, and no result yet, got {state}")
    if not 0 <= state.ground <= MOST_APPLES or state.scores.min() < 0 or state.scores.max() > MOST_APPLES:
        raise ValueError(f"expected 0 to {MOST_APPLES} apples, got {state}")
    if state.ground + state.scores.sum() > 6 * state.decisions:
        raise ValueError(f"expected at most six apples a turn, got {state}")


GAME = Game(
    name="orchard",
    rules=Rules(
        state=STATE,
        seats=(2, MOST_SEATS),
        actions=ACTIONS,
        asks=Ask,
        events=Event,
        fields=FIELDS,
        score_scale=10.0,
        setup=set_up,
        legal=legal,
        step=play,
        observe=observe,
        configure=configure,
        options={"players": "how many play", "rounds": "turns of each seat"},
        presets={"duel": {}, "six": {"players": 6, "rounds": 2}},
    ),
    text=Text(
        describe_event=describe_event,
        validate_position=validate_position,
    ),
    metadata=Metadata(
        title="Orchard",
        version=0,
    ),
)
