"""Translation of texts for people with gettext: English unless another language is set.

Each part of the package with texts has `Catalogue` of its own, called as ``_("{who} draws a card", who=name)``, and a
folder of catalogues, one for each language: ``fr.po`` translates them into French. Texts without a translation stay
English.
"""

from __future__ import annotations

import functools
import gettext
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ClassVar, ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")

ENGLISH = "en"
"""The language of the texts in the code."""

_SPOKEN: ContextVar[str] = ContextVar("language", default=ENGLISH)


_FOLDERS: list[Path] = []
"""The folders of all catalogues: those of the package, and those of games that are loaded.

A list, since a game may load in another thread while this one reads: appending disturbs no one who iterates.
"""


def language() -> str:
    """Return the language set in this context."""
    return _SPOKEN.get()


def known_languages() -> list[str]:
    """Return the languages in which anything here is translated, English first."""
    return [ENGLISH, *sorted({name for folder in _FOLDERS for name in languages_of(folder)} - {ENGLISH})]


@contextmanager
def use_language(name: str) -> Iterator[None]:
    """Set the language while the block runs. Raises ValueError for one in which nothing is translated."""
    if name not in known_languages():
        raise ValueError(f"expected a language among {', '.join(known_languages())}, got {name!r}")
    before = _SPOKEN.set(name)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def cached_by_language(most: int) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Return a decorator that keeps a function's `most` latest results by its arguments and the current language.

    They must depend on the arguments alone, which are hashable.
    """

    def decorate(function: Callable[Given, Made]) -> Callable[Given, Made]:
        @functools.lru_cache(most)
        def kept(_language: str, *args: Given.args, **kwargs: Given.kwargs) -> Made:
            return function(*args, **kwargs)

        @functools.wraps(function)
        def again(*args: Given.args, **kwargs: Given.kwargs) -> Made:
            return kept(_SPOKEN.get(), *args, **kwargs)  # type: ignore[arg-type]  # plain values are hashable

        return again

    return decorate


def mark(text: str) -> str:
    """Return the text unchanged: marks it for the catalogue where `Catalogue` translates it later."""
    return text


class Catalogue:
    """The translated texts of one part of the package, from the catalogues in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if folder not in _FOLDERS:
            _FOLDERS.append(folder)

    def __call__(self, text: str, /, **values: Any) -> str:
        """Return a text in the current language, its placeholders filled in."""
        translated = self._catalogue().gettext(text) if text and _SPOKEN.get() != ENGLISH else text
        return translated.format(**values) if values else translated

    def many(self, one: str, more: str, count: int, /, **values: Any) -> str:
        """Return the singular or plural text for `count` in the current language; ``{n}`` in it is the count."""
        return self._catalogue().ngettext(one, more, count).format(n=count, **values)

    def languages(self) -> list[str]:
        """Return the languages of the catalogues, English first."""
        return list(languages_of(self.folder))

    def all(self) -> dict[str, str]:
        """Return the current language's texts without plural: English text -> translation; {} in English."""
        spoken = self._catalogue()
        texts = spoken.texts if isinstance(spoken, PoCatalogue) else {}
        return {text: forms[0] for text, forms in texts.items() if len(forms) == 1}

    def _catalogue(self) -> gettext.NullTranslations:
        return load_catalogue(self.folder, language())


class PoCatalogue(gettext.NullTranslations):
    """The translations in the text of a ``.po`` file, as `tools.languages` writes it: blank lines between entries.

    >>> french = PoCatalogue('msgid "a die"\\nmsgid_plural "dice"\\nmsgstr[0] "un dé"\\nmsgstr[1] "dés"')
    >>> french.ngettext("a die", "dice", 2), french.gettext("a die"), french.gettext("a card")
    ('dés', 'un dé', 'a card')
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        entries = filter(None, map(_po_entry, text.split("\n\n")))
        self.texts = {
            entry["msgid"]: [translation for key, translation in entry.items() if "msgstr" in key] for entry in entries
        }
        plural = re.search(r"plural=(.+?);", "".join(self.texts.pop("", ())))
        self._form = gettext.c2py(plural[1] if plural else "n != 1")  # type: ignore[attr-defined]

    def gettext(self, message: str) -> str:
        """Return the translation of a text, of a plural's first form; the text itself where there is none."""
        return self.texts.get(message, ("",))[0] or message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the translation for `n` of them; the English one where there is none."""
        forms = self.texts.get(msgid1)
        return (forms and forms[self._form(n)]) or super().ngettext(msgid1, msgid2, n)


def _po_entry(lines: str) -> dict[str, str]:
    """Return an entry of a ``.po`` file: keyword (``msgid``, ``msgstr[0]``) -> text, written as in JSON."""
    entry: dict[str, str] = {}
    keyword = ""
    for line in lines.splitlines():
        if line.startswith("msg"):
            keyword, _space, line = line.partition(" ")
            entry[keyword] = ""
        if line.startswith('"'):
            entry[keyword] += json.loads(line)
    return entry


class TranslatableError(Exception):
    """An error whose message is translated when it is shown (`told`); as a plain text it is English.

    Subclasses name the `words` whose catalogues have its messages.
    """

    words: ClassVar[Catalogue]

    def __init__(self, why: str, **values: Any) -> None:
        """Make an error with the message `why`, whose placeholders the `values` fill."""
        super().__init__(why.format(**values) if values else why)
        self._why, self._values = why, values

    def __reduce__(self) -> Any:
        """Pickle the message and its values, so that other processes can translate it too."""
        return functools.partial(type(self), self._why, **self._values), ()

    def localized(self) -> str:
        """Return the message in the current language."""
        return self.words(self._why, **self._values)


_ = Catalogue(Path(__file__).parent / "languages")
"""The contract's own texts: errors about options and positions."""


@functools.cache
def languages_of(folder: Path) -> tuple[str, ...]:
    """Return the languages of a folder's catalogues, English first."""
    return ENGLISH, *sorted(path.stem for path in folder.glob("*.po") if path.stem != ENGLISH)


@functools.cache
def load_catalogue(folder: Path, name: str) -> gettext.NullTranslations:
    """Return the catalogue of a language; an empty one if the folder has none. Raises ValueError for a damaged one."""
    path = folder / f"{name}.po"
    if name == ENGLISH or not path.exists():
        return gettext.NullTranslations()
    try:
        return PoCatalogue(path.read_text("utf-8"))
    except Exception as error:  # any error: damaged bytes raise anything
        why = f"{type(error).__name__} {str(error)[:80]!r}"
        message = f"expected translations in {path}, which is damaged ({why}); install the package again"
        raise ValueError(message) from None
