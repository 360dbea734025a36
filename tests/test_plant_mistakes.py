"""The tool that plants mistakes in rules: what it can change, and that it plants one at a time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import reaching_tests
from tools.plant_in_packages import PACKAGES, QUICK, THOROUGH, Found, own_tests, place_of, table
from tools.plant_mistakes import ROOT, drawn, first_failure, mistakes, row

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


def test_mistakes_are_drawn_by_a_seed_or_all_those_of_a_line(file: Path) -> None:
    four = drawn([file], 4, "1")
    assert len(set(four)) == 4
    assert four == drawn([file], 4, "1") != drawn([file], 4, "2")
    assert [mistake.instead for mistake in drawn([file], 4, "1", "turn.py:6")] == [b"pass", b"3"]


def test_a_mistake_is_a_row_with_the_line_before_and_after(file: Path) -> None:
    (one,) = drawn([file], 1, "1", "turn.py:7")
    before = "| pig `turn.py:7` | `log_event(who)` | `pass` | "
    assert row("pig", one, "`test_y.py::test_z`") == before + "`test_y.py::test_z` |"
    assert row("pig", one, "") == before + "**missed** |"
    assert str(Found("tests/x/test_y.py::test_z", QUICK)) == "`test_y.py::test_z`"
    assert str(Found("tests/x/test_y.py::test_z", THOROUGH)) == "`test_y.py::test_z` (`make test-all` alone)"
    assert str(Found()) == ""


def test_in_a_package_mistakes_are_made_in_every_function_and_belong_to_the_innermost(file: Path) -> None:
    every = drawn([file], 100, "0", rules=False)
    assert [mistake.instead for mistake in every if mistake.line == 11] == [b"8"]
    assert {mistake.line: place_of(mistake)[1] for mistake in every} == dict.fromkeys((5, 6, 7, 8), 2) | {11: 10}


def test_every_file_of_the_packages_has_tests_that_are_run_first() -> None:
    files = [file for package in PACKAGES for file in (ROOT / "titan_env" / package).glob("[!_]*.py")]
    assert [file.name for file in files if not all((ROOT / test).exists() for test in own_tests(ROOT, file))] == []


def test_the_share_is_that_of_what_either_command_finds_and_the_others_are_listed() -> None:
    commands = (QUICK, QUICK, QUICK, THOROUGH, "")
    page = table([{"row": f"| {number} |", "command": command} for number, command in enumerate(commands)], "command")
    assert "finds 3, `make test-all` 1 more; 1 are missed. So `make test` finds 75% " in page
    assert page.endswith("| --- |\n| 3 |\n| 4 |\n")


def test_a_test_is_told_with_the_functions_that_it_calls_itself_or_by_a_fixture_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "called.py").write_text("def one():\n    pass\n\ndef two():\n    pass\n", "utf-8")
    (tmp_path / "test_calls.py").write_text(
        """import pytest, called

@pytest.fixture(scope="module")
def prepared(): called.two()

@pytest.mark.parametrize("case", [1, 2])
def test_both(case, prepared): called.one()

def test_fixture_alone(): pass

def test_that_fails(): assert False
""",
        "utf-8",
    )
    reached = tmp_path / "reached.json"
    reached.write_text(json.dumps([[str(tmp_path / "called.py"), line] for line in (1, 4)]), "utf-8")
    options = ["--maxfail=9", "--rootdir", str(tmp_path), "-p", reaching_tests.__name__, str(tmp_path)]
    failed = first_failure(ROOT, options, **{reaching_tests.NAME: str(reached)})
    assert failed.endswith("test_calls.py::test_that_fails")
    tests = json.loads(reached.read_text("utf-8"))
    assert {name.rpartition("::")[2]: called for name, (_, called) in tests.items()} == {
        "test_both": [0, 1],
        "test_fixture_alone": [1],
    }
