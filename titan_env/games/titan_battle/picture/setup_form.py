"""The setup form: battles ready to be chosen, lands and characters by their pictures, options in words."""

from __future__ import annotations

from typing import Any

from titan_env.contract.presentation_values import OptionPrompt, OptionValue, Preset, SetupFormData
from titan_env.contract.shapes import Polygon, Shape, ring
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.picture.battleland import RADIUS, borders, centre
from titan_env.games.titan_battle.picture.drawings import FILLS
from titan_env.games.titan_battle.picture.drawings import HAZARDS as ICONS
from titan_env.games.titan_battle.picture.pieces import waiting
from titan_env.games.titan_battle.rules.characters import CHARACTERS, POWER
from titan_env.games.titan_battle.rules.lands import BORDERS, HAZARDS, LAND_NAMES
from titan_env.games.titan_battle.rules.state import HEXES, LEGION, Border, Character, Hazard, Side
from titan_env.games.titan_battle.words.glossary import character_note
from titan_env.games.titan_battle.words.translation import (
    _,
    border_name,
    character_name,
    hazard_name,
    land_name,
    sentence,
    side_name,
)

_SIDES = {"R": mark("right"), "B": mark("bottom"), "L": mark("left")}
_SCORES = ([0, 0], [200, 200], [400, 0], [0, 400])
_LIMITS = (200, 1000)


def setup_form() -> SetupFormData:
    """Return the presets, the usual one first, and what can be chosen besides."""
    about = _("Two legions fight on one land, with dice, terrain and reinforcements.")
    return SetupFormData(_presets(), _questions(), about, minutes=6)


def _presets() -> tuple[Preset, ...]:
    """Return battles for a click."""
    titans = {"attacker": "with_titan", "defender": "with_titan"}
    duel = {"attacker": ["minotaur"], "defender": ["warbear"], "land": "plains", "reinforcement": False}
    late = _("Legions late in a war, and an angel that can be summoned.")
    return (
        Preset(_("A battle"), _("Two drawn legions on a land that is drawn.")),
        Preset(_("Equal legions"), _("Both sides have the same characters."), {"mirror": True}),
        Preset(_("Titan against titan"), _("Both legions are led by their titan."), titans),
        Preset(_("A great battle"), late, {"growth": 12, "summon": "angel"}),
        Preset(_("The tower"), _("The defender stands behind walls."), {"land": "tower"}),
        Preset(_("Duel"), _("A minotaur attacks a warbear on the plains: to learn the rules."), duel),
    )


def _questions() -> tuple[OptionPrompt, ...]:
    """Return every option, in words."""
    in_tower = _("Where the attacker comes in; in a tower always at the bottom.")
    powers = _("Of attacker and defender; a titan has one power more for each 100.")
    growth, late = _numbers(6, 0, 2, 4, 8, 10, 12), _("By the attacker, after the first defender is slain.")
    limits = (OptionValue(None, _("none")), *_numbers(*_LIMITS))
    return (
        OptionPrompt("land", _("Land"), _("Where the battle is fought."), _lands()),
        OptionPrompt("side", _("Side"), in_tower, _drawn({side: _(name) for side, name in _SIDES.items()})),
        _legion(Side.ATTACKER),
        _legion(Side.DEFENDER),
        OptionPrompt("mirror", _("Equal legions"), _("Both have the same drawn legion."), _yes_or_no(False)),
        OptionPrompt("growth", _("Age"), _("Musters that a drawn legion has behind it."), growth),
        OptionPrompt("scores", _("Scores"), powers, tuple(_score(*pair) for pair in _SCORES)),
        OptionPrompt("attacker_seat", _("Who attacks"), "", _drawn({n: _("player {n}", n=n + 1) for n in range(2)})),
        OptionPrompt(
            "reinforcement", _("Reinforcement"), _("The defender may muster one in round 4."), _yes_or_no(True)
        ),
        OptionPrompt("summon", _("Who can be summoned"), late, _angels()),
        OptionPrompt("limit", _("Longest battle"), _("Decisions; then nobody wins."), limits),
    )


def _drawn(named: dict[Any, str]) -> tuple[OptionValue, ...]:
    """Return these values under their names, and before them that chance draws one."""
    return (OptionValue("random", _("drawn")), *(OptionValue(value, name) for value, name in named.items()))


def _lands() -> tuple[OptionValue, ...]:
    """Return the lands."""
    return (*_drawn({}), *(_land(number) for number in range(len(LAND_NAMES))))


def _score(attacker: int, defender: int) -> OptionValue:
    """Return the points of both sides."""
    return OptionValue([attacker, defender], f"{attacker} · {defender}")


def _angels() -> tuple[OptionValue, ...]:
    """Return who may wait elsewhere."""
    return (OptionValue("none", _("nobody")), *(OptionValue(name, _(name)) for name in ("angel", "archangel")))


def _legion(side: Side) -> OptionPrompt:
    """Ask how a legion comes about, or who is in it."""
    choices = (OptionValue("drawn", _("drawn")), OptionValue("with_titan", _("drawn, with its titan")))
    about = _("Choose 1 to {most} characters, each once; none chosen: the legion is drawn.", most=LEGION)
    pieces = tuple(_character(kind, side) for kind in range(len(CHARACTERS)))
    title = sentence(side_name(side))
    return OptionPrompt(side.name.lower(), title, about, choices, pieces, 1, LEGION, ("mirror",))


def _yes_or_no(usual: bool) -> tuple[OptionValue, ...]:
    """Return yes and no, the usual one first."""
    return tuple(OptionValue(value, _("yes") if value else _("no")) for value in (usual, not usual))


def _numbers(*numbers: int) -> tuple[OptionValue, ...]:
    """Return these numbers as choices."""
    return tuple(OptionValue(number, str(number)) for number in numbers)


def _land(number: int) -> OptionValue:
    """Return one of the lands with a small picture of it."""
    hazards = [hazard_name(hazard) for hazard in Hazard if hazard in HAZARDS[number] and hazard != Hazard.PLAIN]
    signs = [border_name(kind) for kind in Border if kind in BORDERS[number] and kind != Border.NONE]
    return OptionValue(LAND_NAMES[number], land_name(number), ", ".join([*hazards, *signs]), tuple(_map(number)))


def _map(land: int) -> list[Shape]:
    """Draw the hexes of a land, without names."""
    shapes: list[Shape] = []
    for number in range(HEXES):
        x, y = centre(number)
        hazard = Hazard(int(HAZARDS[land, number]))
        shapes.append(Polygon(ring(x, y, RADIUS, 6), FILLS[hazard], "edge"))
        if hazard != Hazard.PLAIN:
            shapes += ICONS[hazard](x, y, 0.25)
    return [*shapes, *borders(land)]


def _character(kind: int, side: Side) -> OptionValue:
    """Return one of the characters with its counter."""
    counter = waiting(kind, side, int(POWER[kind]), 0.0, 0.0, 1.0, "", (), "")
    about = character_note(Character(kind)).text
    return OptionValue(CHARACTERS[kind], character_name(kind), about, tuple(counter))
