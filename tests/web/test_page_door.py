"""The front door: each game by its board, ready or not, one click from the first decision; one's own games."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Visit
from tests.web.serving import RACE, Visitor, serving
from titan_env import registry
from titan_env.web.requests import server as server_module
from titan_env.web.requests.server import Server, make_ready
from titan_env.web.sessions.game_store import GameStore

DOOR = "/"
NAMES = ["person", "greedy", "random"]


def test_every_game_says_in_a_sentence_what_it_is_for_how_many_and_how_long(browser: Visitor) -> None:
    for entry in browser.do("catalogue")["games"]:
        game = registry.load(entry["name"])
        form = game.presentation.setup_form()
        assert entry["pitch"] == (form.about or form.presets[0].about)
        assert entry["minutes"] == form.minutes
        assert entry["seats"] == list(game.rules.seats)
        if game.metadata.folder:
            assert form.about, entry["name"]
            assert form.minutes > 0, entry["name"]


@pytest.mark.thorough
def test_ones_own_games_are_listed_the_latest_first_and_nobody_elses(browser: Visitor, server: Server) -> None:
    first, second = (browser.do("begin", **RACE, names=NAMES) for _ in range(2))
    browser.do("act" if first["agent_to_move"] else "play", id=first["id"], at=0, action=first_action(first))
    listed = browser.do("mine")["games"]
    assert [one["id"] for one in listed] == [first["id"], second["id"]]
    assert listed[0] == {"id": first["id"], "title": "Titan Race", "names": NAMES, "decisions": 1, "result": None}
    assert Visitor(server).do("mine") == {"games": []}


def first_action(view: dict[str, Any]) -> int:
    """Return the first legal action of a person, if one is asked."""
    return int(view["actions"][0]["number"]) if view["your_turn"] else 0


@pytest.mark.thorough
def test_games_that_are_kept_in_the_file_are_listed_after_a_restart(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    visitor = Visitor(Server(store=store))
    begun = visitor.do("begin", **RACE, names=NAMES)
    store.close()
    again = Visitor(Server(store=GameStore(tmp_path)))
    again.client.cookies = visitor.client.cookies
    entry = {"id": begun["id"], "title": "Titan Race", "names": NAMES, "decisions": 0, "result": None}
    assert again.do("mine") == {"games": [entry]}
    assert again.do("show", id=begun["id"])["names"] == NAMES


def test_each_game_shows_its_board_once_it_is_ready(chromium: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    monkeypatch.setattr(server_module, "make_ready", lambda name: go_on.wait(30) and make_ready(name))
    with serving(Server()) as address:
        visit = Visit(chromium, address, DOOR)
        cards, covers = visit.page.locator(".game"), visit.page.locator(".game .cover")
        expect(cards).to_have_count(len(registry.names()))
        expect(covers.get_by_text("getting ready")).to_have_count(len(registry.names()))
        expect(visit.page.locator(".game img")).to_have_count(0)
        go_on.set()
        expect(visit.page.locator(".game img")).to_have_count(len(registry.names()))
        expect(covers.get_by_text("getting ready")).to_have_count(0)
        widths = visit.page.locator(".game img").evaluate_all("images => images.map(image => image.naturalWidth)")
        assert all(width > 0 for width in widths)
        visit.context.close()
        assert visit.faults == []


def test_it_is_one_click_to_the_first_decision_and_one_to_a_guided_game(chromium: Browser, address: str) -> None:
    visit = Visit(chromium, address, DOOR)
    page = visit.page
    for game in ("titan_race", "titan_war"):
        page.locator(f'[data-game="{game}"]').get_by_role("button", name="Play").click()
        expect(page.locator("#board svg")).to_be_visible()
        expect(page.locator("#say")).to_contain_text("your turn")
        expect(page.locator("#actions button").first).to_be_visible()
        page.locator('[data-tab="door"]').click()
    page.locator('[data-game="titan_race"]').get_by_role("button", name="Learn in two minutes").click()
    expect(page.locator("#guide-step")).to_be_visible()
    page.locator('[data-tab="door"]').click()
    expect(page.locator("#mine button")).to_have_count(3)
    page.locator("#mine button").last.click()
    expect(page.locator("#board svg")).to_be_visible()
    visit.context.close()
    assert visit.faults == []


def test_a_game_is_watched_by_a_click_and_options_are_behind_one(chromium: Browser, address: str) -> None:
    visit = Visit(chromium, address, DOOR)
    page = visit.page
    visit.options("titan_battle")
    expect(page.locator("#game")).to_have_value("titan_battle")
    page.locator('[data-tab="door"]').click()
    page.locator("#watch button").first.click()
    expect(page.locator("#board svg")).to_be_visible()
    expect(page.locator("#number")).not_to_have_text("0/0")
    page.locator('[data-tab="door"]').click()
    page.locator("#to-arena").click()
    expect(page.locator("#ladders")).to_be_visible()
    visit.context.close()
    assert visit.faults == []


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_no_picture_is_wider_than_the_screen(chromium: Browser, address: str, width: int, height: int) -> None:
    visit = Visit(chromium, address, DOOR, viewport={"width": width, "height": height})
    expect(visit.page.locator(".game img")).to_have_count(len(registry.names()))
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    visit.context.close()
    assert visit.faults == []
