"""The analysis in the browser: the graph, the best choices, marks in the log, an agent's advice, and playing on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.web.conftest import Visit

pytestmark = pytest.mark.thorough

RECORDS = Path(__file__).parents[2] / "docs" / "records"
RECORD = RECORDS / "titan_battle.jsonl"


def analysed(visit: Visit) -> Page:
    """The page with a finished race of agents whose analysis is open and complete."""
    visit.begin("greedy", "random", titans=2, turn_limit=3)
    page = visit.page
    page.locator("#speed").select_option("0")
    expect(page.locator("#ranking li")).to_have_count(2)
    page.locator("#analysis summary").click()
    last = visit.shown()[1]
    expect(page.locator("#chances polyline").first).to_have_attribute("points", re.compile(rf"^(\S+ ){{{last}}}\S+$"))
    expect(page.locator("#analysis")).to_have_attribute("aria-busy", "false")
    return page


def test_the_graph_leads_to_moments_and_tells_its_figures_in_words(visit: Visit) -> None:
    page = analysed(visit)
    last = visit.shown()[1]
    expect(page.locator("#chances polyline")).to_have_count(2)
    expect(page.locator("#chances svg")).to_have_attribute("aria-label", re.compile("Player 1: .* %.*Player 2: .* %"))
    expect(page.locator("#legend li b").first).to_have_text(re.compile(r"\d+ %"))
    box = page.locator("#chances").bounding_box()
    assert box is not None
    page.locator("#chances").click(position={"x": 1, "y": 20})
    expect(page.locator("#number")).to_have_text(f"0/{last}")
    page.locator("#chances").click(position={"x": box["width"] - 2, "y": 20})
    expect(page.locator("#number")).to_have_text(f"{last}/{last}")


def test_all_mistakes_are_found_and_marked_in_the_log(visit: Visit) -> None:
    page = analysed(visit)
    page.locator("#find-mistakes").click()
    expect(page.locator("#searched")).to_be_hidden()
    found = int(page.locator("#mistakes").inner_text().removeprefix("Mistakes: "))
    expect(page.locator("#log .moment[data-mark]")).to_have_count(found)
    expect(page.locator("#chances .mistake")).to_have_count(found)
    if found:
        words = re.compile("(Inaccuracy|Mistake|Blunder): gives away [0-9]+ % of the chances; better was: .+")
        expect(page.locator("#log .moment[data-mark]").first).to_contain_text(words)
        marked = page.locator("#log .moment[data-mark]").first.get_attribute("data-at")
        page.locator("#history summary").click()
        page.locator(f'#log .moment[data-at="{int(marked or 0) - 1}"]').click()
        expect(page.locator("#verdict")).to_have_text(words)


def test_the_best_choice_and_the_one_that_was_played_are_marked_on_the_board(visit: Visit) -> None:
    page = analysed(visit)
    expect(page.locator("#choice-marks")).to_have_count(0)
    page.locator("#first").click()
    expect(page.locator("#choice-marks .best")).not_to_have_count(0)
    if page.locator("#best .bar").first.locator(".played").count():
        expect(page.locator("#choice-marks .played")).to_have_count(0)
    else:
        expect(page.locator("#choice-marks .played")).not_to_have_count(0)
    page.locator("#last").click()
    expect(page.locator("#choice-marks")).to_have_count(0)


def test_choices_and_advice_belong_to_the_moment_that_is_shown(visit: Visit) -> None:
    page = analysed(visit)
    last = visit.shown()[1]
    page.locator("#first").click()
    expect(page.locator("#number")).to_have_text(f"0/{last}")
    expect(page.locator("#best .bar")).not_to_have_count(0)
    expect(page.locator("#best .played")).to_have_count(1)
    expect(page.locator("#goes-on")).to_contain_text("It may go on:")
    page.locator("#adviser").select_option("flat:64")
    page.locator("#ask").click()
    expect(page.locator("#answer .bar")).not_to_have_count(0)
    page.locator("#on").click()
    expect(page.locator("#answer .bar")).to_have_count(0)


def test_another_choice_at_a_past_moment_is_played_in_a_branch_and_one_click_leads_back(visit: Visit) -> None:
    page = visit.page
    page.locator('[data-tab="open"]').click()
    page.locator("#file").set_input_files(RECORD)
    expect(page.locator("#number")).to_have_text("0/90")
    expect(page.locator("#branches")).to_be_hidden()
    page.locator("#last").click()
    expect(page.locator("#what-if")).to_be_hidden()
    page.locator("#first").click()
    page.locator("#on").click()
    expect(page.locator("#number")).to_have_text("1/90")
    page.locator("#what-if").click()
    expect(page.locator("#actions button").first).to_be_visible()
    main, branch = page.locator("#branches button", has_text="Main line"), page.locator("#branches [aria-current]")
    expect(branch).to_have_text("1: …")
    page.locator("#actions button").last.click()
    expect(branch).to_have_text(re.compile(r"^1: \w+"))
    left = page.url
    main.click()
    expect(page.locator("#number")).to_have_text("1/90")
    expect(main).to_have_attribute("aria-current", "true")
    page.locator("#branches button", has_text="1: ").click()
    expect(branch).to_have_text(re.compile(r"^1: \w+"))
    assert page.url == left


def test_one_of_the_best_choices_is_played_in_a_branch(visit: Visit) -> None:
    page = visit.page
    page.locator('[data-tab="open"]').click()
    page.locator("#file").set_input_files(RECORD)
    page.locator("#analysis summary").click()
    best = page.locator("#best button").first
    sentence = best.inner_text()
    best.click()
    expect(page.locator("#branches [aria-current]")).to_have_text(re.compile("^0: "))
    expect(page.locator("#log .moment").first).to_contain_text(sentence.split(": ")[-1])


def test_a_record_that_is_opened_while_the_page_is_prepared_stays_where_it_is(visit: Visit) -> None:
    page, held, asked = visit.page, list[Route](), list[Any]()
    page.route("**/api/catalogue*", lambda route: held.append(route))
    with page.expect_request("**/api/catalogue*"):
        page.reload()
    page.locator('[data-tab="open"]').click()
    page.locator("#file").set_input_files(RECORD)
    expect(page.locator("#number")).to_have_text("0/90")
    page.on("request", lambda request: request.url.endswith("/api/show") and asked.append(request.post_data_json))
    with page.expect_response("**/api/show"):
        held[0].continue_()
    expect(page.locator('[data-tab="editor"]')).to_be_enabled()
    expect(page.locator("#number")).to_have_text("0/90")
    assert [question["at"] for question in asked] == [0]


@pytest.mark.parametrize("record", sorted(RECORDS.glob("*.jsonl")), ids=lambda record: record.stem)
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_the_graph_of_a_record_is_seen_whole_together_with_the_board(
    chromium: Browser, address: str, width: int, height: int, record: Path
) -> None:
    visit = Visit(chromium, address, viewport={"width": width, "height": height})
    page = visit.page
    page.locator('[data-tab="open"]').click()
    page.locator("#file").set_input_files(record)
    expect(page.locator("#board svg")).to_be_visible()
    expect(page.locator("#graph")).to_be_hidden()
    page.locator("#analysis summary").click()
    expect(page.locator("#chances polyline").first).to_have_attribute("points", re.compile(r"^(\S+ ){8}"))
    expect(page.locator("#best .bar")).not_to_have_count(0)
    expect(page.locator("#chances")).to_be_in_viewport(ratio=1)
    expect(page.locator("#board")).to_be_in_viewport(ratio=0.8)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("#analysis summary").click()
    expect(page.locator("#graph")).to_be_hidden()
    visit.context.close()
    assert visit.faults == []
