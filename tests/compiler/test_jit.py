"""One compilation serves all whole numbers, records are told apart, and what is kept fits what is bound to it."""

from __future__ import annotations

import shutil
import warnings
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.compiler_lock import _CompilerLock

from tests.compiler.programs import ROOT, copy_program, run_python
from titan_env.compiler.dispatchers import subject_of
from titan_env.compiler.jit import inline_rule
from titan_env.contract import rule


class Colour(IntEnum):
    """A whole number with a name."""

    RED = 1


@pytest.mark.compiled
def test_whole_numbers_of_all_kinds_meet_one_compilation() -> None:
    @rule
    def twice(number: int) -> int:
        return 2 * number

    @rule
    def thrice(number: int, factor: int = 3) -> int:
        return number * factor

    @inline_rule  # which no cache keeps
    def several(small: Any) -> int:
        return twice(small[0]) + twice(Colour.RED) + twice(5) + twice(np.int32(7)) + thrice(small[0])

    assert several(np.array([100], np.int8)) == 2 * (100 + 1 + 5 + 7) + 300
    assert len(twice.dispatcher.signatures) == 1, "calls from another rule share it"
    assert [twice(number) for number in (np.int8(100), np.uint8(200), 3, Colour.RED)] == [200, 400, 6, 2]
    assert len(twice.dispatcher.signatures) == 1, "a call from Python finds it too"
    assert twice(np.uint64(2**63)) == 0, "64 bits without a sign stay what they are"


@pytest.mark.compiled
def test_whole_numbers_of_other_kinds_do_not_enter_the_lock_of_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    @inline_rule
    def add(one: int, other: int) -> int:
        return one + other

    assert add(1, 2) == 3
    monkeypatch.setattr(_CompilerLock, "acquire", lambda _lock: pytest.fail("the lock was entered"))
    assert [add(number, 2) for number in (np.int8(1), np.uint16(1), np.int64(1), Colour.RED)] == [3] * 4


SHORT, LONG = np.dtype([("over", np.int8)]), np.dtype([("over", np.int8), ("points", np.int16)])


@inline_rule
def is_over(state: Any) -> bool:
    return bool(state.over)


@inline_rule
def is_still_on(state: Any) -> bool:
    return not is_over(state)


def test_a_record_that_begins_like_another_is_compiled_for_itself_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for dtype in (SHORT, LONG):
            state = np.zeros(1, dtype).view(np.recarray)
            assert is_still_on(state[0])


@pytest.mark.thorough
@pytest.mark.compiled
def test_parts_of_loops_are_kept_apart_by_what_is_bound_to_them(tmp_path: Path) -> None:
    copy_program("parts.py", tmp_path)
    first, second = (run_python(tmp_path, tmp_path / "cache", "parts.py") for _ in range(2))
    assert first.stdout == second.stdout == "9\n13\n"
    assert first.stderr
    assert second.stderr == "", "all is kept"


@pytest.mark.thorough
@pytest.mark.compiled
def test_a_rule_that_cannot_be_kept_says_so_at_every_start(tmp_path: Path) -> None:
    copy_program("at_an_address.py", tmp_path)
    for _ in range(2):
        done = run_python(tmp_path, tmp_path / "cache", "at_an_address.py")
        assert done.stdout == "8\n"
        assert "twice of __main__ is bound to this process and cannot be kept: every start compiles it anew" in (
            done.stderr
        )


@pytest.mark.parametrize(
    ("file", "subject"),
    [
        ("ludo.py", "the rules of ludo"),
        ("ludo/rules.py", "the rules of ludo"),
        ("ludo/__init__.py", "the rules of ludo"),
        ("ludo/rules/turn.py", "the rules of ludo"),
        ("ludo/agents/greedy.py", "the agent greedy of ludo"),
    ],
)
def test_the_line_about_compiling_names_the_game_or_the_agent(file: str, subject: str, tmp_path: Path) -> None:
    assert subject_of(tmp_path / file) == subject


@pytest.mark.thorough
@pytest.mark.compiled
@pytest.mark.parametrize("module", ["__init__", "rules"])
def test_the_line_about_compiling_names_a_game_that_is_a_package_by_its_folder(module: str, tmp_path: Path) -> None:
    (tmp_path / "outside_pig").mkdir()
    shutil.copy(ROOT / "tests" / "games" / "pig.py", tmp_path / "outside_pig" / f"{module}.py")
    program = f"from outside_pig.{module} import GAME; GAME.rules.mask(GAME.rules.configure()[0])"
    done = run_python(tmp_path, tmp_path / "cache", "-c", program)
    assert "compiling the rules of outside_pig" in done.stderr
