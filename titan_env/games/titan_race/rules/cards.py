"""The 13 bonus cards: hands, deck, discard pile, and what each card does."""

from __future__ import annotations

from typing import Any

from titan_env.contract import draw, log_event, pop_effect, push_effect, rule
from titan_env.games.titan_race.rules.abilities import (
    borrow,
    may_trap_beside,
    may_use_ability,
    shove,
)
from titan_env.games.titan_race.rules.board import is_fit, living, owner, standing
from titan_env.games.titan_race.rules.harm import (
    damage_around,
    gain,
    hit,
    is_own_turn,
    lose,
    may_be_hit,
    set_trap,
    space_beside,
)
from titan_env.games.titan_race.rules.movement import begin_movement
from titan_env.games.titan_race.rules.questions import ask
from titan_env.games.titan_race.rules.state import (
    ASIDE,
    BONUS_CARDS,
    DECK,
    DISCARD,
    HAND_LIMIT,
    MOST_SPACES,
    NO_CARD,
    NOBODY,
    NOWHERE,
    Ask,
    Card,
    Cause,
    Direction,
    Due,
    Event,
    Manner,
    Race,
)

HEALING = 2
assert max(ASIDE, DISCARD) < DECK < 0, "what lies in the deck or in a hand is at DECK or above"


# Hands, deck, discard pile


@rule
def tally(state: Any) -> int:
    """How many cards are where: seven bits for those aside, the discard pile, the deck, and each hand."""
    counts = 0
    for card in range(BONUS_CARDS):
        counts += one_card(state.cards[card])
    return counts


@rule
def one_card(where: int) -> int:
    """One card in one place, as `tally` counts it."""
    return 1 << 7 * (int(where) - ASIDE)


@rule
def pile(counts: int, where: int) -> int:
    """The number of cards in one place, out of a `tally`."""
    return (counts >> 7 * (int(where) - ASIDE)) & 127


@rule
def hand_size(state: Any, seat: int) -> int:
    """How many cards a seat holds, or lie in the DECK or on the DISCARD pile."""
    return pile(tally(state), seat)


@rule
def is_hidden(state: Any, seat: int, card: int) -> bool:
    """Whether a card lies where a seat does not see it: in the deck, or in another's hand."""
    where = state.cards[card]
    return bool((where >= DECK) & (where != seat))


@rule
def last_lot(state: Any) -> int:
    """The highest number that a lot of cards has."""
    last = 0
    for card in range(BONUS_CARDS):
        last = max(last, int(state.lots[card]))
    return last


@rule
def hidden_lot(state: Any, seat: int, lot: int) -> tuple[int, int]:
    """The cards of one lot that a seat does not see, as bits, and how many of them lie where, as `tally` counts.

    Without a branch: whether a card is hidden the processor would guess wrong at every other one.
    """
    cards = counts = 0
    for card in range(BONUS_CARDS):
        is_one = int((state.lots[card] == lot) & is_hidden(state, seat, card))
        cards |= is_one << card
        counts += one_card(state.cards[card]) * is_one
    return cards, counts


@rule
def tally_hidden(state: Any, seat: int, lot: int) -> int:
    """How many cards of one lot lie where a seat does not see them, as `tally` counts: everybody knows it."""
    return int(hidden_lot(state, seat, lot)[1])


@rule
def draw_bonus(race: Race, who: int) -> None:
    """A bonus space gives its Titan's player a card, if the hand holds fewer than 2 and any card is left."""
    state = race.state
    seat = owner(state, who)
    if hand_size(state, seat) >= HAND_LIMIT:
        return
    renew_deck(state)
    left = hand_size(state, DECK)
    if left > 0:
        deal(race, who, draw(race.luck, left))
        renew_deck(state)


@rule
def renew_deck(state: Any) -> None:
    """When its last card has been drawn, the deck is made of the discard pile; if that is empty, at the next draw."""
    if hand_size(state, DECK) == 0 and hand_size(state, DISCARD) > 0:
        shuffle_discard_pile(state)


@rule
def shuffle_discard_pile(state: Any) -> None:
    """The discard pile becomes the new deck. Everybody knows now that what was in the old one is in the hands."""
    gone = free_lot(state)
    for card in range(BONUS_CARDS):
        if state.cards[card] == DISCARD:
            state.cards[card] = DECK
        elif state.cards[card] >= 0 and state.lots[card] == 0:
            state.lots[card] = gone


@rule
def free_lot(state: Any) -> int:
    """The lowest number above 0 that no lot of cards has."""
    lot = 1
    while count_lot(state, lot) > 0:
        lot += 1
    return lot


@rule
def count_lot(state: Any, lot: int) -> int:
    """How many cards are of one lot."""
    count = 0
    for card in range(BONUS_CARDS):
        count += state.lots[card] == lot
    return count


@rule
def put_on_discard_pile(state: Any, card: int) -> None:
    """Put a card on the discard pile, where everybody sees it."""
    state.cards[card] = DISCARD
    state.lots[card] = 0


@rule
def deal(race: Race, who: int, which: int) -> None:
    """Hand over one of the cards that are left in the deck, counted from the first."""
    log_event(race.log, Event.BONUS, who, NOBODY, take_from_deck(race.state, owner(race.state, who), which))


@rule
def take_from_deck(state: Any, seat: int, which: int) -> int:
    """A seat takes one of the cards that are left in the deck, counted from the first; the card."""
    for card in range(BONUS_CARDS):
        if state.cards[card] == DECK:
            if which == 0:
                state.cards[card] = seat
                return card
            which -= 1
    return NO_CARD


@rule
def discard(race: Race, who: int, card: int) -> None:
    """Put a card on the discard pile without using it."""
    put_on_discard_pile(race.state, card)
    log_event(race.log, Event.DISCARDED, who, NOBODY, card)


@rule
def throw_away(race: Race, who: int, card: int) -> None:
    """Throw a card away in one's own turn: it counts as the card played."""
    race.state.card_played = 1
    discard(race, who, card)


# Cards of one's own turn


@rule
def needs_aim(card: int) -> bool:
    """Whether a card needs a direction or a target."""
    return card in (
        Card.SURPRISE_TRAP,
        Card.SPEED_POTION,
        Card.FIREBALL,
        Card.MIMIC,
        Card.RETREAT,
        Card.GUST,
        Card.HOURGLASS,
    )


@rule
def may_aim(state: Any, who: int, card: int, direction: int) -> bool:
    """Whether a card does something in a direction."""
    space = space_beside(state, who, direction)
    forward = direction < Direction.B
    if card == Card.SURPRISE_TRAP:
        return may_trap_beside(state, space)
    if card == Card.SPEED_POTION:
        return forward
    if card == Card.RETREAT:
        return not forward and space != NOWHERE
    if card == Card.FIREBALL:
        return forward and may_be_hit(state, space)
    if card == Card.MIMIC:
        lender = standing(state, space)
        return lender != NOBODY and may_use_ability(state, who, state.titans[lender].kind)
    if card == Card.GUST:
        target = standing(state, space)
        return target != NOBODY and space_beside(state, target, direction) != NOWHERE
    if card == Card.HOURGLASS:
        target = living(state, space)
        return target != NOBODY and not state.titans[target].barred
    return False


@rule
def leader(state: Any, who: int) -> int:
    """The living Titan furthest ahead of all others than `who`: most laps, then highest row; NOBODY if none lives."""
    first, best = NOBODY, 0
    for after in range(1, state.titans_in_race):
        other = (who + after) % state.titans_in_race
        titan = state.titans[other]
        if titan.space == NOWHERE or not is_fit(state, other):
            continue
        position = int(titan.lap) * MOST_SPACES + int(titan.space) // 3
        if first == NOBODY or position > best:
            first, best = other, position
    return int(first)


@rule
def may_play(state: Any, who: int, card: int) -> bool:
    """A card of one's own turn may be played when it would do something."""
    if card == Card.EXPLOSION:
        for direction in range(6):
            if may_be_hit(state, space_beside(state, who, direction)):
                return True
        return False
    if card == Card.LIGHTNING:
        return leader(state, who) != NOBODY
    if card == Card.HEALING_POTION:
        return bool(state.titans[who].life < state.titans[who].life_max)
    if card == Card.WINGS:
        return True
    for direction in range(6):
        if may_aim(state, who, card, direction):
            return True
    return False


@rule
def play(race: Race, who: int, card: int) -> None:
    """Play a card of one's own turn: it goes to the discard pile and does what it says, or asks where."""
    state = race.state
    state.card_played = 1
    put_on_discard_pile(state, card)
    log_event(race.log, Event.CARD, who, NOBODY, card)
    if needs_aim(card):
        state.card = card
        ask(state, Ask.AIM, who)
    elif card == Card.EXPLOSION:
        damage_around(race, who, 0, 6, Cause.EXPLOSION)
    elif card == Card.LIGHTNING:
        lose(race, leader(state, who), Cause.LIGHTNING, NOBODY)
    elif card == Card.HEALING_POTION:
        gain(race, who, HEALING)
    elif card == Card.WINGS:
        begin_movement(state, who)
        push_effect(state, Due.STEP, who, Direction.F, Manner.FLYING, 0)


@rule
def aim(race: Race, who: int, direction: int) -> None:
    """Carry out the card just played in the chosen direction."""
    state = race.state
    card = state.card
    state.card = NO_CARD
    space = space_beside(state, who, direction)
    if card == Card.SURPRISE_TRAP:
        set_trap(race, who, space)
    elif card == Card.FIREBALL:
        hit(race, who, space, Cause.FIREBALL)
    elif card == Card.MIMIC:
        borrow(race, who, standing(state, space))
    elif card == Card.GUST:
        shove(race, who, standing(state, space), direction)
    elif card == Card.HOURGLASS:
        target = standing(state, space)
        state.titans[target].barred = 1
        log_event(race.log, Event.BARRED, who, target, 0)
    else:  # the speed potion and the retreat move their own Titan
        begin_movement(state, who)
        push_effect(state, Due.STEP, who, direction, Manner.OWN, 0)


# Reactions


@rule
def react(race: Race, who: int, card: int) -> None:
    """Play a reaction card, on anybody's turn; in the player's own turn it is that turn's card."""
    if is_own_turn(race.state, who):
        race.state.card_played = 1
    put_on_discard_pile(race.state, card)
    log_event(race.log, Event.CARD, who, NOBODY, card)


@rule
def shield(race: Race, who: int) -> None:
    """The shield: the life that was about to be lost is not."""
    react(race, who, Card.SHIELD)
    log_event(race.log, Event.SHIELDED, who, NOBODY, race.state.agenda[race.state.due - 1][2])
    pop_effect(race.state)


@rule
def thorns(race: Race, who: int) -> None:
    """The thorns: the Titan whose movement pushed this one loses 1 life."""
    react(race, who, Card.THORNS)
    lose(race, race.state.mover, Cause.THORNS, NOBODY)
