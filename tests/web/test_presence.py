"""Who is on line at a game: whose page waits for news of it."""

from __future__ import annotations

import pytest

from tests.web.serving import Visitor
from tests.web.test_together_api import LONG, joined
from titan_env.web.requests import together_api
from titan_env.web.views import presence
from titan_env.web.views.presence import GRACE, Presence


def test_who_waits_for_news_is_on_line_and_some_seconds_longer() -> None:
    time = [0.0]
    here = Presence(lambda: time[0])
    assert not here.is_here("a")
    with here.waits("a"), here.waits("a"):
        time[0] = 100
        assert here.is_here("a")
    time[0] += GRACE / 2
    assert here.is_here("a"), "a page that is loaded again has not left"
    time[0] += GRACE
    assert not here.is_here("a")


def test_everybody_sees_which_players_are_on_line(browser: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together_api, "LONGEST_WAIT", 0.3)
    view = browser.do("begin", **LONG)
    guest = joined(browser, view, 1)
    assert browser.do("show", id=view["id"])["together"]["online"] == []
    guest.do("news", id=view["id"], known="")
    found = browser.do("news", id=view["id"], known="")
    assert found["together"]["online"] == [0, 1]
    monkeypatch.setattr(presence, "GRACE", 0.0)
    gone = browser.do("news", id=view["id"], known=found["known"], online=[0, 1])
    assert gone["together"]["online"] == [0]
    assert gone["known"] == found["known"], "nothing else has happened"
