"""A race as shapes: the board with its terrain and Titans, and what the players have before them."""

from __future__ import annotations

import math
from typing import Any

from titan_env.games.titan_race.board import column_of
from titan_env.games.titan_race.cards import hand_size
from titan_env.games.titan_race.circuits import SYMBOLS, space_name
from titan_env.games.titan_race.position import LETTERS
from titan_env.games.titan_race.state import SPACES, TRAP, Condition, Face, Terrain, Titan
from titan_env.shapes import Label, Polygon, Shape

TITAN_COLOURS = ("#F0E442", "#56B4E9", "#B07A4A", "#D55E00", "#009E73", "#CC79A7")
"""Each Titan's colour, told apart by colour-blind people too (after Okabe and Ito 2008)."""
_TERRAIN_COLOURS = {
    Terrain.PLAIN: "#F5F1E8",
    Terrain.BONUS: "#FFF3B0",
    Terrain.LAVA: "#F4A582",
    Terrain.PIRATES: "#B8B8B8",
    Terrain.STATUE: "#FDB863",
    Terrain.PENTACLE: "#D8B8E8",
    Terrain.ICE: "#CDEBFA",
}
_RAMP_COLOUR = "#CFE8CF"
_INK, _FAINT = "#222222", "#8A8A8A"
_ROW_HEIGHT, _RADIUS = 0.5, 1 / math.sqrt(3)
_COLUMN_WIDTH = 1.5 * _RADIUS
_BOARD_GAP = 1.5


def picture(state: Any) -> list[Shape]:
    """The race as shapes, rows going up; one unit is the height of a space."""
    shapes: list[Shape] = []
    for space in range(int(state.circuits) * SPACES):
        shapes += _draw_space(state, space)
    width = (int(state.circuits) - 1) * (6 * _COLUMN_WIDTH + _BOARD_GAP) + 6 * _COLUMN_WIDTH
    return shapes + _draw_table(state, width + 0.4)


def _centre(space: int) -> tuple[float, float]:
    """Where a space lies; the boards of a Grand Slam stand side by side."""
    board, local = divmod(space, SPACES)
    return board * (6 * _COLUMN_WIDTH + _BOARD_GAP) + column_of(local) * _COLUMN_WIDTH, (local // 3 + 1) * _ROW_HEIGHT


def _hexagon(x: float, y: float, radius: float) -> tuple[tuple[float, float], ...]:
    """The corners of a space."""
    turns = [math.pi / 3 * corner for corner in range(6)]
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


def _draw_space(state: Any, space: int) -> list[Shape]:
    """One space: terrain, name, trap, Titan."""
    x, y = _centre(space)
    terrain, token = Terrain(int(state.terrain[space])), int(state.on[space])
    shapes: list[Shape] = [
        Polygon(_hexagon(x, y, _RADIUS), _TERRAIN_COLOURS.get(terrain, _RAMP_COLOUR), _FAINT),
        Label(x, y - 0.36, space_name(space), _FAINT, 6),
    ]
    if terrain != Terrain.PLAIN:
        shapes.append(Label(x - 0.33, y + 0.02, SYMBOLS[terrain], _INK, 11))
    if token >= TRAP:
        shapes.append(Label(x + 0.33, y + 0.02, "x", _INK, 10))
    if token % TRAP:
        shapes += _draw_titan(state, token % TRAP - 1, x, y + 0.02)
    return shapes


def _draw_titan(state: Any, who: int, x: float, y: float) -> list[Shape]:
    """A Titan in its colour with its letters; one that is K.O. is only an outline."""
    titan = state.titans[who]
    fit = titan.condition == Condition.FIT
    corners = tuple((x + 0.25 * math.cos(t / 8 * math.pi), y + 0.25 * math.sin(t / 8 * math.pi)) for t in range(16))
    fill = TITAN_COLOURS[titan.kind] if fit else "#FFFFFF"
    return [Polygon(corners, fill, _INK), Label(x, y, LETTERS[titan.kind], _INK, 8)]


def _draw_table(state: Any, left: float) -> list[Shape]:
    """Beside the board: each Titan's life, lap and hand, and the dice in the pool."""
    shapes: list[Shape] = []
    y = 6.0
    for who in range(state.titans_in_race):
        titan = state.titans[who]
        shapes += _draw_titan(state, who, left, y)
        turn = " to move" if who == state.titan and not state.over else ""
        won = " wins" if state.over and state.won[titan.seat] else ""
        name = Titan(int(titan.kind)).name.capitalize()
        shapes.append(Label(left + 0.4, y + 0.12, f"{name}{turn}{won}", _INK, 9, "left"))
        hearts = "♥" * int(titan.life) + "♡" * int(titan.life_max - titan.life) if titan.life else "K.O."
        cards = hand_size(state, int(titan.seat))
        hand = f"{cards} card{'' if cards == 1 else 's'}"
        shapes.append(Label(left + 0.4, y - 0.14, f"lap {titan.lap}  {hearts}  {hand}", _INK, 8, "left"))
        y -= 0.72
    dice = " ".join(face.name.lower() for face in Face for _ in range(int(state.pool[face])))
    shapes.append(Label(left - 0.25, y, "Dice in the pool", _FAINT, 8, "left"))
    shapes.append(Label(left - 0.25, y - 0.28, dice or "none", _INK, 8, "left"))
    return shapes
