"""What everybody has seen of the cards stays known, and imagined worlds fit all of it."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from tests.titan_race.table import Table, plain
from titan_env.compiler.jit import COMPILED
from titan_env.engine.batch import Batch
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.actions import CARDS
from titan_env.games.titan_race.rules.state import DECK, DISCARD, Ask, Event
from titan_env.play.determinization import Determinizations

pytestmark = pytest.mark.thorough

RACES = 2_000 if COMPILED else 3
WORLDS = 4_000 if COMPILED else 200
DRAWN, SHOWN = {Event.BONUS}, {Event.CARD, Event.DISCARDED}
BONUS_EVERYWHERE = "\n".join(f"{row} " + ("* * *" if row % 3 == 2 else ". . .") for row in range(12, 0, -1))


def imagined(state: Any, seat: int, count: int) -> Any:
    """The cards in worlds that a seat imagines, (count, 13)."""
    states = np.array([state], GAME.rules.state).view(np.recarray)
    states.seat = seat
    return (
        Determinizations(GAME, states, np.random.default_rng(0)).imagine(count, np.random.default_rng(1)).states.cards
    )


def card_events(batch: Batch, row: int) -> list[tuple[bool, int, int]]:
    """Of the latest decision of a race: (whether a card was drawn, by which seat, which card it was)."""
    return [
        (kind in DRAWN, int(batch.states[row].titans[who].seat), int(card))
        for kind, who, _, card in batch.last_events(row).tolist()
        if kind in DRAWN | SHOWN
    ]


# A plain tracker: which world contradicts what everybody has seen?


class History:
    """What everybody has seen of the cards of one race."""

    def __init__(self, seats: int) -> None:
        self.renewals, self.left = 0, len(CARDS) - seats
        self.lay_in = dict.fromkeys(range(len(CARDS)), 0)  # the deck in which each card lay last
        self.discarded: set[int] = set()
        self.held = Counter({(seat, 0): 1 for seat in range(seats)})  # cards in each hand out of each deck

    def hear(self, drawn: bool, seat: int, card: int) -> None:
        if not drawn:
            self.held[seat, self.lay_in[card]] -= 1
            self.discarded.add(card)
            return
        self.renew()
        self.held[seat, self.renewals] += 1
        self.left -= 1
        self.renew()

    def renew(self) -> None:
        if self.left == 0 and self.discarded:
            self.renewals += 1
            self.left = len(self.discarded)
            self.lay_in.update(dict.fromkeys(self.discarded, self.renewals))
            self.discarded.clear()

    def allows(self, cards: Any) -> bool:
        """Whether cards (13,) may lie so after all this."""
        held = Counter((int(where), self.lay_in[card]) for card, where in enumerate(cards) if where >= 0)
        in_deck = all(self.lay_in[card] == self.renewals for card in np.flatnonzero(cards == DECK))
        return in_deck and held == +self.held and {*np.flatnonzero(cards == DISCARD).tolist()} == self.discarded


def test_no_imagined_world_contradicts_what_everybody_has_seen() -> None:
    batch = Batch(GAME, RACES, events=True, titans=4)
    batch.seed(11)
    batch.start()
    histories = [History(4) for _ in range(RACES)]
    renewed, turn = 0, 0
    while not batch.over.all():
        running = ~batch.over
        batch.step(np.where(running, batch.sample(), 0), rows=running)
        for row in np.flatnonzero(running):
            for event in card_events(batch, row):
                histories[row].hear(*event)
        turn += 1
        if turn % 25 == 0 and not batch.over.all():
            rows = np.flatnonzero(~batch.over)
            states = batch.states[rows].view(np.recarray)
            worlds = Determinizations(GAME, states, np.random.default_rng(turn)).states
            for row, cards, truth in zip(rows, worlds.cards, states, strict=True):
                assert histories[row].allows(truth.cards)
                assert histories[row].allows(cards)
                assert ((cards == truth.seat) == (truth.cards == truth.seat)).all()
                renewed += histories[row].renewals > 0
    assert renewed > RACES / 2


# Small races, worked out exactly


class Posterior:
    """How likely each place of the cards is to a seat that forgets nothing, by the laws of chance alone."""

    def __init__(self, seats: int, me: int, cards: list[int], mine: int) -> None:
        self.me, self.cards = me, cards
        deals = [
            tuple(deal.index(card) if card in deal else DECK for card in cards) for deal in permutations(cards, seats)
        ]
        self.worlds = Counter(dict.fromkeys((d for d in deals if d[cards.index(mine)] == me), 1.0))

    def hear(self, drawn: bool, seat: int, card: int) -> None:
        after: Counter[tuple[int, ...]] = Counter()
        number = self.cards.index(card)
        for world, chance in self.worlds.items():
            if not drawn:
                if world[number] == seat:
                    after[(*world[:number], DISCARD, *world[number + 1 :])] += chance
                continue
            world = renewed(world)
            for which in [i for i, where in enumerate(world) if where == DECK]:
                if seat != self.me or which == number:
                    after[renewed((*world[:which], seat, *world[which + 1 :]))] += chance / world.count(DECK)
        self.worlds = after


def renewed(world: tuple[int, ...]) -> tuple[int, ...]:
    """Return where the cards lie once an empty deck is made of the discards."""
    return world if DECK in world else tuple(DECK if where == DISCARD else where for where in world)


@pytest.mark.parametrize("seed", range(6 if COMPILED else 1))
def test_imagined_worlds_come_as_often_as_they_are_likely(seed: int) -> None:
    """Five or six cards among three players, on a circuit on which many are drawn: all deals are worked out."""
    deck = ["wings", "speed_potion", "gust", "shield", "retreat", "thorns"][: 5 + seed % 2]
    batch = Batch(GAME, 1, events=True, titans=3, deck=deck, circuit=BONUS_EVERYWHERE)
    batch.seed(seed)
    batch.start()
    numbers = sorted(CARDS.index(name) for name in deck)
    known = [Posterior(3, me, numbers, int(np.flatnonzero(batch.states[0].cards == me)[0])) for me in range(3)]
    compared = 0
    for decision in range(160):
        batch.step(batch.sample())
        if batch.over.all():
            break
        for event in card_events(batch, 0):
            for posterior in known:
                posterior.hear(*event)
        if decision % 8 == 7 and batch.states[0].ask not in (Ask.SHIELD, Ask.THORNS):
            for posterior in known:
                compared += compare(posterior, imagined(batch.states[0], posterior.me, WORLDS)[:, numbers])
    assert compared > 3


def compare(posterior: Posterior, worlds: Any) -> bool:
    """Chi-square of imagined worlds against what they are likely to be; False where only one is possible."""
    total = sum(posterior.worlds.values())
    found = Counter(tuple(world) for world in worlds.tolist())
    assert set(found) <= set(posterior.worlds)
    expected = {world: WORLDS * chance / total for world, chance in posterior.worlds.items()}
    square = sum((found[world] - often) ** 2 / often for world, often in expected.items())
    freedom = len(expected) - 1
    assert square <= freedom + 5 * (2 * freedom) ** 0.5 + 1e-9
    return freedom > 0


# At the table


@pytest.mark.parametrize(("card", "plays"), [("thorns", ["move:SS"]), ("shield", ["move:SS", "play:thorns"])])
def test_who_is_asked_for_a_card_holds_it_in_every_world_that_others_imagine(card: str, plays: list[str]) -> None:
    text = "rassik:\ngrinder:\nslaugg:\nhand 0: shield gust\nhand 1: thorns wings\nhand 2: mimic\n"
    turn = "face: yellow\naction: yellow\nask: turn\npool: red\n"
    table = Table(plain(A1="Ra", A3="Gr", E11="Sl") + text + turn).play(*plays)
    name, holder = {"thorns": ("grinder", 1), "shield": ("rassik", 0)}[card]
    assert table.asked == (card, name)
    for seat in {0, 1, 2} - {holder}:
        worlds = imagined(table.state, seat, 50)
        assert (worlds[:, CARDS.index(card)] == holder).all()
        assert len(np.unique(worlds, axis=0)) > 1


def test_who_holds_cards_over_a_renewal_of_the_deck_is_known_to_hold_them_still() -> None:
    """All but five cards lie on the discard pile when Rassik draws: the four others are where they were."""
    rest = " ".join(name for name in CARDS if name not in ("wings", "gust", "mimic", "shield"))
    lines = f"rassik:\ngrinder:\nhand 0: wings\nhand 1: gust mimic\naside: shield\ndiscard: {rest}\n"
    turn = "face: yellow\naction: yellow\nask: turn\npool: red\n"
    table = Table(plain(C1="Ra", C3="*", E11="Gr") + lines + turn).play("move:SS", rolls=[0])
    assert sorted(table.hand(0)) == ["surprise_trap", "wings"]
    lots = {name: int(lot) for name, lot in zip(CARDS, table.state.lots, strict=True)}
    assert {name for name, lot in lots.items() if lot} == {"wings", "gust", "mimic"}
    for cards in imagined(table.state, 0, 50):
        assert {CARDS[card] for card in np.flatnonzero(cards == 1)} == {"gust", "mimic"}
    hands = {
        tuple(sorted(CARDS[card] for card in np.flatnonzero(cards == 0))) for cards in imagined(table.state, 1, 50)
    }
    assert all("wings" in hand for hand in hands)
    assert len(hands) > 5
