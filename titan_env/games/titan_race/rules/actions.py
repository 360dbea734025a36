"""The 94 actions of Titan Race, declared once and frozen with the game's version.

An action means the same wherever it is legal. Directions are from the acting (or aimed) Titan's
own view: forward is always up the board.
"""

from titan_env.contract import ActionTable
from titan_env.games.titan_race.rules.state import CIRCUIT_NAMES, Card, Direction, Face, Titan

FACES = [face.name.lower() for face in Face]
CARDS = [card.name.lower() for card in Card]
MOVES = ["S", "SS", "SL", "SR", "LS", "RS", "LL", "RR", "LLL", "RRR"]
"""The move patterns: straight, left and right, in order."""
DIRECTIONS = [direction.name for direction in Direction]
ENTRIES = ["A1", "C1", "E1"]

_GROUPS = {
    "draft": FACES,
    "enter": ENTRIES,
    "copy": FACES[:5],
    "pay": [],
    "move": MOVES,
    "trap": ["B", "BL", "BR"],
    "strike": ["F", "FL", "FR"],
    "ability": ["", *DIRECTIONS],
    "shove": DIRECTIONS,
    "play": CARDS,
    "aim": DIRECTIONS,
    "discard": CARDS,
    "suffer": [],
    "pass": [],
    "reroll": [],
    "end": [],
    "choose": [titan.name.lower() for titan in Titan],
    "order": ["kept", "swapped"],
    "circuit": list(CIRCUIT_NAMES),
}


def _texts(verb: str, objects: list[str]) -> list[str]:
    """The texts of one group: the verb alone, or the verb with each of its objects."""
    return [f"{verb}:{thing}" if thing else verb for thing in objects or [""]]


ACTIONS = ActionTable(tuple(text for verb, objects in _GROUPS.items() for text in _texts(verb, objects)))

# The first action of each group, for rules that count from it.
DRAFT = ACTIONS.numbers["draft:yellow"]
ENTER = ACTIONS.numbers["enter:A1"]
COPY = ACTIONS.numbers["copy:yellow"]
PAY = ACTIONS.numbers["pay"]
MOVE = ACTIONS.numbers["move:S"]
TRAP_BEHIND = ACTIONS.numbers["trap:B"]
STRIKE = ACTIONS.numbers["strike:F"]
ABILITY = ACTIONS.numbers["ability"]
ABILITY_TO = ACTIONS.numbers["ability:F"]
SHOVE = ACTIONS.numbers["shove:F"]
PLAY = ACTIONS.numbers["play:surprise_trap"]
AIM = ACTIONS.numbers["aim:F"]
DISCARD_CARD = ACTIONS.numbers["discard:surprise_trap"]
SUFFER = ACTIONS.numbers["suffer"]
PASS = ACTIONS.numbers["pass"]
REROLL = ACTIONS.numbers["reroll"]
END = ACTIONS.numbers["end"]
CHOOSE = ACTIONS.numbers["choose:rassik"]
ORDER = ACTIONS.numbers["order:kept"]
CIRCUIT = ACTIONS.numbers[f"circuit:{CIRCUIT_NAMES[0]}"]
