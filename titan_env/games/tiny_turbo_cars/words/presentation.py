"""Views for readers outside the engine: the position as one seat sees it, choices, colours, rules, statistics."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.games.tiny_turbo_cars.rules.boards import CARS, SYMBOLS
from titan_env.games.tiny_turbo_cars.rules.state import Ask, Car, Event, Gain
from titan_env.games.tiny_turbo_cars.words.notation import CAR_SIGNS
from titan_env.games.tiny_turbo_cars.words.position import position_text
from titan_env.games.tiny_turbo_cars.words.sentences import driver_name, token_name

OPTION_VALUES: Mapping[str, tuple[Any, ...]] = {
    "players": (4, 2, 3),
    "cars": ("draft", "random"),
    "boards": ("random", "generated"),
    "length": (3, 4, 1, 2),
    "slides": (30, 12, 60),
    "countdown": (10, 4, 20),
    "line_pushes": (False, True),
    "podium": (False, True),
    "round_limit": (20, None, 5),
}
"""The values offered for each option."""

RULE_OF: Mapping[IntEnum, str] = {
    Event.CHOSE: "turn.prepare",
    Event.PLACED: "turn.prepare",
    Event.ROUND: "programming.begin_round",
    Event.DONE: "programming.take_token",
    Event.COUNTDOWN: "programming.take_token",
    Event.DROVE: "turn.drive",
    Event.COMMAND: "commands.carry_out",
    Event.IGNORED: "damage.recharge",
    Event.MOVED: "movement.enter",
    Event.SLIPPING: "movement.take_slip_token",
    Event.BUMPED: "movement.enter",
    Event.CROSSED: "turn.end_round",
    Event.BLOCKED: "movement.step_on",
    Event.FIRED: "abilities.fire",
    Event.HIT: "abilities.fire",
    Event.LOST: "damage.pay",
    Event.SHIELDED: "damage.pay",
    Event.LAY_DOWN: "damage.lie_down",
    Event.CHARGED: "commands.battery",
    Event.STOOD_UP: "damage.recharge",
    Event.FLEW: "abilities.fly",
    Event.SPENT: "turn.spend",
    Event.GAINED: "turn.gain_shields",
    Event.WON: "turn.end_race",
    Event.RANKED: "turn.award_places",
}
"""The rule behind each kind of event, as a heading of RULES.md names it."""

_CELL = r"(?<= [.cgbowXS])"
STYLES: Mapping[str, str] = {
    **{
        rf"{_CELL}(?:[A-Z][a-z])*({sign})": f"bold black on {CARS[car]['colour']}"
        for car, sign in zip(Car, CAR_SIGNS, strict=True)
    },
    **{
        rf"(?<= )({re.escape(symbol)})(?= |[A-Z][a-z]|\n)": style
        for symbol, style in {
            "o": "yellow",
            "X": "red",
            "w": "cyan",
            "b": "magenta",
            "c": "green",
            "g": "green",
        }.items()
    },
    r"(===+)": "bold",
}
"""The styles of the text of a position."""
SIGNS: Mapping[str, str] = {
    **{sign: f"terrain:{kind.name.lower()}" for sign, kind in SYMBOLS.items() if kind},
    **{sign: f"car:{car.name.lower()}" for car, sign in zip(Car, CAR_SIGNS, strict=True)},
}
"""The entry of the glossary for each sign of the text of a position."""


def position_text_for(state: Any, seat: int) -> str:
    """Return the position as text for one seat: while programming, other controllers are face down."""
    lines, whose = [], -1
    for line in position_text(state).splitlines():
        if line.startswith("seat "):
            whose = int(line.split(":")[0].removeprefix("seat "))
        if state.ask == Ask.PROGRAM and line.startswith("  | ") and whose != seat:
            line = "  | ?? ?? ?? ??"
        lines.append(line)
    return "\n".join(lines)


COMMANDS = (Event.COMMAND, Event.IGNORED)
"""Events that begin a command of a turn."""


def part_events(events: NDArray[np.int32]) -> list[int]:
    """Return the numbers of the events at which a command of a turn begins, and the first after the turn."""
    begun = np.flatnonzero(np.isin(events[:, 0], COMMANDS))
    gained = (events[:, 0] == Event.GAINED) & (events[:, 3] == Gain.POSITION)
    over = np.flatnonzero(np.isin(events[:, 0], (Event.ROUND, Event.WON, Event.RANKED)) | gained)
    return [*begun.tolist(), *over[:1].tolist()] if len(begun) else []


def seat_names(state: Any) -> list[str]:
    """Return the name of each seat's car."""
    return [driver_name(state, seat) for seat in range(int(state.seats))]


def own_panel(state: Any, seat: int) -> str:
    """Return the key of a seat's car in the picture."""
    return f"seat:{seat}"


def statistics(state: Any) -> dict[str, Any]:
    """Return the statistics of a finished race: its rounds, rows of the foremost car, each seat's car and token."""
    drivers = state.drivers[: int(state.seats)]
    return {
        "rounds": int(state.rounds),
        "rows past the line": max(int(driver.row) - int(state.line) for driver in drivers),
        "car": [Car(int(driver.car)).name.lower() for driver in drivers],
        "token": [token_name(state, int(driver.token)) if driver.token else "none" for driver in drivers],
    }
