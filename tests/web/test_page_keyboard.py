"""A whole game from the front door to the ranking by keyboard alone: Tab, arrows, Enter, and what is typed."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import Visit
from tests.web.test_page_whole_games import ASKED_OR_OVER, SEED, SHORT

pytestmark = pytest.mark.thorough

MOST_TABS = 120
"""How often the Tab key is pressed at most to come anywhere."""
CHOICE = "#actions button, #board [data-action]"
FOCUSED = "selector => document.activeElement.matches(selector)"


def tab_to(page: Page, selector: str, key: str = "Tab") -> int:
    """Press Tab until the focus is where it is wanted; return how often."""
    for pressed in range(MOST_TABS):
        if page.evaluate(FOCUSED, selector):
            return pressed
        page.keyboard.press(key)
    raise AssertionError(f"the Tab key does not come to {selector}")


def fill_in(page: Page, name: str, value: str) -> None:
    """Choose a value of an option, or type it where it is none of the usual ones."""
    tab_to(page, f"#options select[name={name}]")
    choice = page.locator(f"#options select[name={name}]")
    known = choice.locator("option").evaluate_all("all => all.map(one => one.value)")
    page.keyboard.press("Home")
    for _ in range(known.index(value) if value in known else len(known) - 1):
        page.keyboard.press("ArrowDown")
    if value not in known:
        tab_to(page, f"#options textarea[name={name}]")
        page.keyboard.type(value)
        page.keyboard.press("Tab")


@pytest.mark.parametrize("name", ["titan_race", "titan_war"])
def test_a_whole_game_is_played_by_keyboard_alone(chromium: Browser, address: str, name: str) -> None:
    visit = Visit(chromium, address, "/", viewport={"width": 1440, "height": 900})
    page = visit.page
    expect(page.locator(".game .cover img").nth(4)).to_be_visible()
    tab_to(page, f'[data-game="{name}"] button:last-child')
    page.keyboard.press("Enter")
    expect(page.locator("#go")).to_be_enabled()
    tab_to(page, "#details summary")
    page.keyboard.press("Enter")
    for option, value in SHORT.get(name, {"titans": "2", "turn_limit": "6"}).items():
        fill_in(page, option, value)
    expect(page.locator("#seats select")).to_have_count(2)
    tab_to(page, "#seats label:nth-child(2) select")
    page.keyboard.type("greedy")
    tab_to(page, "#start details:has(#seed) summary")
    page.keyboard.press("Enter")
    tab_to(page, "#seed")
    page.keyboard.type(str(SEED))
    tab_to(page, "#go")
    page.keyboard.press("Enter")
    expect(page.locator("#board svg")).to_be_visible()
    tab_to(page, "#speed")
    page.keyboard.press("Home")
    rng, tabs, decided, on_board = random.Random(SEED), 0, 0, 0
    while True:
        page.wait_for_function(ASKED_OR_OVER)
        if not page.locator("#actions button").count():
            break
        before = page.locator("#number").inner_text()
        tabs += tab_to(page, CHOICE)
        for _ in range(rng.randrange(3)):
            page.keyboard.press("ArrowDown")
        on_board += page.evaluate(FOCUSED, "#board *")
        page.keyboard.press("Enter")
        if page.locator("#choose").is_visible():
            page.keyboard.press("Enter")
        expect(page.locator("#number")).not_to_have_text(before)
        decided += 1
    assert decided > 3
    assert tabs < MOST_TABS + 2 * decided
    expect(page.locator("#ranking li")).to_have_count(2)
    tab_to(page, "#again")
    visit.context.close()
    assert visit.faults == []
