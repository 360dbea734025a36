"""An exam of positions whose best decision is known: exact, resumable, told beforehand what it costs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.agents.test_chat import Reply, first_legal, model, says
from tests.training.scripts import run
from titan_env.agents import kept_name
from titan_env.agents.chat import endpoint
from titan_env.evaluation import exam
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES
from titan_env.games.titan_battle.rules.lands import LAND_NAMES
from titan_env.games.titan_battle.rules.state import Side
from titan_env.games.titan_battle.solver.best_play import FIGHTERS, BestPlay, Duel
from titan_env.games.titan_battle.solver.duel import DUELS

MODEL = "chat:toy:7b,seconds=5,at_once=2"
SMALL = 10
"""The turn puzzles of a small exam, two of each game."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    """An exam of ten turn puzzles, as a command."""
    monkeypatch.setattr(exam, "OTHERS", "none")
    monkeypatch.setattr(exam, "AT_ONCE", 1)
    endpoint._renew()  # counters are those of a new process
    return lambda *names: run(exam.main, *names, "--first", str(SMALL))


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The lines of a journal."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_turn_puzzles_are_shared_evenly_and_who_has_few_gives_all() -> None:
    assert exam.even_shares([4000, 150, 100, 152, 42], 400) == [89, 90, 90, 89, 42]
    assert exam.even_shares([3, 3], 400) == [3, 3]


def test_the_best_answers_lose_nothing_and_others_what_they_are_worth_less() -> None:
    parts = exam.read_sections(SMALL)
    answers = exam.Answers(parts, None)
    for name, choose in (("wise", max), ("foolish", min)):
        for part in parts:
            for puzzle in part.puzzles:
                answers.actions[name, puzzle.id] = choose(puzzle.worths, key=lambda action: puzzle.worths[action])
    assert [loss.max() for loss in answers.losses("wise")] == [0] * len(parts)
    spans = [[100 * (puzzle.best - min(puzzle.worths.values())) for puzzle in part.puzzles] for part in parts]
    assert [loss.tolist() for loss in answers.losses("foolish")] == spans
    _, (first, second) = answers.table(["foolish", "wise"])
    assert (first[0], first[1], second[0]) == ("wise", "0.0 (0.0 to 0.0)", "foolish")
    assert second[1] == second[2], "the difference to one who loses nothing is the loss"


@pytest.mark.thorough
def test_every_question_is_asked_in_its_position_with_the_actions_that_have_values() -> None:
    for part in exam.read_sections(SMALL):
        states = exam.states_of(part.game, part.puzzles)
        for puzzle, state in zip(part.puzzles, states, strict=True):
            legal = [part.game.rules.actions.texts[action] for action in np.flatnonzero(part.game.rules.mask(state))]
            assert sorted(legal) == sorted(puzzle.worths)
            assert len(set(puzzle.worths.values())) > 1


@pytest.mark.thorough
def test_a_place_in_a_duel_is_worth_the_share_of_the_battle_that_best_play_wins_from_there() -> None:
    (duels,) = [part for part in exam.read_sections(SMALL) if part.name.endswith(", duels")]
    best, checked = BestPlay(Duel(*DUELS[0])), 0
    for puzzle, state in zip(duels.puzzles, exam.states_of(duels.game, duels.puzzles), strict=True):
        battle, side = state.battle, Side(int(state.battle.half))
        if LAND_NAMES[battle.land] != DUELS[0][2]:
            continue
        for text, worth in puzzle.worths.items():
            node = [*battle.fighters["hex"][list(FIGHTERS)], *battle.fighters["hits"][list(FIGHTERS)]]
            node[side] = HEX_NAMES.index(text.removeprefix("to:"))
            of_attacker = best.fought[int(battle.rounds_begun), side][tuple(node)]
            assert worth == pytest.approx(of_attacker if side == Side.ATTACKER else 1 - of_attacker, abs=1e-8)
            checked += 1
    assert checked > 10


@pytest.mark.thorough
def test_answers_are_kept_and_neither_asked_again_nor_mixed_with_those_of_another_exam(
    small: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    out, table = tmp_path / "exam.jsonl", tmp_path / "exam.md"
    status, output = small("random", "constant", "--out", str(out), "--table", str(table))
    assert status == 0, output
    assert table.read_text("utf-8").count("\n| ") == 4, "headings, a rule, two agents"
    kept = out.read_bytes()
    assert small("constant", "random", "--out", str(out))[0] == 0
    assert out.read_bytes() == kept
    small("greedy", "random", "--out", str(out))
    assert {line.get("agent") for line in lines_of(out)} == {None, "random", "constant", "greedy"}
    status, output = run(exam.main, "random", "--first", "11", "--out", str(out))
    assert (status, output.count("Error: ")) == (2, 1)
    assert "begun with other settings (exam)" in output


@pytest.mark.thorough
def test_a_file_that_was_cut_short_goes_on_and_one_that_was_changed_is_refused(
    small: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    out = tmp_path / "exam.jsonl"
    small("random", "--out", str(out))
    whole = out.read_bytes()
    out.write_bytes(whole[:-20])
    assert small("random", "--out", str(out))[0] == 0
    assert out.read_bytes() == whole
    changed = whole.replace(b'"random"', b'"expert"', 1)
    out.write_bytes(changed)
    status, output = small("random", "--out", str(out))
    assert (status, output.count("Error: ")) == (2, 1)
    assert out.read_bytes() == changed


def test_the_cost_of_a_model_is_told_before_its_first_question(
    monkeypatch: pytest.MonkeyPatch, small: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    with model(monkeypatch) as asked:
        status, output = small(MODEL, "random", "--out", str(tmp_path / "exam.jsonl"))
    assert status == 0, output
    assert len(asked.asked) == SMALL
    tokens = output.partition("about ")[2].partition(" tokens")[0].replace(",", "")
    letters = sum(len(message["content"]) for one in asked.asked for message in one["messages"])
    assert letters / 4 <= int(tokens) <= letters / 4 + SMALL
    assert "at most 10,000 of answers" in output
    assert f"{SMALL} decisions, 0 asked again" in output
    for line in lines_of(tmp_path / "exam.jsonl")[1:]:
        assert line["thoughts"].keys() == (line["actions"].keys() if line["agent"] == kept_name(MODEL) else set())


def slowly(asked: dict[str, Any]) -> tuple[int, Any]:
    """A model that takes its time."""
    time.sleep(0.05)
    return first_legal(asked)


def thinking(asked: dict[str, Any]) -> tuple[int, Any]:
    """A model that thinks of what it may not do, before it answers."""
    return 200, f"<think>What about\nACTION: cheat</think>\n{first_legal(asked)[1]}"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("reply", "drawn"),
    [(first_legal, 0), (thinking, 0), (says("Let me see..."), SMALL), (says(""), SMALL), (slowly, 0)],
    ids=["well", "with thoughts", "badly", "nothing", "slowly"],
)
def test_answers_that_cannot_be_read_are_drawn_and_counted(
    monkeypatch: pytest.MonkeyPatch, small: Callable[..., tuple[int, str]], reply: Reply, drawn: int
) -> None:
    with model(monkeypatch, reply):
        status, output = small(MODEL)
    assert status == 0, output
    assert f"{drawn} drawn at random" in output


@pytest.mark.thorough
def test_a_stop_keeps_what_was_answered(
    monkeypatch: pytest.MonkeyPatch, small: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    out, answer, number = tmp_path / "exam.jsonl", exam.answer, iter(range(100))

    def stopped(*unit: Any) -> Any:
        if next(number) == 3:
            raise KeyboardInterrupt
        return answer(*unit)

    small("random", "--out", str(tmp_path / "whole.jsonl"))
    monkeypatch.setattr(exam, "answer", stopped)
    status, output = small("random", "--out", str(out))
    assert (status, "Stopped; the same command goes on" in output) == (130, True), output
    assert len(lines_of(out)) == 1 + 3
    assert small("random", "--out", str(out))[0] == 0
    assert out.read_bytes() == (tmp_path / "whole.jsonl").read_bytes(), "as without a stop"


@pytest.mark.thorough
@pytest.mark.parametrize("failure", [401, 404, 429, 500])
def test_an_endpoint_that_fails_loses_no_answer_and_the_same_command_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, failure: int
) -> None:
    monkeypatch.setattr(exam, "OTHERS", "none")
    out, number = tmp_path / "exam.jsonl", iter(range(100))

    def fails(asked: dict[str, Any]) -> tuple[int, Any]:
        return first_legal(asked) if next(number) < 5 else (failure, {"error": "not now"})

    command = ["chat:toy:7b,seconds=0.3,at_once=1", "--first", "20", "--out", str(out)]  # four of each game
    with model(monkeypatch, fails) as asked:
        status, output = run(exam.main, *command)
        asked.reply, more = first_legal, len(asked.asked)
        command[0] = "chat:toy:7b,tokens=5000000,seconds=0.3"
        went_on = run(exam.main, *command)
    assert (status, output.count("Error: ")) == (2, 1), output
    assert "the same command goes on" in output
    assert "4 of 20 questions answered" in output, "the unit in which it failed is asked again"
    assert went_on[0] == 0, went_on[1]
    assert len(asked.asked) - more == 16, "how many at once and tokens at most changes no answer"
    assert "20 decisions, 0 asked again" in went_on[1], "counted over both processes"
    with model(monkeypatch):
        status, output = run(exam.main, *command)
    assert (status, output.count("Error: ")) == (2, 1), output
    assert "but it has changed since" in output, "another endpoint"


@pytest.mark.thorough
def test_an_endpoint_that_is_down_ends_the_exam_after_three_questions_of_whatever_games(
    monkeypatch: pytest.MonkeyPatch, small: Callable[..., tuple[int, str]]
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    status, output = small("chat:toy,seconds=0.3")
    assert (status, output.count("Error: 3 decisions in a row without an answer")) == (2, 1), output
    assert f"2 of {SMALL} questions answered" in output


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("chat:toy,tokens=900", "or more for the longest question, got 900"),
        ("chat", "expected the name of a model"),
        ("clever", "expected an agent among"),
        ("chat:toy,answer=x", "expected a number as answer"),
    ],
)
def test_what_cannot_be_examined_is_one_line_before_the_first_question(
    monkeypatch: pytest.MonkeyPatch, small: Callable[..., tuple[int, str]], name: str, error: str
) -> None:
    with model(monkeypatch) as asked:
        status, output = small("random", name)
    assert (status, output.count("Error: ")) == (2, 1), output
    assert error in output
    assert asked.asked == []


@pytest.mark.thorough
def test_an_agent_that_has_changed_is_not_mixed_with_its_earlier_answers(
    monkeypatch: pytest.MonkeyPatch, small: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    out = tmp_path / "exam.jsonl"
    small("greedy", "--out", str(out))
    monkeypatch.setattr(exam, "fingerprint", lambda name, game: "another")
    status, output = small("greedy", "--out", str(out))
    assert (status, "it has changed since; choose another --out" in output) == (2, True), output
