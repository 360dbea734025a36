"""Click targets of the picture: squares of moves, dice, objects and buttons, with the actions that they offer."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.games.fantasy_racing.rules import actions
from titan_env.games.fantasy_racing.rules.board import AHEAD, AT, beside, blocks
from titan_env.games.fantasy_racing.rules.data_tables import SPEED
from titan_env.games.fantasy_racing.rules.dice import squares_of
from titan_env.games.fantasy_racing.rules.legal import legal
from titan_env.games.fantasy_racing.rules.movement import RUN_UP
from titan_env.games.fantasy_racing.rules.state import Ask, Square

Offers = dict[str, tuple[int, ...]]
"""The legal actions that a click on each thing offers, by its key."""

_SIDES = {"stay": (0, 0), "L": (0, -1), "R": (0, 1)}
_SKIDS = {"stay": (0, 0), "L1": (-1, -1), "L2": (-2, -2), "R1": (-1, 1), "R2": (-2, 2)}
_FLIGHTS = {"F": (1, 0), "B": (-1, 0), "L": (0, -1), "R": (0, 1)}


_PRESSES = {"fire:F": "ArrowDown", "fire:B": "ArrowUp", "fire:L": "ArrowLeft", "fire:R": "ArrowRight"}
"""The keys that fly the fire ball: forward is down."""


def press_of(offered: tuple[int, ...]) -> str:
    """Return the key that stands for what a square offers; none for most."""
    return _PRESSES.get(actions.ACTIONS.texts[offered[0]], "") if len(offered) == 1 else ""


def offers_of(state: Any, seat: int | None) -> Offers:
    """Return the legal actions that a click on each thing offers; none to a seat that is not asked."""
    found: Offers = {}
    if state.over or (seat is not None and seat != state.seat):
        return found
    mask = np.zeros(len(actions.ACTIONS), np.int8)
    legal(state, mask)
    for action in np.flatnonzero(mask).tolist():
        verb, _sep, thing = actions.ACTIONS.texts[action].partition(":")
        for key in _things(state, int(state.seat), verb, thing, action):
            found[key] = (*found.get(key, ()), action)
    return found


def _things(state: Any, who: int, verb: str, thing: str, action: int) -> list[str]:
    """Return the things in the picture that stand for an action."""
    here = int(state.racers[who].square)
    button = f"button:{actions.ACTIONS.texts[action]}"
    if verb == "at":
        return [f"square:{AT[here, action - actions.AT]}"]
    if verb in ("shift", "skid"):
        rows, columns = (_SIDES if verb == "shift" else _SKIDS)[thing]
        return [f"square:{beside(here, rows, columns)}", *([button] if thing == "stay" else [])]
    if verb == "fire":
        return [f"square:{beside(int(state.ball), *_FLIGHTS[thing])}"]
    if verb == "release":
        return [f"square:{int(state.ball)}", button]
    if verb in ("die", "flip") and state.ask == Ask.DIE:
        squares = squares_of(state, int(thing) - 1, verb == "flip")
        return [f"{verb}:{thing}", f"square:{walk_end(state, here, squares)}"]
    if verb == "flip" and thing != "both":
        return [f"flip:{thing}"]
    if verb == "use":
        return [f"object:{who}:{thing}"]
    squares = _squares_walked(state, who, verb, thing)
    return [button, *([f"square:{walk_end(state, here, squares)}"] if squares else [])]


def _squares_walked(state: Any, who: int, verb: str, thing: str) -> int:
    """Return the number of squares that an action walks; 0 for others."""
    if verb == "advance":
        return int(SPEED[state.racers[who].character])
    if verb == "coins":
        return sum(range(int(thing) + 1))
    return int(thing) if verb == "go" else 0


def walk_end(state: Any, square: int, squares: int) -> int:
    """Return the end of a walk that only barriers, rocks, holes and traps can stop."""
    for walked in range(squares):
        if blocks(state, AHEAD[square]) or (walked and state.traps[square]):
            break
        jumps_short = walked and state.printed[square] == Square.HOLE and walked <= RUN_UP
        square = int(AHEAD[square])
        if jumps_short:
            break
    return square
