"""Positions as text, both ways; what is refused; words and reasons for everything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.fantasy_racing.table import Table, board, rolled
from titan_env import Batch
from titan_env.contract import COMPILED
from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.rules.actions import ACTIONS
from titan_env.games.fantasy_racing.rules.definition import PRESETS
from titan_env.games.fantasy_racing.rules.state import Ask

BOARD = board(A1="Hu", C3="=El", E5=".x1", F6="*'")
GAMES = 8 if COMPILED else 1


@pytest.mark.parametrize("preset", PRESETS)
def test_every_position_reads_back_to_the_same_bytes(preset: str) -> None:
    batch = Batch(GAME, GAMES, **PRESETS[preset])
    batch.seed(2)
    batch.start()
    for _ in range(12):
        batch.rollout(17, restart=False)
        for row in range(GAMES):
            state = batch.states[row : row + 1]
            assert GAME.text.parse_position(GAME.text.position_text(state[0])).tobytes() == state.tobytes()


@pytest.mark.parametrize("preset", PRESETS)
def test_everything_is_said_told_and_refused_in_words(preset: str) -> None:
    batch = Batch(GAME, 1, events=True, **PRESETS[preset])
    batch.seed(4)
    batch.start()
    asked = set()
    while not batch.over[0]:
        state, mask = batch.states[0], batch.masks[0]
        asked.add(Ask(int(state.ask)))
        for action in range(int(state.decisions) % 5, len(ACTIONS), 5):
            assert (GAME.text.why_not(state, action) is None) == bool(mask[action])
            if mask[action]:
                assert not GAME.text.describe_action(state, action).endswith(" ")
        batch.step(batch.sample())
        assert all(GAME.text.describe_event(batch.states[0], event) for event in batch.last_events(0))
    assert Ask.TURN in asked
    assert GAME.text.why_not(batch.states[0], 0) == "The race is over."
    assert GAME.metadata.statistics is not None
    assert GAME.metadata.statistics(batch.states[0])["character"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOARD.replace("7 | . . .", "7 | . ."), "line 8: expected seven squares, got 6"),
        (BOARD.replace("7 | ", "8 | "), "line 8: expected row 7 before the bar, got '8'"),
        ("\n".join(BOARD.splitlines()[:-1]), "expected 18 rows of the board; row 18 is missing"),
        (BOARD.replace(".x1", ".y1"), "line 6: expected El, .* got '.y1'"),
        (BOARD.replace(".x1", ".x7"), "line 6: expected the seat of the trap's owner behind x"),
        (BOARD.replace(".x1", ".Hu"), "expected El, Hu1, Hu2 once each on the board, got Hu"),
        (BOARD.replace("=El", "="), "expected 2 to 6 racers, got 1"),
        (BOARD + "human: lap=3", "line 20: expected one of .*got 'lap'"),
        (BOARD + "human: laps=many", "line 20: .*many"),
        (BOARD + "human: rules=flying", "line 20: .*flying"),
        (BOARD + "human: clover=1 clover=2", "line 20: expected one clover of human, got another"),
        (BOARD + "weather: fine", "line 20: expected one of elf, .*got 'weather'"),
        (BOARD + "ask: why", "line 20: ask: expected one of .*got 'why'"),
        (BOARD + "dice: 1 2", "line 20: expected 3 numbers for dice, got 2"),
        (BOARD + "turn: 0\nturn: 1", "line 21: expected one line of 'turn', got another"),
        (BOARD + "due: walk 1", "line 20: expected at most 32 effects with four numbers each"),
        (BOARD + "nonsense", "line 20: expected a row of the board or `name: value`"),
    ],
)
def test_what_is_no_position_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.text.parse_position(text)


def test_two_humans_are_told_apart_by_their_seats() -> None:
    state = GAME.text.parse_position(board(A5="Hu0", B5="Hu1") + "human: points=2\nhuman: points=5\n")[0]
    assert state.scores[:2].tolist() == [2, 5]
    assert state.racers["square"][:2].tolist() == [28, 29]
    assert ".Hu0" in GAME.text.position_text(state)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("human:\nrules: 1\n", "expected one of elf"),
        ("human: rules=fast\nelf:\nturn: 1\n", "to be asked, whose turn it is"),
        ("human: rules=fast laps=2\nelf:\n", "laps -100 to 0, got 2"),
        ("human: rules=fast coin=10\nelf:\n", "objects 0 to 9, got 10"),
        ("human: rules=fast,theft\nelf:\n", "special rules of its character"),
        ("human: rules=fast\nelf: protected=1\n", "not to be protected"),
        ("human: rules=fast\nelf:\nrounds_begun: 11\n", "expected a round from 1 to 10, got 11"),
        ("human: rules=fast\nelf:\nphase: skid\n", "expected the phase action while turn is asked"),
        ("human: rules=fast\nelf:\nask: shift\n", "in the middle of a movement"),
        ("human: rules=fast\nelf:\n" + rolled(0, 3), "expected the movement roll"),
        ("human: rules=fast\nelf:\ndice: 1 0 0\n", "expected no dice"),
        ("human: rules=fast\nelf:\norder: 0 0 0 0 0 0\n", "every racer once in the order"),
        ("human: rules=fast\nelf:\nover: terminated\n", "still running"),
    ],
)
def test_what_could_not_safely_be_played_on_is_refused(lines: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.text.validate_position(GAME.text.parse_position(board(A5="Hu", C5="El") + lines)[0])


def test_a_board_that_no_circuit_may_have_is_refused() -> None:
    lines = "human: rules=fast\nelf:\n"
    GAME.text.validate_position(GAME.text.parse_position(board(A5="Hu", C5="El", D9="^") + lines)[0])
    with pytest.raises(ValueError, match=r"row 9: .*above the rock D9"):
        GAME.text.validate_position(GAME.text.parse_position(board(A5="Hu", C5="El", D9="^", C8="=") + lines)[0])
    with pytest.raises(ValueError, match="plain square under the trap on D9"):
        GAME.text.validate_position(GAME.text.parse_position(board(A5="Hu", C5="El", D9="^x0") + lines)[0])


def test_racers_and_traps_are_put_elsewhere_by_hand() -> None:
    assert GAME.presentation.edit_position is not None
    state: Any = Table("human:\nelf:\n", A5="Hu", C5="El", D5=".x0", E5="O").state
    GAME.presentation.edit_position(state, "piece:1", "square:40")
    assert state.racers[1].square == 40
    GAME.presentation.edit_position(state, "trap:31", "square:33")
    assert np.flatnonzero(state.traps).tolist() == [33]
    GAME.presentation.edit_position(state, "trap:33", "")
    assert not state.traps.any()
    for what, where in (("piece:1", ""), ("piece:7", "square:3"), ("trap:5", "square:3"), ("die:1", "square:1")):
        with pytest.raises(ValueError, match="expected"):
            GAME.presentation.edit_position(state, what, where)
