"""Records as files: lines of bounded length, a chain through them, and what is wrong with a file, by its line."""

from __future__ import annotations

import hashlib
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from titan_env import registry
from titan_env.contract import Game

FORMAT = 2
MOST_LINE = 200_000
"""Bytes of a line."""
_MOST_SIDES = 2**15
_MOST_TOLD = 400
"""Letters of a reason: what it quotes from a damaged file may be of any length."""


class BadRecord(ValueError):
    """A record that cannot be replayed, with the line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason[:_MOST_TOLD]}")
        self.line = line


def link(before: str, line: Mapping[str, Any]) -> str:
    """16 hex digits of a line and all that is before it."""
    text = before + as_text({name: value for name, value in line.items() if name != "chain"})
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def as_text(line: Mapping[str, Any]) -> str:
    """A line as it stands in the file."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


@dataclass(frozen=True)
class Record:
    """A record as it was read: header, decisions, and the result if the game was played to its end."""

    game: Game
    header: Mapping[str, Any]
    decisions: Sequence[Mapping[str, Any]]
    result: Mapping[str, Any] | None


class _Lines(Sequence[Mapping[str, Any]]):
    """Lines that are understood whenever somebody looks at one: as text they take a tenth of the room."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return _Lines(self._lines[place])
        return json.loads(self._lines[place])


def read(source: str | Path) -> Record:
    """The record in a file. Raises BadRecord, with line and reason, where it is damaged or made by something newer.

    A last line that is half written is dropped: every whole decision is kept.
    """
    with Path(source).open("rb") as file:
        return _record(file)


def parse(text: str) -> Record:
    """The record in a text; see `read`."""
    return _record(io.BytesIO(text.encode("utf-8", "surrogatepass")))


def _record(file: BinaryIO) -> Record:
    """The record in an open file."""
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
            break  # a run that was killed has left half a line
        if result is not None:
            raise BadRecord(number, "expected nothing after the result")
        if "result" in data:
            result = data
            if data.get("decisions") != len(decisions):
                got = f"got {len(decisions)}: lines are gone"
                raise BadRecord(number, f"expected {data.get('decisions')} decisions, {got}")
        else:
            _decision(number, data, len(decisions) + 1)
            _check_thoughts(number, data, len(game.actions))
            decisions.append(line)
        chain = _check_chain(number, data, chain)
    return Record(game, header, _Lines(decisions), result)


def _bounded(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, one at a time."""
    number = 0
    while line := file.readline(MOST_LINE + 1):
        number += 1
        if len(line) > MOST_LINE:
            raise BadRecord(number, f"expected a line of at most {MOST_LINE:,} bytes, got a longer one: {line[:40]!r}")
        yield line


def _check_chain(number: int, line: Mapping[str, Any], before: str) -> str:
    """The link of a line, if nothing in it has changed since it was written."""
    expected = link(before, line)
    if line.get("chain") != expected:
        raise BadRecord(number, f"expected the chain {expected}, got {line.get('chain')!r}: the line was changed")
    return expected


def _line(number: int, line: bytes) -> dict[str, Any]:
    """One line as an object, which could be written again."""
    try:
        text = line.decode("utf-8")
        data = json.loads(text)
        as_text(data).encode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRecord(number, f"expected text, got {line[:40]!r} ({error.reason} at byte {error.start})") from None
    except (ValueError, RecursionError) as error:
        raise BadRecord(number, f"expected a line of JSON, got {text[:40]!r}: {error}") from None
    if not isinstance(data, dict):
        raise BadRecord(number, f"expected an object, got {text[:40]!r}")
    return data


def _header(data: dict[str, Any]) -> dict[str, Any]:
    """The header, if it is one that can be read here."""
    made = data.get("format")
    if not isinstance(made, int) or isinstance(made, bool) or made < 1:
        raise BadRecord(1, f"expected the header of a record, with its format, which is {FORMAT} here, got {made!r}")
    if made != FORMAT:
        age = "a newer" if made > FORMAT else "an older"
        gone = registry.superseded(data["game"]) if isinstance(data.get("game"), str) else None
        why = gone or f"made by {age} version, which can read it"
        raise BadRecord(1, f"expected format {FORMAT}, got {made}: {why}")
    _check(1, data, {"game": str, "options": dict, "agents": list, "chance": list, "hash": str})
    if not all(isinstance(agent, str) for agent in data["agents"]):
        raise BadRecord(1, f"expected the names of agents, got {data['agents']}")
    seed = data.get("seed")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**63):
        raise BadRecord(1, f"expected a seed from 0 to {2**63 - 1}, or none, got {seed!r}")
    return data


def _game(header: Mapping[str, Any]) -> Game:
    """The game of a record, in the version that it was played in."""
    name = registry.name_in(header["game"])
    try:
        game = registry.load(name)
    except ValueError as error:
        raise BadRecord(1, str(error)) from None
    if game.id != header["game"]:
        why = registry.superseded(header["game"]) or "its rules are not those here"
        raise BadRecord(1, f"expected a record of {game.id}, got one of {header['game']}: {why}")
    return game


def _decision(number: int, data: dict[str, Any], n: int) -> None:
    """Whether a decision is whole and in order."""
    _check(number, data, {"n": int, "seat": int, "action": str, "say": str, "chance": list, "hash": str})
    if data["n"] != n:
        raise BadRecord(number, f"expected decision {n}, got {data['n']}: lines are gone or out of order")


def _check(number: int, data: Mapping[str, Any], kinds: Mapping[str, type]) -> None:
    """Whether a line has what it must have."""
    for name, kind in kinds.items():
        if not isinstance(data.get(name), kind) or isinstance(data[name], bool):
            raise BadRecord(number, f"expected {name!r} as {kind.__name__}, got {data.get(name)!r}")
    if not all(isinstance(answer, int) and 0 <= answer < _MOST_SIDES for answer in data["chance"]):
        raise BadRecord(number, f"expected answers of chance from 0 to {_MOST_SIDES - 1}, got {data['chance']}")


def _check_thoughts(number: int, data: Mapping[str, Any], most: int) -> None:
    """Whether an agent's thoughts, where there are some, can be shown: words, a value, the chances of its actions."""
    if not isinstance(data.get("thought", ""), str):
        raise BadRecord(number, f"expected 'thought' as a text, got {data['thought']!r}")
    value, chances = data.get("value", 0.0), data.get("chances", {})
    if not _is_finite(value):
        raise BadRecord(number, f"expected 'value' as a finite number, got {value!r}")
    if not isinstance(chances, dict) or len(chances) > most:
        raise BadRecord(number, f"expected 'chances' of up to {most} actions, got {chances!r}")
    if not all(_is_finite(chance) and 0 <= chance <= 1 for chance in chances.values()):
        raise BadRecord(number, f"expected 'chances' from 0 to 1, got {chances}")


def _is_finite(number: Any) -> bool:
    """Whether it is a number, and one that fits a float."""
    return isinstance(number, int | float) and not isinstance(number, bool) and abs(number) <= sys.float_info.max
