"""A race as shapes: the board with racers and marks of the latest step, and beside it or beneath the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from titan_env.contract.shapes import Box, Circle, Label, Line, Point, Shape, Sheet, cached_drawing, moving
from titan_env.games.fantasy_racing.picture.click_targets import Offers, offers_of, press_of
from titan_env.games.fantasy_racing.picture.drawings import SQUARES
from titan_env.games.fantasy_racing.picture.last_move import last_step, ways_here
from titan_env.games.fantasy_racing.picture.pieces import racer
from titan_env.games.fantasy_racing.picture.side_panel import table
from titan_env.games.fantasy_racing.rules.circuits import COLUMN_NAMES, square_name
from titan_env.games.fantasy_racing.rules.state import COLUMNS, ROWS, Ask, Square
from titan_env.games.fantasy_racing.rules.state import SQUARES as ALL_SQUARES
from titan_env.games.fantasy_racing.words.sentences import describe_action, racer_name
from titan_env.games.fantasy_racing.words.translation import _, terrain_name
from titan_env.pictures import icons

WIDE, HIGH = 0.92, 0.52
"""The size of a square."""
FILLS = {
    Square.PLAIN: "soft_sand",
    Square.BARRIER: "soft_red",
    Square.ROCK: "soft_grey",
    Square.HOLE: "soft_brown",
    Square.SHORTCUT: "soft_purple",
}
_BOARD = COLUMNS * WIDE
_TABLE = 5.2
"""The width of the panel beside the board."""


def centre(square: int) -> Point:
    """Return the middle of a square: row 1 at the top."""
    return (square % COLUMNS + 0.5) * WIDE, -(square // COLUMNS + 0.5) * HIGH


def picture(
    state: Any,
    seat: int | None = None,
    events: Any = (),
    before: Any = None,
    narrow: bool = False,
    names: Sequence[str] = (),
) -> list[Shape]:
    """Draw the race as `seat` sees it (None: as who is asked), racing down to the line under row 18.

    `events` (n, 4) of the latest step become arrows and marks; `before`, the state it began with, tells where
    they begin. `narrow` puts the table beneath the board; `names` are the players'.
    """
    offers = offers_of(state, seat)
    shapes = Sheet()
    shapes += _frame()
    _put_squares(shapes, state, offers)
    shapes += last_step(state, events, before, centre, WIDE, HIGH)
    ways = ways_here(state, events, before, centre, WIDE, HIGH)
    for who in range(int(state.seats)):
        x, y = _stand(state, who)
        shapes += moving(racer(state, who, x, y, 0.19, "piece"), ways.get(who, ()), x, y)
    if state.ask == Ask.FIRE:
        shapes += icons.flame(*centre(int(state.ball)), 0.16)
    at = (0.0, -ROWS * HIGH - 0.5, _BOARD) if narrow else (_BOARD + 0.35, 0.1, _TABLE)
    shapes.begin_panel()
    shapes += table(state, offers, names, *at)
    return shapes


@cached_drawing
def _frame() -> list[Shape]:
    """Names of rows and columns, and the line, which row 18 ends on and row 1 begins on."""
    shapes: list[Shape] = [
        Label((column + 0.5) * WIDE, 0.28, name, "faint", 11) for column, name in enumerate(COLUMN_NAMES)
    ]
    shapes += [Label(-0.08, -(row + 0.5) * HIGH, str(row + 1), "faint", 11, "right") for row in range(ROWS)]
    flags = 2 * COLUMNS
    for y in (0.02, -ROWS * HIGH - 0.14):
        shapes.append(Box(0, y, _BOARD, 0.12, "white", "ink", 0.015, 0.0, title=_("the line")))
        shapes += [
            Box(flag * _BOARD / flags, y, _BOARD / flags, 0.12, "black", "", 0.0, 0.0) for flag in range(0, flags, 2)
        ]
    return shapes


def _put_squares(shapes: Sheet, state: Any, offers: Offers) -> None:
    """Every square; what is offered lies above what is not."""
    taken = set(state.racers["square"][: int(state.seats)].tolist())
    printed, gone, traps, starts = (state[name].tolist() for name in ("printed", "gone", "traps", "starts"))
    for square in sorted(range(ALL_SQUARES), key=lambda square: f"square:{square}" in offers):
        offered = offers.get(f"square:{square}", ())
        shapes += _square(
            square,
            Square(printed[square]),
            gone=bool(gone[square]),
            trap=racer_name(state, traps[square] - 1) if traps[square] else "",
            trapper=traps[square],
            start=starts.index(square) + 1 if square in starts else 0,
            crowded=square in taken,
            offered=offered,
            words=tuple(describe_action(state, action) for action in offered),
        )


@cached_drawing
def _square(
    square: int,
    printed: Square,
    *,
    gone: bool,
    trap: str,
    trapper: int,
    start: int,
    crowded: bool,
    offered: tuple[int, ...],
    words: tuple[str, ...],
) -> list[Shape]:
    """Draw one square: what is printed on it and not gone, a trap and whose it is, and what a click on it offers.

    On one that is `crowded` racers stand; `start` is the number of a starting square.
    """
    x, y = centre(square)
    edge = ("accent", 0.05) if offered else ("edge", 0.015)
    fill = FILLS.get(printed, "soft_sand") if not gone else "soft_sand"
    corner = (x - WIDE / 2, y - HIGH / 2, WIDE, HIGH)
    title = _square_text(square, printed, gone, trap, words)
    notes = (f"square:{printed.name.lower()}",) * (printed != Square.PLAIN and not gone)
    notes += ("object:trap",) * bool(trap)
    marks: dict[str, Any] = {"title": title, "action": offered or None, "notes": notes}
    marks["press"] = press_of(offered)
    shapes: list[Shape] = [Box(*corner, fill, *edge, 0.04, key=f"square:{square}", **marks)]
    middle = x - WIDE * 0.33 if crowded else x
    if printed != Square.PLAIN and not gone:
        shapes += SQUARES[printed](middle, y, 0.12 if crowded else 0.17)
    elif gone and printed > Square.SHORTCUT:
        shapes.append(Circle(middle, y, 0.07, "soft_grey", "edge"))
    elif gone:
        shapes.append(Line(((x - 0.2, y - 0.12), (x + 0.2, y - 0.05)), "red", 0.04))
    elif start and not crowded:
        shapes.append(Label(x, y, str(start), "faint", 14))
    if trap:
        jaws, *rest = icons.jaws(x + WIDE * 0.28, y - HIGH * 0.08, 0.15)
        shapes += [replace(jaws, key=f"trap:{square}", **marks), *rest]
        shapes.append(Label(x + WIDE * 0.28, y - HIGH * 0.08, str(trapper), "white", 9, bold=True))
    return shapes


def _square_text(square: int, printed: Square, gone: bool, trap: str, words: tuple[str, ...]) -> str:
    """Return the text shown on hovering over a square."""
    there = [square_name(square)]
    if printed != Square.PLAIN:
        name = terrain_name(printed)
        there.append(_("{what} (gone)", what=name) if gone else name)
    if trap:
        there.append(_("a trap of {who}", who=trap))
    return "\n".join([", ".join(there), *words])


def _stand(state: Any, who: int) -> Point:
    """Return a racer's point on its square: several stand side by side."""
    square = int(state.racers[who].square)
    there = [other for other in range(int(state.seats)) if state.racers[other].square == square]
    x, y = centre(square)
    apart = min(0.4, (WIDE - 0.4) / max(1, len(there) - 1))
    return x + (there.index(who) - (len(there) - 1) / 2) * apart, y
