"""The map of a battle as it is drawn in a position: the land, and in each box who stands there, with its hits.

Attackers have two capital letters, defenders two small ones; hits stand behind them, an ``x`` behind the slain::

    +-------------+
    |      d     d|
    | D4 sand 1   |
    |   OG2 c     |
    +-------------+
"""

from __future__ import annotations

from typing import Any

from titan_env.contract.position_text import TextLine, at_line, expect
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.hexes import PLACES
from titan_env.games.titan_battle.rules.lands import BOX_HEIGHT, BOX_WIDTH, LAND_NAMES, drawing
from titan_env.games.titan_battle.rules.state import HEXES, SLOTS, Side
from titan_env.games.titan_battle.words.translation import _

LETTERS = (
    *("Ti", "An", "Aa", "Gu", "Wa", "Ce", "Ga", "Og", "Li", "Mi", "Ra", "Tr"),
    *("Cy", "Go", "Wb", "Gr", "Wy", "Be", "Un", "Dr", "Gi", "Hy", "Se", "Co"),
)
"""The two letters of each character."""
_MAPS = [
    [line for line in drawing(name).splitlines() if not line.startswith("#") and line.strip()] for name in LAND_NAMES
]
"""The empty map of each land, line by line."""
_LINE, _COLUMN = 3, 3  # of a token, from the corner of its box


def token(fighter: Any, side: int) -> str:
    """Return the letters of a fighter."""
    letters = LETTERS[fighter.kind].upper() if side == Side.ATTACKER else LETTERS[fighter.kind].lower()
    return letters + ("x" if fighter.slain else str(fighter.hits) if fighter.hits else "")


def draw_map(battle: Any) -> list[str]:
    """Return the map with everybody on it."""
    lines = list(_MAPS[battle.land])
    for who, fighter in enumerate(battle.fighters):
        if 0 <= fighter.hex < HEXES:
            x, y = PLACES[fighter.hex]
            line = BOX_HEIGHT * y + BOX_HEIGHT // 2 * (x % 2) + _LINE - _blank_lines()
            text, column = token(fighter, who // SLOTS), BOX_WIDTH * x + _COLUMN
            lines[line] = lines[line][:column] + text + lines[line][column + len(text) :]
    return lines


def _blank_lines() -> int:
    """Return the number of empty lines of a drawing above the topmost box."""
    return min(BOX_HEIGHT * y + BOX_HEIGHT // 2 * (x % 2) for x, y in PLACES)


def check_map(battle: Any, lines: list[TextLine]) -> None:
    """Raise ValueError naming the line of a drawn map that shows something else than the sides' lines say."""
    expected = draw_map(battle)
    for (number, _name, line), wanted in zip(lines, expected, strict=False):
        with at_line(number):
            should, does = map(repr, _difference(wanted.strip(), line.strip()))
            message = mark("expected {wanted} as the lines of land and sides say, got {got}")
            expect(line.split() == wanted.split(), _(message, wanted=should, got=does))
    with at_line(lines[-1].number):
        n, got = len(expected), len(lines)
        expect(n == got, _("expected {n} lines of the map, or none, got {got}", n=n, got=got))


def _difference(wanted: str, line: str) -> tuple[str, str]:
    """Return the first boxes in which two lines of a map differ; the whole lines where they have not as many boxes."""
    boxes = [[box.strip() for box in text.split("|")] for text in (wanted, line)]
    if len(boxes[0]) == len(boxes[1]):
        for one, other in zip(*boxes, strict=True):
            if one.split() != other.split():
                return one, other
    return wanted, line
