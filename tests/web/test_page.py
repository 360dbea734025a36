"""The page in words and pictures: the form, explanations, pieces that glide, the position for screen readers."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Visit
from tests.web.serving import Visitor
from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.option_text import read_options
from titan_env.records.session import GameSession

pytestmark = pytest.mark.thorough

TOUCH = 700  # milliseconds of a long touch


@pytest.fixture
def moving(chromium: Browser, address: str) -> Iterator[Visit]:
    visited = Visit(chromium, address, reduced_motion="no-preference")
    yield visited
    visited.context.close()
    assert visited.faults == []


# The form


def test_the_form_of_every_game_speaks_words_and_offers_what_can_be_played(browser: Visitor, game: Game) -> None:
    form = browser.do("form", game=game.name)
    assert form["presets"][0]["options"] == {}, "the usual game first"
    for preset in form["presets"]:
        typed = [f"{name}={value}" for name, value in preset["options"].items()]
        GameSetup.of(game, read_options(typed))
    asked = {question["name"]: question for question in form["questions"]}
    assert set(asked) == set(game.rules.options)
    for question in form["questions"]:
        assert "_" not in question["title"]
        for choice in [*question["choices"], *question["pieces"]]:
            assert choice["title"]
            assert "_" not in choice["title"]
    offered = [choice for question in form["questions"] for choice in [*question["choices"], *question["pieces"]]]
    assert any(choice["svg"] for choice in offered) == bool(game.metadata.folder), "games of the house have pictures"


def test_every_agent_is_offered_with_a_sentence(browser: Visitor) -> None:
    for game in browser.do("catalogue")["games"]:
        assert all(game["about"][name] for name in game["agents"])


def test_a_form_that_comes_late_takes_nothing_away_that_was_filled_in(visit: Visit) -> None:
    page, held = visit.page, []
    expect(page.locator("#options label")).not_to_have_count(0)
    page.route("**/api/form", lambda route: held.append(route))
    for _ in range(2):
        page.locator("#game").select_option("titan_race")
    expect(page.locator("#options label"), "nobody fills in what is about to go").to_have_count(0)
    expect(page.locator("#go")).to_be_disabled()
    while len(held) < 2:
        page.wait_for_timeout(20)
    first, second = held
    second.continue_()
    visit.fill("titans", "2")
    expect(page.locator("#seats select")).to_have_count(2)
    expect(page.locator("#go")).to_be_enabled()
    with page.expect_response("**/api/form"):
        first.continue_()
    page.wait_for_timeout(100)
    assert page.locator("#options select[name=titans]").input_value() == "2"
    expect(page.locator("#seats select")).to_have_count(2)


def test_presets_boards_and_pieces_are_chosen_by_a_click(visit: Visit) -> None:
    page = visit.page
    page.locator("#game").select_option("titan_race")
    expect(page.locator("#details")).not_to_have_attribute("open", "")
    page.get_by_role("button", name="Two teams of two").click()
    expect(page.locator("#seats select")).to_have_count(4)
    expect(page.locator(".preset[aria-pressed=true]")).to_have_text(re.compile("Two teams"))
    for piece in ("slaugg", "rassik", "craken"):
        page.locator(f"[data-piece=titans][value={piece}]").click()
    expect(page.locator("#seats select")).to_have_count(3)
    page.locator("[data-picks=circuit][value=anglieh]").click()
    page.locator("#seats select").first.select_option("greedy")
    page.locator("#begin .main").click()
    expect(page.locator("#board svg")).to_contain_text("Ang'lieh")
    page.locator("#described summary").click()
    expect(page.locator("#sentences")).to_contain_text("Slaugg, player 1")


# Explained where it is used


def test_every_thing_of_every_picture_is_explained(browser: Visitor, game: Game) -> None:
    notes = browser.do("glossary", game=game.name)
    names = ["random"] * browser.do("seats", game=game.name)["seats"]
    view = browser.do("begin", game=game.name, names=names, seed=3)
    identity, used = view["id"], set[str]()
    for _ in range(20):
        used |= set(" ".join(re.findall('data-notes="([^"]+)"', view["svg"])).split())
        if view["asked"] is not None:
            view = browser.do("act", id=identity, at=view["at"])
    assert bool(used) == bool(game.metadata.folder), "games of the house explain their things"
    assert used <= set(notes)
    assert all(note["name"] and note["text"] for note in notes.values())
    if game.metadata.folder:
        assert any(note["rule"] for note in notes.values())


def test_pointer_keyboard_and_long_touch_explain_a_thing(chromium: Browser, address: str) -> None:
    visit = Visit(chromium, address, has_touch=True)
    visit.begin("person", "greedy", titans=2, seed=1)
    page = visit.page
    expect(page.locator("#say")).to_contain_text("your turn")
    note, die = page.locator("#note"), page.locator("#board [data-notes^='die:']").first
    die.hover()
    expect(note).to_contain_text(re.compile("die Moves|die Plays"))
    expect(note.locator("svg")).to_be_visible()
    page.mouse.move(1, 1)
    expect(note).to_be_hidden()
    page.keyboard.press("Tab")
    page.locator("#board [data-action]").first.focus()
    expect(note).to_be_visible()
    page.keyboard.press("Escape")
    box = die.bounding_box()
    assert box is not None
    at = {"clientX": box["x"] + 9, "clientY": box["y"] + 9, "pointerType": "touch", "isPrimary": True, "bubbles": True}
    before = visit.shown()
    die.dispatch_event("pointerdown", at)
    page.wait_for_timeout(TOUCH)
    die.dispatch_event("pointerup", at)
    die.dispatch_event("click", at)
    expect(note).to_be_visible()
    assert visit.shown() == before, "a long touch is no choice"
    note.locator("a").click()
    expect(page.locator("#rules .found")).to_be_in_viewport()
    visit.context.close()
    assert visit.faults == []


# Movement


COUNT_GLIDES = """() => {
  const animate = Element.prototype.animate;
  window.glides = 0;
  Element.prototype.animate = function (...how) { window.glides += 1; return animate.apply(this, how); };
}"""


def test_what_has_moved_glides_along_its_way_unless_stillness_is_preferred(moving: Visit, visit: Visit) -> None:
    for visited, glides in ((moving, True), (visit, False)):
        page = visited.page
        page.evaluate(COUNT_GLIDES)  # a glide may be over before a busy machine looks at it
        visited.begin("greedy", "greedy", titans=2, seed=1)
        page.locator("#speed").select_option("2000")
        page.locator("#run").click()
        page.wait_for_function(
            """() => { document.getElementById("on").click();
            return document.querySelectorAll("#board [data-along]").length > 0; }""",
            polling=300,
        )
        assert (page.evaluate("window.glides") > 0) == glides


# Screen readers


def test_the_position_is_told_in_words_and_every_thing_has_a_name(visit: Visit) -> None:
    visit.begin("person", "greedy", titans=2, seed=1)
    page = visit.page
    expect(page.locator("#say")).to_contain_text("your turn")
    page.locator("#described summary").click()
    expect(page.locator("#sentences li").nth(2)).to_contain_text(re.compile("player 1.*lives"))
    things = page.locator("#board > svg [data-said]")
    assert things.count() > 36
    assert things.evaluate_all("all => all.every(thing => thing.ariaLabel && thing.getAttribute('role'))")
    expect(page.get_by_role("img", name=re.compile("^B4"))).to_be_attached()
    deadline = time.monotonic() + 120
    while page.locator("#note").is_hidden() and time.monotonic() < deadline:  # until the glossary has come
        page.wait_for_timeout(200)
        page.locator("#things .thing").first.press("Enter")
    expect(page.locator("#note")).to_be_visible()


def test_a_glossary_that_did_not_come_is_asked_for_again(visit: Visit) -> None:
    page = visit.page
    page.route("**/api/glossary", lambda route: route.fulfill(json={"error": "busy"}))
    visit.begin("person", "greedy", titans=2, seed=1)
    expect(page.locator("#say")).to_contain_text("your turn")
    page.unroute("**/api/glossary")
    with page.expect_response("**/api/glossary"):
        page.locator("#actions button").first.click()


def test_the_position_in_words_gives_nothing_away(browser: Visitor) -> None:
    game = registry.load("titan_race")
    state = GameSession(GameSetup.of(game, {"titans": 2, "deck": "surprise_trap,shield"}), 3).state
    state.cards[0] = 0
    own, others = game.text.describe_position(state, 0), game.text.describe_position(state, 1)
    assert any("tribal trap" in line for line in own)
    assert not any("tribal trap" in line for line in others)
