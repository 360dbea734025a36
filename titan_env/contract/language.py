"""The language in which words are said: English, unless somebody asks for another one.

Whoever has words to say has a `Words` of its own and says ``_("{who} draws a card", who=name)``. Beside it lie the
catalogues, one for each language, as gettext knows them: ``en.po`` lists what can be said, ``fr.po`` says it in French.
What a catalogue lacks is said in English.
"""

from __future__ import annotations

import functools
import gettext
import io
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ClassVar

from titan_env.extras import extra

ENGLISH = "en"
"""The language that the code itself is written in."""

_SPOKEN: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """The language that is spoken here and now."""
    return _SPOKEN.get()


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Speak this language while the block runs."""
    before = _SPOKEN.set(name)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def mark(text: str) -> str:
    """A text of a table, marked for the catalogue; it is said later, by `Words`."""
    return text


class Words:
    """What one part of the house says, with its catalogues in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, text: str, /, **values: Any) -> str:
        """A text in the language that is spoken, its gaps filled in."""
        said = self._catalogue().gettext(text) if text and _SPOKEN.get() != ENGLISH else text
        return said.format(**values) if values else said

    def many(self, one: str, more: str, count: int, /, **values: Any) -> str:
        """The text for one, or that for any other `count` of things; ``{n}`` in it is the count."""
        return self._catalogue().ngettext(one, more, count).format(n=count, **values)

    def languages(self) -> list[str]:
        """The languages that there are, English first."""
        return list(_languages(self.folder))

    def all(self) -> dict[str, str]:
        """Every text of the catalogue that is spoken, by the English one; nothing in English."""
        spoken = getattr(self._catalogue(), "_catalog", {})
        return {text: said for text, said in spoken.items() if isinstance(text, str) and text}

    def _catalogue(self) -> gettext.NullTranslations:
        return catalogue(self.folder, language())


class ToldLater(Exception):
    """An error that says why in the language of whoever reads it: `told`. As text it is English.

    Subclasses name the `words` in whose catalogues the reasons are.
    """

    words: ClassVar[Words]

    def __init__(self, why: str, **values: Any) -> None:
        """`why`: a text whose gaps the `values` fill."""
        super().__init__(why.format(**values) if values else why)
        self._why, self._values = why, values

    def __reduce__(self) -> Any:
        """It crosses to another process as it is."""
        return functools.partial(type(self), self._why, **self._values), ()

    def told(self) -> str:
        """Why, in the language that is spoken here and now."""
        return self.words(self._why, **self._values)


_ = Words(Path(__file__).parent / "languages")
"""What the contract itself says: complaints about options and positions."""


@functools.cache
def _languages(folder: Path) -> tuple[str, ...]:
    """The languages in a folder."""
    return ENGLISH, *sorted(path.stem for path in folder.glob("*.po") if path.stem != ENGLISH)


@functools.cache
def catalogue(folder: Path, name: str) -> gettext.NullTranslations:
    """The catalogue of a language; an empty one where the folder has none."""
    path = folder / f"{name}.po"
    if name == ENGLISH or not path.exists():
        return gettext.NullTranslations()
    with extra("web"):
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po
    compiled = io.BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=name))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
