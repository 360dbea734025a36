"""The pieces that are drawn on the board and beside it: a legion's marker, and the characters under it."""

from __future__ import annotations

from typing import Any

from titan_env.contract.shapes import POINTS, Box, Circle, Label, Shape, cached_drawing
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
COUNTER_WIDE, COUNTER_HIGH = 0.57, 0.38
"""The size of a character beside the board."""
_LARGEST, _OF_TWO = 8.5, 6.5
"""The size of a character's name, and of one in two lines, unless it has to be smaller to be whole."""
_SLIM, _BROAD = "fijlrtíï", "mw"
"""Letters with less than the usual width, and with more."""


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
    """Draw a character around (x, y): its whole name on its colour, power and skill, what it can do."""
    wide, high, name = COUNTER_WIDE * scale, COUNTER_HIGH * scale, CHARACTERS[kind]
    line, width = ("accent", 0.05) if offered else ("black", 0.015)
    marks: dict[str, Any] = {"title": title, "notes": (f"character:{name}",), "action": offered or None, "key": key}
    lines, size = _name_lines(character_name(kind))
    shapes: list[Shape] = [
        Box(x - wide / 2, y - high / 2, wide, high, "white", line, width, 0.03, **marks),
        Box(x - wide * 0.47, y - high * 0.03, wide * 0.94, high * 0.49, PAINT[Character(kind)], "", 0.0, 0.02),
        *(
            Label(x, y + high * (0.21 + 0.22 * (0.5 * len(lines) - 0.5 - row)), text, "white", size * scale, bold=True)
            for row, text in enumerate(lines)
        ),
        Label(x, y - high * 0.26, f"{power}-{int(SKILL[kind])}", "black", 9.5 * scale, bold=True),
    ]
    if FLIES[kind]:
        shapes += wings(x - wide * 0.36, y - high * 0.28, 0.06 * scale)
    if ENTRIES[name]["ranged"] in SIGNS:
        shapes += SIGNS[ENTRIES[name]["ranged"]](x + wide * 0.37, y - high * 0.28, 0.055 * scale)
    return shapes


def _name_lines(name: str) -> tuple[list[str], float]:
    """Return the lines of a character's name on its counter, one or two, and the size at which they fit.

    >>> _name_lines("ours de guerre")[0]
    ['Ours de', 'guerre']
    """
    first, _space, last = name.rpartition(" ")
    lines = [first[:1].upper() + first[1:], last] if first else [last[:1].upper() + last[1:]]
    longest = max(sum(_em(letter) for letter in line) for line in lines)
    return lines, min(_LARGEST if len(lines) == 1 else _OF_TWO, 0.93 * COUNTER_WIDE * POINTS / longest)


def _em(letter: str) -> float:
    """Return about how wide a bold letter is, as a share of its size."""
    return 0.45 if letter in _SLIM else 1.05 if letter.lower() in _BROAD else 0.71


@cached_drawing
def unknown(x: float, y: float, scale: float, title: str) -> list[Shape]:
    """Draw a character that is not known."""
    wide, high = COUNTER_WIDE * scale, COUNTER_HIGH * scale
    box = Box(x - wide / 2, y - high / 2, wide, high, "soft_grey", "edge", 0.015, 0.03, title=title, notes=("record",))
    return [box, Label(x, y, "?", "ink", 11 * scale, bold=True)]
