"""Positions as text, both ways; what is refused; what may be played on from; putting things elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from tests.titan_battle.table import Table
from titan_env import Batch
from titan_env.contract import COMPILED
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.rules.actions import END
from titan_env.games.titan_battle.rules.definition import PRESETS
from titan_env.games.titan_battle.rules.hexes import hex_number
from titan_env.games.titan_battle.rules.state import Ask

GAMES = 6 if COMPILED else 1
SHORT = "attacker: ogre C3, titan D1\ndefender: lion C4 hits=3, centaur C2\n"
STRIKES = SHORT + "phase: strike\n"
MAP = GAME.text.position_text(GAME.text.parse_position(SHORT)[0])


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PRESETS)
def test_every_position_reads_back_to_the_same_bytes(preset: str) -> None:
    rng = np.random.default_rng(3)
    for seed in range(GAMES):
        batch = Batch(GAME, 1, **PRESETS[preset])
        batch.seed(seed)
        batch.start()
        while True:
            state = batch.states[:1]
            if state["decisions"][0] % 3 == seed % 3:
                assert GAME.text.parse_position(GAME.text.position_text(state[0])).tobytes() == state.tobytes()
            if batch.over[0]:
                break
            mask = batch.masks[0]
            mask[END] &= mask.sum() == 1  # else nobody would come on
            batch.step(np.array([rng.choice(np.flatnonzero(mask))]))


def test_a_battle_that_a_limit_has_cut_short_reads_back() -> None:
    batch = Batch(GAME, 1, limit=3, attacker_seat=1)
    batch.seed(1)
    batch.start()
    batch.rollout(3, restart=False)
    assert GAME.text.parse_position(GAME.text.position_text(batch.states[0])).tobytes() == batch.states[:1].tobytes()


@pytest.mark.parametrize(
    ("played", "asked"),
    [
        (["pick:C3"], "target"),
        (["pick:C3", "hit:C4"], "handicap"),
        (["pick:C3", "hit:C4", "carry:C2"], "carry"),
    ],
)
def test_a_half_done_strike_reads_back(played: list[str], asked: str) -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2").play(*played, hits=[4] * (len(played) == 3))
    assert table.asked == (asked, "attacker")
    assert GAME.text.parse_position(GAME.text.position_text(table.state)).tobytes() == table.states.tobytes()


def test_the_map_shows_attackers_in_capital_letters_and_hits_behind_them() -> None:
    lines = MAP.splitlines()
    for name, token in (("C3", "OG"), ("D1", "TI"), ("C4", "li3"), ("C2", "ce")):
        (number, column) = next(
            (number, line.index(f"| {name} ")) for number, line in enumerate(lines) if f"| {name} " in line
        )
        assert lines[number + 1][column : column + 14] == f"|  {token:11}"


def test_the_slain_are_drawn_with_a_cross() -> None:
    state = GAME.text.parse_position("phase: strike\nattacker: ogre C3 hits=6 slain\ndefender: lion C4\n")[0]
    assert "OGx " in GAME.text.position_text(state)


def test_the_map_may_be_left_out() -> None:
    lines = [line for line in MAP.splitlines() if line[:1] not in " +|"]
    assert (
        GAME.text.parse_position("\n".join(lines)).tobytes()
        == GAME.text.parse_position(MAP).tobytes()
        == GAME.text.parse_position(SHORT).tobytes()
    )


def test_a_position_that_says_little_is_the_attackers_in_round_2_on_the_plains() -> None:
    state = GAME.text.parse_position(SHORT)[0]
    assert (state.ask, state.seat, state.battle.rounds_begun, state.battle.land) == (Ask.MANEUVER, 0, 2, 0)
    assert Ask(int(GAME.text.parse_position(STRIKES)[0].ask)) == Ask.STRIKE


def test_whoever_is_in_contact_when_maneuvers_begin_may_not_move_though_the_text_does_not_say_so() -> None:
    state = GAME.text.parse_position("attacker: ogre C3, titan D1\ndefender: lion C4\n")[0]
    assert state.battle.fighters["locked"].tolist() == [1] + [0] * 15
    state = GAME.text.parse_position("attacker: ogre C3 moved, titan D1\ndefender: lion C4\n")[0]
    assert not state.battle.fighters["locked"].any(), "it has come there in these maneuvers"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SHORT + "nonsense", "line 3: expected a line of the map or `name: value`, got 'nonsense'"),
        (SHORT + "weather: fine", "line 3: expected one of land, .*attacker, .*got 'weather'"),
        (SHORT + "land: moon", "line 3: land: expected one of plains, .*got 'moon'"),
        (SHORT + "entry: X", "line 3: entry: expected one of R, B, L, got 'X'"),
        (SHORT + "ask: why", "line 3: ask: expected one of .*got 'why'"),
        (SHORT + "land: plains\nland: hills", "line 4: expected one line of 'land', got another"),
        (SHORT + "won: 1 0", "line 3: expected 6 numbers for won, got 2"),
        (SHORT + "supply: ogre,elf", "line 3: supply: expected characters out of .*got 'ogre,elf'"),
        (SHORT + "attacker_seat: 2", "line 3: expected seat 0 or 1, got '2'"),
        (SHORT + "picked: E5", "line 3: expected a character on the map or outside, got 'E5'"),
        (SHORT + "picked: lion", "line 3: expected a character on the map or outside, got 'lion'"),
        (SHORT + "target: Z9", "line 3: expected a hex from A1 to F4, got 'Z9'"),
        ("titan_race_v3\n" + SHORT, "line 1: expected a position of titan_battle_v0, got one of titan_race_v3"),
        ("a" * 9999, "line 1: expected a line of the map or `name: value`, got 'a{120}'$"),
        ("attacker: ogre C3\n", "expected a line of the defender with its characters"),
        ("attacker: elf C3\n", "line 1: expected one of titan, .*got 'elf'"),
        ("attacker: ogre\n", "line 1: expected a character and its hex, outside or gone, got 'ogre'"),
        ("attacker: ogre C9\n", "line 1: expected a hex from A1 to F4, outside or gone, got 'C9'"),
        ("attacker: ogre C3 tired\n", "line 1: expected one of hits=, power=, moved, .*got 'tired'"),
        ("attacker: ogre C3 hits=many\n", "line 1: hits: expected a number from -128 to 127, got 'many'"),
        ("attacker: ogre C3, lion C3\n", "line 1: expected one character on C3, got another"),
        ("attacker: " + ", ".join(["ogre outside"] * 8), "line 1: expected at most 7 characters and an arrival"),
        ("attacker: ogre outside arrival, lion outside arrival", "line 1: expected one arrival of a side"),
        (MAP.replace("OG ", "LI "), "line 20: expected 'OG' as the lines of land and sides say, got 'LI'"),
        (MAP.replace("li3", "li2"), "line 16: expected 'li3' as the lines of land and sides say, got 'li2'"),
        (MAP.replace("land: plains", "land: hills"), "line 9: expected 'D6 1        [+]-.* got 'D6          [+]-"),
        (MAP.replace("| C3 ", "+ C3 "), "line 19: expected '.*[|] C3 .* got '.*[+] C3 "),
        (SHORT + "+-------------+\n", "line 3: expected 25 lines of the map, or none, got 1"),
    ],
)
def test_what_is_no_position_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.text.parse_position(text)


@pytest.mark.parametrize(
    "text",
    [
        SHORT.replace("ogre C3", "ogre A3"),
        STRIKES,
        STRIKES + "ask: target\npicked: C3\n",
        SHORT.replace("ogre C3", "ogre outside") + "ask: go\npicked: ogre\n",
        "land: marsh\nhalf: defender\nphase: arrival\nrounds_begun: 4\nmay_reinforce: 1\n"
        + "attacker: ogre C3\ndefender: ogre C4, centaur F1\n",
        "phase: arrival\nwindow: open\nangel_waits: 1\n" + SHORT,
    ],
)
def test_what_can_be_played_on_passes(text: str) -> None:
    GAME.text.validate_position(GAME.text.parse_position(text)[0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SHORT + "over: terminated", "this one is over"),
        (SHORT + "rounds_begun: 8", "rounds_begun 1 to 7, got 8"),
        (SHORT + "clock: 9", "clock 4, got 9"),
        (SHORT + "seat: 1", "expected the seat of the attacker to be asked"),
        (SHORT + "limit: 5\ndecisions: 5", "expected fewer decisions than the limit of 5"),
        (SHORT + "won: 1 0 0 0 0 0", "won 0, got 1"),
        (SHORT + "land: tower\nentry: L", "expected the entry B in a tower"),
        (SHORT + "dice: 6", "once the dice of a strike are named"),
        (SHORT + "ask: carry", "once the dice of a strike are named"),
        (SHORT + "ask: strike", "expected a question of the phase"),
        (STRIKES + "asked: defender\nseat: 1", "expected a question of the phase"),
        (SHORT + "phase: arrival\nask: reinforce", "expected a question of the phase"),
        (SHORT + "ask: go", "expected a picked character"),
        (SHORT + "picked: C3", "expected a picked character"),
        (STRIKES + "ask: target\npicked: C4", "expected a picked character"),
        (STRIKES + "ask: target\npicked: D1", "expected a question with an answer beside no"),
        (SHORT.replace("ogre C3", "ogre C3 locked").replace("D1", "D1 moved"), "an answer beside no"),
        (SHORT.replace("hits=3", "hits=5"), "expected lion C4 to be slain with as many hits as its power"),
        (SHORT.replace("hits=3", "hits=6"), "lion C4: hits 0 to 5, got 6"),
        (SHORT.replace("ogre C3", "ogre C3 power=7"), "ogre C3: power 6, got 7"),
        (SHORT.replace("ogre C3", "ogre C3 struck"), "ogre C3: struck 0, got 1"),
        (SHORT.replace("lion C4 hits=3", "lion C4 moved"), "lion C4: moved 0, got 1"),
        (SHORT.replace("ogre C3", "ogre gone hits=1"), "ogre: hits 0, got 1"),
        (SHORT + "land: woods", "expected .* not to stand on tree"),
        (SHORT.replace("ogre C3", "titan C3"), "expected at most one titan of the attacker"),
        (SHORT.replace("titan D1", "titan gone"), "expected at most one titan of the attacker, and none that is gone"),
        (SHORT.replace("lion C4 hits=3, centaur C2", "lion gone"), "somebody of the defender who still fights"),
        (SHORT.replace("titan D1", "angel D1 arrival"), "expected no arrival of the attacker"),
    ],
)
def test_what_could_not_safely_be_played_on_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.text.validate_position(GAME.text.parse_position(text)[0])


@pytest.mark.thorough
def test_every_question_but_that_for_a_strike_under_way_passes_where_it_is_asked() -> None:
    rng = np.random.default_rng(5)
    for seed in range(GAMES):
        batch = Batch(GAME, 1, land="swamp", growth=9, summon="angel")
        batch.seed(seed)
        batch.start()
        while not batch.over[0]:
            mask = batch.masks[0]
            if batch.states[0].ask not in (Ask.HANDICAP, Ask.CARRY):
                GAME.text.validate_position(batch.states[0])
            mask[END] &= mask.sum() == 1  # else nobody would come on
            batch.step(np.array([rng.choice(np.flatnonzero(mask))]))


def test_characters_are_put_elsewhere_by_hand() -> None:
    assert GAME.presentation.edit_position is not None
    table = Table("plains", "ogre C3, titan D1", "lion E4 3", phase="maneuver").play("pick:C3")
    state = table.state
    GAME.presentation.edit_position(state, "piece:8", f"hex:{hex_number('C4')}")
    assert table.side("defender") == "lion C4 3"
    assert table.asked == ("maneuver", "attacker")
    assert state.battle.fighters[0].locked, "it is in contact now"
    GAME.presentation.edit_position(state, "piece:8", "outside")
    assert table.side("defender") == "lion outside"
    assert not state.battle.fighters[0].locked
    GAME.presentation.edit_position(state, "piece:0", "")
    assert table.side("attacker") == "titan D1"
    for what, where in (("piece:0", "hex:3"), ("piece:1", "hex:27"), ("piece:1", "deck"), ("die:1", "hex:1")):
        with pytest.raises(ValueError, match="expected a"):
            GAME.presentation.edit_position(state, what, where)
    GAME.presentation.edit_position(state, "piece:8", f"hex:{hex_number('C4')}")
    with pytest.raises(ValueError, match="expected a free hex, but somebody stands on D1"):
        GAME.presentation.edit_position(state, "piece:8", f"hex:{hex_number('D1')}")


def test_hits_are_set_by_hand_until_none_is_left_alive() -> None:
    assert GAME.presentation.edit_position is not None
    table = Table("plains", "ogre C3, titan D1", "lion E4 3", phase="maneuver")
    for hits in (4, 0, 1):
        GAME.presentation.edit_position(table.state, "life:8", "life:8")
        assert table.battle.fighters[8].hits == hits
        GAME.text.validate_position(table.state)
    with pytest.raises(ValueError, match="expected a character, got 'life:9'"):
        GAME.presentation.edit_position(table.state, "life:9", "life:9")


def test_who_is_put_where_nobody_can_move_or_strike_any_more_is_asked_for_the_other() -> None:
    edit = GAME.presentation.edit_position
    assert edit is not None
    table = Table("plains", "ogre C3", "lion E4", phase="maneuver")
    edit(table.state, "piece:8", f"hex:{hex_number('C4')}")
    assert table.asked == ("strike", "attacker"), "the ogre is in contact, and nobody else can move"
    GAME.text.validate_position(table.state)
    edit(table.state, "piece:8", f"hex:{hex_number('F4')}")
    assert table.asked == ("maneuver", "attacker"), "nobody is in contact"
    GAME.text.validate_position(table.state)
    table = Table("plains", "ogre C3", "lion C4", phase="strike_back")
    edit(table.state, "piece:8", f"hex:{hex_number('F4')}")
    assert table.asked == ("maneuver", "attacker")
    GAME.text.validate_position(table.state)


def test_a_new_battle_is_set_up_by_hand_and_played_to_its_end() -> None:
    edit = GAME.presentation.edit_position
    assert edit is not None
    batch = Batch(GAME, 1, land="plains", attacker=["ogre", "lion"], defender=["titan", "troll"], attacker_seat=1)
    batch.seed(0)
    batch.start()
    for who, place in ((0, "C3"), (1, "D1"), (8, "C4"), (9, "D5")):
        edit(batch.states[0], f"piece:{who}", f"hex:{hex_number(place)}")
        GAME.text.validate_position(batch.states[0])
    batch.refresh()
    while not batch.over[0]:
        batch.step(batch.sample())
    assert batch.states[0].won.sum() >= 1


def test_characters_come_out_of_the_tray_and_go_back_into_it() -> None:
    edit, tray = GAME.presentation.edit_position, GAME.presentation.tray
    assert edit is not None
    assert tray is not None
    table = Table("plains", "ogre C3, titan D1", "lion E4", phase="maneuver")
    before = table.state.copy()
    edit(table.state, "defender:troll", f"hex:{hex_number('C5')}")
    assert table.side("defender") == "lion E4, troll C5"
    edit(table.state, "attacker:gorgon", "outside")
    assert table.side("attacker") == "ogre C3, titan D1, gorgon outside"
    edit(table.state, "piece:9", "")
    edit(table.state, "piece:2", "")
    assert table.state.tobytes() == before.tobytes()
    left = {piece.key: piece.left for piece in tray(table.state)}
    assert (left["attacker:titan"], left["defender:titan"]) == (0, 1)
    for what, where in (
        ("attacker:titan", "outside"),
        ("attacker:lion", f"hex:{hex_number('C3')}"),
        ("defender:lion", ""),
    ):
        with pytest.raises(ValueError, match="expected a"):
            edit(table.state, what, where)
    assert table.state.tobytes() == before.tobytes(), "a refused call has changed nothing"
    for _time in range(5):
        edit(table.state, "attacker:ogre", "outside")
    with pytest.raises(ValueError, match="expected a free place and lion left for"):
        edit(table.state, "attacker:lion", "outside")
