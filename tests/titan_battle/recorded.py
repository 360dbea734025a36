"""Recorded battles: what was asked, what was legal, what was answered and what the dice said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.titan_battle.reference import Battle
from tests.titan_battle.reference_data import DATA, KINDS
from titan_env.games.titan_battle import GAME
from titan_env.testing.scenario import Scenario

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


def heading(lines: list[str]) -> dict[str, Any]:
    """Read land, side, legions, what can be summoned and the supply from the first four lines of a record."""
    found = re.fullmatch(r"battle (\w+), side (\w), summon (\w+), titans of power 6", lines[0])
    assert found
    land, side, summon = found.groups()
    attacker, defender, supply = (line.split()[1:] for line in lines[1:4])
    facts = {"land": land, "side": side, "attacker": attacker, "defender": defender, "summon": summon}
    return {**facts, "supply": counted(supply)}


def begin(lines: list[str]) -> Battle:
    """Begin a recorded battle in the second implementation."""
    return Battle(**heading(lines)).start()


def set_up(lines: list[str]) -> Scenario:
    """Begin a recorded battle in the package, whose supply must be that of the record."""
    facts = heading(lines)
    supply = facts.pop("supply")
    states = GAME.rules.configure(**facts, attacker_seat=0)
    table = Scenario(GAME, states)
    GAME.rules.setup(table.state, table.luck[0])
    left = {kind for number, kind in enumerate(KINDS) if table.state.battle.supply >> number & 1}
    assert left == {kind for kind, count in supply.items() if count}
    return table


def moments(lines: list[str]) -> Iterator[tuple[str, str]]:
    """The rest of a record: positions ("--"), questions ("?") and the result ("==")."""
    for line in lines[4:]:
        mark = line[:2] if line[:2] in ("--", "==") else "?"
        yield mark, line.removeprefix(mark).strip()
