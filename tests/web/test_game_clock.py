"""Games by the clock: each person has so much time, and who spends it all leaves the seat to an agent."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Visit
from tests.web.serving import RACE, Visitor
from tests.web.test_game_store import Restarted, again, restarted  # noqa: F401
from tests.web.test_together_api import goes_on, joined
from titan_env.records.replay import parse
from titan_env.web.views.game_clock import MOST_SECONDS, GameClock
from titan_env.web.views.guests import Guests
from titan_env.web.views.live_game import LiveGame

PAIR = {**RACE, "names": ["person", "person", "greedy"], "options": {"titans": "3"}}


class Now:
    """The time of a test."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def timed(host: Visitor, monkeypatch: pytest.MonkeyPatch, **clock: Any) -> tuple[dict[str, Any], Now]:
    """A game of two people and an agent by the clock, and its time."""
    view, now = host.do("begin", **PAIR, clock=clock), Now()
    kept = host.server.sessions.find(next(iter(host.server.sessions._kept.values())).owner, view["id"]).guests.clock
    assert kept is not None
    monkeypatch.setattr(kept, "now", now)
    return view, now


def waiting(host: Visitor, identity: str) -> dict[str, Any]:
    """The view in which a person is asked next, as the one who is asked sees it."""
    while True:
        view = host.do("show", id=identity)
        if view["hand_covered"]:
            view = host.do("show", id=identity, seat=view["asked"])
        if view["your_turn"] or view["finished"]:
            return dict(view)
        host.do("act", id=identity, at=view["at"])


def decide(host: Visitor, identity: str) -> dict[str, Any]:
    """The view after the next decision of a person."""
    view = waiting(host, identity)
    return dict(host.do("play", id=identity, action=view["actions"][0]["number"], at=view["at"]))


def test_each_decision_takes_its_time_and_gives_the_increment() -> None:
    now = Now()
    clock = GameClock(60, 5, now=now)
    clock.charge(None, 0)
    now.seconds = 30
    assert clock.left_of(0) == 60, "the first decision costs nothing"
    clock.charge(0, 0)
    now.seconds = 50
    assert (clock.left_of(0), clock.left_of(1)) == (45, 60)
    clock.charge(0, None)
    now.seconds = 500
    assert (clock.left_of(0), clock.is_over) == (50, False)
    clock.charge(None, 0)
    now.seconds = 551
    assert (clock.left_of(0), clock.is_over) == (0, True)
    assert clock.anew() == GameClock(60, 5)


def test_time_for_each_decision_is_given_anew() -> None:
    now = Now()
    clock = GameClock(20, is_each=True, now=now)
    clock.charge(0, 0)
    for _decision in range(3):
        now.seconds += 15
        assert clock.left_of(0) == 5
        clock.charge(0, 0)
    now.seconds += 20
    assert clock.is_over


def test_who_has_no_time_left_decides_no_more_and_an_agent_plays_on(
    browser: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, now = timed(browser, monkeypatch, seconds=60, increment=2)
    name = view["id"]
    for _round in range(4):
        decide(browser, name)
    shown = waiting(browser, name)
    running = shown["clock"]["running"]
    assert running == shown["asked"]
    now.seconds = 59
    browser.do("late", id=name)
    assert browser.do("show", id=name)["together"]["resigned"] == {}, "there is time left"
    left = shown["clock"]["left"][str(running)]
    now.seconds = left + 1
    action = shown["actions"][0]["number"]
    assert "expected a decision in time" in browser.refused("play", id=name, action=action, at=shown["at"])
    after = browser.do("late", id=name)
    usual = next(game["agents"][1] for game in browser.do("catalogue")["games"] if game["name"] == "titan_race")
    assert after["together"]["resigned"] == {str(running): usual}
    assert after["clock"]["late"] == [running]
    assert after["last"] == shown["last"]
    browser.do("late", id=name)
    assert browser.do("show", id=name)["clock"]["late"] == [running], "once"
    while not waiting(browser, name)["finished"]:
        decide(browser, name)
    record = parse(browser.do("record", id=name)["text"])
    assert record.result is not None
    assert record.result["resigned"] == {str(running): usual}


def test_several_people_have_their_own_clocks_and_a_rematch_has_the_same_times(
    browser: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, now = timed(browser, monkeypatch, seconds=60)
    guest = joined(browser, view, 1)
    players = [browser, guest]
    for _decision in range(30):
        now.seconds += 1
        goes_on(players, view["id"], 1)
    seen = [player.do("show", id=view["id"])["clock"] for player in players]
    assert seen[0] == seen[1]
    assert set(seen[0]["left"]) == {"0", "1"}
    assert all(left < 60 for left in seen[0]["left"].values())
    for player, seat in ((guest, 1), (browser, 0)):
        player.do("resign", id=view["id"], seat=seat)
    while not browser.do("show", id=view["id"])["finished"]:
        browser.do("act", id=view["id"], at=browser.do("show", id=view["id"])["at"])
    other = browser.do("rematch", id=view["id"])["id"]
    assert browser.do("show", id=other)["clock"] == {"left": {"0": 60.0, "1": 60.0}, "running": None, "late": []}


def test_nothing_is_taken_back_by_the_clock(browser: Visitor) -> None:
    begun = {**PAIR, "practice": True, "options": {"titans": "3"}}
    view = browser.do("begin", **begun, clock={"seconds": 60})
    assert not view["practice"]
    shown = decide(browser, view["id"])
    assert not shown["can_undo"]
    assert "can be taken back" in browser.refused("undo", id=view["id"])
    assert browser.do("begin", **begun)["practice"]


def test_a_restart_costs_nobody_time(restarted: Restarted, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    browser = restarted()
    view, now = timed(browser, monkeypatch, seconds=600, increment=1)
    for _decision in range(6):
        now.seconds += 7
        decide(browser, view["id"])
    before = waiting(browser, view["id"])["clock"]
    assert min(before["left"].values()) < 600
    after = again(restarted, browser).do("show", id=view["id"])["clock"]
    assert after["running"] == before["running"]
    assert after["left"] == pytest.approx(before["left"], abs=5)
    unplayed = restarted()
    begun = unplayed.do("begin", **PAIR, clock={"seconds": 60})
    assert again(restarted, unplayed).do("show", id=begun["id"])["clock"]["left"] == {"0": 60.0, "1": 60.0}
    text = Guests(clock=GameClock(60, 5, False, {0: 12.5}, [1])).as_text()
    assert Guests.from_text(text).clock == GameClock(60, 5, False, {0: 12.5}, [1])
    assert Guests.from_text(json.dumps([{}, [], {}, {}, "", {}])).clock is None, "clocks came later"


def test_a_clock_that_cannot_be_is_one_line(browser: Visitor) -> None:
    for wrong in (5, "60", [60]):
        assert "a clock with its seconds" in browser.refused("begin", **PAIR, clock=wrong)
    for seconds in (0, -1, MOST_SECONDS + 1):
        assert "at least one" in browser.refused("begin", **PAIR, clock={"seconds": seconds})
    assert "whole number for seconds" in browser.refused("begin", **PAIR, clock={"seconds": 1.5})
    assert "at least one" in browser.refused("begin", **PAIR, clock={"seconds": 9, "increment": -1})
    assert browser.do("begin", **PAIR)["clock"] is None


@pytest.mark.thorough
def test_the_time_runs_beside_the_player_and_its_end_seats_an_agent(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit.page
    expect(page.locator("#go")).to_be_enabled()
    page.locator("#clock").select_option(label="5 minutes each, and 5 seconds a decision")
    expect(page.locator("#practice")).to_be_disabled()
    monkeypatch.setattr(LiveGame, "set_clock", _short(LiveGame.set_clock))
    visit.begin("person", "greedy", titans=2, turn_limit=9)
    page.locator("#speed").select_option("0")
    time_left = page.locator("#players li").nth(0).locator("time")
    expect(time_left).to_have_text(" 5:00")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    for _decision in range(2):
        expect(page.locator("#say")).to_contain_text("your turn")
        page.locator("#actions button").first.click()
        expect(page.locator("#table")).to_have_attribute("aria-busy", "false")
    expect(time_left).to_have_class(re.compile("running"))
    asked.clear()
    began = time.monotonic()
    expect(page.locator("#players li").nth(0)).to_contain_text("after whose time was over")
    assert time.monotonic() - began < SHORT + 60
    assert asked.count("late") == 1
    assert "show" not in asked[: asked.index("late")], "the time is counted down by the page alone"
    expect(page.locator("#end")).to_be_visible()


SHORT = 3


def _short(set_clock: Any) -> Any:
    """A clock on which whoever is asked a second time has few seconds left."""

    def soon(live_game: LiveGame, decided: int | None = None) -> None:
        clock = live_game.guests.clock
        if clock is not None and decided is not None and len(live_game.moments) > 2:
            clock.left[decided], clock.running = float(SHORT - clock.increment), None
        set_clock(live_game, decided)

    return soon
