"""A card can be checked: its agents, its blocks, and blocks drawn by lot are played again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.cards import change, run
from titan_env.contract import Game
from titan_env.evaluation.benchmark import benchmark


@pytest.fixture
def card(pig: Game, tmp_path: Path) -> Path:
    """The card of an agent that has won some blocks and lost others."""
    out = tmp_path / "card.json"
    assert run(benchmark.main, "constant:hold", "--out", str(out))[0] == 0
    return out


def test_blocks_drawn_by_lot_come_out_as_on_the_card(card: Path) -> None:
    code, text = run(benchmark.main, str(card), "--check", "--seed", "5")
    assert code == 0
    assert "card.json: blocks drawn with --seed 5 played again" in " ".join(text.split())
    assert re.findall(r"(\w+) +│ 24 +│ (\d) +│ (\w+)", text) == [("two", "2", "yes"), ("three", "2", "yes")]


def _all_won(entries: dict[str, Any]) -> None:
    for block in entries["tasks"][0]["blocks"]:
        block[1] = [1.0] * len(block[1])


def _more_games(entries: dict[str, Any]) -> None:
    for block in entries["tasks"][0]["blocks"]:
        block[1] = [*block[1], block[1][0]]


def _other_decisions(entries: dict[str, Any]) -> None:
    for block in entries["tasks"][1]["blocks"]:
        block[2] = "0" * 12


def _other_seeds(entries: dict[str, Any]) -> None:
    for block in entries["tasks"][0]["blocks"]:
        block[0] += 1


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        (_all_won, "pig_v0 two: 2 of the 2 blocks that were played again come out otherwise, first that with seed 1"),
        (
            _more_games,
            "pig_v0 two: 2 of the 2 blocks that were played again come out otherwise, first that with seed 1",
        ),
        (_other_decisions, "pig_v0 three: 2 of the 2 blocks that were played again come out otherwise"),
        (_other_seeds, "pig_v0 two: expected blocks with the seeds 100 to 123, got others"),
        (lambda entries: entries["tasks"][0]["blocks"].pop(), "pig_v0 two: expected blocks with the seeds 100 to 123"),
        (lambda entries: entries["tasks"].pop(), "pig_v0 three is missing; play the card to its end"),
        (lambda entries: entries["hashes"].update(pig="0" * 12), "constant:hold has changed: hash "),
    ],
)
def test_what_was_changed_by_hand_is_found_and_named(card: Path, changed: Any, fault: str) -> None:
    change(card, changed)
    code, text = run(benchmark.main, str(card), "--check", "--seed", "3")
    assert code == 1
    assert fault in " ".join(text.split())


def test_a_task_of_another_version_is_refused(card: Path) -> None:
    change(card, lambda entries: entries["tasks"][0].update(game="pig_v7"))
    code, text = run(benchmark.main, str(card), "--check")
    assert code == 2
    assert "expected tasks of this version, got pig_v7 two; play the card again" in " ".join(text.split())
