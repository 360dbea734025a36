"""The languages of a war: `_` says a text in the one that is spoken; names of seats and lands."""

from __future__ import annotations

from titan_env.contract.translation import mark
from titan_env.games.titan_war.rules.lands import LAND_NUMBERS
from titan_env.games.titan_war.rules.translation import _ as _

SIGNS = {"T": mark("triple arrow"), "A": mark("arrow"), "S": mark("sphere"), "B": mark("block")}
"""The names of the signs of the masterboard, by letter."""


def player_name(seat: int) -> str:
    """Return a player by number, from 1 on."""
    return _("player {n}", n=int(seat) + 1)


def number_of(land: int) -> str:
    """Return a land by the number that is printed on it."""
    return str(LAND_NUMBERS[int(land)])


def counted(names: list[str]) -> str:
    """Names in a row, with a comma between."""
    return ", ".join(names)
