"""Compiled rules are kept by what they are made from, and nothing that happens to their files stops anybody."""

from __future__ import annotations

import hashlib
import os
import resource
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from titan_env.contract import COMPILED, rule
from titan_env.contract.cache import ENDING, folder_of
from titan_env.contract.jit import inline_rule

OF_THE_RULES = ("rules/state.py", "rules/turn.py", "data/boards/one.txt")
BESIDE_THEM = ("words/sentences.py", "picture/picture.py", "RULES.md")


def kept_in(file: Path) -> Path:
    """The cache folder of the rules in a file, reckoned anew."""
    folder_of.cache_clear()
    return folder_of(file)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game as it lies in its folder."""
    for name in OF_THE_RULES + BESIDE_THEM:
        path = tmp_path / "mine" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n")
    return tmp_path / "mine"


@pytest.mark.parametrize("name", OF_THE_RULES)
def test_rules_are_compiled_anew_when_what_they_are_made_from_changes(folder: Path, name: str) -> None:
    before = kept_in(folder / "rules" / "turn.py")
    (folder / name).write_text("changed\n")
    assert kept_in(folder / "rules" / "turn.py") != before


@pytest.mark.parametrize("name", [*BESIDE_THEM, "new.py", "words/new.toml"])
def test_words_and_pictures_compile_nothing_anew(folder: Path, name: str) -> None:
    before = kept_in(folder / "rules" / "turn.py")
    (folder / name).write_text("changed\n")
    assert kept_in(folder / "rules" / "turn.py") == before


MOVES: dict[str, Callable[[Path], Path]] = {
    "another name of a file": lambda folder: (folder / "rules" / "turn.py").rename(folder / "rules" / "my_turn.py"),
    "another place": lambda folder: folder.rename(folder.with_name("other")) / "rules" / "turn.py",
}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_names_and_places_of_files_do_not_count(folder: Path, move: Callable[[Path], Path]) -> None:
    before = kept_in(folder / "rules" / "turn.py")
    assert kept_in(move(folder)) == before


def test_a_game_in_one_file_is_made_from_what_it_imports_and_the_texts_beside_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import board\nfrom tiles import TILES")
    (tmp_path / "board.py").write_text("from deep import X")
    (tmp_path / "sub").mkdir()
    for name in ("deep.py", "tiles.py", "map.txt", "other.py", "sub/far.py"):
        before = kept_in(tmp_path / "mine.py")
        (tmp_path / name).write_text("changed = 1")
        assert (kept_in(tmp_path / "mine.py") != before) == (name not in ("other.py", "sub/far.py")), name


compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")

MINE = """
from titan_env.contract import rule, specialize

@rule
def twice(number):
    return 2 * number

@rule
def thrice(number):
    return 3 * number

def change(number):
    return number

def loop(number):
    return change(number) + 1

print(twice(4), specialize(loop, {"change": twice})(4), specialize(loop, {"change": thrice})(4))
"""
MADE = "8 9 13\n"
COMPILING = "titan_env: compiling the rules of mine, which may take a minute; later starts are quick\n"


def start(folder: Path, cache: Path, room: int = resource.RLIM_INFINITY) -> tuple[str, str]:
    """What a program with rules of its own prints, and what it says of compiling, in files of so many bytes at most."""
    (folder / "mine.py").write_text(MINE)
    done = subprocess.run(
        [sys.executable, "mine.py"],
        cwd=folder,
        env={**os.environ, "TITAN_ENV_CACHE": str(cache), "PYTHONPATH": str(Path(__file__).parents[1])},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of a program that was started once."""
    folder = tmp_path_factory.mktemp("kept")
    assert start(folder, folder / "cache") == (MADE, COMPILING)
    return folder / "cache"


@compiled_only
def test_a_loop_is_compiled_anew_when_a_part_of_it_in_a_file_beside_it_has_changed(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "doubled.py").write_text(
        "from titan_env.contract import rule\n@rule\ndef twice(number):\n    return 2 * number"
    )
    (tmp_path / "loop.py").write_text(
        "from titan_env.contract import specialize\nfrom part import more\nfrom rules.doubled import twice\n"
        "def loop(number):\n    return more(change(number))\n"
        "def change(number):\n    return number\nprint(specialize(loop, {'change': twice})(4))"
    )
    environment = {
        **os.environ,
        "TITAN_ENV_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": f"{Path(__file__).parents[1]}",
    }
    for added in (1, 50):
        part = (
            f"from titan_env.contract import inline_rule\n@inline_rule\ndef more(number):\n    return number + {added}"
        )
        (tmp_path / "part.py").write_text(part)
        done = subprocess.run(
            [sys.executable, "loop.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout == f"{8 + added}\n"


HELPERS = {"contract": "from titan_env.contract.jit import rule\n", "engine": "from titan_env.contract import rule\n"}


@compiled_only
@pytest.mark.parametrize("wing", HELPERS)
@pytest.mark.parametrize("change", ["return number + {}", "return number + ADDED\n\n\nADDED = {}"])
def test_a_compiled_helper_in_a_new_file_of_the_engine_is_part_of_the_key(
    tmp_path: Path, wing: str, change: str
) -> None:
    package = Path(__file__).parents[1] / "titan_env"
    shutil.copytree(package, tmp_path / "titan_env", ignore=shutil.ignore_patterns("games", "page", "__pycache__"))
    (tmp_path / "mine.py").write_text(
        f"from titan_env.contract import rule\nfrom titan_env.{wing}.new_part import part\n"
        "@rule\ndef play(number):\n    return part(number) * 10\nprint(play(1))"
    )
    environment = {**os.environ, "TITAN_ENV_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    for added in (1, 20):
        helper = f"{HELPERS[wing]}@rule\ndef part(number):\n    {change.format(added)}\n"
        (tmp_path / "titan_env" / wing / "new_part.py").write_text(helper)
        command = [sys.executable, "mine.py"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == f"{(1 + added) * 10}\n"


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "garbled": lambda data: data[: len(data) // 2] + b"?" * 50 + data[len(data) // 2 + 50 :],
    "whole, and nothing that can be read": lambda data: hashlib.sha256(b"nonsense").digest() + b"nonsense",
}


@compiled_only
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_damaged_is_compiled_anew_with_a_word(
    tmp_path: Path, kept: Path, damage: Callable[[bytes], bytes]
) -> None:
    for path in kept.rglob(f"*{ENDING}"):
        path.write_bytes(damage(path.read_bytes()))
    made, said = start(tmp_path, kept)
    assert (made, said.splitlines()[1] + "\n") == (MADE, COMPILING)
    assert "are damaged: they are compiled anew" in said.splitlines()[0]
    assert len(said.splitlines()) == 2
    assert start(tmp_path, kept) == (MADE, ""), "it has been mended"


@compiled_only
def test_a_full_disk_and_an_unwritable_folder_stop_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for cache, room in ((tmp_path / "file", resource.RLIM_INFINITY), (tmp_path / "full", 100)):
        made, said = start(tmp_path, cache, room)
        assert (made, said.splitlines()[0] + "\n", len(said.splitlines())) == (MADE, COMPILING, 2)
        assert f"cannot be kept in {cache}" in said
    assert list((tmp_path / "full").rglob("*.*")) == [], "nothing half written stays"


@compiled_only
def test_the_folder_says_nothing_of_what_has_to_be_compiled(tmp_path: Path, kept: Path) -> None:
    for path in kept.rglob(f"twice*{ENDING}"):
        path.unlink()
    assert start(tmp_path, kept) == (MADE, COMPILING)
    assert start(tmp_path, kept) == (MADE, "")


@compiled_only
def test_one_command_shows_and_clears_what_is_kept(tmp_path: Path) -> None:
    start(tmp_path, tmp_path / "cache")
    (tmp_path / "cache" / "mine.txt").write_text("not of ours")
    environment = {**os.environ, "TITAN_ENV_CACHE": str(tmp_path / "cache")}

    def cache(*more: str) -> str:
        command = [sys.executable, "-m", "titan_env", "cache", *more]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert ", 0 damaged" in cache()
    next((tmp_path / "cache").rglob(f"*{ENDING}")).write_bytes(b"")
    assert ", 1 damaged" in cache("--clear")
    assert ": 0 files of compiled rules" in cache()
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["mine.txt"]


@compiled_only
def test_games_are_listed_without_compiling_and_compiled_before_anybody_plays_to_whom_that_matters(
    tmp_path: Path,
) -> None:
    def said(*command: str) -> str:
        environment = {**os.environ, "TITAN_ENV_CACHE": str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, check=True)
        return done.stderr

    assert said("-m", "titan_env", "games") == ""
    assert said("-m", "titan_env", "games", "tests.games.bare:GAME") == ""
    assert not (tmp_path / "cache").exists()
    fill = "from titan_env.engine.warm_up import play_first_decisions as fill; fill(['tests.games.bare:GAME'])"
    assert said("-c", fill) == COMPILING.replace("mine", "bare")
    assert list((tmp_path / "cache").rglob(f"*{ENDING}"))
    assert said("-c", fill) == ""


@compiled_only
def test_whole_numbers_of_all_kinds_meet_one_compilation() -> None:
    class Colour(IntEnum):
        RED = 1

    @rule
    def twice(number: int) -> int:
        return 2 * number

    @rule
    def thrice(number: int, factor: int = 3) -> int:
        return number * factor

    @rule
    def several(small: Any) -> int:
        return twice(small[0]) + twice(Colour.RED) + twice(5) + twice(np.int32(7)) + thrice(small[0])

    assert several(np.array([100], np.int8)) == 2 * (100 + 1 + 5 + 7) + 300
    assert len(twice.signatures) == 1, twice.signatures
    assert [twice(number) for number in (np.int8(100), np.uint8(200), 3, Colour.RED)] == [200, 400, 6, 2]
    assert len(twice.signatures) == 1, "a call from Python finds it too"
    assert twice(np.uint64(2**63)) == 0, "64 bits without a sign stay what they are"


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
