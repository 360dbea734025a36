"""Goofspiel: everybody bids in secret, then all bids are turned up at the same time.

Rules. Prizes of 1 point up come up one after the other, in an order that chance decides; everybody holds cards
of the same numbers. For each prize every seat in turn lays one card face down. When all have, the cards are turned
up: the highest that nobody else has laid wins the prize; if there is none, nobody does. Laid cards are gone. The
most points win; equals win together, and so do all where nobody has a point.

What it shows of the contract: a choice that stays secret until all have chosen, in observations, events, words and
imagined worlds (`describe_action_for`, `describe_event_for`, `position_text_for`, `imagine`); points without places.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from titan_env.contract import (
    HEADER,
    ActionTable,
    Field,
    Fields,
    Game,
    Metadata,
    Rules,
    Status,
    Text,
    draw,
    log_event,
    rule,
)

MOST_PLAYERS = 4
MOST_CARDS = 7
MOST_POINTS = MOST_CARDS * (MOST_CARDS + 1) // 2
COVERED = -1  # instead of a card, for who may not see it


class Ask(IntEnum):
    """What the seat to act is asked."""

    NOTHING = 0
    BID = 1


class Event(IntEnum):
    """What can happen: who, nothing, which card or how many points."""

    BID = 0
    SHOWED = 1
    WON = 2
    TURNED_UP = 3


STATE = np.dtype(
    [
        *HEADER,
        ("cards", np.int8),  # how many prizes there are, and cards in a hand at the start
        ("prize", np.int8),  # for which is bid now
        ("prizes", np.int8, (MOST_CARDS,)),  # 1: still to come
        ("hand", np.int8, (MOST_PLAYERS, MOST_CARDS)),  # 1: held, also while it lies face down
        ("bid", np.int8, (MOST_PLAYERS,)),  # the card that lies face down, from 1 on; 0: none yet
    ]
)
_OWN, _HANDS = 1 + MOST_CARDS, 1 + 2 * MOST_CARDS + MOST_PLAYERS
_POINTS = _HANDS + MOST_PLAYERS * MOST_CARDS
FIELDS = Fields(
    (
        Field("prize", (), 0, 1, "points that are bid for, / 7"),
        Field("prizes", (MOST_CARDS,), 0, 1, "prizes still to come"),
        Field("own", (MOST_CARDS,), 0, 1, "the own card that lies face down"),
        Field("laid", (MOST_PLAYERS,), 0, 1, "seats that have laid a card, the own first"),
        Field("hands", (MOST_PLAYERS, MOST_CARDS), 0, 1, "cards that are not gone yet"),
        Field("points", (MOST_PLAYERS,), 0, 1, "points of each seat, / 28"),
        Field("seated", (MOST_PLAYERS,), 0, 1, "somebody sits there"),
    )
)
ACTIONS = ActionTable(tuple(f"bid:{card + 1}" for card in range(MOST_CARDS)))


def configure(players: int = 2, cards: int = 6) -> np.recarray[Any, Any]:
    """A game before any chance."""
    for name, number, low, high in (("players", players, 2, MOST_PLAYERS), ("cards", cards, 2, MOST_CARDS)):
        if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
            raise ValueError(f"expected {name} from {low} to {high}, got {number!r}")
    fresh = np.zeros(1, STATE).view(np.recarray)
    fresh["seats"], fresh["cards"] = players, cards
    fresh["prizes"][:, :cards] = 1
    fresh["hand"][:, :players, :cards] = 1
    return fresh


@rule
def set_up(state: Any, luck: Any) -> None:
    """The first prize comes up."""
    turn_up(state, luck)
    state.ask = Ask.BID


@rule
def legal(state: Any, mask: Any) -> None:
    """Any card that is still held."""
    for card in range(MOST_CARDS):
        mask[card] = state.over == 0 and state.hand[state.seat, card]


@rule
def play(state: Any, action: int, luck: Any, log: Any) -> None:
    """Lay a card; the last one has all of them turned up."""
    seat = state.seat
    state.bid[seat] = action + 1
    log_event(log, Event.BID, seat, 0, action + 1)
    state.seat = (seat + 1) % state.seats
    if state.seat == 0:
        award(state, log)
        if state.prizes.sum() > 0:
            turn_up(state, luck)
            log_event(log, Event.TURNED_UP, 0, 0, state.prize)
        else:
            end(state)


@rule
def turn_up(state: Any, luck: Any) -> None:
    """Chance says which of the prizes is next."""
    number = draw(luck, state.prizes.sum())
    for prize in range(MOST_CARDS):
        number -= state.prizes[prize]
        if number < 0:
            state.prize = prize + 1
            state.prizes[prize] = 0
            return


@rule
def award(state: Any, log: Any) -> None:
    """The highest card that nobody else has laid wins the prize; all cards that were laid are gone."""
    winner, highest = -1, 0
    for seat in range(state.seats):
        card = state.bid[seat]
        log_event(log, Event.SHOWED, seat, 0, card)
        alike = 0
        for other in range(state.seats):
            alike += state.bid[other] == card
        if alike == 1 and card > highest:
            winner, highest = seat, card
    if winner >= 0:
        state.scores[winner] += state.prize
        log_event(log, Event.WON, winner, 0, state.prize)
    for seat in range(state.seats):
        state.hand[seat, state.bid[seat] - 1] = 0
        state.bid[seat] = 0
    state.prize = 0


@rule
def end(state: Any) -> None:
    """The most points win."""
    for seat in range(state.seats):
        state.won[seat] = state.scores[seat] == state.scores.max()
    state.over = Status.TERMINATED
    state.ask = Ask.NOTHING


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """Everything but what the others have laid."""
    vector[:] = 0
    vector[0] = state.prize / MOST_CARDS
    for prize in range(MOST_CARDS):
        vector[1 + prize] = state.prizes[prize]
    if state.bid[seat]:
        vector[_OWN + state.bid[seat] - 1] = 1
    for place in range(state.seats):
        who = (seat + place) % state.seats
        vector[_HANDS - MOST_PLAYERS + place] = state.bid[who] != 0
        for card in range(MOST_CARDS):
            vector[_HANDS + place * MOST_CARDS + card] = state.hand[who, card]
        vector[_POINTS + place] = state.scores[who] / MOST_POINTS
        vector[_POINTS + MOST_PLAYERS + place] = 1


@rule
def imagine(state: Any, seat: int, luck: Any) -> None:
    """What the others have laid may be any card they hold."""
    for who in range(state.seats):
        if who == seat or state.bid[who] == 0:
            continue
        number = draw(luck, state.hand[who].sum())
        for card in range(MOST_CARDS):
            number -= state.hand[who, card]
            if number < 0:
                state.bid[who] = card + 1
                break


def describe_action_for(state: Any, action: int, seat: int) -> str:
    """A bid as others hear of it: what the last one lays is turned up at once."""
    is_last = state.seat == state.seats - 1
    return ACTIONS.texts[action] if is_last or seat == state.seat else "lay a card face down"


def describe_event(state: Any, event: Any) -> str:
    """An event in words."""
    kind, who, _, number = (int(part) for part in event)
    if kind == Event.TURNED_UP:
        return f"The next prize is worth {number}"
    return f"player_{who} {Event(kind).name.lower()} {number}"


def describe_event_for(state: Any, event: Any, seat: int) -> str:
    """An event as one seat hears it: of a card that is laid only that there is one."""
    if event[0] == Event.BID and event[1] != seat:
        return f"player_{event[1]} has laid a card"
    return describe_event(state, event)


def position_text_for(state: Any, seat: int) -> str:
    """The position with the others' cards face down."""
    seen = np.array([state], STATE).view(np.recarray)[0]
    others = np.arange(MOST_PLAYERS) != seat
    seen.bid[others & (seen.bid != 0)] = COVERED
    return GAME.text.position_text(seen)


def validate_position(state: Any) -> None:
    """Whether it could be played on from here."""
    if state.over or state.ask != Ask.BID or not 2 <= state.seats <= MOST_PLAYERS:
        raise ValueError(f"expected a running game of 2 to {MOST_PLAYERS}, got {state}")
    if not 0 <= state.seat < state.seats or not 2 <= state.cards <= MOST_CARDS:
        raise ValueError(f"expected a seat that is asked, and 2 to {MOST_CARDS} cards, got {state}")
    held = state.hand[: state.seats]
    parts = (state.won, state.place, state.out, state.hand[state.seats :], state.scores[state.seats :])
    if any(part.any() for part in parts) or not set(np.unique(state.hand)) | set(state.prizes) <= {0, 1}:
        raise ValueError(f"expected hands of those who play, and no result yet, got {state}")
    left = int(state.prizes.sum()) + 1
    if (held.sum(axis=1) != left).any() or held[:, state.cards :].any() or state.prizes[state.cards :].any():
        raise ValueError(f"expected as many cards in each hand as prizes, got {state}")
    if not 1 <= state.prize <= state.cards or state.prizes[state.prize - 1]:
        raise ValueError(f"expected a prize that is not to come again, got {state}")
    laid = np.arange(MOST_PLAYERS) < state.seat
    if ((state.bid != 0) != laid).any() or state.bid.min() < 0 or state.bid.max() > state.cards:
        raise ValueError(f"expected cards from those who have had their turn, got {state}")
    if not all(state.hand[who, state.bid[who] - 1] for who in np.flatnonzero(laid)):
        raise ValueError(f"expected cards that are held, got {state}")
    gone = [card + 1 for card in range(state.cards) if not state.prizes[card] and card + 1 != state.prize]
    if state.scores.min() < 0 or state.scores.sum() > sum(gone):
        raise ValueError(f"expected points of prizes that are gone, got {state}")


def exchange(state: Any, rng: np.random.Generator) -> None:
    """For the tests of what is hidden: somebody has laid another card."""
    laid = np.flatnonzero(state.bid)
    if len(laid):
        who = rng.choice(laid)
        state.bid[who] = 1 + rng.choice(np.flatnonzero(state.hand[who]))


GAME = Game(
    name="goofspiel",
    rules=Rules(
        state=STATE,
        seats=(2, MOST_PLAYERS),
        actions=ACTIONS,
        asks=Ask,
        events=Event,
        fields=FIELDS,
        score_scale=10.0,
        setup=set_up,
        legal=legal,
        step=play,
        observe=observe,
        imagine=imagine,
        configure=configure,
        options={"players": "how many play", "cards": "cards in a hand, and prizes"},
        presets={"duel": {}, "four": {"players": 4, "cards": 5}},
    ),
    text=Text(
        describe_event=describe_event,
        describe_action_for=describe_action_for,
        describe_event_for=describe_event_for,
        position_text_for=position_text_for,
        validate_position=validate_position,
    ),
    metadata=Metadata(
        title="Goofspiel",
        version=0,
    ),
)
