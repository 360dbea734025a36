"""The board larger than its frame, on any game's table: with buttons, keys, wheel, a mouse and fingers."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Visit

pytestmark = pytest.mark.thorough

PLACE = """() => {
  const board = document.getElementById("board");
  const wide = board.firstElementChild.getBoundingClientRect().width;
  return [wide / board.clientWidth, board.scrollLeft, board.scrollTop];
}"""


def zoom_and_scroll(visit: Visit) -> tuple[float, float, float]:
    """How many times as wide as its frame the board is, and how far it is scrolled."""
    wide, left, top = visit.page.evaluate(PLACE)
    return round(wide, 2), left, top


def middle(visit: Visit) -> tuple[float, float]:
    """The middle of the board on the screen, without what lies beside it."""
    box = visit.page.locator("#board > svg > [data-part=board]").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def begin(visit: Visit) -> None:
    visit.begin("person", "greedy", titans=2, seed=1)
    expect(visit.page.locator("#say")).to_contain_text("your turn")


def test_buttons_and_keys_make_it_larger_and_it_stays_so_while_a_game_goes_on(visit: Visit) -> None:
    begin(visit)
    page = visit.page
    page.locator("#larger").click()
    page.locator("#larger").click()
    expect(page.locator("#whole")).to_have_text("225 %")
    assert zoom_and_scroll(visit)[0] == 2.25
    before = visit.shown()
    page.locator("#actions button").first.click()
    expect(page.locator("#number")).not_to_have_text(f"{before[0]}/{before[1]}")
    assert zoom_and_scroll(visit)[0] == 2.25
    page.locator("#whole").click()
    assert zoom_and_scroll(visit) == (1.0, 0, 0)
    for _ in range(3):
        page.keyboard.press("+")
    _wide, left, top = zoom_and_scroll(visit)
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert zoom_and_scroll(visit)[1:] == (left + 60, top + 60)
    assert visit.shown()[1] == before[1] + 1, "no key has moved through the game"


def test_a_mouse_drags_it_and_chooses_nothing_by_that(visit: Visit) -> None:
    begin(visit)
    page, before = visit.page, visit.shown()
    x, y = middle(visit)
    page.keyboard.down("Control")
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function("document.getElementById('board').classList.contains('zoomed')")
    wide, left, top = zoom_and_scroll(visit)
    page.mouse.down()
    page.mouse.move(x - 40, y - 30, steps=4)
    page.mouse.up()
    assert zoom_and_scroll(visit) == (wide, left + 40, top + 30)
    assert visit.shown() == before
    assert not page.locator("#choose").is_visible()


@pytest.mark.parametrize("width", [390, 844])
def test_two_fingers_and_two_taps_change_its_size(chromium: Browser, address: str, width: int) -> None:
    size = {"width": width, "height": 844 + 390 - width}
    phone = Visit(chromium, address, viewport=size, has_touch=True)
    begin(phone)
    page = phone.page
    touch = page.context.new_cdp_session(page)
    x, y = middle(phone)

    def fingers(kind: str, *apart: float) -> None:
        points: list[dict[str, Any]] = [{"x": x + half, "y": y, "id": n} for n, half in enumerate(apart)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", -20, 20)
    for half in (30, 40, 50):
        fingers("touchMove", -half, half)
    fingers("touchEnd")
    page.wait_for_function("document.getElementById('board').classList.contains('zoomed')")
    assert zoom_and_scroll(phone)[0] == 2.5
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "the page stays as wide as it was"
    page.locator("#whole").click()
    page.locator("#board").evaluate("board => board.querySelectorAll('[data-action]').forEach(thing => thing.remove())")
    page.touchscreen.tap(x, y)
    page.touchscreen.tap(x, y)
    expect(page.locator("#whole")).to_have_text("250 %")
    page.touchscreen.tap(x, y)
    page.touchscreen.tap(x, y)
    expect(page.locator("#whole")).to_have_text("100 %")
    phone.context.close()
    assert phone.faults == []
