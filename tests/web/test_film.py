"""A race as one HTML file, in a real browser without a network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import pytest
from PIL import Image, ImageSequence
from playwright.sync_api import Browser, expect

from tests.web.conftest import Visit
from titan_env import agents, registry
from titan_env.engine.game_setup import GameSetup
from titan_env.pictures.render import svg_of
from titan_env.pictures.svg import THEMES
from titan_env.records import replay
from titan_env.records.replay import Record, positions, read
from titan_env.records.replay_html import render_html
from titan_env.records.session import GameSession
from titan_env.records.video import SECONDS_A_PART, SECONDS_EACH, save_video

pytestmark = pytest.mark.thorough

GOLDEN = Path(__file__).parents[1] / "golden" / "race_2.jsonl"

SHORT = {"players": 2, "length": 1, "cars": "random", "slides": 1, "round_limit": 1}
"""A race of Tiny Turbo Cars that is over when each car has driven once."""


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """The record of a short game with steps that are told part by part."""
    path = tmp_path_factory.mktemp("film") / "race.jsonl"
    game = registry.load("tiny_turbo_cars")
    session, player = GameSession(GameSetup.of(game, SHORT), 1, path, ["random", "random"]), agents.load("random", game)
    while not session.is_over:
        session.play(session.ask_agent(player))
    return read(path)


def parts_of(record: Record) -> list[int]:
    """In how many parts the step to each moment is told."""
    found, before = [], None
    for moment in positions(record):
        found.append(len(replay.parts_of(record.game, before, moment)))
        before = moment.state
    return found


def test_most_of_a_picture_is_packed_once_for_all_moments_in_which_it_is_seen(staged: Record) -> None:
    page, drawn = render_html(staged), svg_of(staged.game, next(positions(staged)).state)
    assert len(page) < 6 * len(drawn)


def test_nothing_runs_in_a_film_but_its_own_script(chromium: Browser, tmp_path: Path, staged: Record) -> None:
    (tmp_path / "race.html").write_text(render_html(staged), "utf-8")
    visit = Visit(chromium, (tmp_path / "race.html").as_uri(), "", offline=True)
    page, refused = visit.page, []
    expect(page.locator("#board svg")).to_be_visible()
    page.on("console", lambda message: refused.append(message.text))
    page.evaluate(
        """document.body.insertAdjacentHTML('beforeend', '<b id="trap" onclick="window.trapped = 1">x</b>')"""
    )
    page.locator("#trap").click()
    assert page.evaluate("window.trapped") is None
    assert any("Content Security Policy" in text for text in refused)
    visit.context.close()


def test_an_exported_film_needs_no_server(chromium: Browser, tmp_path: Path) -> None:
    record = read(GOLDEN)
    (tmp_path / "race.html").write_text(render_html(record), "utf-8")
    visit = Visit(chromium, (tmp_path / "race.html").as_uri(), "", offline=True)
    page = visit.page
    expect(page.locator("#board svg")).to_be_visible()
    expect(page.locator("#number")).to_have_text(re.compile(rf"0\D+{len(record.decisions)}"))
    page.locator("#on").click()
    expect(page.locator("#say")).to_contain_text(str(record.decisions[0]["say"]))
    page.locator("details", has_text="with reasons").locator("summary").click()
    expect(page.locator("#barred li").first).to_be_visible()
    page.locator("#barred").locator("..").locator("summary").press(" ")
    expect(page.locator("#barred li").first).to_be_hidden()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("End")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#number")).to_have_text(re.compile(rf"{len(record.decisions)}\D+{len(record.decisions)}"))
    visit.context.close()
    assert visit.faults == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_exported_film_is_light_or_dark_as_its_reader_prefers(chromium: Browser, tmp_path: Path, theme: Any) -> None:
    (tmp_path / "race.html").write_text(render_html(read(GOLDEN)), "utf-8")
    visit = Visit(chromium, (tmp_path / "race.html").as_uri(), "", color_scheme=theme)
    papers = {name: f"rgb{tuple(bytes.fromhex(THEMES[name]['paper'][1:]))}" for name in ("light", "dark")}
    paper = visit.page.locator("#board svg > rect").first
    expect(paper).to_have_css("fill", papers[theme])
    visit.page.locator("#theme").click()
    expect(paper).to_have_css("fill", papers["dark" if theme == "light" else "light"])
    visit.context.close()
    assert visit.faults == []


def test_a_film_tells_a_long_step_part_by_part_and_skips_it(chromium: Browser, tmp_path: Path, staged: Record) -> None:
    parts = parts_of(staged)
    assert max(parts) > 2
    at = next(moment for moment, count in enumerate(parts) if count)
    (tmp_path / "race.html").write_text(render_html(staged), "utf-8")
    visit = Visit(chromium, (tmp_path / "race.html").as_uri(), "", offline=True)
    page = visit.page
    page.locator("#where").fill(str(at - 1))
    page.locator("#on").click()
    expect(page.locator("#number")).to_have_text(f"{at}/{len(parts) - 1}")
    events, first = page.locator("#events li").count(), page.locator("#board").inner_html()
    page.locator("#on").click()
    expect(page.locator("#number")).to_have_text(f"{at}/{len(parts) - 1}")
    assert page.locator("#events li").count() > events
    assert page.locator("#board").inner_html() != first
    whole = page.locator("#board").inner_html()
    page.locator("#back").click()
    expect(page.locator("#number")).to_have_text(f"{at - 1}/{len(parts) - 1}")
    page.locator("#on").click()
    assert page.locator("#board").inner_html() != whole
    page.wait_for_function("whole => document.getElementById('board').innerHTML === whole", arg=whole)
    page.wait_for_timeout(1000)
    assert page.locator("#board").inner_html() == whole, "it stops where the step has led"
    page.locator("#where").fill(str(len(parts) - 2))
    page.locator("#play").click()
    expect(page.locator("#number")).to_have_text(f"{len(parts) - 1}/{len(parts) - 1}")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    visit.context.close()
    assert visit.faults == []


def test_an_animation_tells_a_long_step_part_by_part(tmp_path: Path, staged: Record) -> None:
    parts = parts_of(staged)
    save_video(staged, tmp_path / "race.gif", width=400)
    with Image.open(tmp_path / "race.gif") as gif:
        shown = [gif.info["duration"] for _ in ImageSequence.Iterator(gif)]
    assert len(shown) == len(parts) + sum(parts)
    assert shown.count(round(1000 * SECONDS_A_PART)) == sum(parts)
    assert shown.count(round(1000 * SECONDS_EACH)) == len(parts)
    save_video(staged, tmp_path / "race.mp4", width=400)
    about = next(imageio_ffmpeg.read_frames(str(tmp_path / "race.mp4")))
    assert about["duration"] == pytest.approx(SECONDS_EACH * len(parts) + SECONDS_A_PART * sum(parts), abs=0.2)
