"""Positions made by hand: what is put where, what is refused, and that the game can always go on from there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.titan_race.table import Table, plain
from titan_env.engine.batch import Batch
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.circuits import space_number
from titan_env.games.titan_race.rules.state import NO_FACE, NOWHERE, Ask, Condition
from titan_env.games.titan_race.words.position_editor import edit_position
from titan_env.pictures.render import shapes_of


def board(**spaces: str) -> object:
    """A position on a plain circuit, with dice in the pool; Rassik is Titan 0, Grinder 1."""
    return GAME.text.parse_position(plain(**spaces) + "pool: yellow blue\n")[0]


def key(space: str) -> str:
    """The key of a space."""
    return f"space:{space_number(space)}"


def test_a_titan_is_put_on_another_space_and_gains_its_rows() -> None:
    state = board(A1="Gr", C3="Ra")
    edit_position(state, "piece:1", key("E5"))
    assert state.titans[1].space == space_number("E5")
    assert state.titans[1].progress == 4
    assert state.on[space_number("A1")] == 0
    GAME.text.validate_position(state)


def test_a_titan_beside_the_board_comes_onto_it_by_its_token_and_goes_again() -> None:
    state = board(A1="Gr", C3="Ra")
    edit_position(state, "piece:1", "")
    assert state.titans[1].space == NOWHERE
    edit_position(state, "token:1", key("D4"))
    assert state.titans[1].space == space_number("D4")
    GAME.text.validate_position(state)


def test_traps_come_from_the_supply_lie_elsewhere_and_go_back() -> None:
    state = board(A1="Gr", C3="Ra")
    edit_position(state, "supply", key("E5"))
    assert state.supply == 14
    edit_position(state, f"trap:{space_number('E5')}", key("E7"))
    assert (state.supply, state.on[space_number("E5")]) == (14, 0)
    edit_position(state, f"trap:{space_number('E7')}", "")
    assert state.supply == 15
    edit_position(state, "supply", "")
    assert state.supply == 15
    GAME.text.validate_position(state)


def test_a_titan_put_on_a_trap_sends_it_back_to_the_supply() -> None:
    state = board(A1="Gr", C3="Ra", E5="x")
    edit_position(state, "piece:0", key("E5"))
    assert state.supply == 15
    GAME.text.validate_position(state)


def test_a_click_on_a_life_makes_it_the_last_one_and_another_takes_it() -> None:
    state = board(A1="Gr", C3="Ra")
    edit_position(state, "life:1:2", "life:1:2")
    assert state.titans[1].life == 3
    edit_position(state, "life:1:0", "life:1:0")
    edit_position(state, "life:1:0", "life:1:0")
    assert (state.titans[1].life, state.titans[1].condition) == (0, Condition.KNOCKED_OUT)


@pytest.mark.parametrize(
    ("what", "where", "message"),
    [
        ("piece:1", "space:7", "a Titan stands on C3"),
        ("piece:0", "space:99", "expected a space"),
        ("piece:0", "die:0", "expected a space"),
        ("piece:9", "space:9", "expected a Titan, a trap or a life"),
        ("trap:9", "space:10", "expected a trap on"),
        ("trap:99", "space:10", "expected a Titan, a trap or a life"),
        ("supply", "space:0", "expected an empty space for the trap"),
        ("life:0:99", "", "expected at most 4 lives"),
        ("life:x", "", "expected the life of a Titan"),
        ("", "", "expected a Titan, a trap or a life"),
    ],
)
def test_what_cannot_be_put_there_is_refused_and_nothing_has_changed(what: str, where: str, message: str) -> None:
    state = board(A1="Gr", C3="Ra")
    before = state.tobytes()
    with pytest.raises(ValueError, match=message):
        edit_position(state, what, where)
    assert state.tobytes() == before


def test_a_board_on_which_a_titan_would_slide_for_ever_is_refused() -> None:
    ring = {f"D{row}": "#" for row in range(2, 13, 2)}
    with pytest.raises(ValueError, match="board 1: expected ice that ends, but from D2 it closes on itself"):
        GAME.text.validate_position(board(A1="Gr", E1="Ra", **ring))


@pytest.mark.parametrize("ask", ["enter", "turn"])
def test_a_turn_in_which_no_die_was_taken_is_refused(ask: str) -> None:
    titans = "rassik:\ngrinder:\nask: draft\nfirst_turn: 1\npool: yellow blue\n"
    state = Table(plain(A1="Gr") + titans).play("draft:yellow").state
    assert state.ask == Ask.ENTER
    GAME.text.validate_position(state)
    state.action = NO_FACE
    if ask == "turn":
        state.ask = Ask.TURN
        state.titans[state.titan].space = space_number("C1")
        state.on[space_number("C1")] = state.titan + 1
    with pytest.raises(ValueError, match="expected the die that was taken"):
        GAME.text.validate_position(state)


@settings(deadline=None)  # the first example loads the compiled rules
@given(seed=st.integers(0, 2**32), decisions=st.integers(0, 80), moves=st.integers(1, 8))
def test_whatever_is_put_wherever_the_game_goes_on_or_the_position_is_refused(
    seed: int, decisions: int, moves: int
) -> None:
    batch = Batch(GAME, 1, titans=4)
    batch.seed([seed])
    batch.start()
    batch.rollout(decisions, restart=False)
    state, rng = batch.states[0], np.random.default_rng(seed)
    keys = [shape.key for shape in shapes_of(GAME, state) if shape.key]
    for _ in range(moves):
        before = state.copy()
        try:
            edit_position(state, str(rng.choice(keys)), str(rng.choice([*keys, ""])))
            GAME.text.validate_position(state)
        except ValueError:
            batch.states[0] = before
            return
    batch.refresh()
    batch.rollout(200, restart=False)
