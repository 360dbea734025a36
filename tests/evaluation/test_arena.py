"""An arena of models: equal limits, forfeits counted by their reason, ratings, and transcripts as records."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.agents.test_chat import first_legal, model
from tests.training.scripts import run
from titan_env import registry
from titan_env.agents.chat import endpoint
from titan_env.evaluation import arena
from titan_env.records.replay import read

BIDS = registry.load("goofspiel")


def play(out: Path, *names: str) -> tuple[int, str]:
    """A small arena."""
    endpoint._renew()
    return run(arena.main, *names, "--game", "goofspiel", "--blocks", "2", "--seconds", "0.4", "--out", str(out))


def by_model(asked: dict[str, Any]) -> tuple[int, Any]:
    """Two models: one that plays, and one that cannot be read."""
    return first_legal(asked) if asked["model"] == "good" else (200, "Let me think.")


def test_a_model_has_the_limits_of_all_unless_its_name_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"seconds": 9.0, "answer": 500.0}
    with model(monkeypatch):
        assert arena.limited("chat:a:7b", BIDS, limits) == "chat:a:7b,seconds=9,answer=500"
        assert arena.limited("chat:a,answer=20", BIDS, limits) == "chat:a,answer=20,seconds=9"
        assert arena.limited("flat:8", BIDS, limits) == "flat:8"


@pytest.mark.thorough
def test_models_are_rated_and_what_they_forfeit_is_counted_by_its_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with model(monkeypatch, by_model) as asked:
        status, output = play(tmp_path, "chat:good", "chat:vague", "random")
    assert status == 0, output
    for name in ("good", "vague"):
        cost = re.search(rf"chat:{name},\S+: (\d+) games, about ([\d,]+) decisions, about ([\d,]+) tokens", output)
        assert cost, output
        prompts = [one["messages"][:2] for one in asked.asked if one["model"] == name and len(one["messages"]) == 2]
        letters = sum(len(message["content"]) for prompt in prompts for message in prompt)
        games, decisions, tokens = (int(number.replace(",", "")) for number in cost.groups())
        assert (games, decisions) == (4, len(prompts)), "every game of goofspiel has as many decisions"
        assert abs(tokens * 4 / letters - 1) < 0.1
    assert output.index("tokens of prompts") < output.index("Ratings")
    assert "Ratings on Elo's scale over random (95 % intervals of the difference)" in output
    good, vague = ((tmp_path / "answers.md").read_text("utf-8").splitlines())[2:]
    assert [cell.strip() for cell in good.split("|")[3:8]] == ["0 (0.0%)"] * 5
    decisions, again, forfeited, silent, unreadable, illegal = (
        int(cell.split()[0].replace(",", "")) for cell in vague.split("|")[2:8]
    )
    assert (again, forfeited, silent, unreadable, illegal) == (decisions, decisions, 0, decisions, 0)
    records = [read(path) for path in (tmp_path / "records").glob("*/*.jsonl")]
    words = [line["thought"] for record in records for line in record.decisions if "thought" in line]
    assert any(text.startswith("I have thought.") for text in words)
    assert any("drawn at random" in text and text.endswith("Let me think.") for text in words)


@pytest.mark.thorough
@pytest.mark.parametrize("failure", [404, 429, 500])
def test_an_endpoint_that_fails_loses_no_block_and_the_same_command_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, failure: int
) -> None:
    number = iter(range(10_000))

    def fails(asked: dict[str, Any]) -> tuple[int, Any]:
        return by_model(asked) if next(number) < 13 else (failure, {"error": "not now"})

    with model(monkeypatch, fails) as asked:
        status, output = play(tmp_path, "chat:good", "random")
        kept, asked.reply = (tmp_path / "results.jsonl").read_text("utf-8"), by_model
        went_on = play(tmp_path, "chat:good", "random")
    assert (status, output.count("Error: ")) == (2, 1), output
    assert len(kept.splitlines()) > 1, "a header and a block"
    assert "Answers of the models" in output
    assert went_on[0] == 0, went_on[1]
    assert (tmp_path / "results.jsonl").read_text("utf-8").startswith(kept)
    assert all(json.loads(line) for line in kept.splitlines())


def test_what_cannot_play_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with model(monkeypatch) as asked:
        for names in (["chat:good"], ["chat:good", "clever"], ["chat", "random"], ["chat:good", "best"]):
            status, output = play(tmp_path / "new", *names)
            assert (status, output.count("Error: "), output.count("tokens of prompts")) == (2, 1, 0), output
        status, output = play(tmp_path / "new", "chat:good", "constant")
        assert output.splitlines() == ["Error: expected constant with its action, as constant:ACTION, got 'constant'"]
    assert asked.asked == []
