"""What can be taken back outside practice: decisions that told nothing new, as long as nobody else has decided."""

from __future__ import annotations

import numpy as np
import pytest

from tests.titan_war.random_play import until
from tests.web.serving import Visitor
from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records
from titan_env.games.titan_war import GAME as WAR
from titan_env.games.titan_war.rules.state import Ask
from titan_env.play.determinization import batch_of
from titan_env.records.replay import parse, positions
from titan_env.web.views.undoing import tells_nothing


def war_at(browser: Visitor, ask: Ask, **more: object) -> dict[str, object]:
    """A war of a person who is asked this, against an agent."""
    state = until(ask).state
    names = ["greedy"] * int(state.seats)
    names[int(state.seat)] = "person"
    text = WAR.text.position_text(state)
    return browser.do("begin", game="titan_war", names=names, position=text, seed=1, **more)


def first(view: dict[str, object], begins: str) -> int:
    """The number of the first legal action whose text begins so."""
    return next(action["number"] for action in view["actions"] if action["text"].startswith(begins))  # type: ignore[attr-defined]


def test_a_legion_that_was_picked_is_put_back(browser: Visitor) -> None:
    view = war_at(browser, Ask.MOVE)
    assert not view["can_undo"]
    picked = browser.do("play", id=view["id"], action=first(view, "pick:"), at=view["at"])
    assert picked["can_undo"]
    gone = browser.do("play", id=view["id"], action=first(picked, ""), at=picked["at"])
    for before in (picked, view):
        if gone["can_undo"]:
            back = browser.do("undo", id=view["id"])
            assert (back["at"], back["svg"]) == (before["at"], before["svg"])
    assert browser.do("show", id=view["id"])["actions"] == view["actions"]


def test_the_die_is_not_thrown_again(browser: Visitor) -> None:
    view = war_at(browser, Ask.SPLIT)
    while view["your_turn"] and any(action["text"] == "pass" for action in view["actions"]):
        roll = view
        view = browser.do("play", id=view.get("id", roll["id"]), action=first(view, "pass"), at=view["at"]) | {
            "id": roll["id"]
        }
    assert "rolls" in " ".join(event["text"] for event in view["events"])
    assert not view["can_undo"]
    assert "expected a decision that can be taken back" in browser.refused("undo", id=view["id"])


def test_what_is_taken_back_is_gone_from_the_record(browser: Visitor) -> None:
    view = browser.do("begin", game="bare", names=["person", "random"], seed=2)
    while not view["your_turn"]:
        view = browser.do("act", id=view["id"], at=view["at"]) | {"id": view["id"]}
    begun = browser.do("record", id=view["id"])["text"]
    played = browser.do("play", id=view["id"], action=view["actions"][0]["number"], at=view["at"])
    if played["can_undo"]:
        browser.do("undo", id=view["id"])
        assert browser.do("record", id=view["id"])["text"] == begun
    assert list(positions(parse(browser.do("record", id=view["id"])["text"])))


@pytest.mark.parametrize("name", ["titan_race", "titan_war"])
def test_whether_something_can_be_taken_back_tells_nothing_hidden(name: str) -> None:
    game = registry.load(name)
    batch = Batch(game, 6)
    batch.seed(3)
    batch.start()
    batch.rollout(40)
    rng = np.random.default_rng(0)
    assert game.rules.imagine is not None
    found = set()
    for row in range(batch.num_games):
        seat, here = int(batch.states["seat"][row]), one(batch, row)
        other = batch_of(game, here, rng)
        game.rules.imagine(other.states[0], seat, other.luck[0])
        for action in np.flatnonzero(batch.masks[row])[:8]:
            answers = [
                tells_nothing(game, world, int(action), after(game, world, int(action)))
                for world in (here, other.states)
            ]
            assert answers[0] == answers[1]
            found.add(answers[0])
    assert found == {False, True}


def one(batch: Batch, row: int) -> Records:
    """The position (1,) of a row."""
    states: Records = batch.states[row : row + 1].copy().view(np.recarray)
    return states


def after(game: Game, states: Records, action: int) -> Records:
    """The position (1,) after an action, with any luck."""
    played = batch_of(game, states, np.random.default_rng(7))
    log = np.zeros(1, game.rules.log).view(np.recarray)
    game.rules.step(played.states[0], action, played.luck[0], log[0])
    return played.states
