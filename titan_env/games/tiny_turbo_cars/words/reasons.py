"""Why not: the sentence of the rules that forbids an action."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import Status
from titan_env.games.tiny_turbo_cars.rules import actions
from titan_env.games.tiny_turbo_cars.rules.boards import CARS
from titan_env.games.tiny_turbo_cars.rules.controller import LONGEST_PUSH
from titan_env.games.tiny_turbo_cars.rules.legal import legal
from titan_env.games.tiny_turbo_cars.rules.state import Ask

_ASKED = {
    Ask.CAR: "A car is to be chosen first.",
    Ask.PLACE: "The car is to be put on a place of the starting grid first.",
    Ask.PROGRAM: "The controller is being programmed: a slide, or finish.",
    Ask.DRIVE: "The turn begins: the car drives its program.",
    Ask.FLY: "Piou Racer may fly now, or stay.",
    Ask.SHIELD: "The question is whether a shield is given for 2 cells.",
}
_VERBS = {
    Ask.CAR: {"car"},
    Ask.PLACE: {"place"},
    Ask.PROGRAM: {"push", "finish"},
    Ask.DRIVE: {"drive"},
    Ask.FLY: {"fly"},
    Ask.SHIELD: {"shield"},
}
_SIDE = {"up": "below", "down": "above", "left": "to the right of", "right": "to the left of"}


def why_not(state: Any, action: int) -> str | None:
    """The sentence of the rules that forbids an action in this state; None when it is legal.

    Raises ValueError for a number that is no action.
    """
    if not 0 <= action < len(actions.ACTIONS):
        raise ValueError(f"expected an action from 0 to {len(actions.ACTIONS) - 1}, got {action}")
    mask = np.zeros(len(actions.ACTIONS), np.int8)
    legal(state.view(np.recarray)[()] if isinstance(state, np.ndarray) else state, mask)
    if mask[action]:
        return None
    if state.over != Status.RUNNING:
        return "The race is over."
    verb, _, thing = actions.ACTIONS.texts[action].partition(":")
    ask = Ask(int(state.ask))
    return _reason(state, verb, thing) if verb in _VERBS[ask] else _ASKED[ask]


def _reason(state: Any, verb: str, thing: str) -> str:
    """Why an action of a kind that is asked for is not allowed."""
    if verb == "push":
        number = actions.PUSHES.index(thing)
        if number % LONGEST_PUSH and not state.line_pushes:
            return "Whole lines are not pushed in this game."
        side = _SIDE[thing.rstrip("23")]
        tiles = f"{number % LONGEST_PUSH + 1} tiles lie" if number % LONGEST_PUSH else "tile lies"
        return f"No {tiles} {side} the hole."
    if verb == "car":
        return f"Somebody drives {CARS[actions.CARS.index(thing)]['name']}."
    if verb == "place":
        return f"Somebody stands on place {thing}."
    return f"There is no empty cell to the {thing} of Piou Racer."
