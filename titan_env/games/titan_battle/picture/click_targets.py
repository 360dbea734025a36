"""Click targets of the picture: hexes, counters beside the map and buttons, with the actions that they offer."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.actions import ACTIONS, PLAIN
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.hexes import hex_number
from titan_env.games.titan_battle.rules.legal import legal_in_battle
from titan_env.games.titan_battle.rules.state import OUTSIDE, SLOTS, Ask
from titan_env.games.titan_battle.words.translation import _

Offers = dict[str, tuple[int, ...]]
"""The legal actions that a click on each thing offers, by its key."""

_BUTTONS = {
    Ask.MANEUVER: mark("end the maneuvers"),
    Ask.STRIKE: mark("no further rangestrike"),
    Ask.CARRY: mark("carry no further"),
    Ask.REINFORCE: mark("no reinforcement"),
    Ask.SUMMON: mark("summon nobody"),
}
"""The text of the button that ends or declines."""
QUESTION_NOTES = {
    Ask.STRIKE: "strike_number",
    Ask.TARGET: "strike_number",
    Ask.HANDICAP: "handicap",
    Ask.CARRY: "surplus",
}
"""The entry of the glossary that explains what is offered in answer to a question."""


def offers_of(battle: Any) -> Offers:
    """Return the legal answers to a battle's question by the things that offer them."""
    found: Offers = {}
    if battle.ask == Ask.NOTHING:
        return found
    mask = np.zeros(len(ACTIONS), np.int8)
    legal_in_battle(battle, mask)
    for action in np.flatnonzero(mask).tolist():
        for key in _things(battle, *ACTIONS.texts[action].partition(":")[::2]):
            found[key] = (*found.get(key, ()), action)
    return found


def _things(battle: Any, verb: str, thing: str) -> list[str]:
    """Return the keys of the things in the picture that stand for an action."""
    if not thing:
        return [f"button:{verb}"]
    if verb == "muster":
        return [f"supply:{thing}"]
    if thing not in CHARACTERS:
        return [f"hex:{hex_number(thing)}"]
    if battle.ask == Ask.SUMMON:
        return [f"waits:{thing}"]
    slots = range(battle.asked * SLOTS, battle.asked * SLOTS + SLOTS)
    kind = CHARACTERS.index(thing)
    return [f"piece:{who}" for who in slots if battle.fighters[who][["kind", "hex"]].item() == (kind, OUTSIDE)]


def button_text(battle: Any, action: int) -> str:
    """Return what is written on the button of an action that names no thing of the picture."""
    if action == PLAIN:
        return _("plain strike: {strike}", strike=dice_and_number(battle.dice, battle.number))
    return _(_BUTTONS[Ask(int(battle.ask))])


def dice_and_number(dice: int, number: int) -> str:
    """Return a strike as it is written in the picture: 6d 4+ is six dice that hit from 4 on."""
    return _("{dice}d {number}+", dice=int(dice), number=int(number))
