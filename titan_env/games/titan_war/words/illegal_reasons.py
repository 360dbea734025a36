"""The reasons of illegal actions: the sentence of the rules that forbids an action."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import Status
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.musters import may_muster
from titan_env.games.titan_battle.rules.state import LEGION
from titan_env.games.titan_battle.words.illegal_reasons import why_not_in_battle
from titan_env.games.titan_battle.words.translation import character_name, land_name, sentence
from titan_env.games.titan_war.rules.actions import ACTIONS, CONCEDE, PICK_LAND
from titan_env.games.titan_war.rules.lands import LAND_NUMBERS, TERRAIN
from titan_env.games.titan_war.rules.legal import legal
from titan_env.games.titan_war.rules.legions import (
    has_enemy_at,
    has_legion_at,
    has_lord,
    held_in,
    is_engaged,
    legion_at,
    oldest_at,
)
from titan_env.games.titan_war.rules.movement import TELEPORT_ROLL
from titan_env.games.titan_war.rules.offers import is_of_battle
from titan_env.games.titan_war.rules.state import NOBODY, Ask, Phase
from titan_env.games.titan_war.words.sentences import land_asked_about
from titan_env.games.titan_war.words.translation import _, number_of

_ASKED = {
    Ask.START: mark("The question is who goes with the titan."),
    Ask.SPLIT: mark("The question is who splits off."),
    Ask.MULLIGAN: mark("The question is whether the roll is kept."),
    Ask.MOVE: mark("The question is from which land a legion moves, or whether no more do."),
    Ask.STACK: mark("The question is which of the legions on the land moves."),
    Ask.GO_LAND: mark("The question is where the legion goes."),
    Ask.SIDE: mark("The question is on which side the legion comes on."),
    Ask.SHOW: mark("The question is who is shown."),
    Ask.ENGAGE: mark("The question is which engagement is next."),
    Ask.DEFEND: mark("The question is what the defender does before the battle."),
    Ask.ATTACK: mark("The question is what the attacker answers before the battle."),
    Ask.ANSWER: mark("The question is what the defender answers to the offer."),
    Ask.MUSTER: mark("The question is what the legion musters, if anything."),
    Ask.REINFORCE: mark("The question is what the defender musters, if anything."),
    Ask.ANGEL: mark("The question is whether the angel is taken."),
    Ask.SUMMON: mark("The question is which legion gives an angel, if any."),
    Ask.SUMMON_KIND: mark("The question is whom the donor gives."),
}
_TALK = {"flee", "fight", "concede", "offer", "agree"}
_KINDS, _LANDS = "kind", "land"
_VERBS = {
    Ask.START: {_KINDS},
    Ask.SPLIT: {_KINDS, "pass", "end"},
    Ask.MULLIGAN: {"keep", "reroll"},
    Ask.MOVE: {_LANDS, "end"},
    Ask.STACK: {"stack"},
    Ask.GO_LAND: {"to", "teleport"},
    Ask.SIDE: {"side"},
    Ask.SHOW: {_KINDS},
    Ask.ENGAGE: {_LANDS},
    Ask.DEFEND: _TALK,
    Ask.ATTACK: _TALK,
    Ask.ANSWER: _TALK,
    Ask.MUSTER: {"muster", "pass"},
    Ask.REINFORCE: {"muster", "pass"},
    Ask.ANGEL: {"muster", "pass"},
    Ask.SUMMON: {_LANDS, "pass"},
    Ask.SUMMON_KIND: {_KINDS},
}


def why_not(state: Any, action: int) -> str | None:
    """Return the sentence of the rules that forbids an action in this state; None when it is legal.

    Raises ValueError for a number that is no action.
    """
    if not 0 <= action < len(ACTIONS):
        raise ValueError(f"expected an action from 0 to {len(ACTIONS) - 1}, got {action}")
    state = state.view(np.recarray)[()] if isinstance(state, np.ndarray) else state
    if state.over != Status.RUNNING:
        return _("The war is over.")
    mask = np.zeros(len(ACTIONS), np.int8)
    legal(state, mask)
    if mask[action]:
        return None
    if is_of_battle(state):
        return _why_not_fought(state, int(action))
    ask = Ask(int(state.ask))
    if ask not in _VERBS:
        return _("Nothing is asked.")
    verb, _sep, thing = ACTIONS.texts[action].partition(":")
    group = verb if verb != "pick" else _KINDS if thing in CHARACTERS else _LANDS if thing.isdecimal() else "hex"
    if group not in _VERBS[ask] or (verb == "to" and not thing.isdecimal()):
        return _(_ASKED[ask])
    return sentence(_reason(state, ask, group, thing))


def _why_not_fought(state: Any, action: int) -> str:
    """Return the reason that forbids an answer within a battle."""
    if action == CONCEDE and state.ask == Ask.MANEUVER:
        if not state.concede:
            return _("In this war nobody concedes.")
        return _("In a battle one concedes before one moves or brings on anybody in a maneuver phase.")
    if action >= PICK_LAND:
        return _("The battle is fought first.")
    return why_not_in_battle(state.battle, action) or _("The supply of the war, or the legion, does not allow it.")


def _reason(state: Any, ask: Ask, group: str, thing: str) -> str:
    """Return the reason that forbids an answer of a kind that is asked for."""
    if group == _KINDS:
        return _why_not_kind(state, ask, CHARACTERS.index(thing))
    if group == _LANDS:
        return _why_not_from(state, ask, LAND_NUMBERS.index(int(thing)))
    if group in _TALK:
        return _why_not_said(state, ask, group)
    if group == "muster":
        return _why_no_muster(state, ask, CHARACTERS.index(thing))
    if group == "to":
        return _why_not_to(state, LAND_NUMBERS.index(int(thing)))
    if group == "teleport":
        return _why_no_teleport(state)
    if group == "stack":
        if legion_at(state, state.mover, state.land, int(thing) - 1) == NOBODY:
            return _("There are not so many legions on {land}.", land=number_of(state.land))
        return _("That legion can go nowhere, or has moved.")
    if group == "side":
        return _("No way of this roll leads there on that side; into a tower it is always the bottom.")
    if group == "pass":
        return _("It is begun: at least two split off.")
    if ask == Ask.SPLIT:
        return _("At least two split off.")
    return _("A legion must move first: one of all, and one of those that share a land, if they can.")


def _why_not_kind(state: Any, ask: Ask, kind: int) -> str:
    """Return the reason that forbids picking such a character."""
    name = character_name(kind)
    if ask == Ask.START:
        message = mark("Three of the six creatures go with the titan, in ascending order; no {kind} can be next.")
        return _(message, kind=name)
    if ask == Ask.SPLIT:
        if state.legions[state.picked].holds[kind] <= state.split[kind]:
            return _("The legion has no {kind} left.", kind=name)
        message = mark("They are picked in the order of their kinds, at least two split off, and at least two stay.")
        return _(message)
    if ask == Ask.SHOW:
        shown = (
            mark("A lord of the legion is shown.") if state.phase == Phase.MOVEMENT else mark("No {kind} qualifies.")
        )
        return _(shown, kind=name)
    return _("The donor has no {kind} that can be summoned.", kind=name)


def _why_not_from(state: Any, ask: Ask, land: int) -> str:
    """Return the reason that keeps a legion there from moving, giving an angel, or an engagement."""
    values = {"land": number_of(land)}
    seat = int(state.seat)
    if not has_legion_at(state, seat, land):
        return _("You have no legion on {land}.", **values)
    if ask == Ask.ENGAGE:
        return _("No enemy stands on {land}.", **values)
    if ask == Ask.SUMMON:
        if is_engaged(state, seat, land):
            return _("The legion on {land} faces an enemy.", **values)
        return _("The legion on {land} has no angel.", **values)
    if state.legions[oldest_at(state, seat, land)].moved:
        return _("The legion on {land} has moved.", **values)
    return _("The legion on {land} can go nowhere with this roll.", **values)


def _why_not_to(state: Any, land: int) -> str:
    """Return the reason that keeps the picked legion from a land."""
    values, seat = {"land": number_of(land), "roll": int(state.roll)}, int(state.seat)
    if is_engaged(state, seat, land):
        return _("On {land} another legion of yours faces an enemy.", **values)
    if state.teleporting:
        if has_enemy_at(state, seat, land):
            return _("Only the titan of a player with 400 points teleports to an enemy.")
        return _("From its tower a legion teleports to vacant towers, and to vacant lands within six steps.")
    if has_legion_at(state, seat, land):
        return _("Another legion of yours stands on {land}, or no way of {roll} leads there.", **values)
    return _("By the signs no way of {roll} leads to {land}.", **values)


def _why_no_teleport(state: Any) -> str:
    """Return the reason that keeps the picked legion from teleporting."""
    if state.roll != TELEPORT_ROLL:
        return _("One teleports with a 6 only.")
    if state.teleported:
        return _("There is one teleport in a turn.")
    if state.teleporting:
        return _("The legion teleports already.")
    return _("A legion with a lord teleports from a tower; a titan with 400 points to an enemy.")


def _why_not_said(state: Any, ask: Ask, verb: str) -> str:
    """Return the reason that forbids an offer before a battle."""
    defender_leads = bool(has_lord(state.legions[state.defender]))
    if verb == "flee":
        if ask == Ask.DEFEND and defender_leads:
            return _("A legion with a lord does not flee.")
        return _("Only the defender may flee, before all else.")
    if verb == "concede":
        return _("In this war nobody concedes.") if not state.concede else _("A legion without a lord flees instead.")
    if not state.agreements:
        return _("In this war nothing is agreed on.")
    if verb == "agree":
        return _("Nothing has been offered.")
    return _("Mutual elimination is offered once.")


def _why_no_muster(state: Any, ask: Ask, kind: int) -> str:
    """Return the reason that forbids mustering or taking such a character."""
    name, land = character_name(kind), land_asked_about(state)
    if ask == Ask.ANGEL:
        return _("At a hundred points an angel is taken, at five hundred an archangel.")
    legion = state.legions[state.picked if ask == Ask.MUSTER else state.winner]
    if legion.height >= LEGION:
        return _("The legion is full.")
    if not may_muster(held_in(legion), TERRAIN[land], kind, state.lean):
        message = mark("In the {terrain} the legion does not qualify: {kind}.")
        return _(message, terrain=land_name(TERRAIN[land]), kind=name)
    return _("The supply has no {kind}.", kind=name)
