"""Nobody hears of a secret: in events, in words, on the page, in the terminal or in the record of a running game."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from tests.contract.test_determinization import positions, twins
from titan_env.cli import play as terminal
from titan_env.contract import Game, Status
from titan_env.engine.batch import Batch
from titan_env.envs.aec import GameAEC
from titan_env.pictures.render import shapes_of
from titan_env.pictures.svg import svg
from titan_env.web.sitting import Sitting
from titan_env.web.story import PERSON, Look

pytestmark = pytest.mark.one_preset_per_seating

ONLOOKER = -1


def alike(game: Game, state: Any, mask: Any, seat: int) -> Iterator[tuple[int, int]]:
    """Pairs of different legal decisions that sound the same to a seat."""
    for one, other in itertools.combinations(np.flatnonzero(mask).tolist(), 2):
        if game.action_text_for(state, one) != game.action_text_for(state, other) and game.action_text_for(
            state, one, seat
        ) == game.action_text_for(state, other, seat):
            yield one, other


def secrets_in(game: Game, options: dict[str, Any], seed: int) -> int:
    """Play a game; how many decisions there were of which a seat hears nothing, or not which one it was."""
    env, found = GameAEC(game, events=True, **options), 0
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while env.agents and env.batch.states[0].over == Status.RUNNING and found < 40:
        state, mask = env.batch.states[0], env.observe(env.agent_selection)["action_mask"]
        for seat in set(range(int(state.seats))) - {int(state.seat)}:
            found += any(game.action_text_for(state, action, seat) is None for action in np.flatnonzero(mask).tolist())
            for pair in alike(game, state, mask, seat):
                look_the_same(env, pair, seat)
                found += 1
        env.step(int(rng.choice(np.flatnonzero(mask))))
    return found


def look_the_same(env: GameAEC, pair: tuple[int, int], seat: int) -> None:
    """After either of two decisions the seat has the same before itself."""
    ways, agent, show_to = (
        [copy.deepcopy(env) for _ in pair],
        env.possible_agents[seat],
        env.game.text.position_text_for,
    )
    for way, action in zip(ways, pair, strict=True):
        way.step(action)
    one, other = (way.observe(agent)["observation"] for way in ways)
    np.testing.assert_array_equal(one, other)
    assert ways[0].infos[agent] == ways[1].infos[agent]
    if show_to is not None:
        assert show_to(ways[0].batch.states[0], seat) == show_to(ways[1].batch.states[0], seat)


def test_decisions_that_sound_the_same_to_a_seat_look_the_same_and_are_told_the_same(
    game: Game, options: dict[str, Any]
) -> None:
    if game.text.describe_action_for is None:
        pytest.skip("every decision is made in the open")
    found = any(secrets_in(game, options, seed) for seed in range(4, 12))
    assert found, "a game that says who hears of a decision has some of which others do not"


def test_whoever_decides_and_whoever_may_know_all_hear_everything(game: Game) -> None:
    batch = Batch(game, 1, events=True)
    batch.seed(1)
    batch.start()
    for _ in range(30):
        if batch.over[0]:
            break
        state, action = batch.states[0], int(batch.sample()[0])
        seat = int(state.seat)
        assert (
            game.action_text_for(state, action, seat)
            == game.action_text_for(state, action)
            == game.text.describe_action(state, action)
        )
        batch.step([action])
        for event in batch.last_events(0):
            assert game.event_text_for(batch.states[0], event) == game.text.describe_event(batch.states[0], event)
            assert isinstance(game.event_text_for(batch.states[0], event, ONLOOKER), str | None)


def before_the_eyes(game: Game, state: Any, seat: int) -> dict[str, Any]:
    """All that the page shows and says to a seat of one position."""
    asked = seat == int(state.seat)
    return {
        "described": game.position_sentences_for(state, seat),
        "text": game.position_text_for(state, seat) if seat >= 0 else "",
        "picture": [svg(shapes_of(game, state, seat, narrow=narrow)) for narrow in (False, True)],
        "reasons": [game.text.why_not(state, action) for action in range(len(game.rules.actions))] if asked else [],
    }


def test_positions_that_differ_in_what_a_seat_may_not_know_are_told_and_drawn_alike(
    game: Game, options: dict[str, Any]
) -> None:
    if game.rules.imagine is None:
        pytest.skip("nothing is hidden")
    batch = positions(game, options, 12)
    others = twins(batch)
    for state, twin in zip(batch.states, others.states, strict=True):
        for seat in (int(state.seat), ONLOOKER):
            assert before_the_eyes(game, state, seat) == before_the_eyes(game, twin, seat)
    pairs = zip(batch.states, others.states, strict=True)
    assert any(game.text.position_text(one) != game.text.position_text(other) for one, other in pairs), (
        "whoever may know all is told the difference"
    )


def people(game: Game, persons: int) -> Sitting:
    """A game on the page in which the first seats are people."""
    seats = int(game.rules.configure()[0].seats)
    names = [PERSON] * persons + ["random"] * (seats - persons)
    return Sitting(game, names, {}, 5, practice=True)


@pytest.mark.parametrize("persons", [1, 2])
def test_the_page_of_a_running_game_says_of_secrets_what_the_viewer_may_hear(game: Game, persons: int) -> None:
    if game.rules.imagine is None:
        pytest.skip("nothing is hidden")
    sitting, rng = people(game, persons), np.random.default_rng(3)
    for _ in range(20):
        if sitting.table.is_over:
            break
        before = copy.deepcopy(sitting.table.states)[0]
        is_person = int(before.seat) in sitting.persons
        if is_person:
            at = sitting.last(Look(seat=int(before.seat)))
            sitting.play(int(rng.choice(np.flatnonzero(sitting.table.mask))), at)
        else:
            sitting.ask_agent(lambda: None)
        if sitting.table.is_over:
            break
        viewer = 0 if persons == 1 else ONLOOKER
        if game.rules.is_private(before, viewer) or game.rules.is_private(sitting.table.state, viewer):
            continue  # see test_silence
        decision = sitting.moments[-1].decision
        assert decision is not None
        action = game.rules.actions.numbers[decision["action"]]
        shown = sitting.view(-1, Look())
        assert shown["say"] == (game.action_text_for(before, action, viewer) or "…")
        told = [game.event_text_for(sitting.table.state, event, viewer) for event in sitting.table.events]
        assert [event["text"] for event in shown["events"]] == [said for said in told if said is not None]
        assert "position" not in shown
        with pytest.raises(ValueError, match="expected a game that is over: its record would show every hand"):
            _ = sitting.record


def test_the_terminal_says_and_writes_down_of_a_running_game_only_what_the_person_may_know(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if game.rules.imagine is None:
        pytest.skip("nothing is hidden")
    console, path = Console(record=True, width=200), tmp_path / "game.jsonl"
    asked: list[bool] = []

    def answer(table: Any, console: Any) -> int | None:
        asked.append(path.exists())
        return int(np.flatnonzero(table.mask)[0]) if len(asked) < 3 else None

    monkeypatch.setattr(terminal, "_ask", answer)
    terminal.play(game, 0, "random", 2, {}, console, path)
    assert asked[:1] == [False]
    assert not any(asked)
    assert path.exists()
