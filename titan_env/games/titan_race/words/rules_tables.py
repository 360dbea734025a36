"""The tables of the rules page, made from the data files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from titan_env.games.titan_race.rules.board import COLUMNS, ROWS
from titan_env.games.titan_race.rules.circuits import SYMBOLS, TERRAINS, TITANS
from titan_env.games.titan_race.rules.state import CIRCUIT_NAMES, Face, Titan
from titan_env.games.titan_race.words.translation import circuit_title, face_name

SIDE_BY_SIDE = 3
_COLUMNS = "     A  B  C  D  E  F"


def rules_tables() -> Mapping[str, str | Sequence[Sequence[str | int]]]:
    """Return the rows of each table, or a drawing, in the current language, by the name that stands in RULES.md."""
    return {"circuits": _circuits(), "titans": [_titan(titan) for titan in Titan]}


def _titan(titan: Titan) -> list[str | int]:
    """Return a Titan's rider, colour and lives: gauge, at the start, and gauge with the option `life="balanced"`."""
    entry = TITANS[titan]
    colour = face_name(Face[entry["colour"].upper()])
    lives = (entry["life_max"], entry["life_start"], entry["life_balanced"])
    return [titan.name.capitalize(), entry["rider"], colour, *lives]


def _circuits() -> str:
    """Return the drawings of all circuits, three beside each other, each under its title."""
    drawings = [[_title(name), _COLUMNS, *_drawing(number)] for number, name in enumerate(CIRCUIT_NAMES)]
    groups = [drawings[first : first + SIDE_BY_SIDE] for first in range(0, len(drawings), SIDE_BY_SIDE)]
    width = max(len(line) for drawing in drawings for line in drawing) + 3
    return "\n\n".join(
        "\n".join("".join(line.ljust(width) for line in lines).rstrip() for lines in zip(*group, strict=True))
        for group in groups
    )


def _title(name: str) -> str:
    """Return a circuit's name without what is said of it."""
    return circuit_title(name).partition(", ")[0]


def _drawing(number: int) -> list[str]:
    """Return the lines of a circuit, row 12 first; the even rows stand half a column to the right."""
    signs = [SYMBOLS[terrain] for terrain in TERRAINS[number].tolist()]
    rows = [signs[first : first + COLUMNS // 2] for first in range(0, len(signs), COLUMNS // 2)]
    lines = [f"{row:2}{'      ' if row % 2 == 0 else '   '}{'     '.join(rows[row - 1])}" for row in range(1, ROWS + 1)]
    return lines[::-1]
