"""The six circuits, the six Titans and the 13 cards, read from data; and how anybody's own circuit is read.

A circuit is drawn as it lies on the table, row 12 at the top, one symbol a space:

    ``.`` plain   ``*`` bonus   ``~`` lava   ``!`` pirates   ``#`` ice   ``S`` statue   ``@`` pentacle
    ``<`` super-ramp to the left   ``>`` super-ramp to the right   ``^`` multi-ramp
"""

from __future__ import annotations

import tomllib
from enum import IntEnum
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract.options import brief
from titan_env.contract.translation import mark
from titan_env.games.titan_race.rules.board import NEIGHBOUR, ROWS, column_of, space_at
from titan_env.games.titan_race.rules.state import CIRCUIT_NAMES, SPACES, Card, Direction, Terrain, Titan
from titan_env.games.titan_race.rules.translation import _

SYMBOLS = ".*~!<>^S@#"
"""The symbol of each Terrain, in its order."""

_DATA = resources.files("titan_env.games.titan_race") / "data"


def space_name(space: int) -> str:
    """The name of a space, ``C3``; on the second and third board of a Grand Slam ``2:C3``, ``3:C3``."""
    board, local = divmod(int(space), SPACES)
    name = f"{'ABCDEF'[column_of(local)]}{local // 3 + 1}"
    return f"{board + 1}:{name}" if board else name


def space_number(name: str) -> int:
    """The number of the space that `name` names. Raises ValueError where there is none."""
    board, _sep, local = name.rpartition(":")
    column, row = "ABCDEF".find(local[:1].upper() or "-"), local[1:]
    if board not in ("", "1", "2", "3") or column < 0 or not row.isdecimal() or not 1 <= int(row) <= ROWS:
        raise ValueError(_("expected a space such as C3 or 2:C3, got {got}", got=brief(name)))
    space = space_at(column, int(row))
    if column_of(space) != column:
        message = mark("expected a space such as C3 or D4: A, C, E have odd rows, B, D, F even ones; got {got}")
        raise ValueError(_(message, got=brief(name)))
    return space + (int(board or 1) - 1) * SPACES


def parse_circuit(text: str, where: str = "circuit") -> NDArray[np.int8]:
    """The Terrain of each of the 36 spaces of a drawn circuit, int8 (36,).

    Lines that do not begin with a row's number are a heading. Raises ValueError naming the line.
    """
    terrain = np.zeros(SPACES, np.int8)
    rows_left = list(range(ROWS, 0, -1))
    for number, line in enumerate(text.splitlines(), 1):
        first, *symbols = line.split() or [""]
        if not first.isdecimal():
            continue
        if not rows_left or int(first) != rows_left[0]:
            expected = _("row {row}", row=rows_left[0]) if rows_left else _("no more rows")
            message = mark("{where}, line {number}: expected {expected}, got row {row}")
            raise ValueError(_(message, where=where, number=number, expected=expected, row=first))
        row = rows_left.pop(0)
        if len(symbols) != 3 or any(symbol not in SYMBOLS or len(symbol) != 1 for symbol in symbols):
            message = mark("{where}, line {number}: expected three symbols of {symbols}, got {got}")
            raise ValueError(_(message, where=where, number=number, symbols=SYMBOLS, got=brief(line.strip())))
        terrain[(row - 1) * 3 : row * 3] = [SYMBOLS.index(symbol) for symbol in symbols]
    if rows_left:
        raise ValueError(_("{where}: expected rows 12 to 1, got no row {row}", where=where, row=rows_left[0]))
    check_circuit(terrain, where)
    return terrain


def check_circuit(terrain: NDArray[np.int8], where: str) -> None:
    """Refuse terrain on the entry spaces, and ice on which a Titan would slide for ever."""
    for space in range(3):
        if terrain[space] != Terrain.PLAIN:
            message = mark("{where}: expected the entry space {space} to be plain")
            raise ValueError(_(message, where=where, space=space_name(space)))
    for direction in (Direction.F, Direction.FL, Direction.FR):
        for start in range(SPACES):
            space, length = start, 0
            while terrain[space] == Terrain.ICE and length < SPACES:
                space, length = int(NEIGHBOUR[space, direction]), length + 1
            if length == SPACES:
                message = mark("{where}: expected ice that ends, but from {space} it closes on itself")
                raise ValueError(_(message, where=where, space=space_name(start)))


def _entries(file: str, names: type[IntEnum]) -> list[dict[str, Any]]:
    """The entries of a data file, one for each member of an enum in its order."""
    table = tomllib.loads((_DATA / file).read_text("utf-8"))
    expected = [name.lower() for name in names.__members__]
    if list(table) != expected:
        raise ValueError(f"{file}: expected entries for {', '.join(expected)}, got {', '.join(table)}")
    return list(table.values())


def circuit_drawing(name: str) -> str:
    """The drawing of one of the six circuits, with its heading."""
    return (_DATA / "circuits" / f"{name}.txt").read_text("utf-8")


TITANS = _entries("titans.toml", Titan)
CARD_ENTRIES = _entries("cards.toml", Card)
TERRAINS = np.array([parse_circuit(circuit_drawing(name), name) for name in CIRCUIT_NAMES])
