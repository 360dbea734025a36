"""The arena: published ratings, challenges with the same dice for all, and agents in the seat of a person."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.web.serving import SHORT, Visitor
from tests.web.test_game_store import Restarted, again, restarted  # noqa: F401
from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.chance_clock import ChanceClock
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.ratings.ladder_file import LADDER, every_ladder, rating_files, read
from titan_env.records.replay import parse, positions, verify_chance
from titan_env.records.session import GameSession

pytestmark = pytest.mark.thorough

CHALLENGE = {
    "game": "titan_race",
    "options": SHORT,
    "seed": 8,
    "names": ["person", "greedy", "greedy"],
    "challenge": True,
}


def finished(visitor: Visitor, view: dict[str, Any]) -> dict[str, Any]:
    """The end of a game in which the person takes the first legal action."""
    identity = view["id"]
    while not view["result"]:
        if view["your_turn"]:
            view = visitor.do("play", id=identity, action=view["actions"][0]["number"], at=view["at"])
        else:
            view = visitor.do("act", id=identity, at=view["at"])
    return view | {"id": identity}


def test_the_page_has_the_ratings_that_are_published(browser: Visitor) -> None:
    published = [read(path)[0] for path in every_ladder(LADDER)]
    for path, text in rating_files(published).items():
        assert path.read_text("utf-8") == text, "python -m titan_env.evaluation.ratings.ladder --update writes it"
    for ladder in published:
        ladders = browser.do("ladders", game=registry.name_in(ladder["game"]))["ladders"]
        (found,) = [one for one in ladders if one["options"] == ladder["options"]]
        assert [one["name"] for one in found["agent"]] == [one["name"] for one in ladder["agent"]]
        assert all(len(one["about"]) > 10 for one in found["agent"]), "each is told in words"


def test_a_game_without_ratings_has_an_empty_arena(browser: Visitor) -> None:
    assert browser.do("ladders", game="pig") == {"ladders": []}


def test_in_a_challenge_chance_hangs_on_the_seed_and_the_turn_alone(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams: dict[int, int] = {}
    start = ChanceClock.start

    def started(clock: ChanceClock, states: Any, luck: Any) -> None:
        start(clock, states, luck)
        streams.setdefault(int(states[game.rules.chance_clock][0]), int(luck["stream"][0]))

    monkeypatch.setattr(ChanceClock, "start", started)
    games = []
    for choice in (0, -1):
        session = GameSession(GameSetup.of(game, {}), 8, by_clock=True)
        while not session.is_over and int(session.state.decisions) < 40:
            session.decide(int(np.flatnonzero(session.mask)[choice]))
        verify_chance(parse(session.recorder.text))
        games.append(dict(streams))
        streams.clear()
    common = games[0].keys() & games[1].keys()
    assert common, "both came to the same turn"
    assert all(games[0][turn] == games[1][turn] for turn in common)


def test_an_agent_plays_the_seat_of_the_person_with_the_same_dice(browser: Visitor) -> None:
    view = finished(browser, browser.do("begin", **CHALLENGE))
    found = browser.do("instead", id=view["id"], agent="greedy")
    record = parse(found["record"])
    assert record.header["agents"] == ["greedy"] * 3
    assert (record.header["seed"], record.header["by_clock"]) == (8, True)
    verify_chance(record)
    assert (found["agent"], found["seats"], len(found["ranking"])) == ("greedy", [0], 3)
    assert len(list(positions(record))) == len(record.decisions) + 1
    own = parse(browser.do("record", id=view["id"])["text"])
    assert record.header["chance"] == own.header["chance"], "the same set-up"
    assert browser.do("instead", id=view["id"], agent="greedy") == found, "it is played once"


def test_only_a_challenge_that_is_over_is_compared(browser: Visitor) -> None:
    view = browser.do("begin", **CHALLENGE)
    assert "a challenge that is over" in browser.refused("instead", id=view["id"], agent="greedy")
    usual = finished(browser, browser.do("begin", **{**CHALLENGE, "challenge": False}))
    assert "a challenge that is over" in browser.refused("instead", id=usual["id"], agent="greedy")
    opened = browser.do("open", record=browser.do("record", id=usual["id"])["text"])
    assert "a challenge that is over" in browser.refused("instead", id=opened["id"], agent="greedy")
    over = finished(browser, view)
    assert "expected an agent among" in browser.refused("instead", id=over["id"], agent="person")


def test_rated_agents_that_are_not_on_offer_can_be_challenged(browser: Visitor) -> None:
    best = browser.do("ladders", game="titan_race")["ladders"][0]["agent"][0]["name"]
    asked = {**CHALLENGE, "names": ["person", best, best]}
    assert browser.do("begin", **asked)["names"] == ["person", best, best]
    assert "expected players among" in browser.refused("begin", **{**asked, "challenge": False})


def test_a_challenge_is_no_practice(browser: Visitor) -> None:
    view = browser.do("begin", **CHALLENGE, practice=True)
    assert not view["practice"]
    while not view["your_turn"]:
        view |= browser.do("act", id=view["id"], at=view["at"])
    browser.do("play", id=view["id"], action=view["actions"][0]["number"], at=view["at"])
    assert "can be taken back" in browser.refused("undo", id=view["id"])


def test_a_restart_keeps_the_dice_of_a_challenge(restarted: Restarted) -> None:  # noqa: F811
    visitor = restarted()
    texts = []
    for restarts in (False, True):
        view = visitor.do("begin", **CHALLENGE)
        for _ in range(9):
            view |= (
                visitor.do("play", id=view["id"], action=view["actions"][0]["number"], at=view["at"])
                if view["your_turn"]
                else visitor.do("act", id=view["id"], at=view["at"])
            )
            if restarts:
                visitor = again(restarted, visitor)
        view = finished(visitor, view)
        texts.append(visitor.do("record", id=view["id"])["text"])
    assert texts[0] == texts[1]
    verify_chance(parse(texts[0]))
