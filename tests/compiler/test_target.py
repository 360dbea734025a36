"""Machine code is written for what Python calls, and calls between rules and Numba's own functions go both ways."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest

from tests.compiler.programs import copy_program, run_python
from tests.compiler.programs.called_rules import MOVE, POINT, doubled, one_more
from titan_env.compiler import cache
from titan_env.compiler.target import NotForPython, kind_of_machine
from titan_env.contract import COMPILED, rule

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@pytest.fixture
def called_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Import rules that are compiled here, whatever runs before have left in the cache."""
    monkeypatch.setenv("TITAN_ENV_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(copy_program("called_rules.py", tmp_path))
    cache.folder_of.cache_clear()
    yield importlib.import_module("called_rules")
    del sys.modules["called_rules"]
    cache.folder_of.cache_clear()


def test_a_rule_that_only_rules_call_has_no_machine_code_until_python_calls_it(called_rules: ModuleType) -> None:
    doubled = called_rules.doubled
    assert called_rules.one_more(3) == 7
    (overload,) = doubled.dispatcher.overloads.values()
    assert overload.library.machine_code() == (b"", [])
    with pytest.raises(RuntimeError, match="expected a call from a compiled function"):
        overload.entry_point(3)
    assert doubled(3) == 6
    (overload,) = doubled.dispatcher.overloads.values()
    assert overload.library.machine_code()[0]
    assert not isinstance(overload.entry_point, NotForPython)


def test_a_declared_rule_is_written_once_and_its_callers_call_it_by_name(called_rules: ModuleType) -> None:
    points = np.zeros(2, called_rules.POINT)
    called_rules.MOVE_TWICE(points, 5)
    assert points["x"].tolist() == [20, 20]
    (loop,) = called_rules.MOVE_TWICE.dispatcher.overloads.values()
    (own,) = called_rules.MOVE.dispatcher.overloads.values()
    assert loop.library.called == (own.library.unique,)


@numba.njit
def squared(number: int) -> int:
    return number * number


@rule
def squared_and_doubled(number: int) -> int:
    return doubled(squared(number))


@numba.njit
def outside(number: int) -> int:
    return squared_and_doubled(number) + one_more(number)


def test_rules_call_functions_of_numba_and_are_called_by_them() -> None:
    assert squared_and_doubled(3) == 18
    assert outside(3) == 18 + 7
    assert squared(3) == 9


@numba.njit
def moved(points: Any) -> int:
    MOVE(points[0], 4)
    return points[0].x


def test_a_function_of_numba_calls_a_declared_rule() -> None:
    assert moved(np.zeros(1, POINT)) == 8


@rule
def is_even(number: int) -> bool:
    return number == 0 or is_odd(number - 1)


@rule
def is_odd(number: int) -> bool:
    return number != 0 and is_even(number - 1)


@rule
def evens(most: int) -> int:
    count = 0
    for number in range(most):
        count += is_even(number)
    return count


@rule
def factorial(number: int) -> int:
    return 1 if number < 2 else number * factorial(number - 1)


def test_rules_that_call_themselves_directly_or_through_others_are_right() -> None:
    assert evens(9) == 5
    assert factorial(5) == 120


CALLED = "import called_rules as c, numpy as np; p = np.zeros(2, c.POINT); c.MOVE_TWICE(p, 5); print(*p['x'])"
OTHER_NUMBERS = "import numba; [numba.from_dtype(np.dtype([(f'field_{n}', np.int64)])) for n in range(9)]"


@pytest.mark.thorough
def test_code_of_one_process_calls_code_of_another_one(tmp_path: Path) -> None:
    """Numba numbers its record types in the order of their use: no name in the files holds such a number."""
    copy_program("called_rules.py", tmp_path)
    run_python(tmp_path, tmp_path / "cache", "-c", CALLED)
    run_python(tmp_path, tmp_path / "other", "-c", f"import numpy as np; {OTHER_NUMBERS}; {CALLED}")
    ours, theirs = ({path.name: path for path in tmp_path.glob(f"{each}/*/*.compiled")} for each in ("cache", "other"))
    assert ours.keys() == theirs.keys()
    for name in ours:
        if name.startswith("move-"):
            shutil.copy(theirs[name], ours[name])
    done = run_python(tmp_path, tmp_path / "cache", "-c", CALLED)
    assert (done.stdout, done.stderr) == ("20 20\n", "")


RUN = "import runpy; runpy.run_path('mine.py', run_name='__main__')"


@pytest.mark.thorough
def test_code_is_for_a_level_of_processors_and_not_for_the_one_at_hand(tmp_path: Path) -> None:
    """A cache that is filled on one machine serves the next, whatever Numba would call its processor."""
    assert kind_of_machine()[1] in ("x86-64-v3", "x86-64", "generic")
    copy_program("mine.py", tmp_path)
    assert run_python(tmp_path, tmp_path / "cache", "-c", RUN).stderr
    another = "import numba; numba.config.CPU_NAME, numba.config.CPU_FEATURES = 'haswell', '+avx'; " + RUN
    done = run_python(tmp_path, tmp_path / "cache", "-c", another)
    assert (done.stdout, done.stderr) == ("8 9 13\n", "")


@pytest.mark.thorough
def test_a_processor_with_less_takes_code_of_its_own(tmp_path: Path) -> None:
    copy_program("mine.py", tmp_path)
    run_python(tmp_path, tmp_path / "cache", "-c", RUN)
    less = "import llvmlite.binding as llvm; llvm.get_host_cpu_features = llvm.targets.FeatureMap; " + RUN
    done = run_python(tmp_path, tmp_path / "cache", "-c", less)
    assert done.stdout == "8 9 13\n"
    assert bool(done.stderr) == kind_of_machine()[0].startswith("x86_64")


ROW = np.dtype([("numbers", np.int64, (3,))])


@rule
def total(row: Any) -> int:
    return row.numbers.sum() + row.numbers.argmax()


def test_methods_of_arrays_in_records_compile() -> None:
    rows = np.zeros(1, ROW).view(np.recarray)
    rows.numbers[:] = [1, 5, 2]
    assert total(rows[0]) == 8 + 1
