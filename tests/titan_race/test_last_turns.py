"""The last turns of a race of two, once with hidden and once with open hands: what is solved, and who knows what."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from titan_env.contract import Game
from titan_env.evaluation.reports.exploitability import small_game
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.state import Card
from titan_env.games.titan_race.solver.last_turns import HIDDEN_HANDS, OPEN_HANDS
from titan_env.play.outcomes import chance_outcomes, first_positions
from titan_env.play.sequence_form import SmallGame

pytestmark = pytest.mark.compiled

TWINS = pytest.mark.parametrize("twin", [HIDDEN_HANDS, OPEN_HANDS], ids=["hidden", "open"])
DEALT = (Card.SHIELD, Card.SPEED_POTION, Card.HEALING_POTION)


def deals(game: Game) -> Any:
    """Return the six positions in which a game begins."""
    odds, states = first_positions(game, game.rules.configure())
    assert odds == pytest.approx([1 / 6] * 6)
    return states


def seen(game: Game, state: Any, seat: int) -> bytes:
    """Return what a seat observes."""
    vector = np.zeros(game.rules.fields.size, np.float32)
    game.rules.observe(state, seat, vector)
    return vector.tobytes()


@TWINS
def test_each_player_is_dealt_another_one_of_three_cards_in_a_position_that_can_be_played(twin: Game) -> None:
    hands = {tuple(int(np.flatnonzero(state.cards == seat)[0]) for seat in (0, 1)) for state in deals(twin)}
    assert hands == {(one, other) for one in DEALT for other in DEALT if one != other}
    for state in deals(twin):
        GAME.text.validate_position(state)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_tells_all_deals_apart_with_open_hands_and_with_hidden_ones_only_its_own_card(seat: int) -> None:
    assert len({seen(HIDDEN_HANDS, state, seat) for state in deals(HIDDEN_HANDS)}) == 3
    assert len({seen(OPEN_HANDS, state, seat) for state in deals(OPEN_HANDS)}) == 6


@cache
def worth(data: bytes) -> float:
    """Return what a position is worth to the first seat if nothing is hidden, by going back from the end."""
    state = np.frombuffer(data, GAME.rules.state).view(np.recarray)[0]
    if state.over:
        return float(state.won[0]) - float(state.won[1])
    ways = [
        sum(chance * worth(after.tobytes()) for chance, after in chance_outcomes(GAME, state, action))
        for action in np.flatnonzero(GAME.rules.mask(state)).tolist()
    ]
    return max(ways) if state.seat == 0 else min(ways)


def value_if_seen(shown: int) -> float:
    """Return the value of the game in which everybody sees the card of one seat."""
    states = deals(HIDDEN_HANDS)
    for card in DEALT:
        states.lots[:, card] = states.cards[:, card] == shown
    return SmallGame(GAME, states, [1 / 6] * 6).solution[0]


@pytest.mark.thorough
def test_the_open_game_is_worth_what_going_back_from_its_end_finds() -> None:
    worths = [worth(state.tobytes()) for state in deals(OPEN_HANDS)]
    assert worths == [0] * 6, "who sees the other card answers it in time"
    assert small_game(OPEN_HANDS).solution[0] == pytest.approx(0, abs=1e-6)


@pytest.mark.thorough
def test_the_hidden_game_is_worth_a_sixth_of_a_win_and_no_more_to_who_is_seen_through() -> None:
    hidden = small_game(HIDDEN_HANDS)
    assert hidden.positions == 15_233
    assert hidden.solution[0] == pytest.approx(1 / 6, abs=1e-6)
    assert value_if_seen(1) >= 1 / 6 - 1e-6
    assert value_if_seen(0) <= 1 / 6 + 1e-6
    assert value_if_seen(1) > value_if_seen(0) + 1e-6, "what one knows is worth something"
