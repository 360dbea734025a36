"""A seat learns no secret from observations, sentences, pictures, the page, the terminal, or early records."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from tests.play.test_determinization import positions, twins
from titan_env.cli import play as terminal
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.envs.aec import GameAEC
from titan_env.pictures.render import shapes_of
from titan_env.pictures.svg import svg
from titan_env.web.views.game_view import NOBODY, PERSON, ViewOptions
from titan_env.web.views.live_game import LiveGame

pytestmark = pytest.mark.one_preset_per_seating


# Decisions


def test_decisions_with_one_sentence_for_a_seat_leave_that_seat_with_one_view(
    game: Game, options: dict[str, Any]
) -> None:
    """In random games, decisions that a seat cannot tell apart by their sentences it cannot tell by their effect."""
    if game.text.describe_action_for is None:
        pytest.skip("every decision is made in the open")
    kept_secret = 0
    for seed in range(4, 12):
        env, rng = GameAEC(game, events=True, **options), np.random.default_rng(seed)
        env.reset(seed=seed)
        while not env.batch.over[0] and kept_secret < 40:
            state = env.batch.states[0]
            legal = np.flatnonzero(env.batch.masks[0]).tolist()
            for seat in set(range(int(state.seats))) - {int(state.seat)}:
                kept_secret += any(game.action_text_for(state, action, seat) is None for action in legal)
                for one, other in indistinguishable(game, state, legal, seat):
                    assert_same_view_after(env, one, other, seat)
                    kept_secret += 1
            env.step(int(rng.choice(legal)))
        if kept_secret:
            return
    pytest.fail("a game with `describe_action_for` has decisions that some seat is not told, and none was met")


def indistinguishable(game: Game, state: Any, legal: list[int], seat: int) -> list[tuple[int, int]]:
    """Return the pairs of legal decisions whose sentences differ, but not those for `seat`."""
    in_full = {action: game.action_text_for(state, action) for action in legal}
    for_seat = {action: game.action_text_for(state, action, seat) for action in legal}
    pairs = combinations(legal, 2)
    return [(one, other) for one, other in pairs if in_full[one] != in_full[other] and for_seat[one] == for_seat[other]]


def assert_same_view_after(env: GameAEC, one: int, other: int, seat: int) -> None:
    """Play either decision in a copy of the game: what the seat observes, is told and reads must be the same."""
    agent = env.possible_agents[seat]
    after_one, after_other = copy.deepcopy(env), copy.deepcopy(env)
    after_one.step(one)
    after_other.step(other)
    np.testing.assert_array_equal(after_one.observe(agent)["observation"], after_other.observe(agent)["observation"])
    assert after_one.infos[agent] == after_other.infos[agent]
    if env.game.text.position_text_for is not None:
        states = (after_one.batch.states[0], after_other.batch.states[0])
        assert len({env.game.text.position_text_for(state, seat) for state in states}) == 1


def test_decisions_in_secret_that_leave_a_seat_with_one_view_have_one_sentence_for_it(
    game: Game, options: dict[str, Any]
) -> None:
    """In random games, no sentence tells a seat more of a hidden question's answer than the game shows it."""
    if game.rules.public_view is None:
        pytest.skip("every question is asked in the open")
    for seed in range(4, 10):
        batch, rng = Batch(game, 1, events=True, **options), np.random.default_rng(seed)
        batch.seed([seed])
        batch.start()
        for _ in range(60):
            state, legal = batch.states[0], np.flatnonzero(batch.masks[0])
            seat = (int(state.seat) + 1) % int(state.seats)
            if game.rules.is_private(state, seat) and len(legal) > 1:
                after = batch.select(np.zeros(len(legal), np.int64))
                after.step(legal)
                shown: dict[Any, set[str | None]] = {}
                for row, view in enumerate(views(after, seat)):
                    shown.setdefault(view, set()).add(game.action_text_for(state, int(legal[row]), seat))
                assert all(len(sentences) == 1 for sentences in shown.values()), shown.values()
            batch.step([rng.choice(legal)])
            batch.start(batch.over)


def views(batch: Batch, seat: int) -> Iterator[tuple[Any, ...]]:
    """Yield a seat's observation, sentences of the latest step and text of the position, for each row."""
    game = batch.game
    observed = batch.observe(np.full(batch.num_games, seat, np.int8))
    for row in range(batch.num_games):
        state = batch.states[row]
        sentences = tuple(game.event_text_for(state, event, seat) for event in batch.last_events(row))
        text = game.text.position_text_for(state, seat) if game.text.position_text_for else ""
        yield observed[row].tobytes(), sentences, text


def test_the_seat_that_decides_and_a_reader_of_the_full_game_are_told_everything(game: Game) -> None:
    batch = Batch(game, 1, events=True)
    batch.seed(1)
    batch.start()
    decisions = events = 0
    while decisions < 30 and not batch.over[0]:
        state, action = batch.states[0], int(batch.sample()[0])
        in_full = game.text.describe_action(state, action)
        assert game.action_text_for(state, action, int(state.seat)) == in_full
        assert game.action_text_for(state, action) == in_full
        batch.step([action])
        decisions += 1
        for event in batch.last_events(0):
            assert game.event_text_for(batch.states[0], event) == game.text.describe_event(batch.states[0], event)
            assert isinstance(game.event_text_for(batch.states[0], event, NOBODY), str | None)
            events += 1
    assert decisions > 1
    assert events or len(game.rules.events) == 1, "a game that declares events logs some"


# Positions


def test_positions_that_differ_in_what_a_seat_may_not_know_are_described_and_drawn_alike(
    game: Game, options: dict[str, Any]
) -> None:
    if game.rules.imagine is None:
        pytest.skip("nothing is hidden")
    batch = positions(game, options, 12)
    pairs = list(zip(batch.states, twins(batch).states, strict=True))
    differing = [game.text.position_text(one) != game.text.position_text(other) for one, other in pairs]
    assert any(differing), "who may know all is shown the difference"
    for state, twin in pairs:
        for seat in (int(state.seat), NOBODY):
            assert shown_to(game, state, seat) == shown_to(game, twin, seat)


def shown_to(game: Game, state: Any, seat: int) -> dict[str, Any]:
    """Return all that the page shows of one position to a seat: sentences, text, both pictures, reasons."""
    is_asked = seat == int(state.seat)
    return {
        "sentences": game.position_sentences_for(state, seat),
        "text": game.position_text_for(state, seat) if seat != NOBODY else "",
        "pictures": [svg(shapes_of(game, state, seat, narrow=narrow)) for narrow in (False, True)],
        "reasons": [game.text.why_not(state, action) for action in range(len(game.rules.actions))] if is_asked else [],
    }


# The page


@pytest.mark.parametrize("persons", [1, 2])
def test_the_page_says_of_a_running_game_what_its_viewer_may_know_and_gives_no_record(game: Game, persons: int) -> None:
    """A single person looks with the own seat's eyes; of two at one screen nobody has confirmed to be the one."""
    if game.rules.imagine is None:
        pytest.skip("nothing is hidden")
    viewer = 0 if persons == 1 else NOBODY
    agents = ["random"] * (int(game.rules.configure()[0].seats) - persons)
    live_game, rng = (
        LiveGame(GameSetup.of(game, {}), [PERSON] * persons + agents, 5, practice=True),
        np.random.default_rng(3),
    )
    held, compared = frozenset(live_game.persons), 0
    for _ in range(20):
        before = copy.deepcopy(live_game.session.states)[0]
        if int(before.seat) in live_game.persons:
            action = int(rng.choice(np.flatnonzero(live_game.session.mask)))
            live_game.play(action, live_game.last(ViewOptions(seat=int(before.seat), held=held)), held)
        else:
            live_game.ask_agent(lambda: None)
        if live_game.session.is_over:
            break
        if game.rules.is_private(before, viewer) or game.rules.is_private(live_game.session.state, viewer):
            continue  # the viewer may not know that there was a decision at all: see test_silence
        assert_page_shows_the_latest_decision_as_told_to(live_game, before, viewer)
        compared += 1
    assert compared > 1


def assert_page_shows_the_latest_decision_as_told_to(live_game: LiveGame, before: Any, viewer: int) -> None:
    """Compare the newest view with the game's own sentences for the viewer of the decision made at `before`."""
    game, decision = live_game.game, live_game.moments[-1].decision
    shown = live_game.view(-1, ViewOptions(held=frozenset(live_game.persons)))
    assert decision is not None
    action = game.rules.actions.numbers[decision["action"]]
    assert without_you(shown["say"]) == (game.action_text_for(before, action, viewer) or "…")
    sentences = [game.event_text_for(live_game.session.state, event, viewer) for event in live_game.session.events]
    assert [without_you(event["text"]) for event in shown["events"]] == [text for text in sentences if text is not None]
    assert "position" not in shown, "the full position"
    with pytest.raises(ValueError, match="expected a game that is over: its record would show every hand"):
        _ = live_game.record


def without_you(sentence: str) -> str:
    """A sentence of the page as the game writes it: the page marks the viewer's own seat."""
    return sentence.replace(" (you)", "")


# The terminal


def test_the_command_play_writes_the_record_only_when_the_person_has_left(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if game.rules.imagine is None:
        pytest.skip("nothing is hidden")
    record = tmp_path / "game.jsonl"
    was_written: list[bool] = []

    def decide_twice_then_quit(table: Any, console: Any) -> int:
        was_written.append(record.exists())
        return int(np.flatnonzero(table.mask)[0]) if len(was_written) < 3 else terminal.QUIT

    monkeypatch.setattr(terminal, "_ask", decide_twice_then_quit)
    terminal.play(GameSetup.of(game, {}), 0, "random", 2, Console(record=True, width=200), record)
    assert was_written, "the person is asked"
    assert not any(was_written)
    assert record.exists()
