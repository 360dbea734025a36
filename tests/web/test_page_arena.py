"""The arena in the browser: the ladder, a challenge that is played to its end, an agent in one's own seat."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.web.conftest import Visit

pytestmark = pytest.mark.thorough


def test_a_challenge_is_played_and_compared_with_an_agent_in_the_same_seat(visit: Visit) -> None:
    page = visit.page
    page.get_by_role("button", name="Arena").click()
    page.locator("#arena-game").select_option("titan_race")
    expect(page.locator("#ladders table")).to_have_count(3)
    expect(page.locator("#ladders caption").first).to_have_text("titans = 4")
    rows = page.locator("#ladders table").first.locator("tr")
    for who, strong in (("random", "the weakest, answers at once. It wins"), ("expert", "as a good player would")):
        expect(rows.filter(has=page.get_by_role("button", name=f"Challenge {who}", exact=True))).to_contain_text(strong)
    page.locator("#arena-seed").fill("6")
    page.locator("#arena-seat").fill("2")
    pair = page.locator("#ladders table", has_text="titans = 2")
    pair.get_by_role("button", name="Challenge random", exact=True).click()
    expect(page.locator("#players li")).to_have_text(["1 random", "2 person"])
    page.locator("#speed").select_option("0")
    while True:
        expect(page.locator("#say")).to_have_text(re.compile("your turn|won|cut short"))
        if "your turn" not in page.locator("#say").inner_text():
            break
        expect(page.locator("#undo")).to_be_disabled()
        page.locator("#actions button").last.click()
        expect(page.locator("#table")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#compared li")).to_have_count(1)
    page.locator("#instead").select_option("greedy")
    page.get_by_role("button", name="Let it play").click()
    expect(page.locator("#compared li")).to_have_count(2)
    expect(page.locator("#compared li").nth(1)).to_contain_text(re.compile("greedy: (won|not won|place)"))
    page.locator("#compared").get_by_role("button", name="Watch").click()
    expect(page.locator("#players li")).to_have_text(["1 random", "2 greedy"])
    expect(page.locator("#number")).to_have_text(re.compile(r"^0/\d+$"))


def test_a_seat_that_is_not_there_is_refused_before_anything_begins(visit: Visit) -> None:
    page = visit.page
    page.get_by_role("button", name="Arena").click()
    page.locator("#arena-game").select_option("titan_battle")
    page.locator("#arena-seat").fill("3")
    page.get_by_role("button", name="Challenge greedy", exact=True).click()
    expect(page.locator("#complaint")).to_have_text("expected a seat from 1 to 2")
    expect(page.locator("#arena")).to_be_visible()


def test_while_the_ladders_of_another_game_come_nobody_of_the_one_before_can_be_challenged(visit: Visit) -> None:
    page, held = visit.page, list[Route]()
    page.get_by_role("button", name="Arena").click()
    expect(page.locator("#ladders table")).not_to_have_count(0)
    page.route(re.compile("/ladders$"), lambda route: held.append(route))
    page.locator("#arena-game").select_option("titan_battle")
    expect(page.locator("#ladders table")).to_have_count(0)
    held[0].continue_()
    expect(page.locator("#ladders table")).to_have_count(1)
