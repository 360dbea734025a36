"""Log and preview of every game, asked of the server: they tell what is so, and nothing that is hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.titan_race.table import Table, plain
from tests.web.serving import Visitor
from titan_env import registry
from titan_env.compiler.record_copies import copy_records
from titan_env.contract import COMPILED, Game, events_of
from titan_env.engine.batch import Batch, Records
from titan_env.engine.game_setup import GameSetup
from titan_env.play.determinization import Determinizations, batch_of
from titan_env.records.replay import ReplayStep
from titan_env.records.session import GameSession
from titan_env.records.visible import audible_parts
from titan_env.web.views.game_view import NOBODY, ViewOptions
from titan_env.web.views.history import is_in_parts
from titan_env.web.views.live_game import LiveGame
from titan_env.web.views.preview import certain_events


def begun(game: Game, decisions: int) -> Batch:
    """Some games after so many random decisions."""
    batch = Batch(game, 12)
    batch.seed(3)
    batch.start()
    batch.rollout(decisions)
    batch.start(batch.over)
    return batch


def one(batch: Batch, row: int) -> Records:
    """The position (1,) of a row."""
    states: Records = batch.states[row : row + 1].copy().view(np.recarray)
    return states


def test_the_log_has_a_line_for_every_decision_and_goes_on_where_it_stopped(browser: Visitor, game: Game) -> None:
    names = ["random"] * browser.do("seats", game=game.name)["seats"]
    view = browser.do("begin", game=game.name, names=names, seed=3)
    identity = view["id"]
    for _ in range(6):
        if view["asked"] is not None:
            view = browser.do("act", id=identity, at=view["at"])
    lines = browser.do("history", id=identity)["lines"]
    assert [line["at"] for line in lines] == list(range(1, len(lines) + 1))
    assert all(line["say"] for line in lines)
    for since in range(len(lines)):
        assert browser.do("history", id=identity, since=since)["lines"] == lines[since:]
    assert browser.do("history", id=identity, until=2)["lines"] == lines[:2]


@pytest.mark.thorough
def test_a_step_is_said_to_have_parts_where_it_has_some_for_the_viewer(game: Game) -> None:
    session, rng = GameSession(GameSetup.of(game, {}), 3, None), np.random.default_rng(3)
    has_parts = []
    for number in range(200 if COMPILED else 20):
        if session.is_over:
            session = GameSession(GameSetup.of(game, {}), number, None)
        before = session.states.copy().view(np.recarray)
        session.play(int(rng.choice(np.flatnonzero(session.mask))))
        moment = ReplayStep(copy_records(session.states), session.recorder.lines[-1 - session.is_over], session.events)
        for viewer in (None, NOBODY, *range(int(session.state.seats))):
            parts = audible_parts(game, before[0], moment, viewer)
            assert is_in_parts(game, before[0], moment, viewer) == bool(parts)
            has_parts.append(bool(parts))
    assert not all(has_parts)


@pytest.mark.thorough
def test_what_is_foreseen_happens_whatever_the_dice_say(game: Game) -> None:
    for decisions in (0, 3, 9):
        batch = begun(game, decisions)
        for row in range(min(4, batch.num_games)):
            for action in np.flatnonzero(batch.masks[row])[:6]:
                expected = certain_events(game, one(batch, row), int(action))
                played = Batch(game, 1, templates=one(batch, row), events=True)
                played.refresh()
                played.step(np.array([action]))
                assert np.array_equal(played.last_events(0)[: len(expected)], expected)


@pytest.mark.thorough
def test_no_promise_fails_in_many_imagined_worlds(game: Game) -> None:
    """Also in those in which somebody holds the card that would answer."""
    promised = 0
    for decisions in (9, 40, 80):
        batch = begun(game, decisions)
        for row in range(batch.num_games):
            worlds = Determinizations(game, one(batch, row), np.random.default_rng(row))
            for action in np.flatnonzero(batch.masks[row])[:3]:
                expected = certain_events(game, one(batch, row), int(action))
                promised += len(expected)
                imagined = worlds.imagine(100, np.random.default_rng(1000 + row))
                log = np.zeros(1, game.rules.log).view(np.recarray)
                for state, luck in zip(imagined.states, imagined.luck, strict=True):
                    log["count"] = 0
                    game.rules.step(state, action, luck, log[0])
                    assert np.array_equal(events_of(log[0])[: len(expected)], expected)
    assert promised or not len(game.rules.events) > 1


def test_a_life_is_not_promised_away_that_a_shield_could_save() -> None:
    """Rassik holds one card of thirteen: it could be the shield in one world of thirteen."""
    game = registry.load("titan_race")
    table = Table(
        plain(A1="Gr", A3="Ra", E7="Sl")
        + "grinder:\nrassik:\nslaugg:\nface: yellow\naction: yellow\nask: turn\npool: red\nhand 1: gust\n"
    )
    sentences = [
        game.text.describe_event(table.state, event)
        for event in certain_events(game, table.states, game.rules.actions.read("move:SS"))
    ]
    assert sentences
    assert not any("loses 1 life" in sentence for sentence in sentences)


@pytest.mark.thorough
def test_what_is_foreseen_does_not_depend_on_what_is_hidden() -> None:
    game = registry.load("titan_race")
    batch = begun(game, 40)
    rng = np.random.default_rng(0)
    for row in range(batch.num_games):
        seat = int(batch.states["seat"][row])
        other = batch_of(game, one(batch, row), rng)
        assert game.rules.imagine is not None
        game.rules.imagine(other.states[0], seat, other.luck[0])
        for action in np.flatnonzero(batch.masks[row]):
            here, there = (certain_events(game, states, int(action)) for states in (one(batch, row), other.states))
            assert np.array_equal(here, there)


def test_nobody_previews_what_is_illegal_or_not_theirs(browser: Visitor) -> None:
    view = browser.do("begin", game="titan_race", options={"titans": "2"}, names=["person", "greedy"], seed=1)
    identity = view["id"]
    while not view["your_turn"]:
        assert "expected the moment in which a person decides" in browser.refused(
            "preview", id=identity, action=0, at=view["at"]
        )
        view = browser.do("act", id=identity, at=view["at"])
    offered = {action["number"] for action in view["actions"]}
    legal = min(offered)
    illegal = next(number for number in range(len(registry.load("titan_race").rules.actions)) if number not in offered)
    assert "expected a legal action" in browser.refused("preview", id=identity, action=illegal, at=view["at"])
    assert "expected the moment" in browser.refused("preview", id=identity, action=legal, at=view["at"] + 1)
    assert browser.do("preview", id=identity, action=legal, at=view["at"] - 1)["would"] == [], "it has gone on"
    assert browser.do("preview", id=identity, action=legal, at=view["at"])["svg"].startswith("<svg")


def test_a_preview_that_is_asked_for_while_the_decision_is_played_is_of_the_moment_before() -> None:
    """The table is a decision further on than the moments that are shown, for as long as a decision takes."""
    both = frozenset({0, 1})
    live = LiveGame(GameSetup.of(registry.load("titan_race"), {"titans": 2}), ["person"] * 2, seed=1, practice=True)
    shown: list[dict[str, Any]] = []
    offered = set(np.flatnonzero(live.session.mask).tolist())

    decide, look = live.session.decide, ViewOptions(seat=int(live.session.state.seat), held=both)

    def decide_and_preview(action: int, helper: str = "") -> None:
        decide(action, helper)
        assert set(np.flatnonzero(live.session.mask).tolist()) != offered
        shown.extend(live.preview(one, 0, look) for one in offered)

    live.session.decide = decide_and_preview  # type: ignore[method-assign]
    live.play(min(offered), 0, both)
    assert len(shown) == len(offered)
    assert all(one["svg"].startswith("<svg") for one in shown)
