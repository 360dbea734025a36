"""Two implementations of the same rules play the same wars: same questions, same choices, same record, same results."""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.titan_battle.recorded import read_line
from tests.titan_war.table import Pair
from tests.titan_war.test_recorded_wars import WARS
from titan_env.contract import COMPILED, preset
from titan_env.games.titan_war.rules.definition import PRESETS
from titan_env.games.titan_war.rules.state import Ask

WARS_EACH = int(os.environ.get("REFERENCE_WARS", 3 if COMPILED else 1))
"""Wars of each kind."""

VARIANTS: dict[str, dict[str, Any]] = {
    "six, stern": {"players": 6, "agreements": False, "concede": False},
    "six, lean": {"players": 6, "lean": True},
    "open": {"open": True},
    "four, open": {"players": 4, "open": True},
    "championship": {"mulligan": "2 or 5", "first_teleport": "not to a tower", "towers": "opposite"},
}


@pytest.mark.parametrize("name", [*PRESETS, *VARIANTS])
def test_random_wars_agree_question_for_question(name: str) -> None:
    for seed in range(WARS_EACH):
        pair = Pair(seed, **(PRESETS | VARIANTS)[name])
        assert pair.play_out() > 0


@pytest.mark.thorough
@pytest.mark.compiled
def test_every_question_is_met() -> None:
    seen: Counter[str] = Counter()
    for seed in range(100, 115):
        pair = Pair(seed, players=2 + seed % 3, agreements=False, concede=seed % 2 == 0)
        pair.play_out()
        seen += pair.seen
    assert set(seen) | {"ANSWER", "SUMMON_KIND"} == {ask.name for ask in list(Ask)[1:]}


def chance_of(words: str) -> list[int]:
    """What a recorded line lets chance answer, as the package asks it."""
    answers = []
    for word in filter(None, map(str.strip, words.split(";"))):
        if word.startswith("lot"):
            answers.append(int(word == "lot reversed"))
        elif word.startswith("die"):
            answers.append(int(word.split()[1]) - 1)
        else:
            answers.append(int(word.split()[1]))
    return answers


@pytest.mark.parametrize("path", WARS, ids=lambda path: path.stem)
def test_a_recorded_war_is_replayed(path: Path) -> None:
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    found = re.fullmatch(r"war of (\d), options (\{.*\}), towers (.*)", lines.pop(0))
    assert found
    options = ast.literal_eval(found[2])
    pair = Pair(0, [int(tower) for tower in found[3].split()], players=int(found[1]), limit=None, **options)
    for line in lines:
        if line.startswith(("--", "   ")):
            continue  # the table of the second implementation is held against these, and ours against it
        if line.startswith("=="):
            pair.check_end()
        else:
            want = read_line(line)
            assert (f"player_{int(pair.state.seat)}", set(pair.choices())) == (want.who, set(want.legal))
            pair.check_table()
            preset(pair.luck[0], chance_of(want.chance))
            pair.play(want.answer)
