"""A person leaves a run of questions to an agent: a battle, the rest of a turn."""

from __future__ import annotations

from typing import Any

import pytest

from tests.titan_war.random_play import until
from tests.web.serving import RACE, Visitor
from titan_env.engine.game_setup import GameSetup
from titan_env.games.titan_war import GAME as WAR
from titan_env.games.titan_war.rules.state import Ask
from titan_env.records.replay import parse, positions
from titan_env.web.views.live_game import LiveGame


def in_battle(browser: Visitor, **more: Any) -> dict[str, Any]:
    """A war in a battle in which a person is asked who moves."""
    state = until(Ask.MANEUVER, players=3).state
    names = ["greedy"] * int(state.seats)
    names[int(state.seat)] = "person"
    text = WAR.text.position_text(state)
    view: dict[str, Any] = browser.do("begin", game="titan_war", names=names, position=text, seed=1, **more)
    return view


def handed_over(browser: Visitor, view: dict[str, Any]) -> dict[str, Any]:
    """The moment after the battle was left to an agent."""
    run = next(run for run in view["handovers"] if run["key"].startswith("battle"))
    assert run["title"] == "Fight this battle for me"
    shown: dict[str, Any] = browser.do("hand_over", id=view["id"], key=run["key"], agent="greedy", at=view["at"])
    return shown | {"id": view["id"]}


@pytest.mark.thorough
def test_an_agent_fights_a_battle_for_a_person_to_its_end(browser: Visitor) -> None:
    begun = view = in_battle(browser)
    view = handed_over(browser, view)
    assert not view["your_turn"]
    assert view["helping"] == "Fight this battle for me"
    while not view["your_turn"] and view["asked"] is not None:
        view = browser.do("act", id=begun["id"], at=view["at"])
    assert view["helping"] is None
    assert view["at"] > begun["at"] + 2
    helped = [line for line in browser.do("history", id=begun["id"])["lines"] if "by" in line]
    assert {line["by"] for line in helped} == {"greedy"}
    assert {line["seat"] for line in helped} == {begun["asked"]}


def test_a_person_takes_a_battle_back_at_any_time(browser: Visitor) -> None:
    begun = in_battle(browser)
    handed_over(browser, begun)
    shown = browser.do("take_over", id=begun["id"])
    assert shown["your_turn"]
    assert shown["actions"] == begun["actions"]


def test_undo_in_practice_goes_back_to_where_it_was_left(browser: Visitor) -> None:
    begun = in_battle(browser, practice=True)
    view = handed_over(browser, begun)
    for _ in range(4):
        view = browser.do("act", id=begun["id"], at=view["at"])
    back = browser.do("undo", id=begun["id"])
    assert (back["at"], back["your_turn"], back["helping"]) == (begun["at"], True, None)


def test_only_what_goes_on_is_left_and_only_to_agents_and_by_who_is_asked(browser: Visitor) -> None:
    view = in_battle(browser)
    key, identity = view["handovers"][0]["key"], view["id"]
    assert "expected an agent among" in browser.refused(
        "hand_over", id=identity, key=key, agent="person", at=view["at"]
    )
    assert "expected one of battle" in browser.refused(
        "hand_over", id=identity, key="war", agent="greedy", at=view["at"]
    )
    assert "has gone on" in browser.refused("hand_over", id=identity, key=key, agent="greedy", at=view["at"] + 1)
    race = browser.do("begin", **RACE, names=["greedy"] * 3)
    assert race["handovers"] == []
    assert "a person's turn" in browser.refused("hand_over", id=race["id"], key=key, agent="greedy", at=0)


def test_the_record_says_who_decided_and_plays_again() -> None:
    state = until(Ask.MANEUVER).state
    names = ["person"] * int(state.seats)
    live_game = LiveGame(GameSetup.at(WAR, WAR.text.position_text(state), {}), names, 1, False)
    key = WAR.presentation.handovers(state)[0].key  # type: ignore[misc]
    live_game.hand_over(key, "greedy", 0, frozenset(live_game.persons))
    live_game.ask_agent(lambda: None)
    record = parse(live_game.session.recorder.text)
    assert record.decisions[0]["by"] == "greedy"
    assert list(record.header["agents"]) == names
    assert len(list(positions(record))) == 2
