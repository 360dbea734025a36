"""Section 11 of the rules: what is public, everybody sees; and what a question gives away."""

from __future__ import annotations

import numpy as np
import pytest

from tests.titan_race.table import Table, plain
from titan_env.aec import make
from titan_env.batch import Batch
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.state import DECK, Card
from titan_env.worlds import Worlds

OUT = "life=0 condition=knocked_out"
BOARD = plain(A1="Gr", C5="Ra", E7="Sl")
USUAL = {"grinder": "", "rassik": "", "slaugg": "", "pool": "red red", "hand 2": "wings"}


def seen(text: str, seat: int) -> dict[str, np.ndarray]:
    """What one seat sees of a position, by the names of the fields."""
    table = Table(text)
    batch = Batch(GAME, 1, templates=table.states)
    batch.states[:] = table.states
    return GAME.fields.named(batch.observe(np.array([seat], np.int8))[0])


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
    worlds = Worlds(GAME, table.states, np.random.default_rng(0)).imagine(4000, np.random.default_rng(1))
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
