"""The server gives nobody more than there is: games, moments and pages are bounded."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.web.serving import RACE, Visitor
from titan_env import registry
from titan_env.records.seeding import SEED_BITS, MixedLuck
from titan_env.web.requests.server import Server
from titan_env.web.sessions.session_store import SessionStore
from titan_env.web.views.game_view import moment_bytes

GOLDEN = Path(__file__).parents[1] / "golden" / "race_2.jsonl"


PACKAGE = Path(__file__).parents[2] / "titan_env"


def test_idle_games_are_forgotten_and_their_number_is_bounded() -> None:
    clock = [0.0]
    server = Server(sessions=SessionStore(most=3, most_each=2, idle=60, unplayed=60, now=lambda: clock[0]))
    first, second = Visitor(server), Visitor(server)
    games = []
    for clock[0] in (0, 1, 2):
        games.append(first.do("begin", **RACE, names=["greedy"] * 3)["id"])
    assert first.ask("show", id=games[0])[0] == 404, "the owner's oldest has made room"
    clock[0] = 50
    assert second.do("begin", **RACE, names=["greedy"] * 3)
    assert first.do("show", id=games[2])
    status, answer = second.ask("begin", **RACE, names=["greedy"] * 3)
    assert (status, "at most 3 games" in answer["error"]) == (503, True)
    clock[0] = 69
    assert second.ask("show", id=games[1])[0] == 404
    assert len(server.sessions) == 2, "whoever asks, what is idle is forgotten"
    clock[0] = 70
    assert second.do("begin", **RACE, names=["greedy"] * 3)
    assert first.ask("show", id=games[1])[0] == 404
    assert first.do("show", id=games[2])


def test_visitors_who_never_play_lock_nobody_out() -> None:
    clock = [0.0]
    server = Server(sessions=SessionStore(most=4, now=lambda: clock[0]))
    playing = Visitor(server)
    game = playing.do("begin", **RACE, names=["greedy"] * 3)["id"]
    playing.do("act", id=game, at=0)
    made_up = [Visitor(server) for _ in range(3)]
    for visitor in made_up:
        visitor.do("begin", **RACE, names=["greedy"] * 3)
    assert Visitor(server).ask("begin", **RACE, names=["greedy"] * 3)[0] == 503, "all of them look on"
    clock[0] = 11
    assert Visitor(server).do("begin", **RACE, names=["greedy"] * 3), "one that nobody has played in makes room"
    assert playing.do("show", id=game)["last"] == 1
    clock[0] = 400
    for _ in range(4):
        assert Visitor(server).do("begin", **RACE, names=["greedy"] * 3)
    assert playing.ask("show", id=game)[0] == 404, "and then one that nobody has looked at for five minutes"


def test_the_memory_of_all_games_together_is_bounded() -> None:
    server = Server(sessions=SessionStore(most_bytes=3 * moment_bytes(registry.load("titan_race"))))
    browser = Visitor(server)
    view = browser.do("begin", **RACE, names=["greedy"] * 3)
    for at in range(2):
        browser.do("act", id=view["id"], at=at)
    for name, data in (("act", {"id": view["id"], "at": 2}), ("begin", {**RACE, "names": ["greedy"] * 3})):
        status, answer = browser.ask(name, **data)
        assert (status, "expected games of at most 0.0 MB" in answer["error"]) == (503, True)
    assert browser.do("show", id=view["id"])["last"] == 2


@pytest.mark.thorough
def test_one_page_at_a_time_is_made_and_none_of_a_long_game(
    server: Server, browser: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"id": browser.do("open", record=GOLDEN.read_text("utf-8"))["id"], "film": True}
    with server._filming:
        status, answer = browser.ask("record", **asked)
        assert (status, "one page at a time" in answer["error"]) == (503, True)
    assert browser.do("record", **asked)["text"].startswith("<!doctype html>")
    monkeypatch.setattr("titan_env.web.requests.server.MOST_FILMED", 9)
    assert "replay FILE --out game.html" in browser.refused("record", **asked)
    assert browser.do("record", id=asked["id"])["text"] == GOLDEN.read_text("utf-8")


def test_every_seed_that_the_package_draws_has_too_many_bits_to_try_them_all() -> None:
    code = [path.read_text("utf-8") for path in PACKAGE.rglob("*.py")]
    lines = [line.strip() for text in code for line in text.splitlines()]
    own = ["return secrets.randbits(SEED_BITS)"]
    own += ["bits = bytes.fromhex(secret) if secret else secrets.randbits(8 * _SECRET_BYTES).to_bytes(_SECRET_BYTES)"]
    as_stable_baselines3_does = "expand_seeds(int(np.random.randint(2**32)) if first is None"
    drawn = [
        line for line in lines if re.search(r"\brand(bits|range|int)\(", line) and as_stable_baselines3_does not in line
    ]
    assert drawn == own
    assert SEED_BITS == 63
    assert len(MixedLuck(1).secret) == 32, "128 bits"
