"""What has happened, what would happen, how it ended: the table as a newcomer reads it, on a desk and on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Visit
from titan_env.pictures.svg import THEMES
from titan_env.registry import load

pytestmark = pytest.mark.thorough


def wait_for_turn(visit: Visit) -> None:
    expect(visit.page.locator("#say")).to_contain_text("your turn")


def test_the_log_tells_every_decision_by_turn_and_leads_back_to_it(visit: Visit) -> None:
    visit.begin("person", "greedy", titans=2, seed=1)
    page = visit.page
    page.locator("#speed").select_option("0")
    for _ in range(4):
        wait_for_turn(visit)
        before = visit.shown()
        page.locator("#actions button").first.click()
        expect(page.locator("#number")).not_to_have_text(f"{before[0]}/{before[1]}")
    wait_for_turn(visit)
    at, last = visit.shown()
    assert at == last
    expect(page.locator("#log .moment")).to_have_count(last)
    assert 1 < page.locator("#log > li").count() < last
    assert page.locator("#history").get_attribute("open") is None, "a drawer that shows the latest line"
    sentence = page.locator("#log .moment").last.locator("> span").text_content()
    expect(page.locator("#latest")).to_have_text(sentence or "")
    visit.open_log()
    expect(page.locator("#log .moment[aria-current]")).to_be_in_viewport()
    page.locator("#log .moment").nth(1).click()
    expect(page.locator("#number")).to_have_text(f"2/{last}")
    expect(page.locator("#log .moment").nth(1)).to_have_attribute("aria-current", "true")


def test_the_log_forgets_what_is_taken_back(visit: Visit) -> None:
    visit.begin("person", "greedy", titans=2, practice=True, seed=1)
    page = visit.page
    wait_for_turn(visit)
    begun = visit.shown()[1]
    page.locator("#actions button").first.click()
    expect(page.locator("#log .moment")).to_have_count(begun + 1)
    page.locator("#undo").click()
    expect(page.locator("#number")).to_have_text(f"{begun}/{begun}")
    expect(page.locator("#log .moment")).to_have_count(begun)


def test_looking_at_an_action_shows_what_it_would_do_and_changes_nothing(visit: Visit) -> None:
    visit.begin("person", "greedy", titans=2, seed=1)
    page = visit.page
    wait_for_turn(visit)
    before = visit.shown()
    for look in ("hover", "focus"):
        getattr(page.locator("#actions button").first, look)()
        expect(page.locator("#preview-text")).to_contain_text("This would happen:")
        expect(page.locator("#preview svg")).to_be_visible()
        page.mouse.move(1, 1)
        page.evaluate("document.activeElement.blur()")
        expect(page.locator("#preview")).to_have_count(0)
    assert visit.shown() == before


def test_enter_does_what_the_pointer_previews_on_the_board(visit: Visit) -> None:
    visit.begin("person", "greedy", titans=2, seed=1)
    page = visit.page
    wait_for_turn(visit)
    before = visit.shown()
    page.keyboard.press("Enter")
    page.locator("#board > svg [data-action]").first.hover()
    expect(page.locator("#preview svg")).to_be_visible()
    sentence = page.locator("#board > svg [data-action]").first.get_attribute("aria-label")
    assert visit.shown() == before, "nothing was previewed when Enter came first"
    page.keyboard.press("Enter")
    expect(page.locator("#number")).not_to_have_text(f"{before[0]}/{before[1]}")
    expect(page.locator("#log .moment").nth(before[1])).to_contain_text(sentence or "")


def test_the_end_names_everybody_and_begins_again_with_other_seats(visit: Visit) -> None:
    visit.begin("greedy", "random", titans=2, turn_limit=2)
    page = visit.page
    page.locator("#speed").select_option("0")
    expect(page.locator("#ranking li")).to_have_count(2)
    page.locator("#speed").select_option("2000")
    page.locator("#turned").click()
    expect(page.locator("#players li").first).to_contain_text("random")
    expect(page.locator("#end")).to_be_hidden()


def test_the_rules_have_contents_and_a_search(visit: Visit) -> None:
    page = visit.page
    page.locator("#game").select_option("titan_race")
    page.locator("#read-rules").click()
    rules = page.locator("#rules article h2:visible")
    expect(page.locator("#contents a").first).to_be_visible()
    everything = rules.count()
    functions = [heading for heading in rules.all_inner_texts() if re.search(r"[a-z]+\.[a-z_]+", heading)]
    assert not functions, "names of functions are for programmers"
    page.locator("#find").fill("zebra")
    expect(page.locator("#found")).to_have_text("found: 0")
    expect(rules).to_have_count(0)
    page.locator("#find").fill("")
    expect(rules).to_have_count(everything)
    page.locator("#contents a.h2").nth(5).click()
    expect(page.locator("#rules .found")).to_be_in_viewport()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_the_rules_draw_the_examples_that_somebody_comes_to(
    chromium: Browser, address: str, width: int, theme: str
) -> None:
    visit = Visit(chromium, address, viewport={"width": width, "height": 844}, color_scheme=theme)
    page = visit.page
    page.locator("#game").select_option("titan_race")
    page.locator("#read-rules").click()
    page.locator("#contents").get_by_role("link", name="Craken").click()
    shown = page.locator("#rules h2", has_text="Craken").locator("xpath=following::details[1]")
    if width < 600:
        expect(shown).not_to_have_attribute("open", "")
        shown.locator("summary").click()
    expect(shown.locator("svg")).to_be_visible()
    expect(shown.locator("figcaption")).to_contain_text("changes places with")
    paper = shown.locator("svg > rect").first
    assert paper.get_attribute("fill") == THEMES[theme]["paper"]
    assert page.locator("#rules svg").count() < 10, "the others are drawn when somebody comes to them"
    assert page.evaluate("document.getElementById('rules').scrollWidth") <= width
    visit.context.close()
    assert visit.faults == []


def test_a_page_in_french_tells_the_rules_in_french_and_its_links_lead_to_them(chromium: Browser, address: str) -> None:
    visit = Visit(chromium, address, locale="fr-FR")
    page = visit.page
    page.locator("#game").select_option("titan_race")
    page.locator("#read-rules").click()
    expect(page.locator("#rules article")).to_have_attribute("lang", "fr")
    page.locator("#contents").get_by_role("link", name="Tremplins").click()
    expect(page.locator("#rules .found")).to_have_text("Tremplins")
    expect(page.locator("#rules .found")).to_be_in_viewport()
    expect(page.locator("#rules .found")).to_have_id("ramps-movementramp_jump")
    visit.context.close()
    assert visit.faults == []


SCREENS = {"small": (360, 640), "phone": (390, 844), "large": (430, 932), "lying": (844, 390), "200 %": (720, 450)}


@pytest.mark.parametrize("size", SCREENS.values(), ids=SCREENS)
def test_board_and_first_choice_are_on_the_screen_together(
    chromium: Browser, address: str, size: tuple[int, int]
) -> None:
    visit = Visit(chromium, address, viewport={"width": size[0], "height": size[1]})
    visit.begin("person", "greedy", titans=2, seed=1)
    wait_for_turn(visit)
    expect(visit.page.locator("#board")).to_be_in_viewport(ratio=0.95)
    expect(visit.page.locator("#board [data-along], #board [data-action]").first).to_be_in_viewport(ratio=0.5)
    expect(visit.page.locator("#actions button").first).to_be_in_viewport(ratio=0.95)
    if size[0] < 500:
        assert visit.page.locator("#board svg").bounding_box()["width"] > 0.85 * size[0], "legible, not shrunk"
        assert visit.page.locator("#history").get_attribute("open") is None, "the log folds"
    visit.context.close()
    assert visit.faults == []


def test_of_many_players_who_is_asked_is_seen_on_a_phone(chromium: Browser, address: str) -> None:
    visit = Visit(chromium, address, viewport={"width": 390, "height": 844})
    visit.begin("person", *["greedy"] * 5, titans=6, seed=1)
    page = visit.page
    page.locator("#run").click()
    expect(page.locator("#table")).to_have_attribute("aria-busy", "false")
    page.locator("#first").click()
    expect(page.locator("#number")).to_have_text(re.compile("^0/"))
    expect(page.locator("#players li").nth(4)).to_have_class("asked")
    expect(page.locator("#players li").nth(4)).to_be_in_viewport()
    visit.context.close()
    assert visit.faults == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_a_whole_race_is_played_on_every_screen(chromium: Browser, address: str, width: int, theme: str) -> None:
    visit = Visit(chromium, address, viewport={"width": width, "height": 844}, color_scheme=theme)
    visit.begin("person", "greedy", titans=2, turn_limit=3)
    page = visit.page
    page.locator("#speed").select_option("0")
    say = page.locator("#say")
    while True:
        expect(say).to_have_text(re.compile("your turn|won|cut short"))
        if "your turn" not in say.inner_text():
            break
        before = visit.shown()
        page.locator("#actions button").first.click()
        expect(page.locator("#number")).not_to_have_text(f"{before[0]}/{before[1]}")
    expect(page.locator("#end")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    visit.context.close()
    assert visit.faults == []


def test_who_won_and_how_is_read_in_full_on_a_desk(visit: Visit) -> None:
    page = visit.page
    visit.begin("greedy", "greedy", titans=2, turn_limit=200, laps=1, seed=4)
    page.locator("#speed").select_option("0")
    expect(page.locator("#end")).to_be_visible()
    page.locator("#events").evaluate("list => list.append(...[...Array(9)].map(() => list.lastChild.cloneNode(true)))")
    for part in ("say", "events"):
        assert page.locator(f"#{part}").evaluate("thing => thing.scrollHeight - thing.clientHeight") <= 1, part


def test_on_a_phone_nothing_is_cut_off_at_the_end_of_a_race_in_french(chromium: Browser, address: str) -> None:
    visit = Visit(chromium, address, viewport={"width": 360, "height": 844}, locale="en")
    visit.begin("greedy", "greedy", titans=2, turn_limit=200, laps=1, seed=4)
    page = visit.page
    page.locator("#speed").select_option("0")
    expect(page.locator("#end")).to_be_visible()
    page.locator("#language").select_option("fr")
    expect(page.locator("#say")).to_have_text(re.compile("gagné|interrompue"))
    page.evaluate("document.getElementById('number').textContent = '1000/1000'")
    for width in (360, 390, 430):
        page.set_viewport_size({"width": width, "height": 844})
        for part in ("say", "number", "transport"):
            hidden = "thing => [thing.scrollWidth - thing.clientWidth, thing.scrollHeight - thing.clientHeight]"
            assert max(page.locator(f"#{part}").evaluate(hidden)) <= 1, (part, width)
        number, speed = page.locator("#number").bounding_box(), page.locator("#speed").bounding_box()
        assert number
        assert speed
        assert number["x"] + number["width"] <= speed["x"]
        assert speed["x"] + speed["width"] <= width
    visit.context.close()
    assert visit.faults == []


# One screen


WIDE_SCREENS = [(1440, 900), (1280, 720), (1920, 1080), (1024, 768)]


@pytest.mark.parametrize("size", WIDE_SCREENS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_all_that_one_plays_with_is_on_one_screen_without_a_scroller_in_a_scroller(
    chromium: Browser, address: str, size: tuple[int, int]
) -> None:
    visit = Visit(chromium, address, viewport={"width": size[0], "height": size[1]})
    visit.begin("person", "greedy", titans=2)
    page = visit.page
    for part in ("#board", "#say", "#actions button", "#deeds", "#transport", "#latest"):
        box = page.locator(part).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1], f"{part} ends below the fold"
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert board["height"] >= size[1] - 200, "the board is as large as the window allows"
    around = "element => { const all = []; for (let at = element; at; at = at.parentElement) all.push(at); return all"
    scrolls = (
        ".filter(one => one.scrollHeight > one.clientHeight && /auto|scroll/.test(getComputedStyle(one).overflowY))"
    )
    visit.open_log()
    for part in ("#actions", "#log"):
        assert page.locator(part).evaluate(f"{around}{scrolls}.length; }}") <= 1
    visit.context.close()
    assert visit.faults == []


def test_the_page_has_the_colour_of_the_game_on_it(visit: Visit) -> None:
    page = visit.page
    colours = {game: load(game).presentation.color for game in ("fantasy_racing", "titan_war")}
    shown = "getComputedStyle(document.documentElement).getPropertyValue('--game-light')"
    for game, colour in colours.items():
        assert colour is not None
        page.locator("#game").select_option(game)
        expect(page.locator("html")).to_have_attribute("style", re.compile(colour[0]))
        assert page.evaluate(shown) == colour[0]
    page.locator("#file").set_input_files("docs/records/fantasy_racing.jsonl")
    expect(page.locator("html")).to_have_attribute("style", re.compile((colours["fantasy_racing"] or ("", ""))[0]))


def test_every_choice_has_a_number_that_is_typed(visit: Visit) -> None:
    page = visit.page
    visit.begin("person", "person", titans=2)
    page.locator("#speed").select_option("0")
    numbers = page.locator("#actions kbd")
    for _ in range(11):  # until there are twelve choices
        if page.locator("#uncover").is_visible():
            page.locator("#uncover").click()
        expect(numbers.first).to_be_visible()
        if numbers.count() > 11:
            break
        at, last = visit.shown()
        page.locator("#actions button").first.click()
        expect(page.locator("#number")).not_to_have_text(f"{at}/{last}")
    assert numbers.all_inner_texts() == [f"{number} " for number in range(1, 13)]
    sentence = page.locator("#actions button").nth(10).inner_text().removeprefix("11 ")
    page.keyboard.press("1")
    page.keyboard.press("1")
    expect(page.locator("#log .moment").last).to_contain_text(sentence)


def test_the_end_names_pieces_and_places_and_leads_back_to_the_start(visit: Visit) -> None:
    page = visit.page
    visit.begin("random", "random", titans=2, turn_limit=2)
    page.locator("#speed").select_option("0")
    expect(page.locator("#ranking li")).to_have_count(2)
    pieces = page.locator("#ranking b").all_inner_texts()
    drawn = page.locator("#board").text_content() or ""
    assert len(pieces) == 2
    assert all(piece in drawn for piece in pieces)
    page.locator("#speed").select_option("2000")
    page.get_by_role("button", name="Watch it from the start").click()
    expect(page.locator("#number")).to_have_text(re.compile("^[01]/"))


def test_on_a_phone_ones_own_lives_and_hand_stand_above_the_choices(chromium: Browser, address: str) -> None:
    visit = Visit(chromium, address, viewport={"width": 390, "height": 844})
    visit.begin("person", "greedy", titans=2)
    page = visit.page
    own, first = page.locator("#own svg").bounding_box(), page.locator("#actions button").first.bounding_box()
    assert own is not None
    assert first is not None
    assert own["y"] + own["height"] <= first["y"]
    assert 0 < own["width"] <= 390
    visit.context.close()
    assert visit.faults == []
