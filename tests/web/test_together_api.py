"""Playing together: invitations by link, each player's own view on their own screen, guests who only watch."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.web.serving import RACE, Visitor
from tests.web.test_game_store import FILE, Restarted, again, restarted  # noqa: F401
from titan_env.contract import Game
from titan_env.web.requests import together_api
from titan_env.web.requests.server import Server
from titan_env.web.sessions.game_store import GameStore
from titan_env.web.views.guests import MOST_WATCHING, Guests

PAIR = {**RACE, "names": ["person", "person", "greedy"]}
LONG = {**PAIR, "options": {"titans": "3"}}
"""A race that is not over within the decisions of a test, whatever the server mixes with its seed."""


def invited(host: Visitor, view: dict[str, Any], seat: int | None) -> str:
    """The key of an invitation."""
    return str(host.do("invite", id=view["id"], seat=seat)["key"])


def joined(host: Visitor, view: dict[str, Any], seat: int | None) -> Visitor:
    """A guest with a seat, or one who watches."""
    guest = Visitor(host.server)
    guest.do("join", id=view["id"], key=invited(host, view, seat))
    return guest


def goes_on(players: list[Visitor], identity: str, decisions: int) -> None:
    """Play some decisions, each by the player who is asked; agents decide when the first player's page asks them to."""
    for _ in range(decisions):
        shown = [player.do("show", id=identity) for player in players]
        for player, view in zip(players, shown, strict=True):
            if view["your_turn"]:
                player.do("play", id=identity, action=view["actions"][0]["number"], at=view["at"])
                break
        else:
            if shown[0]["result"]:
                return
            players[0].do("act", id=identity, at=shown[0]["last"])


def test_a_guest_plays_the_seat_of_the_invitation_and_the_owner_the_others(browser: Visitor) -> None:
    view = browser.do("begin", **LONG)
    guest = joined(browser, view, 1)
    players = [browser, guest]
    goes_on(players, view["id"], 40)
    seats = {line["seat"] for line in browser.do("history", id=view["id"])["lines"]}
    assert seats == {0, 1, 2}
    for player, own in zip(players, (0, 1), strict=True):
        shown = player.do("show", id=view["id"])
        assert shown["viewer_seat"] == own, "each sees the view of their own seat, and no cover"
        assert shown["together"]["held"] == [own]
        assert shown["together"]["owner"] is (own == 0)


@pytest.mark.thorough
def test_of_people_at_several_screens_exactly_one_is_asked(server: Server, game: Game) -> None:
    host = Visitor(server)
    names = ["person"] * host.do("seats", game=game.name)["seats"]
    view = host.do("begin", game=game.name, names=names, seed=3)
    players = [host, *(joined(host, view, seat) for seat in range(1, len(names)))]
    for _ in range(40):
        shown = [player.do("show", id=view["id"]) for player in players]
        if shown[0]["result"]:
            assert all(one["fully_visible"] and one["ranking"] == shown[0]["ranking"] for one in shown)
            break
        assert [one["your_turn"] for one in shown] == [not one["others_to_move"] for one in shown]
        assert sum(one["your_turn"] for one in shown) == 1
        now = next(at for at, one in enumerate(shown) if one["your_turn"])
        action = shown[now]["actions"][-1]["number"]
        players[now].do("play", id=view["id"], action=action, at=shown[now]["at"])


def test_the_first_who_opens_the_link_has_the_seat_and_may_open_it_again(browser: Visitor) -> None:
    view = browser.do("begin", **PAIR)
    key = invited(browser, view, 1)
    first, second = Visitor(browser.server), Visitor(browser.server)
    first.do("join", id=view["id"], key=key)
    first.do("join", id=view["id"], key=key)
    assert second.ask("join", id=view["id"], key=key)[0] == 404
    assert second.ask("show", id=view["id"])[0] == 404
    assert first.do("show", id=view["id"])["together"]["held"] == [1]


def test_a_newer_invitation_voids_the_older_one(browser: Visitor) -> None:
    view = browser.do("begin", **PAIR)
    old, new = (invited(browser, view, 1) for _ in range(2))
    guest = Visitor(browser.server)
    assert guest.ask("join", id=view["id"], key=old)[0] == 404
    guest.do("join", id=view["id"], key=new)


def test_a_seat_with_hidden_things_is_not_given_to_another_an_open_one_is(browser: Visitor) -> None:
    view = browser.do("begin", **PAIR)
    joined(browser, view, 1)
    assert "nobody has taken" in browser.refused("invite", id=view["id"], seat=1)
    options = {"players": "2"}
    view = browser.do("begin", game="fantasy_racing", options=options, names=["person"] * 2, seed=1)
    first = joined(browser, view, 1)
    key = invited(browser, view, 1)
    assert browser.do("show", id=view["id"])["together"]["held"] == [0, 1], "until the next guest comes"
    assert first.ask("show", id=view["id"])[0] == 404
    Visitor(browser.server).do("join", id=view["id"], key=key)


def test_only_the_owner_invites_and_only_to_seats_of_people(browser: Visitor) -> None:
    view = browser.do("begin", **PAIR)
    guest = joined(browser, view, 1)
    assert "its owner invites" in guest.refused("invite", id=view["id"], seat=0)
    for seat in (2, 7, -2, "one"):
        assert "expected" in browser.refused("invite", id=view["id"], seat=seat)


def test_nobody_decides_or_takes_back_for_another(browser: Visitor) -> None:
    view = browser.do("begin", **LONG, practice=True)
    players = [browser, joined(browser, view, 1)]
    for _ in range(10):
        shown = [player.do("show", id=view["id"]) for player in players]
        if shown[0]["your_turn"] or shown[1]["your_turn"]:
            now = 0 if shown[0]["your_turn"] else 1
            here, other = players[now], players[1 - now]
            action = shown[now]["actions"][0]["number"]
            assert "another player" in other.refused("play", id=view["id"], action=action, at=shown[now]["at"])
            here.do("play", id=view["id"], action=action, at=shown[now]["at"])
            assert "taken back" in other.refused("undo", id=view["id"])
        else:
            players[0].do("act", id=view["id"], at=shown[0]["last"])
    assert players[now].do("undo", id=view["id"])["last"] < 10


def test_who_watches_sees_what_everybody_may_and_does_nothing(browser: Visitor) -> None:
    view = browser.do("begin", **PAIR)
    watching = joined(browser, view, None)
    goes_on([browser, joined(browser, view, 1)], view["id"], 6)
    shown = watching.do("show", id=view["id"])
    assert (shown["viewer_seat"], shown["actions"], shown["your_turn"]) == (-1, [], False)
    assert (shown["agent_to_move"], shown["others_to_move"]) == (False, True)
    for name, more in (("act", {"at": shown["last"]}), ("undo", {}), ("stop", {}), ("play", {"action": 0, "at": 0})):
        assert "you watch" in watching.refused(name, id=view["id"], **more)
    assert "would show every hand" in watching.refused("record", id=view["id"])
    assert "would show every hand" in browser.refused("record", id=view["id"])


def test_an_agents_game_and_an_opened_record_can_be_watched(browser: Visitor) -> None:
    view = browser.do("begin", **RACE, names=["random"] * 3)
    watching = joined(browser, view, None)
    while view["result"] is None:
        view |= browser.do("act", id=view["id"], at=view["at"])
    assert watching.do("show", id=view["id"])["ranking"] == view["ranking"]
    text = watching.do("record", id=view["id"])["text"]
    view = browser.do("open", record=text)
    assert joined(browser, view, None).do("show", id=view["id"], at=3)["at"] == 3


def test_an_owner_needs_no_key_and_takes_no_seat_from_a_guest(browser: Visitor) -> None:
    view = browser.do("begin", **PAIR)
    key = invited(browser, view, 1)
    browser.do("join", id=view["id"], key=key)
    Visitor(browser.server).do("join", id=view["id"], key=key)


def test_so_many_watch_and_no_more() -> None:
    guests = Guests()
    key = guests.invite(-1)
    for number in range(MOST_WATCHING):
        guests.join(f"{number}", key)
    with pytest.raises(ValueError, match=f"at most {MOST_WATCHING} who watch"):
        guests.join("one more", key)
    guests.join("7", key)
    assert len(guests.watching) == MOST_WATCHING


def test_guests_are_kept_with_the_game_and_a_restart_seats_them_again(restarted: Restarted) -> None:  # noqa: F811
    host = restarted()
    view = host.do("begin", **PAIR)
    guest, key = joined(host, view, 1), invited(host, view, None)
    goes_on([host, guest], view["id"], 5)
    guest_again = again(restarted, guest)
    assert guest_again.do("show", id=view["id"])["together"]["held"] == [1], "the guest may come before the owner"
    host_again = Visitor(guest_again.server)
    host_again.client.cookies = host.client.cookies
    assert host_again.do("show", id=view["id"])["together"]["held"] == [0]
    watching = Visitor(guest_again.server)
    assert watching.ask("show", id=view["id"])[0] == 404
    watching.do("join", id=view["id"], key=key)


def test_a_file_from_before_there_were_guests_goes_on(restarted: Restarted, tmp_path: Path) -> None:  # noqa: F811
    host = restarted()
    view = host.do("begin", **PAIR)
    goes_on([host], view["id"], 0)
    host.server.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as file, file:
        file.execute("ALTER TABLE games DROP COLUMN guests")
        file.execute("PRAGMA user_version = 1")
    GameStore(tmp_path).close()
    host = again(restarted, host)
    assert host.do("show", id=view["id"])["together"]["held"] == [0, 1]
    joined(host, view, 1)


def test_news_wait_until_something_has_happened_that_the_visitor_may_know(
    browser: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = browser.do("begin", **PAIR)
    guest = joined(browser, view, 1)
    known = guest.do("news", id=view["id"], known="")["known"]
    monkeypatch.setattr(together_api, "LONGEST_WAIT", 0.5)
    assert guest.do("news", id=view["id"], known=known)["known"] == known, "nothing has happened"
    monkeypatch.setattr(together_api, "LONGEST_WAIT", 60.0)
    answers: list[dict[str, Any]] = []
    waiting = threading.Thread(target=lambda: answers.append(guest.do("news", id=view["id"], known=known)))
    waiting.start()
    time.sleep(0.3)
    goes_on([browser, guest], view["id"], 1)
    waiting.join()
    assert answers[0]["known"] != known
    assert answers[0]["last"] == 1
