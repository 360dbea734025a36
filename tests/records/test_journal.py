"""A journal keeps the finished units of a command through a stop at any letter, and shows what was changed in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from titan_env.records.journal import Journal, resume

KIND, SETTINGS = "results", {"seed": 5}
LINES = [{"unit": 1, "wins": 3}, {"unit": 2, "wins": 4}]


@pytest.fixture
def text(tmp_path: Path) -> str:
    """The text of a journal of two finished units."""
    journal = resume(tmp_path / "whole", KIND, SETTINGS)
    for line in LINES:
        journal.add(line)
    return (tmp_path / "whole").read_text("utf-8")


def test_a_journal_cut_off_at_any_letter_has_the_lines_that_were_whole(tmp_path: Path, text: str) -> None:
    file = tmp_path / "cut"
    for length in range(len(text) + 1):
        file.write_text(text[:length], "utf-8")
        whole = text[:length].count("\n")
        journal = Journal(file, KIND)
        assert journal.lines == LINES[: max(0, whole - 1)]
        assert journal.header == (SETTINGS if whole else {})


def test_the_same_command_goes_on_to_the_same_file(tmp_path: Path, text: str) -> None:
    file = tmp_path / "cut"
    file.write_text(text[: text.index("\n") + 30], "utf-8")
    journal = resume(file, KIND, SETTINGS)
    for line in LINES[len(journal.lines) :]:
        journal.add(line)
    assert file.read_text("utf-8") == text


@pytest.mark.parametrize("stranger", ["x", "{}", '{"format": "another', "some notes\nof mine\n"])
def test_a_file_that_is_no_journal_is_refused_and_stays(tmp_path: Path, stranger: str) -> None:
    file = tmp_path / "mine"
    file.write_text(stranger, "utf-8")
    with pytest.raises(ValueError, match=r"delete it to begin anew, or choose another --out"):
        resume(file, KIND, SETTINGS)
    assert file.read_text("utf-8") == stranger


def test_a_line_that_was_changed_lost_or_doubled_is_refused(tmp_path: Path, text: str) -> None:
    first, second, third = text.splitlines(keepends=True)
    for changed in (first + second.replace("3", "9") + third, first + third, first + second + second + third):
        (tmp_path / "changed").write_text(changed, "utf-8")
        with pytest.raises(ValueError, match=r"line [23] was changed, or does not follow the one before it"):
            Journal(tmp_path / "changed", KIND)


def test_another_process_is_refused_while_this_one_writes(tmp_path: Path) -> None:
    file = tmp_path / "mine"
    resume(file, KIND, SETTINGS)
    imports = "from pathlib import Path; from titan_env.records.journal import resume; "
    program = imports + f"resume(Path({str(file)!r}), 'results', {SETTINGS})"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8")
    assert "expected a file of its own, but another process writes" in ended.stderr


def test_other_settings_are_named_and_nothing_is_lost(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"begun with other settings \(seed\)"):
        resume(tmp_path / "whole", KIND, {"seed": 6})
    assert (tmp_path / "whole").read_text("utf-8") == text
