"""The reasons of illegal actions: the sentence of the rules that forbids an action."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import Status
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules import actions
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.fighters import fighter_at, living_hexes, side_of
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES, has_hex, hex_number
from titan_env.games.titan_battle.rules.legal import legal_in_battle
from titan_env.games.titan_battle.rules.maneuver import is_deployment, outsider
from titan_env.games.titan_battle.rules.musters import IN_LADDER, held_by, may_muster
from titan_env.games.titan_battle.rules.state import NOBODY, Ask, Character, Phase
from titan_env.games.titan_battle.rules.strikes import is_useful, living_enemies, may_climb, worse_dice
from titan_env.games.titan_battle.words.grounds import why_no_shot, why_not_there
from titan_env.games.titan_battle.words.sentences import fighter_name
from titan_env.games.titan_battle.words.translation import _, character_name, land_name, sentence, side_name

_ASKED = {
    Ask.MANEUVER: mark("The question is who moves or comes on, or whether the maneuvers end."),
    Ask.GO: mark("The question is where the picked character goes."),
    Ask.STRIKE: mark("The question is who strikes."),
    Ask.TARGET: mark("The question is whom the picked character strikes."),
    Ask.HANDICAP: mark("The question is whether the strike is the plain one, or a worse one that can carry over."),
    Ask.CARRY: mark("The question is who gets the surplus of the strike, if anybody."),
    Ask.REINFORCE: mark("The question is whom the defender musters, if anybody."),
    Ask.SUMMON: mark("The question is whom the attacker summons, if anybody."),
}
_VERBS = {
    Ask.MANEUVER: {"pick", "end"},
    Ask.GO: {"to"},
    Ask.STRIKE: {"pick", "end"},
    Ask.TARGET: {"hit"},
    Ask.HANDICAP: {"carry", "plain"},
    Ask.CARRY: {"carry", "pass"},
    Ask.REINFORCE: {"muster", "pass"},
    Ask.SUMMON: {"pick", "pass"},
}


def why_not(state: Any, action: int) -> str | None:
    """Return the sentence of the rules that forbids an action in this state; None when it is legal.

    Raises ValueError for a number that is no action.
    """
    if not 0 <= action < len(actions.ACTIONS):
        raise ValueError(f"expected an action from 0 to {len(actions.ACTIONS) - 1}, got {action}")
    state = state.view(np.recarray)[()] if isinstance(state, np.ndarray) else state
    if state.over != Status.RUNNING:
        return _("The battle is over.")
    return why_not_in_battle(state.battle, int(action))


def why_not_in_battle(battle: Any, action: int) -> str | None:
    """Return the sentence that forbids an answer to a battle's question; None when it is legal."""
    mask = np.zeros(len(actions.ACTIONS), np.int8)
    legal_in_battle(battle, mask)
    if mask[action]:
        return None
    ask = Ask(int(battle.ask))
    verb, _sep, thing = actions.ACTIONS.texts[action].partition(":")
    if verb not in _VERBS[ask] or (verb == "pick" and thing in CHARACTERS and ask == Ask.STRIKE):
        return _(_ASKED[ask])
    return sentence(_reason(battle, ask, verb, thing))


def _reason(battle: Any, ask: Ask, verb: str, thing: str) -> str:
    """Return the reason that forbids an action of a kind that is asked for."""
    if verb == "end":
        return _("Who is in contact with a living enemy must strike before the strikes can end.")
    if verb == "muster":
        return _why_no_muster(battle, CHARACTERS.index(thing))
    if ask == Ask.SUMMON:
        return _why_no_summons(thing)
    if verb == "pick" and thing in CHARACTERS:
        return _why_not_on(battle, CHARACTERS.index(thing))
    number = hex_number(thing)
    if verb == "to":
        return why_not_there(battle, int(battle.picked), number)
    if verb == "pick":
        return _why_not_picked(battle, ask, number)
    return _why_not_hit(battle, ask, number)


def _why_no_muster(battle: Any, kind: int) -> str:
    """Return the reason that forbids reinforcing the defender with such a character."""
    values = {"kind": character_name(kind), "land": land_name(battle.land)}
    if not IN_LADDER[battle.lean, battle.land, kind]:
        return _("In the {land} no {kind} is mustered.", **values)
    if not may_muster(held_by(battle, battle.asked), battle.land, kind, battle.lean):
        return _("In the {land} the living members of the legion do not qualify: {kind}.", **values)
    return _("The supply has no {kind}.", **values)


def _why_no_summons(thing: str) -> str:
    """Return the reason that forbids the attacker to summon such a character."""
    if thing not in ("angel", "archangel"):
        return _("Only an angel or an archangel is summoned.")
    return _("No {kind} waits elsewhere.", kind=character_name(Character[thing.upper()]))


def _why_not_on(battle: Any, kind: int) -> str:
    """Return the reason that keeps such a character from coming on."""
    name, side = character_name(kind), side_name(battle.asked)
    if outsider(battle, kind) == NOBODY:
        return _("No {kind} of {side} is outside.", kind=name, side=side)
    if is_deployment(battle):
        return _("No hex is free for the deployment.")
    return _("No {kind} can enter: each entry hex is taken, or it may not end there, or not pay for it.", kind=name)


def _why_not_picked(battle: Any, ask: Ask, number: int) -> str:
    """Return the reason that keeps the character on a hex from moving, or striking."""
    who = fighter_at(battle, number)
    if who == NOBODY:
        return _("Nobody stands on {hex}.", hex=HEX_NAMES[number])
    name = fighter_name(battle, who)
    if side_of(who) != battle.asked:
        return _("{who} is not a character of {side}.", who=name, side=side_name(battle.asked))
    fighter = battle.fighters[who]
    if ask == Ask.MANEUVER:
        if fighter.moved:
            return _("{who} has moved in this phase.", who=name)
        if fighter.locked:
            return _("{who} was in contact with an enemy when the phase began, and may not move.", who=name)
        return _("{who} can go nowhere: the hexes around are taken, or closed to it, or cost too much.", who=name)
    if fighter.struck:
        return _("{who} has struck in this phase.", who=name)
    if battle.phase == Phase.STRIKE_BACK:
        return _("{who} has no living enemy in contact, and rangestrikes only in its own half.", who=name)
    return why_no_shot(battle, who)


def _why_not_hit(battle: Any, ask: Ask, number: int) -> str:
    """Return the reason that forbids striking an enemy, or giving it the surplus."""
    whom, who = fighter_at(battle, number), int(battle.picked)
    if whom == NOBODY:
        return _("Nobody stands on {hex}.", hex=HEX_NAMES[number])
    names = {"who": fighter_name(battle, who), "whom": fighter_name(battle, whom)}
    if side_of(whom) == battle.asked:
        return _("{whom} is no enemy.", **names)
    if not has_hex(living_hexes(battle, side_of(whom)), number):
        return _("{whom} has been slain in this phase: nobody strikes at the slain.", **names)
    near = living_enemies(battle, who)
    if ask == Ask.TARGET and near == 0:
        return why_no_shot(battle, who, whom)
    if not has_hex(near, number):
        message = mark("{whom} is not in contact with {who}: on a neighbouring hex, with no cliff between.")
        return _(message, **names)
    return _why_not_carried(battle, ask, number, names)


def _why_not_carried(battle: Any, ask: Ask, number: int, names: dict[str, str]) -> str:
    """Return the reason that forbids carrying a strike over to an enemy in contact, or announcing it."""
    if number == battle.fighters[battle.target].hex:
        return _("{whom} is the target itself.", **names)
    if not may_climb(battle, fighter_at(battle, number)):
        return _("A strike that did not go up a dune may not be carried up a dune.")
    if ask == Ask.CARRY:
        message = mark("Against {whom} the strike would have had fewer dice or a higher strike number than was rolled.")
        return _(message, **names)
    target = battle.fighters[battle.target]
    if worse_dice(battle, number) <= target.power - target.hits:
        return _("With the dice that are left for {whom} nothing could be carried over.", **names)
    if not is_useful(battle, number):
        return _("The plain strike can be carried to {whom} as it is.", **names)
    return _("Another enemy in contact gives the same worse strike, and is offered for both.")
