"""How people begin a race: races ready to be chosen, cars by their pictures, every option in words."""

from __future__ import annotations

from typing import Any

from titan_env.contract.defaults import spoken
from titan_env.contract.people import Choice, Form, Preset, Question
from titan_env.games.tiny_turbo_cars.picture.pieces import car_piece
from titan_env.games.tiny_turbo_cars.rules.boards import CARS
from titan_env.games.tiny_turbo_cars.rules.state import ALL_CARS, Car
from titan_env.games.tiny_turbo_cars.words.audience import OPTION_VALUES

_FEWEST, _MOST = 2, 4


def setup_form() -> Form:
    """Presets, the usual one first, and what can be chosen besides."""
    return Form(_PRESETS, _questions())


_PRESETS = (
    Preset("Race of four", "Four cars that are chosen in turn, three boards between start and finish."),
    Preset("Duel", "Two cars, one against the other.", {"players": 2}),
    Preset("Sprint", "A single board between start and finish, cars that are drawn.", {"length": 1, "cars": "random"}),
    Preset("The long race", "Four boards between start and finish.", {"length": 4}),
    Preset(
        "Against the clock", "Few slides for a program, several tiles at once.", {"slides": 12, "line_pushes": True}
    ),
)
_WORDS: dict[str, dict[Any, str]] = {
    "cars": {"draft": "chosen in turn", "random": "drawn"},
    "line_pushes": {False: "one tile", True: "up to three tiles of a line"},
    "round_limit": {None: "no limit"},
}


def _questions() -> tuple[Question, ...]:
    """Every option, in words."""
    cars = tuple(_car(car) for car in range(ALL_CARS))
    about = "Choose one for each player, in their order; none chosen: they choose before the race."
    return (
        Question("cars", "Cars", about, _choices("cars"), cars, _FEWEST, _MOST, ("players",)),
        Question("players", "Players", "2 to 4.", _choices("players")),
        Question("length", "Boards", "How many lie between start and finish.", _choices("length")),
        Question("boards", "Which boards", "Drawn; or by name, in their order, as text."),
        Question("slides", "Slides", "The most that a player may make in one round.", _choices("slides")),
        Question("countdown", "Last slides", "Left to whoever programs last.", _choices("countdown")),
        Question("line_pushes", "A slide moves", "", _choices("line_pushes")),
        Question("round_limit", "Longest race", "In rounds; then nobody wins.", _choices("round_limit")),
    )


def _choices(option: str) -> tuple[Choice, ...]:
    known = _WORDS.get(option, {})
    return tuple(Choice(value, known.get(value, spoken(value))) for value in OPTION_VALUES[option])


def _car(car: int) -> Choice:
    """One of the cars with its picture and ability."""
    drawn = tuple(car_piece(car, 0.0, 0.0, 0.3, False, "", ""))
    return Choice(Car(car).name.lower(), str(CARS[car]["name"]), str(CARS[car]["ability"]), drawn)
