"""Long steps are told part by part on the page: by whom it may be heard, and skipped by who is in a hurry."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Visit
from tests.web.serving import Visitor
from titan_env import registry

pytestmark = pytest.mark.thorough

STAGED = [name for name in registry.names() if registry.load(name).presentation.part_events]
MOST = 80


def staged(browser: Visitor, name: str) -> tuple[str, dict[str, Any]]:
    """A game of random agents, and its first moment that is told in parts."""
    names = ["random"] * browser.do("seats", game=name)["seats"]
    view = browser.do("begin", game=name, names=names, seed=3)
    identity = view["id"]
    for _ in range(MOST):
        view = browser.do("act", id=identity, at=view["at"])
        if view["staged"]:
            return identity, view
    raise AssertionError("expected a step that is told in parts")


@pytest.mark.parametrize("name", STAGED)
def test_each_part_tells_more_and_the_moment_tells_the_rest(browser: Visitor, name: str) -> None:
    identity, view = staged(browser, name)
    parts = browser.do("stages", id=identity, at=view["at"])["stages"]
    counts = [len(part["events"]) for part in parts]
    assert counts == sorted(set(counts))
    assert counts[-1] < len(view["events"])
    assert all(part["events"] == view["events"][: len(part["events"])] for part in parts)
    lines: list[str] = []
    for part in parts:
        lines = [
            line for piece in part["svg"] for line in ([piece] if isinstance(piece, str) else lines[slice(*piece)])
        ]
        assert lines[0].startswith("<svg")
        assert lines[-1] == "</svg>"


def test_there_are_no_parts_of_a_moment_that_is_not_there(browser: Visitor) -> None:
    view = browser.do("begin", game="titan_race", names=["random"] * 2, options={"titans": "2"}, seed=3)
    assert "expected a moment from 1" in browser.refused("stages", id=view["id"], at=0)
    assert "expected a moment from 1" in browser.refused("stages", id=view["id"], at=99)


def test_a_turn_is_told_in_parts_and_any_key_skips_it(visit: Visit) -> None:
    page = visit.page
    page.locator("#game").select_option("tiny_turbo_cars")
    visit.fill("players", "2")
    visit.fill("length", "1")
    for seat in range(2):
        page.locator("#seats select").nth(seat).select_option("random")
    page.locator("#seed").fill("1")
    page.locator("#speed").evaluate("box => box.value = '0'")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#log")).to_contain_text("drives with token")
    page.locator("#run").click()
    drive = page.locator("#log .moment").filter(has_text="drives with token").first
    at = int(drive.evaluate("line => [...document.querySelectorAll('#log .moment')].indexOf(line)"))
    latest = page.locator("#number").inner_text()
    visit.open_log()
    page.locator("#log .moment").nth(at - 1).click()
    expect(page.locator("#number")).not_to_have_text(latest)
    page.locator("#speed").select_option("2000")
    number = page.locator("#number").inner_text()
    page.locator("#on").click()
    expect(page.locator("#events li").first).to_contain_text("drives with token")
    assert page.locator("#number").inner_text() == number, "the moment comes when all is told"
    events = page.locator("#events li").count()
    page.keyboard.press("Escape")
    expect(page.locator("#number")).not_to_have_text(number)
    assert page.locator("#events li").count() > events
