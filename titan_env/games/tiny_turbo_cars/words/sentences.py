"""Tiny Turbo Cars in words: what a seat is about to do, and what has happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from titan_env.contract.translation import mark
from titan_env.games.tiny_turbo_cars.rules import actions
from titan_env.games.tiny_turbo_cars.rules.boards import CARS, cell_name
from titan_env.games.tiny_turbo_cars.rules.controller import LONGEST_PUSH, STRIDE, hole_of
from titan_env.games.tiny_turbo_cars.rules.state import LANES, NO_CAR, NOBODY, Cause, Event, Gain, Tile
from titan_env.games.tiny_turbo_cars.words.translation import _, tile_name

TOKENS = ("I", "II", "III")
_CAUSE = {
    Cause.OBSTACLE: mark("to an obstacle"),
    Cause.CAR: mark("to another car"),
    Cause.IMPASSABLE: mark("at what is impassable"),
    Cause.MISSILE: mark("to a missile"),
    Cause.PENALTY: mark("as the penalty of the last"),
}
_GAIN = {Gain.POSITION: mark("for the cars before it"), Gain.MISSILE: mark("for its missile")}


_PUSH = {
    "up": mark("{who} pushes {tiles} up"),
    "down": mark("{who} pushes {tiles} down"),
    "left": mark("{who} pushes {tiles} left"),
    "right": mark("{who} pushes {tiles} right"),
}
_DO = {
    "finish": mark("{who} finishes programming"),
    "drive": mark("{who} drives"),
    "fly:stay": mark("{who} stays where it is"),
    "fly:left": mark("{who} flies to the left"),
    "fly:right": mark("{who} flies to the right"),
    "shield:spend": mark("{who} gives a shield for 2 cells"),
    "shield:stop": mark("{who} spends no more shields"),
}


def driver_name(state: Any, who: int) -> str:
    """Return the name of a seat's car; before it has one, of the seat."""
    car = int(state.drivers[who].car)
    return _("Player {n}", n=who + 1) if car == NO_CAR else str(CARS[car]["name"])


def token_name(state: Any, token: int) -> str:
    """Return the print on the back of a smile token: I, II, III, and X on the last."""
    return "X" if token == state.seats else TOKENS[token - 1]


def place_name(row: int, lane: int) -> str:
    """A cell by its name, also one that lies beside the track."""
    return cell_name(row, lane) if 0 <= lane < LANES and row > 0 else _("the border")


def pushed_tiles(state: Any, number: int) -> list[Tile]:
    """Return the tiles that a slide moves, the one that fills the hole first."""
    driver = state.drivers[int(state.seat)]
    hole, stride = hole_of(driver), int(STRIDE[number // LONGEST_PUSH])
    cells = [hole + stride * (tile + 1) for tile in range(number % LONGEST_PUSH + 1)]
    return [Tile(int(driver.controller[cell])) for cell in cells]


def describe_action(state: Any, action: int) -> str:
    """Return the sentence of an action in this state, about the seat that is asked."""
    who = driver_name(state, int(state.seat))
    verb, _sep, thing = actions.ACTIONS.texts[action].partition(":")
    if verb == "push":
        tiles = _(" and ").join(tile_name(tile) for tile in pushed_tiles(state, action - actions.PUSH))
        return _(_PUSH[thing.rstrip("23")], who=who, tiles=tiles)
    if verb == "car":
        return _("{who} chooses {car}", who=who, car=CARS[actions.CARS.index(thing)]["name"])
    if verb == "place":
        return _("{who} stands on place {n}", who=who, n=thing)
    return _(_DO.get(verb) or _DO[f"{verb}:{thing}"], who=who)


def describe_action_for(state: Any, action: int, seat: int) -> str:
    """Return an action as text for another seat: of a slide only that it was made."""
    if action < actions.FINISH and seat != state.seat:
        return _("{who} slides", who=driver_name(state, int(state.seat)))
    return describe_action(state, action)


def describe_event(state: Any, event: Any) -> str:
    """Return an event (a row of the log: kind, who, second, third) as a sentence."""
    kind, who, second, third = (int(number) for number in event)
    name = _("Player {n}", n=who + 1) if kind == Event.CHOSE else driver_name(state, who)
    return _TELL[Event(kind)](state, name, second, third)


def _bumped(state: Any, who: str, whom: int, third: int) -> str:
    if whom == NOBODY:
        return _("{who} bumps into an obstacle", who=who)
    return _("{who} bumps into {whom}", who=who, whom=driver_name(state, whom))


def _command(state: Any, who: str, tile: int, value: int) -> str:
    """A command with its final value, where it has one."""
    name = tile_name(tile)
    if tile > Tile.BATTERY:
        return _("{name}: {text}", name=who, text=name)
    return _("{who}: {tile}, {n}", who=who, tile=name, n=value)


def _done(state: Any, who: str, token: int, slides: int) -> str:
    return _.many(
        "{who} is done after 1 slide and takes token {token}",
        "{who} is done after {n} slides and takes token {token}",
        slides,
        who=who,
        token=token_name(state, token),
    )


def _lost(state: Any, who: str, left: int, cause: int) -> str:
    return _("{who} loses a battery {cause} ({n} left)", who=who, cause=_(_CAUSE[Cause(cause)]), n=left)


def _shielded(state: Any, who: str, left: int, cause: int) -> str:
    return _("{who} loses a shield {cause} ({n} left)", who=who, cause=_(_CAUSE[Cause(cause)]), n=left)


def _gained(state: Any, who: str, shields: int, why: int) -> str:
    why_said = _(_GAIN[Gain(why)])
    return _.many("{who} gains 1 shield {why}", "{who} gains {n} shields {why}", shields, who=who, why=why_said)


def _fired(state: Any, who: str, touched: int, third: int) -> str:
    if not touched:
        return _("{who} fires a missile that touches nobody", who=who)
    return _("{who} fires a missile that touches {n}", who=who, n=touched)


def _at(text: str) -> _Teller:
    """The sentence of an event that happens on a cell."""
    return lambda state, who, row, lane: _(text, who=who, cell=place_name(row, lane))


def _plain(text: str) -> _Teller:
    """The sentence of an event about a car, with at most a number."""
    return lambda state, who, n, m: _(text, who=who, n=n)


_Teller = Callable[[Any, str, int, int], str]
_TELL: dict[Event, _Teller] = {
    Event.CHOSE: lambda state, who, n, m: _("{who} drives {car}", who=who, car=CARS[n]["name"]),
    Event.PLACED: _at(mark("{who} stands on {cell}")),
    Event.ROUND: _plain(mark("Round {n} begins; {who} is asked first")),
    Event.DONE: _done,
    Event.COUNTDOWN: lambda state, who, n, m: _.many(
        "The countdown begins: {who} has 1 slide", "The countdown begins: {who} has {n} slides", n, who=who
    ),
    Event.DROVE: lambda state, who, n, m: _("{who} drives with token {token}", who=who, token=token_name(state, n)),
    Event.COMMAND: _command,
    Event.IGNORED: lambda state, who, n, m: _("{who} ignores {tile}", who=who, tile=tile_name(n)),
    Event.MOVED: _at(mark("{who} is on {cell}")),
    Event.SLIPPING: _at(mark("{who} takes the slip token on {cell}")),
    Event.BUMPED: _bumped,
    Event.CROSSED: _plain(mark("{who} crosses the line")),
    Event.BLOCKED: _at(mark("{who} cannot pass {cell}")),
    Event.FIRED: _fired,
    Event.HIT: lambda state, who, n, m: _(
        "{who} is touched by the missile of {whom}", who=who, whom=driver_name(state, n)
    ),
    Event.LOST: _lost,
    Event.SHIELDED: _shielded,
    Event.LAY_DOWN: _plain(mark("{who} lies down")),
    Event.CHARGED: _plain(mark("{who} charges up to {n}")),
    Event.STOOD_UP: _plain(mark("{who} stands up")),
    Event.FLEW: _at(mark("{who} flies to {cell}")),
    Event.SPENT: _plain(mark("{who} gives a shield ({n} left)")),
    Event.GAINED: _gained,
    Event.WON: lambda state, who, n, m: _.many(
        "{who} wins, 1 row past the line", "{who} wins, {n} rows past the line", n, who=who
    ),
    Event.RANKED: _plain(mark("{who} takes place {n}")),
}
