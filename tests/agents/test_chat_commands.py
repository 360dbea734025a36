"""What a language model's endpoint does ends in one clear line of a command, and what was drawn for it is told."""

from __future__ import annotations

import signal
import sys
import threading
from subprocess import PIPE, Popen
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.agents.test_chat import Reply, first_legal, model, says
from titan_env.__main__ import app

GAME = "tests.games.pig:GAME"
LONG = ["-o", "goal=100", "--seed", "1"]
"""A game with more decisions of the model than it may leave unanswered in a row."""
COMMANDS = {
    "watch": ["watch", GAME, *LONG, "--agents", "chat:toy:7b{more},random"],
    "play": ["play", GAME, *LONG, "--seat", "1", "--agents", "chat:toy:7b{more}"],
    "balance": ["balance", GAME, "--games", "2", *LONG, "--agents", "chat:toy:7b{more}"],
}
FAILURES: dict[str, tuple[Reply, str]] = {
    "no key": (lambda asked: (401, {"error": "no such key"}), ""),
    "no model": (lambda asked: (404, {"error": "no such model"}), ""),
    "broken": (lambda asked: (500, {"error": "out of order"}), ",seconds=0.3"),
    "another page": (lambda asked: (200, {"html": "<html>Welcome</html>"}), ",seconds=0.3"),
    "tokens": (first_legal, ",tokens=1"),
}


def run(command: list[str], more: str = "") -> Any:
    """What came of a command whose agent has these parameters more; the person leaves when asked."""
    filled = [part.format(more=more) for part in command]
    return CliRunner().invoke(app, filled, input="0\n1\n" * 30 + "quit\n", env={"COLUMNS": "200"})


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize(("reply", "more"), FAILURES.values(), ids=FAILURES)
def test_a_model_that_fails_ends_a_command_in_one_line(
    monkeypatch: pytest.MonkeyPatch, command: list[str], reply: Reply, more: str
) -> None:
    with model(monkeypatch, reply):
        done = run(command, more)
    errors = [line for line in done.output.splitlines() if line.startswith("Error: ")]
    assert (done.exit_code, len(errors)) == (2, 1), done.output
    assert isinstance(done.exception, SystemExit), "no traceback"


def test_no_endpoint_at_all_ends_a_command_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    for command in COMMANDS.values():
        done = run(command, ",seconds=0.3")
        assert (done.exit_code, done.output.count("Error: ")) == (2, 1), done.output


@pytest.mark.parametrize("name", ["watch", "play"])
def test_answers_that_cannot_be_read_are_counted_and_told(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with model(monkeypatch, says("I would rather talk about the weather.")):
        done = run(COMMANDS[name])
    lines_of_model = [line for line in done.output.splitlines() if line.startswith("chat:toy:7b")]
    assert done.exit_code == 0, done.output
    assert ["drawn at random" in line for line in lines_of_model] == [True], done.output


@pytest.mark.thorough
def test_ctrl_c_ends_a_command_while_answers_are_still_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    is_asked, may_answer = threading.Event(), threading.Event()

    def never(asked: dict[str, Any]) -> tuple[int, Any]:
        is_asked.set()
        may_answer.wait()
        return first_legal(asked)

    command = ["titan_env.evaluation.matches.evaluate", "chat:toy,seconds=3600", "random", "--game", GAME, *LONG[:2]]
    with model(monkeypatch, never), Popen([sys.executable, "-m", *command], stderr=PIPE, text=True) as process:
        try:
            assert is_asked.wait(120)
            process.send_signal(signal.SIGINT)
            output = process.communicate(timeout=120)[1]
        finally:
            may_answer.set()
            process.kill()
    assert (process.returncode, output.strip()) == (130, "Stopped; with --out the same command would go on.")
