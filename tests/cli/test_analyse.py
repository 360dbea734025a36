"""The command `replay analyse`: chances and mistakes of a record, as tables and as a file."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.test_replay import run
from titan_env import agents, registry
from titan_env.engine.game_setup import GameSetup
from titan_env.records.session import GameSession

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a game of Pig in which random agents make mistakes."""
    path, game = tmp_path_factory.mktemp("analyse") / "pig.jsonl", registry.load("pig")
    session, agent = (
        GameSession(GameSetup.of(game, {"goal": 12}), 5, path, ["random", "random"]),
        agents.load("random", game),
    )
    while not session.is_over:
        session.decide(session.ask_agent(agent))
    return path


def test_chances_and_mistakes_are_printed_and_written(recorded: Path, tmp_path: Path) -> None:
    written = {ending: tmp_path / f"pig.{ending}" for ending in ("csv", "json")}
    results = [run("replay", "analyse", str(recorded), "--worlds", "32", "--out", str(out)) for out in written.values()]
    assert [code for code, _ in results] == [0, 0]
    assert "chance of winning" in results[0][1]
    assert "decisions with a choice" in results[0][1]
    lines = json.loads(written["json"].read_text())
    with written["csv"].open() as file:
        rows = list(csv.DictReader(file))
    assert len(lines) == len(rows) == len(recorded.read_text().splitlines()) - 1
    for line, row in zip(lines, rows, strict=True):
        assert [float(row["chance_0"]), float(row["chance_1"])] == line["chances"]
        assert row["mark"] == line.get("mark", "")
        if "choices" in line:
            assert row["best"] == line["choices"][0]["action"]
            assert float(row["margin"]) == line["margin"] >= 0
    marked = sum(bool(line.get("mark")) for line in lines)
    assert f"{marked} mistakes of" in results[0][1]


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["--out", "pig.txt"], "expected a file that ends in .csv or .json, got pig.txt"),
        (["--out", "nowhere/pig.csv"], "expected a folder for pig.csv, found no nowhere"),
        (["--by", "flat:8"], "expected an agent that does not plan for the play-outs"),
        (["--by", "nobody"], "expected an agent among"),
        (["--worlds", "1"], "expected 8 to 4096 worlds, got 1"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(recorded: Path, more: list[str], complaint: str) -> None:
    code, output = run("replay", "analyse", str(recorded), *more)
    assert code == 2
    assert complaint in output
    assert len(output.splitlines()) == 1


def test_its_options_need_the_command(recorded: Path) -> None:
    assert "expected `analyse` before the file" in run("replay", str(recorded), "--worlds", "32")[1]
    assert "expected one record to analyse, got 2" in run("replay", "analyse", str(recorded), str(recorded))[1]
