"""A person plays an environment's game in a notebook and sees the own seat's view; agents play the other seats."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from titan_env import GameAEC
from titan_env.contract import Game, Status
from titan_env.engine.batch import Batch
from titan_env.envs.play_widget import PlayWidget
from titan_env.play.determinization import Determinizations
from titan_env.records import replay
from titan_env.records.replay import ReplayStep
from titan_env.records.replay_html import ReplayPages

SEAT = 1


class Browser:
    """A view of a widget, which keeps what it was sent."""

    def __init__(self, widget: PlayWidget) -> None:
        self.widget, self.texts, self.pages = widget, [], []  # type: ignore[var-annotated]
        widget.send = self.take
        self.ask()

    def take(self, content: dict[str, Any]) -> None:
        assert content["from"] == [len(self.texts), len(self.pages)]
        more = json.loads(zlib.decompress(base64.b64decode(content["packed"])))
        self.texts += more["texts"]
        self.pages += more["pages"]

    def ask(self) -> None:
        self.widget._handle_custom_msg({"known": [len(self.texts), len(self.pages)]}, [])

    def choose(self, action: int) -> None:
        self.widget._handle_custom_msg({"action": action, "moment": len(self.pages)}, [])
        self.ask()

    @property
    def choices(self) -> list[Any]:
        found: list[Any] = self.pages[-1].get("choices", [])
        return found


def begun(game: Game | str, seat: int = SEAT, **options: Any) -> tuple[GameAEC, Browser]:
    env = GameAEC(game, **options)
    env.reset(seed=4)
    return env, Browser(env.play(seat, "random"))


def test_a_person_plays_a_game_of_every_kind_to_its_end_by_what_the_widget_offers(game: Game) -> None:
    env, browser = begun(game, max_cycles=150)
    rng = np.random.default_rng(2)
    while browser.choices:
        assert env.agent_selection == env.possible_agents[SEAT]
        assert [number for number, _ in browser.choices] == np.flatnonzero(env.batch.masks[0]).tolist()
        assert all(page["legal"] or "choices" not in page for page in browser.pages)
        browser.choose(int(rng.choice([number for number, _ in browser.choices])))
    assert all(env.terminations.values()) or all(env.truncations.values())
    assert all(line < len(browser.texts) for page in browser.pages for line in page["wide"] + page["narrow"])
    assert len(replay.parse(env.record()).decisions) == len(env._taken)


def test_nothing_that_the_seat_cannot_know_is_in_a_page(game: Game) -> None:
    batch, rng = Batch(game, 1), np.random.default_rng(5)
    batch.seed(3)
    batch.start()
    differ = 0
    for _number in range(40):
        if batch.over[0]:
            break
        seat = int(batch.states["seat"][0])
        imagined = Determinizations(game, batch.states.copy(), rng).imagine(1, rng).states
        shown = [_page(game, states, seat) for states in (batch.states.copy(), imagined)]
        assert shown[0] == shown[1]
        differ += _page(game, batch.states.copy(), None) != _page(game, imagined, None)
        batch.step(batch.sample())
    assert bool(differ) == (game.rules.imagine is not None), "worlds differ in what is hidden"


def _page(game: Game, states: Any, seat: int | None) -> str:
    pages = ReplayPages(game, (), seat)
    pages.add(ReplayStep(states), offers=True)
    return pages.packed()


def test_other_seats_are_played_by_any_agents_in_turn_order() -> None:
    env = GameAEC("titan_race", titans=3, max_cycles=60)
    env.reset(seed=1)
    decided = []

    def lowest(observations: Any, masks: Any, rng: Any) -> Any:
        decided.append(int(env.batch.states["seat"][0]))
        return masks.argmax(axis=1)

    browser = Browser(env.play(2, [lowest, "expert"]))
    while browser.choices:
        browser.choose(browser.choices[0][0])
    assert set(decided) == {0}
    assert "lowest, expert, person" in browser.widget.page


def test_a_second_view_gets_all_moments() -> None:
    _env, browser = begun("titan_race", titans=2)
    browser.choose(browser.choices[0][0])
    again = Browser(browser.widget)
    assert (again.texts, again.pages) == (browser.texts, browser.pages)


def test_a_choice_that_is_illegal_or_of_another_moment_changes_nothing() -> None:
    env, browser = begun("titan_race", titans=2)
    illegal = int(np.flatnonzero(env.batch.masks[0] == 0)[0])
    taken, position = list(env._taken), env.position()
    for wrong in ({"action": illegal, "moment": len(browser.pages)}, {"action": browser.choices[0][0], "moment": 1}):
        browser.widget._handle_custom_msg(wrong, [])
        browser.widget._handle_custom_msg({"action": "x", "moment": len(browser.pages)}, [])
        assert (env._taken, env.position()) == (taken, position)


def test_decisions_of_a_cell_are_shown_and_a_game_begun_anew_is_told() -> None:
    env, browser = begun("titan_race", titans=2)
    moments = len(browser.pages)
    env.step(browser.choices[0][0])
    browser.choose(browser.choices[0][0])
    assert len(browser.pages) > moments
    env.reset(seed=5)
    position = env.position()
    browser.choose(browser.choices[0][0])
    assert env.position() == position
    assert "Call play() again" in browser.widget.notice


def test_a_seat_that_is_not_there_and_too_few_opponents_are_refused() -> None:
    env = GameAEC("titan_race", titans=3)
    with pytest.raises(ResetNeeded, match=r"expected reset\(\)"):
        env.play()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="expected a seat from 0 to 2, got 3"):
        env.play(3)
    with pytest.raises(ValueError, match="expected one opponent or 2, in turn order after seat 0, got 1"):
        env.play(0, ["random"])
    assert not env._taken
    assert env.batch.states["over"][0] == Status.RUNNING
