"""The languages of Tiny Turbo Cars: `_` says a text in the one that is spoken; names of tiles, terrains and tracks."""

from __future__ import annotations

from titan_env.contract.translation import mark
from titan_env.games.tiny_turbo_cars.rules.boards import BOARDS
from titan_env.games.tiny_turbo_cars.rules.state import Terrain, Tile
from titan_env.games.tiny_turbo_cars.rules.translation import _ as _

TILES = (
    *(mark("Forward 1"), mark("Forward 2"), mark("Back 1"), mark("Left 1"), mark("Right 1"), mark("Left 2")),
    *(mark("Right 2"), mark("Jump"), mark("Missile"), mark("Turbo"), mark("Battery"), mark("Increase")),
    *(mark("Decrease"), mark("Nothing"), mark("the hole")),
)
"""What a tile is called, by `Tile`."""
TERRAINS = (
    *(mark("empty"), mark("carpet"), mark("boost"), mark("obstacle"), mark("puddle"), mark("impassable")),
    mark("starting place"),
)
"""What a kind of cell is called, by `Terrain`."""


def tile_name(tile: int) -> str:
    """A tile as it is spoken."""
    return _(TILES[Tile(int(tile))])


def terrain_name(terrain: int) -> str:
    """A kind of cell as it is spoken."""
    return _(TERRAINS[Terrain(int(terrain))])


def board_name(board: int) -> str:
    """The title of a board; a drawing of one's own has none."""
    return _(BOARDS[board].title) if board >= 0 else _("none of the box")


def player_name(seat: int) -> str:
    """A player by number, from 1 on."""
    return _("player {n}", n=int(seat) + 1)
