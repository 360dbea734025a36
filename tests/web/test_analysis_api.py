"""Analysis on the page: only of what is over, only for its owner, the same figures whoever asks twice."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.serving import RACE, Visitor
from tests.web.test_server import moments
from titan_env.web.requests.server import Server

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def played() -> tuple[Visitor, dict[str, Any]]:
    """A visitor with a finished race of agents, and the race's last view."""
    browser = Visitor(Server())
    view = browser.do("begin", **RACE, names=["greedy", "random", "expert"])
    return browser, {**list(moments(browser, view))[-1], "id": view["id"]}


def test_the_chances_of_every_seat_end_with_the_result(played: tuple[Visitor, dict[str, Any]]) -> None:
    browser, last = played
    found = browser.do("chances", id=last["id"], moments=[0, last["last"]])
    assert found["by"] == "greedy"
    assert set(found["chances"]) == {"0", str(last["last"])}
    assert all(0 <= chance <= 1 for chance in found["chances"]["0"])
    won = {line["seat"] for line in last["ranking"] if line["won"]}
    if won:
        assert found["chances"][str(last["last"])] == [float(seat in won) for seat in range(3)]
    assert browser.do("chances", id=last["id"], moments=[0, last["last"]]) == found


def test_choices_name_the_best_the_played_one_and_how_it_may_go_on(played: tuple[Visitor, dict[str, Any]]) -> None:
    browser, last = played
    with_choice = [
        (at, found) for at in range(last["last"]) if "choices" in (found := browser.do("choices", id=last["id"], at=at))
    ]
    assert with_choice
    for at, found in with_choice:
        assert found["choices"][0]["margin"] == 0
        assert [choice["played"] for choice in found["choices"]].count(True) == 1
        assert found["line"]
        sentence = next(choice["say"] for choice in found["choices"] if choice["played"])
        assert sentence == browser.do("show", id=last["id"], at=at + 1)["say"]
    assert "choices" not in browser.do("choices", id=last["id"], at=last["last"])


def test_an_agent_says_what_it_would_do_and_why(played: tuple[Visitor, dict[str, Any]]) -> None:
    browser, last = played
    assert browser.do("advise", id=last["id"], at=0, agent="flat:64")["visits"]
    assert browser.do("advise", id=last["id"], at=0, agent="greedy")["scores"]
    advice = browser.do("advise", id=last["id"], at=0, agent="ppo@titan_race-v3")
    assert advice["chances"]
    assert browser.do("advise", id=last["id"], at=0, agent="ppo@titan_race-v3") == advice


@pytest.mark.parametrize(
    ("route", "asked", "complaint"),
    [
        ("chances", {"moments": []}, "expected 1 to 16 moments"),
        ("chances", {"moments": [0] * 17}, "expected 1 to 16 moments"),
        ("chances", {"moments": "all"}, "expected 1 to 16 moments"),
        ("chances", {"moments": [-1]}, "expected a moment from 0 to"),
        ("chances", {"moments": [10**9]}, "expected a moment from 0 to"),
        ("chances", {"moments": [None]}, "expected a whole number for at"),
        ("choices", {}, "expected a whole number for at"),
        ("choices", {"at": "1"}, "expected a whole number for at"),
        ("choices", {"at": -1}, "expected a moment from 0 to"),
        ("advise", {"at": 0, "agent": "nobody"}, "expected an agent among"),
        ("advise", {"at": 0, "agent": ["greedy"]}, "expected an agent among"),
        ("advise", {"at": 0, "agent": "person"}, "expected an agent among"),
        ("advise", {"at": 10**9, "agent": "greedy"}, "expected a moment from 0 to"),
    ],
)
def test_bad_requests_get_one_clear_line(
    played: tuple[Visitor, dict[str, Any]], route: str, asked: dict[str, Any], complaint: str
) -> None:
    browser, last = played
    sentence = browser.refused(route, id=last["id"], **asked)
    assert complaint in sentence
    assert "\n" not in sentence


def test_at_the_end_nobody_decides_and_strangers_find_nothing(played: tuple[Visitor, dict[str, Any]]) -> None:
    browser, last = played
    assert "got the end" in browser.refused("advise", id=last["id"], at=last["last"], agent="greedy")
    stranger = Visitor(browser.server)
    for route in ("chances", "choices", "advise"):
        assert stranger.ask(route, id=last["id"], at=0, moments=[0], agent="greedy")[0] == 404


@pytest.mark.parametrize("practice", [False, True])
def test_a_game_that_is_still_played_is_not_analysed(browser: Visitor, practice: bool) -> None:
    view = browser.do("begin", **RACE, names=["person", "greedy", "greedy"], practice=practice)
    assert not view["finished"]
    for route in ("chances", "choices", "advise"):
        assert "expected a game that is over" in browser.refused(
            route, id=view["id"], at=0, moments=[0], agent="greedy"
        )


def test_a_record_that_was_opened_is_analysed_with_the_same_figures(played: tuple[Visitor, dict[str, Any]]) -> None:
    browser, last = played
    record = browser.do("record", id=last["id"])["text"]
    again = browser.do("open", record=record)
    assert again["finished"]
    for at in (0, last["last"] - 1):
        assert browser.do("choices", id=again["id"], at=at) == browser.do("choices", id=last["id"], at=at)
