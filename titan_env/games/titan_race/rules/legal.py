"""What is legal: the mask of the seat that is asked, out of the `may_` functions of the rules."""

from __future__ import annotations

from typing import Any

from titan_env.contract import rule
from titan_env.games.titan_race.rules import actions
from titan_env.games.titan_race.rules.abilities import NO_DIRECTION, ability_choices, may_shove_to
from titan_env.games.titan_race.rules.cards import may_aim, may_play
from titan_env.games.titan_race.rules.dice import (
    allows,
    may_copy,
    may_draft,
    may_pay,
    may_reroll,
    may_spare,
    may_strike,
    may_trap,
)
from titan_env.games.titan_race.rules.start import may_lay, may_take
from titan_env.games.titan_race.rules.state import BONUS_CARDS, CIRCUIT_NAMES, Ask, Card, Direction, Face, Titan
from titan_env.games.titan_race.rules.turn import is_free, may_enter

MOVES, TITANS, CIRCUITS = len(actions.MOVES), len(Titan), len(CIRCUIT_NAMES)


@rule
def legal(state: Any, mask: Any) -> None:
    """Write the mask (94,) int8 of the seat that is asked: 1 for each legal action."""
    mask[:] = 0
    who = int(state.asked)
    if state.ask == Ask.DRAFT:
        for face in range(6):
            mask[actions.DRAFT + face] = may_draft(state, face)
    elif state.ask == Ask.ENTER:
        for entry in range(3):
            mask[actions.ENTER + entry] = may_enter(state, entry)
    elif state.ask == Ask.TURN:
        _legal_turn(state, who, mask)
    elif state.ask == Ask.DIE:
        _legal_die(state, who, mask)
    elif state.ask == Ask.AIM:
        for direction in range(6):
            mask[actions.AIM + direction] = may_aim(state, who, state.card, direction)
    elif state.ask == Ask.ABILITY:
        _legal_ability(state, who, state.borrowed, mask)
    elif state.ask == Ask.SHOVE:
        for direction in range(6):
            mask[actions.SHOVE + direction] = may_shove_to(state, state.target, direction)
    elif state.ask == Ask.PIRATES:
        _legal_discards(state, mask)
        mask[actions.SUFFER] = 1
    elif state.ask == Ask.SHIELD:
        mask[actions.PLAY + Card.SHIELD] = mask[actions.PASS] = 1
    elif state.ask == Ask.THORNS:
        mask[actions.PLAY + Card.THORNS] = mask[actions.PASS] = 1
    elif state.ask != Ask.NOTHING:
        _legal_choice(state, mask)


@rule
def _legal_choice(state: Any, mask: Any) -> None:
    """Before the race: a Titan that is left, the order of one's two, a circuit that is left."""
    if state.ask == Ask.TITAN:
        for kind in range(TITANS):
            mask[actions.CHOOSE + kind] = may_take(state, kind)
    elif state.ask == Ask.ORDER:
        mask[actions.ORDER] = mask[actions.ORDER + 1] = 1
    else:
        for number in range(CIRCUITS):
            mask[actions.CIRCUIT + number] = may_lay(state, number)


@rule
def _legal_turn(state: Any, who: int, mask: Any) -> None:
    """In one's turn: the die action, the ability and a card in any order; the end once the die is done."""
    if state.die_done:
        mask[actions.END] = 1
        mask[actions.REROLL] = may_reroll(state, who)
    else:
        _legal_die(state, who, mask)
    if not is_free(state):
        return
    if not state.ability_used:
        _legal_ability(state, who, state.titans[who].kind, mask)
    if not state.card_played:
        for card in range(BONUS_CARDS):
            if state.cards[card] == state.seat:
                mask[actions.DISCARD_CARD + card] = 1
                mask[actions.PLAY + card] = may_play(state, who, card)


@rule
def _legal_die(state: Any, who: int, mask: Any) -> None:
    """The parts of the die action that may come next."""
    if may_copy(state):
        for face in range(Face.PURPLE):
            mask[actions.COPY + face] = 1
        return
    mask[actions.PAY] = may_pay(state)
    if not state.moved:
        for pattern in range(MOVES):
            mask[actions.MOVE + pattern] = allows(state.action, pattern)
    if state.extra_due:
        for direction in range(3):
            mask[actions.TRAP_BEHIND + direction] = may_trap(state, who, Direction.B + direction)
            mask[actions.STRIKE + direction] = may_strike(state, who, direction)
        mask[actions.PASS] = may_spare(state, who)


@rule
def _legal_ability(state: Any, who: int, kind: int, mask: Any) -> None:
    """The ways in which the ability of a kind of Titan does something."""
    choices = ability_choices(state, who, kind)
    for direction in range(NO_DIRECTION, 6):
        mask[actions.ABILITY_TO + direction] = choices >> (direction + 1) & 1


@rule
def _legal_discards(state: Any, mask: Any) -> None:
    """Any card of the hand may be thrown away."""
    for card in range(BONUS_CARDS):
        mask[actions.DISCARD_CARD + card] = state.cards[card] == state.seat
