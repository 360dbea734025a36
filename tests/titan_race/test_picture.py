"""What a picture of a race shows, and that it can be read: in both themes, wide and narrow."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from tests.titan_race.table import Table, plain
from tests.titan_race.test_dice import turn
from titan_env.contract.shapes import POINTS, Box, Circle, Label, Line, Polygon, Shape, bounds
from titan_env.engine.batch import Batch
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.picture.picture import FILLS, NAMES, picture
from titan_env.games.titan_race.rules.circuits import space_number
from titan_env.games.titan_race.rules.definition import PRESETS
from titan_env.games.titan_race.rules.state import Ask, Terrain
from titan_env.pictures.contrast import READABLE, contrast
from titan_env.pictures.svg import THEMES

PHONE = 358
"""Pixels that a telephone leaves to a picture."""
OUT = "life=0 condition=knocked_out"


def labels(shapes: list[Shape]) -> list[str]:
    """Every text in a picture."""
    return [shape.text for shape in shapes if isinstance(shape, Label)]


def middle(shapes: list[Shape], name: str) -> tuple[float, float]:
    """Where a space lies in a picture."""
    hexagon = next(shape for shape in shapes if shape.key == f"space:{space_number(name)}")
    assert isinstance(hexagon, Polygon)
    across, up = zip(*hexagon.corners, strict=True)
    return sum(across) / 6, sum(up) / 6


def latest(table: Table, action: str, narrow: bool = False) -> tuple[list[Shape], list[Line]]:
    """The picture after an action, and the arrows of the latest move in it."""
    before = table.state.copy()
    events = len(table.history)
    table.play(action)
    seen = picture(table.state, None, table.history[events:], before, narrow)
    drawn = [shape for shape in seen if isinstance(shape, Line) and shape.width == 0.055]
    return seen, drawn


def of_presets() -> list[Any]:
    """A position in the middle of a race of each preset."""
    found = []
    for options in PRESETS.values():
        batch = Batch(GAME, 1, **options)
        batch.seed(1)
        batch.start()
        batch.rollout(60, restart=False)
        found.append(batch.states[0])
    return found


# Reading


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("terrain", Terrain)
def test_the_name_of_a_space_stands_out_from_every_terrain(terrain: Terrain, theme: str) -> None:
    assert contrast(THEMES[theme][NAMES], THEMES[theme][FILLS[terrain]]) >= READABLE


def test_on_a_telephone_everything_is_large_enough() -> None:
    for state in of_presets():
        shapes = picture(state, narrow=True)
        left, _, right, _ = bounds(shapes)
        pixels = PHONE / (right - left)
        names = {shape.text for shape in shapes[: 3 * 36 * 4] if isinstance(shape, Label) and shape.colour == NAMES}
        for shape in shapes:
            if isinstance(shape, Label):
                assert shape.size / POINTS * pixels >= (8 if shape.text in names else 10), shape
            if shape.key.startswith(("die:", "taken:")):
                assert isinstance(shape, Box)
                assert shape.wide * pixels >= 30


def test_a_narrow_picture_shows_the_same_things_and_offers_the_same_actions() -> None:
    for state in of_presets():
        wide, narrow = picture(state), picture(state, narrow=True)
        assert {(shape.key, shape.actions) for shape in wide} == {(shape.key, shape.actions) for shape in narrow}


def test_a_board_of_a_grand_slam_goes_on_where_the_one_before_it_ends() -> None:
    slam = next(state for state in of_presets() if state.circuits > 1)
    shapes = picture(slam, narrow=True)
    (x, y), (x_on, y_on) = middle(shapes, "B12"), middle(shapes, "2:B2")
    assert (x_on, y_on) == pytest.approx((x, y + 1))


def test_a_titan_out_of_the_race_keeps_its_rim_and_its_letters() -> None:
    shapes = picture(Table(plain(C5="Rg", C7="Gr") + f"ragnarok:\ngrinder: {OUT}\n" + turn("yellow")).state)
    token = next(i for i, shape in enumerate(shapes) if shape.key == "piece:1")
    rim, strike, disc, letters = shapes[token : token + 4]
    assert isinstance(rim, Circle)
    assert rim.fill == "red"
    assert isinstance(strike, Line)
    assert isinstance(disc, Circle)
    assert isinstance(letters, Label)
    assert letters.text == "Gr"
    assert disc.radius < rim.radius


def test_of_very_many_lives_the_number_is_written() -> None:
    text = plain(C5="Rg", C7="Gr") + "ragnarok: life={}\ngrinder: life=3\n" + turn("yellow")
    for most, life, hearts in ((10, 7, 10), (100, 97, 1)):
        state = Table(text.format(2)).state
        state.titans[0].life_max, state.titans[0].life = most, life
        shapes = picture(state)
        assert sum(shape.key.startswith("life:0:") for shape in shapes) == hearts
        assert ("97/100" in labels(shapes)) == (hearts == 1)


def test_whoever_has_won_is_home() -> None:
    table = Table(plain(A11="Ra", C5="Gr") + "rassik: lap=3\ngrinder:\n" + turn("yellow")).play("move:SS")
    texts = labels(picture(table.state))
    assert "player 1 · home" in texts
    assert "player 2 · lap 1/3" in texts
    assert "Rassik won the race" in texts


def test_the_question_says_who_is_shoved() -> None:
    table = Table(plain(C5="Rg", C7="Gr") + "ragnarok:\ngrinder:\n" + turn("yellow")).play("ability:F")
    assert table.state.ask == Ask.SHOVE
    assert "Ragnarok chooses where to shove Grinder" in labels(picture(table.state))


def test_no_text_needs_two_spaces_in_a_row_which_browsers_do_not_keep() -> None:
    for state in of_presets():
        assert not [text for text in labels(picture(state)) if "  " in text]


# The latest move


def test_both_titans_of_a_swap_have_an_arrow() -> None:
    table = Table(plain(C5="Cr", C7="Gr") + "craken:\ngrinder:\n" + turn("yellow"))
    _, (mine, theirs) = latest(table, "ability:F")
    assert mine.points[0][1] < mine.points[1][1]
    assert theirs.points[0][1] > theirs.points[1][1]
    assert (mine.dashed, theirs.dashed) == (False, True)
    assert mine.points[0][0] != theirs.points[0][0]


def test_each_push_of_a_queue_is_seen_beside_the_pushers_own_way() -> None:
    table = Table(plain(A1="Ra", A3="Gr", A5="Sl") + "rassik:\ngrinder:\nslaugg:\n" + turn("yellow"))
    _, arrows = latest(table, "move:SS")
    lanes = [{round(x, 3) for x, _ in arrow.points} for arrow in arrows]
    spans = [sorted(y for _, y in arrow.points) for arrow in arrows]
    assert len(arrows) == 6
    for (lane, (low, high)), (other, (bottom, top)) in combinations(zip(lanes, spans, strict=True), 2):
        assert lane != other or high <= bottom or top <= low


def test_arrows_run_under_the_titans_and_lost_lives_stand_beside_their_heads() -> None:
    table = Table(plain(A1="Ra", A3="Gr") + "rassik:\ngrinder:\n" + turn("red"))
    shapes, arrows = latest(table, "move:S")
    tokens = [i for i, shape in enumerate(shapes) if shape.key.startswith("piece:")]
    assert max(shapes.index(arrow) for arrow in arrows) < min(tokens)
    lost = next(
        shape for shape in shapes if isinstance(shape, Circle) and (shape.fill, shape.radius) == ("alarm", 0.13)
    )
    for arrow in arrows:
        x, y = arrow.points[-1]
        assert (x - lost.x) ** 2 + (y - lost.y) ** 2 > lost.radius**2


@pytest.mark.parametrize(("space", "ramp", "move", "end"), [("A3", ">", "RS", "D6"), ("D4", "<", "LS", "A7")])
def test_a_jump_from_a_super_ramp_leads_the_way_of_the_ramp(space: str, ramp: str, move: str, end: str) -> None:
    table = Table(plain(**{space: f"{ramp}Ra", "E11": "Gr"}) + "rassik:\ngrinder:\n" + turn("blue"))
    shapes, arrows = latest(table, f"move:{move}")
    ways = [arrow.points[1][0] - arrow.points[0][0] for arrow in arrows]
    assert ways[0] == pytest.approx(middle(shapes, end)[0] - middle(shapes, space)[0])


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("way", ["B", "BL", "BR", "F", "FL", "FR"])
def test_an_arrow_over_the_edge_makes_no_picture_larger(way: str, narrow: bool) -> None:
    for here, there in (("A1", "A3"), ("F2", "F4"), ("B12", "B10"), ("F12", "F10")):
        table = Table(plain(**{here: "Gr", there: "Rg"}) + "ragnarok:\ngrinder:\n" + turn("yellow"))
        table.play("ability:B" if here[1:] in ("1", "2") else "ability:F")
        shapes, arrows = latest(table, f"shove:{way}", narrow)
        assert arrows
        still = picture(table.state, narrow=narrow)
        assert bounds(shapes) == bounds(still)
        labels = [shape for shape in still if isinstance(shape, Label) and shape.y < 0]
        assert max(label.y + label.size / POINTS * 0.4 for label in labels) < min(
            y for a in arrows for _, y in a.points
        )
