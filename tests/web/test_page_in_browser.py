"""The page in a real browser, as people use it."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Visit
from tests.web.serving import serving
from titan_env.records.replay import parse, positions, read
from titan_env.web.requests.server import Server
from titan_env.web.views.live_game import LiveGame

pytestmark = pytest.mark.thorough

GOLDEN = Path(__file__).parents[1] / "golden" / "race_2.jsonl"

SLOW_NETWORK = """() => {
  const quick = fetch;
  window.fetch = async (...what) => { await new Promise(done => setTimeout(done, 150)); return quick(...what); };
}"""

SLOW_UNDO = """() => {
  const quick = fetch;
  window.fetch = async (...what) => {
    const answer = await quick(...what);
    if (what[0].endsWith("undo")) {
      document.documentElement.dataset.undone = "yes";
      await new Promise(done => setTimeout(done, 1500));
    }
    return answer;
  };
}"""

SLOW_AGENTS = """() => {
  const quick = fetch;
  window.fetch = async (...what) => {
    if (what[0].endsWith("act")) await new Promise(done => setTimeout(done, 1500));
    return quick(...what);
  };
}"""


# Playing


def test_a_whole_race_is_played_by_clicks(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    visit.begin("person", "greedy", titans=2, turn_limit=6)
    page.locator("#speed").select_option("0")
    clicked = {"board": 0, "buttons": 0}
    while True:
        expect(page.locator("#say")).to_have_text(re.compile("your turn|won|cut short"))
        if "your turn" not in page.locator("#say").inner_text():
            break
        before = visit.shown()
        things = page.locator("#board [data-action]")
        if things.count() and clicked["board"] <= clicked["buttons"]:
            things.last.click(force=True)
            clicked["board"] += 1
            if page.locator("#choose").is_visible():
                page.locator("#choose button").first.click()
        else:
            page.locator("#actions button").first.click()
            clicked["buttons"] += 1
        expect(page.locator("#number")).not_to_have_text(f"{before[0]}/{before[1]}")
    assert clicked["board"]
    assert clicked["buttons"]
    with page.expect_download() as saved:
        page.locator("#save").click()
    saved.value.save_as(tmp_path / "race.jsonl")
    record = read(tmp_path / "race.jsonl")
    assert record.result is not None
    assert len(list(positions(record))) == visit.shown()[1] + 1


def test_an_illegal_action_is_off_says_why_and_does_nothing(visit: Visit) -> None:
    visit.begin("person", "greedy", titans=2)
    page = visit.page
    expect(page.locator("#say")).to_contain_text("your turn")
    before = visit.shown()
    page.locator("#barred summary").click()
    off = page.locator("#barred .off").first
    expect(page.locator("#barred dt").first).to_have_text(off.get_attribute("title") or "?")
    off.click()
    page.locator("#board [data-key^='card:']:not([data-action])").first.click(force=True)
    assert visit.shown() == before


def test_practice_takes_back_with_a_key_and_the_keys_play(visit: Visit) -> None:
    visit.begin("person", "greedy", titans=2, practice=True, seed=1)
    page = visit.page
    expect(page.locator("#say")).to_contain_text("your turn")
    expect(page.locator("#undo")).to_be_disabled()
    begun = visit.shown()[0]
    for number in range(begun + 1, begun + 3):
        page.keyboard.press("1")
        expect(page.locator("#number")).to_have_text(f"{number}/{number}")
    page.keyboard.press("u")
    expect(page.locator("#number")).to_have_text(f"{begun + 1}/{begun + 1}")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#number")).to_have_text(f"{begun}/{begun + 1}")


def test_the_log_is_one_stop_of_the_tab_key_with_arrows_inside(visit: Visit) -> None:
    visit.begin("greedy", "greedy", titans=2, seed=1)
    page = visit.page
    stops = page.locator("#log .moment[tabindex='0']")
    expect(page.locator("#log .moment").nth(20)).to_be_attached()
    page.locator("#run").click()
    visit.open_log()
    expect(stops).to_have_count(1)
    stops.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#log .moment").nth(1)).to_be_focused()
    expect(stops).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#log .moment").nth(1)).to_have_attribute("aria-current", "true")


def test_things_on_the_board_are_chosen_with_the_keyboard_which_stays_where_it_is(visit: Visit) -> None:
    visit.begin("person", "greedy", titans=2, seed=1)
    page = visit.page
    expect(page.locator("#say")).to_contain_text("your turn")
    page.locator("#board [data-action]").first.focus()
    page.keyboard.press("Tab")
    for key in (" ", "Enter"):
        before = visit.shown()[0]
        page.keyboard.press(key)
        expect(page.locator("#number")).to_have_text(f"{before + 1}/{before + 1}")
        assert page.evaluate("document.activeElement.closest('#board, #actions') !== null")


def test_whoever_looks_back_and_then_decides_lets_the_race_go_on(visit: Visit) -> None:
    visit.begin("person", "greedy", titans=2, practice=True, seed=1)
    page = visit.page
    page.locator("#speed").select_option("0")
    expect(page.locator("#say")).to_contain_text("your turn")
    at, last = visit.shown()
    assert at > 0
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#run")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#number")).to_have_text(f"{at - 1}/{last}")
    page.keyboard.press("End")
    expect(page.locator("#number")).to_have_text(f"{last}/{last}")
    page.evaluate(SLOW_AGENTS)
    while "your turn" in page.locator("#say").inner_text():
        before = visit.shown()
        page.locator("#actions button").last.click()
        expect(page.locator("#number")).not_to_have_text(f"{before[0]}/{before[1]}")
    last = visit.shown()[1]
    page.locator("#undo").click()  # while the agent thinks
    expect(page.locator("#say")).to_contain_text("your turn")
    assert visit.shown()[1] <= last


def decide_twice(visit: Visit) -> int:
    """Begin a practice game and take two decisions; return the moment at which the first one was asked for."""
    visit.begin("person", "greedy", titans=2, practice=True, seed=1)
    page = visit.page
    expect(page.locator("#say")).to_contain_text("your turn")
    begun = visit.shown()[0]
    for number in range(begun + 1, begun + 3):
        page.keyboard.press("1")
        expect(page.locator("#number")).to_have_text(f"{number}/{number}")
    return begun


def test_whoever_undoes_and_looks_elsewhere_at_once_goes_on_from_there(visit: Visit) -> None:
    page, begun = visit.page, decide_twice(visit)
    page.evaluate(SLOW_NETWORK)
    for elsewhere in ("End", "theme"):
        page.keyboard.press("u")
        if elsewhere == "theme":
            page.locator("#theme").click()
        else:
            page.keyboard.press(elsewhere)
        taken = begun + (elsewhere == "End")
        expect(page.locator("#number")).to_have_text(f"{taken}/{taken}")
    expect(page.locator("#complaint")).to_be_empty()
    page.locator("#actions button").first.click()
    expect(page.locator("#number")).to_have_text(f"{begun + 1}/{begun + 1}")


def test_a_moment_that_an_undo_has_taken_back_is_no_complaint_while_its_answer_is_under_way(visit: Visit) -> None:
    page, begun = visit.page, decide_twice(visit)
    page.evaluate(SLOW_UNDO)
    page.keyboard.press("u")
    expect(page.locator("html[data-undone]")).to_be_attached()
    page.keyboard.press("End")
    expect(page.locator("#number")).to_have_text(f"{begun + 1}/{begun + 1}")
    expect(page.locator("#complaint")).to_be_empty()


def test_the_hand_of_the_next_person_opens_when_they_say_so(visit: Visit) -> None:
    visit.begin("person", "person", titans=2, practice=True)
    page = visit.page
    expect(page.locator("#uncover")).to_be_visible()
    expect(page.locator("#actions button")).to_have_count(0)
    page.locator("#uncover").click()
    expect(page.locator("#uncover")).to_be_hidden()
    page.locator("#actions button").first.click()
    expect(page.locator("#number")).to_have_text("1/1")
    page.locator("#undo").click()
    expect(page.locator("#number")).to_have_text("0/0")
    expect(page.locator("#uncover")).to_be_visible()


def test_a_circuit_that_somebody_drew_is_raced_on(visit: Visit) -> None:
    drawing = (files("titan_env.games.titan_race") / "data" / "circuits" / "kaldheira.txt").read_text("utf-8")
    visit.begin("greedy", "greedy", titans=2, circuit=drawing)
    assert visit.shown()


# Watching


def test_agents_race_and_the_transport_pauses_steps_and_scrubs(visit: Visit) -> None:
    visit.begin("ppo@titan_race-v3", "greedy", titans=2, turn_limit=6)
    page = visit.page
    page.locator("#speed").select_option("200")
    expect(page.locator("#bars .bar").first).to_contain_text("value")
    page.locator("#run").click()
    expect(page.locator("#run")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#table")).to_have_attribute("aria-busy", "false")
    at, last = visit.shown()
    page.locator("#on").click()
    expect(page.locator("#number")).to_have_text(f"{at + 1}/{last + 1}")
    page.locator("#timeline").fill("0")
    expect(page.locator("#number")).to_have_text(f"0/{last + 1}")
    page.locator("#speed").select_option("0")
    page.locator("#run").click()
    expect(page.locator("#say")).to_have_text(re.compile("won|cut short"))
    expect(page.locator("#run")).to_have_attribute("aria-pressed", "false")
    page.locator("#speed").select_option("2000")
    page.locator("#run").click()
    expect(page.locator("#number")).to_have_text(re.compile("^[0-9]/"))


def test_whoever_watches_steps_and_changes_the_theme_while_an_agent_thinks(visit: Visit) -> None:
    visit.begin("greedy", "mcts:256", titans=2, seed=1)
    page = visit.page
    page.evaluate(SLOW_AGENTS)
    page.locator("#speed").select_option("0")
    expect(page.locator("#number")).to_have_text(re.compile("^[3-9]/"))
    page.locator("#first").click()
    expect(page.locator("#number")).to_have_text(re.compile("^0/"))
    paper = page.locator("#board svg > rect").first.get_attribute("fill")
    page.locator("#theme").click()
    expect(page.locator("#board svg > rect").first).not_to_have_attribute("fill", str(paper))
    for _ in range(2):
        page.locator("#on").click()
    expect(page.locator("#number")).to_have_text(re.compile("^2/"))


def test_a_change_of_the_theme_does_not_stop_a_jump(visit: Visit) -> None:
    page = visit.page
    page.get_by_role("button", name="Open a record").click()
    page.locator("#file").set_input_files(GOLDEN)
    expect(page.locator("#number")).to_have_text(re.compile("^0/[1-9]"))
    page.evaluate("document.getElementById('last').click(); document.getElementById('theme').click()")
    last = visit.shown()[1]
    expect(page.locator("#number")).to_have_text(f"{last}/{last}")


def test_what_was_wrong_stays_to_be_read_while_a_race_runs(visit: Visit, tmp_path: Path) -> None:
    visit.begin("greedy", "greedy", titans=2)
    page = visit.page
    page.locator("#speed").select_option("0")
    page.get_by_role("button", name="Open a record").click()
    (tmp_path / "picture.jsonl").write_text("GIF89a")
    page.locator("#file").set_input_files(tmp_path / "picture.jsonl")
    expect(page.locator("#complaint")).to_contain_text("line ")
    before = visit.shown()
    expect(page.locator("#number")).not_to_have_text(f"{before[0]}/{before[1]}")
    expect(page.locator("#complaint")).to_contain_text("line ")
    page.get_by_role("button", name="Table").click()
    expect(page.locator("#complaint")).to_be_empty()


def test_an_event_leads_to_its_rule(visit: Visit) -> None:
    visit.begin("greedy", "greedy", titans=2)
    visit.page.locator("#events a").first.click()
    expect(visit.page.locator("#rules")).to_be_visible()
    expect(visit.page.locator("#rules .found")).to_be_in_viewport()


# Records


def test_a_record_is_opened_and_a_bad_one_refused(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    page.get_by_role("button", name="Open a record").click()
    lines = GOLDEN.read_text("utf-8").splitlines(keepends=True)
    bad = {"picture.jsonl": "GIF89a", "gone.jsonl": "".join([*lines[:3], *lines[4:]]), "empty.jsonl": ""}
    for name, text in bad.items():
        (tmp_path / name).write_text(text)
        page.locator("#file").set_input_files(tmp_path / name)
        expect(page.locator("#complaint")).to_contain_text("line ")
    page.locator("#file").set_input_files(GOLDEN)
    expect(page.locator("#number")).to_have_text(f"0/{len(parse(GOLDEN.read_text('utf-8')).decisions)}")
    expect(page.locator("#complaint")).to_be_empty()
    page.locator("#last").click()
    expect(page.locator("#say")).to_contain_text("won")
    with page.expect_download() as saved:
        page.locator("#film").click()
    assert saved.value.path().read_text("utf-8").startswith("<!doctype html>")
    for form, begins in ((".svg", b"<svg "), (".pdf", b"%PDF-")):
        with page.expect_download() as saved:
            page.locator(f"[data-figure='{form}']").click()
        assert saved.value.path().read_bytes().startswith(begins)


# Variants


@pytest.mark.parametrize(("options", "seats"), [({"variant": "2v2"}, 4), ({"grand_slam": "true", "titans": 3}, 3)])
def test_every_variant_is_played_on_the_page(visit: Visit, options: Any, seats: int) -> None:
    visit.begin("person", *["greedy"] * (seats - 1), **options)
    expect(visit.page.locator("#say")).to_contain_text("your turn")


# Who and where


def test_two_people_at_once_have_games_of_their_own(visit: Visit, chromium: Browser, address: str) -> None:
    other = Visit(chromium, address)
    visit.begin("person", "greedy", titans=2)
    other.begin("person", "greedy", "greedy", titans=3)
    identity = visit.page.url.partition("#")[2]
    other.page.goto(f"{address}/#{identity}")
    expect(other.page.locator("#complaint")).to_contain_text("this one is another player's")
    visit.page.reload()
    expect(visit.page.locator("#players li")).to_have_count(2)
    other.context.close()
    assert other.faults == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_phone_shows_everything_without_scrolling_sideways(chromium: Browser, address: str, theme: Any) -> None:
    phone = Visit(chromium, address, viewport={"width": 390, "height": 844}, has_touch=True, color_scheme=theme)
    phone.begin("person", "greedy", titans=2)
    page = phone.page
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    small = "[...document.querySelectorAll('button, select')].filter(e => e.offsetParent && e.offsetHeight < 32).length"
    assert page.evaluate(small) == 0
    phone.context.close()
    assert phone.faults == []


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["desk", "phone"])
def test_the_layout_stays_where_it_is_while_a_race_runs(chromium: Browser, address: str, size: tuple[int, int]) -> None:
    visit = Visit(chromium, address, viewport={"width": size[0], "height": size[1]})
    visit.begin("person", "ppo@titan_race-v3", "greedy", titans=3, turn_limit=6)
    page = visit.page
    page.locator("#speed").select_option("0")
    parts = "#board, #transport, #say, #choices" + (", #events, #tools" if size[0] > 1000 else "")
    layouts = set()
    for _ in range(6):
        expect(page.locator("#say")).to_contain_text("your turn")
        layouts.add(page.evaluate(f"[...document.querySelectorAll('{parts}')].map(e => e.offsetTop).join()"))
        before = visit.shown()
        page.locator("#actions button").first.click()
        expect(page.locator("#number")).not_to_have_text(f"{before[0]}/{before[1]}")
    visit.context.close()
    assert visit.faults == []
    assert len(layouts) == 1


def test_a_reload_joins_what_is_under_way(chromium: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    agent, thoughts = "mcts:seconds=3", []
    ask_agent = LiveGame.ask_agent

    def noting(live_game: LiveGame, *go_on: Callable[[], None]) -> None:
        thoughts.extend([live_game] * (set(live_game.names) == {agent}))  # others are played while games are made ready
        ask_agent(live_game, *go_on)

    monkeypatch.setattr(LiveGame, "ask_agent", noting)
    with serving(Server([agent])) as address:
        visit = Visit(chromium, address)
        asked = []
        visit.page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
        visit.begin(agent, agent, agent, titans=3)
        expect(visit.page.locator("#table")).to_have_attribute("aria-busy", "true")
        visit.page.reload()
        visit.page.locator("#run").click()
        expect(visit.page.locator("#number")).not_to_have_text("0/0")
        last = visit.shown()[1]
        assert asked.count("act") <= last + 2, "once for each moment, and once more by the page that was loaded again"
        assert len(thoughts) <= last + 1
        visit.context.close()
        assert visit.faults == []
