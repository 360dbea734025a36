"""Analysis on the page: only of what is over, only for its owner, the same figures whoever asks twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.web.serving import RACE, Visitor
from tests.web.test_server import moments
from titan_env.web.requests.analysis_api import MOST_MOMENTS
from titan_env.web.requests.server import Server

pytestmark = pytest.mark.thorough

RECORDS = Path(__file__).parents[2] / "docs" / "records"


@pytest.fixture(scope="module")
def played() -> tuple[Visitor, dict[str, Any]]:
    """A visitor with a finished race of agents, and the race's last view."""
    browser = Visitor(Server())
    view = browser.do("begin", **RACE, names=["greedy", "random", "expert"])
    return browser, {**list(moments(browser, view))[-1], "id": view["id"]}


def test_the_chances_of_every_seat_end_with_the_result(played: tuple[Visitor, dict[str, Any]]) -> None:
    browser, last = played
    found = browser.do("chances", id=last["id"], moments=[0, last["last"]], worlds=8)
    assert found["by"] == "ppo@titan_race-v3"
    assert set(found["moments"]) == {"0", str(last["last"])}
    assert all(0 <= chance <= 1 for chance in found["moments"]["0"]["chances"])
    won = {line["seat"] for line in last["ranking"] if line["won"]}
    end = found["moments"][str(last["last"])]
    if won:
        assert end["chances"] == [float(seat in won) / len(won) for seat in range(3)]
    assert not any(end["errors"])
    assert end["worlds"] is None
    again = browser.do("chances", id=last["id"], moments=[0, last["last"]], worlds=8)
    assert again["moments"] == found["moments"]


def test_the_whole_game_is_judged_before_any_play_out_and_better_with_each(played: tuple[Visitor, Any]) -> None:
    browser, last = played
    opened = browser.do("open", record=browser.do("record", id=last["id"])["text"])
    every = list(range(last["last"] + 1))
    first = browser.do("chances", id=opened["id"], moments=every, worlds=0)
    assert set(first["moments"]) == {str(at) for at in every}
    assert {moment["worlds"] for moment in first["moments"].values()} == {0, None}
    errors = [
        browser.do("chances", id=opened["id"], moments=[1], worlds=worlds)["moments"]["1"]["errors"]
        for worlds in (0, 8, 32)
    ]
    assert max(errors[0]) > max(errors[2])
    kept = browser.do("chances", id=opened["id"], moments=[1], worlds=8)
    assert kept["moments"]["1"]["worlds"] == 32
    assert kept["seconds"] > first["seconds"] > 0


@pytest.mark.parametrize("record", sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_moment_of_a_shipped_record_is_played_out(record: Path) -> None:
    browser = Visitor(Server())
    opened = browser.do("open", record=record.read_text("utf-8"))
    every, found = list(range(opened["last"] + 1)), dict[str, Any]()
    for first in range(0, len(every), MOST_MOMENTS):
        answer = browser.do("chances", id=opened["id"], moments=every[first : first + MOST_MOMENTS], worlds=8)
        found |= answer["moments"]
    print(f"{record.stem}: {len(every)} moments, {answer['seconds']:.1f} s of processor time")
    assert set(found) == {str(at) for at in every}
    assert found.pop(str(opened["last"]))["worlds"] is None
    assert {moment["worlds"] for moment in found.values()} == {8}
    assert any(max(moment["chances"]) < 1 for moment in found.values())


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
        ("chances", {"moments": []}, "expected 1 to 32 moments"),
        ("chances", {"moments": [0] * 33}, "expected 1 to 32 moments"),
        ("chances", {"moments": "all"}, "expected 1 to 32 moments"),
        ("chances", {"moments": [0], "worlds": 65}, "expected 0 to 64 play-outs, got 65"),
        ("chances", {"moments": [0], "worlds": -1}, "expected 0 to 64 play-outs, got -1"),
        ("chances", {"moments": [0], "worlds": "8"}, "expected a whole number for worlds"),
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
