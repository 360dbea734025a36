"""Questions that an agent answers in the learner's own seat: `delegate`, on every API and in every game."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from titan_env import agents
from titan_env.agents.delegate import Delegating
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.envs.aec import GameAEC
from titan_env.envs.single_agent import GameEnv
from titan_env.envs.vector import GameVectorEnv
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.learner_batch import LearnerBatch
from titan_env.records.replay import parse

GAMES, STEPS = 8, 40


def first(observations: NDArray[Any], masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """Take the first legal action."""
    return masks.argmax(axis=1)


def asked_most(game: Game) -> list[int]:
    """Return the questions of a game as random play meets them, the commonest first."""
    batch = Batch(game, 32, **game.metadata.benchmark_options)
    batch.seed(0)
    batch.start()
    counted = np.zeros(max(int(ask) for ask in game.rules.asks) + 1, np.int64)
    for _ in range(100):
        counted += np.bincount(batch.states["ask"][~batch.over], minlength=len(counted))
        batch.step(batch.sample())
        batch.start(batch.over)
    return [int(ask) for ask in np.argsort(-counted, kind="stable") if counted[ask]]


@pytest.fixture
def left(game: Game) -> int:
    """Return the question that is left to the learner; skip games that ask one thing alone."""
    asks = asked_most(game)
    if len(asks) < 2:
        pytest.skip("a game that asks one thing alone")
    return asks[0]


def delegate(game: Game, left: int) -> dict[str, Any]:
    """Return a table in which one agent answers everything but this question."""
    return {ask.name: first for ask in game.rules.asks if int(ask) and int(ask) != left}


def test_the_learner_is_asked_nothing_but_what_is_left_to_it(game: Game, left: int) -> None:
    for seats in ("one", "all"):
        envs = GameVectorEnv(game, GAMES, seats=seats, delegate=delegate(game, left), **game.metadata.benchmark_options)
        _, infos = envs.reset(seed=1)
        for _ in range(STEPS):
            running = envs.batch.ended == 0
            assert set(envs.batch.states["ask"][running]) == {left}
            assert (envs.batch.states["seat"] == envs.batch.learners)[running].all()
            _, _, _, _, infos = envs.step(first(None, infos["action_mask"], None))


def test_every_api_plays_the_game_that_is_played_decision_by_decision(game: Game, left: int) -> None:
    options = game.metadata.benchmark_options
    plain = GameAEC(game, **options)
    plain.reset(seed=5)
    for _ in plain.agent_iter():
        observation, _, terminated, truncated, _ = plain.last()
        plain.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
    record = parse(plain.record())
    env = GameAEC(game, delegate=delegate(game, left), **options)
    env.reset(seed=5)
    for _agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        over = terminated or truncated
        assert over or info["ask"] == left
        env.step(None if over else int(observation["action_mask"].argmax()))
    assert list(parse(env.record()).decisions) == list(record.decisions)
    table = LearnerBatch(game, 1, env._usual.template, seat=0, opponents=first, delegate=delegate(game, left))
    table.reseed([5])
    table.start()
    while table.ended[0] == 0:
        table.step(table.masks.argmax(axis=1))
    left_before_the_end = not table.states[0].over and bool(table.states[0].out[0])
    assert left_before_the_end or table.states[0].decisions == len(record.decisions)
    assert table.rewards[0] == pytest.approx(Batch.payoffs(table, "win")[0, 0])


def test_each_seat_is_paid_once_where_every_seat_learns(game: Game, left: int) -> None:
    envs = GameVectorEnv(
        game,
        GAMES,
        seats="all",
        autoreset_mode="Disabled",
        delegate=delegate(game, left),
        **game.metadata.benchmark_options,
    )
    _, infos = envs.reset(seed=3)
    paid, worth = np.zeros((GAMES, infos["rewards"].shape[1])), np.zeros((GAMES, infos["rewards"].shape[1]))
    own = np.zeros(GAMES)
    for _ in range(100_000):
        acted = infos["seat"].copy()
        rng = np.random.default_rng(int(paid.sum()))
        _, rewards, terminated, truncated, infos = envs.step(
            (infos["action_mask"] * rng.random(infos["action_mask"].shape)).argmax(axis=1)
        )
        assert (rewards == infos["rewards"][np.arange(GAMES), acted]).all()
        paid += infos["settled"]
        worth += infos["rewards"]
        own += rewards
        done = terminated | truncated
        if done.any():
            assert (paid[done, : envs.batch.states["seats"][0]] == 1).all()
            assert np.allclose(worth[done], envs.batch.payoffs("win")[done])
            return
    pytest.fail("no game ended")


def test_a_delegated_game_is_copied_and_taken_back_with_everything(game: Game, left: int) -> None:
    env = GameAEC(game, delegate=delegate(game, left), **game.metadata.benchmark_options)
    env.reset(seed=2)
    moment, twin = env.snapshot(), pickle.loads(pickle.dumps(env))
    histories = []
    for one in (env, twin):
        if one is env:
            one.restore(moment)
        for _ in range(5):
            if one.terminations[one.agent_selection] or one.truncations[one.agent_selection]:
                break
            one.step(int(one.last()[0]["action_mask"].argmax()))
        histories.append(one.position())
    assert histories[0] == histories[1]


def test_what_cannot_be_delegated_is_refused(game: Game) -> None:
    asks = [ask.name.lower() for ask in game.rules.asks if int(ask)]
    with pytest.raises(ValueError, match=r"expected questions among .*, got 'no_such'"):
        GameEnv(game, delegate={"no_such": first})
    with pytest.raises(TypeError, match=r"expected an agent act\(observations, masks, rng\) or the name of one, got 7"):
        GameVectorEnv(game, 2, delegate={asks[0]: 7})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="expected a question that is left to the learner"):
        GameAEC(game, delegate=dict.fromkeys(asks, first))


def test_its_name_says_who_answers_what(game: Game, left: int) -> None:
    answered = ",".join(f"{ask.lower()}=random" for ask in delegate(game, left))
    assert isinstance(agents.load(f"delegate:random,{answered}", game), Delegating)
    with pytest.raises(ValueError, match="expected questions among"):
        agents.load("delegate:random,no_such=random", game)
    with pytest.raises(ValueError, match="expected an agent and who answers what"):
        agents.load("delegate:random", game)


def test_each_question_is_answered_by_its_agent(game: Game, left: int) -> None:
    def last(observations: NDArray[Any], masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    agent = Delegating(game, last, delegate(game, left))
    batch = Batch(game, GAMES, **game.metadata.benchmark_options)
    batch.seed(4)
    batch.start()
    rng = np.random.default_rng(0)
    for _ in range(STEPS):
        rows = np.flatnonzero(~batch.over)
        if not len(rows):
            break
        actions = np.zeros(GAMES, np.int64)
        actions[rows] = ask_in_batch(agent, batch, rows, rng).actions
        own = batch.states["ask"][rows] == left
        masks = batch.masks[rows]
        assert (actions[rows] == np.where(own, last(None, masks, rng), masks.argmax(axis=1))).all()
        batch.step(actions)


def test_each_agent_answers_its_own_question_and_the_learner_s_seat_alone(game: Game, left: int) -> None:
    class Answers:
        plans = at_once = True

        def __init__(self, ask: int) -> None:
            self.ask = ask

        def __call__(self, observations: Any, masks: Any, rng: Any, worlds: Any) -> NDArray[np.int64]:
            assert set(worlds.states["ask"]) == {self.ask}
            assert set(worlds.seats) == {0}
            return first(observations, masks, rng)

    answers = {ask.name: Answers(int(ask)) for ask in game.rules.asks if int(ask) and int(ask) != left}
    table = LearnerBatch(game, GAMES, GameEnv(game)._usual.template, seat=0, opponents=first, delegate=answers)
    table.reseed(list(range(GAMES)))
    table.start()
    for _ in range(STEPS):
        running = table.ended == 0
        table.step(first(None, table.masks, None), running)
