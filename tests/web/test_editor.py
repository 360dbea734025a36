"""Positions are edited in a real browser: by mouse, keyboard and finger."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Visit
from tests.web.test_page_accessibility import AXE
from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.batch import Batch

pytestmark = pytest.mark.thorough

RECORDS = Path(__file__).parents[2] / "docs" / "records"
EDITED = [
    ("titan_race", "piece", "space:13"),
    ("fantasy_racing", "piece", "square:100"),
    ("tiny_turbo_cars", "car", "cell:8,2"),
    ("titan_battle", "piece", "hex:13"),
    ("titan_war", "marker", "land:40"),
]
"""A game, a thing of its picture, and where that may be put."""


def test_a_titan_is_dragged_and_the_race_goes_on_from_there(visit: Visit) -> None:
    visit.begin("greedy", "greedy", titans=2)
    page = visit.page
    page.locator("#run").click()
    page.locator("#edit").click()
    text = page.locator("#text").input_value()
    free = page.locator("#sheet [data-key='space:13']")
    page.locator("#sheet [data-key='token:1']").drag_to(free, force=True)
    expect(page.locator("#sheet [data-key='piece:1']")).to_be_visible()
    edited = page.locator("#text").input_value()
    assert edited != text
    page.get_by_role("button", name="Play from here").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#board [data-key='piece:1']")).to_be_visible()


def test_traps_and_lives_are_set_by_hand_and_the_text_is_copied(visit: Visit) -> None:
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.begin("greedy", "greedy", titans=2)
    page = visit.page
    page.locator("#run").click()
    page.locator("#edit").click()
    text = page.locator("#text")
    page.locator("#sheet [data-key='supply']").drag_to(page.locator("#sheet [data-key='space:13']"), force=True)
    expect(page.locator("#sheet [data-key='trap:13']")).to_be_visible()
    page.locator("#sheet [data-key='life:0:1']").click()
    expect(text).to_have_value(re.compile("life=2"))
    page.locator("#copy").click()
    assert page.evaluate("navigator.clipboard.readText()") == text.input_value()
    page.evaluate("window.clipboard = navigator.clipboard; clipboard.writeText('')")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as over plain http
    page.locator("#copy").click()
    assert page.evaluate("clipboard.readText()") == text.input_value()
    page.locator("#sheet [data-key='trap:13']").drag_to(page.locator("#text"), force=True)
    expect(page.locator("#sheet [data-key='trap:13']")).to_have_count(0)
    text.fill("titan_race_v3\nnonsense")
    page.locator("#draw").click()
    expect(page.locator("#complaint")).to_contain_text("expected")


def test_the_editor_begins_with_a_new_setup_and_follows_the_theme(visit: Visit) -> None:
    page = visit.page
    page.locator("#game").select_option("titan_race")
    visit.fill("titans", "3")
    page.get_by_role("button", name="Position").click()
    expect(page.locator("#sheet [data-key='token:2']")).to_be_visible()
    paper = page.locator("#sheet svg > rect").first.get_attribute("fill")
    page.locator("#theme").click()
    expect(page.locator("#sheet svg > rect").first).not_to_have_attribute("fill", str(paper))
    page.locator("#sheet [data-key='token:0']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#picked")).to_contain_text("Picked")
    page.locator("#sheet [data-key='space:13']").focus()
    page.keyboard.press(" ")
    expect(page.locator("#sheet [data-key='piece:0']")).to_be_visible()
    expect(page.locator("#picked")).to_be_empty()
    page.locator("#sheet [data-key='token:0']").click()
    expect(page.locator("#sheet [data-key='piece:0']")).to_be_visible()
    before = page.locator("#text").input_value()
    page.locator("#sheet [data-key='space:16']").click(force=True)
    expect(page.locator("#text")).not_to_have_value(before)
    page.locator("#text").press("x")
    typed = page.locator("#text").input_value()
    page.locator("#theme").click()
    expect(page.locator("#sheet svg > rect").first).to_have_attribute("fill", str(paper))
    assert page.locator("#text").input_value() == typed
    page.locator("#text").press("Backspace")
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator("#from")).to_be_visible()
    page.locator("#new-setup").click()
    expect(page.locator("#options")).to_be_visible()
    visit.fill("titans", "6")
    page.get_by_role("button", name="Position").click()
    expect(page.locator("#sheet [data-key='token:2']")).to_be_visible()
    expect(page.locator("#sheet [data-key='token:5']")).to_have_count(0)
    page.locator("#anew").click()
    expect(page.locator("#sheet [data-key='token:5']")).to_be_visible()


def test_a_titan_is_dragged_with_a_finger(chromium: Browser, address: str) -> None:
    phone = Visit(chromium, address, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = phone.page
    page.locator("#game").select_option("titan_race")
    page.get_by_role("button", name="Position").click()
    page.locator("#sheet [data-key='token:0']").scroll_into_view_if_needed()
    points = []
    for key in ("token:0", "space:1"):
        box = page.locator(f"#sheet [data-key='{key}']").bounding_box()
        assert box
        points.append({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2})
    finger = phone.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points[:1]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points[1:]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#sheet [data-key='piece:0']")).to_be_visible()
    phone.context.close()
    assert phone.faults == []


def test_a_battle_is_set_up_by_hand_from_the_first_screen(visit: Visit) -> None:
    page = visit.page
    page.locator("#game").select_option("titan_battle")
    page.locator("[data-picks=land][value=plains]").click()
    for side, kind in (("attacker", "ogre"), ("defender", "troll"), ("defender", "titan")):
        page.locator(f"[data-piece={side}][value={kind}]").click()
    expect(page.locator("#seats select")).to_have_count(2)
    page.get_by_role("button", name="Set up by hand").click()
    for piece, target in (("piece:0", "hex:9"), ("piece:8", "hex:26"), ("piece:9", "hex:10")):
        page.locator(f"#sheet [data-key='{piece}']").click(force=True)
        page.locator(f"#sheet [data-key='{target}']").click(force=True)
        expect(page.locator("#sheet")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#text")).to_have_value(re.compile("troll C4"))
    page.locator("#sheet [data-key='life:9']").click(force=True)
    expect(page.locator("#text")).to_have_value(re.compile("troll C4 hits=1"))
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator("#from")).to_be_visible()
    expect(page.get_by_role("button", name="Set up by hand")).to_be_hidden()
    for seat in range(2):
        page.locator("#seats select").nth(seat).select_option("person")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#say")).to_contain_text("your turn")
    page.locator("#board > svg [data-key='piece:8']").hover(force=True)
    expect(page.locator("#note")).to_contain_text("can go to: ")
    expect(page.locator("#board .shown[data-key='hex:25']")).to_have_count(1)
    page.locator("#question a").click()
    expect(page.locator("#rules .found, #rules :target").first).to_be_visible()


@pytest.mark.parametrize(("name", "thing", "target"), EDITED)
def test_in_every_game_a_thing_is_put_elsewhere_in_a_record_of_it(
    visit: Visit, name: str, thing: str, target: str
) -> None:
    """The form shows another game meanwhile; the next game is played from the position that was edited."""
    page = visit.page
    page.locator("#game").select_option("titan_battle" if name == "titan_race" else "titan_race")
    page.locator("#file").set_input_files(RECORDS / f"{name}.jsonl")
    expect(page.locator("#board svg")).to_be_visible()
    page.locator("#timeline").fill("12")
    expect(page.locator("#number")).to_have_text(re.compile("^12/"))
    page.locator("#edit").click()
    expect(page.locator("#sheet svg")).to_be_visible()
    text = page.locator("#text").input_value()
    page.locator(f"#sheet [data-key^='{thing}:']").first.click(force=True)
    expect(page.locator("#picked")).to_contain_text("Picked")
    page.locator(f"#sheet [data-key='{target}']").first.click(force=True)
    expect(page.locator("#sheet")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#complaint")).to_be_hidden()
    expect(page.locator("#text")).not_to_have_value(text)
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator("#game")).to_have_value(name)
    expect(page.locator("#from")).to_be_visible()


def test_a_setup_that_cannot_be_leaves_the_sheet_as_it_is(visit: Visit) -> None:
    page = visit.page
    page.locator("#game").select_option("titan_race")
    page.get_by_role("button", name="Position").click()
    expect(page.locator("#sheet svg")).to_be_visible()
    text = page.locator("#text").input_value()
    visit.options()
    visit.fill("titans", "99")
    page.get_by_role("button", name="Position").click()
    page.locator("#anew").click()
    expect(page.locator("#complaint")).to_contain_text("expected")
    expect(page.locator("#sheet svg")).to_be_visible()
    assert page.locator("#text").input_value() == text


def test_what_can_be_edited_is_in_the_picture(game: Game) -> None:
    """Every kind of thing that a game says can be moved, or put something on, is one of its pictures."""
    if game.presentation.edit_position is None:
        pytest.skip("nobody edits its positions by hand")
    seen: set[str] = set()
    kinds = {
        *game.presentation.edit_keys.moved,
        *game.presentation.edit_keys.places,
        *game.presentation.edit_keys.turned,
    }
    for preset in game.rules.presets.values():
        batch = Batch(game, 1, **preset)
        batch.seed(1)
        batch.start()
        for _ in range(40):
            seen |= {shape.key.partition(":")[0] for shape in game.presentation.picture(batch.states[0]) if shape.key}
            if batch.over[0] or kinds <= seen:
                break
            batch.rollout(5)
    assert kinds <= seen


def test_games_that_nobody_edits_by_hand_offer_no_such_setup(visit: Visit) -> None:
    page = visit.page
    for game in page.locator("#game option").evaluate_all("options => options.map(option => option.value)"):
        page.locator("#game").select_option(game)
        expect(page.locator("#presets button").first).to_be_visible()
        editable = registry.load(game).presentation.edit_position is not None
        expect(page.locator("#set-up")).to_be_visible(visible=editable)


@pytest.mark.parametrize(
    "screen", [{}, {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}]
)
def test_a_character_out_of_the_tray_is_dragged_tapped_and_taken_off(
    chromium: Browser, address: str, screen: dict[str, Any]
) -> None:
    visit = Visit(chromium, address, bypass_csp=True, **screen)
    page = visit.page
    page.locator("#game").select_option("titan_battle")
    page.locator("#presets button").last.click()  # a duel on the plains
    page.get_by_role("button", name="Set up by hand").click()
    sheet, text = page.locator("#sheet"), page.locator("#text")
    page.locator("#tray [data-key='attacker:troll']").click()
    expect(page.locator("#picked")).to_contain_text("Picked: troll")
    sheet.locator("[data-key='hex:13']").click(force=True)
    expect(sheet.locator("[data-key='piece:1']")).to_be_visible()
    expect(text).to_have_value(re.compile("troll"))
    page.locator("#tray [data-key='defender:ogre']").drag_to(sheet.locator("[data-key='hex:26']"), force=True)
    expect(sheet.locator("[data-key='piece:9']")).to_be_visible()
    before = text.input_value()
    page.locator("#tray [data-key='attacker:lion']").focus()
    page.keyboard.press("Enter")
    sheet.locator("[data-key='hex:26']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#complaint")).to_contain_text("expected a free hex")
    assert text.input_value() == before
    sheet.locator("[data-key='piece:1']").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Take off").click()
    expect(text).not_to_have_value(re.compile("troll"))
    page.evaluate(AXE)
    assert page.evaluate("axe.run('#editor').then(found => found.violations.map(one => one.id))") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit.context.close()
    assert visit.faults == []


def test_a_new_war_is_set_up_with_legions_that_the_tray_can_change(visit: Visit) -> None:
    page = visit.page
    page.locator("#game").select_option("titan_war")
    page.get_by_role("button", name="Set up by hand").click()
    page.get_by_role("button", name=re.compile("^hydra: ")).drag_to(
        page.locator("#sheet [data-key^='held:']").first, force=True
    )
    expect(page.locator("#text")).to_have_value(re.compile("hydra"))


def test_a_character_is_put_in_a_legion_of_a_war_and_taken_out_again(visit: Visit) -> None:
    page = visit.page
    page.locator("#game").select_option("titan_war")
    page.locator("#file").set_input_files(RECORDS / "titan_war.jsonl")
    expect(page.locator("#board svg")).to_be_visible()
    page.locator("#timeline").fill("12")
    expect(page.locator("#number")).to_have_text(re.compile("^12/"))
    page.locator("#edit").click()
    row = page.locator("#sheet [data-key^='row:']").first
    expect(row).to_be_visible()
    text, before = page.locator("#text"), page.locator("#text").input_value()
    hydra = page.get_by_role("button", name=re.compile("^hydra: "))
    left = int(re.findall(r"\d+", str(hydra.get_attribute("aria-label")))[0])
    hydra.drag_to(page.locator("#sheet [data-key^='held:']").first, force=True)
    expect(hydra).to_have_attribute("aria-label", f"hydra: {left - 1} left")
    expect(text).to_have_value(re.compile("hydra"))
    page.locator("#sheet [aria-label='hydra'][data-key^='held:']").click(force=True)
    page.keyboard.press("Escape")
    page.locator("#sheet [aria-label='hydra'][data-key^='held:']").focus()
    page.keyboard.press("Delete")
    expect(text).to_have_value(before)
