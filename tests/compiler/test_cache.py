"""Compiled rules are kept under a hash of their sources; a damaged, missing or unwritable cache stops no program."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.compiler.programs import PROGRAMS, ROOT, copy_program, run_python
from titan_env.compiler.cache import ENDING, _rules_and_data, folder_of, sources_digest
from titan_env.compiler.code_files import file_digest

# The folder of the cache: a hash of all that the rules are made from


SOURCES = ("rules/state.py", "rules/turn.py", "data/boards/one.txt")
OTHER_FILES = ("words/sentences.py", "picture/picture.py", "RULES.md")


@pytest.fixture
def game_folder(tmp_path: Path) -> Path:
    """A game as it lies in its folder."""
    for name in SOURCES + OTHER_FILES:
        path = tmp_path / "mine" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n")
    return tmp_path / "mine"


def cache_folder(file: Path) -> Path:
    """Return the cache folder of the rules in a file, as a new process computes it."""
    for kept in (folder_of, sources_digest, file_digest, _rules_and_data):
        kept.cache_clear()
    return folder_of(file)


@pytest.mark.parametrize("name", SOURCES)
def test_a_changed_source_of_the_rules_changes_the_cache_folder(game_folder: Path, name: str) -> None:
    before = cache_folder(game_folder / "rules" / "turn.py")
    (game_folder / name).write_text("changed\n")
    assert cache_folder(game_folder / "rules" / "turn.py") != before


@pytest.mark.parametrize("name", [*OTHER_FILES, "new.py", "words/new.toml"])
def test_changed_words_and_pictures_leave_the_cache_folder(game_folder: Path, name: str) -> None:
    before = cache_folder(game_folder / "rules" / "turn.py")
    (game_folder / name).write_text("changed\n")
    assert cache_folder(game_folder / "rules" / "turn.py") == before


def rename_file(folder: Path) -> Path:
    """Rename the file of the rules."""
    return (folder / "rules" / "turn.py").rename(folder / "rules" / "my_turn.py")


def rename_folder(folder: Path) -> Path:
    """Rename the folder of the game."""
    return folder.rename(folder.with_name("other")) / "rules" / "turn.py"


@pytest.mark.parametrize("move", [rename_file, rename_folder])
def test_names_and_places_of_files_do_not_change_the_cache_folder(
    game_folder: Path, move: Callable[[Path], Path]
) -> None:
    before = cache_folder(game_folder / "rules" / "turn.py")
    assert cache_folder(move(game_folder)) == before


@pytest.mark.parametrize(
    ("name", "is_source"),
    [("tiles.py", True), ("deep.py", True), ("map.txt", True), ("other.py", False), ("sub/far.py", False)],
)
def test_a_game_in_one_file_is_made_from_what_it_imports_and_the_texts_beside_it(
    tmp_path: Path, name: str, is_source: bool
) -> None:
    (tmp_path / "mine.py").write_text("import board\nfrom tiles import TILES")
    (tmp_path / "board.py").write_text("from deep import X")
    (tmp_path / "sub").mkdir()
    before = cache_folder(tmp_path / "mine.py")
    (tmp_path / name).write_text("changed = 1")
    assert (cache_folder(tmp_path / "mine.py") != before) == is_source


@pytest.mark.thorough
@pytest.mark.compiled
def test_a_loop_is_compiled_anew_when_a_part_of_it_in_a_file_beside_it_has_changed(tmp_path: Path) -> None:
    folder, cache = copy_program("loop", tmp_path), tmp_path / "cache"
    assert run_python(folder, cache, "loop.py").stdout == "9\n"
    replace(folder / "part.py", "number + 1", "number + 50")
    assert run_python(folder, cache, "loop.py").stdout == "58\n"


@pytest.mark.thorough
@pytest.mark.compiled
@pytest.mark.parametrize("wing", ["contract", "engine"])
@pytest.mark.parametrize(
    ("helper", "before", "after"),
    [("in_its_body.py", "number + 1", "number + 20"), ("in_a_constant.py", "ADDED = 1", "ADDED = 20")],
)
def test_a_rule_is_compiled_anew_when_its_helper_in_a_new_file_of_the_package_has_changed(
    tmp_path: Path, wing: str, helper: str, before: str, after: str
) -> None:
    unused = shutil.ignore_patterns("games", "page", "__pycache__")
    shutil.copytree(ROOT / "titan_env", tmp_path / "titan_env", ignore=unused)
    new_file = tmp_path / "titan_env" / wing / "new_part.py"
    shutil.copy(PROGRAMS / "helper" / helper, new_file)
    copy_program("helper/play.py", tmp_path)
    replace(tmp_path / "play.py", "titan_env.engine.new_part", f"titan_env.{wing}.new_part")
    assert run_python(tmp_path, tmp_path / "cache", "play.py").stdout == "20\n"
    replace(new_file, before, after)
    assert run_python(tmp_path, tmp_path / "cache", "play.py").stdout == "210\n"


def replace(path: Path, before: str, after: str) -> None:
    """Replace a text that stands in a file once."""
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))


# The files of the cache: damaged, missing, or impossible to write


PRINTED = "8 9 13\n"
"""What the program ``mine.py`` prints, however it is compiled."""
COMPILING = "titan_env: compiling the rules of mine, which may take a minute; later starts are quick\n"


def start_mine(folder: Path, cache: Path, most_bytes: int | None = None) -> CompletedProcess[str]:
    """Run the program ``mine.py`` in a folder; it must compute the same in every case."""
    done = run_python(copy_program("mine.py", folder), cache, "mine.py", most_bytes=most_bytes)
    assert done.stdout == PRINTED
    return done


@pytest.fixture(scope="module")
def filled_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of ``mine.py`` after its first start."""
    folder = tmp_path_factory.mktemp("mine")
    assert start_mine(folder, folder / "cache").stderr == COMPILING
    return folder / "cache"


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "garbled": lambda data: data[: len(data) // 2] + b"?" * 50 + data[len(data) // 2 + 50 :],
    "a right checksum of what is no code": lambda data: hashlib.sha256(b"nonsense").digest() + b"nonsense",
}


@pytest.mark.thorough
@pytest.mark.compiled
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_files_are_reported_in_one_line_compiled_anew_and_mended(
    tmp_path: Path, filled_cache: Path, damage: Callable[[bytes], bytes]
) -> None:
    files = list(filled_cache.rglob(f"*{ENDING}"))
    assert files
    for path in files:
        path.write_bytes(damage(path.read_bytes()))
    report, compiling = start_mine(tmp_path, filled_cache).stderr.splitlines(keepends=True)
    assert "are damaged: they are compiled anew" in report
    assert compiling == COMPILING
    assert start_mine(tmp_path, filled_cache).stderr == ""


@pytest.mark.thorough
@pytest.mark.compiled
def test_missing_files_are_compiled_anew_though_their_folder_is_there(tmp_path: Path, filled_cache: Path) -> None:
    missing = list(filled_cache.rglob(f"twice*{ENDING}"))
    assert missing
    for path in missing:
        path.unlink()
    assert start_mine(tmp_path, filled_cache).stderr == COMPILING
    assert start_mine(tmp_path, filled_cache).stderr == ""


@pytest.mark.thorough
@pytest.mark.compiled
def test_a_folder_that_cannot_be_made_is_reported_in_one_line_and_the_program_runs(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    compiling, report = start_mine(tmp_path, in_the_way).stderr.splitlines(keepends=True)
    assert compiling == COMPILING
    assert f"cannot be kept in {in_the_way}" in report


@pytest.mark.thorough
@pytest.mark.compiled
def test_a_full_disk_is_reported_in_one_line_and_no_half_written_file_stays(tmp_path: Path) -> None:
    full = tmp_path / "full"
    compiling, report = start_mine(tmp_path, full, most_bytes=100).stderr.splitlines(keepends=True)
    assert compiling == COMPILING
    assert f"cannot be kept in {full}" in report
    assert list(full.rglob("*.*")) == []


# The commands


@pytest.mark.thorough
@pytest.mark.compiled
def test_the_command_cache_counts_the_files_and_clears_all_but_those_of_others(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    start_mine(tmp_path, cache)
    (cache / "mine.txt").write_text("somebody else's")
    assert ", 0 damaged" in run_python(ROOT, cache, "-m", "titan_env", "cache").stdout
    next(cache.rglob(f"*{ENDING}")).write_bytes(b"")
    assert ", 1 damaged" in run_python(ROOT, cache, "-m", "titan_env", "cache", "--clear").stdout
    assert ": 0 files of compiled rules" in run_python(ROOT, cache, "-m", "titan_env", "cache").stdout
    assert [path.name for path in cache.iterdir()] == ["mine.txt"]


@pytest.mark.thorough
@pytest.mark.compiled
def test_listing_games_compiles_nothing_and_warming_up_compiles_once(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run_python(ROOT, cache, "-m", "titan_env", "games").stderr == ""
    assert run_python(ROOT, cache, "-m", "titan_env", "games", "tests.games.bare:GAME").stderr == ""
    assert not cache.exists()
    warm_up = (
        "from titan_env.engine.warm_up import play_first_decisions; play_first_decisions(['tests.games.bare:GAME'])"
    )
    assert run_python(ROOT, cache, "-c", warm_up).stderr == COMPILING.replace("mine", "bare")
    assert list(cache.rglob(f"*{ENDING}"))
    assert run_python(ROOT, cache, "-c", warm_up).stderr == ""
