"""Reading of records: lines of bounded length, their chain of hashes, and errors with the line's number."""

from __future__ import annotations

import codecs
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from titan_env import registry
from titan_env.contract import Game
from titan_env.contract.translation import mark
from titan_env.play.opinions import LONGEST_LINE
from titan_env.records.hash_chain import as_text, link
from titan_env.records.translation import _

if TYPE_CHECKING:
    from titan_env.records.widget import ReplayWidget

FORMAT = 2
MOST_BLANK = 100
"""The bound on blank lines, which editors leave; others do not count as lines."""
MOST_LINE = 200_000
"""The bound on a line's bytes."""
WEIGHED = ("chances", "scores", "visits", "values")
"""The thoughts that are numbers by the sentence of an action."""
_MOST_SIDES = 2**15
_MOST_TOLD = 400
"""The bound on a reason's characters, which may quote a damaged file."""


class BadRecord(ValueError):
    """The error for a record that cannot be replayed, with the line and the reason in the current language."""

    def __init__(self, line: int, reason: str, /, **values: Any) -> None:
        """Make the error of a line; `reason` is a text whose placeholders the `values` fill."""
        super().__init__(_("line {line}: {reason}", line=line, reason=_(reason, **values)[:_MOST_TOLD]))
        self.line = line


def is_written_as(value: Any, expected: Any) -> bool:
    """Return whether a value of a line is the expected one in JSON, where 1, 1.0 and true differ."""
    return json.dumps(value) == json.dumps(expected)


@dataclass(frozen=True)
class Record:
    """A record as read: header, decisions, and the result if the game was played to its end."""

    game: Game
    header: Mapping[str, Any]
    decisions: Sequence[Mapping[str, Any]]
    result: Mapping[str, Any] | None

    def show(self) -> ReplayWidget:
        """Return a widget for notebooks that replays the game. Raises BadRecord where it does not replay."""
        from titan_env.records.widget import widget_of

        return widget_of(self)


class _Lines(Sequence[Mapping[str, Any]]):
    """Lines that are parsed at each access: as text they take a tenth of the memory."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return _Lines(self._lines[index])
        return json.loads(self._lines[index])


def read(source: str | Path) -> Record:
    """Read the record in a file. Raises BadRecord, with line and reason, for a damaged file or a newer format.

    An incomplete last line is dropped: every complete decision is kept.
    """
    with Path(source).open("rb") as file:
        return _record(file)


def parse(text: str) -> Record:
    """Read the record in a text; see `read`."""
    return _record(io.BytesIO(text.encode("utf-8", "surrogatepass")))


def _record(file: BinaryIO) -> Record:
    """Read the record in an open file."""
    lines = _bounded(file)
    header = _header(_line(1, next(lines, b"")))
    game = _game(header)
    chain = _check_chain(1, header, "")
    decisions: list[bytes] = []
    result = None
    for number, line in enumerate(lines, 2):
        try:
            data = _line(number, line)
        except BadRecord:
            if line.endswith(b"\n"):
                raise
            break  # the incomplete last line of a run that was killed
        if result is not None:
            raise BadRecord(number, mark("expected nothing after the result"))
        if "result" in data:
            result = data
            if not is_written_as(data.get("decisions"), len(decisions)):
                message = mark("expected {expected} decisions, got {got}: lines are gone")
                raise BadRecord(number, message, expected=data.get("decisions"), got=len(decisions))
        else:
            _decision(number, data, len(decisions) + 1)
            _check_thoughts(number, data, len(game.rules.actions))
            decisions.append(line)
        chain = _check_chain(number, data, chain)
    return Record(game, header, _Lines(decisions), result)


def _bounded(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file, without a byte order mark and blank lines. Raises BadRecord if one is too long."""
    number = blank = 0
    while line := file.readline(MOST_LINE + 1):
        number += 1
        if len(line) > MOST_LINE:
            message = mark("expected a line of at most {most} bytes, got a longer one: {got}")
            raise BadRecord(number, message, most=f"{MOST_LINE:,}", got=repr(line[:40]))
        if number == 1:
            if line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise BadRecord(1, mark("expected text in UTF-8, got UTF-16; save the file as UTF-8"))
            line = line.removeprefix(codecs.BOM_UTF8)
        if not line.strip() and blank < MOST_BLANK:
            blank += 1
            continue
        yield line


def _check_chain(number: int, line: Mapping[str, Any], before: str) -> str:
    """Return the link of a line. Raises BadRecord if the line was changed since it was written."""
    expected = link(before, line)
    if line.get("chain") != expected:
        message = mark("expected the chain {expected}, got {got}: the line was changed")
        raise BadRecord(number, message, expected=expected, got=repr(line.get("chain")))
    return expected


def _line(number: int, line: bytes) -> dict[str, Any]:
    """Return one line as a JSON object. Raises BadRecord if it is none, or could not be written again."""
    try:
        text = line.decode("utf-8")
        data = json.loads(text)
        as_text(data).encode("utf-8")
    except UnicodeDecodeError as error:
        message = mark("expected text, got {got} ({reason} at byte {place})")
        raise BadRecord(number, message, got=repr(line[:40]), reason=error.reason, place=error.start) from None
    except (ValueError, RecursionError) as error:
        message = mark("expected a line of JSON, got {got}: {error}")
        raise BadRecord(number, message, got=repr(text[:40]), error=error) from None
    if not isinstance(data, dict):
        raise BadRecord(number, mark("expected an object, got {got}"), got=repr(text[:40]))
    return data


def _header(data: dict[str, Any]) -> dict[str, Any]:
    """Return the header. Raises BadRecord for another format or invalid values."""
    made = data.get("format")
    if not isinstance(made, int) or isinstance(made, bool) or made < 1:
        message = mark("expected the header of a record, with its format, which is {format} here, got {got}")
        raise BadRecord(1, message, format=FORMAT, got=repr(made))
    if made != FORMAT:
        newer, older = (
            mark("made by a newer version, which can read it"),
            mark("made by an older version, which can read it"),
        )
        gone = registry.superseded(data["game"]) if isinstance(data.get("game"), str) else None
        why = gone or _(newer if made > FORMAT else older)
        raise BadRecord(1, mark("expected format {expected}, got {got}: {why}"), expected=FORMAT, got=made, why=why)
    _check(1, data, {"game": str, "options": dict, "agents": list, "chance": list, "hash": str})
    if not all(isinstance(agent, str) for agent in data["agents"]):
        raise BadRecord(1, mark("expected the names of agents, got {got}"), got=data["agents"])
    seed = data.get("seed")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**63):
        raise BadRecord(1, mark("expected a seed from 0 to {most}, or none, got {got}"), most=2**63 - 1, got=repr(seed))
    return data


def _game(header: Mapping[str, Any]) -> Game:
    """Return the game of a record. Raises BadRecord for an unknown game or another version of it."""
    name = registry.name_in(header["game"])
    try:
        game = registry.load(name)
    except ValueError as error:
        raise BadRecord(1, str(error)) from None
    if game.id != header["game"]:
        why = registry.superseded(header["game"]) or _("its rules are not those here")
        message = mark("expected a record of {expected}, got one of {got}: {why}")
        raise BadRecord(1, message, expected=game.id, got=header["game"], why=why)
    return game


def _decision(number: int, data: dict[str, Any], n: int) -> None:
    """Raise BadRecord unless a decision is complete and in order."""
    _check(number, data, {"n": int, "seat": int, "action": str, "say": str, "chance": list, "hash": str})
    if data["n"] != n:
        message = mark("expected decision {expected}, got {got}: lines are gone or out of order")
        raise BadRecord(number, message, expected=n, got=data["n"])


def _check(number: int, data: Mapping[str, Any], kinds: Mapping[str, type]) -> None:
    """Raise BadRecord unless a line has values of these types, and valid chance answers."""
    for name, kind in kinds.items():
        if not isinstance(data.get(name), kind) or isinstance(data[name], bool):
            message = mark("expected {name} as {kind}, got {got}")
            raise BadRecord(number, message, name=repr(name), kind=kind.__name__, got=repr(data.get(name)))
    if not all(type(answer) is int and 0 <= answer < _MOST_SIDES for answer in data["chance"]):  # True is none
        message = mark("expected answers of chance from 0 to {most}, got {got}")
        raise BadRecord(number, message, most=_MOST_SIDES - 1, got=data["chance"])


def _check_thoughts(number: int, data: Mapping[str, Any], most: int) -> None:
    """Raise BadRecord for thoughts that cannot be shown: other than texts, finite numbers, and probabilities."""
    if not isinstance(data.get("thought", ""), str):
        raise BadRecord(number, mark("expected 'thought' as a text, got {got}"), got=repr(data["thought"]))
    if not isinstance(data.get("by", ""), str):
        raise BadRecord(number, mark("expected 'by' as the name of an agent, got {got}"), got=repr(data["by"]))
    value, line = data.get("value", 0.0), data.get("line", [])
    if not _is_finite(value):
        raise BadRecord(number, mark("expected 'value' as a finite number, got {got}"), got=repr(value))
    if not isinstance(line, list) or len(line) > LONGEST_LINE or not all(isinstance(text, str) for text in line):
        message = mark("expected 'line' as up to {most} actions, got {got}")
        raise BadRecord(number, message, most=LONGEST_LINE, got=repr(line))
    for name in WEIGHED:
        weighed = data.get(name, {})
        if not isinstance(weighed, dict) or len(weighed) > most:
            message = mark("expected {name} of up to {most} actions, got {got}")
            raise BadRecord(number, message, name=repr(name), most=most, got=repr(weighed))
        if not all(map(_is_finite, weighed.values())):
            raise BadRecord(number, mark("expected {name} as finite numbers, got {got}"), name=repr(name), got=weighed)
    if not all(0 <= chance <= 1 for chance in data.get("chances", {}).values()):
        raise BadRecord(number, mark("expected 'chances' from 0 to 1, got {got}"), got=data["chances"])


def _is_finite(number: Any) -> bool:
    """Return whether it is a number that fits a finite float."""
    return isinstance(number, int | float) and not isinstance(number, bool) and abs(number) <= sys.float_info.max
