"""Everybody sees what is public; a question gives away no more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.titan_race.table import Table, plain
from titan_env.engine.batch import Batch
from titan_env.envs.aec import make
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.actions import ACTIONS, CARDS
from titan_env.games.titan_race.rules.state import DECK, MOST_TITANS, Card, Titan
from titan_env.play.determinization import Determinizations

OUT = "life=0 condition=knocked_out"
BOARD = plain(A1="Gr", C5="Ra", E7="Sl")
USUAL = {"grinder": "", "rassik": "", "slaugg": "", "pool": "red red", "hand 2": "wings"}


def seen(text: str, seat: int) -> dict[str, np.ndarray]:
    """What one seat sees of a position, by the names of the fields."""
    table = Table(text)
    batch = Batch(GAME, 1, templates=table.states)
    batch.states[:] = table.states
    return GAME.rules.fields.split(batch.observe(np.array([seat], np.int8))[0])


def position(board: str = BOARD, **changes: str) -> str:
    lines = USUAL | {name.replace("_", " "): value for name, value in changes.items()}
    return board + "".join(f"{name}: {value}\n" for name, value in lines.items())


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"slaugg": "life=2"}, "titan_life"),
        ({"slaugg": "lap=2"}, "titan_to_go"),
        ({"slaugg": OUT}, "titan_fit"),
        ({"slaugg": "life=0 condition=recovering"}, "titan_recovering"),
        ({"slaugg": "barred=1"}, "titan_barred"),
        ({"pool": "red green"}, "pool"),
        ({"hand_2": "wings gust"}, "titan_hand"),
        ({"discard": "thorns"}, "discard_pile"),
        ({"supply": "3"}, "supply"),
        ({"board": plain(A1="Gr", C5="Ra", E7="Sl", B4="x")}, "board_trap"),
        ({"board": plain(A1="Gr", C5="Ra", E9="Sl")}, "board_titan"),
        ({"board": plain(A1="Gr", C5="Ra", E7="Sl", B4="~")}, "board_lava"),
    ],
)
def test_what_is_public_is_seen_by_every_seat(change: dict[str, str], field: str) -> None:
    for seat in range(3):
        assert not np.array_equal(seen(position(), seat)[field], seen(position(**change), seat)[field])


def test_of_another_hand_only_the_number_of_cards_is_seen() -> None:
    for seat, equal in ((0, True), (1, True), (2, False)):
        before, after = seen(position(), seat), seen(position(hand_2="gust"), seat)
        assert all(np.array_equal(before[name], after[name]) for name in before) == equal


def test_whoever_imagines_the_hidden_cards_deals_each_of_them_as_often_to_each_hidden_place() -> None:
    table = Table(position(hand_0="gust", hand_1="thorns shield", discard="hourglass"))
    worlds = Determinizations(GAME, table.states, np.random.default_rng(0)).imagine(4000, np.random.default_rng(1))
    cards = worlds.states.cards
    known = [Card.GUST, Card.HOURGLASS]
    assert (cards[:, known] == table.state.cards[known]).all()
    hidden = np.delete(cards, known, axis=1)
    for where, size in ((1, 2), (2, 1), (DECK, hidden.shape[1] - 3)):
        assert ((hidden == where).sum(axis=1) == size).all()
        assert (hidden == where).mean(axis=0) == pytest.approx(size / hidden.shape[1], abs=0.04)


def test_the_mask_of_everybody_but_the_seat_that_is_asked_is_all_zero() -> None:
    env = make(game=GAME, titans=3)
    env.reset(seed=1)
    for agent in env.agents:
        assert env.observe(agent)["action_mask"].any() == (agent == env.agent_selection)


# What is asked in silence


SHIELDED = plain(A1="Gr", A3="Ra", E7="Sl") + (
    "grinder:\nrassik:\nslaugg:\nface: yellow\naction: yellow\nask: turn\npool: red\nhand 1: shield\n"
)


def test_that_a_reaction_is_asked_and_declined_is_known_to_its_owner_alone() -> None:
    table = Table(SHIELDED).play("move:SS")
    assert table.asked == ("shield", "rassik")
    heard = [GAME.text.describe_action_for(table.state, ACTIONS.read("pass"), seat) for seat in (-1, 0, 1, 2)]  # type: ignore[misc]
    assert heard == [None, None, "Rassik plays no card", None]
    assert GAME.text.describe_action_for is not None
    assert GAME.text.describe_action_for(table.state, ACTIONS.read("play:shield"), 0) == "Rassik plays: shield"
    assert GAME.text.position_text_for is not None
    for seat in (0, 2):
        names = {line.partition(":")[0] for line in GAME.text.position_text_for(table.state, seat).splitlines()}
        assert not names & {"ask", "asked", "seat", "due"}
    assert "ask: shield" in GAME.text.position_text_for(table.state, 1)


def test_of_a_question_only_who_is_asked_is_told_in_its_observation() -> None:
    for table in (Table(SHIELDED), Table(SHIELDED).play("move:SS")):
        batch = Batch(GAME, 1, templates=table.states)
        batch.states[:] = table.states
        asked = [GAME.rules.fields.split(batch.observe(np.array([seat], np.int8))[0])["ask"].sum() for seat in range(3)]
        assert asked == [seat == table.state.seat for seat in range(3)]


def test_no_event_tells_of_a_reaction_that_was_asked_for_and_declined() -> None:
    """The same move with the shield declined, and with another card in its place."""
    declined, unasked = Table(SHIELDED), Table(SHIELDED.replace("shield", "gust"))
    declined.play("move:SS", "pass", "ability:B", rolls=[0] * 3)
    unasked.play("move:SS", "ability:B", rolls=[0] * 3)
    assert declined.history == unasked.history


# What everybody remembers, and what the race is made of


def test_what_everybody_has_seen_of_the_hands_is_told() -> None:
    """After a renewal of the deck Slaugg's card is known; of Rassik's two one is out of the new deck."""
    lots = {"wings": 1, "gust": 1, "mimic": 1}
    numbers = " ".join(str(lots.get(card, 0)) for card in CARDS)
    observation = seen(position(hand_0="gust", hand_1="mimic thorns", hand_2="wings", lots=numbers, aside="shield"), 0)
    assert {CARDS[card] for card in np.flatnonzero(observation["aside"])} == {"shield"}
    assert {CARDS[card] for card in np.flatnonzero(observation["lot"])} == {"wings", "mimic"}
    for card in ("wings", "mimic"):
        assert (observation["titan_cards"][:3, CARDS.index(card)] * 2).tolist() == [0, 1, 1]
        assert observation["deck_cards"][CARDS.index(card)] == 0
    thorns = CARDS.index("thorns")
    assert (observation["titan_cards"][:3, thorns] * 2).tolist() == [0, 1, 0]
    assert round(13 * observation["deck_cards"][thorns]) == 8
    assert not observation["titan_cards"][:, CARDS.index("gust")].any()


@pytest.mark.thorough
@pytest.mark.parametrize("titans", [2, 4, 6])
def test_of_each_hidden_card_is_told_where_cards_of_its_lot_lie(titans: int) -> None:
    """Counted once more, card by card, in thousands of moments of random races."""
    batch = Batch(GAME, 128, titans=titans, whole=True)
    batch.start()
    for _ in range(30):
        batch.rollout(7, restart=True)
        for seat in range(int(batch.states[0].seats)):
            for state, seen in zip(batch.states, batch.observe(np.full(128, seat, np.int8)), strict=True):
                features = GAME.rules.fields.split(seen)
                lots, in_deck, in_hands = lots_by_hand(state, seat)
                assert features["lot"].tolist() == lots
                assert features["deck_cards"].tolist() == in_deck
                assert features["titan_cards"].tolist() == in_hands


def lots_by_hand(state: Any, seat: int) -> tuple[list[int], list[int], list[list[int]]]:
    """The lot of each card that a seat does not see, and how many cards of it are in the deck and in each hand."""
    cards, all_lots = state.cards.tolist(), state.lots.tolist()
    hidden = [where == DECK or (where >= 0 and where != seat) for where in cards]
    owners = [int(titan.seat) for titan in state.titans[: state.titans_in_race]]
    me = next(who for who in (int(state.asked), int(state.titan), seat) if owners[who] == seat)

    def count(card: int, place: int) -> int:
        """How many hidden cards of the lot of a hidden card lie in one place."""
        mates = (n for n in range(len(CARDS)) if hidden[n] and all_lots[n] == all_lots[card])
        return sum(cards[n] == place for n in mates) if hidden[card] else 0

    lots = [lot * is_hidden for lot, is_hidden in zip(all_lots, hidden, strict=True)]
    hands = np.zeros((MOST_TITANS, len(CARDS)), int)
    for place in range(len(owners)):
        hands[place] = [count(card, owners[(me + place) % len(owners)]) for card in range(len(CARDS))]
    return lots, [count(card, DECK) for card in range(len(CARDS))], hands.tolist()


def test_which_ability_mimic_lends_is_seen_though_the_own_one_has_been_used() -> None:
    text = "grinder:\nragnarok:\nface: yellow\naction: yellow\nask: turn\npool: red\nhand 0: mimic\n"
    table = Table(plain(C5="Gr", D6="Rg") + text).play("ability:B", "play:mimic", "aim:FR", "ability:FR")
    assert table.asked == ("shove", "grinder")
    lent = seen(GAME.text.position_text(table.state), 0)["borrowed"]
    assert np.flatnonzero(lent).tolist() == [Titan.RAGNAROK]
