"""The setup form: races ready to be chosen, cars by their pictures, every option in words."""

from __future__ import annotations

from typing import Any

from titan_env.contract.defaults import spoken
from titan_env.contract.presentation_values import OptionPrompt, OptionValue, Preset, SetupFormData
from titan_env.contract.translation import mark
from titan_env.games.tiny_turbo_cars.picture.pieces import car_piece
from titan_env.games.tiny_turbo_cars.rules.boards import CARS
from titan_env.games.tiny_turbo_cars.rules.state import ALL_CARS, Car
from titan_env.games.tiny_turbo_cars.words.presentation import OPTION_VALUES
from titan_env.games.tiny_turbo_cars.words.translation import _

_FEWEST, _MOST = 2, 4


def setup_form() -> SetupFormData:
    """Presets, the usual one first, and what can be chosen besides."""
    about = _("Everybody programs a little car on a sliding puzzle, then all drive at once and into each other.")
    return SetupFormData(_presets(), _questions(), about, minutes=4)


def _presets() -> tuple[Preset, ...]:
    """Races for a click."""
    four = _("Four cars that are chosen in turn, three boards between start and finish.")
    sprint = _("A single board between start and finish, cars that are drawn.")
    clock = {"slides": 12, "line_pushes": True}
    return (
        Preset(_("Race of four"), four),
        Preset(_("Duel"), _("Two cars, one against the other."), {"players": 2}),
        Preset(_("Sprint"), sprint, {"length": 1, "cars": "random"}),
        Preset(_("The long race"), _("Four boards between start and finish."), {"length": 4}),
        Preset(_("Against the clock"), _("Few slides for a program, several tiles at once."), clock),
    )


_WORDS: dict[str, dict[Any, str]] = {
    "cars": {"draft": mark("chosen in turn"), "random": mark("drawn")},
    "boards": {"random": mark("drawn"), "generated": mark("generated, others in every race")},
    "line_pushes": {False: mark("one tile"), True: mark("up to three tiles of a line")},
    "podium": {False: mark("the race is over"), True: mark("the others race on for the podium")},
    "round_limit": {None: mark("no limit")},
}


def _questions() -> tuple[OptionPrompt, ...]:
    """Return every option, in words."""
    cars = tuple(_car(car) for car in range(ALL_CARS))
    about = _("Choose one for each player, in their order; none chosen: they choose before the race.")
    most = _("The most that a player may make in one round.")
    return (
        OptionPrompt("cars", _("Cars"), about, _choices("cars"), cars, _FEWEST, _MOST, ("players",)),
        OptionPrompt("players", _("Players"), _("2 to 4."), _choices("players")),
        OptionPrompt("length", _("Boards"), _("How many lie between start and finish."), _choices("length")),
        OptionPrompt("boards", _("Which boards"), _("Drawn; or by name, in their order, as text."), _choices("boards")),
        OptionPrompt("slides", _("Slides"), most, _choices("slides")),
        OptionPrompt("countdown", _("Last slides"), _("Left to whoever programs last."), _choices("countdown")),
        OptionPrompt("line_pushes", _("A slide moves"), "", _choices("line_pushes")),
        OptionPrompt("podium", _("With a car past the line"), "", _choices("podium")),
        OptionPrompt("round_limit", _("Longest race"), _("In rounds; then nobody wins."), _choices("round_limit")),
    )


def _choices(option: str) -> tuple[OptionValue, ...]:
    known = _WORDS.get(option, {})
    return tuple(
        OptionValue(value, _(known[value]) if value in known else spoken(value)) for value in OPTION_VALUES[option]
    )


def _car(car: int) -> OptionValue:
    """Return one of the cars with its picture and ability."""
    drawn = tuple(car_piece(car, 0.0, 0.0, 0.3, False, "", ""))
    return OptionValue(Car(car).name.lower(), str(CARS[car]["name"]), _(str(CARS[car]["ability"])), drawn)
