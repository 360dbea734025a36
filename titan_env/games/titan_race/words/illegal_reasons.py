"""The reasons of illegal actions: the sentence of the rules that forbids an action."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import Status
from titan_env.contract.translation import mark
from titan_env.games.titan_race.rules import actions
from titan_env.games.titan_race.rules.board import living, standing
from titan_env.games.titan_race.rules.circuits import CARD_ENTRIES
from titan_env.games.titan_race.rules.harm import space_beside, waits_for_all
from titan_env.games.titan_race.rules.legal import legal
from titan_env.games.titan_race.rules.state import (
    HAND_LIMIT,
    NO_FACE,
    NOBODY,
    Ask,
    Card,
    Direction,
    Face,
    Titan,
)
from titan_env.games.titan_race.rules.turn import may_enter
from titan_env.games.titan_race.words.sentences import titan_name
from titan_env.games.titan_race.words.translation import _, card_name, face_name

_ASKED = {
    Ask.DRAFT: mark("The turn begins with taking a die from the pool."),
    Ask.ENTER: mark("In the first turn an entry space is chosen after the die: A1, C1 or E1."),
    Ask.TURN: mark("It is a turn's free moment: die action, ability, card, or its end."),
    Ask.DIE: mark("Each action must be carried out entirely before another one begins: the die action comes first."),
    Ask.AIM: mark("The card just played needs its direction."),
    Ask.ABILITY: mark("The ability that Mimic lends needs its direction."),
    Ask.SHOVE: mark("It must be said which way the Titan is shoved."),
    Ask.PIRATES: mark("The pirates want a card of the hand or 1 life."),
    Ask.SHIELD: mark("The question is whether the shield saves the life that is about to be lost."),
    Ask.THORNS: mark("The question is whether the thorns answer the push."),
    Ask.TITAN: mark("Before the race each player chooses a Titan that nobody has yet."),
    Ask.ORDER: mark("Before the race each player sets the order of the own two Titans."),
    Ask.CIRCUIT: mark("Before the race a circuit is chosen, each at most once."),
}
_VERBS = {
    Ask.DRAFT: {"draft"},
    Ask.ENTER: {"enter"},
    Ask.TURN: {"copy", "pay", "move", "trap", "strike", "ability", "play", "discard", "reroll", "end"},
    Ask.DIE: {"copy", "pay", "move", "trap", "strike", "pass"},
    Ask.AIM: {"aim"},
    Ask.ABILITY: {"ability"},
    Ask.SHOVE: {"shove"},
    Ask.PIRATES: {"discard", "suffer"},
    Ask.SHIELD: {"play", "pass"},
    Ask.THORNS: {"play", "pass"},
    Ask.TITAN: {"choose"},
    Ask.ORDER: {"order"},
    Ask.CIRCUIT: {"circuit"},
}
_ABILITY_NEEDS = {
    Titan.RASSIK: mark(
        "Rassik kicks off a Titan on one of the three spaces behind him, straight or diagonally forward."
    ),
    Titan.RAGNAROK: mark("Ragnarok shoves an adjacent Titan, and none can be shoved there."),
    Titan.CRAKEN: mark("Craken changes places with an adjacent Titan, and none stands there."),
    Titan.GRINDER: mark(
        "Grinder sets a trap, while the supply lasts, on an adjacent space without one and where it harms."
    ),
    Titan.SLAUGG: mark("Slaugg harms the three spaces before him at once, and needs a living Titan or a trap there."),
    Titan.CHTOOLOO: mark("Chtooloo drains an adjacent living Titan, and only below his own maximum of lives."),
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
    ask = Ask(int(state.ask))
    verb, _sep, thing = actions.ACTIONS.texts[action].partition(":")
    if verb not in _VERBS[ask] or ask >= Ask.TITAN:
        return _(_ASKED[ask])
    return _reason(state, ask, verb, thing)


def _reason(state: Any, ask: Ask, verb: str, thing: str) -> str:
    """Return the reason that forbids an action of a kind that is asked for."""
    who = int(state.asked)
    if verb == "draft":
        return _("No die in the pool shows {face}.", face=face_name(Face[thing.upper()]))
    if verb == "enter":
        entry = actions.ENTRIES.index(thing)
        return _(_ASKED[ask]) if may_enter(state, entry) else _("{space} is occupied.", space=thing)
    if verb == "shove":
        return _("Nobody can be shoved below row 1 of the first board.")
    if verb == "aim":
        return _does_nothing(int(state.card))
    if verb == "pass":
        return _("Only green's damage may be left, after the move, where a trap is before and no living Titan.")
    if verb in ("play", "discard"):
        return _why_no_card(state, ask, verb, thing)
    if verb == "ability":
        return _why_no_ability(state, ask, who)
    if verb == "reroll":
        return _why_no_reroll(state, who)
    if verb == "end":
        return _("The die action must be carried out before the turn can end.")
    return _why_not_die(state, who, verb, thing)


def _why_no_card(state: Any, ask: Ask, verb: str, thing: str) -> str:
    """Return the reason that forbids playing or throwing away a card."""
    card = Card[thing.upper()]
    if ask in (Ask.SHIELD, Ask.THORNS):
        return _(_ASKED[ask])
    if state.cards[card] != state.seat:
        return _("The card is not in the hand, which holds at most {most}.", most=HAND_LIMIT)
    barred = _why_not_free(state)
    if barred:
        return barred
    if state.card_played:
        return _("Only one bonus card may be played or thrown away in a turn.")
    if card in (Card.SHIELD, Card.THORNS):
        when = str(CARD_ENTRIES[card]["when"])
        return _("The {card} is a {when}.", card=card_name(card), when=_(when))
    return _does_nothing(card)


def _does_nothing(card: int) -> str:
    """Return the reason that forbids playing a card, or aiming it there."""
    effect = str(CARD_ENTRIES[Card(int(card))]["effect"])
    name = card_name(card).capitalize()
    return _("A card is not played for nothing. {card}: {effect}.", card=name, effect=_(effect))


def _why_no_ability(state: Any, ask: Ask, who: int) -> str:
    """Return the reason that forbids this use of an ability."""
    if ask == Ask.ABILITY:
        return _(_ABILITY_NEEDS[Titan(int(state.borrowed))])
    barred = _why_not_free(state)
    if barred:
        return barred
    if state.ability_used:
        return _("An ability serves once per turn.")
    return _(_ABILITY_NEEDS[Titan(int(state.titans[who].kind))])


def _why_not_free(state: Any) -> str:
    """Return the reason that forbids abilities and cards in this turn; "" if they are allowed."""
    if state.first_turn:
        return _("In the first turn neither ability nor card may be used.")
    if state.rerolled:
        return _("Once the die is rerolled, neither ability nor card may be used in this turn.")
    if state.barred:
        return _("The hourglass forbids ability and cards in this turn.")
    if waits_for_all(state):
        return _("Neither ability nor card may be used before the first turn of all is over.")
    return ""


def _why_no_reroll(state: Any, who: int) -> str:
    """Return the reason that forbids the use of the pentacle."""
    if not state.die_done:
        return _("The pentacle may be used when the die action has been carried out.")
    if state.pentacle != state.titans[who].space:
        return _("The pentacle serves a Titan whose own movement ended on it, and that is still there.")
    return _("The pentacle costs 1 life, which may not be the last.")


def _why_not_die(state: Any, who: int, verb: str, thing: str) -> str:
    """Return the reason that forbids this part of the die action."""
    if state.die_done:
        return _("The die action has been carried out.")
    if verb == "copy":
        return (
            _("Only a purple die plays another face.")
            if state.face != Face.PURPLE
            else _("The face is chosen already.")
        )
    if state.action == NO_FACE:
        return _("It must be said first which face the purple die plays.")
    face = face_name(state.action)
    if verb == "pay":
        return _("Only purple costs a life, before the move, and nothing to Chtooloo.")
    if verb == "move":
        moved = mark("The die's move has been made.") if state.moved else mark("The {face} face does not move so.")
        return _(moved, face=face)
    if not state.extra_due:
        asks = (
            mark("The {face} face asks for no trap now.")
            if verb == "trap"
            else mark("The {face} face does not strike now.")
        )
        return _(asks, face=face)
    if verb == "trap" and state.action != Face.RED:
        return _("Only the red face sets a trap.")
    if verb == "strike" and state.action != Face.GREEN:
        return _("Only the green face strikes.")
    space = space_beside(state, who, Direction[thing])
    if verb == "trap":
        return _("No trap is left, or one lies there already.") if space >= 0 else _("There is no such space.")
    other = standing(state, space)
    if other != NOBODY and living(state, space) == NOBODY:
        return _("{who} is K.O. and immune.", who=titan_name(state, other))
    return _("Neither a living Titan nor a trap is there.")
