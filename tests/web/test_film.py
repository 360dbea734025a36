"""A race as one HTML file, in a real browser without a network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Visit
from titan_env.film import film
from titan_env.replay import read
from titan_env.svg import THEMES

GOLDEN = Path(__file__).parents[1] / "golden" / "race_2.jsonl"


def test_an_exported_film_needs_no_server(chromium: Browser, tmp_path: Path) -> None:
    record = read(GOLDEN)
    (tmp_path / "race.html").write_text(film(record), "utf-8")
    visit = Visit(chromium, (tmp_path / "race.html").as_uri(), offline=True)
    page = visit.page
    expect(page.locator("#board svg")).to_be_visible()
    expect(page.locator("#number")).to_have_text(re.compile(rf"0\D+{len(record.decisions)}"))
    page.locator("#on").click()
    expect(page.locator("#say")).to_contain_text(str(record.decisions[0]["say"]))
    page.locator("details", has_text="why").locator("summary").click()
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
    (tmp_path / "race.html").write_text(film(read(GOLDEN)), "utf-8")
    visit = Visit(chromium, (tmp_path / "race.html").as_uri(), color_scheme=theme)
    papers = {name: f"rgb{tuple(bytes.fromhex(THEMES[name]['paper'][1:]))}" for name in ("light", "dark")}
    paper = visit.page.locator("#board svg > rect").first
    expect(paper).to_have_css("fill", papers[theme])
    visit.page.locator("#theme").click()
    expect(paper).to_have_css("fill", papers["dark" if theme == "light" else "light"])
    visit.context.close()
    assert visit.faults == []
