"""The tables of the rules page, made from the data files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from titan_env.games.fantasy_racing.rules import data_tables as data
from titan_env.games.fantasy_racing.rules.circuits import (
    CIRCUIT_NAMES,
    CIRCUITS,
    COLUMN_NAMES,
    SYMBOLS,
    Circuit,
    circuit_name,
)
from titan_env.games.fantasy_racing.rules.state import COLUMNS, Aim, Character, Colour, Object, Rule, Size, Square
from titan_env.games.fantasy_racing.words.translation import _, character_name, chest_name, object_name, rule_name

Rows = Sequence[Sequence[str | int]]

SIDE_BY_SIDE = 3


def rules_tables() -> Mapping[str, Rows | str]:
    """Return the rows of each table, or a drawing, in the current language, by the name that stands in RULES.md."""
    made: dict[str, Callable[[], Rows | str]] = {
        "circuits": _circuits,
        "drawings": _drawings,
        "characters": _characters,
        "fights": _fights,
        "small_shock": lambda: _landings(Size.SMALL),
        "big_shock": lambda: _landings(Size.BIG),
        "shortcut": lambda: [[face, f"{rows:+}"] for face, rows in enumerate(data.SHORTCUT_ROWS.tolist(), 1)],
        "chests": _chests,
        "colours": _colours,
        "ranges": _ranges,
        "rule_points": _rule_points,
    }
    return {name: rows() for name, rows in made.items()}


def _circuits() -> Rows:
    """Return how many of each thing are printed on each circuit."""
    kinds = [square for square in Square if square != Square.PLAIN]
    return [
        [circuit_name(name)[0], *(int((circuit.printed == kind).sum()) for kind in kinds)]
        for name, circuit in zip(CIRCUIT_NAMES, CIRCUITS, strict=True)
    ]


def _drawings() -> str:
    """Return the drawings of all circuits, three beside each other, each under its title."""
    named = zip(CIRCUIT_NAMES, CIRCUITS, strict=True)
    drawn = [[circuit_name(name)[0], *_drawing(circuit)] for name, circuit in named]
    groups = [drawn[first : first + SIDE_BY_SIDE] for first in range(0, len(drawn), SIDE_BY_SIDE)]
    width = max(len(line) for drawing in drawn for line in drawing) + 3
    return "\n\n".join(
        "\n".join("".join(line.ljust(width) for line in lines).rstrip() for lines in zip(*group, strict=True))
        for group in groups
    )


def _drawing(circuit: Circuit) -> list[str]:
    """Return the lines of a circuit, its columns first; the start squares have their numbers."""
    signs = [SYMBOLS[printed] for printed in circuit.printed.tolist()]
    for number, square in enumerate(circuit.starts.tolist(), 1):
        signs[square] = str(number)
    rows = [signs[first : first + COLUMNS] for first in range(0, len(signs), COLUMNS)]
    return [f"   {' '.join(COLUMN_NAMES)}", *(f"{row:2} {' '.join(signs)}" for row, signs in enumerate(rows, 1))]


def _characters() -> Rows:
    """Return speed, fight value, kind of alternative and special rules of each character."""
    rows: list[list[str | int]] = []
    for character in Character:
        rules = [rule_name(rule) for rule in Rule if data.RULES_OF[character] >> rule & 1]
        kind = _("an offensive object") if data.IS_OFFENSIVE[character] else _("a non-offensive object")
        numbers = [int(data.SPEED[character]), int(data.FIGHT[character])]
        rows.append([character_name(character), *numbers, kind, ", ".join(rules) or _("a rule of its choice")])
    return rows


def _fights() -> Rows:
    """Return how many of a hundred faces are a defeat, a simple and a crushing win, by fight value."""
    found = {int(data.FIGHT[character]): int(data.CRUSHING[character]) for character in Character}
    return [[fight, 100 - fight, fight - crushing, crushing] for fight, crushing in sorted(found.items())]


def _landings(size: Size) -> Rows:
    """Return where each face of a shock's die leads: rows back, columns to the right."""
    sides = int(data.SHOCK_SIDES[size])
    return [[face + 1, int(back), f"{int(aside):+}"] for face, (back, aside) in enumerate(data.LANDINGS[size][:sides])]


def _chests() -> Rows:
    """Return the chances of each object in percent by colour of the chest, and its two alternatives."""
    return [
        [
            object_name(thing),
            *data.OBJECT_ENTRIES[thing]["weights"],
            object_name(data.ALTERNATIVE[1, thing]),
            object_name(data.ALTERNATIVE[0, thing]),
        ]
        for thing in Object
    ]


def _colours() -> Rows:
    """Return the chests from the first racer to the last, by number of racers."""
    return [
        [racers, ", ".join(chest_name(Colour(colour)) for colour in data.STANDING[racers, :racers].tolist())]
        for racers in range(2, 7)
    ]


def _ranges() -> Rows:
    """Return how far each thing that is aimed reaches, and what its shock is worth; "-" for none."""
    aimed = {
        object_name(Object.AXE): (data.AXE_RANGE, Aim.AXE),
        object_name(Object.SPEAR): (data.SPEAR_RANGE, Aim.SPEAR),
        object_name(Object.TRAP): (data.TRAP_ROWS, Aim.TRAP),
        rule_name(Rule.BITE): (data.BITE_RANGE, Aim.BITE),
        rule_name(Rule.FIRE_WAND): (data.FIRE_WAND_RANGE, Aim.FIRE_WAND),
        rule_name(Rule.TELEPORT_WAND): (data.TELEPORT_RANGE, Aim.TELEPORT_WAND),
        rule_name(Rule.THEFT): (data.THEFT_RANGE, Aim.THEFT),
    }
    entries = {Object[name.name].value: name for name in (Aim.AXE, Aim.SPEAR, Aim.TRAP)}
    shocks = {aim: data.OBJECT_ENTRIES[thing]["shock"] for thing, aim in entries.items()}
    shocks |= {aim: data.RULE_ENTRIES[Rule[aim.name]]["shock"] for aim in (Aim.BITE, Aim.FIRE_WAND)}
    return [
        [name, reach, int(Size[shocks[aim].upper()]) if aim in shocks else "-"] for name, (reach, aim) in aimed.items()
    ]


def _rule_points() -> Rows:
    """Return the points that each special rule brings."""
    return [[rule_name(rule), f"+{entry['points']}"] for rule in Rule if "points" in (entry := data.RULE_ENTRIES[rule])]
