"""Everybody can use the page: axe-core has nothing serious or moderate to find, on any view, in any look.

Each view is looked at in the two looks that differ in everything, and each game once before and once at its end; with
``EVERY_LOOK=1`` all of them in all four.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import Visit
from titan_env.contract import Game

pytestmark = pytest.mark.thorough

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
GRAVE = ("moderate", "serious", "critical")
RECORDS = Path(__file__).parents[2] / "docs" / "records"
SIZES = {"wide": {"width": 1440, "height": 900}, "narrow": {"width": 390, "height": 844}}
LOOKS: dict[str, dict[str, Any]] = {
    f"{theme} and {size}": {"viewport": viewport, "color_scheme": theme}
    for theme in ("light", "dark")
    for size, viewport in SIZES.items()
}


def looks(*usual: str) -> list[str]:
    """The looks in which a view is looked at."""
    return list(LOOKS) if os.environ.get("EVERY_LOOK") else list(usual)


UNFOLD = """() => {
  for (const folded of document.querySelectorAll("#table details")) folded.open = true;
  const many = "#barred .off, #things .thing, #log .moment:not([tabindex='0']), #actions button, #sentences li";
  for (const [number, one] of document.querySelectorAll(many).entries()) if (number % 12) one.remove();
}"""
"""Unfolds everything, and leaves of many things that are alike every twelfth: axe-core takes long over each.

The log's one stop of the Tab key stays: the keyboard reaches the log through it.
"""


@pytest.fixture
def looked_at(chromium: Browser, address: str) -> Iterator[Callable[[str], Visit]]:
    """Visits in one of the looks each; the page's own policy would not let axe-core in."""
    visits: list[Visit] = []

    def look(name: str) -> Visit:
        visits.append(Visit(chromium, address, bypass_csp=True, **LOOKS[name]))
        return visits[-1]

    yield look
    for visit in visits:
        visit.context.close()
        assert visit.faults == []


def findings(page: Page, view: str) -> list[str]:
    """What axe-core finds grave on the page as it is."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
    grave = [one for one in found if one["impact"] in GRAVE]
    return [
        f"{view}: {one['id']} ({one['impact']}), {len(one['nodes'])} times, as in {one['nodes'][0]['html'][:160]}"
        for one in grave
    ]


@pytest.mark.parametrize("look", looks("light and wide", "dark and narrow"))
def test_no_view_of_the_page_has_a_grave_finding(looked_at: Callable[[str], Visit], look: str) -> None:
    visit, found = looked_at(look), []
    page = visit.page
    visit.unfold()
    found += findings(page, "new game")
    page.get_by_role("button", name="Games").click()
    expect(page.locator(".game img").first).to_be_visible()
    found += findings(page, "games")
    page.get_by_role("button", name="Arena", exact=True).click()
    expect(page.locator("#ladders table").first).to_be_visible()
    found += findings(page, "arena")
    page.get_by_role("button", name="Open a record").click()
    found += findings(page, "open a record")
    page.get_by_role("button", name="Position").click()
    expect(page.locator("#sheet svg")).to_be_visible()
    found += findings(page, "position")
    page.get_by_role("button", name="Rules").click()
    expect(page.locator("#rules article h2").first).to_be_visible()
    found += findings(page, "rules")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("look", looks("light and wide"))
def test_the_end_of_a_game_has_no_grave_finding(looked_at: Callable[[str], Visit], game: Game, look: str) -> None:
    if not (RECORDS / f"{game.name}.jsonl").exists():
        pytest.skip("a small game of the tests")
    page = looked_at(look).page
    page.locator("#file").set_input_files(RECORDS / f"{game.name}.jsonl")
    expect(page.locator("#board svg")).to_be_visible()
    page.locator("#last").click()
    expect(page.locator("#ranking li").first).to_be_visible()
    page.evaluate(UNFOLD)
    found = findings(page, "the end")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("look", looks("dark and narrow"))
def test_a_decision_has_no_grave_finding(looked_at: Callable[[str], Visit], game: Game, look: str) -> None:
    if not (RECORDS / f"{game.name}.jsonl").exists():
        pytest.skip("a small game of the tests")
    page = looked_at(look).page
    page.evaluate("document.getElementById('speed').value = '0'")
    page.locator("#game").select_option(game.name)
    expect(page.locator("#go")).to_be_enabled()
    page.locator("#go").click()
    expect(page.locator("#actions button").first).to_be_visible()
    page.evaluate(UNFOLD)
    found = findings(page, "a decision")
    assert not found, "\n".join(found)
