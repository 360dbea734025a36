"""The track as shapes: it lies on its side and is driven to the right, in strips of some boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from titan_env.contract.shapes import Box, Label, Line, Path, Point, Shape, Sheet, cached_drawing, moving
from titan_env.contract.translation import mark
from titan_env.games.tiny_turbo_cars.picture.pieces import FILLS, GRASS, car_piece, terrain_icon
from titan_env.games.tiny_turbo_cars.rules.boards import LANE_NAMES, SYMBOLS, cell_name
from titan_env.games.tiny_turbo_cars.rules.state import BOARD_ROWS, LANES, UNPLACED, Terrain
from titan_env.games.tiny_turbo_cars.words.position import symbols
from titan_env.games.tiny_turbo_cars.words.sentences import describe_action, driver_name
from titan_env.games.tiny_turbo_cars.words.translation import _, board_name, terrain_name

Offers = Mapping[str, tuple[int, ...]]
"""The legal actions that a click on each thing offers, by its key."""
Offered = tuple[tuple[int, tuple[int, ...], tuple[str, ...]], ...]
"""Cells of a row that offer actions: the lane, their numbers, their words."""

_NEAR = {1: ((0.0, 0.0),), 2: ((-0.17, 0.17), (0.17, -0.17)), 3: ((-0.2, 0.22), (0.2, 0.0), (-0.2, -0.22))}
_NEAR[4] = ((-0.22, 0.22), (0.22, 0.22), (-0.22, -0.22), (0.22, -0.22))
"""The places of several cars on one cell."""


@dataclass(frozen=True)
class Layout:
    """The size of a cell, and the layout of the boards: strips from above downwards."""

    cell: float
    boards: int
    """Boards in a strip."""
    first: int = 0
    """The first strip that is drawn."""
    begin: float = 0.0
    """The height at which it begins."""

    @property
    def wide(self) -> float:
        """The width of a full strip."""
        return self.boards * BOARD_ROWS * self.cell

    @property
    def high(self) -> float:
        """The distance between two strips."""
        return LANES * self.cell + 0.8

    def strip(self, row: int, boards: int) -> int:
        """Return the strip in which a row lies; past the last board the last strip goes on."""
        return min((row - 1) // BOARD_ROWS, boards - 1) // self.boards

    def top(self, strip: int) -> float:
        """Return the height at which a strip begins."""
        return self.begin - (strip - self.first) * self.high

    def middle(self, row: int, lane: int, boards: int) -> Point:
        """Return the middle of a cell: blue above, red below."""
        strip = self.strip(row, boards)
        along = row - 1 - strip * self.boards * BOARD_ROWS
        return (along + 0.5) * self.cell, self.top(strip) - (lane + 0.5) * self.cell


def last_row(state: Any) -> int:
    """Return the last row that is drawn: as far as a car stands past the last board."""
    rows = [int(driver.row) for driver in state.drivers[: int(state.seats)]]
    return max(int(state.boards) * BOARD_ROWS, *rows)


def put_track(shapes: Sheet, state: Any, layout: Layout, offers: Offers) -> None:
    """Every cell, the borders, the finish line, the names of the boards and the letters of the lanes."""
    boards = int(state.boards)
    strips = layout.strip(boards * BOARD_ROWS, boards) + 1
    names = [board_name(board) if board >= 0 else "" for board in state.board[:boards].tolist()]
    for strip in range(layout.first, strips):
        first = strip * layout.boards
        shapes += _borders(layout, strip, first, tuple(names[first : first + layout.boards]))
    for row, drawn in enumerate(symbols(state, last_row(state)), 1):
        if layout.strip(row, boards) >= layout.first:
            shapes += _row(layout, boards, row, "".join(drawn), _offered(state, row, offers))
    shapes += _line(state, layout)
    shapes += _lanes(layout, strips)


@cached_drawing
def _borders(layout: Layout, strip: int, first: int, names: tuple[str, ...]) -> list[Shape]:
    """Blue is the left border in driving direction, red the right one; and where each board begins."""
    top, wide = layout.top(strip), len(names) * BOARD_ROWS * layout.cell
    low = top - LANES * layout.cell
    shapes: list[Shape] = [
        Line(((0, top + 0.03), (wide, top + 0.03)), "blue", 0.06),
        Line(((0, low - 0.03), (wide, low - 0.03)), "red", 0.06),
    ]
    for row in range(5, len(names) * BOARD_ROWS + 1, 5):
        number = str(first * BOARD_ROWS + row)
        shapes.append(Label((row - 0.5) * layout.cell, low - 0.19, number, "faint", 12))
    for i, name in enumerate(names):
        x = i * BOARD_ROWS * layout.cell
        shapes.append(Label(x + 0.02, top + 0.2, f"{first + i + 1} {name}".rstrip(), "faint", 12, "left"))
        if i:
            shapes.append(Line(((x, top), (x, low)), "ink", 0.03))
    return shapes


def _offered(state: Any, row: int, offers: Offers) -> Offered:
    """Return the cells of a row that stand for actions."""
    found = ((lane, offers.get(f"cell:{row},{lane}", ())) for lane in range(LANES))
    return tuple(
        (lane, numbers, tuple(describe_action(state, action) for action in numbers))
        for lane, numbers in found
        if numbers
    )


@cached_drawing
def _row(layout: Layout, boards: int, row: int, drawn: str, offered: Offered) -> list[Shape]:
    """Draw the cells of a row with what is printed on them."""
    offers = {lane: (numbers, words) for lane, numbers, words in offered}
    return [
        shape
        for lane, symbol in enumerate(drawn)
        for shape in _cell(layout, boards, row, lane, symbol, *offers.get(lane, ((), ())))
    ]


def _cell(
    layout: Layout, boards: int, row: int, lane: int, symbol: str, offered: tuple[int, ...], words: tuple[str, ...]
) -> list[Shape]:
    """Draw one cell with what is printed on it."""
    x, y = layout.middle(row, lane, boards)
    terrain, is_grass = SYMBOLS[symbol], symbol == "g"
    what = _("grass") if is_grass else terrain_name(terrain)
    title = _("{name}: {text}", name=cell_name(row, lane), text=what)
    title += "".join(f"\n{word}" for word in words)
    edge = ("accent", 0.04) if offered else ("edge", 0.008)
    half = layout.cell / 2
    fill = GRASS if is_grass else FILLS[terrain]
    notes = (f"terrain:{terrain.name.lower()}",) * (terrain != Terrain.EMPTY)
    marks: dict[str, Any] = {"title": title, "key": f"cell:{row},{lane}", "action": offered or None, "notes": notes}
    frame = Box(x - half, y - half, layout.cell, layout.cell, fill, *edge, 0.0, **marks)
    return [frame, *terrain_icon(terrain, x, y, layout.cell * 0.42)]


def _line(state: Any, layout: Layout) -> list[Shape]:
    """Draw the finish line, chequered."""
    if not 0 < state.line < last_row(state):
        return []
    boards = int(state.boards)
    x, top = layout.middle(int(state.line) + 1, 0, boards)
    x, top = x - layout.cell / 2, top + layout.cell / 2
    half = layout.cell / 2
    return [
        Box(x - 0.04, top - (i + 1) * half, 0.08, half, "white" if i % 2 else "black", "ink", 0.005, 0.0)
        for i in range(2 * LANES)
    ]


@cached_drawing
def _lanes(layout: Layout, strips: int) -> list[Shape]:
    """Draw the letters of the lanes, before each strip."""
    return [
        Label(-0.14, layout.top(strip) - (lane + 0.5) * layout.cell, LANE_NAMES[lane], "faint", 12)
        for strip in range(layout.first, strips)
        for lane in range(LANES)
    ]


def cars(state: Any, layout: Layout, ways: Mapping[int, Path]) -> list[Shape]:
    """Draw the cars on the track, side by side where several share a cell; those that came there, on `ways`."""
    shapes: list[Shape] = []
    placed = [who for who in range(int(state.seats)) if state.drivers[who].row != UNPLACED]
    for who in placed:
        driver = state.drivers[who]
        cell = (driver.row, driver.lane)
        there = [other for other in placed if (state.drivers[other].row, state.drivers[other].lane) == cell]
        across, up = _NEAR[len(there)][there.index(who)]
        x, y = layout.middle(int(driver.row), int(driver.lane), int(state.boards))
        size = layout.cell * (0.46 if len(there) == 1 else 0.34)
        text = mark("{who} on {cell}, lying") if driver.lying else mark("{who} on {cell}")
        title = _(text, who=driver_name(state, who), cell=cell_name(int(driver.row), int(driver.lane)))
        x, y = x + across * layout.cell, y + up * layout.cell
        piece = car_piece(int(driver.car), x, y, size, bool(driver.lying), title, f"car:{who}")
        shapes += moving(piece, ways.get(who, ()), x, y)
    return shapes
