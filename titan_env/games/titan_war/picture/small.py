"""The masterboard small, beside a battle: who stands where, and on which land the battle is fought."""

from __future__ import annotations

from typing import Any

from titan_env.contract.shapes import Box, Label, Polygon, Shape, Sheet, cached_drawing, placed
from titan_env.games.titan_battle.rules.state import Land
from titan_env.games.titan_battle.words.translation import land_name
from titan_env.games.titan_war.picture.legions import stand, told_of
from titan_env.games.titan_war.picture.masterboard import FILLS
from titan_env.games.titan_war.picture.pieces import COLOURS, INKS
from titan_env.games.titan_war.picture.places import BOARD_HIGH, BOARD_WIDE, outline
from titan_env.games.titan_war.rules.lands import LAND_NUMBERS, TERRAIN
from titan_env.games.titan_war.rules.state import LANDS
from titan_env.games.titan_war.words.legions import Seen
from titan_env.games.titan_war.words.sentences import land_of_engagement
from titan_env.games.titan_war.words.translation import _

_WIDE, _HIGH = 0.56, 0.46
"""The size of a legion, in units of the large board."""


def high_as(wide: float) -> float:
    """Return how high the small board is if it is so wide."""
    return wide * BOARD_HIGH / BOARD_WIDE


def put_small_board(shapes: Sheet, state: Any, seen: list[Seen], left: float, top: float, wide: float) -> None:
    """Put the board with all legions, its upper left corner there."""
    scale = wide / BOARD_WIDE
    shapes += _lands(left, top, scale)
    fought = placed(outline(land_of_engagement(state)), left, top, scale)
    shapes += [Polygon(fought, "", "alarm", 0.05)]
    for one in seen:
        x, y = stand(seen, one)
        shapes += _legion(one.owner, one.height, left + x * scale, top + y * scale, scale, told_of(one))


@cached_drawing
def _lands(left: float, top: float, scale: float) -> list[Shape]:
    """Draw every land."""
    return [
        Polygon(
            placed(outline(land), left, top, scale),
            FILLS[Land(int(TERRAIN[land]))],
            "#6B7078",
            0.01,
            title=_("{name}: {text}", name=LAND_NUMBERS[land], text=land_name(TERRAIN[land])),
        )
        for land in range(LANDS)
    ]


@cached_drawing
def _legion(seat: int, height: int, x: float, y: float, scale: float, title: str) -> list[Shape]:
    """Draw a legion: its player's colour, and how many are under the marker."""
    wide, high = _WIDE * scale, _HIGH * scale
    box = Box(x - wide / 2, y - high / 2, wide, high, COLOURS[seat], "white", 0.01, 0.02, title=title)
    return [box, Label(x, y, str(height), INKS[seat], 21 * scale, bold=True)]
