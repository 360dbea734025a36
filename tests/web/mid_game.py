"""Games in the middle, for tests of what a player sees when a decision is theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.web.conftest import Visit
from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.records.replay import positions, read

RECORDS = Path(__file__).parents[2] / "docs" / "records"
RECORDED = tuple(name for name in registry.names() if (RECORDS / f"{name}.jsonl").exists())
"""The games that come with a record, without the small ones of the tests."""

PLAY_ON = """async ({ decisions, ...setup }) => {
  const post = async (name, data) => (await fetch(`api/${name}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) })).json();
  let view = await post("begin", setup);
  const id = view.id;
  for (let own = 0; own < decisions || !view.mine;) {
    if (!view.live || view.error || view.result) throw new Error(JSON.stringify(view).slice(0, 500));
    if (view.mine) own += 1;
    const chosen = view.mine ? view.actions.at(own % 2 ? -1 : 0) : null;
    const { at } = view;
    view = await (view.mine ? post("play", { id, action: chosen.number, at }) : post("act", { id, at }));
  }
  return id;
}"""
"""Begins a game, takes some decisions of the person, and stops at the next: returns the game's id."""


def sit_down_in_mid_game(visit: Visit, name: str, share: float = 0.5, decisions: int = 3) -> None:
    """Go on from a moment of the record of a game, and come to the table when a decision is the visitor's."""
    game, moments = registry.load(name), list(positions(read(RECORDS / f"{name}.jsonl")))
    state = next(moment.state for moment in moments[int(share * len(moments)) :] if can_begin(game, moment.state))
    names = ["greedy"] * int(state.seats)
    names[int(state.seat)] = "person"
    setup = {"game": name, "options": {}, "names": names, "seed": "1", "practice": False}
    position = game.text.position_text(state)
    identity = visit.page.evaluate(PLAY_ON, {**setup, "position": position, "decisions": decisions})
    visit.page.goto(f"{visit.address}/?at={identity}#{identity}")
    expect(visit.page.locator("#board svg").first).to_be_visible()
    expect(visit.page.locator("#actions button").first).to_be_attached()


def can_begin(game: Game, state: Any) -> bool:
    """Return whether a game can begin with a position: in the middle of a movement it cannot."""
    try:
        return bool(GameSetup.at(game, game.text.position_text(state), {}).seats)
    except ValueError:
        return False
