"""Built libraries play as Numba's code does, where all they are made from is equal; a damaged one is never run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.compiler.programs import ROOT, copy_program, run_python
from titan_env.compiler import cache, jit, libraries, machine
from titan_env.compiler.arguments import kind_of, text_of
from titan_env.compiler.code_files import file_digest
from titan_env.compiler.jit import positional, prepare, rule
from titan_env.compiler.origins import Origin
from titan_env.extras import MissingExtra

pytestmark = pytest.mark.compiled

POINT = np.dtype([("x", np.int16), ("y", np.float32), ("inner", [("z", np.int64)], (2,))])
STEP = 3


class Colour(IntEnum):
    """A whole number with a name."""

    RED = 1
    BLUE = 2


class Rooms(NamedTuple):
    """Arrays in a tuple."""

    points: Any
    weights: Any


def move(point: Any, by: int) -> int:
    point.x += by * STEP
    point.inner[1].z = by
    return point.x  # type: ignore[no-any-return]


def is_right(point: Any, end: float = 2.5) -> bool:
    return bool(point.x > end)


def shares(weights: Any, factor: float) -> Any:
    made = np.zeros(len(weights))
    for place in range(len(weights)):
        made[place] = weights[place] * factor
    return made.sum(), len(weights), weights[0] > 0


def colour_of(number: int) -> Colour:
    return Colour.BLUE if number > 1 else Colour.RED


def sum_of(rooms: Rooms, table: Any, seed: np.uint64) -> Any:
    total = np.float64(seed >> np.uint64(63))
    for point in rooms.points:
        total += point.y
    for place in range(len(rooms.weights)):
        total += rooms.weights[place] * table[place, 1]
    return total


def points() -> Any:
    made = np.zeros(3, POINT).view(np.recarray)
    made.x, made.y = [1, 2, 3], [0.5, 1.5, -1.0]
    return made


def uses() -> list[tuple[Any, tuple[Any, ...]]]:
    """Functions with arguments for a call of each."""
    table = np.arange(12.0).reshape(3, 4)
    rooms = Rooms(points(), np.array([1.0, 2.0, 4.0]))
    return [
        (move, (points()[1], 7)),
        (move, (points()[1], Colour.BLUE)),
        (is_right, (points()[2],)),
        (is_right, (points()[2], 9.0)),
        (shares, (np.array([1.0, 2.0]), 0.25)),
        (colour_of, (5,)),
        (sum_of, (rooms, table, np.uint64(2**63))),
        (sum_of, (rooms, table[:, ::2], np.uint64(1))),
    ]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """A folder of a library of these functions, and what they return by Numba."""
    from titan_env.compiler.library_build import write_entry_module, write_library

    place = tmp_path_factory.mktemp("built")
    folder = place / machine.folder_name(machine.levels()[0])
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit, "recording", True)
        called: dict[tuple[str, str], Any] = {}
        patch.setattr(jit, "CALLED", called)
        patch.setattr("titan_env.compiler.library_build.CALLED", called)
        expected = [rule(function)(*arguments) for function, arguments in uses()]
        places = write_library(folder / f"small{libraries.ENDING}")
        write_entry_module(folder)
        libraries.write_index(folder, places)
    return place, expected


@pytest.fixture
def folder(built: tuple[Path, list[Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the folder, which is the one that is looked into."""
    shutil.copytree(built[0], tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(libraries, "FOLDER", tmp_path)
    for kept in (libraries.index, libraries._library, libraries._is_whole, libraries._entry_module, cache.notify):
        kept.cache_clear()
    yield next(tmp_path.iterdir())
    for kept in (libraries.index, libraries._library, libraries._is_whole, libraries._entry_module):
        kept.cache_clear()


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide Numba from rules."""
    monkeypatch.setattr(jit, "_has_numba", lambda: False)


@pytest.mark.usefixtures("folder", "without_numba")
def test_built_functions_return_and_write_as_those_of_numba(built: tuple[Path, list[Any]]) -> None:
    assert [rule(function)(*arguments) for function, arguments in uses()] == built[1]
    state = points()
    assert rule(move)(state[0], 2) == 7
    assert (state.x[0], state.inner.z[0].tolist()) == (7, [0, 2])
    assert type(rule(colour_of)(2)) is Colour


@pytest.mark.usefixtures("folder", "without_numba")
def test_arrays_and_numbers_are_exchanged_between_calls() -> None:
    total = positional(rule(sum_of))
    one, other, table = points(), points()[::-1].copy(), np.arange(12.0).reshape(3, 4)
    other.y *= 2
    for state, weights, seed in ((one, 1.0, 0), (one, 1.0, 0), (other, 1.0, 0), (one, 3.0, 2**63), (other[:2], 0.0, 0)):
        room = Rooms(state, np.full(len(table), weights))
        assert total(room, table, np.uint64(seed)) == sum_of(room, table, np.uint64(seed))
    assert total(room, np.zeros((3, 8))[:, ::2], np.uint64(0)) == state.y.sum(), "an array that is laid out otherwise"


@pytest.mark.usefixtures("folder", "without_numba")
def test_a_prepared_call_takes_the_other_numbers_and_keeps_its_arrays() -> None:
    state = points()
    go = prepare(rule(move), state[0], 7, free=1)
    assert [go(2), go(np.int8(1))] == [7, 10]
    assert state.inner.z[0].tolist() == [0, 1]
    with pytest.raises(TypeError, match=r"expected the other arguments of the compiled .*, of the kinds"):
        go(0.5)
    with pytest.raises(TypeError, match="expected the other arguments"):
        go()
    del state
    assert go(1) == 13, "the array is held"
    assert prepare(rule(colour_of), 5)() is Colour.BLUE


@pytest.mark.parametrize("by", [rule, lambda function: function])
def test_a_call_is_prepared_by_numba_and_in_plain_python_too(by: Any) -> None:
    state = points()
    assert prepare(by(move), state[0], 7, free=1)(2) == 7
    assert prepare(by(is_right), state[0], 2.0)() is True


@pytest.mark.usefixtures("folder", "without_numba")
def test_other_kinds_of_arguments_need_numba_and_a_line_says_so() -> None:
    with pytest.raises(MissingExtra, match=r"expected numba, which the extra author brings; pip install"):
        rule(shares)(np.ones(2, np.float32), 0.5)


def test_code_of_other_sources_is_not_used(tmp_path: Path) -> None:
    digests = set()
    for text in ("def play(): return 1", "def play(): return 2", "def play(): return 1"):
        (file := tmp_path / "mine.py").write_text(text)
        for kept in (file_digest, cache.sources_digest):
            kept.cache_clear()
        namespace: dict[str, Any] = {"__name__": "mine"}
        exec(compile(text, str(file), "exec"), namespace)
        digests.add(Origin(namespace["play"], file, (), True).digest)
    assert len(digests) == 2


def change(data: bytes) -> bytes:
    """Return the data with another last byte but one."""
    return data[:-2] + bytes([data[-2] ^ 1]) + data[-1:]


@pytest.mark.parametrize("name", ["small.so", "entry.so", libraries.INDEX])
@pytest.mark.parametrize("damage", [change, lambda data: data[: len(data) // 2], lambda data: b""])
def test_a_damaged_library_is_told_in_one_line_and_never_loaded(
    folder: Path, name: str, damage: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ctypes.CDLL", None)
    (folder / name).write_bytes(damage((folder / name).read_bytes()))
    compiled = rule(colour_of)
    assert [compiled(2), compiled(1)] == [Colour.BLUE, Colour.RED], "Numba compiles it"
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "damaged" in line]
    assert line.endswith("is damaged and not used; install the package again")


def test_code_for_a_higher_level_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libraries, "levels", lambda: ("x86-64",))
    if not folder.name.endswith("x86-64"):
        assert libraries.index().functions == {}


def test_the_level_is_the_one_that_llvm_tells_and_may_be_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    from titan_env.compiler.target import kind_of_machine

    assert machine.levels()[0] == kind_of_machine()[1]
    monkeypatch.setenv(machine.LEVEL, machine.levels()[-1])
    assert machine.levels.__wrapped__() == machine.levels()[-1:]


def test_kinds_tell_apart_what_is_compiled_apart() -> None:
    row = np.zeros(3, np.int64)
    frozen = row.copy()
    frozen.flags.writeable = False
    values: tuple[Any, ...] = (
        1,
        True,
        1.0,
        np.float32(1),
        np.uint64(1),
        row,
        frozen,
        row[::2],
        np.zeros((2, 2)),
        np.zeros((2, 2)).T,
    )
    values += (points()[0], points(), (1, row), np.zeros(1, [("x", np.int16)])[0])
    assert len({text_of(kind_of(value)) for value in values}) == len(values)
    assert kind_of(np.int8(1)) == kind_of(Colour.RED) == kind_of(1)
    with pytest.raises(TypeError, match="expected numbers, records, arrays or tuples of these, got str"):
        kind_of("one")


BUILD = """
from titan_env.compiler.built_code import libraries_folder
from titan_env.compiler.library_build import write_entry_module
from titan_env.compiler.libraries import write_index
from titan_env.envs.warm_up import compile_in_processes
folder = libraries_folder()
write_entry_module(folder)
if __name__ == "__main__":
    write_index(folder, compile_in_processes(["pig:GAME"], 1, folder=folder).functions)
"""


@pytest.mark.thorough
def test_a_game_plays_without_numba_as_with_it(tmp_path: Path) -> None:
    unused = shutil.ignore_patterns("games", "page", "built", "__pycache__")
    shutil.copytree(ROOT / "titan_env", tmp_path / "titan_env", ignore=unused)
    shutil.copy(ROOT / "tests" / "games" / "pig.py", tmp_path)
    copy_program("play_everything.py", tmp_path)
    (tmp_path / "build.py").write_text(BUILD)
    play = ("play_everything.py", "--by-numba", "pig:GAME")
    compiled = run_python(tmp_path, tmp_path / "cache", *play).stdout.splitlines()
    run_python(tmp_path, tmp_path / "cache", "build.py")
    play = ("play_everything.py", "--without-numba", "pig:GAME")
    built = run_python(tmp_path, tmp_path / "no_cache", *play).stdout.splitlines()
    assert built == compiled
    assert len(built) == 5
    assert not (tmp_path / "no_cache").exists()
