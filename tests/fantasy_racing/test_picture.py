"""The picture offers what is legal, fits the screens it is made for, and marks what has happened."""

from __future__ import annotations

import base64
import json
import re
import xml.etree.ElementTree as ElementTree
import zlib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.fantasy_racing.table import Table, rolled
from titan_env import Batch
from titan_env.contract.shapes import Label, Line, bounds
from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.picture.side_panel import course
from titan_env.games.fantasy_racing.rules.actions import ACTIONS
from titan_env.games.fantasy_racing.rules.definition import PRESETS
from titan_env.pictures.svg import THEMES, svg
from titan_env.records.replay import read
from titan_env.records.replay_html import render_html

EVERY = 7
"""Of so many decisions one is drawn: a race has hundreds, and each kind of question comes often."""


def unpacked(pages: str) -> str:
    """What is drawn in a film."""
    return " ".join(json.loads(zlib.decompress(base64.b64decode(pages)))["texts"])


@pytest.mark.parametrize(
    ("round_begun", "message"),
    [
        (1, "round 1 of 15 · objects are back in rounds 4, 7, 10, 13"),
        (12, "round 12 of 15 · objects are back in round 13"),
        (13, "round 13 of 15"),
    ],
)
def test_all_rounds_to_come_in_which_objects_reappear_are_shown(round_begun: int, message: str) -> None:
    state = Table("human:\n" + rolled(1, 2), D4="Hu").state
    state.rounds, state.rounds_begun = 15, round_begun
    assert course(state) == message


@pytest.mark.parametrize("preset", PRESETS)
def test_whoever_is_asked_may_click_every_legal_action_and_nobody_else_any(preset: str) -> None:
    batch = Batch(GAME, 1, **PRESETS[preset])
    batch.seed(5)
    batch.start()
    while not batch.over[0]:
        state = batch.states[0]
        if state.decisions % EVERY == 0:
            offered = {
                action for shape in GAME.presentation.picture(state, int(state.seat)) for action in shape.actions
            }
            assert offered == set(np.flatnonzero(batch.masks[0]).tolist())
            other = (int(state.seat) + 1) % int(state.seats)
            assert not [shape for shape in GAME.presentation.picture(state, other) if shape.actions]
        batch.step(batch.sample())


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("narrow", [False, True])
def test_every_position_is_well_formed_with_unique_keys(theme: str, narrow: bool) -> None:
    batch = Batch(GAME, 1, events=True)
    batch.seed(6)
    batch.start()
    while not batch.over[0]:
        before = batch.states.copy()[0]
        batch.step(batch.sample())
        if before.decisions % EVERY:
            continue
        shapes = GAME.presentation.picture(batch.states[0], None, batch.last_events(0), before, narrow)
        text = svg(shapes, theme=theme)
        keys = re.findall(r'data-key="([^"]+)"', text)
        assert len(keys) == len(set(keys))
        ElementTree.fromstring(text)


def test_eighteen_rows_fit_a_desk_and_a_phone() -> None:
    state = Table("human:\nelf:\n", A5="Hu", C5="El").state
    left, bottom, right, top = bounds(GAME.presentation.picture(state))
    assert (top - bottom) / (right - left) < 0.9  # at 900 pixels across: at most 810 high
    left, bottom, right, top = bounds(GAME.presentation.picture(state, narrow=True))
    assert 0.52 * 360 / (right - left) >= 24  # what is to be touched


@pytest.mark.thorough
def test_every_racer_has_the_name_of_its_player_in_pictures_and_films() -> None:
    state = Table("human:\nelf:\n", A5="Hu", C5="El").state
    names = ["person", "an agent whose name is far too long for its line"]
    texts = {
        shape.text
        for shape in GAME.presentation.picture(state, None, (), None, True, names)
        if isinstance(shape, Label)
    }
    assert {"player 1 · person", "player 2 · an agent whose nam", "lap 0"} <= texts
    record = read(Path(__file__).parents[1] / "golden" / "fantasy_racing.jsonl")
    page = render_html(record)
    packed = page.partition('id="pages">')[2].partition("<")[0]
    assert all(
        f"player {seat + 1} · {name[:18]}" in unpacked(packed) for seat, name in enumerate(record.header["agents"])
    )


@pytest.mark.parametrize("narrow", [False, True])
def test_names_and_laps_leave_each_other_room(narrow: bool) -> None:
    lines = "orc: laps=1 highest=2\nhybrid_baby:\n"
    shapes = GAME.presentation.picture(
        Table(lines, A5="Or", C5="Ba").state, None, (), None, narrow, ["m" * 40, "planner of worlds"]
    )
    rows: dict[float, list[tuple[float, float]]] = {}
    for label in (shape for shape in shapes if isinstance(shape, Label) and shape.size in (11, 13)):
        left, bottom, right, _ = bounds([label], 0)
        rows.setdefault(round(bottom, 1), []).append((left, right))
    for row in rows.values():
        for (_, end), (begin, _) in pairwise(sorted(row)):
            assert begin > end


def test_dice_show_their_opposite_faces_where_a_flip_is_offered() -> None:
    state = Table("human: clover=1\nelf:\n" + rolled(1, 3), A5="Hu", C5="El").state
    texts = [shape.text for shape in GAME.presentation.picture(state) if isinstance(shape, Label)]
    assert {"1", "3", "↻ 6", "↻ 4"} <= set(texts)
    state = Table("human:\nelf:\n" + rolled(1, 3), A5="Hu", C5="El").state
    assert not [shape for shape in GAME.presentation.picture(state) if isinstance(shape, Label) and "↻" in shape.text]


def test_targets_and_landings_are_the_squares_to_click() -> None:
    table = Table("human: spear=1\nelf:\n", D8="Hu", D10="El", D9="=").play("use:spear")
    offered = {shape.key: shape.actions for shape in GAME.presentation.picture(table.state) if shape.actions}
    assert offered["square:66"] == (ACTIONS.numbers["at:+2,+0"],)
    table = Table("human:\nelf:\n", D8="Hu", D12="El")
    offered = {shape.key: shape.actions for shape in GAME.presentation.picture(table.state) if shape.actions}
    assert offered["square:66"] == (ACTIONS.numbers["advance"],)


def test_a_chain_is_told_by_numbered_arrows() -> None:
    lines = "human:\nelf:\ndwarf:\n" + rolled(1, 2)
    table = Table(lines, D4="Hu", D5="El", D3="Dw")
    before = table.states.copy()[0]
    table.play("die:1", rolls=[40, 2, 90, 10])
    events = np.array([(int(kind), *rest) for kind, *rest in table.history], np.int32)
    shapes = GAME.presentation.picture(table.state, None, events, before)
    plain = GAME.presentation.picture(table.state)
    assert len([s for s in shapes if isinstance(s, Line)]) >= len([s for s in plain if isinstance(s, Line)]) + 3
    added = {shape.text for shape in shapes if isinstance(shape, Label)}
    assert {"1", "2", "3"} <= added


def test_the_arrow_keys_fly_the_fire_ball() -> None:
    table = Table("human: fire_ring=1\nelf:\n", D9="Hu", A5="El").play("use:fire_ring", "fire:F", rolls=[5, 5])
    shapes = GAME.presentation.picture(table.state, 0)
    pressed = {shape.press: [ACTIONS.texts[action] for action in shape.actions] for shape in shapes if shape.press}
    assert pressed == {"ArrowDown": ["fire:F"], "ArrowLeft": ["fire:L"], "ArrowRight": ["fire:R"]}
