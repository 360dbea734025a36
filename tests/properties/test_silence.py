"""What is asked in private, and declined in silence, is known to nobody else by any outlet.

Two games that differ in what a seat may not know: in one somebody is asked in private after a decision and declines, in
the other nobody is asked. Afterwards the seat has the same before itself, whatever it looks at or listens to.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from tests.play.test_determinization import positions
from titan_env import registry
from titan_env.cli import play as terminal
from titan_env.compiler.record_copies import as_arrays, copy_records
from titan_env.contract import Game, Status, events_of
from titan_env.engine.batch import null_log
from titan_env.engine.game_setup import GameSetup
from titan_env.envs.aec import GameAEC
from titan_env.pictures.render import ansi, shapes_of
from titan_env.pictures.svg import svg
from titan_env.records.replay import ReplayStep
from titan_env.records.session import GameSession
from titan_env.web.views.game_view import PERSON, ViewOptions
from titan_env.web.views.live_game import LiveGame

TRIES = 60
"""How often things are exchanged in search of a twin in which nobody is asked."""


@dataclass
class Pair:
    """The same position (1,) as a seat sees it, twice: where these decisions ask in private, and where not."""

    viewer: int
    asking: Any
    other: Any
    luck: Any
    actions: list[int]
    """The decision that leads to the question, and the answers in silence."""


def step(game: Game, states: Any, luck: Any, action: int) -> tuple[Any, Any]:
    """The position and the luck after a decision; both stay as they are."""
    states, luck = copy_records(states), copy_records(luck)
    game.rules.step(states[0], action, luck[0], null_log(game)[0])
    return states, luck


def silent_answers(game: Game, states: Any, luck: Any, action: int, viewer: int) -> list[int] | None:
    """The decision with the answers in silence that follow it; None where `viewer` is asked, or chance."""
    taken = [action]
    while True:
        states, luck = step(game, states, luck, taken[-1])
        state = states[0]
        if luck[0].asked or state.over:
            return None
        if not game.rules.is_private(state, viewer):
            return taken if len(taken) > 1 else None
        legal = np.flatnonzero(game.rules.mask(state)).tolist()
        silent = [answer for answer in legal if game.action_text_for(state, answer, viewer) is None]
        if not silent:
            return None
        taken.append(silent[0])


def pairs(game: Game, options: dict[str, Any]) -> Iterator[Pair]:
    """Pairs out of many moments of random games."""
    small = f"tests.games.{game.name}"
    exchange = import_module(small if find_spec(small) else f"tests.{game.name}.determinize").exchange
    rng = np.random.default_rng(5)
    batch = positions(game, options, 60)
    for row in range(batch.num_games):
        states, luck = batch.states[row : row + 1], batch.luck[row : row + 1]
        for action in np.flatnonzero(batch.masks[row]).tolist():
            for viewer in range(int(states[0].seats)):
                taken = silent_answers(game, states, luck, action, viewer)
                twin = taken and twin_of(game, states, luck, action, viewer, exchange, rng)
                if taken and twin is not None:
                    yield Pair(viewer, copy_records(states), twin, copy_records(luck), taken)


def twin_of(
    game: Game, states: Any, luck: Any, action: int, viewer: int, exchange: Callable[..., None], rng: Any
) -> Any:
    """The position as `viewer` sees it with other hidden things, in which the decision asks nobody in private."""
    for _ in range(TRIES):
        tried = copy_records(states)
        exchange(tried[0], rng)
        alike = (seen_vector(game, tried[0], viewer) == seen_vector(game, states[0], viewer)).all()
        alike &= (game.rules.mask(tried[0]) == game.rules.mask(states[0])).all()
        after, used = step(game, tried, luck, action)
        if alike and not used[0].asked and not after[0].over and not game.rules.is_private(after[0], viewer):
            return tried
    return None


def seen_vector(game: Game, state: Any, seat: int) -> Any:
    """What a seat observes."""
    vector = np.zeros(game.rules.fields.size, np.float32)
    game.rules.observe(state, seat, vector)
    return vector


# Outlets: each is played through the same decisions and gives all that a seat has before itself then


def engine(game: Game, options: dict[str, Any], pair: Pair, states: Any, actions: list[int]) -> Any:
    """Observation, mask, text, sentences, picture, and what the events are told as."""
    luck, before, log = copy_records(pair.luck), copy_records(states), np.zeros(1, game.rules.log).view(np.recarray)
    now, events = copy_records(states), []
    for action in actions:
        game.rules.step(now[0], action, luck[0], log[0])
        events += events_of(log[0]).copy().tolist()
    state, seat = now[0], pair.viewer
    heard = [event for event in events if game.event_text_for(state, np.array(event, np.int32), seat) is not None]
    return {
        "observation": seen_vector(game, state, seat).tolist(),
        "mask": game.rules.mask(state).tolist() if state.seat == seat else [],
        "text": game.position_text_for(state, seat),
        "terminal": ansi(game, state, seat),
        "sentences": game.position_sentences_for(state, seat),
        "pictures": [
            svg(shapes_of(game, state, seat, np.array(heard, np.int32).reshape(-1, 4), before[0], narrow))
            for narrow in (False, True)
        ],
        "events": [game.event_text_for(state, np.array(event, np.int32), seat) for event in heard],
    }


def environment(game: Game, options: dict[str, Any], pair: Pair, states: Any, actions: list[int]) -> Any:
    """What PettingZoo hands to the seat: observation, mask, infos."""
    env = GameAEC(game, events=True, **options)
    env.reset(seed=1)
    env.batch.states[:], env.batch.luck[:] = states, pair.luck
    env.batch.refresh()
    env._go_on(Status.RUNNING, int(states[0].seat), int(states[0].ask), out=0)
    for action in actions:
        env.step(action)
        while env.terminations[env.agent_selection]:
            env.step(None)  # who was out before the first of these decisions
    agent = env.possible_agents[pair.viewer]
    seen, info = env.observe(agent), env.infos.get(agent)
    return {"observation": seen["observation"].tolist(), "mask": seen["action_mask"].tolist(), "info": info}


def page(game: Game, options: dict[str, Any], pair: Pair, states: Any, actions: list[int]) -> Any:
    """Everything that the page shows to a person among agents."""
    names = [PERSON if seat == pair.viewer else "random" for seat in range(int(states[0].seats))]
    return shown_on_a_page(LiveGame(GameSetup.of(game, options), names, 1, practice=True), pair, states, actions)


def page_of_a_guest(game: Game, options: dict[str, Any], pair: Pair, states: Any, actions: list[int]) -> Any:
    """Everything that the page shows to a person among people at other screens."""
    people = [PERSON] * int(states[0].seats)
    return shown_on_a_page(LiveGame(GameSetup.of(game, options), people, 1, practice=True), pair, states, actions)


def shown_on_a_page(live_game: LiveGame, pair: Pair, states: Any, actions: list[int]) -> Any:
    """Every moment, the history, stages, and what is refused."""
    game, look = live_game.game, ViewOptions(held=frozenset({pair.viewer}))
    live_game.session.states[:], live_game.session.luck[:] = states, pair.luck
    live_game.moments, live_game._luck = [ReplayStep(copy_records(states))], [copy_records(pair.luck)]
    game.rules.legal(live_game.session.state, live_game.session.mask)
    shown = [live_game.view(-1, look)]
    for action in actions:
        live_game._go_on(action, False)
        shown.append(live_game.view(-1, look))
    is_own = pair.viewer == int(states[0].seat)
    decided = (
        {"your_turn", "actions", "others_to_move", "can_undo", "can_order"} if is_own else set()
    )  # the seat itself has decided
    for name in set(shown[0]) - decided:
        assert all(view[name] == shown[0][name] for view in shown[1:-1]), f"{name} tells of a question in private"
    if is_own:
        assert all(view["others_to_move"] and not view["your_turn"] and not view["actions"] for view in shown[1:-1])
    last = live_game.last(look)
    with pytest.raises(ValueError, match="would show every hand"):
        _ = live_game.record
    on_page = {
        "views": [live_game.view(at, look) for at in range(last + 1)],
        "history": live_game.history(0, last, look),
        "reasons": [live_game.reasons(at, look) for at in range(last + 1)],
        "stages": [live_game.stages(at, look) for at in range(1, last + 1)],
        "persons": live_game.is_asked_in_private,
    }
    if shown[-1]["your_turn"]:
        on_page["preview"] = [live_game.preview(each["number"], last, look) for each in shown[-1]["actions"]]
    return on_page


def written(game: Game, options: dict[str, Any], pair: Pair, states: Any, actions: list[int]) -> Any:
    """What `play` writes in a terminal."""

    class Done(Exception):
        """The decisions are played."""

    waiting = list(actions)

    def decides(*shown: Any) -> Any:
        if not waiting:
            raise Done
        return np.array([waiting.pop(0)])

    table = GameSession(GameSetup.of(game, options), 1)
    table.states[:], table.luck[:] = states, pair.luck
    game.rules.legal(table.state, table.mask)
    if table.state.seat == pair.viewer:
        return None
    console = Console(file=io.StringIO(), record=True, width=200)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terminal, "_ask", decides)
        with pytest.raises(Done):
            terminal._go_on(table, pair.viewer, [decides] * int(states[0].seats), console)
    return console.export_text(), table.history.heard_by(pair.viewer)


def openspiel(game: Game, options: dict[str, Any], pair: Pair, states: Any, actions: list[int]) -> Any:
    """OpenSpiel's strings and tensors."""
    pytest.importorskip("pyspiel")
    from titan_env.envs import openspiel as api
    from titan_env.envs.openspiel_positions import Position

    state = api.load(game.name, **options).new_initial_state()
    state.position = Position.resampled(state.position, as_arrays(copy_records(states)), pair.viewer)
    for action in actions:
        state.apply_action(action)
    assert not state.is_chance_node()
    seat = pair.viewer
    tensors = [state.observation_tensor(seat), state.information_state_tensor(seat)]
    return state.observation_string(seat), state.information_state_string(seat), tensors


@cache
def first_pairs(name: str) -> list[tuple[dict[str, Any], Pair]]:
    """Up to 13 pairs of a game, each with the options of its preset; every outlet shows the same ones."""
    game = registry.load(name)
    presets = [dict(options) for options in game.rules.presets.values()]
    return list(islice(((options, pair) for options in presets for pair in pairs(game, options)), 13))


OUTLETS = [engine, environment, page, page_of_a_guest, written, openspiel]


@pytest.mark.thorough
@pytest.mark.parametrize("outlet", OUTLETS, ids=lambda outlet: outlet.__name__)
def test_no_outlet_tells_of_a_question_in_private_that_was_declined_in_silence(
    game: Game, outlet: Callable[..., Any]
) -> None:
    if game.rules.public_view is None:
        pytest.skip("everybody knows what is asked")
    found = first_pairs(game.name)
    assert len(found) > 3
    for options, pair in found:
        asked = outlet(game, options, pair, pair.asking, pair.actions)
        unasked = outlet(game, options, pair, pair.other, pair.actions[:1])
        assert asked == unasked
