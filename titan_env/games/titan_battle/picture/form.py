"""How people begin a battle: battles ready to be chosen, lands and characters by their pictures, options in words."""

from __future__ import annotations

from typing import Any

from titan_env.contract.people import Choice, Form, Preset, Question
from titan_env.contract.shapes import Polygon, Shape, ring
from titan_env.games.titan_battle.picture.drawings import FILLS
from titan_env.games.titan_battle.picture.drawings import HAZARDS as ICONS
from titan_env.games.titan_battle.picture.ground import RADIUS, borders, place
from titan_env.games.titan_battle.picture.pieces import waiting
from titan_env.games.titan_battle.rules.characters import CHARACTERS, ENTRIES, POWER
from titan_env.games.titan_battle.rules.lands import BORDERS, HAZARDS, LAND_NAMES
from titan_env.games.titan_battle.rules.state import HEXES, LEGION, Border, Hazard, Side

_PRESETS = (
    Preset("A battle", "Two drawn legions on a land that is drawn."),
    Preset("Equal legions", "Both sides have the same characters.", {"mirror": True}),
    Preset(
        "Titan against titan",
        "Both legions are led by their titan.",
        {"attacker": "with_titan", "defender": "with_titan"},
    ),
    Preset(
        "A great battle", "Legions late in a war, and an angel that can be summoned.", {"growth": 12, "summon": "angel"}
    ),
    Preset("The tower", "The defender stands behind walls.", {"land": "tower"}),
    Preset(
        "Duel",
        "A minotaur attacks a warbear on the plains: to learn the rules.",
        {"attacker": ["minotaur"], "defender": ["warbear"], "land": "plains", "reinforcement": False},
    ),
)
_SIDES = {"R": "right", "B": "bottom", "L": "left"}


def form() -> Form:
    """Return the presets, the usual one first, and what can be chosen besides."""
    return Form(_PRESETS, _questions())


def _questions() -> tuple[Question, ...]:
    """Return every option, in words."""
    lands = (Choice("random", "drawn"), *(_land(number) for number in range(len(LAND_NAMES))))
    sides = (Choice("random", "drawn"), *(Choice(side, name) for side, name in _SIDES.items()))
    seats = (Choice("random", "drawn"), Choice(0, "player 1"), Choice(1, "player 2"))
    angels = (Choice("none", "nobody"), Choice("angel", "an angel"), Choice("archangel", "an archangel"))
    scores = tuple(Choice(pair, f"{pair[0]} and {pair[1]}") for pair in ([0, 0], [200, 200], [400, 0], [0, 400]))
    limits = (Choice(None, "none"), Choice(200, "200"), Choice(1000, "1000"))
    return (
        Question("land", "Land", "Where the battle is fought.", lands),
        Question("side", "Side", "Where the attacker comes in; in a tower always at the bottom.", sides),
        _legion(Side.ATTACKER),
        _legion(Side.DEFENDER),
        Question("mirror", "Equal legions", "Both have the same drawn legion.", _yes_or_no(False)),
        Question("growth", "Age", "Musters that a drawn legion has behind it.", _numbers(6, 0, 2, 4, 8, 10, 12)),
        Question("scores", "Scores", "Of attacker and defender; a titan has one power more for each 100.", scores),
        Question("attacker_seat", "Who attacks", "", seats),
        Question("reinforcement", "Reinforcement", "The defender may muster one in round 4.", _yes_or_no(True)),
        Question("summon", "Who can be summoned", "By the attacker, after the first defender is slain.", angels),
        Question("limit", "Longest battle", "Decisions; then nobody wins.", limits),
    )


def _legion(side: Side) -> Question:
    """Ask how a legion comes about, or who is in it."""
    name = side.name.lower()
    choices = (Choice("drawn", "drawn"), Choice("with_titan", "drawn, with its titan"))
    about = f"Choose 1 to {LEGION} characters, each once; none chosen: the legion is drawn."
    pieces = tuple(_character(kind, side) for kind in range(len(CHARACTERS)))
    return Question(name, name.capitalize(), about, choices, pieces, 1, LEGION, ("mirror",))


def _yes_or_no(usual: bool) -> tuple[Choice, ...]:
    """Return yes and no, the usual one first."""
    return tuple(Choice(value, "yes" if value else "no") for value in (usual, not usual))


def _numbers(*numbers: int) -> tuple[Choice, ...]:
    """Return these numbers as choices."""
    return tuple(Choice(number, str(number)) for number in numbers)


def _land(number: int) -> Choice:
    """Return one of the lands with a small picture of it."""
    hazards = [hazard.name.lower() for hazard in Hazard if hazard in HAZARDS[number] and hazard != Hazard.PLAIN]
    signs = [f"{kind.name.lower()}s" for kind in Border if kind in BORDERS[number] and kind != Border.NONE]
    name = LAND_NAMES[number]
    return Choice(name, name, ", ".join([*hazards, *signs]), tuple(_map(number)))


def _map(land: int) -> list[Shape]:
    """Draw the hexes of a land, without names."""
    shapes: list[Shape] = []
    for number in range(HEXES):
        x, y = place(number)
        hazard = Hazard(int(HAZARDS[land, number]))
        shapes.append(Polygon(ring(x, y, RADIUS, 6), FILLS[hazard], "edge"))
        if hazard != Hazard.PLAIN:
            shapes += ICONS[hazard](x, y, 0.25)
    return [*shapes, *borders(land)]


def _character(kind: int, side: Side) -> Choice:
    """Return one of the characters with its counter."""
    entry = ENTRIES[CHARACTERS[kind]]
    told: list[Any] = [f"power {entry['power']}, skill {entry['skill']}"]
    told += ["flies"] * entry["flies"] + ["rangestrikes"] * (entry["ranged"] != "none")
    told += [f"native of {', '.join(entry['native'])}"] if entry["native"] else []
    counter = waiting(kind, side, int(POWER[kind]), 0.0, 0.0, 1.0, "", (), "")
    return Choice(CHARACTERS[kind], CHARACTERS[kind], "; ".join(told), tuple(counter))
