"""Games in the middle, for tests of what a player sees when a decision is theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Error, expect

from tests.web.conftest import Visit
from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.records.replay import positions, read
from tools.page_picture import PLAY

RECORDS = Path(__file__).parents[2] / "docs" / "records"
RECORDED = tuple(name for name in registry.names() if (RECORDS / f"{name}.jsonl").exists())
"""The games that come with a record, without the small ones of the tests."""


def sit_down_in_mid_game(visit: Visit, name: str, share: float = 0.4, decisions: int = 10) -> None:
    """Go on from a moment of the record of a game, and come to the table when a decision is the visitor's.

    From there it goes on for some decisions of the visitor; a game that is over before is begun at half that moment.
    """
    game, moments = registry.load(name), list(positions(read(RECORDS / f"{name}.jsonl")))
    state = next(moment.state for moment in moments[int(share * len(moments)) :] if can_begin(game, moment.state))
    names = ["greedy"] * int(state.seats)
    names[int(state.seat)] = "person"
    setup = {"game": name, "options": {}, "names": names, "seed": "1", "practice": False}
    position = game.text.position_text(state)
    try:
        identity = visit.page.evaluate(PLAY, {**setup, "position": position, "decisions": decisions})
    except Error:
        return sit_down_in_mid_game(visit, name, share / 2, decisions)
    visit.page.goto(f"{visit.address}/?at={identity}#{identity}")
    expect(visit.page.locator("#board svg").first).to_be_visible()
    expect(visit.page.locator("#actions button").first).to_be_attached()
    expect(visit.page.locator("#log .moment")).to_have_count(visit.shown()[1])


def can_begin(game: Game, state: Any) -> bool:
    """Return whether a game can begin with a position: in the middle of a movement it cannot."""
    try:
        return bool(GameSetup.at(game, game.text.position_text(state), {}).seats)
    except ValueError:
        return False
