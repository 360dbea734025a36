"""The tables of the rules page that are made from the data files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from titan_env.games.titan_battle.rules.hexes import HEX_NAMES
from titan_env.games.titan_battle.rules.lands import BORDERS, HAZARDS, LEVELS
from titan_env.games.titan_battle.rules.state import Border, Hazard, Land
from titan_env.games.titan_battle.words.translation import _, border_name, hazard_name, land_name

SIDES = ("N", "NE", "SE", "S", "SW", "NW")
"""The six sides of a hex, by direction."""


def rules_tables() -> Mapping[str, Sequence[Sequence[str]]]:
    """Return the rows of each table, in the current language, by the name that stands in RULES.md."""
    return {"battlelands": [[land_name(land), _hazards(land), _levels(land), _borders(land)] for land in Land]}


def _hazards(land: Land) -> str:
    """Return the hexes of each hazard of a battleland; "-" where all are plain."""
    return _listed({hazard_name(hazard): _hexes(HAZARDS[land] == hazard) for hazard in Hazard if hazard})


def _levels(land: Land) -> str:
    """Return the hexes of each level above 0 of a battleland."""
    return _listed({str(level): _hexes(LEVELS[land] == level) for level in (1, 2)})


def _borders(land: Land) -> str:
    """Return the hexes of each kind of border of a battleland, each with its sides."""
    found = {}
    for border in Border:
        if border:
            sides = {name: "/".join(_sides(BORDERS[land, hex_], border)) for hex_, name in enumerate(HEX_NAMES)}
            found[border_name(border)] = [f"{name} {where}" for name, where in sides.items() if where]
    return _listed(found)


def _sides(borders: Sequence[int], border: Border) -> list[str]:
    """Return the names of the sides on which a hex has a kind of border."""
    return [side for side, here in zip(SIDES, borders, strict=True) if here == border]


def _hexes(chosen: Sequence[bool]) -> list[str]:
    """Return the names of the chosen hexes."""
    return [name for name, is_chosen in zip(HEX_NAMES, chosen, strict=True) if is_chosen]


def _listed(groups: Mapping[str, Sequence[str]]) -> str:
    """Return groups as text, ``tree: B2, C3; bog: D4``; "-" for none."""
    lines = (_("{name}: {text}", name=name, text=", ".join(members)) for name, members in groups.items() if members)
    return _("; ").join(lines) or "-"
