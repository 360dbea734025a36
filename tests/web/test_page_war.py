"""A whole war of six in a browser, with what a war needs: a picked legion put back, a battle left to an agent."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Visit

pytestmark = pytest.mark.thorough


def test_a_war_of_six_is_played_to_its_end(visit: Visit) -> None:
    page = visit.page
    visit.begin("person", *["greedy"] * 5, game="titan_war", players=6, turns=12, seed=2)
    page.locator("#speed").select_option("0")
    say, is_put_back = page.locator("#say"), False
    while True:
        expect(say).to_have_text(re.compile("your turn|won|cut short"))
        if "your turn" not in say.inner_text():
            break
        at, last = visit.shown()
        assert at == last
        runs, undo = page.locator("#runs button"), page.locator("#undo")
        battle = runs.filter(has_text="Fight this battle for me")
        if not is_put_back and page.locator("#board [data-key^='marker:'][data-action]").count():
            page.keyboard.press("n")
            expect(page.locator("#board [data-key^='marker:'].shown")).to_have_count(1)
            page.keyboard.press("Enter")
            expect(page.locator("#number")).to_have_text(f"{at + 1}/{at + 1}")
            expect(undo).to_be_enabled()
            page.keyboard.press("u")
            expect(page.locator("#number")).to_have_text(f"{at}/{at}")
            is_put_back = True
            continue
        if battle.count():
            battle.click()
        elif is_put_back and runs.count():
            runs.first.click()
        else:
            page.locator("#actions button").first.click()
        expect(page.locator("#number")).not_to_have_text(f"{at}/{last}")
    expect(page.locator("#ranking li")).to_have_count(6)
    expect(page.locator("#log > li b").last).to_contain_text("Turn 12, player")
    page.locator("#dice summary").click()
    expect(page.locator("#dice tbody tr").first).to_contain_text("movement")
    assert is_put_back
