"""The tables of the rules page, made from the data files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from titan_env.games.tiny_turbo_cars.rules.boards import (
    BOARD_NAMES,
    BOARDS,
    CARS,
    FIRST_FINISH,
    FIRST_MIDDLE,
    LANE_NAMES,
    SYMBOLS,
    TILES,
    Board,
)
from titan_env.games.tiny_turbo_cars.rules.state import Car, Tile
from titan_env.games.tiny_turbo_cars.words.translation import _, board_name, tile_name

SIDE_BY_SIDE = 4
_LANES = " ".join(LANE_NAMES)


def rules_tables() -> Mapping[str, str | Sequence[Sequence[str | int]]]:
    """Return the rows of each table, or a drawing, in the current language, by the name that stands in RULES.md."""
    return {
        "boards": _boards(),
        "cars": [[CARS[car]["name"], _(str(CARS[car]["ability"]))] for car in Car],
        "tiles": [
            [tile_name(tile), TILES[tile]["count"], TILES[tile]["value"] or "-"] for tile in Tile if tile != Tile.HOLE
        ],
    }


def _boards() -> str:
    """Return the drawings of all boards, four beside each other: both starts and finishes, then sheet by sheet."""
    middles = list(range(FIRST_MIDDLE, FIRST_FINISH))
    ends = [board for board in range(len(BOARD_NAMES)) if board not in middles]
    numbers = ends + middles
    groups = [numbers[first : first + SIDE_BY_SIDE] for first in range(0, len(numbers), SIDE_BY_SIDE)]
    return "\n\n".join("\n".join(_group(group)) for group in groups)


def _group(numbers: Sequence[int]) -> list[str]:
    """Return the lines of boards that stand beside each other, each under its title."""
    drawings = [[board_name(number), _LANES, *_drawing(BOARDS[number])] for number in numbers]
    height = max(map(len, drawings))
    padded = [[*drawing, *[""] * (height - len(drawing))] for drawing in drawings]
    width = max(len(_LANES), *(len(board_name(number)) for number in numbers)) + 3
    return ["".join(line.ljust(width) for line in lines).rstrip() for lines in zip(*padded, strict=True)]


def _drawing(board: Board) -> list[str]:
    """Return the lines of a board, the row that is driven last first, with the finish line."""
    signs = {terrain: sign for sign, terrain in reversed(SYMBOLS.items())}
    rows = [" ".join(signs[cell] for cell in row) for row in board.terrain.tolist()]
    lines = [*rows[: board.line], "=" * len(_LANES), *rows[board.line :]] if board.line >= 0 else rows
    return lines[::-1]
