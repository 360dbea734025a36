"""One game in several browsers: who opens the link plays in that seat, and everybody sees what the others do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Visit
from titan_env.web.requests.qr_api import qr

pytestmark = pytest.mark.thorough

Opened = Callable[[str], Visit]


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Opened]:
    """Further people, each with a browser of their own, who open a link."""
    visits: list[Visit] = []

    def open_link(link: str) -> Visit:
        address, sign, fragment = link.partition("#")
        visits.append(Visit(chromium, address, sign + fragment))
        return visits[-1]

    yield open_link
    for visit in visits:
        visit.context.close()
        assert visit.faults == []


def link(visit: Visit, button: str) -> str:
    """The link that a button under "Together" shows."""
    page = visit.page
    page.evaluate("document.getElementById('together').open = true")
    page.locator("#together").get_by_role("button", name=button, exact=True).last.click()
    field = page.locator("#link input")
    expect(field).to_be_visible()
    return field.input_value()


def test_a_link_stays_until_its_own_seat_is_taken(visit: Visit, opened: Opened) -> None:
    visit.begin("person", "person", "person", titans=3, turn_limit=2)
    first = link(visit, "Invite")
    watching = link(visit, "Invite to watch")
    opened(first)
    people = visit.page.locator("#guests")
    expect(people.get_by_text("at another screen")).to_have_count(1)
    assert visit.page.locator("#link input").input_value() == watching
    expect(visit.page.locator("#link input")).to_be_visible()
    opened(link(visit, "Invite"))
    expect(people.get_by_text("at another screen")).to_have_count(2)
    expect(visit.page.locator("#link")).to_be_hidden()


def test_beside_a_link_is_its_code_which_this_server_alone_has_seen(visit: Visit) -> None:
    visit.begin("person", "person", titans=2)
    code = visit.page.locator("#qr")
    expect(code).to_be_hidden()
    for button in ("Invite", "Invite to watch"):
        shown = link(visit, button)
        expect(code).to_be_visible()
        assert code.evaluate("drawn => drawn.decode().then(() => drawn.naturalWidth)") > 0
        made = qr(None, "", {"link": shown})["svg"]
        expect(code).to_have_attribute("src", re.compile(re.escape(quote(made, safe="!~*'()"))))


def test_two_browsers_play_one_game_and_a_third_one_watches(visit: Visit, opened: Opened) -> None:
    visit.begin("person", "person", titans=2, turn_limit=2)
    visit.page.locator("#speed").select_option("0")
    guest = opened(link(visit, "Invite"))
    watching = opened(link(visit, "Invite to watch"))
    for everybody in (guest, watching):
        everybody.page.locator("#speed").select_option("0")
    decided = {visit: 0, guest: 0}
    while not visit.page.locator("#end").is_visible():
        for player in decided:
            page = player.page
            if page.locator("#actions button").count() and "your turn" in page.locator("#say").inner_text():
                page.locator("#actions button").first.click()
                expect(page.locator("#table")).to_have_attribute("aria-busy", "false")
                decided[player] += 1
    assert min(decided.values()) > 1
    for player in (visit, guest, watching):
        expect(player.page.locator("#ranking li")).to_have_count(2)  # the end has come here too: `shown` is final
        _, last = player.shown()
        moments = player.page.locator("#log .moment")
        expect(moments).to_have_count(last)
        assert moments.evaluate_all("all => all.map(one => Number(one.dataset.at))") == list(range(1, last + 1))
        expect(player.page.locator("#complaint")).to_be_empty()
    expect(guest.page.locator("#players li").nth(1)).to_contain_text("2 you")


def test_the_link_of_a_seat_serves_one_person_and_a_reload_keeps_the_seat(visit: Visit, opened: Opened) -> None:
    visit.begin("person", "person", titans=2)
    seat = link(visit, "Invite")
    guest = opened(seat)
    expect(guest.page.locator("#players li").nth(1)).to_contain_text("2 you")
    guest.page.reload()
    expect(guest.page.locator("#players li").nth(1)).to_contain_text("2 you")
    late = opened(seat)
    expect(late.page.locator("#complaint")).to_contain_text("was taken")
    expect(visit.page.locator("#guests li").nth(1)).to_contain_text("at another screen")
    expect(visit.page.locator("#guests li").nth(1).get_by_role("button")).to_have_count(0)


def test_players_see_each_others_names_and_who_has_left(visit: Visit, opened: Opened) -> None:
    visit.begin("person", "person", titans=2)
    guest = opened(link(visit, "Invite"))
    page, other = visit.page, guest.page
    for player in (page, other):
        expect(player.locator('#players [data-online="true"]')).to_have_count(2)
    other.evaluate("document.getElementById('together').open = true")
    other.locator("#guests input").fill("<i>Ann")
    other.locator("#guests input").press("Enter")
    expect(page.locator("#players li").nth(1)).to_contain_text("2 <i>Ann")
    expect(other.locator("#players li").nth(1)).to_contain_text("2 <i>Ann (you)")
    field = page.locator("#guests input")
    field.fill("<i>ann")
    field.press("Enter")
    expect(page.locator("#complaint")).to_contain_text("nobody else has")
    guest.page.close()
    expect(page.locator("#players li").nth(1)).to_have_attribute("title", "not on line")
    expect(page.locator("#players li").nth(0)).to_have_attribute("title", "on line")


def test_what_is_taken_back_is_taken_back_on_every_screen(visit: Visit, opened: Opened) -> None:
    visit.begin("person", "random", titans=2, practice=True)
    guest = opened(link(visit, "Invite to watch"))
    for page in (visit.page, guest.page):
        page.locator("#speed").select_option("0")
    visit.page.locator("#actions button").first.click()
    expect(guest.page.locator("#number")).not_to_have_text("0/0")
    visit.page.locator("#undo").click()
    expect(guest.page.locator("#number")).to_have_text("0/0")


def test_a_link_to_a_moment_shows_that_moment(visit: Visit, opened: Opened) -> None:
    visit.begin("random", "random", titans=2, turn_limit=2)
    visit.page.locator("#speed").select_option("0")
    expect(visit.page.locator("#end")).to_be_visible()
    visit.page.locator("#back").click()
    visit.page.locator("#back").click()
    _, last = visit.shown()
    expect(visit.page.locator("#number")).to_have_text(f"{last - 2}/{last}")
    moment = link(visit, "Link to this moment")
    assert moment.endswith(f"&at={last - 2}")
    watching = opened(link(visit, "Invite to watch"))
    expect(watching.page.locator("#number")).to_have_text(f"{last - 2}/{last}")
    watching.page.goto(moment.replace(f"at={last - 2}", "at=1"))
    expect(watching.page.locator("#number")).to_have_text(f"1/{last}")


def test_one_of_two_resigns_and_both_play_again_by_one_click_each(visit: Visit, opened: Opened) -> None:
    visit.begin("person", "person", titans=2, turn_limit=2)
    page = visit.page
    expect(page.locator("#link")).to_be_hidden()
    page.locator("#invite").click()
    expect(page.locator("#guests")).to_be_visible()
    guest = opened(link(visit, "Invite"))
    for player in (visit, guest):
        player.page.locator("#speed").select_option("0")
    expect(page.locator("#guests").get_by_text("at another screen")).to_have_count(1)
    guest.page.locator("#resign").click()
    guest.page.locator("#choose").get_by_text("None").click()
    expect(guest.page.locator("#players li").nth(1)).to_contain_text("2 you")
    guest.page.locator("#resign").click()
    guest.page.locator("#choose div button").click()
    for player in (visit, guest):
        expect(player.page.locator("#players li").nth(1)).to_contain_text("after who resigned")
        expect(player.page.locator("#complaint")).to_be_empty()
    expect(guest.page.locator("#resign")).to_be_hidden()
    page.locator("#resign").click()
    page.locator("#choose div button").click()
    expect(page.locator("#ranking li")).to_have_count(2)
    expect(page.locator("#ranking")).to_contain_text("after who resigned")
    expect(page.locator("#resign")).to_be_hidden()
    page.locator("#turned").click()
    expect(page.locator("#number")).not_to_have_text("")
    expect(page.locator("#end")).to_be_hidden()
    again = guest.page.locator("#again")
    expect(again).to_have_text("Join the rematch")
    expect(guest.page.locator("#turned")).to_be_hidden()
    again.click()
    expect(guest.page.locator("#players li").nth(0)).to_contain_text("1 you")
    expect(page.locator("#players li").nth(1)).to_contain_text("2 you")
    assert guest.page.url.partition("#")[2] == page.url.partition("#")[2]
