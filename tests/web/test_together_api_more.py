"""Who resigns leaves their seat to an agent, at any time; the same people play again by one click each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.web.serving import RACE, SHORT, Visitor
from tests.web.test_game_store import Restarted, again, restarted  # noqa: F401
from tests.web.test_together_api import LONG, goes_on, invited, joined
from titan_env.records.replay import parse, positions
from titan_env.web.views.guests import Guests
from titan_env.web.views.live_game import LiveGame

_NO_NUMBERS: tuple[Any, ...] = (None, "0", True, [0], 1.0, 2**40)


def acted(host: Visitor, view: dict[str, Any], most: int = 1000) -> dict[str, Any]:
    """Let agents decide, at most so often, until nobody but a person is to; return the latest view."""
    for _ in range(most):
        if not view["agent_to_move"]:
            break
        view = host.do("act", id=view["id"], at=view["at"]) | {"id": view["id"]}
    return view


def finished(host: Visitor, *more: Visitor) -> dict[str, Any]:
    """A short game that these people have played to its end."""
    people = 1 + len(more)
    view = host.do("begin", **RACE, names=["person"] * people + ["greedy"] * (3 - people))
    guests = [joined(host, view, 1 + number) for number, _guest in enumerate(more)]
    for guest, other in zip(more, guests, strict=True):
        guest.client = other.client
    goes_on([host, *more], view["id"], 1000)
    assert host.do("show", id=view["id"])["finished"]
    return view


def test_an_agent_plays_on_for_who_resigns_and_the_record_tells_it(browser: Visitor) -> None:
    view = browser.do("begin", **RACE, names=["person", "greedy", "greedy"])
    agent = browser.do("catalogue")["games"]
    usual = next(game["agents"][1] for game in agent if game["name"] == "titan_race")
    shown = browser.do("resign", id=view["id"], seat=0) | {"id": view["id"]}
    assert (shown["your_turn"], shown["together"]["held"]) == (False, [])
    assert shown["together"]["resigned"] == {"0": usual}
    shown = acted(browser, shown)
    assert shown["finished"]
    record = parse(browser.do("record", id=view["id"])["text"])
    assert {line["by"] for line in record.decisions if line["seat"] == 0} == {usual}
    assert not any("by" in line for line in record.decisions if line["seat"])
    assert record.result is not None
    assert record.result["resigned"] == {"0": usual}
    assert len(list(positions(record))) == shown["last"] + 1


def test_a_guest_resigns_out_of_turn_and_looks_on_while_the_owner_plays_on(browser: Visitor) -> None:
    view = browser.do("begin", **LONG)
    guest = joined(browser, view, 1)
    goes_on([browser, guest], view["id"], 6)
    while not browser.do("show", id=view["id"])["your_turn"]:
        goes_on([browser, guest], view["id"], 1)
    assert guest.do("resign", id=view["id"], seat=1)["together"]["held"] == []
    goes_on([browser], view["id"], 30)
    lines = [line for line in browser.do("history", id=view["id"])["lines"] if line["seat"] == 1]
    assert lines[-1]["by"] == browser.do("show", id=view["id"])["together"]["resigned"]["1"]
    assert "you watch" in guest.refused("play", id=view["id"], action=0, at=0)
    assert not guest.do("show", id=view["id"])["your_turn"]
    assert "person among 1" in browser.refused("invite", id=view["id"], seat=1), "the seat is nobody's to give away"


def test_a_resignation_that_cannot_be_is_one_line_and_changes_nothing(browser: Visitor) -> None:
    view = browser.do("begin", **LONG)
    guest, watching = joined(browser, view, 1), joined(browser, view, None)
    before = browser.do("show", id=view["id"])
    stranger = Visitor(browser.server)
    assert "another player's" in stranger.refused("resign", id=view["id"], seat=0)
    assert "a seat that you play, among 1, got 2" in browser.refused("resign", id=view["id"], seat=1)
    assert "a seat that you play, among -, got 1" in watching.refused("resign", id=view["id"], seat=0)
    for seat in (2, -1, 7, 2**31):
        assert "a seat that you play" in guest.refused("resign", id=view["id"], seat=seat)
    for wrong in _NO_NUMBERS:
        assert "expected a whole number for seat" in guest.refused("resign", id=view["id"], seat=wrong)
    assert browser.do("show", id=view["id"]) | {"picture": 0, "svg": ""} == before | {"picture": 0, "svg": ""}
    guest.do("resign", id=view["id"], seat=1)
    assert "a seat that you play, among -, got 2" in guest.refused("resign", id=view["id"], seat=1), "not twice"
    over = finished(browser)
    opened = browser.do("open", record=browser.do("record", id=over["id"])["text"])
    for name in ("resign", "rematch"):
        assert "a record that was opened" in browser.refused(name, id=opened["id"], seat=0)
    assert "this one is over" in browser.refused("resign", id=over["id"], seat=0)


def test_a_restart_knows_who_has_resigned(restarted: Restarted) -> None:  # noqa: F811
    browser = restarted()
    view = browser.do("begin", **{**LONG, "names": ["person", "greedy", "greedy"]})
    shown = acted(browser, browser.do("resign", id=view["id"], seat=0) | {"id": view["id"]}, 20)
    assert shown["last"] == 20
    browser = again(restarted, browser)
    after = browser.do("show", id=view["id"])
    assert (after["last"], after["together"]["resigned"]) == (shown["last"], shown["together"]["resigned"])
    acted(browser, after | {"id": view["id"]}, 20)
    lines = browser.do("history", id=view["id"])["lines"]
    assert len(lines) == 40
    assert {line.get("by") for line in lines if line["seat"] == 0} == {shown["together"]["resigned"]["0"]}


@pytest.mark.parametrize("shift", [0, 1])
def test_the_same_people_play_again_by_one_click_each(browser: Visitor, shift: int) -> None:
    guest = Visitor(browser.server)
    view = finished(browser, guest)
    names = browser.do("show", id=view["id"])["names"]
    other = guest.do("rematch", id=view["id"], places=shift)["id"]
    assert browser.do("rematch", id=view["id"], places=1 - shift)["id"] == other, "who asks later comes to the same"
    shown, seen = browser.do("show", id=other), guest.do("show", id=other)
    assert shown["names"] == [names[seat - shift] for seat in range(3)]
    assert shown["together"]["owner"]
    assert (shown["together"]["held"], seen["together"]["held"]) == ([shift], [1 + shift])
    assert browser.do("show", id=view["id"])["together"]["rematch"] == other
    games = [browser.server.sessions.alive(name) for name in (view["id"], other)]
    assert all(isinstance(game, LiveGame) for game in games)
    headers = [game.session.recorder.lines[0] for game in games if isinstance(game, LiveGame)]
    assert headers[0]["options"] == headers[1]["options"]
    assert headers[0]["seed"] != headers[1]["seed"]
    assert "mixed" in headers[1], "nobody knows the dice of a game with guests"
    goes_on([browser, guest], other, 1000)
    assert browser.do("show", id=other)["finished"]


def test_a_rematch_that_cannot_be_is_one_line_and_begins_nothing(browser: Visitor) -> None:
    view = browser.do("begin", **LONG)
    watching = joined(browser, view, None)
    games = len(browser.server.sessions)
    assert "expected a game that is over" in browser.refused("rematch", id=view["id"])
    assert "another player's" in Visitor(browser.server).refused("rematch", id=view["id"])
    over = finished(browser)
    watching.do("join", id=over["id"], key=invited(browser, over, None))
    assert "you watch this game" in watching.refused("rematch", id=over["id"])
    for wrong in _NO_NUMBERS:
        assert "expected a whole number for places" in browser.refused("rematch", id=over["id"], places=wrong)
    assert len(browser.server.sessions) == games + 1
    other = browser.do("rematch", id=over["id"])["id"]
    assert watching.do("rematch", id=over["id"])["id"] == other
    assert not watching.do("show", id=other)["together"]["sits"]


def test_guests_of_before_resignations_are_read() -> None:
    assert Guests.from_text(json.dumps([{"1": "a"}, ["b"], {}])) == Guests({1: "a"}, ["b"])
    resigned = Guests.from_text(json.dumps([{}, [], {}, {"1": "greedy"}, "again"]))
    assert resigned == Guests(resigned={1: "greedy"}, rematch="again"), "names came later"
    kept = Guests({1: "a"}, ["b"], {0: "c"}, {2: "greedy"}, "again", {1: "Ann"})
    assert Guests.from_text(kept.as_text()) == kept


def test_a_challenge_that_was_resigned_is_compared_with_its_own_seat(browser: Visitor) -> None:
    view = browser.do(
        "begin", game="titan_race", options=SHORT, seed=5, names=["greedy", "person", "greedy"], challenge=True
    )
    view = acted(browser, view)
    acted(browser, browser.do("resign", id=view["id"], seat=1) | {"id": view["id"]})
    assert browser.do("instead", id=view["id"], agent="greedy")["seats"] == [1]
