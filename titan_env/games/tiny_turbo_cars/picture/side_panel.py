"""The panel beside the track, as shapes: the question, each driver, the controller, the cars of the draft, a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from titan_env.contract.shapes import Box, Label, Line, Shape
from titan_env.contract.translation import mark
from titan_env.games.tiny_turbo_cars.picture.pieces import (
    FILLS,
    battery,
    car_piece,
    shield,
    terrain_icon,
    tile_piece,
)
from titan_env.games.tiny_turbo_cars.picture.track import Offers
from titan_env.games.tiny_turbo_cars.rules import actions
from titan_env.games.tiny_turbo_cars.rules.boards import CARS
from titan_env.games.tiny_turbo_cars.rules.controller import is_dealt
from titan_env.games.tiny_turbo_cars.rules.state import (
    ALL_CARS,
    BATTERIES,
    COMMANDS,
    FIRST_COMMAND,
    NO_CAR,
    PLACES,
    SIDE,
    Ask,
    Terrain,
)
from titan_env.games.tiny_turbo_cars.words.sentences import describe_action, driver_name, token_name
from titan_env.games.tiny_turbo_cars.words.translation import _, player_name, terrain_name

_QUESTIONS = {
    Ask.CAR: mark("{who} chooses a car"),
    Ask.PLACE: mark("{who} chooses a place on the grid"),
    Ask.PROGRAM: mark("{who} programs"),
    Ask.DRIVE: mark("{who} drives"),
    Ask.FLY: mark("{who} may fly"),
    Ask.SHIELD: mark("{who} may give a shield for 2 cells"),
}
_PRESSES = {f"push:{direction}": f"Arrow{direction.capitalize()}" for direction in actions.DIRECTIONS}
"""The keys that slide a tile: it goes where the arrow points."""
_SMALL = 12
_OF_CARS = 11  # in the draft: the longest name fits beside its car
_GAP = 0.12
_LEAST_NAME = 3
"""Letters of a player's name; fewer tell nobody who it is."""
ROW = 0.84
"""The height of a driver's line."""
TILE = 0.5
CONTROLLER = SIDE * TILE + 0.3
"""The room of a controller."""


class PanelContents(NamedTuple):
    """The contents of the drivers' lines: whether all programs are open, the current command, the names."""

    is_open: bool = False
    command: int | None = None
    names: Sequence[str] = ()


def question(state: Any) -> str:
    """Return the pending decision with its seat, or the winners, as text."""
    if state.over:
        names = [driver_name(state, who) for who in range(int(state.seats)) if state.won[who]]
        return _("{who} won the race", who=names[0]) if names else _("The race was stopped")
    text = _(_QUESTIONS[Ask(int(state.ask))], who=driver_name(state, int(state.seat)))
    left = int(state.time_left)
    return _.many("{what}: 1 slide left", "{what}: {n} slides left", left, what=text) if left else text


def heading(state: Any, left: float, top: float) -> list[Shape]:
    """The question and the round."""
    text = mark("round {n} of {limit}") if state.round_limit else mark("round {n}")
    return [
        Label(left, top, question(state), "ink", 14, "left", True),
        Label(left, top - 0.28, _(text, n=int(state.rounds), limit=int(state.round_limit)), "faint", _SMALL, "left"),
    ]


def drivers(
    state: Any,
    offers: Offers,
    left: float,
    top: float,
    wide: float,
    columns: int,
    contents: PanelContents,
    whom: Sequence[int],
) -> list[Shape]:
    """Draw a line for each of these drivers, in one column or two."""
    shapes: list[Shape] = []
    each = (wide + _GAP) / columns - _GAP
    for number, who in enumerate(whom):
        x, y = left + number % columns * (each + _GAP), top - 0.38 - number // columns * ROW
        shapes += _driver(state, who, x, y, each, offers, contents)
    return shapes


def _driver(
    state: Any, who: int, x: float, y: float, wide: float, offers: Offers, contents: PanelContents
) -> list[Shape]:
    """Draw one driver: car, batteries, shields, token, and the program once it may be seen."""
    driver = state.drivers[who]
    offered = offers.get(f"seat:{who}", ())
    sentences = "\n".join(describe_action(state, action) for action in offered)
    asked = who == state.seat and not state.over
    edge, own = ("accent", 0.04) if asked else ("edge", 0.01), (f"car:{who}",)
    shapes: list[Shape] = [
        Box(
            x,
            y - 0.38,
            wide,
            0.76,
            "panel",
            *edge,
            0.08,
            key=f"seat:{who}",
            title=sentences,
            action=offered or None,
            shows=own,
        )
    ]
    if driver.car != NO_CAR:
        shapes += car_piece(int(driver.car), x + 0.32, y, 0.25, bool(driver.lying), "", "")
    status = _status(state, who, x + wide - 0.1, y)
    shapes += [*_named(state, who, x + 0.68, y, status.reach[0] - _GAP, contents.names), status]
    for number in range(BATTERIES):
        up = number < driver.batteries
        shapes += battery(x + 0.76 + number * 0.2, y - 0.16, 0.09, up, f"battery:{who}:{number}")
    for number in range(int(driver.shields)):
        shapes.append(shield(x + 1.42 + number * 0.22, y - 0.15, 0.1))
    return shapes + _program(state, who, x + wide, y, contents, contents.command if asked else None)


def _named(state: Any, who: int, left: float, y: float, right: float, names: Sequence[str]) -> list[Shape]:
    """Draw the car, whose it is, and as much of the player's name as there is room for."""
    car = Label(left, y + 0.2, driver_name(state, who), "ink", _SMALL, "left", True)
    player = player_name(who) if state.drivers[who].car != NO_CAR else ""
    whose = Label(car.reach[2] + 2 * _GAP, y + 0.2, player, "ink", _SMALL, "left")
    name = _cut(names[who], right - whose.reach[2]) if who < len(names) else ""
    label = " · ".join(filter(None, (player, name)))
    return [car, replace(whose, text=label)] if label else [car]


def _cut(name: str, width: float) -> str:
    """Return a name, cut where there is no room for all of it; nothing where too little is left to be known by."""
    letters = int(width / Label(0, 0, "n", "ink", _SMALL).wide) - len(" · ")
    if len(name) <= letters:
        return name
    return f"{name[: letters - 1]}…" if letters > _LEAST_NAME else ""


def _status(state: Any, who: int, right: float, y: float) -> Label:
    """Token or slides, lying, slipping, final place."""
    driver = state.drivers[who]
    words = [_("lying")] * bool(driver.lying) + [_("slipping")] * bool(driver.slipping)
    if state.place[who]:
        words.append(_("place {n}", n=int(state.place[who])))
    elif driver.token:
        words.append(_("token {token}", token=token_name(state, int(driver.token))))
    elif state.ask == Ask.PROGRAM:
        words.append(_.many("1 slide", "{n} slides", int(driver.slides)))
    return Label(right, y + 0.2, ", ".join(words), "ink", _SMALL, "right")


def _program(state: Any, who: int, right: float, y: float, contents: PanelContents, command: int | None) -> list[Shape]:
    """Draw the eight commands of a driver, once all programs are public or where all controllers are open.

    The one that is being told is framed; those before it are done.
    """
    shapes: list[Shape] = []
    is_public = state.ask in (Ask.DRIVE, Ask.FLY, Ask.SHIELD) or bool(state.over)
    if not is_dealt(state.drivers[who]) or not (is_public or contents.is_open):
        return []
    for number in range(COMMANDS):
        tile = int(state.drivers[who].controller[FIRST_COMMAND + number])
        x = right - 0.22 - (COMMANDS - 1 - number) * 0.31
        edge = ("alarm", 0.035) if number == command else ("edge", 0.008)
        shapes += tile_piece(tile, x, y - 0.16, 0.28, edge)
    return shapes


def controller(state: Any, who: int, offers: Offers, left: float, top: float) -> list[Shape]:
    """Draw a controller with the program (rows 2 and 3) marked; a tile that can be pushed offers its slide."""
    driver = state.drivers[who]
    if not is_dealt(driver):
        return []
    whose = _("Controller of {who}", who=driver_name(state, who))
    shapes: list[Shape] = [
        Label(left, top + 0.16, whose, "ink", _SMALL, "left", True),
        Box(left, top - SIDE * TILE - 0.1, SIDE * TILE + 0.1, SIDE * TILE + 0.1, "panel", "edge", 0.01),
        Box(left, top - 3 * TILE - 0.05, SIDE * TILE + 0.1, 2 * TILE, "soft_green", "ink", 0.02, 0.03),
    ]
    mine = who == state.seat
    for i in range(PLACES):
        row, column = divmod(i, SIDE)
        key = f"tile:{who}:{i}"
        offered = offers.get(f"tile:{i}", ()) if mine else ()
        sentences = "\n".join(describe_action(state, action) for action in offered)
        edge = ("accent", 0.035) if offered else ("edge", 0.01)
        x, y = left + 0.05 + (column + 0.5) * TILE, top - 0.05 - (row + 0.5) * TILE
        tile = int(driver.controller[i])
        slide = offered[0] if offered else None
        press = _PRESSES.get(actions.ACTIONS.texts[slide], "") if slide is not None else ""
        shapes += tile_piece(tile, x, y, TILE * 0.9, edge, sentences, key, slide, press)
    finish = offers.get("finish", ()) if mine else ()
    if finish:
        low = top - SIDE * TILE - 0.5
        title = describe_action(state, finish[0])
        wide = SIDE * TILE + 0.1
        shapes.append(Box(left, low, wide, 0.32, "accent", "ink", 0.01, title=title, key="finish", action=finish))
        shapes.append(Label(left + wide / 2, low + 0.16, _("finish"), "paper", 13, bold=True))
    return shapes


def draft(state: Any, offers: Offers, left: float, top: float, wide: float, columns: int) -> list[Shape]:
    """Draw the cars that are left, with their abilities."""
    shapes: list[Shape] = []
    each = (wide + _GAP) / columns - _GAP
    choices = [car for car in range(ALL_CARS) if offers.get(f"choose:{car}")]
    for number, car in enumerate(choices):
        x, y = left + number % columns * (each + _GAP), top - 0.22 - number // columns * 0.52
        entry = CARS[car]
        title = _("{name}: {text}", name=entry["name"], text=_(str(entry["ability"])))
        key = f"choose:{car}"
        shapes += [
            Box(x, y - 0.22, each, 0.44, "panel", "accent", 0.03, title=title, key=key, action=offers[key]),
            *car_piece(car, x + 0.25, y, 0.2, False, title, "")[:2],
            Label(x + 0.49, y, str(entry["name"]), "ink", _OF_CARS, "left", True),
        ]
    return shapes


def legend(left: float, y: float, right: float) -> list[Shape]:
    """Draw the legend of the kinds of cells, in as many lines as it takes."""
    shapes: list[Shape] = []
    x = left
    for terrain in Terrain:
        if terrain == Terrain.EMPTY:
            continue
        name = _("carpet or grass") if terrain == Terrain.CARPET else terrain_name(terrain)
        label = Label(x + 0.36, y, name, "faint", _SMALL, "left")
        if label.x + label.wide > right:
            x, y = left, y - 0.4
            label = Label(x + 0.36, y, name, "faint", _SMALL, "left")
        shapes += [
            Box(x, y - 0.15, 0.3, 0.3, FILLS[terrain], "edge", 0.008, 0.0),
            *terrain_icon(terrain, x + 0.15, y, 0.13),
            label,
        ]
        x = label.x + label.wide + 0.25
    label = Label(x + 0.36, y, _("where the program would lead, alone"), "faint", _SMALL, "left")
    if label.x + label.wide > right:
        x, y = left, y - 0.4
        label = replace(label, x=x + 0.36, y=y)
    return [*shapes, Line(((x, y), (x + 0.3, y)), "ink", 0.05, dashed=True), label]
