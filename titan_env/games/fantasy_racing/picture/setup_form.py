"""The setup form: races ready to be chosen, circuits and characters by their pictures, options in words."""

from __future__ import annotations

from typing import Any

from titan_env.contract.defaults import spoken
from titan_env.contract.presentation_values import OptionPrompt, OptionValue, Preset, SetupFormData
from titan_env.contract.shapes import Box, Circle, Label, Shape
from titan_env.contract.translation import mark
from titan_env.games.fantasy_racing.picture.drawings import SQUARES
from titan_env.games.fantasy_racing.picture.picture import FILLS, HIGH, WIDE, centre
from titan_env.games.fantasy_racing.rules.circuits import CIRCUIT_NAMES, PRINTED, circuit_name
from titan_env.games.fantasy_racing.rules.state import SQUARES as ALL_SQUARES
from titan_env.games.fantasy_racing.rules.state import Character, Square
from titan_env.games.fantasy_racing.words.glossary import character_note
from titan_env.games.fantasy_racing.words.presentation import OPTION_VALUES, PAINT
from titan_env.games.fantasy_racing.words.translation import _, capital, character_name, token_name

_FEWEST, _MOST = 2, 6


def setup_form() -> SetupFormData:
    """Presets, the usual one first, and what can be chosen besides."""
    about = _("Heroes race, ram each other and gather treasure; points win, not the first place.")
    return SetupFormData(_presets(), _questions(), about, minutes=11)


def _presets() -> tuple[Preset, ...]:
    """Races for a click."""
    six = _("Six characters that are dealt, ten rounds, a circuit that is drawn.")
    choose = {"players": 4, "characters": "choose"}
    short = {"players": 3, "rounds": 5}
    return (
        Preset(_("Race of six"), six),
        Preset(_("Duel"), _("Two racers, one against the other."), {"players": 2}),
        Preset(_("Choose your character"), _("Four racers, each chooses in turn."), choose),
        Preset(_("A short race"), _("Five rounds among three: to learn the rules."), short),
        Preset(_("The long race"), _("Fifteen rounds among six."), {"rounds": 15}),
    )


_WORDS: dict[str, dict[Any, str]] = {
    "circuit": {"random": mark("drawn"), "generated": mark("generated")},
    "characters": {"deal": mark("dealt"), "choose": mark("chosen in turn")},
}


def _questions() -> tuple[OptionPrompt, ...]:
    """Every option, in words."""
    generated = OptionValue("generated", _("generated"), _("None of the six: new in every race."))
    circuits = (
        OptionValue("random", _("drawn")),
        generated,
        *(_circuit(number) for number in range(len(CIRCUIT_NAMES))),
    )
    characters = tuple(_character(character) for character in Character)
    about = _("Choose one for each player, in their order; none chosen: they are dealt.")
    dealt = _choices("characters")
    return (
        OptionPrompt("circuit", _("Circuit"), _("Where the race is held; your own can be typed as text."), circuits),
        OptionPrompt("characters", _("Characters"), about, dealt, characters, _FEWEST, _MOST, ("players",)),
        OptionPrompt("players", _("Players"), _("2 to 6."), _choices("players")),
        OptionPrompt("rounds", _("Rounds"), _("5 to 15; most points at the end win."), _choices("rounds")),
    )


def _choices(option: str) -> tuple[OptionValue, ...]:
    known = _WORDS.get(option, {})
    return tuple(
        OptionValue(value, _(known[value]) if value in known else spoken(value)) for value in OPTION_VALUES[option]
    )


def _circuit(number: int) -> OptionValue:
    """Return one of the circuits with a small picture of it."""
    name = CIRCUIT_NAMES[number]
    return OptionValue(name, *circuit_name(name), tuple(_board(number)))


def _board(number: int) -> list[Shape]:
    """Draw the squares of a circuit, without names."""
    shapes: list[Shape] = []
    for square in range(ALL_SQUARES):
        x, y = centre(square)
        printed = Square(int(PRINTED[number][square]))
        shapes.append(Box(x - WIDE / 2, y - HIGH / 2, WIDE, HIGH, FILLS.get(printed, "soft_sand"), "edge"))
        if printed != Square.PLAIN:
            shapes += SQUARES[printed](x, y, 0.2)
    return shapes


def _character(character: Character) -> OptionValue:
    """Return one of the characters with its token."""
    disc = Circle(0.0, 0.0, 0.24, PAINT[character], "black", 0.03)
    letters = Label(0.0, 0.0, token_name(character), "white", 16, bold=True)
    return OptionValue(
        character.name.lower(),
        capital(character_name(character)),
        character_note(character).text,
        (disc, letters),
    )
