"""A guided first game: what the server tells of it, and how it is followed, by mouse, by keyboard and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import GAMES
from tests.web.conftest import Visit
from tests.web.serving import Visitor
from tests.web.test_page_accessibility import findings
from titan_env import registry
from titan_env.contract.presentation_values import CHOICES, GUIDE_STEPS

pytestmark = pytest.mark.thorough

GUIDED = [name for name in registry.names() if registry.load(name).presentation.first_game is not None]
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}


def keys(browser: Visitor, view: dict[str, Any], narrow: bool) -> set[str]:
    """The keys of the things in a moment's picture."""
    shown = browser.do("show", id=view["id"], at=view["at"], narrow=narrow)
    return set(re.findall(r'data-key="([^"]+)"', "".join(shown["svg"])))


def moments(browser: Visitor, view: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The moments in which the person, who takes the first choice there is, is to decide."""
    name = view["id"]
    while not view["result"]:
        if view["your_turn"]:
            yield view
            view = browser.do("play", id=name, at=view["at"], action=view["actions"][0]["number"])
        else:
            view = browser.do("act", id=name, at=view["at"])
        view["id"] = name


@pytest.mark.parametrize("name", GUIDED)
def test_what_a_step_points_at_is_on_the_board_when_the_step_comes(browser: Visitor, name: str) -> None:
    guide = browser.do("guide", game=name)
    began = browser.do("begin", **guide["begin"])
    left = list(guide["steps"])
    assert len(left) >= GUIDE_STEPS
    for view in moments(browser, began):
        answered = False
        while left and not answered and left[0]["ask"] in (None, view["ask"]):
            step = left.pop(0)
            answered = step["ask"] is not None
            begins = step["at"].removesuffix("*")
            for narrow in (False, True):
                assert step["at"] == CHOICES or any(
                    key.startswith(begins) if step["at"].endswith("*") else key == begins
                    for key in keys(browser, view, narrow)
                ), step
        if not left:
            return
    raise AssertionError(f"the game was over before: {left}")


def test_every_game_of_the_package_has_a_guide_and_a_game_without_one_says_so(browser: Visitor) -> None:
    assert set(GUIDED) == set(registry.names()) - set(GAMES)
    offered = {game["name"]: game["guided"] for game in browser.do("catalogue")["games"]}
    assert offered == {name: name in GUIDED for name in registry.names()}
    assert "guided first game" in browser.refused("guide", game="pig")


def test_the_steps_are_told_in_the_language_of_the_visitor(browser: Visitor) -> None:
    browser.client.headers["accept-language"] = "es"
    assert "legión" in browser.do("guide", game="titan_battle")["steps"][0]["text"]


def begin_guide(page: Page, game: str) -> None:
    page.locator("#game").select_option(game)
    page.evaluate("document.getElementById('speed').value = '0'")
    page.get_by_role("button", name="A guided first game").click()
    expect(page.locator("#guide-number")).to_have_text(re.compile("1 of [58]"))


def is_beside(page: Page) -> bool:
    """Whether box and ring are both in the window, and the box hides nothing of what the ring is around."""
    box, ring = page.locator("#guide").bounding_box(), page.locator("#guide-ring").bounding_box()
    assert box is not None
    assert ring is not None
    size = page.viewport_size
    assert size is not None
    apart = box["x"] >= ring["x"] + ring["width"] or box["x"] + box["width"] <= ring["x"]
    apart |= box["y"] >= ring["y"] + ring["height"] or box["y"] + box["height"] <= ring["y"]
    inside = min(box["x"], box["y"]) >= 0 and box["x"] + box["width"] <= size["width"]
    return apart and inside and box["y"] + box["height"] <= size["height"]


def test_a_guide_is_followed_by_keyboard_to_its_end(visit: Visit) -> None:
    page, number, following = visit.page, visit.page.locator("#guide-number"), visit.page.locator("#guide-next")
    begin_guide(page, "titan_race")
    expect(page.locator("#guide-said")).to_contain_text("laps over this line wins")
    expect(following).to_be_focused()
    page.keyboard.press("Enter")
    expect(number).to_have_text("2 of 5")
    page.keyboard.press("Enter")
    expect(number).to_have_text("3 of 5")
    expect(following).to_be_focused()
    assert is_beside(page)
    page.keyboard.press("1")  # a die is taken, which is what the third step says
    expect(page.locator("#guide")).to_be_hidden()  # the Titan enters the race meanwhile
    page.keyboard.press("1")
    expect(number).to_have_text("4 of 5")
    page.reload()
    expect(number).to_have_text("4 of 5")
    page.keyboard.press("1")
    page.evaluate("document.getElementById('speed').value = '0'")
    expect(number).to_have_text("5 of 5")
    following.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#guide")).to_be_hidden()
    expect(page.locator("#guide-ring")).to_be_hidden()
    expect(page.locator("#actions button").first).to_be_focused()


def test_what_was_done_before_its_step_came_is_not_asked_for_and_escape_closes_the_guide(visit: Visit) -> None:
    page = visit.page
    begin_guide(page, "tiny_turbo_cars")
    page.locator("#actions button").first.click()  # a place is chosen before its step
    expect(page.locator("#number")).to_have_text("2/2")
    expect(page.locator("#guide-number")).to_have_text("1 of 5")
    page.locator("#guide-next").click()
    expect(page.locator("#guide-number")).to_have_text("3 of 5")
    page.keyboard.press("Escape")
    expect(page.locator("#guide")).to_be_hidden()
    page.locator("#actions button").first.click()
    expect(page.locator("#number")).to_have_text("4/4")
    expect(page.locator("#guide")).to_be_hidden()


def test_the_guide_has_no_grave_finding_and_hides_nothing_it_is_about_on_a_dark_phone(
    chromium: Browser, address: str
) -> None:
    visit = Visit(chromium, address, bypass_csp=True, **PHONE)
    page, found = visit.page, []
    for game in GUIDED:
        page.goto(visit.address)
        visit.options(game)
        begin_guide(page, game)
        assert is_beside(page), game
        page.locator("#guide-next").click()
        expect(page.locator("#guide-number")).to_have_text(re.compile("2 of [58]"))
        assert is_beside(page), game
    page.evaluate("for (const one of document.querySelectorAll('#things *, #log *, #barred *')) one.remove()")
    found += findings(page, "a guide")
    visit.context.close()
    assert visit.faults == []
    assert not found, "\n".join(found)
