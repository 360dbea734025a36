"""What a seat cannot know, drawn anew: the cards in the other hands and in the deck."""

from __future__ import annotations

from typing import Any

from titan_env.contract import draw, rule
from titan_env.games.titan_race.rules.board import owner
from titan_env.games.titan_race.rules.cards import is_hidden, last_lot, pile, tally_hidden
from titan_env.games.titan_race.rules.state import BONUS_CARDS, DECK, NO_CARD, Ask, Card

SHIELD, THORNS = int(Card.SHIELD), int(Card.THORNS)


@rule
def imagine(state: Any, seat: int, luck: Any) -> None:
    """Deal the cards that `seat` has not seen anew: each deal that fits all that everybody has seen is as likely.

    Who drew how many cards out of which deck, and which cards lay in it, everybody has seen: so each
    lot is dealt by itself to those who hold cards of it. What others' choices may betray about their
    hands is not reckoned with.
    """
    shown = shown_card(state, seat)
    if shown != NO_CARD:
        holder = state.cards[shown]
        state.cards[shown] = seat
    for lot in range(last_lot(state) + 1):
        _deal_lot(state, seat, lot, tally_hidden(state, seat, lot), luck)
    if shown != NO_CARD:
        state.cards[shown] = holder


@rule
def shown_card(state: Any, seat: int) -> int:
    """The card of which the question asked of another right now says that this one holds it; NO_CARD else."""
    holder = owner(state, state.asked)
    if holder != seat and state.ask == Ask.SHIELD and state.cards[SHIELD] == holder:
        return SHIELD
    if holder != seat and state.ask == Ask.THORNS and state.cards[THORNS] == holder:
        return THORNS
    return NO_CARD


@rule
def _deal_lot(state: Any, seat: int, lot: int, sizes: int, luck: Any) -> None:
    """Shuffle the hidden cards of one lot and deal as many to each hand as it holds of them."""
    left = 0
    for card in range(BONUS_CARDS):
        if state.lots[card] == lot and is_hidden(state, seat, card):
            state.cards[card] = DECK
            left += 1
    for other in range(state.seats):
        for _ in range(pile(sizes, other)):
            _take(state, lot, draw(luck, left), other)
            left -= 1


@rule
def _take(state: Any, lot: int, which: int, seat: int) -> None:
    """A hand takes one of the cards of a lot that are not dealt yet, counted from the first."""
    for card in range(BONUS_CARDS):
        if state.lots[card] == lot and state.cards[card] == DECK:
            if which == 0:
                state.cards[card] = seat
                return
            which -= 1
