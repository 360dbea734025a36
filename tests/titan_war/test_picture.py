"""The picture offers what is legal, shows what its viewer may know, and can be read on the screens it is made for."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from tests.titan_war.random_play import moments, until
from titan_env.contract import COMPILED
from titan_env.contract.shapes import POINTS, Label, Shape, bounds
from titan_env.contract.translation import use_language
from titan_env.games.titan_battle.rules.characters import POWER, SKILL
from titan_env.games.titan_battle.rules.state import Character
from titan_env.games.titan_battle.words.translation import character_name
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.picture.picture import picture
from titan_env.games.titan_war.picture.pieces import COUNTER_WIDE, counter
from titan_env.games.titan_war.picture.setup_form import setup_form
from titan_env.games.titan_war.rules.definition import PRESETS
from titan_env.games.titan_war.rules.state import Ask
from titan_env.pictures.render import font, shapes_of
from titan_env.pictures.svg import THEMES, svg

EVERY = 13
FINE = 16
"""A font's letters are measured so many times as large."""
MOST = 1200 if COMPILED else 40
PHONE = 358


def offered(shapes: list[Shape]) -> set[int]:
    """The actions that can be clicked."""
    return {action for shape in shapes for action in shape.actions}


def drawn(moment: Any, seat: int | None, narrow: bool = False) -> list[Shape]:
    """The picture of a moment."""
    return shapes_of(GAME, moment.state, seat, moment.events, moment.before, narrow)


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PRESETS)
def test_whoever_is_asked_may_click_every_legal_action_and_nobody_else_any(preset: str) -> None:
    for moment in moments(4, MOST, **PRESETS[preset]):
        seat = int(moment.state.seat)
        if moment.state.decisions % EVERY == 0:
            assert offered(drawn(moment, seat)) == set(moment.legal)
            assert offered(drawn(moment, seat, True)) == set(moment.legal)
            assert not offered(drawn(moment, (seat + 1) % int(moment.state.seats)))


@pytest.mark.thorough
@pytest.mark.parametrize("narrow", [False, True])
def test_every_position_is_well_formed_with_unique_keys_and_notes_that_are_explained(narrow: bool) -> None:
    known = set(GAME.text.glossary())
    for players in (2, 6):
        for moment in moments(6, MOST, players=players):
            if moment.state.decisions % EVERY == 0:
                shapes = drawn(moment, None, narrow)
                for theme in THEMES:
                    text = svg(shapes, theme=theme)
                    ElementTree.fromstring(text)
                    keys = re.findall(r'data-key="([^"]+)"', text)
                    assert len(keys) == len(set(keys)), theme
                assert {note for shape in shapes for note in shape.notes} <= known


def test_others_legions_are_drawn_by_the_record() -> None:
    moment = until(Ask.MOVE)
    seat = int(moment.state.seat)
    titles = {shape.key: shape.title for shape in drawn(moment, seat) if shape.key.startswith("marker:")}
    for marker, legion in enumerate(moment.state.legions):
        if legion.height:
            assert ("up to" in titles[f"marker:{marker}"]) == (legion.owner != seat)


def test_a_battle_is_drawn_as_in_the_game_of_battles() -> None:
    moment = until(Ask.GO)
    keys = {shape.key for shape in drawn(moment, None)}
    assert {"hex:0", "hex:26"} <= keys
    assert any(key.startswith("piece:") for key in keys)
    assert "land:0" not in keys


def test_on_a_telephone_everything_on_the_board_is_large_enough() -> None:
    moment = until(Ask.MOVE, players=6)
    shapes = picture(moment.state, narrow=True)
    left, _, right, _ = bounds(shapes)
    pixels = PHONE / (right - left)
    for label in (shape for shape in shapes if isinstance(shape, Label)):
        small = 4.5 if len(label.text) == 1 and label.text.isdecimal() else 7
        assert label.size / POINTS * pixels >= small, label


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_a_counter_has_the_whole_name_of_its_character_in_the_language_shown(language: str) -> None:
    with use_language(language):
        for kind in Character:
            shapes = counter(kind, int(POWER[kind]), 0.0, 0.0, 1.0, "", (), "")
            *name, numbers = (shape for shape in shapes if isinstance(shape, Label))
            assert " ".join(label.text for label in name).lower() == character_name(kind)
            assert numbers.text == f"{POWER[kind]}-{SKILL[kind]}"
            for label in name:
                wide = font(round(label.size * FINE), True).getlength(label.text) / FINE / POINTS
                assert wide < 0.96 * COUNTER_WIDE, label
                assert label.size >= 6, label


def test_the_form_offers_every_option_and_its_presets_can_be_played() -> None:
    form = setup_form()
    assert [question.option for question in form.questions] == list(GAME.rules.options)
    for preset in form.presets:
        GAME.rules.configure(**preset.options)
    for question in form.questions:
        for choice in question.choices:
            if question.option != "towers":
                GAME.rules.configure(**{question.option: choice.value})
