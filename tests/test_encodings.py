"""Terminals without our letters, and records that other programs have touched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from titan_env.records import replay

ROOT = Path(__file__).parents[1]
ENCODINGS = ("ascii", "latin-1", "cp437")
SCRIPTS = tuple(
    f"titan_env.{folder}.{path.stem}"
    for folder in ("training", "evaluation")
    for path in sorted((ROOT / "titan_env" / folder).glob("*.py"))
    if "rllib" not in path.stem and '__name__ == "__main__"' in path.read_text("utf-8")
)
COMMANDS = (
    *(["titan_env", *rest] for rest in (["--help"], ["games"], ["cache"], ["games", "nothing"], ["watch", "nothing"])),
    ["titan_env", "watch", "titan_race", "-o", "titans=2", "-o", "laps=1", "--seed", "1", "--agents", "random"],
    ["titan_env", "watch", "fantasy_racing", "--seed", "1", "--agents", "random", "--quiet"],
    ["titan_env", "balance", "titan_race", "--races", "5", "--agents", "random"],
    ["titan_env", "replay", "docs/records/titan_race.jsonl"],
    ["titan_env", "replay", "verify", "docs/records/titan_race.jsonl"],
    *([script, "--help"] for script in SCRIPTS),
)
REFUSED = (["games", "nothing"], ["watch", "nothing"])


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_runs_in_every_terminal(command: list[str]) -> None:
    for encoding in ENCODINGS if command[0] == "titan_env" else ("ascii",):  # scripts write through one door
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=ROOT, env=environment, capture_output=True, stdin=subprocess.DEVNULL
        )
        said = done.stderr.decode(encoding)
        assert "Traceback" not in said, said
        assert "codec" not in said, said
        assert done.returncode == (2 if command[1:] in REFUSED else 0), said
        assert (done.stdout + done.stderr).decode(encoding).strip()


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


def test_a_blank_line_amid_a_record_is_named(tmp_path: Path) -> None:
    lines = RECORD.read_bytes().splitlines(keepends=True)
    path = tmp_path / "touched.jsonl"
    path.write_bytes(b"".join([*lines[:3], b"\n", *lines[3:]]))
    with pytest.raises(replay.BadRecord, match="line 4"):
        replay.read(path)


def test_a_colon_in_a_name_is_no_emoji() -> None:
    made = [
        (path, line.strip())
        for path in sorted((ROOT / "titan_env").rglob("*.py"))
        for line in path.read_text("utf-8").splitlines()
        if "Console(" in line and "force_terminal" not in line  # that one draws positions as text with colours
    ]
    assert made
    assert [(path, line) for path, line in made if "_console(" not in line and "emoji=False" not in line] == []
