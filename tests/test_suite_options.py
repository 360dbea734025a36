"""The options of this suite: skips are counted, and a seed draws an order of the tests that is the same again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS = """
import pytest

def test_one():
    pytest.skip("a game of a few decisions")

def test_two():
    pytest.skip("nothing is hidden")

def test_three():
    pytest.importorskip("a_library_that_nobody_has")

@pytest.mark.parametrize("number", range(6))
def test_many(number):
    pass
"""
pytestmark = pytest.mark.thorough


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    path = tmp_path / "test_skips.py"
    path.write_text(TESTS, "utf-8")
    return path


def run(tests: Path, *options: str, ci: str = "") -> tuple[int, str]:
    """Run tests with the hooks of this suite; return the exit code and what is printed."""
    arguments = ["-p", "tests.conftest", "-p", "no:cacheprovider", *options, str(tests)]
    process = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments],
        cwd=ROOT,
        env={**os.environ, "CI": ci},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return process.returncode, process.stdout


def test_a_run_with_more_skips_than_it_may_have_fails_where_a_missing_library_is_not_counted(tests: Path) -> None:
    assert run(tests, "--most-skips", "2")[0] == pytest.ExitCode.OK
    code, printed = run(tests, "--most-skips", "1")
    assert code == pytest.ExitCode.TESTS_FAILED
    assert "expected at most 1 skipped tests, got 2" in printed


def test_in_ci_nothing_may_be_missing(tests: Path) -> None:
    code, printed = run(tests, "--most-skips", "2", ci="true")
    assert code == pytest.ExitCode.TESTS_FAILED
    assert "expected nothing to be missing in CI" in printed
    assert "1 failed, 6 passed, 2 skipped" in printed


def test_a_seed_draws_the_order_of_tests(tests: Path) -> None:
    orders = [
        re.findall(r"::(\S+) ", run(tests, "-v", *options)[1])
        for options in ((), ("--shuffle", "7"), ("--shuffle", "7"))
    ]
    assert orders[0] != orders[1] == orders[2]
    assert sorted(orders[0]) == sorted(orders[1])
