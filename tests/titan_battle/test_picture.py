"""The picture offers what is legal, can be read on the screens it is made for, and marks what has happened."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

from tests.titan_battle.table import Table
from titan_env.contract.shapes import POINTS, Box, Circle, Label, Line, Polygon, Shape, bounds
from titan_env.engine.batch import Batch
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.picture.battleland import OUTWARD, centre, side_of_hex
from titan_env.games.titan_battle.picture.drawings import FILLS, border
from titan_env.games.titan_battle.picture.picture import picture
from titan_env.games.titan_battle.picture.setup_form import setup_form
from titan_env.games.titan_battle.rules.actions import ACTIONS
from titan_env.games.titan_battle.rules.definition import PRESETS
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES, NEIGHBOURS, OFF_MAP, hex_number
from titan_env.games.titan_battle.rules.lands import BORDERS, ENTRANCES, LAND_NAMES
from titan_env.games.titan_battle.rules.state import HEXES, Border, Entry, Hazard, Side
from titan_env.pictures.contrast import READABLE, contrast
from titan_env.pictures.svg import THEMES, svg

EVERY = 5
"""Of so many decisions one is drawn: each kind of question comes often."""
PHONE = 358
"""Pixels that a telephone leaves to a picture."""


def labels(shapes: list[Shape]) -> list[str]:
    """Every text in a picture."""
    return [shape.text for shape in shapes if isinstance(shape, Label)]


def keyed(shapes: list[Shape], key: str) -> Shape:
    """The shape of a key."""
    return next(shape for shape in shapes if shape.key == key)


def offered(shapes: list[Shape]) -> dict[str, list[str]]:
    """What each thing offers, as texts."""
    return {shape.key: [ACTIONS.texts[action] for action in shape.actions] for shape in shapes if shape.actions}


def latest(table: Table, *texts: str, hits: tuple[int, ...] = ()) -> list[Shape]:
    """The picture after an action, with what it made happen."""
    before = table.states.copy()[0]
    events = len(table.history)
    table.play(*texts, hits=hits)
    return picture(table.state, None, np.array(table.history[events:]).reshape(-1, 4), before)


def new_lines(table: Table, shapes: list[Shape]) -> list[Line]:
    """The lines that the latest step has added to the picture."""
    still = picture(table.state)
    return [shape for shape in shapes if isinstance(shape, Line) and shape not in still]


# Every preset


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PRESETS)
def test_whoever_is_asked_may_click_every_legal_action_and_nobody_else_any(preset: str) -> None:
    batch = Batch(GAME, 1, **PRESETS[preset])
    batch.seed(5)
    batch.start()
    while not batch.over[0]:
        state = batch.states[0]
        if state.decisions % EVERY == 0:
            clicked = {action for shape in picture(state, int(state.seat)) for action in shape.actions}
            assert clicked == set(np.flatnonzero(batch.masks[0]).tolist())
            assert not [shape for shape in picture(state, 1 - int(state.seat)) if shape.actions]
        batch.step(batch.sample())


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("narrow", [False, True])
def test_every_position_is_well_formed_with_unique_keys_and_of_one_size(theme: str, narrow: bool) -> None:
    for options in PRESETS.values():
        batch = Batch(GAME, 1, events=True, **options)
        batch.seed(6)
        batch.start()
        sizes = set()
        while not batch.over[0]:
            before = batch.states.copy()[0]
            batch.step(batch.sample())
            if before.decisions % EVERY:
                continue
            shapes = picture(batch.states[0], None, batch.last_events(0), before, narrow)
            text = svg(shapes, theme=theme)
            keys = re.findall(r'data-key="([^"]+)"', text)
            assert len(keys) == len(set(keys))
            ElementTree.fromstring(text)
            sizes.add(tuple(round(side, 2) for side in bounds(shapes)))
        assert len(sizes) <= 1, (options, sizes)


def test_a_narrow_picture_shows_the_same_things_and_offers_the_same_actions() -> None:
    batch = Batch(GAME, 1, land="jungle")
    batch.seed(1)
    batch.start()
    while not batch.over[0]:
        wide, narrow = picture(batch.states[0]), picture(batch.states[0], narrow=True)
        assert {(shape.key, shape.actions) for shape in wide} == {(shape.key, shape.actions) for shape in narrow}
        batch.step(batch.sample())


# Reading


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("hazard", Hazard)
def test_the_name_of_a_hex_stands_out_from_every_hazard(hazard: Hazard, theme: str) -> None:
    assert contrast(THEMES[theme]["ink"], THEMES[theme][FILLS[hazard]]) >= READABLE


@pytest.mark.parametrize("land", LAND_NAMES)
def test_on_a_telephone_everything_is_large_enough(land: str) -> None:
    table = Table(land, "archangel C3, giant outside", "warlock C4 3, behemoth B2", phase="maneuver", angel_waits=1)
    shapes = picture(table.state, narrow=True)
    left, _, right, _ = bounds(shapes)
    pixels = PHONE / (right - left)
    assert pixels >= 55, "a hex is to be touched"
    for label in (shape for shape in shapes if isinstance(shape, Label)):
        assert label.size / POINTS * pixels >= (7 if label.text in ("archangel", "behemoth") else 7.5), label


@pytest.mark.parametrize("land", LAND_NAMES)
def test_the_sign_of_a_border_lies_in_the_hex_that_it_belongs_to(land: str) -> None:
    number = LAND_NAMES.index(land)
    table = Table(land, "ogre outside", "lion C3", phase="maneuver")
    drawn = [shape for shape in picture(table.state) if any(note.startswith("border:") for note in shape.notes)]
    signs = {(shape.title, shape.notes) for shape in drawn if not shape.key}
    there = {(int(kind), hexagon) for hexagon in range(HEXES) for kind in BORDERS[number, hexagon] if kind}
    expected = {(Border(kind).name.lower(), HEX_NAMES[hexagon]) for kind, hexagon in there}
    assert {(notes[0].partition(":")[2], title[-2:]) for title, notes in signs} == expected
    for shape in (shape for shape in drawn if not shape.key):
        x, y = centre(hex_number(shape.title[-2:]))
        left, low, right, high = shape.reach
        assert max(abs(left - x), abs(right - x)) <= 0.58
        assert max(abs(low - y), abs(high - y)) <= 0.51


def test_the_four_borders_are_told_apart_without_their_colours() -> None:
    kinds = list(Border)[1:]
    drawn = [border(kind, (0, 0), (1, 0), (0, 1), 0.1) for kind in kinds]
    outlines = {
        kind: tuple((type(shape), shape.reach) for shape in shapes) for kind, shapes in zip(kinds, drawn, strict=True)
    }
    assert len(set(outlines.values())) == len(kinds)


@pytest.mark.parametrize("entry", Entry)
def test_the_bands_of_entry_run_along_the_edge_of_the_map(entry: Entry) -> None:
    for side in Side:
        hexes = [number for number in range(HEXES) if int(ENTRANCES[side, entry]) >> number & 1]
        for number in hexes:
            assert all(NEIGHBOURS[number, direction] == OFF_MAP for direction in OUTWARD[entry][side])
    state = Table("plains", "ogre outside", "lion C3", phase="maneuver", entry="RBL"[entry]).state
    bands = [shape for shape in picture(state) if isinstance(shape, Line) and shape.width == 0.06]
    assert {band.colour for band in bands} == {"red", "green"}


def test_neighbours_share_a_side() -> None:
    for number in range(HEXES):
        for direction, other in enumerate(NEIGHBOURS[number]):
            if other != OFF_MAP:
                begin, end = side_of_hex(other, (direction + 3) % 6, 1 / 3**0.5)
                mine = side_of_hex(number, direction, 1 / 3**0.5)
                assert np.allclose(mine, (end, begin))


# Counters


def test_a_counter_has_name_power_and_skill_and_its_hits_as_marks() -> None:
    table = Table("plains", "ogre C3 4", "lion C4")
    shapes = picture(table.state)
    assert {"ogre", "6-2", "lion", "5-3", "4"} <= set(labels(shapes))
    taken = [shape for shape in shapes if isinstance(shape, Box) and shape.fill == "#C81E1E"]
    assert len(taken) == 4
    assert keyed(shapes, "piece:0").notes == ("character:ogre",)
    assert keyed(shapes, "piece:0").title == "ogre, the attacker, 6-2, 4 hits\nin contact with lion C4: 6d 5+"
    assert keyed(shapes, "life:0").title == "4 of 6 hits"


def test_attackers_have_sharp_corners_and_defenders_round_ones() -> None:
    shapes = picture(Table("plains", "ogre C3", "lion C4").state)
    mine, his = keyed(shapes, "piece:0"), keyed(shapes, "piece:8")
    assert isinstance(mine, Box)
    assert isinstance(his, Box)
    assert mine.round < 0.05 < his.round
    assert mine.line != his.line


def test_the_slain_are_crossed_where_they_lie_and_then_beside_the_map() -> None:
    table = Table("plains", "ogre C3, troll D3", "lion C4 4, centaur F2")
    shapes = latest(table, "pick:C3", hits=(1,))
    lying = keyed(shapes, "piece:8")
    assert "slain" in lying.title
    assert lying.reach[2] < 4.9
    table = Table("plains", "ogre C3, troll D1", "lion C4 4, centaur F4")
    latest(table, "pick:C3", hits=(1,))
    shapes = latest(table, "pick:C4", hits=(0,))
    assert keyed(shapes, "piece:8").title == "lion, the defender, 5-3, lost"
    assert keyed(shapes, "piece:8").reach[0] > 4.9


def test_whoever_has_just_been_lost_has_a_frame_beside_the_map() -> None:
    table = Table("plains", "ogre outside, troll A1", "lion F4", phase="maneuver")
    shapes = latest(table, "end")
    frames = [shape for shape in shapes if isinstance(shape, Box) and (shape.fill, shape.line) == ("", "alarm")]
    assert len(frames) == 1
    assert not [shape for shape in picture(table.state) if isinstance(shape, Box) and shape.line == "alarm"]


def test_whoever_has_moved_or_struck_is_marked() -> None:
    table = Table("plains", "ogre C1, troll A1", "lion C4", phase="maneuver").play("pick:C1", "to:C2")
    assert "moved" in keyed(picture(table.state), "piece:0").title
    table = Table("plains", "ogre C3, troll D3", "lion C4").play("pick:C3", hits=[1])
    assert "struck" in keyed(picture(table.state), "piece:0").title


def test_who_is_outside_lies_in_its_legion_and_is_clicked_there() -> None:
    table = Table("plains", "ogre outside, ogre outside, angel outside", "lion C4", phase="maneuver")
    found = offered(picture(table.state))
    assert found["piece:0"] == found["piece:1"] == ["pick:ogre"]
    assert found["piece:2"] == ["pick:angel"]
    assert found["button:end"] == ["end"]


def test_who_may_arrive_is_seen_before_and_clicked_when_it_is_asked() -> None:
    table = Table("plains", "ogre A1", "lion F4, lion F3", half="attacker", phase="maneuver", angel_waits=1)
    shapes = picture(table.state)
    assert "waits:angel" in {shape.key for shape in shapes}
    assert "1 alive, worth 12 · may summon after a kill" in labels(shapes)
    table = Table("plains", "ogre A1", "lion F4", half="attacker", phase="arrival", angel_waits=1, window=1)
    assert offered(picture(table.state)) == {"waits:angel": ["pick:angel"], "button:pass": ["pass"]}
    table = Table("plains", "ogre A1", "lion F4", half="defender", phase="arrival", begun=4, may_reinforce=1)
    found = offered(picture(table.state))
    assert found == {"supply:centaur": ["muster:centaur"], "supply:lion": ["muster:lion"], "button:pass": ["pass"]}


# What is asked


def test_a_character_that_is_picked_has_a_frame_and_dots_where_it_may_go() -> None:
    table = Table("plains", "ogre C3", "lion F4", phase="maneuver").play("pick:C3")
    shapes = picture(table.state)
    goals = [HEX_NAMES[int(key.partition(":")[2])] for key in offered(shapes)]
    assert sorted(goals) == sorted(table.may("to"))
    dots = {shape.corners for shape in shapes if isinstance(shape, Polygon) and shape.fill == "accent"}
    assert len(dots) == len(goals)
    frames = [shape for shape in shapes if isinstance(shape, Polygon) and shape.width == 0.08]
    assert len(frames) == 1


def test_dice_and_strike_number_stand_between_a_striker_and_each_of_its_targets() -> None:
    table = Table("plains", "ogre C3, minotaur A1", "lion C4, centaur C2, troll B3")
    texts = labels(picture(table.state))
    assert "6d 5+" in texts, "against the lion, its neighbour to the north"
    assert "6d 6+" in texts, "against the centaur, to the south"
    table.play("pick:C3")
    found = offered(picture(table.state))
    assert found == {f"hex:{hex_number(name)}": [f"hit:{name}"] for name in ("C4", "C2", "B3")}
    assert {"6d 5+", "6d 6+", "6d", "4+"} <= set(labels(picture(table.state)))


def test_a_rangestrike_has_a_line_to_its_target() -> None:
    table = Table("plains", "ranger C1", "lion C3, lion E2")
    shapes = picture(table.state)
    lines = [shape for shape in shapes if isinstance(shape, Line) and shape.dashed]
    assert len(lines) == 2
    assert "2d 3+" in labels(shapes)


def test_at_a_handicap_both_strikes_are_written_beside_their_enemies() -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2").play("pick:C3", "hit:C4")
    shapes = picture(table.state)
    assert {"6d 5+", "6d 6+", "plain strike: 6d 5+"} <= set(labels(shapes))
    assert offered(shapes) == {f"hex:{hex_number('C2')}": ["carry:C2"], "button:plain": ["plain"]}


# What has happened


def test_a_move_is_an_arrow_from_where_it_began() -> None:
    table = Table("plains", "ogre C1, troll A1", "lion C4", phase="maneuver")
    shapes = latest(table, "pick:C1", "to:B1")
    (arrow,) = new_lines(table, shapes)
    assert arrow.points[0] == pytest.approx(centre(hex_number("C1")))
    assert arrow.colour == "red"
    assert keyed(shapes, "piece:0").along


@pytest.mark.parametrize("entry", ["R", "B", "L"])
def test_whoever_comes_on_has_an_arrow_from_outside_the_map(entry: str) -> None:
    table = Table("plains", "ogre outside, ogre outside", "lion C3", phase="maneuver", entry=entry).play("pick:ogre")
    there = table.may("to")[0]
    shapes = latest(table, f"to:{there}")
    (arrow,) = new_lines(table, shapes)
    begin = arrow.points[0]
    assert min(np.hypot(begin[0] - x, begin[1] - y) for x, y in map(centre, range(HEXES))) > 0.55


def test_who_is_deployed_in_a_tower_comes_over_no_side() -> None:
    table = Table("tower", "ogre outside", "lion outside, lion outside", "defender", "maneuver", begun=1)
    table.play("pick:lion")
    assert not new_lines(table, latest(table, "to:D4"))


def test_a_strike_is_an_arrow_with_its_hits() -> None:
    table = Table("plains", "ogre C3, troll D3", "lion C4")
    shapes = latest(table, "pick:C3", hits=(4,))
    assert "4 of 6" in labels(shapes)
    (arrow,) = new_lines(table, shapes)
    assert arrow.points[0][1] < arrow.points[-1][1]


def test_what_is_carried_over_is_told_from_the_first_target_on() -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2")
    table.play("pick:C3", "hit:C4", "carry:C2", hits=[4])
    shapes = latest(table, "carry:C2")
    assert "+2" in labels(shapes)
    arrow = next(line for line in new_lines(table, shapes) if line.dashed)
    assert arrow.points[0][1] > arrow.points[-1][1]


def test_a_hit_by_drift_is_marked() -> None:
    table = Table("tundra", "ogre outside, ogre E3", "lion B2, lion C3", phase="maneuver")
    shapes = latest(table, "end")
    assert "-1" in labels(shapes)
    assert any(isinstance(shape, Circle) and shape.fill == "#2F8FD0" for shape in shapes)


def test_the_question_the_round_and_the_players_are_told() -> None:
    table = Table("plains", "ogre C3", "lion C4", begun=3)
    texts = labels(picture(table.state, None, (), None, True, ["an agent whose name is far too long", "somebody"]))
    assert {"The attacker picks who strikes", "round 3 of 7 · half of the attacker · strikes"} <= set(texts)
    assert {"player 1 · an agent whose nam", "player 2 · somebody"} <= set(texts)
    table = Table("plains", "ogre C3", "lion C4 4")
    table.play("pick:C3", "pick:C4", hits=[1, 0])
    assert "The attacker wins the battle" in labels(picture(table.state))


# The form


def test_every_choice_of_the_form_can_be_played() -> None:
    for preset in setup_form().presets:
        GAME.rules.configure(**preset.options)
    questions: dict[str, Any] = {question.option: question for question in setup_form().questions}
    assert set(questions) == set(GAME.rules.options)
    for question in questions.values():
        for choice in question.choices:
            GAME.rules.configure(**{question.option: choice.value})
        for piece in question.pieces:
            GAME.rules.configure(**{question.option: [piece.value]})


def test_lands_and_characters_are_chosen_by_their_pictures() -> None:
    questions = {question.option: question for question in setup_form().questions}
    assert all(choice.picture for choice in questions["land"].choices[1:])
    assert all(piece.picture for piece in questions["attacker"].pieces)


# What is within reach of whoever is looked at


def test_a_character_shows_where_it_could_go_also_where_it_is_not_asked() -> None:
    table = Table("plains", "ogre C3, lion outside", "centaur D6", phase="maneuver")
    shapes = picture(table.state)
    enemy = keyed(shapes, "piece:8")
    assert f"hex:{hex_number('E5')}" in enemy.shows
    assert f"hex:{hex_number('C3')}" not in enemy.shows, "somebody stands there"
    assert enemy.title.splitlines()[1].startswith("can go to: ")
    assert keyed(shapes, "piece:1").title.splitlines()[-1].startswith("can come on at: A1 ")
    assert {key for shape in shapes for key in shape.shows} <= {shape.key for shape in shapes}


def test_who_is_in_contact_shows_its_strikes_instead() -> None:
    shapes = picture(Table("plains", "ogre C3", "lion C4, centaur C2, titan F4", phase="maneuver").state)
    assert keyed(shapes, "piece:0").shows == (f"hex:{hex_number('C2')}", f"hex:{hex_number('C4')}")
    lines = keyed(shapes, "piece:0").title.splitlines()[1:]
    assert lines == ["in contact with centaur C2: 6d 6+", "in contact with lion C4: 6d 5+"]


def test_who_rangestrikes_shows_whom_it_sees_in_any_phase() -> None:
    shapes = picture(Table("plains", "minotaur C2", "ogre C5, titan F4", phase="maneuver").state)
    assert keyed(shapes, "piece:0").title.splitlines()[2:] == ["can rangestrike ogre C5: 2d 3+"]
    assert f"hex:{hex_number('C5')}" in keyed(shapes, "piece:0").shows


def test_the_slain_and_whoever_can_go_nowhere_show_nothing() -> None:
    table = Table("plains", "ogre C3, titan A1", "lion C4 4, titan F4").play("pick:C3", hits=[1])
    assert keyed(picture(table.state), "piece:8").shows == ()
    around = "ogre A2, ogre B1, ogre A1, ogre B2"
    title = keyed(picture(Table("plains", around, "titan F4", phase="maneuver").state), "piece:2").title
    assert title.splitlines()[1:] == ["can go nowhere"]


def test_the_hits_of_a_strike_are_not_covered_by_the_strikes_that_follow() -> None:
    table = Table("plains", "ogre C3, lion B2", "troll C2, titan F4").play("pick:C3", hits=[2])
    shapes = latest(table, "pick:B2", hits=[1])
    label, offered_strike = (
        next(s for s in shapes if isinstance(s, Label) and s.text == text) for text in ("1 of 5", "8d 4+")
    )
    assert table.asked == ("strike", "defender")
    assert math.dist((label.x, label.y), (offered_strike.x, offered_strike.y)) > 0.3


@pytest.mark.parametrize(
    ("played", "note", "texts"),
    [
        ([], "handicap", ["strike of 6d 5+", "A worse strike can carry its surplus to another"]),
        (["carry:C2"], "surplus", ["strike of 6d 6+ · left over: 2", "Hits left over may go to another in contact"]),
    ],
)
def test_a_handicap_and_a_surplus_are_explained_where_they_are_asked_about(
    played: list[str], note: str, texts: list[str]
) -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2").play("pick:C3", "hit:C4")
    shapes = picture(table.play(*played, hits=[4] * len(played)).state)
    assert [shape.text for shape in shapes if isinstance(shape, Label) and shape.notes == (note,)] == texts
    assert keyed(shapes, f"hex:{hex_number('C2')}").notes == (note,)


def test_a_strike_that_is_offered_is_explained_before_the_ground() -> None:
    shapes = picture(Table("brush", "ogre C3", "lion C4").state)
    assert keyed(shapes, f"hex:{hex_number('C3')}").notes == ("strike_number",)
    assert keyed(shapes, f"hex:{hex_number('C4')}").notes == ("hazard:bramble",)


def test_nobody_can_arrive_once_a_battle_is_over() -> None:
    table = Table("plains", "ogre C3, lion B2", "centaur C4 2", may_reinforce=1)
    assert any("reinforcement" in text for text in labels(picture(table.state)))
    table.play("pick:C3", "pick:C4", hits=[6, 0])
    assert table.result == "attacker_wins"
    assert not any("reinforcement" in text for text in labels(picture(table.state)))
