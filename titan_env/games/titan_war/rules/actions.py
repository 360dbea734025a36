"""The 365 actions of a war, declared once and frozen with the game's version; the first 159 are those of a battle."""

from __future__ import annotations

from titan_env.contract import ActionTable
from titan_env.games.titan_battle.rules import actions as battle_actions
from titan_env.games.titan_war.rules.lands import LAND_NUMBERS

STACK_PLACES = 3
"""A land may hold so many legions of a player."""
SIDES = ("R", "B", "L")
TALK = ("flee", "fight", "concede", "offer", "agree")

ACTIONS = ActionTable(
    (
        *battle_actions.ACTIONS.texts,
        *(f"pick:{number}" for number in LAND_NUMBERS),
        *(f"to:{number}" for number in LAND_NUMBERS),
        *(f"stack:{index}" for index in range(1, STACK_PLACES + 1)),
        "teleport",
        *(f"side:{side}" for side in SIDES),
        *("keep", "reroll"),
        *TALK,
    )
)

# The first action of each group, for rules that count from it.
PICK_KIND, MUSTER = battle_actions.PICK_KIND, battle_actions.MUSTER
PASS, END = battle_actions.PASS, battle_actions.END
PICK_LAND = ACTIONS.numbers[f"pick:{LAND_NUMBERS[0]}"]
TO_LAND = ACTIONS.numbers[f"to:{LAND_NUMBERS[0]}"]
STACK = ACTIONS.numbers["stack:1"]
TELEPORT = ACTIONS.numbers["teleport"]
SIDE = ACTIONS.numbers["side:R"]
KEEP, REROLL = ACTIONS.numbers["keep"], ACTIONS.numbers["reroll"]
FLEE, FIGHT, CONCEDE, OFFER, AGREE = (ACTIONS.numbers[word] for word in TALK)
NO_ACTION = -1
