"""Agents by name, what they promise, and matches between them."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from titan_env import agents
from titan_env.agents.uniform import best
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.match import Proportion, play, seat_rotation, seated, win_rates
from titan_env.registry import load

RACE = load("titan_race")


def decisions(game: Game, count: int = 300) -> Batch:
    """Games in the middle of play."""
    batch = Batch(game, count, **game.metadata.benchmark_options)
    batch.seed(5)
    batch.start()
    batch.rollout(40, restart=True)
    return batch


# Random


@pytest.mark.thorough
def test_random_chooses_every_legal_action_as_often(game: Game) -> None:
    batch = decisions(game, 1)
    observations, masks = batch.observations.repeat(3000, axis=0), batch.masks.repeat(3000, axis=0)
    chosen = agents.load("random", game)(observations, masks, np.random.default_rng(0))
    counts = np.bincount(chosen, minlength=masks.shape[1])
    legal = masks[0] != 0
    assert not counts[~legal].any()
    expected = 3000 / legal.sum()
    assert (np.abs(counts[legal] - expected) < 5 * expected**0.5 + 1).all()


# Greedy


@pytest.mark.thorough
def test_greedy_is_legal_in_every_variant() -> None:
    for preset in RACE.rules.presets.values():
        greedy, rng = agents.load("greedy", RACE), np.random.default_rng(0)
        batch = Batch(RACE, 32, **preset)
        batch.seed(1)
        batch.start()
        for _ in range(60):
            chosen = greedy(batch.observations, batch.masks, rng)
            assert batch.masks[np.arange(32), chosen].all()
            batch.step(chosen)
            batch.start(batch.states["over"] != 0)


def test_greedy_decides_each_row_by_itself() -> None:
    batch = decisions(RACE)
    scores = scores_of(batch)
    order = np.random.default_rng(0).permutation(len(scores))
    assert np.allclose(scores_of(batch, order), scores[order], atol=1e-5)


def scores_of(batch: Batch, rows: np.ndarray | None = None) -> np.ndarray:
    """What the greedy agent thinks of every action in the chosen rows."""
    from titan_env.games.titan_race.agents.greedy import WEIGHTS, score

    observations = batch.observations if rows is None else batch.observations[rows]
    return score(RACE.rules.fields.split(observations), WEIGHTS)


@pytest.mark.parametrize("titans", [2, 4, 6])
def test_greedy_beats_random_clearly(titans: int) -> None:
    players = {name: agents.load(name, RACE) for name in ("greedy", "random")}
    shares = win_rates(RACE, players, 300, seed=0, titans=titans)
    assert shares["greedy"].interval[0] > 0.8


def test_weights_change_what_greedy_does() -> None:
    batch = decisions(RACE)
    plain, careless = agents.load("greedy", RACE), agents.load("greedy:life=0,push=3", RACE)
    first = plain(batch.observations, batch.masks, np.random.default_rng(0))
    again = plain(batch.observations, batch.masks, np.random.default_rng(0))
    other = careless(batch.observations, batch.masks, np.random.default_rng(0))
    assert (first == again).all()
    assert (first != other).any()


# Names


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("clever", "expected an agent among random, .*greedy, .*got 'clever'"),
        ("greedy:speed=1", "expected weights among row, .*got speed"),
        ("greedy:push", "expected parameters such as push=2 .*got 'push'"),
        ("greedy:push=much", "expected numbers as weights, .*got push=much"),
        ("greedy:push=nan", "expected numbers as weights, got push=nan"),
        ("expert:row=1e300", "expected weights from -1e\\+06 to 1e\\+06, got row=1e\\+300"),
        ("greedy:push=2,push=3", "expected each parameter of greedy once, got push"),
        ("greedy:game=1", "expected each parameter of greedy once, got game"),
        ("constant", "expected constant with its action, as constant:ACTION, got 'constant'"),
        ("random:5", "expected parameters of random among \\(none\\), got '5'"),
        ("mcts:inf", "expected a number as simulations, got simulations=inf"),
        ("mcts:8,explore=nan", "expected a number as explore"),
        ("mcts:8,explore=-1", "expected explore to be from 0 to"),
        ("flat:8,depth=x", "expected a number as depth, got depth=x in 'flat:8,depth=x'"),
        ("flat:8,depth=1e9", "expected depth to be a number of decisions from 0 to"),
        ("flat:8,prior=5", "expected an agent among .* or a policy such as ppo@<game>-v0, got '5'"),
        ("policy:5", "found no 5"),
        ("policy:runs/lr=3/policy.onnx", "found no runs/lr=3/policy.onnx"),
        ('policy:"runs/a=1,b/policy.onnx",temperature=1', "found no runs/a=1,b/policy.onnx"),
        ('policy:"say ""hello"".onnx"', 'found no say "hello".onnx'),
        (
            "policy:runs/a,b/policy.onnx",
            "of policy among path, temperature, bits, got 'b/policy.onnx'",
        ),
        ('policy:runs/"a,b".onnx', "expected a value with quotation marks around all of it"),
        ("ppo@titan_race-v3:1", "expected parameters of policy among temperature, bits, got '1'"),
        ("ppo@titan_race-v3:path=x", "expected parameters of policy among temperature, bits, got path"),
        ("ppo@titan_race-v3:temperature=x", "expected a number as temperature"),
        ("ppo@titan_race-v3:temperature=1e-300", "expected a temperature of 0, or from 0.001 to 1000"),
    ],
)
def test_a_wrong_name_is_one_clear_error(name: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        agents.load(name, RACE)


def test_every_kind_of_agent_loads_by_its_name_alone_or_says_in_one_line_what_it_lacks() -> None:
    for kind in [*agents.AGENTS, *RACE.metadata.agents]:
        if kind in ("random", *RACE.metadata.agents):
            agents.load(kind, RACE)
            continue
        with pytest.raises(ValueError, match="expected") as refused:
            agents.load(kind, RACE)
        assert "\n" not in str(refused.value), kind


def test_results_are_kept_under_a_name_without_the_parameters_that_change_no_decision() -> None:
    assert agents.kept_name("chat:qwen3:8b,tokens=5,seconds=9,at_once=2") == "chat:qwen3:8b,seconds=9"
    assert agents.kept_name('chat:"a,b",rules=0') == 'chat:"a,b",rules=0'
    assert agents.kept_name("flat:8,depth=3") == "flat:8,depth=3"


def test_what_is_no_game_and_what_is_no_agent_is_refused_with_what_to_write() -> None:
    with pytest.raises(TypeError, match="expected a game or its name, got 7"):
        agents.load("random", 7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"expected an agent act\(observations, masks, rng\) or the name of one, got 7"):
        win_rates(RACE, {"a": "random", "b": 7}, 2, 0)  # type: ignore[dict-item]


def test_more_agents_than_can_sit_at_the_table_are_refused() -> None:
    three = {name: agents.load("random", RACE) for name in "abc"}
    with pytest.raises(ValueError, match="expected 2 to 2 agents at a table of 2, got 3"):
        win_rates(RACE, three, 6, 0, titans=2)


def test_greedy_says_which_games_it_does_not_know() -> None:
    with pytest.raises(ValueError, match=r"expected an agent among .*got 'greedy' for Pig"):
        agents.load("greedy", load("pig"))


# Matches


def test_every_agent_sits_in_every_seat_equally_often() -> None:
    sits = seat_rotation(3, np.tile(np.arange(4), (12, 1)))
    for seat in range(4):
        assert np.bincount(sits[:, seat]).tolist() == [4, 4, 4]


def test_nobody_moves_after_the_same_agent_more_often_than_others_do() -> None:
    for agents_, seats in ((2, 4), (3, 3), (3, 4), (4, 6)):
        games = math.factorial(agents_)
        sits = seat_rotation(agents_, np.tile(np.arange(seats), (games, 1)))
        assert [np.bincount(sits[:agents_, seat]).tolist() for seat in range(seats)] == [[1] * agents_] * seats
        for renamed in itertools.permutations(range(agents_)):
            assert sorted(np.array(renamed)[sits].tolist()) == sorted(sits.tolist())


@pytest.mark.thorough
def test_equals_beside_a_stronger_agent_win_equally_often() -> None:
    players = {
        "one": agents.load("random", RACE),
        "other": agents.load("random", RACE),
        "g": agents.load("greedy", RACE),
    }
    shares = win_rates(RACE, players, 6000, seed=0, titans=4, laps=1)
    assert shares["one"].rate == pytest.approx(shares["other"].rate, abs=0.025)


def test_seats_of_one_side_have_the_same_agent_so_that_teams_are_told_apart() -> None:
    for variant, sides in (("2v2v2", 3), ("3v3", 2)):
        sits = seated(RACE, RACE.rules.configure(variant=variant).repeat(6), 2)
        assert (sits[:, :sides] == sits[:, sides : 2 * sides]).all()
        for seat in range(6):
            assert np.bincount(sits[:, seat]).tolist() == [3, 3]
    players = {name: agents.load(name, RACE) for name in ("greedy", "random")}
    assert win_rates(RACE, players, 60, seed=0, variant="2v2v2")["greedy"].interval[0] > 0.6


def test_the_same_seed_gives_the_same_games(game: Game) -> None:
    players = [agents.load("random", game)] * 2
    first, again = play(game, players, 20, seed=3)[0], play(game, players, 20, seed=3)[0]
    assert (first == again).all()
    assert (first != play(game, players, 20, seed=4)[0]).any()


def test_equal_agents_win_equally_often(game: Game) -> None:
    uniform = agents.load("random", game)
    shares = win_rates(game, {"one": uniform, "other": uniform}, 1000, seed=0, **game.metadata.benchmark_options)
    low, high = shares["one"].interval
    assert low - 0.02 < 0.5 < high + 0.02


@pytest.mark.parametrize(
    ("happened", "of", "low", "high"),
    [(50, 100, 0.4038, 0.5962), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
)
def test_wilson_interval(happened: int, of: int, low: float, high: float) -> None:
    """Figures of Brown, Cai, DasGupta 2001 and of the usual calculators."""
    assert Proportion(happened, of).interval == pytest.approx((low, high), abs=1e-4)


def test_an_agent_never_picks_an_illegal_action_even_if_the_draw_among_equals_is_zero() -> None:
    class Unlucky(np.random.Generator):
        def random(self, *shape: Any, **_: Any) -> Any:  # a draw of exactly 0 comes once in 2**24
            return np.zeros(shape[0], np.float32)

    masks = np.array([[0, 0, 1, 0], [0, 1, 0, 1]], np.int8)
    chosen = best(np.zeros(masks.shape, np.float32), masks, Unlucky(np.random.PCG64(0)))
    assert masks[[0, 1], chosen].all()
