"""The package and the second implementation replay the recorded battles, question by question."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.titan_battle.recorded import NAMES, begin, lines_of, moments, read_line, set_up
from tests.titan_battle.reference import Battle
from tests.titan_battle.reference_data import KINDS
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES
from titan_env.games.titan_battle.rules.state import GONE, OUTSIDE, SLOTS, Event, Result, Side
from titan_env.testing.scenario import Scenario

pytestmark = pytest.mark.thorough

BEFORE_STRIKES = {"MANEUVER", "REINFORCE", "SUMMON"}
"""Questions before which nothing has happened in a half: it stands as it began."""


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


def standing(battle: Any) -> list[str]:
    """Return everybody alive, as the records write them, in alphabetical order."""
    sentences = []
    for who, one in enumerate(battle.fighters):
        if one.hex < GONE and not one.slain:
            place = "outside" if one.hex == OUTSIDE else HEX_NAMES[one.hex]
            sentences.append(f"{'AD'[who // SLOTS]} {list(KINDS)[one.kind]} {place} {one.hits}")
    return sorted(sentences)


def play_ours(table: Scenario, line: str) -> None:
    """Answer as recorded, in the package: the same side is asked the same, and the same dice are rolled."""
    want, battle = read_line(line), table.state.battle
    asked = Side(int(battle.asked)).name.lower(), table.asked[0].upper(), set(table.legal())
    assert asked == (want.who, want.ask, set(want.legal))
    table.play(want.answer, chance=[hits for _, _, hits in dice(want.chance)])
    rolled = [tuple(event[1:]) for event in table.latest_events.tolist() if event[0] == Event.DICE]
    assert rolled == dice(want.chance)


@pytest.mark.parametrize("name", NAMES)
def test_the_package_replays_a_recorded_battle(name: str) -> None:
    lines = lines_of(name)
    table = set_up(lines)
    halves: list[str] = []
    for mark, text in moments(lines):
        battle = table.state.battle
        if mark == "--":
            halves.append(text)
        elif mark == "?":
            if halves and read_line(text).ask in BEFORE_STRIKES:
                course, _, outcome = halves[-1].partition(": ")
                assert course == f"round {battle.rounds_begun}, {Side(int(battle.half)).name.lower()}"
                assert sorted(outcome.split("; ")) == standing(battle)
            halves.clear()
            play_ours(table, text)
        else:
            result, _, outcome = text.partition(": ")
            ended = Result(int(battle.result)).name.lower().removesuffix("_wins").replace("_", "-")
            assert (bool(table.state.over), ended) == (True, result)
            assert sorted(filter(None, outcome.split("; "))) == standing(battle)
