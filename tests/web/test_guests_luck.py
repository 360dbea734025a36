"""Once a seat is given away nobody can compute the deals of the game, from its seed or from any answer."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tests.web.serving import RACE, Visitor
from tests.web.test_game_store import Restarted, again, restarted  # noqa: F401
from tests.web.test_together_api import PAIR, goes_on, joined
from titan_env.contract import Game
from titan_env.records.hash_chain import as_text, link
from titan_env.records.record_file import BadRecord
from titan_env.records.replay import parse, positions, verify_chance
from titan_env.web.requests.server import HANDLERS, Server
from titan_env.web.views.live_game import LiveGame

SEEDS = range(1, 9)
LONG = {**PAIR, "options": {"titans": "3"}}


def session_of(server: Server, view: dict[str, Any]) -> Any:
    """The true game behind a view."""
    live_game = server.sessions.alive(view["id"])
    assert isinstance(live_game, LiveGame)
    return live_game.session


def begun(host: Visitor, game: str, seed: int) -> dict[str, Any]:
    """The view of a game among people at one screen."""
    names = ["person"] * host.do("seats", game=game)["seats"]
    return dict(host.do("begin", game=game, names=names, seed=seed))


def plays_on(host: Visitor, view: dict[str, Any], decisions: int) -> None:
    """Play some decisions with all people at one screen: the first legal action."""
    for _ in range(decisions):
        seat = int(session_of(host.server, view).state.seat)
        shown = host.do("show", id=view["id"], seat=seat)
        if shown["your_turn"]:
            action = shown["actions"][0]["number"]
            host.do("play", id=view["id"], action=action, at=shown["at"], seat=seat)
        elif not shown["result"]:
            host.do("act", id=view["id"], at=shown["last"])


def answers_of_chance(server: Server, host: Visitor, game: str, seed: int, shared: bool) -> list[Any]:
    """The answers of chance at the beginning, and in the first decisions of a game."""
    view = begun(host, game, seed)
    if shared:
        host.do("invite", id=view["id"], seat=1)
    session, rng = session_of(server, view), np.random.default_rng(0)
    for _ in range(12):
        if not session.is_over:
            session.decide(int(rng.choice(np.flatnonzero(session.mask))))
    return [line.get("chance") for line in session.recorder.lines]


def test_a_second_game_with_its_seed_tells_nothing_of_a_game_with_a_guest(server: Server, game: Game) -> None:
    host = Visitor(server)
    second = [answers_of_chance(server, host, game.name, seed, shared=False) for seed in SEEDS]
    assert second == [answers_of_chance(server, host, game.name, seed, shared=False) for seed in SEEDS]
    if not any(any(answers) for answers in second):
        pytest.skip("chance has no part in this game")
    with_a_guest = [answers_of_chance(server, host, game.name, seed, shared=True) for seed in SEEDS]
    assert with_a_guest != second
    if any(answers[0] for answers in second):
        assert [answers[0] for answers in with_a_guest] != [answers[0] for answers in second], "all is dealt anew"


@pytest.mark.thorough
def test_a_game_in_which_somebody_has_decided_goes_on_with_other_dice(browser: Visitor, server: Server) -> None:
    views = [browser.do("begin", **LONG) for _ in SEEDS]
    for view in views:
        plays_on(browser, view, 8)
    for view in views[1:]:
        browser.do("invite", id=view["id"], seat=1)
        assert browser.do("show", id=view["id"])["last"] == 8
    for view in views:
        plays_on(browser, view, 30)
    lines = [session_of(server, view).recorder.lines for view in views]
    assert all([line["chance"] for line in one[:9]] == [line["chance"] for line in lines[0][:9]] for one in lines)
    later = {json.dumps([line.get("chance") for line in one[9:]]) for one in lines}
    assert len(later) > len(SEEDS) // 2
    assert ["mixed" in line for line in lines[1][:11]] == [False] * 9 + [True, False]


def ask_everything(visitor: Visitor, identity: str) -> None:
    """Ask every question about a game that changes nothing."""
    changing = {"begin", "open", "play", "act", "stop", "undo", "hand_over", "take_over", "invite", "join"}
    changing |= {"resign", "late", "rematch", "branch"}
    of_no_game = {
        "catalogue",
        "progress",
        "example",
        "rules",
        "form",
        "glossary",
        "ladders",
        "guide",
        "seats",
        "position",
    }
    asked = {"id": identity, "at": visitor.do("show", id=identity)["at"], "known": "", "action": 0, "since": 0}
    for name in HANDLERS.keys() - changing - of_no_game:
        visitor.client.post(f"/api/{name}", json=asked)


@pytest.mark.thorough
def test_no_answer_tells_the_bits_or_where_chance_stands_before_the_end(browser: Visitor, server: Server) -> None:
    view = browser.do("begin", **PAIR)
    guest, watching = joined(browser, view, 1), joined(browser, view, None)
    session, responses = session_of(server, view), []
    for visitor in (browser, guest, watching):
        visitor.client.event_hooks["response"] = [lambda answer: responses.append(answer.read().decode())]
    secret = session.mixed.secret
    forbidden = {secret, str(int(secret, 16))}
    while not session.is_over:
        forbidden |= {str(session.luck["stream"][0]), str(session.mixed.stream(len(session.recorder.lines)))}
        for visitor in (browser, guest, watching):
            ask_everything(visitor, view["id"])
        goes_on([browser, guest], view["id"], 1)
    assert len(responses) > 100
    assert not [text for text in responses for number in forbidden if number in text]
    assert secret in browser.do("record", id=view["id"])["text"]


def chained(lines: list[dict[str, Any]]) -> str:
    """A record with a chain of its own."""
    chain = ""
    for line in lines:
        line["chain"] = chain = link(chain, line)
    return "".join(as_text(line) for line in lines)


def test_the_record_of_a_game_with_a_guest_is_proven_by_its_seed_and_the_bits_it_tells(browser: Visitor) -> None:
    view = browser.do("begin", **PAIR)
    goes_on([browser, joined(browser, view, 1)], view["id"], 400)
    text = browser.do("record", id=view["id"])["text"]
    record = parse(text)
    assert len(list(positions(record))) == len(record.decisions) + 1
    verify_chance(record)
    lines = [json.loads(line) for line in text.splitlines()]
    for lie in ("00" * 16, "", "no", None):
        lines[-1]["secret"] = lie
        with pytest.raises(BadRecord, match="expected the bits that chance is mixed with"):
            verify_chance(parse(chained(lines)))
    with pytest.raises(BadRecord, match="which the record tells when the game is over"):
        verify_chance(parse(chained(lines[:-1])))


def test_a_game_whose_bits_were_told_is_not_taken_back(browser: Visitor) -> None:
    view = browser.do("begin", **PAIR, practice=True)
    guest = joined(browser, view, 1)
    goes_on([browser, guest], view["id"], 5)
    taker = next(player for player in (browser, guest) if player.do("show", id=view["id"])["can_undo"])
    taker.do("undo", id=view["id"])
    goes_on([browser, guest], view["id"], 400)
    assert browser.do("show", id=view["id"])["finished"]
    assert all("taken back" in player.refused("undo", id=view["id"]) for player in (browser, guest))
    verify_chance(parse(browser.do("record", id=view["id"])["text"]))


@pytest.mark.thorough
def test_a_restart_goes_on_with_the_same_bits(restarted: Restarted) -> None:  # noqa: F811
    for decided in (0, 9):
        host = restarted()
        view = host.do("begin", **PAIR)
        plays_on(host, view, decided)
        host.do("invite", id=view["id"], seat=1)
        plays_on(host, view, 10)
        assert host.server.sessions.alive(view["id"])
        secret = session_of(host.server, view).mixed.secret
        host = again(restarted, host)
        host.do("show", id=view["id"])
        plays_on(host, view, 400)
        assert session_of(host.server, view).mixed.secret == secret
        verify_chance(parse(host.do("record", id=view["id"])["text"]))


def test_a_challenge_has_the_dice_of_its_seed_and_no_guests_but_those_who_watch(browser: Visitor) -> None:
    view = browser.do("begin", **RACE, names=["person", "greedy", "greedy"], challenge=True)
    assert "a challenge has those of its seed" in browser.refused("invite", id=view["id"], seat=0)
    browser.do("invite", id=view["id"], seat=None)
