"""A battle in words: what a side is about to do, and what has happened."""

from __future__ import annotations

from typing import Any

from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules import actions
from titan_env.games.titan_battle.rules.characters import CHARACTERS, FLIES
from titan_env.games.titan_battle.rules.decision import aims
from titan_env.games.titan_battle.rules.fighters import fighter_at, hex_of_spot, kind_of_spot
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES, hex_number, only_hex
from titan_env.games.titan_battle.rules.lands import CONTACT
from titan_env.games.titan_battle.rules.maneuver import destinations, is_deployment, outsider
from titan_env.games.titan_battle.rules.rangestrikes import number_of_shot, shot_dice
from titan_env.games.titan_battle.rules.state import HEXES, NOBODY, OUTSIDE, SLOTS, Ask, Event, Side
from titan_env.games.titan_battle.rules.strikes import (
    living_enemies,
    number_of_strike,
    strike_dice,
    worse_dice,
    worse_number,
)
from titan_env.games.titan_battle.words.translation import _, character_name, land_name, sentence, side_name

_ROLL = mark("{who} strikes {whom}: {dice} dice at {number}")
_SHOT = mark("{who} rangestrikes {whom}: {dice} dice at {number}")
_ANNOUNCED = mark("{who} strikes {whom} so that it can carry to {other}: {dice} dice at {number}")
_LEAVE = mark("{side} ends the maneuvers and leaves outside: {who}")
_DONE = {
    Ask.REINFORCE: mark("{side} musters nobody"),
    Ask.SUMMON: mark("{side} summons nobody"),
    Ask.STRIKE: mark("{side} rangestrikes no more"),
}


def fighter_name(battle: Any, who: int) -> str:
    """Return a fighter with its hex: `ogre C3`; only its kind while it is outside; `nobody` for NOBODY."""
    if who == NOBODY:
        return _("nobody")
    fighter = battle.fighters[who]
    kind, number = character_name(fighter.kind), int(fighter.hex)
    return f"{kind} {HEX_NAMES[number]}" if number < HEXES else kind


def outside(battle: Any, side: int) -> list[str]:
    """Return the characters of a side that have not come on yet, by name."""
    fighters = battle.fighters[side * SLOTS : (side + 1) * SLOTS]
    return [character_name(fighter.kind) for fighter in fighters if fighter.hex == OUTSIDE]


def describe_action(state: Any, action: int) -> str:
    """Return the sentence of an action in this state, about the side that is asked."""
    return sentence(say_in_battle(state.battle, int(action)))


def say_in_battle(battle: Any, action: int) -> str:
    """Return the sentence of an answer to a battle's question, not yet with a capital letter."""
    verb, _sep, thing = actions.ACTIONS.texts[action].partition(":")
    if verb in ("pass", "end"):
        return _say_enough(battle, verb)
    if verb == "plain":
        return strike_text(battle, int(battle.picked), int(battle.target))
    if verb == "muster":
        return _("{side} musters: {who}", side=side_name(battle.asked), who=character_name(CHARACTERS.index(thing)))
    if verb == "pick":
        return _say_pick(battle, thing)
    if verb == "to":
        return go_text(battle, int(battle.picked), hex_number(thing))
    if verb == "hit":
        return strike_text(battle, int(battle.picked), fighter_at(battle, hex_number(thing)))
    return _say_carry(battle, hex_number(thing))


def _say_enough(battle: Any, verb: str) -> str:
    """No more of what is asked, or none of it."""
    ask, side = Ask(int(battle.ask)), side_name(battle.asked)
    if ask in _DONE:
        return _(_DONE[ask], side=side)
    if verb == "pass":
        return _("{who} carries nothing over", who=fighter_name(battle, int(battle.picked)))
    waiting = outside(battle, int(battle.asked))
    if waiting:
        return _(_LEAVE, side=side, who=", ".join(waiting))
    return _("{side} ends the maneuvers", side=side)


def _say_pick(battle: Any, thing: str) -> str:
    """Return the sentence of a pick, by kind or hex; with a single destination or target, that follows at once."""
    ask = Ask(int(battle.ask))
    if ask == Ask.SUMMON:
        return _("{side} summons: {who}", side=side_name(battle.asked), who=character_name(CHARACTERS.index(thing)))
    is_outside = thing in CHARACTERS
    who = outsider(battle, CHARACTERS.index(thing)) if is_outside else fighter_at(battle, hex_number(thing))
    if who == NOBODY:
        return _("{thing} is picked", thing=thing)
    name = fighter_name(battle, who)
    if ask == Ask.STRIKE:
        target = only_hex(aims(battle, who))
        if target != NOBODY:
            return strike_text(battle, who, fighter_at(battle, target))
        strikes = mark("{who} strikes") if living_enemies(battle, who) else mark("{who} rangestrikes")
        return _(strikes, who=name)
    target = only_hex(destinations(battle, who)) if ask == Ask.MANEUVER else NOBODY
    if target != NOBODY:
        return go_text(battle, who, target)
    return _("{who} comes on", who=name) if is_outside else _("{who} moves", who=name)


def go_text(battle: Any, who: int, number: int) -> str:
    """Return the sentence of a fighter that moves, comes on or is deployed."""
    if who == NOBODY:
        return _("the picked character goes to {hex}", hex=HEX_NAMES[number])
    fighter = battle.fighters[who]
    if fighter.hex == OUTSIDE:
        text = mark("{who} is deployed on {hex}") if is_deployment(battle) else mark("{who} comes on at {hex}")
    else:
        text = mark("{who} flies to {hex}") if FLIES[fighter.kind] else mark("{who} goes to {hex}")
    return _(text, who=fighter_name(battle, who), hex=HEX_NAMES[number])


def strike_text(battle: Any, who: int, whom: int) -> str:
    """Return a strike or rangestrike with its dice and its strike number."""
    names = {"who": fighter_name(battle, who), "whom": fighter_name(battle, whom)}
    if NOBODY in (who, whom):
        return _("{who} strikes {whom}", **names)
    if living_enemies(battle, who):
        return _(_ROLL, **names, dice=strike_dice(battle, who, whom), number=number_of_strike(battle, who, whom))
    return _(_SHOT, **names, dice=shot_dice(battle, who), number=number_of_shot(battle, who, whom))


def _say_carry(battle: Any, number: int) -> str:
    """To whom the surplus goes, or could go after a handicap."""
    picked, target, other = int(battle.picked), int(battle.target), fighter_at(battle, number)
    if NOBODY in (picked, target, other):
        return _("the surplus goes to {hex}", hex=HEX_NAMES[number])
    names = {"who": fighter_name(battle, picked), "other": fighter_name(battle, other)}
    if battle.ask == Ask.HANDICAP:
        roll = {"dice": worse_dice(battle, number), "number": worse_number(battle, number)}
        return _(_ANNOUNCED, **names, whom=fighter_name(battle, target), **roll)
    victim = battle.fighters[other]
    taken = min(int(battle.surplus), int(victim.power) - int(victim.hits))
    return _.many("{who} carries 1 hit to {other}", "{who} carries {n} hits to {other}", taken, **names)


# What has happened


def describe_event(state: Any, event: Any) -> str:
    """Return an event (a row of the log: kind, who, whom or where, how much) as a sentence."""
    kind, who, other, amount = (int(number) for number in event)
    if kind == Event.BATTLE:
        values = {"who": who + 1, "whom": other + 1, "land": land_name(amount)}
        return _("Player {who} attacks player {whom}: a battle in the {land}", **values)
    if kind in (Event.ELIMINATED, Event.WON):
        side = side_name(Side.ATTACKER if who == state.attacker else Side.DEFENDER)
        if kind == Event.ELIMINATED:
            return sentence(_("{side} is eliminated", side=side))
        shared = mark("{side} shares a draw") if state.won.sum() > 1 else mark("{side} wins the battle")
        return sentence(_(shared, side=side))
    return sentence(tell_in_battle(state.battle, kind, who, other, amount))


def tell_in_battle(battle: Any, kind: int, who: int, other: int, amount: int) -> str:
    """Return an event of a battle, not yet with a capital letter."""
    if kind == Event.DICE:
        values = {"dice": who, "number": other}
        return _.many("{dice} dice at {number}: 1 hit", "{dice} dice at {number}: {n} hits", amount, **values)
    if kind == Event.STRUCK:
        is_near = CONTACT[battle.land, hex_of_spot(other)] >> hex_of_spot(amount) & 1
        text = mark("{who} strikes {whom}") if is_near else mark("{who} rangestrikes {whom}")
        return _(text, who=stood(other), whom=stood(amount))
    if kind == Event.CARRIED:
        return _.many("1 hit is carried to {whom}", "{n} hits are carried to {whom}", amount, whom=stood(other))
    if kind == Event.FROZEN:
        return _("{who} takes 1 hit from the drift", who=stood(other))
    if kind == Event.WENT:
        name, begin = character_name(kind_of_spot(other)), HEX_NAMES[hex_of_spot(other)]
        return _("{who} goes from {begin} to {end}", who=name, begin=begin, end=HEX_NAMES[amount])
    hex_name = HEX_NAMES[amount] if kind in (Event.ENTERED, Event.SLAIN) else ""
    return _(_TELL[Event(kind)], side=side_name(who), who=character_name(other), hex=hex_name)


def stood(number: int) -> str:
    """Return the name and hex of the fighter of a spot, though it may have been taken off since."""
    return f"{character_name(kind_of_spot(number))} {HEX_NAMES[hex_of_spot(number)]}"


_TELL: dict[Event, str] = {
    Event.ENTERED: mark("{who} comes on at {hex}"),
    Event.SLAIN: mark("{who} {hex} is slain"),
    Event.LEFT_OUTSIDE: mark("{who} is left outside and lost"),
    Event.REINFORCED: mark("{side} musters: {who}"),
    Event.SUMMONED: mark("{side} summons: {who}"),
    Event.RETURNED: mark("{who} has not come on and goes back"),
    Event.TIME_LOSS: mark("the last round is over: {side} has lost by time"),
}
