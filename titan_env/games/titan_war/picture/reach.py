"""The reach of the picked legion and its musters there, as marks on the board and in words."""

from __future__ import annotations

from typing import Any

from titan_env.contract.shapes import Sheet
from titan_env.games.titan_battle.picture.click_targets import Offers
from titan_env.games.titan_war.picture.masterboard import along_base
from titan_env.games.titan_war.picture.pieces import counter
from titan_env.games.titan_war.rules.actions import ACTIONS
from titan_env.games.titan_war.rules.lands import land_number
from titan_env.games.titan_war.rules.state import Ask
from titan_env.games.titan_war.words.legions import power_of
from titan_env.games.titan_war.words.reach import lands_on_foot, musters_on, told_musters, told_reach
from titan_env.games.titan_war.words.sentences import describe_action
from titan_env.games.titan_war.words.translation import _

_AT = 0.77
"""The distance of the best muster from the long side of a land, in heights."""
_SCALE = 0.7


def put_musters(shapes: Sheet, state: Any, offers: Offers, narrow: bool) -> None:
    """Put on each land to which the picked legion can go the most valuable character that it could muster there."""
    if state.ask != Ask.GO_LAND:
        return
    for key in offers:
        group, _sep, land = key.partition(":")
        kinds = musters_on(state, state.picked, int(land)) if group == "land" else []
        if kinds:
            power = power_of(state, int(state.seat), kinds[0])
            x, y = along_base(int(land), _AT)
            sentences = told_musters(state, state.picked, int(land))
            shapes += counter(kinds[0], power, x, y, 1.0 if narrow else _SCALE, "", offers[key], sentences)


def told_of_land(state: Any, action: int) -> str:
    """Return an action that a land offers in words, and whom the legion could muster there."""
    sentence = describe_action(state, action)
    verb, _sep, number = ACTIONS.texts[action].partition(":")
    if state.ask != Ask.GO_LAND or verb != "to":
        return sentence
    found = told_musters(state, state.picked, land_number(int(number)))
    return _("{name}: {text}", name=sentence, text=found) if found else sentence


def told_of_moves(state: Any, marker: int) -> list[str]:
    """Return where a legion that may be picked can go, a line for each land."""
    return told_reach(state, marker) if state.ask in (Ask.MOVE, Ask.STACK) else []


def shown_by(state: Any, marker: int) -> tuple[str, ...]:
    """Return the keys of the lands to which a legion that may be picked can go."""
    if state.ask not in (Ask.MOVE, Ask.STACK):
        return ()
    return tuple(f"land:{land}" for land in lands_on_foot(state, marker))
