"""The Gymnasium vector environment: many games, one call."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.performance import benchmark_vector_step
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray

from tests.envs.arrays import assert_same_games, overwrite
from tests.policies import forbidden, gymnasium_id, settled, some_legal
from titan_env.contract import Game
from titan_env.engine.illegal_actions import IllegalAction
from titan_env.envs import vector
from titan_env.envs.single_agent import GameEnv
from titan_env.envs.vector import GameVectorEnv
from titan_env.play.transitions import Transitions

pytestmark = pytest.mark.one_preset_per_seating

MODES = list(AutoresetMode)
FACES = ["one", "all"]


def without_decided(got: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return results without the info that Gymnasium's loop has no word for."""
    assert got[-1]["_decided"].all()
    return *got[:-1], {key: value for key, value in got[-1].items() if not key.endswith("decided")}


def assert_same(ours: Any, theirs: Any, where: str) -> None:
    """Compare what two environments returned, dicts of arrays within dicts included."""
    if isinstance(theirs, tuple):
        for i, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(one, other, f"{where}, part {i}")
    elif isinstance(theirs, dict):
        assert ours.keys() == theirs.keys(), where
        for key in theirs:
            assert_same(ours[key], theirs[key], f"{where}[{key!r}]")
    elif isinstance(theirs, np.ndarray) and theirs.dtype == object:
        for one, other in zip(ours, theirs, strict=True):
            assert (one is None) == (other is None), where
            if other is not None:
                assert_same(one, other, where)
    else:
        np.testing.assert_array_equal(ours, theirs, err_msg=where)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opponents", ["random", settled], ids=["random", "agent"])
def test_every_mode_is_what_gymnasium_makes_of_solo_envs(
    game: Game, options: dict[str, Any], mode: AutoresetMode, opponents: Any
) -> None:
    """Step by step the batch returns what Gymnasium's own loop over single environments returns."""
    ours = GameVectorEnv(game, 4, opponents=opponents, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: GameEnv(game, opponents=opponents, **options)] * 4, autoreset_mode=mode)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    rng = np.random.default_rng(0)
    got, expected = ours.reset(seed=7), theirs.reset(seed=7)
    assert_same(without_decided(got), expected, "reset")
    finished = np.zeros(4, np.bool_)
    games = steps = 0
    while games < 2:
        masks = got[-1]["action_mask"]
        actions = some_legal(masks, rng)
        got, expected = ours.step(actions), theirs.step(actions)
        if mode == AutoresetMode.NEXT_STEP:  # The mask of a finished row allows what will be ignored anyway.
            finished = got[2] | got[3]
            expected[-1]["action_mask"][finished] = 1
        assert_same(without_decided(got), expected, f"step {steps}")
        assert got[0].dtype == np.float32
        assert got[-1]["action_mask"].dtype == np.int8
        finished = got[2] | got[3]
        games += finished.sum()
        steps += 1
        if mode == AutoresetMode.DISABLED and finished.any():
            got = (*ours.reset(options={"reset_mask": finished}),)
            reset = theirs.reset(options={"reset_mask": finished})
            np.testing.assert_array_equal(got[0], reset[0])
            np.testing.assert_array_equal(got[1]["_action_mask"], reset[1]["_action_mask"])
            np.testing.assert_array_equal(got[1]["action_mask"][finished], reset[1]["action_mask"][finished])
    ours.close()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seats", FACES)
def test_record_episode_statistics(game: Game, options: dict[str, Any], mode: AutoresetMode, seats: str) -> None:
    """Gymnasium's statistics wrapper counts the same games as the flags do."""
    env = RecordEpisodeStatistics(GameVectorEnv(game, 8, seats=seats, autoreset_mode=mode, **options), 1000)
    rng = np.random.default_rng(1)
    _, infos = env.reset(seed=1)
    finished, ends = np.zeros(8, np.bool_), 0
    length, lengths = np.zeros(8, int), []
    while ends < 12:
        taken = ~finished if mode == AutoresetMode.NEXT_STEP else np.ones(8, np.bool_)
        _, _, terminations, truncations, infos = env.step(some_legal(infos["action_mask"], rng))
        finished = terminations | truncations
        length += taken
        lengths += length[finished].tolist()
        length[finished] = 0
        ends += finished.sum()
        if mode == AutoresetMode.DISABLED and finished.any():
            _, infos = env.reset(options={"reset_mask": finished})
    assert env.episode_count == ends
    assert list(env.length_queue) == lengths


@pytest.mark.parametrize("mode", MODES)
def test_made_by_name(game: Game, mode: AutoresetMode) -> None:
    """Gymnasium makes it through the vector entry point, without a warning, and its unmasked benchmark runs."""
    env = gymnasium.make_vec(gymnasium_id(game), num_envs=3, autoreset_mode=mode, seats="all")
    assert isinstance(env, GameVectorEnv)
    assert env.metadata["autoreset_mode"] == mode
    assert benchmark_vector_step(env, target_duration=0, seed=0) > 0
    copied = pickle.loads(pickle.dumps(env))
    actions = env.action_space.sample()
    assert_same(copied.step(actions), env.step(actions), "step of the copy")


def test_a_row_does_not_depend_on_the_others(game: Game, options: dict[str, Any]) -> None:
    """Row i of a threaded batch plays the game that a batch of one plays with its seed."""
    many = GameVectorEnv(game, 130, autoreset_mode="SameStep", threads=2, **options)
    alone = GameVectorEnv(game, 1, autoreset_mode="SameStep", **options)
    observations, infos = many.reset(seed=100)
    mine, info = alone.reset(seed=[229])
    for _ in range(60):
        np.testing.assert_array_equal(mine[0], observations[129])
        np.testing.assert_array_equal(info["action_mask"][0], infos["action_mask"][129])
        actions = settled(observations, infos["action_mask"], many.np_random)
        observations, rewards, _, _, infos = many.step(actions)
        mine, reward, _, _, info = alone.step(actions[129:])
        assert reward[0] == rewards[129]


def test_all_seats_rewards_belong_to_the_seat_that_acted(game: Game, options: dict[str, Any]) -> None:
    """In self-play the reward is the acting seat's part of `infos["rewards"]`."""
    env = GameVectorEnv(game, 8, seats="all", autoreset_mode=AutoresetMode.SAME_STEP, **options)
    rng = np.random.default_rng(2)
    _, infos = env.reset(seed=2)
    ends, paid, total = 0, np.zeros((8, 6), np.bool_), np.zeros((8, 6))
    while ends < 10:
        acted = infos["seat"]
        _, rewards, terminations, truncations, infos = env.step(some_legal(infos["action_mask"], rng))
        finished = terminations | truncations
        np.testing.assert_array_equal(rewards, infos["rewards"][np.arange(8), acted])
        assert not infos["rewards"][infos["settled"] == 0].any()
        assert not (paid & (infos["settled"] != 0)).any(), "each seat is paid once"
        paid |= infos["settled"] != 0
        total += infos["rewards"]
        np.testing.assert_allclose(total[terminations].sum(axis=1), 0, atol=1e-12)
        assert (paid[finished].sum(axis=1) == env.batch.states["seats"][finished]).all()
        paid[finished], total[finished] = False, 0
        if finished.any():
            np.testing.assert_array_equal(infos["final_info"]["seat"][finished], acted[finished])
        ends += finished.sum()


def test_links_pair_a_decision_with_the_same_seats_next(game: Game, options: dict[str, Any]) -> None:
    """Followed one by one, rows and seats give the links that `Transitions` makes in batch."""
    env = GameVectorEnv(game, 3, seats="all", **options)
    rng = np.random.default_rng(3)
    _, infos = env.reset(seed=3)
    steps, links, tensors = 600, Transitions(600, 3), Transitions(600, 3, device="cpu")
    seats, rewards = np.zeros((steps, 3), int), np.zeros((steps, 3, 6))
    ends, taken = np.zeros((steps, 3, 6), np.bool_), np.ones((steps + 1, 3), np.bool_)
    for t in range(steps):
        seats[t] = infos["seat"]
        _, _, terminations, truncations, infos = env.step(some_legal(infos["action_mask"], rng))
        for each in (links, tensors):
            each.add(seats[t], infos["rewards"], terminations, truncations, taken[t], infos["settled"])
        rewards[t], ends[t] = infos["rewards"], infos["settled"] != 0
        taken[t + 1] = ~(terminations | truncations)
    for i in range(3):
        for t in np.flatnonzero(taken[:steps, i]):
            over = next((s for s in range(t, steps) if ends[s, i, seats[t, i]]), steps)
            later = next((s for s in range(t + 1, min(over + 1, steps)) if seats[s, i] == seats[t, i]), -1)
            assert links.next[t, i] == later
            last = later < 0 and over < steps
            assert links.ended[t, i] == last
            assert links.waiting[t, i] == (later < 0 and not last)
            assert links.rewards[t, i] == (rewards[over, i, seats[t, i]] if last else 0)
    assert not links.ended[~taken[:steps]].any()
    for name in ("next", "rewards", "ended", "truncated", "taken", "waiting"):
        assert (getattr(tensors, name).numpy() == getattr(links, name)).all()
    for wrong in ((seats[0, :2], rewards[0], taken[0]), (seats[0], rewards[0, 0], taken[0]), (seats[0], rewards[0], 1)):
        with pytest.raises(ValueError, match=r"expected .* of shape"):
            Transitions(1, 3).add(*wrong, taken[0])
    with pytest.raises(ValueError, match="at most 600 steps"):
        links.add(seats[0], rewards[0], taken[0], taken[0])
    links.clear()
    assert links.steps == 0
    assert not links.waiting.any()


def test_returned_arrays_are_the_callers_unless_copy_is_off(game: Game, options: dict[str, Any]) -> None:
    """With `copy` no later step writes into what was returned; without, the observations are one array."""
    env = GameVectorEnv(game, 4, **options)
    rng = np.random.default_rng(4)
    observations, infos = env.reset(seed=4)
    kept: list[tuple[Any, Any]] = []
    for _ in range(30):
        kept += [(array, array.copy()) for array in (observations, infos["action_mask"], infos["seat"])]
        observations, *rest, infos = env.step(some_legal(infos["action_mask"], rng))
        kept += [(array, array.copy()) for array in rest]
    for array, copy in kept:
        np.testing.assert_array_equal(array, copy)
    env = GameVectorEnv(game, 4, copy=False, **options)
    first, infos = env.reset(seed=4)
    again, *_ = env.step(some_legal(infos["action_mask"], rng))
    assert again is first


@pytest.mark.parametrize("seats", FACES)
def test_illegal_actions(game: Game, options: dict[str, Any], seats: str) -> None:
    """They are replaced and counted, or refused before anything has changed."""
    env = GameVectorEnv(game, 4, seats=seats, **options)
    _, infos = env.reset(seed=5)
    actions = some_legal(infos["action_mask"], np.random.default_rng(5))
    actions[1], actions[2] = -1, len(game.rules.actions)
    _, _, _, _, infos = env.step(actions)
    assert infos["illegal"].tolist() == [0, 1, 1, 0]

    strict = GameVectorEnv(game, 4, seats=seats, on_illegal="raise", **options)
    observations, infos = strict.reset(seed=5)
    before, kept = strict.batch.states.copy(), observations.copy()
    with pytest.raises(IllegalAction, match="row 1"):
        strict.step(actions)
    assert strict.batch.states.tobytes() == before.tobytes()
    np.testing.assert_array_equal(strict.batch.observations, kept)
    strict.step(some_legal(infos["action_mask"], np.random.default_rng(5)))


def test_opponents_are_asked_in_batch(game: Game, options: dict[str, Any]) -> None:
    """Agents get rows of observations and masks; a list gives each other seat its own, in turn order."""
    env = GameVectorEnv(game, 32, **options)
    others = int(env.batch.templates.seats.max()) - 1
    asked: list[set[int]] = [set() for _ in range(others)]
    sizes: list[int] = []

    def agent(place: int) -> Any:
        def act(observations: Any, masks: NDArray[np.int8], rng: np.random.Generator) -> Any:
            assert observations.shape == (len(masks), game.rules.fields.size)
            assert masks.any(axis=1).all()
            sizes.append(len(masks))
            asked[place].add(place)
            return some_legal(masks, rng)

        return act

    env.set_opponents([agent(place) for place in range(others)])
    _, infos = env.reset(seed=6)
    for _ in range(20):
        _, _, _, _, infos = env.step(some_legal(infos["action_mask"], np.random.default_rng(6)))
    assert all(asked)
    assert max(sizes) > 1
    with pytest.raises(ValueError, match="one opponent or"):
        env.set_opponents([settled] * (others + 1))
    env.set_opponents(lambda observations, masks, rng: np.full(len(masks), -1))
    with pytest.raises(IllegalAction, match="got -1"):
        env.reset(seed=7)


def test_the_seat_is_fixed_or_drawn(game: Game, options: dict[str, Any]) -> None:
    """A fixed seat stays; a drawn one takes every value."""
    _, infos = GameVectorEnv(game, 64, seat=1, **options).reset(seed=0)
    assert (infos["seat"] == 1).all()
    env = GameVectorEnv(game, 64, **options)
    _, infos = env.reset(seed=0)
    assert set(infos["seat"]) == set(range(int(env.batch.templates.seats.max())))


def test_bad_input_gets_one_clear_error(game: Game, options: dict[str, Any]) -> None:
    """Wrong options, shapes, types, seeds and calls say what was expected."""
    for wrong in ({"seats": "two"}, {"seat": 6}, {"seat": True}, {"on_illegal": "ignore"}, {"opponents": "strong"}):
        with pytest.raises(ValueError, match="expected"):
            GameVectorEnv(game, 2, **{**options, **wrong})
    with pytest.raises(ValueError, match="every seat"):
        GameVectorEnv(game, 2, seats="all", seat=0, **options)
    with pytest.raises(TypeError, match="opponent"):
        GameVectorEnv(game, 2, opponents=[3] * 5, **options)
    env = GameVectorEnv(game, 2, autoreset_mode=AutoresetMode.DISABLED, **options)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(2, int))
    with pytest.raises(ValueError, match="first reset"):
        env.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ValueError, match="one seed or 2"):
        env.reset(seed=[1, 2, 3])
    _, infos = env.reset(seed=0)
    for mask, error in (([True, False], TypeError), (np.array([1, 0]), TypeError), (np.zeros(2, np.bool_), ValueError)):
        with pytest.raises(error, match="reset_mask"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(TypeError, match="integer"):
        env.step(np.zeros(2))
    with pytest.raises(ValueError, match="one action for each"):
        env.step(np.zeros(3, int))
    rng, finished = np.random.default_rng(0), np.zeros(2, np.bool_)
    while not finished.any():
        _, _, terminations, truncations, infos = env.step(some_legal(infos["action_mask"], rng))
        finished = terminations | truncations
    with pytest.raises(ValueError, match="reset_mask"):
        env.step(np.zeros(2, int))


def test_render_and_close(game: Game, options: dict[str, Any]) -> None:
    """Every row's position as text; nothing without a render mode; closing twice is allowed."""
    env = vector.make(3, game=game, render_mode="ansi", **options)
    env.reset(seed=0)
    frames = env.render()
    assert frames is not None
    assert len(frames) == 3
    assert all(isinstance(frame, str) for frame in frames)
    env.close()
    env.close()
    for call in (env.reset, lambda: env.step(np.zeros(3, int)), lambda: env.step_async(np.zeros(3, int))):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError, match=r"before close\(\)"):
            call()


# What was a decision, and steps in another thread


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seats", FACES)
def test_a_row_is_decided_where_its_action_was_played_and_not_where_it_was_reset(
    mode: AutoresetMode, seats: str
) -> None:
    env = GameVectorEnv("pig", 3, players=2, autoreset_mode=mode, seats=seats)
    _, infos = env.reset(seed=5)
    assert not infos["decided"].any()
    ended = 0
    for step in range(80):
        finished = env.batch.ended > 0
        ended += finished.sum()
        *_, infos = go_on(env, step)
        assert infos["decided"].tolist() == (~finished).tolist() or mode == AutoresetMode.DISABLED
        assert infos["decided"].all() or mode != AutoresetMode.SAME_STEP
    assert ended or mode == AutoresetMode.SAME_STEP


def test_a_step_in_another_thread_is_the_same_step(game: Game, options: dict[str, Any]) -> None:
    here, there = (GameVectorEnv(game, 3, **options) for _ in range(2))
    here.reset(seed=5)
    there.reset(seed=5)
    for step in range(10):
        actions = some_legal(here.batch.masks, np.random.default_rng(step))
        there.step_async(actions)
        for one, other in zip(here.step(actions)[:-1], there.step_wait()[:-1], strict=True):
            np.testing.assert_array_equal(one, other)
    assert_same_games(here.batch, there.batch)


def test_between_step_async_and_step_wait_no_other_call_is_taken() -> None:
    env = GameVectorEnv("pig", 2, on_illegal="raise")
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"expected reset\(\) before the first step_async"):
        env.step_async(np.zeros(2, int))
    env.reset(seed=1)
    with pytest.raises(gymnasium.error.NoAsyncCallError, match=r"expected step_async\(\) before step_wait"):
        env.step_wait()
    env.step_async(np.zeros(2, int))
    for call in (env.reset, lambda: env.step(np.zeros(2, int)), lambda: env.step_async(np.zeros(2, int))):
        with pytest.raises(gymnasium.error.AlreadyPendingCallError, match=r"expected step_wait\(\) before"):
            call()
    env.step_wait()
    before = env.batch.states.tobytes()
    env.step_async(np.full(2, 9))
    with pytest.raises(IllegalAction):
        env.step_wait()
    assert env.batch.states.tobytes() == before
    env.step(np.zeros(2, int))


# The arrays that are returned are not the games


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("own", [True, False], ids=["copies", "no copies"])
@pytest.mark.parametrize("seats", FACES)
def test_writing_into_what_was_returned_changes_no_game(
    game: Game, options: dict[str, Any], mode: AutoresetMode, own: bool, seats: str
) -> None:
    how = {"autoreset_mode": mode, "copy": own, "seats": seats}
    assert_overwriting_changes_no_game(*(vector.make(3, game=game, **how, **options) for _ in range(2)))


def test_writing_into_what_was_returned_changes_no_game_with_agents(game: Game, options: dict[str, Any]) -> None:
    assert_overwriting_changes_no_game(*(vector.make(3, game=game, opponents=settled, **options) for _ in range(2)))


def assert_overwriting_changes_no_game(clean: GameVectorEnv, overwritten: GameVectorEnv) -> None:
    """Play two equal environments by actions out of their true states, 60 steps, past the end of a small game."""
    clean.reset(seed=5)
    overwrite(overwritten.reset(seed=5))
    for step in range(60):
        go_on(clean, step)
        overwrite(go_on(overwritten, step))
        assert_same_games(clean.batch, overwritten.batch)


def go_on(env: GameVectorEnv, step: int) -> Any:
    """Step by legal actions; where the caller is to reset finished rows, do that. Return what the call returned."""
    finished = env.batch.ended > 0
    if env.autoreset_mode == AutoresetMode.DISABLED and finished.any():
        return env.reset(options={"reset_mask": finished})
    return env.step(some_legal(env.batch.masks, np.random.default_rng(step)))


def test_no_mask_that_was_written_to_lets_an_illegal_action_pass(game: Game) -> None:
    env = vector.make(1, game=game, on_illegal="raise")
    _, infos = env.reset(seed=0)
    illegal = np.array([forbidden(infos["action_mask"][0])])
    infos["action_mask"][:] = 1
    with pytest.raises(IllegalAction, match="expected a legal action"):
        env.step(illegal)


# Rewards and opponents


def test_the_reward_of_a_result_is_given_once(game: Game, options: dict[str, Any]) -> None:
    """Not again by the reset that follows."""
    env = vector.make(4, game=game, seats="all", autoreset_mode="DISABLED", **options)
    _, infos = env.reset(seed=1)
    rng, finished = np.random.default_rng(1), np.zeros(4, np.bool_)
    while not finished.any():
        _, _, terminations, truncations, infos = env.step(some_legal(infos["action_mask"], rng))
        finished = terminations | truncations
    _, infos = env.reset(options={"reset_mask": finished})
    assert not infos["rewards"].any()


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_after_an_opponent_has_raised_only_a_reset_is_possible(game: Game, mode: str) -> None:
    """Otherwise the learner would be asked for a decision of its opponent."""
    is_broken = False

    def opponent(observations: Any, masks: NDArray[np.int8], rng: np.random.Generator) -> Any:
        if is_broken:
            raise RuntimeError("out of order")
        return some_legal(masks, rng)

    env = vector.make(8, game=game, opponents=opponent, autoreset_mode=mode)
    _, infos = env.reset(seed=3)
    is_broken = True
    with pytest.raises(RuntimeError, match="out of order"):
        play_at_random(env, infos, 30)
    is_broken = False
    with pytest.raises(ValueError, match="left in the middle by an opponent that raised an error; reset it first"):
        play_at_random(env, infos, 1)
    _, infos = env.reset()
    play_at_random(env, infos, 3)


def play_at_random(env: GameVectorEnv, infos: dict[str, Any], steps: int) -> None:
    """Play some steps by random legal actions."""
    rng = np.random.default_rng(3)
    for _ in range(steps):
        _, _, _, _, infos = env.step(some_legal(infos["action_mask"], rng))


# What is refused


def test_an_environment_is_used_after_its_first_reset_only(game: Game) -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"reset\(\)"):
        vector.make(2, game=game).step(np.zeros(2, int))
    with pytest.raises((gymnasium.error.ResetNeeded, ValueError), match=r"begun|reset\(\)"):
        vector.make(2, game=game, render_mode="ansi").render()


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True, [0, None, 1]])
def test_what_is_no_seed_is_refused(game: Game, seed: Any) -> None:
    with pytest.raises(ValueError, match=r"expected .* seed"):
        vector.make(2, game=game).reset(seed=seed)


@pytest.mark.parametrize("width", ["x", None, float("nan"), 300.5, 99, True])
def test_a_width_that_cannot_be_drawn_is_refused_where_it_is_given(game: Game, width: Any) -> None:
    with pytest.raises(ValueError, match="expected render_width to be a number of pixels from 100 on"):
        vector.make(2, game=game, render_mode="rgb_array", render_width=width)


def test_copy_is_true_or_false(game: Game) -> None:
    with pytest.raises(TypeError, match="expected copy to be True or False, got 'no'"):
        vector.make(2, game=game, copy="no")


NO_AGENT = r"opponents: expected an agent act\(observations, masks, rng\) or the name of one, got"


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (3, TypeError, f"{NO_AGENT} 3"),
        ({1: settled}, ValueError, "expected a pool of opponents such as"),
        (None, TypeError, f"{NO_AGENT} None"),
    ],
    ids=["a number", "a dict", "nothing"],
)
def test_opponents_that_cannot_play_are_refused(game: Game, wrong: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        vector.make(2, game=game, opponents=wrong)


def test_autoreset_modes_go_by_name_and_by_value(game: Game) -> None:
    for mode in AutoresetMode:
        for given in (mode, mode.name, mode.value):
            assert vector.make(2, game=game, autoreset_mode=given).autoreset_mode == mode
    with pytest.raises(ValueError, match="expected autoreset_mode to be one of NEXT_STEP, SAME_STEP, DISABLED"):
        vector.make(2, game=game, autoreset_mode="X")


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_observations_are_written_into_a_buffer_of_the_learners(game: Game, mode: AutoresetMode) -> None:
    plain = vector.make(4, game=game, autoreset_mode=mode)
    buffer = np.zeros(plain.observation_space.shape, plain.observation_space.dtype)
    env = vector.make(4, game=game, autoreset_mode=mode, copy=False, out=buffer)
    rng = np.random.default_rng(4)
    (expected, infos), (seen, _) = plain.reset(seed=4), env.reset(seed=4)
    for _ in range(40):
        assert seen is buffer
        assert (seen == expected).all()
        actions = some_legal(infos["action_mask"], rng)
        expected, *_, infos = plain.step(actions)
        seen, *_ = env.step(actions)


def test_a_buffer_that_does_not_fit_is_refused(game: Game) -> None:
    size = game.rules.fields.size
    fixed = np.zeros((2, size), np.float32)
    fixed.flags.writeable = False
    for wrong in (np.zeros((3, size), np.float32), np.zeros((2, size)), fixed, [[0.0]]):
        with pytest.raises(ValueError, match=f"expected out to be a writeable array, float32 of shape .2, {size}."):
            vector.make(2, game=game, out=wrong)
