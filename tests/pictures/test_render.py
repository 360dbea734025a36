"""Pictures of any game: as SVG, as pixels, in environments; the drawers know no game."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

from tests.games import pig
from titan_env import registry
from titan_env.contract import Game
from titan_env.contract.shapes import Box, Circle, Label, Line, Polygon, Shape, Sheet, bounds
from titan_env.envs import aec, single_agent, vector
from titan_env.pictures.render import rgb, shapes_of
from titan_env.pictures.svg import THEMES, svg

RACE = "titan_race"


@pytest.fixture(scope="module")
def race() -> Game:
    return registry.load(RACE)


HOUSE = [name for name, entry in registry.GAMES.items() if str(entry.place).startswith("titan_env.games.")]
"""The games that come with the package."""


def played(game: Game, steps: int, seed: int = 0, **options: Any) -> aec.GameAEC:
    """A game after some random steps."""
    env = aec.make(game=game, **options)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        observation, _, over, cut, _ = env.last()
        if over or cut:
            break
        assert observation is not None
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return env


@pytest.mark.parametrize("theme", THEMES)
def test_every_preset_is_drawn_as_well_formed_svg_with_unique_keys(race: Game, theme: str) -> None:
    for options in race.rules.presets.values():
        env = played(race, 40, **options)
        text = svg(shapes_of(race, env.batch.states[0]), theme=theme, title="a < b & c")
        ElementTree.fromstring(text)
        keys = re.findall(r'data-key="([^"]+)"', text)
        assert len(keys) == len(set(keys))


def test_the_legal_actions_of_who_is_asked_are_offered_and_nobody_elses(race: Game) -> None:
    for steps in range(0, 120, 7):
        env = played(race, steps, titans=6)
        state = env.batch.states[0]
        offered = {number for shape in shapes_of(race, state, int(state.seat)) for number in shape.actions}
        assert offered == set(np.flatnonzero(env.batch.masks[0]).tolist())
        assert not [shape for shape in shapes_of(race, state, (int(state.seat) + 1) % 6) if shape.actions]


def test_other_hands_lie_face_down(race: Game) -> None:
    env = played(race, 0, titans=3)
    state = env.batch.states[0]
    shown = {shape.key for shape in shapes_of(race, state, 0) if shape.key.startswith("card:")}
    assert shown == {f"card:{card}" for card in np.flatnonzero(state.cards == 0)}
    assert len([shape for shape in shapes_of(race, state, 0) if shape.key.startswith("hand:")]) == 2
    assert not [shape for shape in shapes_of(race, state) if shape.key.startswith("hand:")]


def test_pixels_have_the_width_asked_for_and_come_quickly(race: Game) -> None:
    env = played(race, 60, titans=6)
    shapes = shapes_of(race, env.batch.states[0])
    for width in (300, 900):
        pixels = rgb(shapes, width)
        assert pixels.dtype == np.uint8
        assert pixels.shape[1] == width
        assert pixels.shape[0] % 2 == 0
    began = time.process_time()
    for _ in range(5):
        rgb(shapes, 900)
    assert (time.process_time() - began) / 5 < 0.2


def test_the_environments_render_as_their_mode_says(race: Game) -> None:
    env = aec.make(game=race, titans=2, render_mode="rgb_array", render_width=400)
    assert env._repr_svg_() is None
    env.reset(seed=1)
    assert env.render().shape[1] == 400
    assert str(env._repr_svg_()).startswith("<svg")
    alone = single_agent.make(game=race, titans=2, render_mode="rgb_array", render_width=400)
    alone.reset(seed=1)
    assert alone.render().shape[1] == 400
    assert str(alone._repr_svg_()).startswith("<svg")
    many = vector.make(2, game=race, titans=2, render_mode="rgb_array", render_width=400)
    many.reset(seed=1)
    pictures = many.render()
    assert pictures is not None
    assert [picture.shape[1:] for picture in pictures] == [(400, 3), (400, 3)]


def test_a_window_opens_follows_and_closes(race: Game) -> None:
    pytest.importorskip("pygame")
    env = played(race, 3, titans=2, render_mode="human")
    assert env.render() is None
    env.close()


def test_the_last_move_is_an_arrow_from_where_it_began(race: Game) -> None:
    env = played(race, 0, titans=2)
    rng = np.random.default_rng(0)
    for _ in range(60):
        before = env.batch.states.copy()[0]
        env.step(int(rng.choice(np.flatnonzero(env.batch.masks[0]))))
        events, _ = env._latest_step()
        moves = [event for event in events if race.rules.events(int(event[0])).name == "MOVED"]
        if moves and before.titans[moves[0][1]].space >= 0:
            with_move = shapes_of(race, env.batch.states[0], None, events, before)
            assert len(with_move) > len(shapes_of(race, env.batch.states[0]))
            return
    raise AssertionError("expected a move in 60 steps")


def test_any_shapes_are_drawn_and_their_texts_escaped() -> None:
    shapes: list[Shape] = [
        Polygon(((0, 0), (1, 0), (0, 1)), "red", "ink", title='<"&>', action=(3, 4), key="a"),
        Circle(1, 1, 0.5, "blue"),
        Box(0, 0, 1, 1, "", "ink"),
        Line(((0, 0), (2, 2)), "ink", head=0.2, dashed=True),
        Label(0, 0, "<b>", "ink", 12),
    ]
    text = svg(shapes)
    ElementTree.fromstring(text)
    assert 'data-action="3 4"' in text
    assert rgb(shapes, 200).shape[1] == 200
    assert bounds([])[0] < bounds([])[2]


def test_what_can_be_clicked_is_not_within_an_image() -> None:
    """Of what is within an image a screen reader says nothing."""
    assert 'role="img" aria-label="a game"' in svg([Circle(0, 0, 1, "red")], title="a game")
    assert 'role="group" aria-label="a game"' in svg([Circle(0, 0, 1, "red", action=3)], title="a game")


def test_a_game_without_a_narrow_picture_is_drawn_as_it_is() -> None:
    state = played(pig.GAME, 0).batch.states[0]
    assert shapes_of(pig.GAME, state, narrow=True) == shapes_of(pig.GAME, state)


def test_an_unknown_theme_or_colour_is_named() -> None:
    with pytest.raises(ValueError, match="expected a theme of light, dark"):
        svg([], theme="sepia")
    with pytest.raises(ValueError, match="got 'mauve'"):
        svg([Circle(0, 0, 1, "mauve")])


# Panels


def test_a_panel_of_a_sheet_is_a_group_beside_that_of_the_board() -> None:
    sheet = Sheet()
    sheet += [Circle(0, 0, 1, "red")]
    assert "<g" not in svg(sheet), "a board alone needs no group"
    sheet.begin_panel()
    sheet.begin_panel()
    sheet += [Box(2, 0, 1, 1, "blue")]
    parts = list(ElementTree.fromstring(svg(sheet)).iter("{http://www.w3.org/2000/svg}g"))
    assert [part.get("data-part") for part in parts] == ["board", "panel"], "an empty panel is none"
    assert [[shape.tag.rpartition("}")[2] for shape in part] for part in parts] == [["circle"], ["rect"]]


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("name", HOUSE)
def test_what_the_players_have_is_a_panel_in_every_game_of_the_house(name: str, narrow: bool) -> None:
    game = registry.load(name)
    shapes = shapes_of(game, played(game, 30).batch.states[0], narrow=narrow)
    assert isinstance(shapes, Sheet)
    board, *panels = shapes.parts
    assert board
    assert panels
    assert [piece for part in shapes.parts for piece in part] == shapes.pieces
