"""Pig, the dice game: roll and add up, or hold before a 1 takes it all away."""

from __future__ import annotations

import re
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
    Presentation,
    Rules,
    Status,
    Text,
    draw,
    log_event,
    rule,
)
from titan_env.contract.shapes import Label, Shape

ROLL, HOLD = 0, 1
MOST_GOAL = 100


class Ask(IntEnum):
    """What the seat to act is asked."""

    NOTHING = 0
    ROLL_OR_HOLD = 1


class Event(IntEnum):
    """What can happen: who, which face or nothing, how many points."""

    ROLLED = 0
    HELD = 1
    LOST = 2


STATE = np.dtype(
    [
        *HEADER,
        ("goal", np.int16),
        ("limit", np.int16),  # decisions until the game is truncated; 0: none
        ("heap", np.int16),  # points of this turn that are not safe yet
        ("points", np.int16, (MOST_SEATS,)),
    ]
)

FIELDS = Fields(
    (
        Field("heap", (), 0, 1, "points at risk, share of the goal"),
        Field("goal", (), 0, 1, "the goal, hundredths"),
        Field("points", (MOST_SEATS,), 0, 1, "safe points, share of the goal, the own first"),
        Field("seated", (MOST_SEATS,), 0, 1, "somebody sits there"),
    )
)
ACTIONS = ActionTable(("roll", "hold"))


def configure(players: int = 2, goal: int = 20, limit: int = 0) -> np.recarray[Any, Any]:
    """A game before any chance."""
    for name, number, low, high in (
        ("players", players, 2, 6),
        ("goal", goal, 2, MOST_GOAL),
        ("limit", limit, 0, 9999),
    ):
        if isinstance(number, bool) or not isinstance(number, int):
            raise TypeError(f"expected {name} to be a whole number, got {number!r}")
        if not low <= number <= high:
            raise ValueError(f"expected {name} from {low} to {high}, got {number}")
    fresh = np.zeros(1, STATE).view(np.recarray)
    fresh["seats"], fresh["goal"], fresh["limit"] = players, goal, limit
    return fresh


@rule
def set_up(state: Any, luck: Any) -> None:
    """Anybody may begin."""
    state.seat = draw(luck, state.seats)
    state.ask = Ask.ROLL_OR_HOLD


@rule
def legal(state: Any, mask: Any) -> None:
    """Roll whenever you like; hold what you have rolled."""
    mask[ROLL] = state.over == 0
    mask[HOLD] = state.over == 0 and state.heap > 0


@rule
def play(state: Any, action: int, luck: Any, log: Any) -> None:
    """Roll the die or hold; who holds the goal wins."""
    seat = state.seat
    if action == HOLD:
        state.points[seat] += state.heap
        log_event(log, Event.HELD, seat, 0, state.heap)
        if state.points[seat] >= state.goal:
            state.won[seat] = 1
            state.over = Status.TERMINATED
            state.ask = Ask.NOTHING
            return
        pass_on(state)
    else:
        face = draw(luck, 6) + 1
        log_event(log, Event.ROLLED, seat, face, 0)
        state.heap = min(state.heap + face, state.goal)
        if face == 1:
            log_event(log, Event.LOST, seat, 0, 0)
            pass_on(state)
    if state.limit and state.decisions >= state.limit:
        state.over = Status.TRUNCATED
        state.ask = Ask.NOTHING


@rule
def pass_on(state: Any) -> None:
    """The next seat rolls."""
    state.heap = 0
    state.seat = (state.seat + 1) % state.seats


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """Everybody sees everything."""
    vector[:] = 0
    vector[0] = state.heap / state.goal
    vector[1] = state.goal / MOST_GOAL
    for place in range(state.seats):
        vector[2 + place] = min(1.0, state.points[(seat + place) % state.seats] / state.goal)
        vector[2 + MOST_SEATS + place] = 1


def describe_action(state: Any, action: int) -> str:
    """An action in words."""
    return ACTIONS.texts[action]


def describe_event(state: Any, event: Any) -> str:
    """An event in words."""
    kind, who, face, amount = (int(number) for number in event)
    details = {Event.ROLLED: f" {face}", Event.HELD: f" {amount}", Event.LOST: " the heap"}
    return f"player_{who} {Event(kind).name.lower()}{details[Event(kind)]}"


def position_text(state: Any) -> str:
    """The whole position as text, one line for each of its parts."""
    lines = [f"{name}: {np.asarray(state[name]).tolist()}" for name in STATE.names or ()]
    return "\n".join(lines)


def parse_position(text: str) -> Any:
    """The position of such a text."""
    fresh = np.zeros(1, STATE).view(np.recarray)
    lines = text.splitlines()
    if len(lines) != len(STATE.names or ()):
        raise ValueError(f"expected {len(STATE.names or ())} lines, got {len(lines)}")
    for line, name in zip(lines, STATE.names or (), strict=True):
        if not re.fullmatch(rf"{name}: [-0-9\[\], ]+", line):
            raise ValueError(f"expected the numbers of {name!r}, got {line!r}")
        try:
            fresh[name] = (
                [int(number) for number in re.findall(r"-?\d+", line)] if "[" in line else int(line.split()[-1])
            )
        except OverflowError as error:
            raise ValueError(f"expected smaller numbers of {name!r}: {error}") from None
    return fresh


def validate_position(state: Any) -> None:
    """Whether it could be played on from here."""
    if state.over or not 2 <= state.seats <= 6 or not 0 <= state.seat < state.seats or state.ask != Ask.ROLL_OR_HOLD:
        raise ValueError(f"expected a running game of 2 to 6, and a seat that is asked, got {state}")
    if not 2 <= state.goal <= MOST_GOAL or not 0 <= state.heap <= state.goal:
        raise ValueError(f"expected a goal from 2 to {MOST_GOAL}, and a heap up to it, got {state.goal}, {state.heap}")


def picture(state: Any, seat: int | None = None, events: Any = (), before: Any = None) -> list[Shape]:
    """The scores in a row."""
    return [Label(float(seat), 0.0, str(int(state.points[seat])), "#000000", 10) for seat in range(state.seats)]


def why_not(state: Any, action: int) -> str | None:
    """Why an action is illegal."""
    if state.over:
        return "The game is over."
    return "There is nothing to hold yet." if action == HOLD and not state.heap else None


GAME = Game(
    name="pig",
    rules=Rules(
        state=STATE,
        seats=(2, 6),
        actions=ACTIONS,
        asks=Ask,
        events=Event,
        fields=FIELDS,
        setup=set_up,
        legal=legal,
        step=play,
        observe=observe,
        configure=configure,
        options={"players": "how many play", "goal": "points that win", "limit": "decisions until truncation; 0: none"},
        presets={"duel": {}, "six": {"players": 6, "goal": 50}, "short": {"players": 3, "limit": 9}},
    ),
    text=Text(
        describe_action=describe_action,
        describe_event=describe_event,
        position_text=position_text,
        parse_position=parse_position,
        validate_position=validate_position,
        why_not=why_not,
    ),
    presentation=Presentation(
        picture=picture,
    ),
    metadata=Metadata(
        title="Pig",
        version=0,
    ),
)
