"""Positions as text, both ways; and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.titan_race.table import plain
from titan_env.engine.batch import Batch
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.circuits import circuit_drawing, parse_circuit, space_name, space_number
from titan_env.games.titan_race.rules.definition import PRESETS

BOARD = plain(A1="Gr", C3="~Ra", E5="x", F6="*")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_position_reads_back_to_the_same_bytes(preset: str) -> None:
    batch = Batch(GAME, 12, **PRESETS[preset])
    batch.seed(2)
    batch.start()
    for _ in range(12):
        batch.rollout(13, restart=False)
        for row in range(12):
            state = batch.states[row : row + 1]
            assert GAME.text.parse_position(GAME.text.position_text(state[0])).tobytes() == state.tobytes()


def test_what_a_drawing_leaves_out_is_as_usual() -> None:
    state = GAME.text.parse_position(BOARD)[0]
    assert state.titans_in_race == 2
    assert state.titans["life"][:2].tolist() == [4, 4]
    assert state.supply == 14
    assert (state.cards == -1).all()


def test_titans_play_in_the_order_of_their_lines() -> None:
    assert GAME.text.parse_position(BOARD + "rassik:\ngrinder:")[0].titans["kind"][:2].tolist() == [0, 3]
    assert GAME.text.parse_position(BOARD + "grinder:\nrassik:")[0].titans["kind"][:2].tolist() == [3, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOARD.replace("7 . . .", "7 . ."), "line 6: expected three spaces, got 2"),
        (BOARD.replace("7 . . .\n", ""), "expected 12 rows of the board, or 36; row 7 is missing"),
        (BOARD.replace("7 . . .", "8 . . ."), "line 6: expected each row from 1 to 36 once, got row 8"),
        (BOARD.replace(".x", ".y"), "line 8: expected one of .* got '.y'"),
        (BOARD + "rassik: lif=3", "line 13: expected one of .*got 'lif'"),
        (BOARD + "rassik: life=many", "line 13: .*many"),
        (BOARD + "rassik: life=400", "line 13: .*400"),
        (BOARD + "hand 0: joker", "line 13: expected one of .*got 'joker'"),
        (BOARD + "hand 5: wings", "line 13: expected a hand from 0 to 1, got 'hand 5'"),
        (BOARD + "weather: fine", "line 13: expected one of rassik, .*got 'weather'"),
        (BOARD + "pool: pink", "line 13: expected one of yellow, .*got 'pink'"),
        (BOARD + "pool: red none", "line 13: expected one of yellow, .*got 'none'"),
        (BOARD + "pool: -1", "line 13: expected one of yellow, .*got '-1'"),
        (BOARD + "hand 0: none", "line 13: expected one of surprise_trap, .*got 'none'"),
        (BOARD + "hand 0: wings wings", "line 13: expected each card once, got 'wings' again"),
        (BOARD + "hand 0: wings\nhand 1: gust wings", "line 14: expected each card once, got 'wings' again"),
        (BOARD + "hand x: wings", "line 13: expected a hand from 0 to 1, got 'hand x'"),
        (BOARD + "laps: 3\nlaps: 3", "line 14: expected one line of 'laps', got another"),
        (BOARD + "rassik:\nrassik: life=2", "line 14: expected one line of 'rassik', got another"),
        (BOARD + "rassik: life=2 life=3", "line 13: expected one life of rassik, got another"),
        (BOARD + "rassik: life", "line 13: life: expected a number from -128 to 127, got ''"),
        (BOARD + "rassik: life=999", "line 13: life: expected a number from -128 to 127, got '999'"),
        (BOARD + "laps: x", "line 13: laps: expected a number from -128 to 127, got 'x'"),
        (BOARD + "ask: 3", "line 13: ask: expected one of nothing, draft, .*got '3'"),
        (BOARD + "due:", "line 13: expected at most 24 effects with four numbers"),
        (BOARD + "due: step 1 2 3 999", "line 13: expected a number from -128 to 127, got '999'"),
        (BOARD.replace("\n2 . . .", "\n² . . ."), "line 11: expected a row of the board or `name: value`"),
        (BOARD + "due: step 1", "line 13: expected at most 24 effects with four numbers"),
        (BOARD + "won: 1 0", "line 13: expected 6 numbers for won, got 2"),
        (BOARD + "hello", "line 13: expected a row of the board or `name: value`, got 'hello'"),
        (plain(A1="Gr"), "expected 2 to 6 Titans, got 1"),
        (plain(A1="Gr", C1="Gr"), "expected every Titan once"),
    ],
)
def test_a_damaged_position_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.text.parse_position(text)


def test_cards_that_are_out_of_the_race_are_written_and_read_back() -> None:
    state = GAME.text.parse_position(BOARD)[0]
    state.cards[:] = GAME.rules.configure(deck=["shield", "thorns"])[0].cards
    text = GAME.text.position_text(state)
    assert "aside: surprise_trap speed_potion explosion" in text
    assert (GAME.text.parse_position(text)[0].cards == state.cards).all()
    assert "aside" not in GAME.text.position_text(GAME.text.parse_position(BOARD)[0])


LINES = (BOARD + "rassik: lap=2 life=3\ngrinder: face=none\npool: red blue\nhand 0: wings\nlaps: 3").splitlines()
WORDS = st.sampled_from(["none", "-1", "²", "999", "red", "wings", "life=", "=", ":", "x", "hand 0:", "due: step", ""])


@settings(deadline=None)
@given(at=st.integers(0, len(LINES) - 1), word=st.integers(0, 3), new=WORDS, again=st.booleans())
def test_whatever_is_mistyped_is_read_or_refused_in_words(at: int, word: int, new: str, again: bool) -> None:
    words = LINES[at].split(" ")
    words[min(word, len(words) - 1)] = new
    message = "expected"
    try:
        GAME.text.parse_position("\n".join([*LINES[:at], " ".join(words), *LINES[at + (not again) :]]))
    except ValueError as error:
        message = str(error)
    assert "expected" in message


# Circuits


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\n 6 ", "\n 5 ", "here, line 12: expected row 6, got row 5"),
        ("\n 1   .", "\n 1   #", "expected the entry space A1 to be plain"),
        ("#", "?", "expected three symbols"),
        ("\n 2 ", "\n ² ", "here, line 17: expected row 2, got row 1"),
    ],
)
def test_a_circuit_that_cannot_be_raced_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    drawing = circuit_drawing("estenguard")
    assert old in drawing
    with pytest.raises(ValueError, match=message):
        parse_circuit(drawing.replace(old, new), "here")


def test_ice_that_closes_on_itself_is_refused() -> None:
    drawing = "\n".join(f"{row} " + (". # ." if row % 2 == 0 else ". . .") for row in range(12, 0, -1))
    with pytest.raises(ValueError, match="closes on itself"):
        parse_circuit(drawing)


def test_every_space_has_a_name_that_reads_back() -> None:
    names = [space_name(space) for space in range(108)]
    assert len(set(names)) == 108
    assert [space_number(name) for name in names] == list(range(108))
    assert names[0] == "A1"
    assert names[35] == "F12"
    assert names[36] == "2:A1"


@pytest.mark.parametrize("name", ["A2", "B1", "G3", "A13", "", "4:A1", "A0", "33"])
def test_a_space_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="expected a space such as C3"):
        space_number(name)


@pytest.mark.thorough
def test_every_action_reads_as_a_sentence_and_every_illegal_one_has_its_reason() -> None:
    batch = Batch(GAME, 60, titans=6)
    batch.seed(4)
    batch.start()
    for _ in range(6):
        batch.rollout(23, restart=False)
        for state, mask in zip(batch.states, batch.masks, strict=True):
            for action in range(len(GAME.rules.actions)):
                reason = GAME.text.why_not(state, action)
                assert (reason is None) == bool(mask[action])
                assert reason is None or (len(reason) > 10 and reason.endswith((".", "!")))
            for action in np.flatnonzero(mask):
                assert GAME.text.describe_action(state, int(action))
