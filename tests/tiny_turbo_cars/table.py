"""A table to play the examples at: draw cells, place cars, set programs, play actions by their texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from titan_env.contract import preset
from titan_env.engine.batch import Batch, Records
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.rules.actions import CARS
from titan_env.games.tiny_turbo_cars.rules.boards import LANE_NAMES, SYMBOLS, cell_name
from titan_env.games.tiny_turbo_cars.rules.state import COMMANDS, FIRST_COMMAND, PLACES, Ask, Event, Tile
from titan_env.games.tiny_turbo_cars.rules.track import cell

FAR_AWAY = 70
"""Where the finish line of an empty track lies."""
NOTHING = [Tile.BLANK] * PLACES

Place = tuple[int, int]


def place_of(name: str) -> Place:
    """Row and lane of a cell by its name."""
    return int(name[1:]), LANE_NAMES.index(name[0])


def track(cells: str = "") -> Records:
    """A race on an empty track of 50 rows with these cells, ``"C6 o, C7 X"``; nobody is on it yet."""
    states = GAME.rules.configure(boards=["driveway", "kitchen", "library", "corridor", "garden"])
    state = states[0]
    state.terrain[cell(1, 0) :] = 0
    state.line = FAR_AWAY
    for word in filter(None, cells.split(", ")):
        name, symbol = word.split()
        state.terrain[cell(*place_of(name))] = SYMBOLS[symbol]
    return states


class Table:
    """One race under way, in which anything may be set and every action has its text."""

    def __init__(self, states: Records) -> None:
        self.batch = Batch(GAME, 1, templates=states, events=True)
        self.batch.seed(0)
        self.batch.states[:] = states
        self.batch.refresh()
        self.history: list[tuple[Any, ...]] = []
        """Events of all actions played: (Event, who, second, third)."""

    @property
    def state(self) -> Any:
        return self.batch.states[0]

    def play(self, *texts: str) -> Table:
        """Play actions one after the other."""
        for text in texts:
            assert text in self.legal(), f"{text} is not among {self.legal()}"
            self.batch.step([GAME.rules.actions.read(text)])
            self.history += [(Event(kind), *rest) for kind, *rest in self.batch.last_events(0).tolist()]
        return self

    def legal(self) -> list[str]:
        """The texts of the legal actions."""
        return [GAME.rules.actions.texts[action] for action in np.flatnonzero(self.batch.masks[0])]

    @property
    def asked(self) -> tuple[str, int]:
        """What is asked, and which seat."""
        return Ask(self.state.ask).name.lower(), int(self.state.seat)

    def at(self, who: int = 0) -> str:
        """Where a car is."""
        driver = self.state.drivers[who]
        return cell_name(int(driver.row), int(driver.lane))

    def events(self, *kinds: Event) -> list[tuple[Any, ...]]:
        """What has happened so far, of some kinds."""
        return [event for event in self.history if event[0] in kinds]

    def after_each_command(self, who: int = 0, begun: str = "C3") -> list[str]:
        """Where a car was after each of the eight commands of its turn."""
        cells: list[str] = []
        here = begun
        for kind, whose, second, third in self.history:
            if kind in (Event.COMMAND, Event.IGNORED) and whose == who:
                cells.append(here)
            elif kind == Event.MOVED and whose == who:
                here = cell_name(second, third)
        return [*cells[1:], here]


def turn(
    program: str,
    *,
    cells: str = "",
    on: str = "C3",
    car: str = "sonic_fish",
    others: Sequence[str] = ("F1",),
    charged: Sequence[int] = (),
    kinds: Sequence[str] = (),
    batteries: int = 3,
    shields: int = 0,
    lying: bool = False,
    last: bool = False,
) -> Table:
    """The turn of seat 0, asked to drive: its program, and where the others stand; `charged` and `kinds` are theirs."""
    states = track(cells)
    state = states[0]
    free = [name for name in CARS if name != car and name not in kinds]
    names = [car, *kinds, *free][: 1 + len(others)]
    state.seats, state.ask, state.seat, state.draft, state.rounds = 1 + len(others), Ask.DRIVE, 0, 0, 1
    drivers = state.drivers
    drivers["batteries"] = 0
    for who, (place, name) in enumerate(zip([on, *others], names, strict=True)):
        drivers["car"][who] = CARS.index(name)
        drivers["row"][who], drivers["lane"][who] = place_of(place)
        drivers["batteries"][who] = [batteries, *charged, *[3] * len(others)][who]
        drivers["token"][who] = who + 1
        drivers["controller"][who] = NOTHING
    if last:
        drivers["token"][: 1 + len(others)] = [1 + len(others), *range(1, 1 + len(others))]
    drivers["shields"][0], drivers["lying"][0] = shields, lying
    commands = [Tile[word.upper()] for word in program.split()]
    drivers["controller"][0, FIRST_COMMAND : FIRST_COMMAND + len(commands)] = commands
    assert len(commands) <= COMMANDS
    return Table(states)


LINE = 40
"""The last row before the finish line of `ended`."""


def ended(cells: list[str], tokens: list[int], *, lying: int | None = None, podium: bool = False) -> Table:
    """The end of a round on a track whose line lies behind row 40: cells and tokens of the cars."""
    table = turn("", on=cells[0], others=cells[1:])
    table.state.line, table.state.podium = LINE, podium
    table.state.drivers["token"][: len(cells)] = tokens
    table.state.seat = tokens.index(max(tokens))
    if lying is not None:
        table.state.drivers["lying"][lying], table.state.drivers["batteries"][lying] = 1, 0
    table.batch.refresh()
    return table.play("drive")


BOARDS = ["driveway", "living_room", "kitchen", "library", "garden"]


def race(first: int = 0, **options: Any) -> Table:
    """A race from its beginning, with this first player and boards that are named."""
    table = Table(GAME.rules.configure(**{"boards": BOARDS, **options}))
    preset(table.batch.luck[0], [first])
    table.batch.start()
    return table


def programming(first: int = 0, players: int = 4, **options: Any) -> Table:
    """A race in which the cars stand on the grid and the first programming has begun."""
    table = race(first, cars=CARS[:players], **options)
    return table.play(*(f"place:{place + 1}" for place in range(players)))
