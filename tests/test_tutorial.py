"""The tutorial is true: each page is followed to the letter in an empty folder, by processes of its own, in small."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parent.parent
PAGES = ("first_game", "train_an_agent", "compare_agents", "look_at_games")
BLOCK = re.compile(r"(?:Write `(?P<file>\w+\.py)`:\n\n)?^```(?P<kind>python|sh|text)\n(?P<body>.*?)^```$", re.M | re.S)
SMALLER = {
    "--vary titans=4 --scripted expert,greedy --minutes 10": "--vary titans=2 -o turn_limit=2 "
    "--scripted greedy --minutes 10 --total-timesteps 256 --num-envs 16 --num-steps 16 --width 16 --minibatch-size 128",
    "policy.onnx greedy expert -o titans=4": "policy.onnx greedy expert -o titans=2 --blocks 16",
    "-o titans=4 --seed 10000000": "-o titans=2 --blocks 16 --seed 10000000",
    "--blocks 128": "--blocks 2 --processes 1",
    "titan_env web": "titan_env web --port 0",
}
"""What the pages type -> the same with small sizes, and a port that is free."""

LEFT = {
    "train_an_agent": ("runs/first/config.json", "runs/first/policy.onnx"),
    "compare_agents": ("runs/tournament/table.md", "runs/tournament/table.csv", "runs/tournament/ratings.png"),
    "look_at_games": ("race.jsonl", "race.html"),
}
"""What a page says that it leaves behind."""


def page(name: str) -> str:
    return (ROOT / "docs" / "tutorial" / f"{name}.md").read_text("utf-8")


def commands(body: str) -> Iterator[list[str]]:
    """The commands of a block, as the page types them but small."""
    for line in body.splitlines():
        for typed, small in SMALLER.items():
            line = line.replace(typed, small)
        program, *arguments = shlex.split(line)
        assert program == "python", line
        yield [sys.executable, *arguments]


def run(command: list[str], folder: Path) -> str:
    """What a command prints in a folder; the page's server is stopped once it has said its address."""
    around = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "120", "OMP_NUM_THREADS": "1"}
    if "web" in command:
        around |= {"XDG_DATA_HOME": str(folder / "data")}
        with subprocess.Popen(command, cwd=folder, env=around, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            output = server.stdout.readline()
            server.terminate()
        assert "http://127.0.0.1:" in output
        return output
    done = subprocess.run(
        command, cwd=folder, env=around, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_is_followed_to_the_letter_prints_what_it_says(name: str, tmp_path: Path) -> None:
    printed, done = "", 0
    for block in BLOCK.finditer(page(name)):
        if block["kind"] == "python":
            assert block["file"], "each script has a name to write it to"
            (tmp_path / block["file"]).write_text(block["body"], "utf-8")
        elif block["kind"] == "sh":
            printed = "".join(run(command, tmp_path) for command in commands(block["body"]))
            done += 1
        else:
            for line in block["body"].splitlines():
                assert re.search(re.escape(line).replace(r"\.\.\.", ".*"), printed), f"expected {line!r} in {printed!r}"
    assert done
    assert all((tmp_path / left).exists() for left in LEFT.get(name, ()))


def test_the_page_on_installing_names_extras_and_targets_that_there_are_and_its_command_runs(tmp_path: Path) -> None:
    text = page("install")
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    for extras in re.findall(r"pip install -e '\.\[([\w,]+)\]'", text):
        assert set(extras.split(",")) <= set(setup["options.extras_require"])
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    assert set(re.findall(r"`make (\w+)`", text)) <= targets
    wanted = setup["options"]["python_requires"].removeprefix(">=")
    assert f"Python {wanted} or newer" in text
    for block in BLOCK.finditer(text):
        if block["kind"] == "sh":
            for command in commands(block["body"]):
                assert "Titan Race" in run(command, tmp_path)


def test_each_page_leads_to_the_next() -> None:
    for name, following in zip(("install", *PAGES[:-1]), PAGES, strict=True):
        assert f"({following}.md)" in page(name)
