"""Records at the command line: written by `watch`, stepped through, proved, exported; and old ones, for ever."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

import imageio_ffmpeg
import pytest
from PIL import Image
from typer.testing import CliRunner

from titan_env.__main__ import app
from titan_env.animation import SECONDS_EACH
from titan_env.replay import positions, read

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))


def run(*arguments: str) -> tuple[int, str]:
    """Exit code and output of a command."""
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a short race."""
    path = tmp_path_factory.mktemp("replay") / "race.jsonl"
    agents = "ppo@titan_race-v0;greedy"
    assert (
        run("watch", "titan_race", "--agents", agents, "-o", "turn_limit=12", "--seed", "2", "--record", str(path))[0]
        == 0
    )
    return path


def test_a_watched_race_is_told_again_and_proved(watched: Path) -> None:
    code, said = run("replay", str(watched))
    assert code == 0
    assert all(decision["say"] in said for decision in read(watched).decisions)
    code, said = run("replay", str(watched), "--verify")
    assert (code, "replays bit for bit" in said) == (0, True)


def test_a_record_that_differs_fails_the_proof(watched: Path, tmp_path: Path) -> None:
    lines = watched.read_text().splitlines(keepends=True)
    (tmp_path / "bad.jsonl").write_text("".join([*lines[:5], *lines[6:]]))
    code, said = run("replay", str(tmp_path / "bad.jsonl"), str(watched), "--verify")
    assert code == 1
    assert "line 6: expected decision 5, got 6" in said
    assert run("replay", str(tmp_path / "nowhere.jsonl"))[0] == 2


def test_a_page_holds_every_position_and_asks_the_network_for_nothing(watched: Path, tmp_path: Path) -> None:
    out = tmp_path / "race.html"
    assert run("replay", str(watched), "--out", str(out))[0] == 0
    text = out.read_text("utf-8")
    packed = re.search(r'id="pages">([^<]+)<', text)
    assert packed is not None
    film = json.loads(zlib.decompress(base64.b64decode(packed[1])))
    assert len(film["pages"]) == len(read(watched).decisions) + 1
    assert film["texts"][film["pages"][0]["svg"][0]].startswith("<svg")
    assert any("chances" in page for page in film["pages"])
    assert not re.search(r'(src|href)="(?!#)', text)
    assert "{{" not in text


def test_an_animation_is_written(watched: Path, tmp_path: Path) -> None:
    decisions = len(read(watched).decisions)
    assert run("replay", str(watched), "--out", str(tmp_path / "race.gif"))[0] == 0
    with Image.open(tmp_path / "race.gif") as gif:
        assert gif.n_frames == decisions + 1
    assert run("replay", str(watched), "--theme", "dark", "--out", str(tmp_path / "race.mp4"))[0] == 0
    about = next(imageio_ffmpeg.read_frames(str(tmp_path / "race.mp4")))
    assert about["size"][0] == 900
    assert about["duration"] == pytest.approx((decisions + 1) * SECONDS_EACH, abs=0.2)


def test_an_animation_has_one_of_the_known_endings(watched: Path, tmp_path: Path) -> None:
    assert run("replay", str(watched), "--out", str(tmp_path / "race.doc"))[0] == 2


@pytest.mark.parametrize("path", GOLDEN, ids=[path.stem for path in GOLDEN])
def test_an_old_record_replays_for_ever_within_its_games_version(path: Path) -> None:
    """Where this fails the rules have changed: that is a new version of the game, with records of its own."""
    record = read(path)
    assert record.result is not None
    assert len(list(positions(record))) == len(record.decisions) + 1


def test_there_are_old_records() -> None:
    assert len(GOLDEN) >= 2
