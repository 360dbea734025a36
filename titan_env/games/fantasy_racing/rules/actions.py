"""The 162 actions of Fantasy Racing, declared once and frozen with the game's version.

Left and right are as drawn. ``at:+2,-1`` is a square as seen from the acting racer: rows forward,
then columns to the right.
"""

from titan_env.contract import ActionTable
from titan_env.games.fantasy_racing.rules.state import Character, Flight, Object, Rule

CHARACTERS = [character.name.lower() for character in Character]
RULES = [rule.name.lower() for rule in Rule]
OBJECTS = [thing.name.lower() for thing in Object]
ACTIVE = OBJECTS[: Object.SYRINGE + 1]
"""The objects that are used as a main action."""
SKIDS = ["stay", "L1", "L2", "R1", "R2"]
AIM_ROWS, AIM_COLUMNS = 6, 3
"""How far `at:` can name a square, each way."""
AIM_WIDTH = 2 * AIM_COLUMNS + 1
PLACES = [
    (rows, columns) for rows in range(-AIM_ROWS, AIM_ROWS + 1) for columns in range(-AIM_COLUMNS, AIM_COLUMNS + 1)
]
"""The squares that `at:` names, as rows forward and columns to the right."""

ACTIONS = ActionTable(
    (
        *(f"choose:{name}" for name in CHARACTERS),
        *(f"rule:{name}" for name in RULES[: Rule.BRUTE]),
        *("die:1", "die:2", "die:3"),
        *("flip:1", "flip:2", "flip:3", "flip:both", "keep"),
        *(f"skid:{name}" for name in SKIDS),
        *("advance", "rest", "end"),
        *(f"coins:{count}" for count in range(1, 6)),
        *(f"use:{name}" for name in ACTIVE),
        *("bite", "fire_wand", "teleport_wand", "theft"),
        *(f"go:{squares}" for squares in range(1, 9)),
        *("shield", "suffer"),
        *("shift:stay", "shift:L", "shift:R"),
        *("stop", "pass"),
        *(f"fire:{step.name}" for step in Flight if step != Flight.RELEASE),
        "release",
        *(f"at:{rows:+d},{columns:+d}" for rows, columns in PLACES),
    )
)

# The first action of each group, for rules that count from it.
CHOOSE = ACTIONS.numbers["choose:elf"]
RULE = ACTIONS.numbers["rule:poison"]
DIE = ACTIONS.numbers["die:1"]
FLIP = ACTIONS.numbers["flip:1"]
FLIP_BOTH = ACTIONS.numbers["flip:both"]
KEEP = ACTIONS.numbers["keep"]
SKID = ACTIONS.numbers["skid:stay"]
ADVANCE = ACTIONS.numbers["advance"]
REST = ACTIONS.numbers["rest"]
END = ACTIONS.numbers["end"]
COINS = ACTIONS.numbers["coins:1"]
USE = ACTIONS.numbers["use:fire_ring"]
SPECIAL = ACTIONS.numbers["bite"]
GO = ACTIONS.numbers["go:1"]
SHIELD = ACTIONS.numbers["shield"]
SUFFER = ACTIONS.numbers["suffer"]
SHIFT = ACTIONS.numbers["shift:stay"]
STOP = ACTIONS.numbers["stop"]
PASS = ACTIONS.numbers["pass"]
FIRE = ACTIONS.numbers["fire:F"]
RELEASE = ACTIONS.numbers["release"]
AT = ACTIONS.numbers["at:-6,-3"]
