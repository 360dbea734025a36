"""The reasons of illegal actions: the sentence of the rules that forbids an action."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import Status
from titan_env.contract.translation import mark
from titan_env.games.tiny_turbo_cars.rules import actions
from titan_env.games.tiny_turbo_cars.rules.boards import CARS
from titan_env.games.tiny_turbo_cars.rules.controller import LONGEST_PUSH
from titan_env.games.tiny_turbo_cars.rules.legal import legal
from titan_env.games.tiny_turbo_cars.rules.state import Ask
from titan_env.games.tiny_turbo_cars.words.translation import _

_ASKED = {
    Ask.CAR: mark("A car is to be chosen first."),
    Ask.PLACE: mark("The car is to be put on a place of the starting grid first."),
    Ask.PROGRAM: mark("The controller is being programmed: a slide, or finish."),
    Ask.DRIVE: mark("The turn begins: the car drives its program."),
    Ask.FLY: mark("Piou Racer may fly now, or stay."),
    Ask.SHIELD: mark("The question is whether a shield is given for 2 cells."),
}
_VERBS = {
    Ask.CAR: {"car"},
    Ask.PLACE: {"place"},
    Ask.PROGRAM: {"push", "finish"},
    Ask.DRIVE: {"drive"},
    Ask.FLY: {"fly"},
    Ask.SHIELD: {"shield"},
}
_NO_TILE = {
    "up": mark("No tile lies below the hole."),
    "down": mark("No tile lies above the hole."),
    "left": mark("No tile lies to the right of the hole."),
    "right": mark("No tile lies to the left of the hole."),
}
_NO_TILES = {
    "up": mark("No {n} tiles lie below the hole."),
    "down": mark("No {n} tiles lie above the hole."),
    "left": mark("No {n} tiles lie to the right of the hole."),
    "right": mark("No {n} tiles lie to the left of the hole."),
}


def why_not(state: Any, action: int) -> str | None:
    """Return the sentence of the rules that forbids an action in this state; None when it is legal.

    Raises ValueError for a number that is no action.
    """
    if not 0 <= action < len(actions.ACTIONS):
        raise ValueError(f"expected an action from 0 to {len(actions.ACTIONS) - 1}, got {action}")
    mask = np.zeros(len(actions.ACTIONS), np.int8)
    legal(state.view(np.recarray)[()] if isinstance(state, np.ndarray) else state, mask)
    if mask[action]:
        return None
    if state.over != Status.RUNNING:
        return _("The race is over.")
    verb, _sep, thing = actions.ACTIONS.texts[action].partition(":")
    ask = Ask(int(state.ask))
    return _reason(state, verb, thing) if verb in _VERBS[ask] else _(_ASKED[ask])


def _reason(state: Any, verb: str, thing: str) -> str:
    """Return the reason that forbids an action of a kind that is asked for."""
    if verb == "push":
        number = actions.PUSHES.index(thing)
        if number % LONGEST_PUSH and not state.line_pushes:
            return _("Whole lines are not pushed in this game.")
        side, more = thing.rstrip("23"), number % LONGEST_PUSH
        return _(_NO_TILES[side], n=more + 1) if more else _(_NO_TILE[side])
    if verb == "car":
        return _("Somebody drives {car}.", car=CARS[actions.CARS.index(thing)]["name"])
    if verb == "place":
        return _("Somebody stands on place {n}.", n=thing)
    message = mark("There is no empty cell to the left of Piou Racer.")
    if thing == "right":
        message = mark("There is no empty cell to the right of Piou Racer.")
    return _(message)
