"""Options that vary: every game draws a value of each by its own seed, and infos say which."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.games.pig import GAME
from titan_env import Batch, GameAEC, GameEnv, GameVectorEnv
from titan_env.engine.varied_options import MOST_TABLES
from titan_env.records import replay

VARY = {"goal": [20, 40, 60], "limit": [0, 90]}
TABLES = [{"players": 3, "goal": goal, "limit": limit} for goal in VARY["goal"] for limit in VARY["limit"]]
SEEDS = range(30)


def drawn_by(batch: Batch, seed: int) -> int:
    """The options of the first game of the last row, which has this seed."""
    batch.seed([*range(1000, 999 + batch.num_games), seed])
    batch.start()
    assert batch.states["goal"][-1] == TABLES[batch.variant[-1]]["goal"]
    return int(batch.variant[-1])


def drawn_in_env(env: Any, seed: Any) -> int:
    """The options of an environment's first game with this seed; the last one's, where there are several."""
    env.reset(seed=seed)
    return int(np.ravel(env.batch.variant)[-1])


def test_a_game_draws_its_options_by_its_seed_alone_in_every_batch_and_environment() -> None:
    single, many = Batch(GAME, 1, players=3, vary=VARY), Batch(GAME, 7, players=3, vary=VARY)
    aec, solo = GameAEC(GAME, players=3, vary=VARY), GameEnv(GAME, players=3, vary=VARY)
    vector = GameVectorEnv(GAME, 3, players=3, vary=VARY)
    found = []
    for seed in SEEDS:
        aec.reset(seed=seed)
        every = [drawn_by(single, seed), drawn_by(many, seed), int(aec.batch.variant[0]), drawn_in_env(solo, seed)]
        every.append(drawn_in_env(vector, [5, 6, seed]))
        assert every == [every[0]] * len(every)
        found.append(every[0])
    assert set(found) == set(range(len(TABLES)))
    assert list(single.varied.tables) == TABLES if single.varied else False


def test_the_game_is_that_of_its_options_and_seed() -> None:
    batch = Batch(GAME, len(SEEDS), players=3, vary=VARY)
    batch.seed(0)
    batch.start()
    for row, seed in enumerate(SEEDS):
        alone = Batch(GAME, 1, **TABLES[batch.variant[row]])
        alone.seed(seed)
        alone.start()
        assert alone.states.tobytes() == batch.states[row : row + 1].tobytes()


def test_a_value_that_is_given_twice_is_twice_as_likely() -> None:
    batch = Batch(GAME, 6000, vary={"goal": [20, 60, 60]})
    batch.seed(0)
    batch.start()
    assert abs((batch.states["goal"] == 60).mean() - 2 / 3) < 0.02


def test_rows_that_begin_anew_draw_again_and_others_keep_theirs() -> None:
    batch = Batch(GAME, 200, vary=VARY)
    batch.seed(0)
    batch.start()
    before, rows = batch.variant.copy(), np.arange(200) % 2 == 0
    batch.start(rows)
    assert (batch.variant[~rows] == before[~rows]).all()
    assert (batch.variant[rows] != before[rows]).any()


def test_snapshots_and_copies_of_rows_know_their_options() -> None:
    batch = Batch(GAME, 50, vary=VARY)
    batch.start()
    kept, before = batch.snapshot(), batch.variant.copy()
    batch.start()
    batch.restore(kept)
    assert (batch.variant == before).all()
    chosen = batch.select([3, 4, 3])
    assert chosen.variant.tolist() == before[[3, 4, 3]].tolist()
    chosen.start()
    with pytest.raises(ValueError, match="expected a snapshot of a batch whose options vary where this one's do"):
        Batch(GAME, 50).restore(kept)


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_infos_name_the_options_of_each_game(mode: str) -> None:
    env = GameVectorEnv(GAME, 20, players=3, vary=VARY, max_cycles=30, autoreset_mode=mode)
    _, infos = env.reset(seed=1)
    ended, changed = 0, 0
    for _ in range(40):
        shown = infos["variant"].copy()
        *_, terminations, truncations, infos = env.step(np.zeros(20, int))
        assert (env.batch.states["goal"] == [TABLES[number]["goal"] for number in infos["variant"]]).all()
        done = terminations | truncations
        ended += int(done.sum())
        if mode == "SAME_STEP" and done.any():
            assert (infos["final_info"]["variant"][done] == shown[done]).all()
            changed += int((infos["variant"][done] != shown[done]).sum())
        else:
            assert (infos["variant"][done] == shown[done]).all()
    assert ended
    assert changed or mode == "NEXT_STEP"


def test_infos_of_single_games_and_records_tell_them_too() -> None:
    solo, aec = GameEnv(GAME, players=3, vary=VARY), GameAEC(GAME, players=3, vary=VARY)
    _, info = solo.reset(seed=4)
    aec.reset(seed=4)
    assert {agent: info_of_agent["variant"] for agent, info_of_agent in aec.infos.items()} == dict.fromkeys(
        aec.agents, info["variant"]
    )
    record = replay.parse(aec.record())
    assert record.header["options"] == TABLES[info["variant"]]
    assert len(list(replay.positions(record))) == 1
    assert "variant" not in GameEnv(GAME).reset(seed=4)[1]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: Batch(GAME, 1, vary=["goal"]), TypeError, "expected vary as lists of values by option"),
        (lambda: Batch(GAME, 1, vary={"goal": []}), TypeError, "expected vary as lists of values by option"),
        (lambda: Batch(GAME, 1, vary={"goal": "20"}), TypeError, "expected vary as lists of values by option"),
        (lambda: Batch(GAME, 1, vary={"goals": [20]}), TypeError, r"got 'goals'; did you mean goal\?"),
        (lambda: Batch(GAME, 1, vary={"goal": [20, 0]}), ValueError, "expected goal from 2 to .*, got 0"),
        (lambda: Batch(GAME, 1, goal=3, vary={"goal": [20]}), ValueError, "expected goal with vary or as an option"),
        (lambda: GameAEC(GAME, vary={"players": [2, 3]}), ValueError, "keep the number of players, got 2 and 3"),
        (
            lambda: GameEnv(GAME, vary={"goal": [20] * (MOST_TABLES + 1)}),
            ValueError,
            f"expected vary to have up to {MOST_TABLES} combinations, got {MOST_TABLES + 1}",
        ),
        (
            lambda: GameEnv(GAME, vary=VARY).reset(options={"game": {"goal": 30}}),
            ValueError,
            r"expected either vary or options of the game in reset\(\), got both",
        ),
        (
            lambda: (batch := Batch(GAME, 1, vary=VARY)).start() or batch.rollout(9, restart=True),
            ValueError,
            "expected restart=False where options vary",
        ),
    ],
)
def test_what_cannot_vary_is_refused(call: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
