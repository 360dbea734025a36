"""Nothing is written over, what is written is whole, and a folder has one process at work."""

from __future__ import annotations

import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from typer.testing import CliRunner

from titan_env.__main__ import app
from titan_env.records.atomic_files import lock_file, lock_folder, replace_atomically, write_atomically
from titan_env.training.demo import new_folder


def test_a_record_and_an_export_are_not_written_over(tmp_path: Path) -> None:
    there = tmp_path / "race.jsonl"
    there.write_text("mine")
    for command in ("watch", "play"):
        done = CliRunner().invoke(app, [command, "pig", "--agents", "random", "--record", str(there)])
        assert (done.exit_code, "expected a new file" in done.output) == (2, True)
    record, page = tmp_path / "new.jsonl", tmp_path / "page.html"
    assert CliRunner().invoke(app, ["watch", "pig", "--agents", "random", "--record", str(record)]).exit_code == 0
    page.write_text("mine")
    done = CliRunner().invoke(app, ["replay", str(record), "--out", str(page)])
    assert (done.exit_code, "expected a new file" in done.output) == (2, True)
    assert (there.read_text(), page.read_text()) == ("mine", "mine")


@pytest.mark.thorough
@pytest.mark.parametrize("ending", ["html", "gif", "mp4"])
def test_a_full_disk_leaves_no_half_of_an_export(tmp_path: Path, ending: str) -> None:
    record = tmp_path / "game.jsonl"
    assert CliRunner().invoke(app, ["watch", "pig", "--agents", "random", "--record", str(record)]).exit_code == 0
    done = subprocess.run(
        [sys.executable, "-c", EXPORT, str(record), str(tmp_path / f"game.{ending}")],
        cwd=Path(__file__).parents[2],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"], done.stderr


EXPORT = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from titan_env import registry
from titan_env.cli.replay import export
registry.register("pig", "tests.games.pig:GAME")
export(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def test_what_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "table.md"
    write_atomically(path, "old")

    def fail(half: Path) -> None:
        half.write_text("ne")
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        replace_atomically(path, fail)
    assert [(found.name, found.read_text()) for found in tmp_path.iterdir()] == [("table.md", "old")]


def test_what_lies_beside_a_file_is_left_alone(tmp_path: Path) -> None:
    for name in ("half-data", ".data", "data.part", "data~"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.csv").write_text("mine")
    write_atomically(tmp_path / "data", "new")
    assert (tmp_path / "data").read_text() == "new"
    assert [path.read_text() for path in tmp_path.glob("*/x.csv")] == ["mine"] * 4
    assert len(list(tmp_path.iterdir())) == 5


def test_two_writers_of_a_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    texts = [letter * 5000 for letter in "abcd"]

    def write(text: str) -> None:
        for _ in range(25):
            write_atomically(tmp_path / "table.md", text)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, texts))
    assert (tmp_path / "table.md").read_text() in texts
    assert [path.name for path in tmp_path.iterdir()] == ["table.md"]


def test_a_file_that_another_process_writes_is_refused(tmp_path: Path) -> None:
    held = "from titan_env.records.atomic_files import lock_file; lock_file(pathlib.Path(sys.argv[1]))"
    command = f"import sys, pathlib; {held}"
    path = tmp_path / "card.json"
    with subprocess.Popen(
        [sys.executable, "-c", f"{command}; print('held', flush=True); sys.stdin.read()", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"held\n"
        with pytest.raises(ValueError, match=r"another process writes .*card\.json; wait for it"):
            lock_file(path)
        running.kill()
    lock_file(path)


def test_a_second_process_in_a_folder_is_refused_and_an_ended_one_is_forgotten(tmp_path: Path) -> None:
    held = "from titan_env.records.atomic_files import lock_folder; lock_folder(pathlib.Path(sys.argv[1]))"
    command = [
        sys.executable,
        "-c",
        f"import sys, pathlib; {held}; print('held', flush=True); sys.stdin.read()",
        str(tmp_path),
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"held\n"
        with pytest.raises(ValueError, match="another process works in"):
            lock_folder(tmp_path)
        running.kill()
    lock_folder(tmp_path)
    lock_folder(tmp_path)


def test_demos_have_folders_of_their_own(tmp_path: Path) -> None:
    for name in ("demo", "demo-2", "demo-3"):
        assert new_folder(tmp_path / "demo") == tmp_path / name
        (tmp_path / name).mkdir()
