"""The second implementation of the battle replays the recorded battles, question by question."""

from __future__ import annotations

import re

import pytest

from tests.titan_battle.recorded import NAMES, begin, lines_of, moments, read_line
from tests.titan_battle.reference import Battle


def dice(chance: str) -> list[tuple[int, int, int]]:
    """Read `hits 4 of 6 at 5` as (6, 5, 4)."""
    found = re.findall(r"hits (\d+) of (\d+) at (\d)", chance)
    return [(int(count), int(number), int(hits)) for hits, count, number in found]


def play(battle: Battle, line: str) -> None:
    """Answer as recorded: the same side is asked the same, and the same dice are rolled."""
    want = read_line(line)
    assert (battle.side_to_answer, battle.ask, battle.legal()) == (want.who, want.ask, set(want.legal))
    rolled = dice(want.chance)

    def hits(count: int, number: int) -> int:
        assert rolled[0][:2] == (count, number)
        return rolled.pop(0)[2]

    battle.answer(want.answer, hits)
    assert not rolled


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_battle_is_replayed(name: str) -> None:
    lines = lines_of(name)
    battle = begin(lines)
    halves = 0
    for mark, text in moments(lines):
        if mark == "--":
            assert battle.halves[halves] == text
            halves += 1
        elif mark == "?":
            assert halves == len(battle.halves), "every half that was begun is in the record"
            play(battle, text)
        else:
            assert not battle.ask
            assert f"{battle.result}: {battle.position()}" == text
