"""A war in words: what a seat is about to do, and what has happened."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import MOST_SEATS
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_battle.rules.state import BATTLE, EMPTY
from titan_env.games.titan_battle.words.sentences import say_in_battle, tell_in_battle
from titan_env.games.titan_battle.words.translation import character_name, land_name, sentence
from titan_env.games.titan_war.rules.actions import ACTIONS, CONCEDE
from titan_env.games.titan_war.rules.lands import LAND_NUMBERS, TERRAIN
from titan_env.games.titan_war.rules.offers import is_of_battle
from titan_env.games.titan_war.rules.state import LANDS, NOBODY, Ask, Event, Stage
from titan_env.games.titan_war.words.translation import _, number_of, player_name

_SIDES = (mark("right"), mark("bottom"), mark("left"))
_TALK = {
    "flee": mark("{who} flees from {land}"),
    "fight": mark("{who} fights on {land}"),
    "concede": mark("{who} concedes the legion on {land}"),
    "offer": mark("{who} offers that both legions on {land} are eliminated"),
    "agree": mark("{who} agrees: both legions on {land} are eliminated"),
}
_PICKED = {
    Ask.START: mark("{who} sends with the titan: {kind}"),
    Ask.SPLIT: mark("{who} splits off on {land}: {kind}"),
    Ask.SHOW: mark("{who} shows: {kind}"),
    Ask.SUMMON_KIND: mark("{who} summons: {kind}"),
}
_LANDS = {
    Ask.MOVE: mark("{who} moves from {land}"),
    Ask.ENGAGE: mark("{who} turns to the engagement on {land}"),
    Ask.SUMMON: mark("{who} summons from the legion on {land}"),
}
_PASSED = {
    Ask.SPLIT: mark("{who} splits the legion on {land} no more"),
    Ask.MUSTER: mark("{who} musters nobody on {land}"),
    Ask.REINFORCE: mark("{who} musters nobody on {land}"),
    Ask.ANGEL: mark("{who} takes no angel"),
    Ask.SUMMON: mark("{who} summons nobody"),
}


def land_asked_about(state: Any) -> int:
    """Return the land that a question is about: that of the engagement, or that of the legion that is asked about."""
    if state.stage != Stage.NONE:
        return land_of_engagement(state)
    return int(state.legions[state.picked].land) if state.picked != NOBODY else int(state.land)


def land_of_engagement(state: Any) -> int:
    """Return the land of the engagement at hand."""
    for marker in (state.attacker, state.defender, state.winner):
        if marker != NOBODY:
            return int(state.legions[marker].land)
    return int(state.land)


def describe_action(state: Any, action: int) -> str:
    """Return the sentence of an action in this state, about the player who is asked."""
    if is_of_battle(state) and action != CONCEDE:
        return sentence(say_in_battle(state.battle, int(action)))
    return sentence(_say(state, int(action)))


def _say(state: Any, action: int) -> str:
    """Return the sentence of an answer to a question of the war, not yet with a capital letter."""
    verb, _sep, thing = ACTIONS.texts[action].partition(":")
    ask, who, land = Ask(int(state.ask)), player_name(state.seat), number_of(land_asked_about(state))
    if verb in _TALK:
        return _(_TALK[verb], who=who, land=land)
    if verb == "pass":
        return _(_PASSED.get(ask, mark("{who} declines")), who=who, land=land)
    if verb == "end":
        return _say_end(state, ask, who, land)
    if verb == "muster":
        kind = character_name(CHARACTERS.index(thing))
        template = mark("{who} takes: {kind}") if ask == Ask.ANGEL else mark("{who} musters on {land}: {kind}")
        return _(template, who=who, land=land, kind=kind)
    if verb == "pick" and thing in CHARACTERS:
        template = _PICKED.get(ask, mark("{who} picks: {kind}"))
        return _(template, who=who, land=land, kind=character_name(CHARACTERS.index(thing)))
    if verb == "pick":
        return _(_LANDS.get(ask, mark("{who} picks {land}")), who=who, land=thing)
    return _say_move(state, verb, thing, who, land)


def _say_end(state: Any, ask: Ask, who: str, land: str) -> str:
    """Enough of what is asked."""
    if ask == Ask.SPLIT:
        return _("{who} has split off {n} on {land}", who=who, land=land, n=int(state.split.sum()))
    return _("{who} moves no more", who=who)


def _say_move(state: Any, verb: str, thing: str, who: str, land: str) -> str:
    """Return the sentence of a legion's move, with its destination and the die."""
    if verb == "to":
        there = LAND_NUMBERS.index(int(thing)) if thing.isdecimal() else 0
        values = {"who": who, "here": land, "there": thing, "terrain": land_name(TERRAIN[there])}
        enemies = enemies_on(state, there, int(state.seat))
        if enemies:
            message = mark("{who} goes from {here} to {there}, {terrain}, and meets {whom}")
            return _(message, **values, whom=player_name(enemies[0]))
        return _("{who} goes from {here} to {there}, {terrain}", **values)
    if verb == "stack":
        return _("{who} moves legion {n} on {land}, counted from the oldest", who=who, n=thing, land=land)
    if verb == "teleport":
        return _("{who} teleports from {land}", who=who, land=land)
    if verb == "side":
        return _("{who} comes on at the {side}", who=who, side=_(_SIDES[ENTRY_NAMES.index(thing)]))
    if verb == "keep":
        return _("{who} keeps the {n}", who=who, n=int(state.roll))
    return _("{who} throws the die again instead of the {n}", who=who, n=int(state.roll))


def enemies_on(state: Any, land: int, seat: int) -> list[int]:
    """Return the other players with a legion on a land."""
    return [other for other in range(MOST_SEATS) if other != seat and int(state.seats_at[land]) >> other & 1]


# What has happened

_NO_BATTLE = np.zeros(1, BATTLE).view(np.recarray)[0]
"""For events of a battle that is over: nobody stands there any more."""
_NO_BATTLE.fighters["hex"] = EMPTY


def describe_event(state: Any, event: Any) -> str:
    """Return an event (a row of the log: kind, who, whom or where, how much) as a sentence."""
    kind, who, other, amount = (int(number) for number in event)
    if Event.BATTLE < kind < Event.ELIMINATED:
        battle = state.battle if state.stage == Stage.BATTLE else _NO_BATTLE
        return sentence(tell_in_battle(battle, kind, who, other, amount))
    if kind == Event.ELIMINATED:
        by = mark("{who} is eliminated") if who == other else mark("{who} is eliminated by {whom}")
        return sentence(_(by, who=player_name(who), whom=player_name(other)))
    if kind == Event.WON:
        shares = mark("{who} shares the victory") if state.won.sum() > 1 else mark("{who} wins the war")
        return sentence(_(shares, who=player_name(who)))
    return sentence(_(_TELL[Event(kind)], **_values(Event(kind), who, other, amount)))


def _values(kind: Event, who: int, other: int, amount: int) -> dict[str, Any]:
    """Return the numbers of an event as words."""
    values: dict[str, Any] = {"who": player_name(who), "n": amount, "other": other}
    if kind in _ABOUT_PLAYERS:
        values["whom"] = player_name(other)
    if kind in _ABOUT_LANDS:
        values["land"] = number_of(other)
    if kind in _ABOUT_CHARACTERS:
        values["kind"] = character_name(other)
    if kind in _AT_LANDS and 0 <= amount < LANDS:
        values["land"] = number_of(amount)
        values["terrain"] = land_name(TERRAIN[amount])
    if kind in (Event.MOVED, Event.TELEPORTED):
        values["there"] = number_of(amount)
    return values


_ABOUT_PLAYERS = (
    *(Event.BATTLE, Event.ENGAGED, Event.FLED, Event.CONCEDED, Event.OFFERED, Event.AGREED),
    *(Event.HALF_POINTS,),
)
_ABOUT_LANDS = (Event.SPLIT, Event.MOVED, Event.TELEPORTED, Event.JOINED, Event.REMOVED)
_ABOUT_CHARACTERS = (Event.SHOWN, Event.ACQUIRED, Event.GIVEN, Event.MUSTERED)
_AT_LANDS = (
    *(Event.BATTLE, Event.ENGAGED, Event.FLED, Event.CONCEDED, Event.OFFERED, Event.AGREED),
    *(Event.ACQUIRED, Event.GIVEN, Event.MUSTERED),
)
_TELL: dict[Event, str] = {
    Event.BATTLE: mark("{who} and {whom} fight on {land}: a battle in the {terrain}"),
    Event.TURN: mark("the turn of {who} begins"),
    Event.ROLLED: mark("{who} rolls {other}"),
    Event.SPLIT: mark("{who} splits off {n} on {land}"),
    Event.MOVED: mark("{who} goes from {land} to {there}"),
    Event.TELEPORTED: mark("{who} teleports from {land} to {there}"),
    Event.JOINED: mark("{who}: legions on {land} are one again"),
    Event.SHOWN: mark("{who} shows: {kind}, {n}"),
    Event.ENGAGED: mark("{who} attacks {whom} on {land}, {terrain}; both legions are shown"),
    Event.FLED: mark("{who} flees from {whom} on {land}"),
    Event.CONCEDED: mark("{who} concedes the legion on {land} to {whom}"),
    Event.OFFERED: mark("{who} offers {whom} that both legions on {land} are eliminated"),
    Event.AGREED: mark("{who} agrees with {whom}: both legions on {land} are eliminated"),
    Event.SCORED: mark("{who} scores {other}"),
    Event.HALF_POINTS: mark("{who} scores half points for the legions of {whom}: {n}"),
    Event.REMOVED: mark("{who} loses the legion of {n} on {land}"),
    Event.ACQUIRED: mark("{who} gets for points on {land}: {kind}"),
    Event.GIVEN: mark("{who} summons from {land}: {kind}"),
    Event.MUSTERED: mark("{who} musters on {land}: {kind}"),
}
