"""The reasons of illegal actions: the sentence of the rules that forbids an action."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import Status
from titan_env.contract.translation import mark
from titan_env.games.fantasy_racing.rules import actions
from titan_env.games.fantasy_racing.rules.board import current, has, is_free_ahead
from titan_env.games.fantasy_racing.rules.data_tables import (
    AXE_RANGE,
    FIRE_WAND_RANGE,
    SPEAR_RANGE,
    TELEPORT_RANGE,
    THEFT_RANGE,
    TRAP_RANGE,
    TRAP_ROWS,
)
from titan_env.games.fantasy_racing.rules.flips import waiting
from titan_env.games.fantasy_racing.rules.legal import legal
from titan_env.games.fantasy_racing.rules.state import Aim, Ask, Character, Flight, Object, Roll, Rule
from titan_env.games.fantasy_racing.rules.targets import SIDEWAYS
from titan_env.games.fantasy_racing.words.sentences import coins, racer_name
from titan_env.games.fantasy_racing.words.translation import _, character_name, object_name

_ASKED = {
    Ask.CHOOSE: mark("Before the race each player chooses a character."),
    Ask.RULE: mark("Before the race the versatile human takes one special rule."),
    Ask.DIE: mark("The turn begins with a die of the movement roll."),
    Ask.ROLL: mark("It must be said first which dice of the roll are flipped."),
    Ask.SKID: mark("After the movement comes the skid, or staying."),
    Ask.TURN: mark("It is the action phase: a main action, coins, a special, or the end of the turn."),
    Ask.DISTANCE: mark("It must be said first how far bottle or syringe carry."),
    Ask.SHIELD: mark("The question is whether a shield is used against the shock."),
    Ask.SHIFT: mark("The winner of a fight may shift one square aside, or stay."),
    Ask.SHORTCUT: mark("The walk has come to a shortcut: stop on it, or pass."),
    Ask.FIRE: mark("The fire ball is in the air: it flies on, or is released."),
    Ask.AIM: mark("It must be said first what is aimed at."),
}
_VERBS = {
    Ask.CHOOSE: {"choose"},
    Ask.RULE: {"rule"},
    Ask.DIE: {"die", "flip"},
    Ask.ROLL: {"flip", "keep"},
    Ask.SKID: {"skid"},
    Ask.TURN: {"advance", "rest", "end", "coins", "use", "bite", "fire_wand", "teleport_wand", "theft"},
    Ask.DISTANCE: {"go"},
    Ask.SHIELD: {"shield", "suffer"},
    Ask.SHIFT: {"shift"},
    Ask.SHORTCUT: {"stop", "pass"},
    Ask.FIRE: {"fire", "release"},
    Ask.AIM: {"at"},
}
_RANGES = {
    Aim.AXE: mark("An axe flies up to {n} steps in any direction, never on to a rock, at {shot}."),
    Aim.SPEAR: mark("A spear flies up to {n} squares in its column, not on to or past a rock, at {shot}."),
    Aim.TRAP: mark(
        "A trap is laid on a plain square without one: on the ground where nobody stands up to {rows} rows away, "
        "or on an opponent up to {n} squares away."
    ),
    Aim.BITE: mark("A bite reaches an opponent on the own square or beside it."),
    Aim.FIRE_WAND: mark("The fire wand reaches {shot} up to {n} squares straight, {aside} aside or diagonally."),
    Aim.TELEPORT_WAND: mark(
        "The teleport wand leads up to {n} columns aside, not on to a barrier or rock, where nobody stands."
    ),
    Aim.THEFT: mark("A thief robs an opponent up to {n} squares away that holds something."),
}
_REACHES = {
    Aim.AXE: AXE_RANGE,
    Aim.SPEAR: SPEAR_RANGE,
    Aim.TRAP: TRAP_RANGE,
    Aim.FIRE_WAND: FIRE_WAND_RANGE,
    Aim.TELEPORT_WAND: TELEPORT_RANGE,
    Aim.THEFT: THEFT_RANGE,
}
_BLOCKED = mark("A barrier or rock is straight ahead.")
_PROTECTED = mark("An opponent that has not played its first turn yet is protected.")


def _range(aim: Aim) -> str:
    """Reasons of reach: the range of a weapon, its possible targets, and their protection."""
    shot = _("an opponent, a barrier or a trap")
    text = _(_RANGES[aim], n=_REACHES.get(aim, 0), rows=TRAP_ROWS, aside=SIDEWAYS, shot=shot)
    return f"{text} {_(_PROTECTED)}"


def why_not(state: Any, action: int) -> str | None:
    """Return the sentence of the rules that forbids an action in this state; None when it is legal.

    Raises ValueError for a number that is no action.
    """
    if not 0 <= action < len(actions.ACTIONS):
        raise ValueError(f"expected an action from 0 to {len(actions.ACTIONS) - 1}, got {action}")
    state = state.view(np.recarray)[()] if isinstance(state, np.ndarray) else state
    mask = np.zeros(len(actions.ACTIONS), np.int8)
    legal(state, mask)
    if mask[action]:
        return None
    if state.over != Status.RUNNING:
        return _("The race is over.")
    ask = Ask(int(state.ask))
    verb, _sep, thing = actions.ACTIONS.texts[action].partition(":")
    if verb not in _VERBS[ask]:
        return _(_ASKED[ask])
    return _reason(state, ask, verb, thing)


def _reason(state: Any, ask: Ask, verb: str, thing: str) -> str:
    """Return the reason that forbids an action of a kind that is asked for."""
    who = int(state.seat)
    if verb == "choose":
        return _("Somebody races as the {kind} already.", kind=character_name(Character[thing.upper()]))
    if verb == "die":
        return _why_no_die(state, thing)
    if verb == "flip":
        return _why_no_flip(state, who, ask, thing)
    if verb == "skid":
        return _("A skid does not lead on to or over a barrier or rock.")
    if verb == "go":
        return _(
            "Bottle and syringe carry as far as the dice say, not beyond the last square before a barrier or rock."
        )
    if verb == "shift":
        return _("A tactical shift does not lead on to a barrier or rock.")
    if verb in ("fire", "release"):
        return _why_no_flight(thing)
    if verb == "at":
        return _range(Aim(int(waiting(state)[2])))
    return _why_no_action(state, who, verb, thing)


def _why_no_die(state: Any, thing: str) -> str:
    """Return the reason that forbids a die of the movement roll."""
    if state.dice[int(thing) - 1] == 0:
        return _("There is no such die: only Fast racers roll three, and a poisoned one rolls one.")
    return _("Another die gives as many squares already.")


def _why_no_flip(state: Any, who: int, ask: Ask, thing: str) -> str:
    """Return the reason that forbids flipping a die."""
    free = state.free_flip and who == current(state)
    clovers = int(state.racers[who].objects[Object.CLOVER]) + int(free)
    if clovers < (2 if thing == "both" else 1):
        return _("Each die that is flipped costs a clover.")
    if thing in "123" and state.dice[int(thing) - 1] == 0:
        return _("There is no such die in this roll.")
    if ask == Ask.ROLL and thing != "1" and state.roll not in (Roll.TWO_D3, Roll.TWO_D10):
        return _("There is no such die in this roll.")
    return _("Flipping it would change nothing.")


def _why_no_flight(thing: str) -> str:
    """Return the reason that forbids the ball's flight to a square."""
    if not thing:
        steps = ", ".join(step.name for step in list(Flight)[:4])
        return _("The ball flies at least one step ({steps}) first.", steps=steps)
    if thing in "FB":
        return _("The ball never turns back to a row that it has left, nor flies all around the board.")
    return _("Within a row the ball flies to one side, at most six squares.")


def _why_no_action(state: Any, who: int, verb: str, thing: str) -> str:
    """Return the reason that forbids an action of the action phase."""
    if verb == "rest":
        return _("The main action is done: the turn can be ended.")
    if verb == "end":
        return _("Before the main action the turn ends by resting.")
    if verb in ("advance", "use") and state.main_done:
        return _("There is one main action in a turn.")
    if verb == "advance":
        return _(_BLOCKED)
    if verb == "coins":
        return _why_no_coins(state, who, int(thing))
    if verb == "use":
        return _why_no_object(state, who, Object[thing.upper()])
    if not has(state, who, Rule[verb.upper()]):
        return _("{who} does not have this special rule.", who=racer_name(state, who))
    if state.special_done:
        return _("There is one special in a turn.")
    return _("Nothing is in reach. {range}", range=_range(Aim[verb.upper()]))


def _why_no_coins(state: Any, who: int, needed: int) -> str:
    """Return the reason that forbids spending coins."""
    if state.coins_done:
        return _("Coins are spent once in a turn.")
    held = int(state.racers[who].objects[Object.COIN])
    if held < needed:
        return _("{who} has {coins}.", who=racer_name(state, who), coins=coins(held))
    return _(_BLOCKED)


def _why_no_object(state: Any, who: int, thing: Object) -> str:
    """Return the reason that forbids using an object."""
    if state.racers[who].objects[thing] == 0:
        return _("{who} has no {thing}.", who=racer_name(state, who), thing=object_name(thing))
    if thing in (Object.BOTTLE, Object.SYRINGE) and not is_free_ahead(state, who):
        return _(_BLOCKED)
    if thing == Object.FIRE_RING:
        return _(_PROTECTED)
    if thing == Object.LIGHTNING_RING:
        none = _("The lightning strikes opponents with as many points or more, and there is none.")
        return f"{none} {_(_PROTECTED)}"
    return _("Nothing is in reach. {range}", range=_range(Aim[thing.name]))
