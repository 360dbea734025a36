"""Tiny Turbo Cars at the puzzle: a person who slides sees where the program would lead the car, on the track."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import Visit

pytestmark = pytest.mark.thorough

GHOST = "#board svg polyline[stroke-dasharray]"
MOST_SLIDES = 12


def ghost(page: Page) -> list[str]:
    """The dashed lines of the picture, by their points, without that of the legend, which is the last."""
    lines: list[str] = page.locator(GHOST).evaluate_all("lines => lines.map(line => line.getAttribute('points'))")
    return lines[:-1]


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["desk", "phone"])
def test_who_slides_sees_where_the_program_leads(chromium: Browser, address: str, size: tuple[int, int]) -> None:
    visit = Visit(chromium, address, viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 500)
    page = visit.page
    page.locator("#game").select_option("tiny_turbo_cars")
    visit.fill("players", "2")
    expect(page.locator("#seats select")).to_have_count(2)
    for seat, name in enumerate(("person", "random")):
        page.locator("#seats select").nth(seat).select_option(name)
    page.locator("#seed").fill("1")
    page.locator("#practice").set_checked(True)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#say")).to_contain_text("your turn")
    while not page.locator("#board [data-press]").count():  # a car is chosen before the puzzle lies there
        before = page.locator("#number").inner_text()
        page.locator("#actions button").first.click()
        expect(page.locator("#number")).not_to_have_text(before)
        expect(page.locator("#say")).to_contain_text("your turn")
    expect(page.locator(GHOST).nth(2)).to_be_attached()
    paths = [ghost(page)]
    for slide in range(MOST_SLIDES):
        before = page.locator("#number").inner_text()
        keys = page.locator("#board [data-press]").evaluate_all("tiles => tiles.map(tile => tile.dataset.press)")
        if size[0] < 500:
            page.locator(f"#board [data-press={keys[slide % len(keys)]}]").first.tap(force=True)
        else:
            page.keyboard.press(keys[slide % len(keys)])
        expect(page.locator("#number")).not_to_have_text(before)
        expect(page.locator("#say")).to_contain_text("your turn")
        paths.append(ghost(page))
        if paths[-1] != paths[0] and paths[-1]:
            break
    assert paths[-1] != paths[0], "another program leads elsewhere"
    page.locator(GHOST).first.scroll_into_view_if_needed()
    expect(page.locator(GHOST).first).to_be_in_viewport()
    frame, line = page.locator("#board").bounding_box(), page.locator(GHOST).first.bounding_box()
    assert frame
    assert line
    assert frame["x"] - 1 <= line["x"]
    assert line["x"] + line["width"] <= frame["x"] + frame["width"] + 1
    assert re.search(r"\d", paths[-1][0])
    visit.context.close()
    assert visit.faults == []
