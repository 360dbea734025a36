"""The 159 actions of a battle, declared once and frozen with the game's version. A war has them as its first ones."""

from titan_env.contract import ActionTable
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES

ACTIONS = ActionTable(
    (
        *(f"pick:{name}" for name in CHARACTERS),
        *(f"muster:{name}" for name in CHARACTERS),
        *(f"pick:{name}" for name in HEX_NAMES),
        *(f"to:{name}" for name in HEX_NAMES),
        *(f"hit:{name}" for name in HEX_NAMES),
        *(f"carry:{name}" for name in HEX_NAMES),
        *("plain", "pass", "end"),
    )
)

# The first action of each group, for rules that count from it.
PICK_KIND = ACTIONS.numbers["pick:titan"]
MUSTER = ACTIONS.numbers["muster:titan"]
PICK = ACTIONS.numbers["pick:A1"]
TO = ACTIONS.numbers["to:A1"]
HIT = ACTIONS.numbers["hit:A1"]
CARRY = ACTIONS.numbers["carry:A1"]
PLAIN = ACTIONS.numbers["plain"]
PASS = ACTIONS.numbers["pass"]
END = ACTIONS.numbers["end"]
