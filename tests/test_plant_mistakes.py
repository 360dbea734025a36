"""The tool that plants mistakes in rules: what it can change, and that it plants one at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.plant_mistakes import PACKAGES, ROOT, Found, chosen, mistakes, own_tests, row

RULES = '''
@rule
def heal(who: int, lives: int = 3) -> None:
    """Two lives, é."""
    if not is_out(who) and lives < 5:
        lives += 2
        log_event(who)
    return a - b, True

def helper() -> int:
    return 7
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "titan_env" / "games" / "pig" / "rules"
    folder.mkdir(parents=True)
    (folder / "turn.py").write_text(RULES, "utf-8")
    return folder / "turn.py"


def test_everything_that_a_rule_weighs_or_does_is_changed_or_left_out_alone(file: Path) -> None:
    whole = RULES.encode()
    planted = [mistake.planted(whole).decode().splitlines()[mistake.line - 1].strip() for mistake in mistakes(file)]
    assert planted == [
        "if  is_out(who) and lives < 5:",
        "if not is_out(who) or lives < 5:",
        "if not is_out(who) and lives <= 5:",
        "if not is_out(who) and lives < 6:",
        "pass",
        "lives += 3",
        "pass",
        "return a + b, True",
        "return a - b, False",
    ]


def test_mistakes_are_drawn_by_a_seed_or_all_those_of_a_line(file: Path, tmp_path: Path) -> None:
    drawn = chosen(tmp_path, "pig", 4, 1, "")
    assert len(set(drawn)) == 4
    assert drawn == chosen(tmp_path, "pig", 4, 1, "") != chosen(tmp_path, "pig", 4, 2, "")
    assert [mistake.instead for mistake in chosen(tmp_path, "pig", 4, 1, "turn.py:6")] == [b"pass", b"3"]


def test_a_mistake_is_a_row_with_the_line_before_and_after(file: Path, tmp_path: Path) -> None:
    (one,) = chosen(tmp_path, "pig", 1, 1, "turn.py:7")
    assert row("pig", one, Found("tests/x/test_y.py::test_z", quick=True)) == (
        "| pig `turn.py:7` | `log_event(who)` | `pass` | `test_y.py::test_z` |"
    )
    assert row("pig", one, Found("", quick=False)).endswith("| **missed** |")
    assert row("engine", one, Found("test_y.py::test_z", quick=False)).endswith("(`make test-all` alone) |")


def test_in_a_package_mistakes_are_made_in_every_function(file: Path, tmp_path: Path) -> None:
    package = tmp_path / "titan_env" / "engine"
    package.mkdir()
    file.rename(package / "batch.py")
    planted = chosen(tmp_path, "engine", 100, 0, "")
    assert [mistake.instead for mistake in planted if mistake.line == 11] == [b"8"]


def test_every_file_of_the_packages_has_tests_that_are_run_first() -> None:
    files = [file for package in PACKAGES for file in (ROOT / "titan_env" / package).glob("[!_]*.py")]
    assert [file.name for file in files if not all(Path(test).exists() for test in own_tests(ROOT, file))] == []
