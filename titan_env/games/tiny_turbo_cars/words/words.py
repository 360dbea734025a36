"""Tiny Turbo Cars in words: what a seat is about to do, and what has happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from titan_env.games.tiny_turbo_cars.rules import actions
from titan_env.games.tiny_turbo_cars.rules.boards import CARS, cell_name
from titan_env.games.tiny_turbo_cars.rules.controller import LONGEST_PUSH, STRIDE, hole_of
from titan_env.games.tiny_turbo_cars.rules.state import LANES, NO_CAR, NOBODY, Cause, Event, Gain, Tile

TILE_NAMES = {tile: tile.name.replace("_", " ").capitalize() for tile in Tile}
TILE_NAMES |= {Tile.PLUS: "Increase", Tile.MINUS: "Decrease", Tile.BLANK: "Nothing", Tile.HOLE: "the hole"}
"""The tiles as they are spoken."""
TOKENS = ("I", "II", "III")
_CAUSE = {
    Cause.OBSTACLE: "to an obstacle",
    Cause.CAR: "to another car",
    Cause.IMPASSABLE: "at what is impassable",
    Cause.MISSILE: "to a missile",
    Cause.PENALTY: "as the penalty of the last",
}
_GAIN = {Gain.POSITION: "for the cars before it", Gain.MISSILE: "for its missile"}


def driver_name(state: Any, who: int) -> str:
    """The name of a seat's car; before it has one, of the seat."""
    car = int(state.drivers[who].car)
    return f"Player {who + 1}" if car == NO_CAR else str(CARS[car]["name"])


def token_name(state: Any, token: int) -> str:
    """What is printed on the back of a smile token: I, II, III, and X on the last."""
    return "X" if token == state.seats else TOKENS[token - 1]


def place_name(row: int, lane: int) -> str:
    """A cell by its name, also one that lies beside the track."""
    return cell_name(row, lane) if 0 <= lane < LANES and row > 0 else "the border"


def pushed_tiles(state: Any, number: int) -> list[Tile]:
    """The tiles that a slide moves, the one that fills the hole first."""
    driver = state.drivers[int(state.seat)]
    hole, stride = hole_of(driver), int(STRIDE[number // LONGEST_PUSH])
    places = [hole + stride * (tile + 1) for tile in range(number % LONGEST_PUSH + 1)]
    return [Tile(int(driver.controller[place])) for place in places]


def describe_action(state: Any, action: int) -> str:
    """What an action means in this state, as a sentence about the seat that is asked."""
    who = driver_name(state, int(state.seat))
    verb, _, thing = actions.ACTIONS.texts[action].partition(":")
    if verb == "push":
        tiles = " and ".join(TILE_NAMES[tile] for tile in pushed_tiles(state, action - actions.PUSH))
        return f"{who} pushes {tiles} {thing.rstrip('23')}"
    phrases = {
        "finish": f"{who} finishes programming",
        "car": f"{who} chooses {thing and CARS[actions.CARS.index(thing)]['name'] if verb == 'car' else ''}",
        "place": f"{who} stands on place {thing}",
        "drive": f"{who} drives",
        "fly": f"{who} stays where it is" if thing == "stay" else f"{who} flies to the {thing}",
        "shield": f"{who} gives a shield for 2 cells" if thing == "spend" else f"{who} spends no more shields",
    }
    return phrases[verb]


def describe_action_for(state: Any, action: int, seat: int) -> str:
    """The same as another seat hears it: of a slide only that it was made."""
    if action < actions.FINISH and seat != state.seat:
        return f"{driver_name(state, int(state.seat))} slides"
    return describe_action(state, action)


def describe_event(state: Any, event: Any) -> str:
    """An event (a row of the log: kind, who, second, third) as a sentence."""
    kind, who, second, third = (int(number) for number in event)
    name = f"Player {who + 1}" if kind == Event.CHOSE else driver_name(state, who)
    return _TELL[Event(kind)](state, name, second, third)


def _gain(shields: int) -> str:
    return "1 shield" if shields == 1 else f"{shields} shields"


def _bumped(state: Any, who: str, whom: int, third: int) -> str:
    return f"{who} bumps into " + ("an obstacle" if whom == NOBODY else driver_name(state, whom))


def _command(state: Any, who: str, tile: int, value: int) -> str:
    """A command with its final value, where it has one."""
    return f"{who}: {TILE_NAMES[Tile(tile)]}" + (f", {value}" if tile <= Tile.BATTERY else "")


_Teller = Callable[[Any, str, int, int], str]
_TELL: dict[Event, _Teller] = {
    Event.CHOSE: lambda state, who, n, m: f"{who} drives {CARS[n]['name']}",
    Event.PLACED: lambda state, who, n, m: f"{who} stands on {place_name(n, m)}",
    Event.ROUND: lambda state, who, n, m: f"Round {n} begins; {who} is asked first",
    Event.DONE: lambda state, who, n, m: f"{who} is done after {m} slides and takes token {token_name(state, n)}",
    Event.COUNTDOWN: lambda state, who, n, m: f"The countdown begins: {who} has {n} slides",
    Event.DROVE: lambda state, who, n, m: f"{who} drives with token {token_name(state, n)}",
    Event.COMMAND: _command,
    Event.IGNORED: lambda state, who, n, m: f"{who} ignores {TILE_NAMES[Tile(n)]}",
    Event.MOVED: lambda state, who, n, m: f"{who} is on {place_name(n, m)}",
    Event.SLIPPING: lambda state, who, n, m: f"{who} takes the slip token on {place_name(n, m)}",
    Event.BUMPED: _bumped,
    Event.CROSSED: lambda state, who, n, m: f"{who} crosses the line",
    Event.BLOCKED: lambda state, who, n, m: f"{who} cannot pass {place_name(n, m)}",
    Event.FIRED: lambda state, who, n, m: f"{who} fires a missile that touches {n or 'nobody'}",
    Event.HIT: lambda state, who, n, m: f"{who} is touched by the missile of {driver_name(state, n)}",
    Event.LOST: lambda state, who, n, m: f"{who} loses a battery {_CAUSE[Cause(m)]} ({n} left)",
    Event.SHIELDED: lambda state, who, n, m: f"{who} loses a shield {_CAUSE[Cause(m)]} ({n} left)",
    Event.LAY_DOWN: lambda state, who, n, m: f"{who} lies down",
    Event.CHARGED: lambda state, who, n, m: f"{who} charges up to {n}",
    Event.STOOD_UP: lambda state, who, n, m: f"{who} stands up",
    Event.FLEW: lambda state, who, n, m: f"{who} flies to {place_name(n, m)}",
    Event.SPENT: lambda state, who, n, m: f"{who} gives a shield ({n} left)",
    Event.GAINED: lambda state, who, n, m: f"{who} gains {_gain(n)} {_GAIN[Gain(m)]}",
    Event.WON: lambda state, who, n, m: f"{who} wins, {n} rows past the line",
}
