"""The 33 actions of Tiny Turbo Cars, declared once and frozen with the game's version."""

from titan_env.contract import ActionTable
from titan_env.games.tiny_turbo_cars.rules.state import STARTING_PLACES, Car

CARS = [car.name.lower() for car in Car]
DIRECTIONS = ["up", "down", "left", "right"]
"""Where tiles are pushed, towards the hole."""
PUSHES = [f"{direction}{tiles}" for direction in DIRECTIONS for tiles in ("", 2, 3)]

_GROUPS = {
    "push": PUSHES,
    "finish": [],
    "car": CARS,
    "place": [str(place + 1) for place in range(STARTING_PLACES)],
    "drive": [],
    "fly": ["left", "stay", "right"],
    "shield": ["spend", "stop"],
}


def _texts(verb: str, objects: list[str]) -> list[str]:
    """The texts of one group: the verb alone, or the verb with each of its objects."""
    return [f"{verb}:{thing}" if thing else verb for thing in objects or [""]]


ACTIONS = ActionTable(tuple(text for verb, objects in _GROUPS.items() for text in _texts(verb, objects)))

# The first action of each group, for rules that count from it.
PUSH = ACTIONS.numbers["push:up"]
FINISH = ACTIONS.numbers["finish"]
CAR = ACTIONS.numbers["car:dame_liner"]
PLACE = ACTIONS.numbers["place:1"]
DRIVE = ACTIONS.numbers["drive"]
FLY_LEFT = ACTIONS.numbers["fly:left"]
FLY_STAY = ACTIONS.numbers["fly:stay"]
FLY_RIGHT = ACTIONS.numbers["fly:right"]
SPEND = ACTIONS.numbers["shield:spend"]
STOP = ACTIONS.numbers["shield:stop"]
