"""Recorded battles: what was asked, what was legal, what was answered and what the dice said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.titan_battle.reference import Battle
from tests.titan_battle.reference_data import DATA

NAMES = sorted(path.stem for path in (DATA / "battles").glob("*.txt"))


@dataclass(frozen=True)
class Line:
    who: str
    ask: str
    legal: frozenset[str]
    answer: str
    chance: str


def read_line(line: str) -> Line:
    """Read `who ASK [legal answers] answer | what chance said`."""
    found = re.fullmatch(r"(\S+) ([A-Z_]+) \[(.*?)\] (\S+)(?: \| (.*))?", line)
    assert found, line
    who, question, legal, answer, chance = found.groups()
    return Line(who, question, frozenset(legal.split()), answer, chance or "")


def counted(words: list[str]) -> dict[str, int]:
    return {kind: int(count) for kind, count in zip(words[::2], words[1::2], strict=True)}


def lines_of(name: str) -> list[str]:
    text = (DATA / "battles" / f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def begin(lines: list[str]) -> Battle:
    """Set up a battle from the first four lines of its record."""
    found = re.fullmatch(r"battle (\w+), side (\w), summon (\w+), titans of power 6", lines[0])
    assert found
    land, side, summon = found.groups()
    attacker, defender, supply = (line.split()[1:] for line in lines[1:4])
    return Battle(land, side, attacker, defender, summon=summon, supply=counted(supply)).start()


def moments(lines: list[str]) -> Iterator[tuple[str, str]]:
    """The rest of a record: positions ("--"), questions ("?") and the result ("==")."""
    for line in lines[4:]:
        mark = line[:2] if line[:2] in ("--", "==") else "?"
        yield mark, line.removeprefix(mark).strip()
