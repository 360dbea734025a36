"""The pieces that are drawn on the board and beside it: a legion's marker, and the characters under it."""

from __future__ import annotations

from typing import Any

from titan_env.contract.shapes import Box, Circle, Label, Shape, cached_drawing
from titan_env.games.titan_battle.picture.drawings import SIGNS, wings
from titan_env.games.titan_battle.rules.characters import CHARACTERS, ENTRIES, FLIES, SKILL
from titan_env.games.titan_battle.rules.state import Character
from titan_env.games.titan_battle.words.presentation import PAINT
from titan_env.games.titan_battle.words.translation import character_name

MARKER_WIDE, MARKER_HIGH = 0.36, 0.3
"""The size of a legion's marker."""
COLOURS = ("#B5202B", "#1F5FBF", "#1E7B45", "#E0A800", "#6B4A2B", "#2B2B30")
"""The colour of each seat: red, blue, green, gold, brown, black."""
INKS = ("white", "white", "white", "black", "white", "white")
"""The colours of the text on it."""
COUNTER_WIDE, COUNTER_HIGH = 0.46, 0.3
"""The size of a character beside the board."""
_SHORT = 3
"""Letters of a character's name on its counter."""


@cached_drawing
def marker(
    seat: int,
    height: int,
    x: float,
    y: float,
    scale: float,
    key: str,
    offered: tuple[int, ...],
    title: str,
    has_moved: bool,
    shows: tuple[str, ...] = (),
) -> list[Shape]:
    """Draw a legion's marker around (x, y): its player's colour and number, and how many are under it.

    `shows` are the keys of the lands to which it can go.
    """
    wide, high = MARKER_WIDE * scale, MARKER_HIGH * scale
    line, width = ("accent", 0.06) if offered else ("white", 0.025)
    marks: dict[str, Any] = {
        "title": title,
        "key": key,
        "notes": ("legion",),
        "action": offered or None,
        "shows": shows,
    }
    corner = (x - wide / 2, y - high / 2)
    shapes: list[Shape] = [
        Box(corner[0] - 0.012, corner[1] - 0.012, wide + 0.024, high + 0.024, "black", "", 0.0, 0.05),
        Box(*corner, wide, high, COLOURS[seat], line, width, 0.045, **marks),
        Label(x + wide * 0.1, y, str(height), INKS[seat], 15 * scale, bold=True),
        Label(x - wide * 0.33, y + high * 0.24, str(seat + 1), INKS[seat], 7 * scale),
    ]
    if has_moved:
        shapes.append(Circle(x + wide / 2 - 0.02, y + high / 2 - 0.02, 0.055 * scale, "white", "black", 0.015))
    return shapes


@cached_drawing
def counter(
    kind: int, power: int, x: float, y: float, scale: float, key: str, offered: tuple[int, ...], title: str
) -> list[Shape]:
    """Draw a character around (x, y): the begin of its name on its colour, power and skill, what it can do."""
    wide, high, name = COUNTER_WIDE * scale, COUNTER_HIGH * scale, CHARACTERS[kind]
    line, width = ("accent", 0.05) if offered else ("black", 0.015)
    marks: dict[str, Any] = {"title": title, "notes": (f"character:{name}",), "action": offered or None, "key": key}
    shapes: list[Shape] = [
        Box(x - wide / 2, y - high / 2, wide, high, "white", line, width, 0.03, **marks),
        Box(x - wide * 0.46, y, wide * 0.92, high * 0.42, PAINT[Character(kind)], "", 0.0, 0.02),
        Label(x, y + high * 0.21, letters(kind), "white", 8.5 * scale, bold=True),
        Label(x, y - high * 0.24, f"{power}-{int(SKILL[kind])}", "black", 8.5 * scale, bold=True),
    ]
    if FLIES[kind]:
        shapes += wings(x - wide * 0.36, y - high * 0.26, 0.05 * scale)
    if ENTRIES[name]["ranged"] in SIGNS:
        shapes += SIGNS[ENTRIES[name]["ranged"]](x + wide * 0.37, y - high * 0.26, 0.045 * scale)
    return shapes


def letters(kind: int) -> str:
    """Return the begin of a character's name, by which it is known on its counter."""
    name = character_name(kind)
    return name[:1].upper() + name[1 : _SHORT + 1]


@cached_drawing
def unknown(x: float, y: float, scale: float, title: str) -> list[Shape]:
    """Draw a character that is not known."""
    wide, high = COUNTER_WIDE * scale, COUNTER_HIGH * scale
    box = Box(x - wide / 2, y - high / 2, wide, high, "soft_grey", "edge", 0.015, 0.03, title=title, notes=("record",))
    return [box, Label(x, y, "?", "ink", 11 * scale, bold=True)]
