"""Mistakes on the command line are refused, or told, in one line of words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from titan_env.__main__ import app

pytestmark = pytest.mark.thorough

RECORD = str(Path(__file__).parents[1] / "docs" / "records" / "titan_race.jsonl")

MISTAKES = {
    "surplus agents": (
        ["watch", "titan_race", "-o", "titans=2", "--agents", "greedy,greedy,random,random"],
        "expected at most 2 agents, one for each seat, got 4: greedy, greedy, random, random",
    ),
    "surplus agents in play": (
        ["play", "titan_race", "-o", "titans=2", "--agents", "greedy,greedy,random"],
        "expected at most 2 agents",
    ),
    "another game": (["replay", RECORD, "--game", "tiny_turbo_cars"], "expected a record of tiny_turbo_cars_v2, got"),
    "an agent misspelt": (["watch", "--agents", "gredy"], "got 'gredy' for Titan Race; did you mean greedy?"),
    "an option misspelt": (["watch", "titan_race", "-o", "titens=3"], "got titens; did you mean titans?"),
    "a preset misspelt": (
        ["watch", "titan_race", "--preset", "two_player"],
        "got 'two_player'; did you mean two_players?",
    ),
    "a game misspelt": (["watch", "titan_rase"], "did you mean titan_race"),
    "no such record": (["replay", "nofile"], "nofile: no such file or directory"),
    "no such folder": (["watch", "--record", "/nope/x"], "/nope/x: no such file or directory"),
}


@pytest.mark.parametrize(("command", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_in_one_line(command: list[str], message: str) -> None:
    done: Any = CliRunner().invoke(app, command, input="quit\n", env={"COLUMNS": "200"})
    errors = [line for line in done.output.splitlines() if line.startswith("Error: ")]
    assert (done.exit_code, len(errors)) == (2, 1), done.output
    assert message in errors[0]
    assert "[Errno" not in done.output


def test_a_key_that_is_made_is_told(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    (tmp_path / "race.jsonl").write_bytes(Path(RECORD).read_bytes())
    (tmp_path / "other.jsonl").write_bytes(Path(RECORD).read_bytes())
    for name, expected in (("race", "a new key: "), ("other", "signed: ")):
        command = ["replay", "sign", str(tmp_path / f"{name}.jsonl"), "--key", str(tmp_path / "mine.pem")]
        done: Any = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
        assert done.output.startswith(expected)
