"""Whole games, played by clicks or by keyboard alone, without a word of complaint in the console.

The race is in `tests/web/test_page_in_browser.py`; there some clicks are on the board.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Visit

pytestmark = pytest.mark.thorough

SHORT = {
    "tiny_turbo_cars": {"players": "2", "length": "1", "round_limit": "4"},
    "fantasy_racing": {"players": "2", "rounds": "5"},
    "titan_battle": {"land": "plains", "side": "B", "attacker": "ogre,lion", "defender": "centaur,troll"},
    "titan_war": {"players": "2", "turns": "10"},
}
SEED = 5
"""With these choices the war has a battle in which the person moves and strikes."""
ASKED_OR_OVER = """() => document.getElementById("table").getAttribute("aria-busy") === "false"
  && (document.querySelector("#actions button") || !document.getElementById("end").hidden)"""

CUT_OFF = """() => {
  const [say, choices] = ["say", "actions"].map(name => document.getElementById(name));
  const edge = choices.getBoundingClientRect().right + 1;
  const right = [...choices.children].map(button => button.getBoundingClientRect().right);
  const isCutOff = right.length <= 4 && right.some(end => end > edge);
  return [isCutOff && "a choice", say.scrollHeight > say.clientHeight && say.textContent].filter(Boolean);
}"""
"""Of four choices at most, and of the sentence that says what has happened, what is not wholly seen."""


@pytest.mark.parametrize(("width", "theme"), [(390, "dark"), (1440, "light")])
@pytest.mark.parametrize("name", SHORT)
def test_a_whole_game_is_played_without_a_fault(
    chromium: Browser, address: str, name: str, width: int, theme: Any
) -> None:
    visit = Visit(
        chromium, address, viewport={"width": width, "height": 900 if width > 1000 else 844}, color_scheme=theme
    )
    page = visit.page
    page.on("console", lambda message: message.type == "error" and visit.faults.append(message.text))
    page.locator("#game").select_option(name)
    for option, value in SHORT[name].items():
        visit.fill(option, value)
    expect(page.locator("#seats select")).to_have_count(2)
    for seat, player in enumerate(("person", "greedy")):
        page.locator("#seats select").nth(seat).select_option(player)
    page.locator("#seed").fill(str(SEED))
    page.get_by_role("button", name="Begin").click()
    page.locator("#speed").select_option("0")
    rng, decided, struck = random.Random(SEED), 0, 0
    while True:
        page.wait_for_function(ASKED_OR_OVER)
        buttons = page.locator("#actions button")
        if not buttons.count():
            break
        if width > 1000:
            assert page.evaluate(CUT_OFF) == []
        struck += "strikes" in buttons.first.inner_text()
        before = page.locator("#number").inner_text()
        buttons.nth(rng.randrange(buttons.count())).click()
        expect(page.locator("#number")).not_to_have_text(before)
        decided += 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert struck or name != "titan_war"
    assert decided
    expect(page.locator("#ranking li")).to_have_count(2)
    visit.context.close()
    assert visit.faults == []


def test_a_practice_battle_shows_how_likely_each_end_is(visit: Visit) -> None:
    forecast = visit.page.locator("#forecast")
    visit.begin("person", "greedy", game="titan_battle", practice=True, land="plains")
    expect(forecast.locator("b")).to_have_text(["The attacker wins", "The defender wins", "Both are eliminated"])
    visit.options("titan_battle")
    visit.begin("person", "greedy", game="titan_battle", land="plains")
    expect(forecast).to_be_hidden()
