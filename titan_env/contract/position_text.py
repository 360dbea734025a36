"""Building blocks of position texts: formats and bounds of fields, kinds of lines, and the layout of a whole text."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from titan_env.contract.translation import Catalogue, _

Bounds = Mapping[str, tuple[int, int]]
"""Field name -> its lowest and highest number."""
NOTHING, YES_OR_NO = (0, 0), (0, 1)
_OTHER_HEADING = re.compile(r"\w{1,40}_v\d+")
_LONGEST_SHOWN = 120
"""Letters of a line that are shown in an error about it."""


class FieldFormat(Protocol):
    """The text form of one field's numbers."""

    def write(self, number: int) -> str:
        """Return a number's text."""

    def read(self, word: str) -> int:
        """Return the number of a text. Raises ValueError for an invalid one."""

    def __hash__(self) -> int:
        """Return a hash, as texts are kept by format."""


FieldFormats = Mapping[str, FieldFormat]
"""Field name -> its notation."""


class Word:
    """The notation of numbers that have names, in lower case."""

    def __init__(self, names: Mapping[str, int]) -> None:
        self._names = {int(number): name.lower() for name, number in names.items()}
        self._numbers = {name: number for number, name in self._names.items()}

    def write(self, number: int) -> str:
        """Return a number's name; its digits if it has none."""
        return self._names.get(int(number), str(int(number)))

    def read(self, word: str) -> int:
        """Return the number with this name. Raises ValueError for an unknown one."""
        expect_known(word, self._numbers)
        return self._numbers[word]


class Number:
    """The notation of plain numbers, within the range of their field's dtype."""

    def __init__(self, field: np.dtype[Any]) -> None:
        bounds = np.iinfo(field.base)
        self._low, self._high = int(bounds.min), int(bounds.max)

    def write(self, number: int) -> str:
        """Return a number's digits."""
        return str(int(number))

    def read(self, word: str) -> int:
        """Return the number of these digits. Raises ValueError for other texts and numbers out of the dtype's range."""
        if not word.removeprefix("-").isdecimal() or not self._low <= int(word) <= self._high:
            bounds = {"low": self._low, "high": self._high}
            raise ValueError(_("expected a number from {low} to {high}, got {got}", **bounds, got=repr(word)))
        return int(word)


def numbers(record: np.dtype[Any], apart: Set[str]) -> dict[str, Number]:
    """Return a notation of plain numbers for each field of a record but those in `apart`."""
    return {name: Number(record[name]) for name in record.names or () if name not in apart}


def read_word(fields: FieldFormats, name: str, word: str) -> int:
    """Return the number that a word gives a field. Raises ValueError, which names the field."""
    try:
        return fields[name].read(word)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def check_bounds(record: Any, bounds: Bounds, whose: str = "") -> None:
    """Raise ValueError unless all numbers of a record lie within their bounds; `whose` begins the field's name."""
    for name, (low, high) in bounds.items():
        for number in np.ravel(record[name]).tolist():
            if not low <= number <= high:
                span = _("{low} to {high}", low=low, high=high) if high > low else f"{low}"
                message = _("expected {name} {expected}, got {got}", name=f"{whose}{name}", expected=span, got=number)
                raise ValueError(message)


def expect(holds: object, message: str) -> None:
    """Raise ValueError with a message unless something holds."""
    if not holds:
        raise ValueError(message)


def expect_known(name: str, known: Collection[str]) -> None:
    """Raise ValueError unless a name is among those that are known."""
    expect(name in known, _("expected one of {known}, got {got}", known=", ".join(known), got=repr(name)))


def has_legal_action(legal: Callable[[Any, Any], Any], state: Any, actions: int) -> bool:
    """Return whether a game's `legal` sets any of the mask's `actions`."""
    mask = np.zeros(actions, np.int8)
    legal(state, mask)
    return bool(mask.any())


def is_index(text: str, size: int) -> bool:
    """Return whether a text is a number from 0 to `size` - 1, as keys of pictures have them."""
    return text in map(str, range(size))


# Records within a line


def differing_fields(
    record: Any, usual: Any, fields: FieldFormats, always: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Return name and text of the fields whose bytes differ in two records of one layout, or that `always` stand."""
    return differing_in_bytes(record.tobytes(), usual.tobytes(), record.dtype, fields, always)


def differing_in_bytes(
    own: bytes, other: bytes, record: np.dtype[Any], fields: FieldFormats, always: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Return name and text of the fields that differ in the bytes of two records, or that `always` stand."""
    cut, numbers = _spans(record, tuple(fields))
    return [
        (name, _field_text(fields[name], data, number))
        for name, data, usual, number in zip(fields, cut(own), cut(other), numbers, strict=False)
        if data != usual or name in always
    ]


@functools.cache
def _spans(record: np.dtype[Any], names: tuple[str, ...]) -> tuple[Callable[[bytes], tuple[bytes, ...]], list[str]]:
    """Return a function that cuts these fields' bytes out of a record's, and the dtypes of their numbers.

    The function returns no bytes behind the fields, so that even one field comes in a tuple.
    """
    fields = [record.fields[name][:2] for name in names]  # type: ignore[index]
    spans = [slice(begin, begin + kind.itemsize) for kind, begin in fields]
    return operator.itemgetter(*spans, slice(0, 0)), [kind.base.str for kind, _begin in fields]


@functools.lru_cache(16_384)
def _field_text(field: FieldFormat, data: bytes, numbers: str) -> str:
    """Return the text of a field's numbers from its bytes; most fields stay as they are from position to position."""
    return " ".join(map(field.write, np.frombuffer(data, numbers).tolist()))


def write_items(record: Any, usual: Any, fields: FieldFormats, always: Collection[str] = ()) -> list[str]:
    """Return ``name=number`` for those fields of a record that differ from the `usual` one, or are `always` written."""
    return [f"{name}={text}" for name, text in differing_fields(record, usual, fields, always)]


def read_items(items: Iterable[str], fields: FieldFormats, whose: str) -> dict[str, int]:
    """Return the numbers that items ``name=number`` give fields. Raises ValueError for an unknown or second name."""
    numbers: dict[str, int] = {}
    for item in items:
        name, _sep, word = item.partition("=")
        expect_known(name, fields)
        expect(name not in numbers, _("expected one {key} of {name}, got another", key=name, name=whose))
        numbers[name] = read_word(fields, name, word)
    return numbers


# Lines


class TextLine(NamedTuple):
    """A line of a text: its number from 1 on, and ``name: value``; the name of a drawn line is empty."""

    number: int
    name: str
    value: str


@contextmanager
def at_line(number: int) -> Iterator[None]:
    """Begin a ValueError of this block with the number of a line."""
    try:
        yield
    except ValueError as error:
        raise ValueError(_("line {number}: {error}", number=number, error=error)) from None


@dataclass(frozen=True)
class LineKind:
    """Lines of one kind: what they are named, and how they are written and read."""

    names: tuple[str, ...]
    """Their names; "hand N" stands for "hand 0", "hand 1" and so on."""
    write: Callable[[Any, Any], Iterable[str]]
    """``write(state, usual)`` returns the lines of a state, without those that are as in the `usual` state."""
    read: Callable[[Any, str, str], None] | None = None
    """``read(state, name, value)`` sets in a state what a line says; None: its game reads them itself."""
    may_repeat: bool = False
    """Several lines may have the same name."""

    def has(self, name: str) -> bool:
        """Return whether lines of this name are of this kind."""
        word, blank, _rest = name.partition(" ")
        return name in self.names or (bool(blank) and any(known.startswith(f"{word} ") for known in self.names))


def field_lines(fields: FieldFormats, always: Collection[str] = (), part: str = "") -> LineKind:
    """Return the kind of lines with a field each: a number, or as many as the field has.

    A field is written if it is not as usual, or `always`. The fields are those of the state, or of its record `part`.
    """

    def write(state: Any, usual: Any) -> list[str]:
        record, other = (state[part], usual[part]) if part else (state, usual)
        return [f"{name}: {text}" for name, text in differing_fields(record, other, fields, always)]

    def read(state: Any, name: str, value: str) -> None:
        record = state[part] if part else state
        shape = np.shape(record[name])
        numbers = [read_word(fields, name, word) for word in (value.split() if shape else [value])]
        most, count = int(np.prod(shape)), len(numbers)
        expect(count == most, _("expected {most} numbers for {name}, got {n}", most=most, name=name, n=count))
        record[name] = numbers if shape else numbers[0]

    return LineKind(tuple(fields), write, read)


def agenda_lines(due: FieldFormat, effect: FieldFormat) -> LineKind:
    """Return the kind of lines with an effect of the agenda each: its name and its four numbers."""

    def write(state: Any, usual: Any) -> Iterator[str]:
        for kind, *numbers in state.agenda[: state.due].tolist():
            yield f"due: {due.write(kind)} {' '.join(map(effect.write, numbers))}"

    def read(state: Any, name: str, value: str) -> None:
        words, (most, size) = value.split(), state.agenda.shape
        message = _("expected at most {most} effects with four numbers each, got {got}", most=most, got=repr(value))
        expect(state.due < most and len(words) == size, message)
        state.agenda[state.due] = [due.read(words[0]), *map(effect.read, words[1:])]
        state.due += 1

    return LineKind(("due",), write, read, may_repeat=True)


# Whole texts


@dataclass(frozen=True)
class PositionLayout:
    """The lines of a position's text: a heading, then lines of each kind, among them those of a drawing."""

    heading: str
    kinds: tuple[LineKind, ...]
    """The kinds of lines, in the order in which they are written, and read."""
    neither: str
    """The sentence, with a gap for what is `{got}`, about a line that is neither drawn nor has a name."""
    words: Catalogue
    """The catalogue that has this sentence."""
    is_drawn: Callable[[str], bool] = lambda line: False
    """Whether a line belongs to the drawing."""
    columns: str = ""
    """The letters above or below the columns of a drawing; a line of such letters alone is passed over."""

    def write(self, state: Any, usual: Any) -> str:
        """Return the text of a state; `usual` is what is read where nothing is said."""
        return "\n".join(self.lines(state, usual)) + "\n"

    def lines(self, state: Any, usual: Any) -> list[str]:
        """Return the lines of the text of a state."""
        lines = [self.heading]
        for kind in self.kinds:
            lines.extend(kind.write(state, usual))
        return lines

    def split(self, text: str) -> tuple[list[TextLine], list[TextLine]]:
        """Return the drawn lines of a text and those with a name. Raises ValueError, which names the line."""
        drawn: list[TextLine] = []
        named: list[TextLine] = []
        for number, line in enumerate(text.splitlines(), 1):
            bare = line.strip()
            if bare == self.heading or set("".join(bare.split())) <= set(self.columns):
                continue
            with at_line(number):
                if number == 1 and _OTHER_HEADING.fullmatch(bare):
                    message = _("expected a position of {heading}, got one of {got}", heading=self.heading, got=bare)
                    raise ValueError(message)
                if self.is_drawn(line):
                    drawn.append(TextLine(number, "", line))
                else:
                    named.append(self._named(number, bare, {other.name for other in named}))
        return drawn, named

    def _named(self, number: int, line: str, names: Set[str]) -> TextLine:
        """Return a line with a name, which must be known, and not be among the `names` unless it may repeat."""
        name, colon, value = (part.strip() for part in line.partition(":"))
        expect(colon, self.words(self.neither, got=repr(line[:_LONGEST_SHOWN])))
        kind = next((kind for kind in self.kinds if kind.has(name)), None)
        if kind is None:
            expect_known(name, [known for kind in self.kinds for known in kind.names])
        elif not kind.may_repeat:
            expect(name not in names, _("expected one line of {name}, got another", name=repr(name)))
        return TextLine(number, name, value)

    def read(self, state: Any, lines: Sequence[TextLine], kinds: Sequence[LineKind] | None = None) -> None:
        """Set in a state what lines say, all or those of some kinds. Raises ValueError, which names the line."""
        for kind in self.kinds if kinds is None else kinds:
            for line in lines if kind.read else ():
                if kind.has(line.name):
                    with at_line(line.number):
                        kind.read(state, line.name, line.value)  # type: ignore[misc]
