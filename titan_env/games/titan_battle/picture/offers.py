"""Which thing of the picture offers which actions: hexes, counters beside the map, buttons."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.games.titan_battle.rules.actions import ACTIONS
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.hexes import hex_number
from titan_env.games.titan_battle.rules.legal import legal_in_battle
from titan_env.games.titan_battle.rules.state import OUTSIDE, SLOTS, Ask
from titan_env.games.titan_battle.rules.strikes import worse_dice, worse_number

Offers = dict[str, tuple[int, ...]]
"""The legal actions that a click on each thing offers, by its key."""

_ENDS = {
    Ask.MANEUVER: "end the maneuvers",
    Ask.STRIKE: "no further rangestrike",
}
_PASSES = {
    Ask.CARRY: "carry no further",
    Ask.REINFORCE: "no reinforcement",
    Ask.SUMMON: "summon nobody",
}


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


def offered_words(battle: Any, action: int) -> str:
    """Return an action in words, as it reads in this battle."""
    verb, _, thing = ACTIONS.texts[action].partition(":")
    ask = Ask(int(battle.ask))
    if verb == "plain":
        return f"plain strike: {dice_and_number(battle.dice, battle.number)}"
    if verb == "end":
        return _ENDS.get(ask, "enough")
    if verb == "pass":
        return _PASSES.get(ask, "no")
    if verb == "carry" and ask == Ask.HANDICAP:
        number = action - ACTIONS.numbers["carry:A1"]
        pair = dice_and_number(worse_dice(battle, number), worse_number(battle, number))
        return f"strike so that it can carry to {thing}: {pair}"
    if verb == "carry":
        return f"carry over to {thing}, as many hits as it can take"
    if verb == "pick":
        return {Ask.STRIKE: f"{thing} strikes", Ask.SUMMON: f"summon the {thing}"}.get(ask, f"{thing} moves")
    return {"muster": f"muster a {thing}", "to": f"go to {thing}", "hit": f"strike {thing}"}[verb]


def dice_and_number(dice: int, number: int) -> str:
    """Return a strike as it is written in the picture: 6d 4+ is six dice that hit from 4 on."""
    return f"{int(dice)}d {int(number)}+"
