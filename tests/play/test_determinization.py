"""What planners get of every game: imagined worlds that fit, and nothing of what is hidden."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from tests.games.pig import GAME as PIG
from titan_env import GameAEC, GameEnv, GameVectorEnv, agents
from titan_env.contract import Field, Fields, Game
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.schema import Schema, SchemaMismatch, check, explain, schema_of
from titan_env.envs.text import GameTextVectorEnv
from titan_env.evaluation.matches.duplicate import play_blocks
from titan_env.evaluation.matches.match import play
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.determinization import Determinizations, agent_rng, batch_of
from titan_env.play.event_statistics import play_and_count
from titan_env.play.outcomes import chance_outcomes
from titan_env.play.streams import PerGameRNG
from titan_env.records.seeding import MixedLuck
from titan_env.records.session import GameSession
from titan_env.registry import load

RACE = load("titan_race")


def positions(game: Game, options: dict[str, Any], count: int = 24, seed: int = 0) -> Batch:
    """Running games, each after another number of random decisions."""
    batch = Batch(game, count, **options)
    batch.seed(seed)
    batch.start()
    for taken in range(3 * count):
        actions = np.maximum(batch.sample(), 0)
        batch.step(actions, rows=~batch.over & (3 * np.arange(count) > taken))
    return batch.select(np.flatnonzero(~batch.over))


def twins(batch: Batch) -> Batch:
    """The same games as the seats that are asked see them, in which what is hidden lies elsewhere, and other luck.

    Nothing that imagines has a part in it: things change places as ``tests.NAME.determinize`` says, wherever
    neither the observation nor the mask of the seat changes.
    """
    rng = np.random.default_rng(98)
    twin = batch_of(batch.game, batch.states, rng)
    if batch.game.rules.imagine is not None:
        small = f"tests.games.{batch.game.name}"
        exchange = import_module(small if find_spec(small) else f"tests.{batch.game.name}.determinize").exchange
        for _ in range(40):
            tried = batch_of(batch.game, twin.states, rng)
            for state in tried.states:
                exchange(state, rng)
            tried.refresh()
            same = (tried.observations == batch.observations).all(axis=1) & (tried.masks == batch.masks).all(axis=1)
            twin.states[same] = tried.states[same]
        twin.refresh()
        assert (twin.states != batch.states).mean() > 0.1, "in many games something is hidden"
    return twin


def test_imagined_worlds_do_not_depend_on_what_is_hidden(game: Game, options: dict[str, Any]) -> None:
    batch = positions(game, options)
    of_one = Determinizations(game, batch.states, np.random.default_rng(1)).imagine(3, np.random.default_rng(2))
    of_twin = Determinizations(game, twins(batch).states, np.random.default_rng(1)).imagine(3, np.random.default_rng(2))
    assert of_one.states.tobytes() == of_twin.states.tobytes()
    assert of_one.luck.tobytes() == of_twin.luck.tobytes()


def test_worlds_hold_no_true_position_and_no_true_luck(game: Game, options: dict[str, Any]) -> None:
    batch = positions(game, options)
    worlds = Determinizations(game, batch.states, np.random.default_rng(1))
    worlds.states["decisions"] += 1  # what a planner does to its worlds
    imagined = worlds.imagine(1, np.random.default_rng(2))
    assert not np.shares_memory(worlds.states, batch.states)
    assert not set(imagined.luck["stream"].tolist()) & set(batch.luck["stream"].tolist())
    assert not np.array_equal(worlds.states["decisions"], batch.states["decisions"])


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["flat:48", "mcts:48", "solve:by=random"])
def test_a_planner_decides_alike_wherever_the_hidden_cards_lie_and_however_the_dice_will_fall(
    name: str, game: Game
) -> None:
    batch = positions(game, {}, 12)
    agent, rows = agents.load(name, game), np.arange(batch.num_games)
    here = ask_in_batch(agent, batch, rows, np.random.default_rng(5)).actions
    there = ask_in_batch(agent, twins(batch), rows, np.random.default_rng(5)).actions
    assert np.array_equal(here, there)
    assert batch.masks[rows, here].all()


@pytest.mark.thorough
def test_the_outcomes_of_a_decision_are_those_that_chance_gives_as_often_as_it_gives_them(game: Game) -> None:
    batch = positions(game, {}, 16, seed=3)
    for row in range(0, batch.num_games, 4):
        action = int(np.flatnonzero(batch.masks[row])[-1])
        outcomes = chance_outcomes(game, batch.states[row], action)
        probabilities = {state.tobytes(): probability for probability, state in outcomes}
        assert sum(probabilities.values()) == pytest.approx(1)
        tried = batch.select(np.full(2000, row))
        tried.reseed_from(np.random.default_rng(row))
        tried.step(np.full(2000, action))
        found, counts = np.unique([state.tobytes() for state in tried.states], return_counts=True)
        padded = {key.ljust(game.rules.state.itemsize, b"\0"): int(n) for key, n in zip(found, counts, strict=True)}
        assert set(padded) <= set(probabilities)
        for key, count in padded.items():
            expected = 2000 * probabilities[key]
            assert abs(count - expected) <= 6 * np.sqrt(expected) + 1


def test_too_many_outcomes_are_refused(game: Game) -> None:
    batch = positions(game, {}, 4)
    many = [int(a) for a in np.flatnonzero(batch.masks[0]) if len(chance_outcomes(game, batch.states[0], int(a))) > 1]
    for action in many:
        with pytest.raises(ValueError, match="expected at most 1 sequences of chance answers"):
            chance_outcomes(game, batch.states[0], action, most=1)


def test_a_schema_comes_back_from_its_text_and_fits_its_game(game: Game) -> None:
    schema = schema_of(game)
    assert Schema.from_json(schema.to_json()) == schema
    check(schema, game)


def test_a_policy_of_another_observation_is_refused_with_the_fields_that_differ(game: Game) -> None:
    schema = schema_of(game)
    name, shape, low, high = schema.fields[0]
    other = Schema(schema.game, ((name, shape, low, high + 1), *schema.fields[1:], ("mood", (), 0.0, 1.0)), ("wink",))
    with pytest.raises(SchemaMismatch, match=rf"field mood is no more.*field {name} was .*action wink is no more"):
        check(other, game)
    with pytest.raises(SchemaMismatch, match="made for chess_v9"):
        check(Schema("chess_v9", schema.fields, schema.actions), game)


def test_a_schema_that_was_changed_by_hand_is_refused(game: Game) -> None:
    text = schema_of(game).to_json()
    with pytest.raises(SchemaMismatch, match="it was changed"):
        Schema.from_json(text.replace(game.rules.actions.texts[0], "cheat", 1))
    with pytest.raises(SchemaMismatch, match="expected an observation schema"):
        Schema.from_json(text[:-20])


def test_a_large_field_without_names_is_explained_by_its_places() -> None:
    fields = Fields((Field("board", (2, 4), -1, 1, "who has the square"), Field("wind", (7,), 0, 9, "strength")))
    observation = np.array([0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 3], np.float32)
    board, wind = explain(fields, observation).splitlines()
    assert board == "board = 0 1: 1, 1 2: -1  (who has the square)"
    assert wind == "wind = 6: 3  (strength)"


def test_every_number_of_an_observation_that_is_not_zero_is_explained(game: Game) -> None:
    batch = positions(game, {}, 8)
    for observation in batch.observations:
        words = explain(game.rules.fields, observation)
        for part in game.rules.fields.parts:
            assert observation[game.rules.fields.slices[part.name]].any() == (f"{part.name} = " in words)
    with pytest.raises(ValueError, match="expected an observation of shape"):
        explain(game.rules.fields, batch.observations[0][1:])
    assert explain(game, batch.observations[0]) == explain(game.rules.fields, batch.observations[0])
    with pytest.raises(TypeError, match="expected a game or its name, got 3"):
        explain(3, batch.observations[0])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a vector, got a dict; take one of 'observation'"):
        explain(game.rules.fields, {"observation": batch.observations[0]})  # type: ignore[arg-type]


SEED = 0x0123_4567_89AB_CDEF
"""A seed whose digits are nowhere by accident."""


class Prying:
    """An agent that keeps the generators it was given."""

    def __init__(self) -> None:
        self.given: list[np.random.Generator] = []

    def __call__(self, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        self.given.append(rng)
        return (rng.random(masks.shape) * masks).argmax(axis=1)


def _ask_in_session(agent: Any, mixed: MixedLuck | None = None) -> None:
    GameSession(GameSetup.of(PIG, {}), SEED, mixed=mixed).ask_agent(agent)


def _play_against(agent: Any) -> None:
    envs = GameVectorEnv(PIG, 4, opponents=agent)
    infos: Any = envs.reset(seed=SEED)[1]
    for _ in range(10):
        infos = envs.step(infos["action_mask"].argmax(axis=1))[4]


def _play_alone_against(agent: Any) -> None:
    env = GameEnv(PIG, opponents=agent)
    infos: Any = env.reset(seed=SEED)[1]
    for _ in range(10):
        infos = env.step(int(infos["action_mask"].argmax()))[4]


def _play_with_delegate(agent: Any) -> None:
    asks = [ask for ask in RACE.rules.asks if int(ask)]
    env = GameAEC(RACE, delegate={ask.name: agent for ask in asks[1:]})
    env.reset(seed=SEED)
    for _ in range(20):
        env.step(int(env.last()[0]["action_mask"].argmax()))


def _play_in_text(agent: Any) -> None:
    for seat in range(2):
        GameTextVectorEnv(PIG, agents={seat: agent}).reset(seed=SEED)


ASKED: dict[str, Callable[[Any], Any]] = {
    "match": lambda agent: play(PIG, [agent, "random"], 2, SEED),
    "blocks": lambda agent: play_blocks(PIG, [agent, agent], [SEED]),
    "session": _ask_in_session,
    "session with mixed luck": lambda agent: _ask_in_session(agent, MixedLuck(SEED)),
    "statistics": lambda agent: play_and_count(PIG, agent, 1, SEED),
    "opponent": _play_alone_against,
    "opponents": _play_against,
    "delegate": _play_with_delegate,
    "text": _play_in_text,
}
"""The ways in which agents are asked."""


def reached_from(thing: Any) -> list[Any]:
    """All that can be reached from an object by references and its data, without modules, classes and functions."""
    reached: dict[int, Any] = {}
    waiting = [thing]
    while waiting:
        one = waiting.pop()
        if id(one) not in reached and not isinstance(one, type) and not callable(one):
            reached[id(one)] = one
            waiting += gc.get_referents(one)
            if type(one).__module__.startswith(("numpy.random", "titan_env")):
                waiting += [getattr(one, name) for name in dir(one) if name in ("bit_generator", "seed_seq", "state")]
    return list(reached.values())


@pytest.mark.parametrize("asked", ASKED)
def test_an_agent_s_generator_holds_nothing_that_leads_to_the_seed_of_its_game(asked: str) -> None:
    agent = Prying()
    ASKED[asked](agent)
    assert agent.given
    streams = [one for rng in agent.given for one in (rng._streams if isinstance(rng, PerGameRNG) else [rng])]
    for rng in streams[:20]:
        for copy in (rng, pickle.loads(pickle.dumps(rng))):
            found = reached_from(copy)
            assert len(found) > 5
            assert not [one for one in found if isinstance(one, np.random.SeedSequence)]
            numbers = {one for one in found if type(one) is int}
            state = copy.bit_generator.state["state"]
            assert {one for one in numbers if one >= 2**16} <= set(state.values()), "its own state alone"
            with pytest.raises(ValueError, match="expected draws from an agent's generator, which has no seeds"):
                copy.spawn(1)
            with pytest.raises(ValueError, match="expected draws from an agent's generator, which has no seeds"):
                copy.bit_generator.seed_seq.generate_state(1)


def test_the_first_state_of_a_generator_of_agents_is_that_of_a_hash_of_its_numbers() -> None:
    assert agent_rng(31337, 2).integers(0, 2**63, 3).tolist() == [
        5609322056995427057,
        4662700413334718473,
        8838852050452336187,
    ]
