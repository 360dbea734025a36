"""Every game is told entirely in each language that it speaks: in whole games no English word is shown.

The language of these tests writes each text that the catalogues of all languages translate in full-width letters. A
word in plain letters is then one that nobody has marked for translation, or that a catalogue lacks.
"""

from __future__ import annotations

import copy
import functools
import gettext
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from titan_env import registry
from titan_env.contract import Game, translation
from titan_env.contract.shapes import Label
from titan_env.contract.translation import ENGLISH, use_language
from titan_env.engine.batch import Batch
from titan_env.pictures.render import shapes_of
from tools.languages import read

MARKED = "marked"
DECISIONS = 400
"""Decisions after which no other game is begun."""
MOMENTS = 60
"""Moments that are looked at, besides the first one of each kind of question."""
WORD = re.compile(r"[A-Za-z]{2,}")
COMPLAINT = re.compile(r"\b(expected|got|the|of|with|each|must|is|are)\b")
"""Words of complaints that are in no notation."""
NAMES = {
    "titan_race": "Rassik Ragnarok Craken Grinder Slaugg Chtooloo Ch Cr Gr Ra Rg Sl "
    "Salah Olaf Captain Braxlix She ena Lord Greed Itag hn",
    "tiny_turbo_cars": "Dame Liner Brick Gang Sonic Fish Grim Levingo Lapin Piou Racer Dogtor Turbobot II III "
    "Dl Bg Sf Gl Ml Pr Do Tb",
}
"""Names of one's own, the same in every language."""

SPOKEN = {name: set(registry.load(name).languages) - {ENGLISH} for name in registry.names()}
"""The languages of each game besides English."""


def wide(text: str) -> str:
    """The text in full-width letters, but for what stands in braces."""
    return "".join(
        part if part.startswith("{") else re.sub("[A-Za-z]", lambda letter: chr(ord(letter[0]) + 0xFEE0), part)
        for part in re.split(r"(\{\w+\})", text)
    )


def messages_of(game: str) -> list[Any]:
    """The messages of a game's French catalogue: a text, or a pair of texts for one and for more."""
    path = Path(registry.load(game).metadata.folder, "languages", "fr.po")
    return [message.id for message in read(path) if message.id]


def test_a_game_that_loads_while_a_text_is_asked_for_disturbs_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translation, "_FOLDERS", copy.copy(translation._FOLDERS))
    known = translation.known_languages()

    def languages_while_a_game_loads(folder: Path) -> list[str]:
        translation.Catalogue(tmp_path)
        return real(folder)

    real = translation.languages_of
    monkeypatch.setattr(translation, "languages_of", languages_while_a_game_loads)
    with use_language("fr"):
        assert translation.known_languages() == known


@pytest.mark.parametrize("name", SPOKEN)
def test_a_number_of_things_has_a_form_for_one(name: str) -> None:
    """A noun that has a singular in one sentence has it in all, but for ranges that are never of one."""
    if not SPOKEN[name]:
        pytest.skip("no catalogue lists the messages")
    messages = [message for game in SPOKEN if SPOKEN[game] for message in messages_of(game)]
    counted = {
        thing for pair in messages if isinstance(pair, tuple) for thing in re.findall(r"\{n\} (\w+s)\b", pair[1])
    }
    assert len(counted) > 5
    plural = re.compile(rf"(?<!up to )\{{n\}} ({'|'.join(counted)})\b")
    assert [text for text in messages_of(name) if isinstance(text, str) and plural.search(text)] == []


def translated(path: Path) -> set[str]:
    """The texts that a catalogue translates."""
    messages = read(path) if path.exists() else ()
    return {text for message in messages for text in np.atleast_1d(message.id).tolist()}


class Wide(gettext.NullTranslations):
    """The texts that every one of some catalogues translates, in full-width letters."""

    def __init__(self, paths: list[Path]) -> None:
        super().__init__()
        self._known = set.intersection(*map(translated, paths))

    def gettext(self, message: str) -> str:
        return wide(message) if message in self._known else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture(params=[name for name, spoken in SPOKEN.items() if spoken])
def translated_game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """A game, told in full-width letters where its catalogues of all languages translate it."""
    name = request.param

    @functools.cache
    def catalogue(folder: Path, language: str) -> gettext.NullTranslations:
        if language == ENGLISH:
            return gettext.NullTranslations()
        return Wide([folder / f"{spoken}.po" for spoken in sorted(SPOKEN[name])])

    monkeypatch.setattr(translation, "load_catalogue", catalogue)
    monkeypatch.setattr(translation, "known_languages", lambda: [ENGLISH, MARKED])
    with use_language(MARKED):
        yield registry.load(name)


def english(game: Game, texts: Any) -> str:
    """The first texts with a word in plain letters, but for names, in lines."""
    names = set(NAMES.get(game.name, "").split())
    return "\n".join(sorted({text for text in texts if set(WORD.findall(text)) - names})[:30])


def form_texts(game: Game) -> Iterator[str]:
    """The texts of the form in which a game is begun."""
    form = game.presentation.setup_form()
    for preset in form.presets:
        yield from (preset.title, preset.about)
    for question in form.questions:
        yield from (question.title, question.about)
        for choice in (*question.choices, *question.pieces):
            yield from (choice.title, choice.about, *picture_texts(choice.picture))
    first_game = game.presentation.first_game
    yield from (step.text for step in first_game().steps) if first_game else ()


def picture_texts(shapes: Any) -> Iterator[str]:
    """The texts of a picture: labels, and what is said when a thing is pointed at."""
    for shape in shapes:
        yield shape.title
        if isinstance(shape, Label):
            yield shape.text


def moment_texts(game: Game, state: Any, before: Any, events: Any) -> Iterator[str]:
    """The texts of a moment: picture, position, question, deeds, reasons, and what has happened."""
    for narrow in (False, True):
        yield from picture_texts(shapes_of(game, state, int(state.seat), events, before, narrow))
    for seat in (None, int(state.seat)):
        yield from game.text.describe_position(game.rules.seen_by(state, seat), seat)
    yield from (game.text.describe_action(state, int(action)) for action in np.flatnonzero(game.rules.mask(state)))
    yield from game.illegal_reasons(state)
    look = game.presentation
    yield from (run.title for run in look.handovers(state)) if look.handovers else ()
    yield from (left.text for left in look.reminders(state)) if look.reminders and not state.over else ()
    yield look.turn_title(state) if look.turn_title else ""
    yield from (throw.name for throw in look.dice(before, events)) if look.dice and before is not None else ()


def walk(game: Game) -> Iterator[tuple[Any, Any, Any]]:
    """The moments of random games of one preset after the other: the position, the one before, the events between."""
    seen = 0
    for seed, options in enumerate(itertools.cycle(game.rules.presets.values())):
        batch, before = Batch(game, 1, events=True, **options), None
        batch.seed(seed)
        batch.start()
        while True:
            state = batch.states[0].copy()
            yield state, before, batch.last_events(0).copy()
            if state.over:
                break
            before, seen = state, seen + 1
            batch.step(batch.sample())
        if seen > DECISIONS:
            return


def test_no_word_of_a_form_or_a_glossary_is_left_in_english(translated_game: Game) -> None:
    notes = translated_game.text.glossary().values()
    assert english(translated_game, form_texts(translated_game)) == ""
    assert english(translated_game, (text for note in notes for text in (note.name, note.text))) == ""


@pytest.mark.thorough
def test_no_word_of_whole_games_is_left_in_english(translated_game: Game) -> None:
    moments = list(walk(translated_game))
    looked_at = {int(at) for at in np.linspace(0, len(moments) - 1, MOMENTS)}
    asks: set[tuple[int, bool]] = set()
    texts: set[str] = set()
    for at, (state, before, events) in enumerate(moments):
        texts |= {translated_game.text.describe_event(state, event) for event in events}
        if at in looked_at or (int(state.ask), bool(state.over)) not in asks:
            texts.update(moment_texts(translated_game, state, before, events))
        asks.add((int(state.ask), bool(state.over)))
    assert len(texts) > MOMENTS
    assert english(translated_game, texts) == ""


def complaints(game: Game, states: list[Any]) -> Iterator[str]:
    """What is said of nonsense: as an option, in the text of a position, and of things that are put elsewhere."""
    for option in game.rules.options:
        for nonsense in ("nonsense", "a\nb", -1, 10**6, [], ["nonsense", "nonsense"], {}):
            yield from refused(lambda option=option, nonsense=nonsense: game.rules.configure(**{option: nonsense}))
    for state in states:
        lines = game.text.position_text(state).splitlines()
        for at, line in enumerate(lines):
            for wrong_lines in (
                (),
                (line, line),
                (line.replace(":", ": ?"),),
                (line[:-1],),
                ("?" + line,),
                (line + " 7",),
            ):
                text = "\n".join([*lines[:at], *wrong_lines, *lines[at + 1 :]])
                yield from refused(lambda text=text: read_and_checked(game, text))
        if game.presentation.edit_position is not None:
            keys = sorted({shape.key for shape in shapes_of(game, state) if shape.key})[:: 1 + len(states)]
            for what, where in itertools.product([*keys[:9], "nonsense", "piece:99"], [*keys[-5:], "", "nowhere"]):
                yield from refused(lambda state=state, what=what, where=where: put(game, state.copy(), what, where))


def refused(do: Any) -> Iterator[str]:
    """The complaint of a call, if it has one."""
    try:
        do()
    except (ValueError, TypeError) as error:
        yield str(error)


def read_and_checked(game: Game, text: str) -> None:
    """A position from its text, refused where it cannot be played on from."""
    game.text.validate_position(game.text.parse_position(text)[0])


def put(game: Game, state: Any, what: str, where: str) -> None:
    """A thing is put elsewhere, and the position refused where it cannot be played on from."""
    edit = game.presentation.edit_position
    assert edit is not None
    edit(state, what, where)
    game.text.validate_position(state)


@pytest.mark.thorough
def test_no_word_of_a_complaint_is_left_in_english(translated_game: Game) -> None:
    moments = [state for state, _before, _events in itertools.islice(walk(translated_game), DECISIONS)]
    states = [moments[int(at)] for at in np.linspace(0, len(moments) - 1, 5)]
    sentences = {re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "", text) for text in complaints(translated_game, states)}
    assert len(sentences) > 20
    assert sorted(text for text in sentences if COMPLAINT.search(text))[:30] == []
