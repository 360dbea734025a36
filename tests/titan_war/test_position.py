"""Positions as text, both ways; what may be played on from; legions put elsewhere by hand."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from tests.titan_war.random_play import moments, until
from titan_env.contract import COMPILED
from titan_env.games.titan_battle.rules.state import Character
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.rules.definition import PRESETS
from titan_env.games.titan_war.rules.lands import land_number
from titan_env.games.titan_war.rules.state import Ask
from titan_env.games.titan_war.words.legions import names_of, seen_legion

GAMES = 2 if COMPILED else 1
MOST = 2000 if COMPILED else 60
TEXT = GAME.text
SHORT = """
seats: 2
turns: 8
mover: 0
phase: movement
roll: 3
towers: 1 4 0 0 0 0
had_turn: 1 1 0 0 0 0
legion 0 41: titan, ogre 2, lion / age 1
legion 1 5: angel, centaur 2 / age 2
legion 12 22: titan, troll 2 / age 3 / record titan 0-1, troll 1-2, angel 0-1
legion 13 117: angel, ranger / age 4
ask: move
"""


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PRESETS)
def test_every_position_reads_back_to_the_same_bytes(preset: str) -> None:
    for seed in range(GAMES):
        for moment in moments(seed, MOST, **PRESETS[preset]):
            if moment.state.decisions % 6 == seed % 6:
                back = TEXT.parse_position(TEXT.position_text(moment.state))
                assert back.tobytes() == moment.state.tobytes()


def test_a_short_text_is_a_whole_position() -> None:
    state = TEXT.parse_position(SHORT)[0]
    TEXT.validate_position(state)
    assert state.legions[0].holds.tolist() == state.legions[0].at_most.tolist()
    assert state.legions[12].at_most[1] == 1
    assert state.seats_at[land_number(22)] == 2
    assert GAME.rules.actions.numbers["pick:41"] in np.flatnonzero(GAME.rules.mask(state))


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("legion 0 43: titan", "line 9: expected the number of a land, got '43'"),
        ("legion 0 41: dragoon / age 1", "line 9: expected one of titan, angel,"),
        ("legion 99 41: titan", "line 9: expected a marker from 0 to 71 or none, got '99'"),
        ("legion 41: titan", "line 9: expected a marker and a land, got '41'"),
        ("legion 0 41: titan / old", "line 9: expected one of age, moved, entry, got 'old'"),
        ("mood: good", "line 9: expected one of seats, .*legion MARKER LAND, markers SEAT,"),
        ("turns: 4", "line 9: expected one line of 'turns', got another"),
        ("scores: 1 2", "line 9: expected 6 numbers for scores, got 2"),
        ("markers 7: 3", "line 9: expected a seat or none, got '7'"),
        ("nonsense", "line 9: expected `name: value`, got 'nonsense'"),
    ],
)
def test_a_wrong_line_is_named(line: str, wrong: str) -> None:
    lines = SHORT.splitlines()
    with pytest.raises(ValueError, match=wrong.replace("(", r"\(")):
        TEXT.parse_position("\n".join([*lines[:8], line, *lines[9:]]))


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("titan, ogre 2", "ogre 2", "expected one titan of player 1"),
        ("/ age 2", "/ age 1", "expected the ages of the legions to be 1 to 4"),
        ("22: titan, troll 2", "22: titan, troll 9", "expected legion 12: height 0 to 7, got 10"),
        ("phase: movement", "phase: enlistment", "expected a question of the phase, got move"),
        ("roll: 3", "roll: 0", "expected a roll"),
        ("roll: 3", "roll: 7", "expected roll 0 to 6, got 7"),
        ("ask: move", "ask: go_land", "expected picked to be a legion on the board"),
        ("troll 1-2", "troll 3-4", "expected a record that fits what it holds"),
    ],
)
def test_what_cannot_be_played_on_from_is_refused(old: str, new: str, wrong: str) -> None:
    text = SHORT.replace(old, new)
    assert text != SHORT
    with pytest.raises(ValueError, match=wrong):
        TEXT.validate_position(TEXT.parse_position(text)[0])


def complaint(state: object) -> str:
    """Why a position cannot be played on from; nothing where it can."""
    try:
        TEXT.validate_position(state)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.thorough
def test_nearly_every_moment_of_a_war_can_be_played_on_from() -> None:
    war = islice(moments(1, MOST, players=3), 0, None, 3)
    complaints = [complaint(moment.state) for moment in war if not moment.state.over]
    assert {words for words in complaints if "dice" not in words and "answer beside no" not in words} == {""}
    assert complaints.count("") > 0.95 * len(complaints)


def test_a_legion_is_put_on_a_free_land_and_nowhere_else() -> None:
    edit = GAME.presentation.edit_position
    assert edit is not None
    state = TEXT.parse_position(SHORT)[0]
    edit(state, "marker:0", f"land:{land_number(100)}")
    assert state.legions[0].land == land_number(100)
    assert state.seats_at[land_number(41)] == 0
    TEXT.validate_position(state)
    for what, where in (("marker:3", "land:3"), ("land:3", "land:4"), ("marker:0", ""), ("marker:0", "land:96")):
        with pytest.raises(ValueError, match="expected"):
            edit(state, what, where)
    with pytest.raises(ValueError, match="expected a free land, but somebody stands on 22"):
        edit(state, "marker:0", f"land:{land_number(22)}")


def test_no_legion_is_put_elsewhere_in_an_engagement() -> None:
    edit = GAME.presentation.edit_position
    assert edit is not None
    state = until(Ask.DEFEND).state.copy()
    with pytest.raises(ValueError, match="expected no engagement"):
        edit(state, f"marker:{int(state.attacker)}", "land:5")


def test_characters_come_from_the_box_go_between_legions_and_back() -> None:
    edit, tray = GAME.presentation.edit_position, GAME.presentation.tray
    assert edit is not None
    assert tray is not None
    state = TEXT.parse_position(SHORT)[0]
    before, left = state.copy(), {piece.key: piece.left for piece in tray(state)}
    edit(state, "box:troll", "row:13")
    assert names_of(seen_legion(state, 13, None).known) == "angel, ranger, troll"
    assert {piece.key: piece.left for piece in tray(state)} == {**left, "box:troll": left["box:troll"] - 1}
    TEXT.validate_position(state)
    edit(state, "held:13:2", "")
    assert state.tobytes() == before.tobytes()
    edit(state, "held:0:0", "marker:1")
    assert state.legions["holds"][[0, 1], Character.TITAN].tolist() == [0, 1]
    TEXT.validate_position(state)
    kept = state.copy()
    refused = (
        ("box:titan", "row:0", "no titan is left"),
        ("box:ogre", "land:5", "expected a legion to put it in"),
        ("box:ogre", "", "expected a legion to put it in"),
        ("held:1:0", "row:13", "expected one titan"),
        ("held:1:0", "", "expected one titan"),
        ("held:0:7", "", "expected a character of a legion"),
    )
    for what, where, why in refused:
        with pytest.raises(ValueError, match=why):
            edit(state, what, where)
    assert state.tobytes() == kept.tobytes(), "a refused call has changed nothing"
    for _time in range(2):
        edit(state, "held:0:0", "")
    with pytest.raises(ValueError, match="this one is the last"):
        edit(state, "held:0:0", "")
    for _time in range(6):
        edit(state, "box:ogre", "row:0")
    with pytest.raises(ValueError, match="expected a legion of fewer than 7 characters"):
        edit(state, "box:ogre", "row:0")


def test_the_tray_is_empty_while_legions_cannot_be_changed() -> None:
    tray = GAME.presentation.tray
    assert tray is not None
    assert tray(until(Ask.DEFEND).state) == []
