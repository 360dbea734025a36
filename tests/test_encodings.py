"""Terminals without our letters, and records that other programs have touched."""

from __future__ import annotations

import ast
import importlib
import io
import os
import re
import runpy
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from titan_env.records import replay
from tools.extras import COMMANDS

ROOT = Path(__file__).parents[1]
ENCODINGS = ("ascii", "latin-1", "cp437")
SCRIPTS = [name for name in COMMANDS if name not in ("titan_env", "titan_env.training.rllib_ppo")]
SHORT = ["-o", "titans=2", "-o", "laps=1", "--seed", "1", "--agents", "random"]
ASKED = (
    *(["titan_env", *rest] for rest in (["--help"], ["games"], ["cache"], ["games", "nothing"], ["watch", "nothing"])),
    ["titan_env", "watch", "titan_race", *SHORT],
    ["titan_env", "watch", "fantasy_racing", "--seed", "1", "--agents", "random", "--quiet"],
    ["titan_env", "balance", "titan_race", "--games", "5", "--agents", "random"],
    ["titan_env", "replay", "docs/records/titan_race.jsonl"],
    ["titan_env", "replay", "verify", "docs/records/titan_race.jsonl"],
    *([script, "--help"] for script in SCRIPTS),
)
REFUSED = (["games", "nothing"], ["watch", "nothing"])
RUN_TWICE = pytest.mark.filterwarnings("ignore:.*found in sys.modules.*:RuntimeWarning")
"""For tests that run modules which this process may have imported: runpy warns of that."""


@pytest.mark.thorough
@pytest.mark.parametrize("command", ASKED, ids=" ".join)
@RUN_TWICE
def test_every_command_runs_in_every_terminal(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for encoding in ENCODINGS if command[0] == "titan_env" else ("ascii",):  # scripts write through one door
        code, out, error = run_in_terminal(command, encoding, monkeypatch)
        assert code == (2 if command[1:] in REFUSED else 0), error
        assert "codec" not in error, error
        assert (out + error).strip()


def run_in_terminal(command: list[str], encoding: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    """Run ``python -m`` with a command in this process, its streams as Python opens them on a terminal of an encoding.

    Return its exit code and what it wrote to stdout and stderr. Raises what the command does not catch.
    """
    written = io.BytesIO(), io.BytesIO()
    for name, data, errors in zip(("stdout", "stderr"), written, ("strict", "backslashreplace"), strict=True):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(data, encoding, errors, write_through=True))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(sys, "argv", ["-m", *command[1:]])  # as it is while Python looks for a script in its package
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # which scripts replace
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}  # and these
    try:
        if "." in command[0]:  # its wing prepares the streams
            importlib.reload(importlib.import_module(".".join(command[0].split(".")[:2])))
        with pytest.raises(SystemExit) as end:
            runpy.run_module(command[0], run_name="__main__", alter_sys=True)
        return int(end.value.code or 0), written[0].getvalue().decode(encoding), written[1].getvalue().decode(encoding)
    finally:
        monkeypatch.undo()
        for number, handler in handlers.items():
            signal.signal(number, handler)


@RUN_TWICE
@pytest.mark.parametrize(("name", "shown"), [("zoé", "zo?"), ("日本", "??")])
def test_a_command_prints_no_letters_that_its_terminal_does_not_know(
    name: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, rounds = tmp_path / f"{name}.json", "titan_env.evaluation.benchmark.rounds"
    code, out, error = run_in_terminal([rounds, "open", str(path)], "ascii", monkeypatch)
    assert (code, error) == (0, "")
    assert out.startswith(f"{tmp_path}/{shown}.json is open")
    code, out, error = run_in_terminal([rounds, "close", f"{path}.old"], "ascii", monkeypatch)
    assert (code, out) == (2, "")
    assert error.startswith("Error: ")
    assert error.count("\n") == 1


def test_nothing_is_printed_by_functions_that_write_utf_8_to_every_terminal() -> None:
    files = [path for folder in ("titan_env", "tools", "training", "agents") for path in (ROOT / folder).rglob("*.py")]
    echoes = re.compile(r"\becho\(|import.*\becho\b")
    assert [path for path in files if echoes.search(path.read_text("utf-8"))] == []


@pytest.mark.thorough
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_process_writes_in_the_encoding_that_it_was_started_with(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "titan_env", "watch", "titan_race", *SHORT],
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode(encoding).strip()
    assert "codec" not in done.stderr.decode(encoding)


RECORD = ROOT / "docs" / "records" / "titan_race.jsonl"

TOUCHED = {
    "a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "blank lines at the end": lambda data: data + b"\n\n  \r\n\n",
    "a mark and other ends of lines": lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n") + b"\r\n",
    "no last end of line": lambda data: data.rstrip(b"\n"),
}


@pytest.mark.parametrize("touch", TOUCHED.values(), ids=TOUCHED)
def test_a_record_that_an_editor_has_saved_is_read(tmp_path: Path, touch: object) -> None:
    path = tmp_path / "touched.jsonl"
    path.write_bytes(touch(RECORD.read_bytes()))  # type: ignore[operator]
    assert list(replay.read(path).decisions) == list(replay.read(RECORD).decisions)
    assert replay.parse(path.read_text("utf-8")).result == replay.read(RECORD).result


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_record_in_utf_16_is_refused_with_its_cure(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "touched.jsonl"
    mark = "" if encoding == "utf-16" else "\ufeff"
    path.write_bytes((mark + RECORD.read_text("utf-8")).encode(encoding))
    with pytest.raises(replay.BadRecord, match="expected text in UTF-8, got UTF-16; save the file as UTF-8"):
        replay.read(path)


def test_blank_lines_amid_a_record_are_passed_over(tmp_path: Path) -> None:
    lines = RECORD.read_bytes().splitlines(keepends=True)
    path = tmp_path / "touched.jsonl"
    path.write_bytes(b"".join([*lines[:1], b"\n", *lines[1:3], b"\r\n", *lines[3:]]))
    assert list(replay.read(path).decisions) == list(replay.read(RECORD).decisions)


def test_a_colon_in_a_name_is_no_emoji() -> None:
    made = [
        (path, line.strip())
        for path in sorted((ROOT / "titan_env").rglob("*.py"))
        for line in path.read_text("utf-8").splitlines()
        if "Console(" in line and "force_terminal" not in line  # that one draws positions as text with colours
    ]
    assert made
    assert [(path, line) for path, line in made if "_console(" not in line and "emoji=False" not in line] == []


def unencoded(path: Path) -> list[str]:
    """Return the calls in a file of code that read or write text in the encoding of the machine that runs them."""
    found = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if not isinstance(node, ast.Call) or any(keyword.arg == "encoding" for keyword in node.keywords):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = [argument.value if isinstance(argument, ast.Constant) else None for argument in node.args]
        keywords = {keyword.arg: getattr(keyword.value, "value", None) for keyword in node.keywords}
        if name == "read_text":
            bad = not given
        elif name == "write_text":
            bad = len(given) < 2
        elif name == "open":  # of a path, or with a path: in text mode, which is the usual one
            modes = [value for value in (*given, keywords.get("mode")) if isinstance(value, str)]
            bad = any(set(mode) <= set("rwaxt+") for mode in modes if mode)
        else:
            bad = name in ("run", "Popen", "check_output") and keywords.get("text") is True
        if bad:
            found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {name}")
    return found


@pytest.mark.thorough
def test_every_text_file_is_read_and_written_in_one_encoding() -> None:
    code = [path for wing in ("titan_env", "tools", "training", "agents") for path in (ROOT / wing).rglob("*.py")]
    assert len(code) > 100
    assert not [call for path in code for call in unencoded(path)], "in the encoding of the machine: say utf-8"
