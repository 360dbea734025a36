"""Records at the command line: written by `watch`, stepped through, proved, exported; and old ones, for ever."""

from __future__ import annotations

import base64
import itertools
import json
import os
import pty
import re
import select
import subprocess
import sys
import zlib
from pathlib import Path

import imageio_ffmpeg
import pytest
from PIL import Image
from typer.testing import CliRunner

from tests.records import lines_of, write
from titan_env import agents, registry
from titan_env.__main__ import app
from titan_env.contract import Status
from titan_env.engine.game_setup import GameSetup
from titan_env.records.replay import parts_of, positions, read, verify_chance
from titan_env.records.replay_html import render_html
from titan_env.records.session import GameSession
from titan_env.records.video import SECONDS_A_PART, SECONDS_EACH

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.jsonl"))


def run(*arguments: str) -> tuple[int, str]:
    """Exit code and output of a command."""
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a short race."""
    path = tmp_path_factory.mktemp("replay") / "race.jsonl"
    agents = "ppo@titan_race-v3,greedy"
    assert (
        run("watch", "titan_race", "--agents", agents, "-o", "turn_limit=6", "--seed", "2", "--record", str(path))[0]
        == 0
    )
    return path


def test_a_watched_race_is_told_again_and_proved(watched: Path) -> None:
    code, output = run("replay", str(watched))
    assert code == 0
    assert all(decision["say"] in output for decision in read(watched).decisions)
    code, output = run("replay", str(watched), "--verify")
    assert (code, "replays bit for bit, its chance drawn from seed 2; who played" in output) == (0, True)
    assert run("replay", "verify", str(watched)) == (code, output)
    assert run("replay", "verify")[0] == 2


def test_other_dice_are_found_by_the_seed(watched: Path, tmp_path: Path) -> None:
    header, *rest = lines_of(watched)
    code, output = run("replay", "verify", str(write(tmp_path / "forged.jsonl", [{**header, "seed": 3}, *rest])))
    assert (code, "line 1: chance answered" in output) == (1, True)
    code, output = run("replay", "verify", str(write(tmp_path / "forged.jsonl", [{**header, "seed": None}, *rest])))
    assert (code, "from the chance it holds, which no seed proves" in output) == (0, True)


def test_a_record_that_differs_fails_the_proof(watched: Path, tmp_path: Path) -> None:
    lines = watched.read_text().splitlines(keepends=True)
    (tmp_path / "bad.jsonl").write_text("".join([*lines[:5], *lines[6:]]))
    code, output = run("replay", str(tmp_path / "bad.jsonl"), str(watched), "--verify")
    assert code == 1
    assert "line 6: expected decision 5, got 6" in output
    assert run("replay", str(tmp_path / "nowhere.jsonl"))[0] == 2


def test_one_bad_file_leaves_none_of_the_others_unproved(watched: Path, tmp_path: Path) -> None:
    (tmp_path / "deep.jsonl").write_text("[" * 100_000)
    code, output = run("replay", "verify", str(tmp_path / "deep.jsonl"), str(tmp_path / "nowhere.jsonl"), str(watched))
    assert code == 1
    assert "line 1: expected a line of JSON" in output
    assert "replays bit for bit" in output


def test_words_that_are_not_the_games_are_named(watched: Path, tmp_path: Path) -> None:
    lines = watched.read_text().splitlines(keepends=True)
    lines[2] = json.dumps({**json.loads(lines[2]), "say": "Rassik wins the race at once"})
    write(tmp_path / "forged.jsonl", [json.loads(line) for line in lines])
    assert (
        "at decision 2 the file says 'Rassik wins the race at once'"
        in run("replay", "verify", str(tmp_path / "forged.jsonl"))[1]
    )
    assert "wins the race at once" not in run("replay", str(tmp_path / "forged.jsonl"))[1]


@pytest.mark.thorough
def test_agents_may_be_called_anything(watched: Path, tmp_path: Path) -> None:
    header, *rest = lines_of(watched)
    write(tmp_path / "odd.jsonl", [{**header, "agents": ["[/]", "{{pages}}"]}, *rest])
    for command in ([], ["--verify"]):
        code, output = run("replay", str(tmp_path / "odd.jsonl"), *command)
        assert (code, "among [/], {{pages}}:" in output) == (0, True)
    assert "<title>Titan Race: [/], {{pages}}</title>" in render_html(read(tmp_path / "odd.jsonl"))


@pytest.mark.thorough
def test_at_a_terminal_each_press_of_enter_shows_the_position_after_a_decision(watched: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "titan_env", "replay", str(watched)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True) as stepping:
        os.close(theirs)
        first = _until(ours, "q ends: ")
        os.write(ours, b"\n")
        second = _until(ours, "q ends: ")
        os.write(ours, b"q\n")
        assert stepping.wait(30) == 0
    os.close(ours)
    decision = read(watched).decisions[0]
    assert "The start" in first
    assert f"1. player_{decision['seat']}:" in second
    assert "pool:" in first
    assert "decisions: 1" in second


def _until(terminal: int, end: str) -> str:
    """What a program writes to its terminal up to this."""
    output = b""
    while not output.endswith(end.encode()):
        assert select.select([terminal], [], [], 60)[0], output
        output += os.read(terminal, 65536)
    return output.decode()


def test_a_page_holds_every_position_and_asks_the_network_for_nothing(watched: Path, tmp_path: Path) -> None:
    out = tmp_path / "race.html"
    assert run("replay", str(watched), "--out", str(out))[0] == 0
    text = out.read_text("utf-8")
    packed = re.search(r'id="pages">([^<]+)<', text)
    assert packed is not None
    parsed = json.loads(zlib.decompress(base64.b64decode(packed[1])))
    assert len(parsed["pages"]) == len(read(watched).decisions) + 1
    for form in ("wide", "narrow"):
        assert parsed["texts"][parsed["pages"][0][form][0]].startswith("<svg")
    assert any("chances" in page for page in parsed["pages"])
    reasons = [reason for reason, _ in parsed["pages"][0]["barred"]]
    assert len(reasons) == len(set(reasons)), "each reason once, with the actions that it forbids"
    assert not re.search(r'(src|href)="(?!#)', text)
    assert "{{" not in text


@pytest.mark.thorough
def test_an_animation_is_written(watched: Path, tmp_path: Path) -> None:
    record = read(watched)
    moments = list(positions(record))
    steps = itertools.pairwise(moments)
    parts = sum(len(parts_of(record.game, before.state, moment)) for before, moment in steps)
    assert run("replay", str(watched), "--out", str(tmp_path / "race.gif"))[0] == 0
    with Image.open(tmp_path / "race.gif") as gif:
        assert gif.n_frames == len(moments) + parts
    assert run("replay", str(watched), "--theme", "dark", "--out", str(tmp_path / "race.mp4"))[0] == 0
    about = next(imageio_ffmpeg.read_frames(str(tmp_path / "race.mp4")))
    assert about["size"][0] == 900
    assert about["duration"] == pytest.approx(len(moments) * SECONDS_EACH + parts * SECONDS_A_PART, abs=0.2)


def test_an_animation_has_one_of_the_known_endings(watched: Path, tmp_path: Path) -> None:
    assert run("replay", str(watched), "--out", str(tmp_path / "race.doc"))[0] == 2


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<svg "), ("pdf", b"%PDF-")])
def test_a_figure_is_the_picture_of_one_moment(watched: Path, tmp_path: Path, ending: str, begins: bytes) -> None:
    last = len(read(watched).decisions)
    for at in (["--at", "0"], ["--at", f"{last}"], []):
        path = tmp_path / f"{'-'.join(['figure', *at])}.{ending}"
        assert run("replay", str(watched), "--out", str(path), *at) == (0, f"written: {path}\n")
    drawn = [(tmp_path / f"figure{at}.{ending}").read_bytes() for at in ("---at-0", f"---at-{last}", "")]
    assert drawn[0].startswith(begins)
    assert drawn[0] != drawn[1] == drawn[2]
    assert drawn[0].count(b"DejaVu") > 0, "the package's own font"
    assert b"/Subtype /Image" not in drawn[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--at", "999", "--out", "new.svg"], "expected a moment from 0 to"),
        (["--at", "-1", "--out", "new.pdf"], "expected a moment from 0 to"),
        (["--at", "1", "--out", "new.gif"], "expected a figure that ends in .svg or .pdf after --at, got new.gif"),
        (["--at", "1"], "expected --out FILE.svg or FILE.pdf, since there is an --at"),
        (["--at", "1", "--out", "old.pdf"], "expected a new file, found old.pdf"),
    ],
)
def test_a_figure_that_cannot_be_is_refused(
    watched: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.pdf").write_text("mine")
    code, output = run("replay", str(watched), *arguments)
    assert (code, message in output) == (2, True)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("ending", ["html", "gif", "mp4", "pdf"])
def test_an_export_wants_a_folder_that_is_there(watched: Path, tmp_path: Path, ending: str) -> None:
    code, output = run("replay", str(watched), "--out", str(tmp_path / "none" / f"race.{ending}"))
    assert code == 2
    assert f"expected a folder for race.{ending}, found no" in output


def play_anew(path: Path) -> None:
    """Play the game of a record again, by the rules of today, and write it down in its place."""
    header = json.loads(path.read_text().splitlines()[0])
    game = registry.load(header["game"].rpartition("_v")[0])
    path.unlink()
    table = GameSession(GameSetup.of(game, header["options"]), header["seed"], path, header["agents"])
    players = {name: agents.load(name, game) for name in header["agents"]}
    while not table.is_over:
        table.play(table.ask_agent(players[header["agents"][int(table.state.seat)]]))


if os.environ.get("TITAN_ENV_UPDATE_GOLDEN"):
    for path in GOLDEN:
        play_anew(path)


@pytest.mark.thorough
@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_an_old_record_replays_for_ever_within_its_games_version(path: Path) -> None:
    """Where this fails the rules have changed: that is a new version of the game, with records of its own."""
    record = read(path)
    verify_chance(record)
    assert record.result is not None
    moments = list(positions(record))
    assert len(moments) == len(record.decisions) + 1
    assert moments[-1].state.over == Status.TERMINATED


def test_every_game_of_the_package_has_an_old_record() -> None:
    ours = {name for name, entry in registry.GAMES.items() if str(entry.place).startswith("titan_env.games.")}
    assert {read(path).game.name for path in GOLDEN} == ours
