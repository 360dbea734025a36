"""The second implementation of the war replays the recorded wars, question by question."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.titan_battle.recorded import read_line
from tests.titan_war.reference import War
from tests.titan_war.reference_lands import DATA

pytestmark = pytest.mark.thorough

WARS = sorted((DATA / "wars").glob("*.txt"))


class Recorded:
    """Chance that answers as a line of a record says, and nothing else."""

    def __init__(self, words: str) -> None:
        self.left = [word.strip() for word in words.split(";") if word.strip()]

    def die(self) -> int:
        return int(self._next(r"die (\d)")[0])

    def reversed_lot(self) -> bool:
        return self._next(r"lot (reversed|titan first)")[0] == "reversed"

    def hits(self, dice: int, number: int) -> int:
        hits, of, at = self._next(r"hits (\d+) of (\d+) at (\d)")
        assert (int(of), int(at)) == (dice, number)
        return int(hits)

    def _next(self, pattern: str) -> tuple[str, ...]:
        found = re.fullmatch(pattern, self.left.pop(0))
        assert found
        return found.groups()


def begin(line: str) -> War:
    """Set up a war from the first line of its record."""
    found = re.fullmatch(r"war of (\d), options (\{.*\}), towers (.*)", line)
    assert found
    towers = [int(tower) for tower in found[3].split()]
    assert len(towers) == int(found[1])
    return War(towers, **ast.literal_eval(found[2])).start()


def play(war: War, line: str) -> None:
    want = read_line(line)
    assert (f"player_{war.seat}", war.ask, war.legal()) == (want.who, want.ask, set(want.legal))
    chance = Recorded(want.chance)
    war.answer(want.answer, chance)
    assert not chance.left, "chance was asked everything that the record has"


@pytest.mark.parametrize("path", WARS, ids=lambda path: path.stem)
def test_a_recorded_war_is_replayed(path: Path) -> None:
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    war = begin(lines.pop(0))
    written: list[str] = []
    for line in [*lines, ""]:
        if line.startswith("   "):
            written.append(line.strip())
            continue
        if written:
            now = [war.table.summary(), *war.table.position()]
            assert [written[0], *sorted(written[1:])] == (war.turn_began if war.ask else now)
            written = []
        if line.startswith("--"):
            written = [line.removeprefix("-- ")]
        elif line.startswith("=="):
            assert line == f"== won {sorted(war.table.won)}"
            assert not war.ask
        elif line:
            play(war, line)
