"""What a seat cannot know, drawn anew: the cards in the other hands and in the deck."""

from __future__ import annotations

from typing import Any

from titan_env.games.titan_race.board import owner
from titan_env.games.titan_race.cards import hand_size, pile, take_from_deck, tally
from titan_env.games.titan_race.state import BONUS_CARDS, DECK, Ask, Card
from titan_env.jit import rule
from titan_env.luck import begin, draw


@rule
def imagine(state: Any, seat: int, luck: Any) -> None:
    """Deal the cards that `seat` has not seen anew: every hand keeps its size, each deal is as likely.

    What others' choices may betray about their hands is not reckoned with.
    """
    begin(luck)
    sizes = tally(state)
    for card in range(BONUS_CARDS):
        if state.cards[card] >= 0 and state.cards[card] != seat and not _is_shown(state, card):
            state.cards[card] = DECK
    for other in range(state.seats):
        for _ in range(pile(sizes, other) - hand_size(state, other)):
            take_from_deck(state, other, draw(luck, hand_size(state, DECK)))
    luck.given = 0


@rule
def _is_shown(state: Any, card: int) -> bool:
    """Whether what is asked right now says who holds this card: a shield, thorns, or a card being played."""
    if state.ask == Ask.SHIELD:
        return card == Card.SHIELD and state.cards[card] == owner(state, state.asked)
    if state.ask == Ask.THORNS:
        return card == Card.THORNS and state.cards[card] == owner(state, state.asked)
    return card == state.card
