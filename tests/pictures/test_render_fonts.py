"""The font of pixels has every letter and sign that any game says in any language, and draws."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from titan_env.contract import Game
from titan_env.contract.shapes import Label
from titan_env.contract.translation import use_language
from titan_env.engine.batch import Batch
from titan_env.pictures.render import font, rgb, shapes_of
from tools.languages import parts, read

pytest.importorskip("PIL")

LANGUAGES = sorted({path.stem for part in parts() for path in (part / "languages").glob("*.po")})
ALPHABETS = {
    "en": "",
    "fr": "àâæçéèêëîïôœùûüÿ«»’",
    "de": "äöüßẞ",
    "es": "áéíñóúü¿¡",
    "pl": "ąćęłńóśźż",
    "el": "άαβγω",
    "uk": "єіїґжш",
}
"""Letters that English lacks: of the languages spoken, and of names that players may have."""


@functools.cache
def glyph(character: str, bold: bool) -> bytes:
    """The pixels of a character."""
    return bytes(font(40, bold).getmask(character))


def lacking(text: str) -> str:
    """The characters that either font draws as an empty box."""
    known = [c for c in sorted(set(text)) if c.isprintable()]
    return "".join(c for c in known if any(glyph(c, bold) == glyph("\uffff", bold) for bold in (False, True)))


def test_what_a_font_lacks_is_found() -> None:
    assert lacking("a漢b") == "漢"


def test_every_language_is_asked_for_its_letters() -> None:
    assert set(LANGUAGES) <= set(ALPHABETS)


@pytest.mark.parametrize("language", ALPHABETS)
def test_every_language_has_its_letters(language: str) -> None:
    letters = ALPHABETS[language]
    assert lacking(letters + unicodedata.normalize("NFC", letters.upper())) == ""


@pytest.mark.parametrize("part", parts(), ids=lambda part: part.name)
def test_every_catalogue_can_be_drawn(part: Any) -> None:
    for path in sorted((part / "languages").glob("*.po")):
        for message in read(path):
            texts = [message.id, message.string]
            assert lacking("".join(text if isinstance(text, str) else "".join(text or ()) for text in texts)) == ""


def texts_of(game: Game, options: dict[str, Any], most: int) -> Iterator[str]:
    """All that is drawn and said at first in a random game, for everybody and for the seat that is asked."""
    batch = Batch(game, 1, events=True, **options)
    batch.seed(3)
    batch.start()
    for _ in range(most):
        state, events = batch.states[0], batch.last_events(0)
        for seat in (None, int(state.seat)):
            yield from (shape.text for shape in shapes_of(game, state, seat, events) if isinstance(shape, Label))
            yield from game.text.describe_position(state, seat)
        yield from (game.text.describe_event(state, event) for event in events)
        if state.over:
            break
        yield from (game.text.describe_action(state, int(action)) for action in np.flatnonzero(batch.masks[0]))
        batch.step(batch.sample())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_can_be_drawn_in_every_language(game: Game, language: str) -> None:
    with use_language(language):
        assert lacking("".join(texts_of(game, dict(game.metadata.benchmark_options), most=60))) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_preset_can_be_drawn_in_every_language(game: Game, options: dict[str, Any], language: str) -> None:
    """What a preset adds, its circuits, lands and pieces, is named from the first moment on."""
    with use_language(language):
        assert lacking("".join(texts_of(game, options, most=2))) == ""


def test_bold_letters_are_a_font_of_their_own() -> None:
    pictures = [rgb([Label(0, 0, "Mmm", "ink", 40, bold=bold)], 300, height=120) for bold in (False, True)]
    dark = [(255 - picture.astype(int)).sum() for picture in pictures]
    assert dark[1] > 1.2 * dark[0]
    assert font(40, True).getlength("Mmm") > font(40).getlength("Mmm")
