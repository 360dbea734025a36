"""Players by the names that they have given themselves, and "you" for one's own seat."""

from __future__ import annotations

import pytest

from tests.web.serving import Visitor
from tests.web.test_game_store import Restarted, again, restarted  # noqa: F401
from tests.web.test_together_api import LONG, PAIR, goes_on, joined
from titan_env.contract.translation import use_language
from titan_env.records.replay import parse
from titan_env.web.views.seat_names import LONGEST_NAME, PlayerNames

CARS = {"game": "tiny_turbo_cars", "options": {}, "seed": 3}


@pytest.mark.parametrize(
    ("language", "sentence", "expected", "offered"),
    [
        ("en", "Player 1 attacks player 12", "Player 1 (you) attacks Ann", "Attacks Ann"),
        ("fr", "Joueur 1 attaque joueur 12", "Joueur 1 (vous) attaque Ann", "Attaque Ann"),
        ("es", "Jugador 1 ataca a jugador 12", "Jugador 1 (usted) ataca a Ann", "Ataca a Ann"),
    ],
)
def test_a_sentence_says_who_is_the_reader_and_a_choice_needs_no_subject(
    language: str, sentence: str, expected: str, offered: str
) -> None:
    names = PlayerNames({11: "Ann"}, 0)
    with use_language(language):
        assert names.tell(sentence) == expected
        assert names.offer(sentence) == offered
        assert PlayerNames({}).tell(sentence) == sentence
        assert PlayerNames({0: "Bo"}, 3).offer(sentence).startswith("Bo a"), "another's choice keeps its subject"


def test_you_is_said_once_in_a_sentence() -> None:
    names = PlayerNames({0: "Ann"}, 0)
    assert names.tell("Player 1 rolls 4. Player 1 wins") == "Ann (you) rolls 4. Ann wins"


def test_names_stand_in_views_logs_panels_and_results(browser: Visitor) -> None:
    view = browser.do("begin", **{**CARS, "names": ["person", "person", "greedy", "greedy"]})
    guest = joined(browser, view, 1)
    assert browser.do("call", id=view["id"], seat=0, called="  Ann ")["together"]["names"] == {"0": "Ann"}
    guest.do("call", id=view["id"], seat=1, called="<b>Bo</b>")
    goes_on([browser, guest], view["id"], 3)
    lines = browser.do("history", id=view["id"])["lines"]
    assert lines[0]["say"].startswith("Ann (you) chooses")
    assert guest.do("history", id=view["id"])["lines"][0]["say"].startswith("Ann chooses")
    shown = guest.do("show", id=view["id"], at=2)
    assert shown["say"].startswith("<b>Bo</b> (you) chooses")
    assert shown["events"][0]["text"].startswith("<b>Bo</b> (you) drives")
    assert "<b>" not in shown["svg"], "what people type is text in the picture, too"


def test_the_record_tells_names_and_is_opened_with_them(browser: Visitor) -> None:
    view = browser.do("begin", **{**PAIR, "names": ["person", "greedy", "greedy"]})
    browser.do("call", id=view["id"], seat=0, called="Ann")
    goes_on([browser], view["id"], 1000)
    assert browser.do("show", id=view["id"])["result"]
    text = browser.do("record", id=view["id"])["text"]
    record = parse(text)
    assert record.result is not None
    assert record.result["people"] == {"0": "Ann"}
    opened = browser.do("open", record=text)
    assert opened["together"]["names"] == {"0": "Ann"}


@pytest.mark.parametrize("name", [None, 7, ["Ann"], "a" * (LONGEST_NAME + 1), "a\nb", "a\u202eb", "\ud800", "a\x00b"])
def test_a_name_that_does_not_fit_a_line_is_refused(browser: Visitor, name: object) -> None:
    view = browser.do("begin", **LONG)
    body = {"id": view["id"], "seat": 0, "called": name}
    if name == "\ud800":
        answer = browser.client.post(
            "/api/call",
            content=f'{{"id": "{view["id"]}", "seat": 0, "called": "\\ud800"}}',
            headers={"content-type": "application/json"},
        )
        assert answer.status_code == 400
    else:
        assert f"expected a name of at most {LONGEST_NAME} letters" in browser.refused("call", **body)
    assert browser.do("show", id=view["id"])["together"]["names"] == {}


def test_only_who_sits_there_names_a_seat_and_never_like_another(browser: Visitor) -> None:
    view = browser.do("begin", **LONG)
    guest, watching, stranger = joined(browser, view, 1), joined(browser, view, None), Visitor(browser.server)
    browser.do("call", id=view["id"], seat=0, called="Ann")
    assert "a seat that you play, among 2, got 1" in guest.refused("call", id=view["id"], seat=0, called="Bo")
    assert "a seat that you play, among -, got 1" in watching.refused("call", id=view["id"], seat=0, called="Bo")
    assert "another player's" in stranger.refused("call", id=view["id"], seat=0, called="Bo")
    assert "a seat that you play" in browser.refused("call", id=view["id"], seat=2, called="greedy")
    assert "nobody else has" in guest.refused("call", id=view["id"], seat=1, called="aNN")
    assert browser.do("call", id=view["id"], seat=0, called="")["together"]["names"] == {}
    guest.do("call", id=view["id"], seat=1, called="Ann")
    assert browser.do("show", id=view["id"])["together"]["names"] == {"1": "Ann"}


def test_a_restart_and_a_rematch_keep_names(restarted: Restarted) -> None:  # noqa: F811
    browser = restarted()
    view = browser.do("begin", **{**PAIR, "names": ["person", "greedy", "greedy"]})
    browser.do("call", id=view["id"], seat=0, called="Ann")
    goes_on([browser], view["id"], 4)
    browser = again(restarted, browser)
    assert browser.do("show", id=view["id"])["together"]["names"] == {"0": "Ann"}
    goes_on([browser], view["id"], 1000)
    other = browser.do("rematch", id=view["id"], places=1)["id"]
    assert browser.do("show", id=other)["together"]["names"] == {"1": "Ann"}
