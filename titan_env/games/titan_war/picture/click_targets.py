"""Click targets of the picture: lands, legions, characters beside the board and buttons, with their actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract.translation import mark
from titan_env.games.titan_battle.picture.click_targets import Offers
from titan_env.games.titan_battle.picture.click_targets import offers_of as battle_offers
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_war.rules.actions import ACTIONS
from titan_env.games.titan_war.rules.lands import land_number
from titan_env.games.titan_war.rules.legal import legal
from titan_env.games.titan_war.rules.legions import legion_at
from titan_env.games.titan_war.rules.offers import is_of_battle
from titan_env.games.titan_war.rules.state import LEGIONS, NOBODY, Ask
from titan_env.games.titan_war.words.translation import _

_BUTTONS = {
    "flee": mark("flee"),
    "fight": mark("fight"),
    "concede": mark("concede"),
    "offer": mark("offer elimination of both"),
    "agree": mark("agree"),
    "keep": mark("keep the roll"),
    "reroll": mark("throw again"),
    "teleport": mark("teleport"),
    "R": mark("enter at the right"),
    "B": mark("enter at the bottom"),
    "L": mark("enter at the left"),
}
_PASSES = {
    Ask.SPLIT: mark("split no more"),
    Ask.MUSTER: mark("muster nobody"),
    Ask.REINFORCE: mark("no reinforcement"),
    Ask.ANGEL: mark("no angel"),
    Ask.SUMMON: mark("summon nobody"),
}
_ENDS = {Ask.SPLIT: mark("split off these"), Ask.MOVE: mark("move no more")}
"""The texts of the buttons."""


def war_offers(state: Any, seat: int | None) -> Offers:
    """Return the legal answers that a seat may click, by the things that offer them; not those within a battle."""
    found: Offers = {}
    if state.over or state.ask == Ask.NOTHING or seat not in (None, int(state.seat)):
        return found
    in_battle = is_of_battle(state)
    mask = np.zeros(len(ACTIONS), np.int8)
    legal(state, mask)
    for action in np.flatnonzero(mask).tolist():
        verb, _sep, thing = ACTIONS.texts[action].partition(":")
        if not in_battle or verb == "concede":
            for key in _things(state, verb, thing):
                found[key] = (*found.get(key, ()), action)
    return found


def fight_offers(state: Any, seat: int | None) -> Offers:
    """Return the legal answers within a battle that a seat may click, by the things of the battle's picture."""
    if state.over or seat not in (None, int(state.seat)) or not is_of_battle(state):
        return {}
    return battle_offers(state.battle)


def _things(state: Any, verb: str, thing: str) -> list[str]:
    """Return the keys of the things in the picture that stand for an action."""
    if verb == "muster":
        return [f"supply:{thing}"]
    if thing in CHARACTERS:
        return [f"choice:{thing}"]
    if verb == "to":
        return [f"land:{land_number(int(thing))}"]
    if verb == "pick":
        land = land_number(int(thing))
        return [f"land:{land}", *(f"row:{marker}" for marker in own_legions_on(state, land))]
    if verb == "stack":
        return [f"row:{int(legion_at(state, state.mover, state.land, int(thing) - 1))}"]
    return [f"button:{thing or verb}"]


def own_legions_on(state: Any, land: int) -> list[int]:
    """Return the legions of the seat that is asked on a land."""
    there = [state.legions[marker][["owner", "height", "land"]].item() for marker in range(LEGIONS)]
    seat = int(state.seat)
    return [marker for marker, (owner, height, at) in enumerate(there) if owner == seat and height > 0 and at == land]


def button_text(state: Any, key: str) -> str:
    """Return what is written on a button, by its key."""
    name = key.partition(":")[2]
    ask = Ask(int(state.ask))
    if name == "pass":
        return _(_PASSES.get(ask, mark("no")))
    if name == "end":
        return _(_ENDS.get(ask, mark("enough")))
    return _(_BUTTONS[name])


def engaged_legions(state: Any) -> list[int]:
    """Return the markers of the engagement at hand that are still on the board, the attacker's first."""
    return [int(marker) for marker in (state.attacker, state.defender) if marker != NOBODY]
