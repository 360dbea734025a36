"""What all faces keep to: the game is nobody's but theirs, and what cannot be meant is refused at once."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from tests.policies import forbidden, settled, some_legal
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.envs import aec, single_agent, vector
from titan_env.envs.default_options import DefaultOptions

pytest.importorskip("sb3_contrib")

from titan_env.envs import sb3

pytestmark = pytest.mark.one_preset_per_seating

MAKERS: dict[str, Callable[..., Any]] = {
    "aec": aec.make,
    "solo": single_agent.make,
    "vector": lambda **options: vector.make(2, **options),
    "sb3": lambda **options: sb3.make(2, **options),
}
"""Every face, as made by hand."""


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """The maker of one face after the other."""
    made: Callable[..., Any] = MAKERS[request.param]
    return made


def scribble(returned: Any) -> None:
    """Write into every array of what a face returned that can be written to."""
    if isinstance(returned, dict):
        scribble(tuple(returned.values()))
    elif isinstance(returned, (tuple, list)):
        for part in returned:
            scribble(part)
    elif isinstance(returned, np.ndarray) and returned.dtype != object and returned.flags.writeable:
        returned[...] = 1


class Played:
    """A vector, solo or Stable-Baselines3 environment, played by first legal actions out of its true states."""

    def __init__(self, env: Any) -> None:
        self.env, self.solo = env, isinstance(env, single_agent.GameEnv)
        self.steps = 0

    def go_on(self) -> Any:
        """Reset, step, or reset where it must be, and what that returned, masks included."""
        table = self.env.table
        self.steps += 1
        if self.steps == 1 or (self.solo and table.ended[0]):
            return self.env.reset(seed=5) if not isinstance(self.env, sb3.GameVecEnv) else self.env.reset()
        finished = table.ended > 0
        if getattr(self.env, "autoreset_mode", None) == AutoresetMode.DISABLED and finished.any():
            return self.env.reset(options={"reset_mask": finished})
        actions = some_legal(table.masks, np.random.default_rng(self.steps))
        returned = self.env.step(actions[0] if self.solo else actions)
        masks = None if isinstance(self.env, vector.GameVectorEnv) else self.env.action_masks()
        return returned, masks


def faces(game: Game, options: dict[str, Any]) -> list[Any]:
    """Environments of all kinds and modes."""
    modes = [{"autoreset_mode": mode} for mode in AutoresetMode]
    kinds: list[dict[str, Any]] = [{**mode, "copy": own} for mode in modes for own in (True, False)]
    envs: list[Any] = [vector.make(3, game=game, seats=s, **kind, **options) for kind in kinds for s in vector.FACES]
    seeded = sb3.make(3, game=game, **options)
    seeded.seed(5)
    return [
        *envs,
        vector.make(3, game=game, opponents=settled, **options),
        single_agent.make(game=game, **options),
        seeded,
    ]


def test_whoever_writes_into_what_was_returned_changes_nothing(game: Game, options: dict[str, Any]) -> None:
    for one, other in zip(faces(game, options), faces(game, options), strict=True):
        clean, written = Played(one), Played(other)
        for _ in range(60):  # past the end of a small game, where most is returned
            clean.go_on()
            scribble(written.go_on())
            assert one.table.states.tobytes() == other.table.states.tobytes()
            assert one.table.masks.tobytes() == other.table.masks.tobytes()
            assert one.table.learners.tobytes() == other.table.learners.tobytes()


def test_no_mask_that_was_written_to_lets_an_illegal_action_pass(game: Game) -> None:
    env = vector.make(1, game=game, on_illegal="raise")
    _, infos = env.reset(seed=0)
    illegal = np.array([forbidden(infos["action_mask"][0])])
    infos["action_mask"][:] = 1
    with pytest.raises(ValueError, match="expected a legal action"):
        env.step(illegal)


def test_what_an_end_is_worth_is_told_once(game: Game, options: dict[str, Any]) -> None:
    env = vector.make(4, game=game, seats="all", autoreset_mode="DISABLED", **options)
    _, infos = env.reset(seed=1)
    rng, finished = np.random.default_rng(1), np.zeros(4, np.bool_)
    while not finished.any():
        _, _, terminations, truncations, infos = env.step(some_legal(infos["action_mask"], rng))
        finished = terminations | truncations
    _, infos = env.reset(options={"reset_mask": finished})
    assert not infos["rewards"].any()


def test_nothing_is_played_before_the_first_reset(game: Game) -> None:
    for step in (
        lambda: single_agent.make(game=game).step(0),
        lambda: vector.make(2, game=game).step(np.zeros(2, int)),
        lambda: sb3.make(2, game=game).step(np.zeros(2, int)),
        lambda: Batch(game, 2).step(np.zeros(2, int)),
        lambda: Batch(game, 2).rollout(1),
        lambda: Batch(game, 2).rollout(1, restart=True),
        lambda: aec.make(game=game).step(0),
        lambda: aec.make(game=game).why_not(0),
        lambda: aec.make(game=game).snapshot(),
        lambda: aec.make(game=game, render_mode="ansi").render(),
        lambda: vector.make(2, game=game, render_mode="ansi").render(),
        lambda: single_agent.make(game=game, render_mode="ansi").render(),
    ):
        with pytest.raises((gymnasium.error.ResetNeeded, ValueError, AttributeError), match=r"begun|reset\(\)"):
            step()


def play(env: vector.GameVectorEnv, infos: dict[str, Any], steps: int) -> None:
    """Play some steps at random from there on."""
    rng = np.random.default_rng(3)
    for _ in range(steps):
        _, _, _, _, infos = env.step(some_legal(infos["action_mask"], rng))


def test_an_opponent_that_raises_leaves_no_decision_of_its_own_to_the_learner(game: Game) -> None:
    broken = [False]

    def act(observations: Any, masks: NDArray[np.int8], rng: np.random.Generator) -> Any:
        if broken[0]:
            raise RuntimeError("out of order")
        return some_legal(masks, rng)

    for mode in ("NEXT_STEP", "SAME_STEP"):
        env = vector.make(8, game=game, opponents=act, autoreset_mode=mode)
        _, infos = env.reset(seed=3)
        broken[0] = True
        with pytest.raises(RuntimeError, match="out of order"):
            play(env, infos, 30)
        broken[0] = False
        with pytest.raises(ValueError, match="left in the middle by an opponent that raised an error; reset it first"):
            play(env, infos, 1)
        _, infos = env.reset()
        play(env, infos, 3)


def test_a_snapshot_of_a_table_brings_back_what_its_learners_know(game: Game, options: dict[str, Any]) -> None:
    env = vector.make(5, game=game, opponents=settled, autoreset_mode="SAME_STEP", **options)
    _, infos = env.reset(seed=4)
    rng = np.random.default_rng(4)
    for _ in range(7):
        _, _, _, _, infos = env.step(some_legal(infos["action_mask"], rng))
    moment, again = env.table.snapshot(), copy.deepcopy(rng)
    kept = infos
    ways = []
    for chance in (rng, again):
        seen = []
        for _ in range(40):
            observations, rewards, _, _, infos = env.step(some_legal(infos["action_mask"], chance))
            seen.append((observations.tobytes(), rewards.tobytes(), infos["seat"].tobytes()))
        ways.append(seen)
        env.table.restore(moment)
        infos = kept
    assert ways[0] == ways[1]
    with pytest.raises(ValueError, match="expected a snapshot of a LearnerBatch"):
        env.table.restore(Batch(game, 5, **options).snapshot())


def test_keywords_that_no_face_has_are_refused_where_they_are_given(game: Game, make: Callable[..., Any]) -> None:
    for leaked in ("templates", "num_games", "nonsense"):
        with pytest.raises(TypeError, match=f"expected an option of {game.metadata.title}, got '{leaked}'"):
            make(game=game, **{leaked: 1})
    with pytest.raises(TypeError, match="got 'on_ilegal'; did you mean on_illegal"):
        make(game=game, on_ilegal="raise")


def test_what_is_no_game_is_refused_at_every_face(make: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="expected a game or its name, got 3; there are: "):
        make(game=3)


def test_copy_and_threads_are_keywords_of_batches_only(game: Game) -> None:
    for maker in (aec.make, single_agent.make):
        for name in ("copy", "threads"):
            with pytest.raises(TypeError, match=f"got '{name}'"):
                maker(game=game, **{name: 1})
    with pytest.raises(TypeError, match="got 'copy'"):
        sb3.make(2, game=game, copy=False)
    with pytest.raises(TypeError, match="expected copy to be True or False, got 'no'"):
        vector.make(2, game=game, copy="no")
    with pytest.raises(TypeError, match="expected events to be True or False, got 'no'"):
        aec.make(game=game, events="no")  # type: ignore[arg-type]


def test_options_of_a_reset_hold_until_the_next_one_at_every_face(make: Callable[..., Any]) -> None:
    env = make(game="pig", limit=99)
    rows = env.batch if isinstance(env, aec.GameAEC) else env.table

    def reset(**options: Any) -> None:
        if isinstance(env, sb3.GameVecEnv):
            env.set_options(options)
            env.reset()
        else:
            env.reset(options=options)

    for options, goal in (({"game": {"goal": 7}, "elsewhere": 1}, 7), ({}, 20)):
        reset(**options)
        assert set(rows.states["goal"]) == {goal}
        assert set(rows.states["limit"]) == {99}
    for wrong, error, words in (
        ({"goal": 7}, ValueError, "expected 'goal' under \"game\""),
        ({"game": "x"}, TypeError, 'expected options\\["game"\\] as a dict'),
        ({"game": {"gaol": 3}}, TypeError, "got 'gaol'; did you mean goal"),
        ({"game": {"players": 3}}, ValueError, "expected options for 2 agents, got 3"),
    ):
        with pytest.raises(error, match=words):
            reset(**wrong)


def test_rows_of_a_vector_env_that_do_not_begin_anew_keep_their_options() -> None:
    env = vector.make(2, game="pig", autoreset_mode="DISABLED")
    env.reset(seed=0)
    env.reset(options={"reset_mask": np.array([False, True]), "game": {"goal": 7}})
    assert env.table.states["goal"].tolist() == [20, 7]


def test_options_of_a_reset_that_are_no_dict_are_refused(game: Game) -> None:
    with pytest.raises(TypeError, match="expected options of reset"):
        DefaultOptions(game, {}, DefaultOptions).of_episode("x")
    for maker in (MAKERS["aec"], MAKERS["solo"], MAKERS["vector"]):
        with pytest.raises(TypeError, match="expected options of reset"):
            maker(game=game).reset(options="x")


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True, [0, None, 1]])
def test_what_is_no_seed_is_refused(game: Game, seed: Any) -> None:
    for maker in (MAKERS["aec"], MAKERS["solo"], MAKERS["vector"]):
        with pytest.raises(ValueError, match=r"expected .* seed"):
            maker(game=game).reset(seed=seed)
    with pytest.raises(ValueError, match=r"expected .* seed"):
        Batch(game, 2).seed(seed)
    with pytest.raises(ValueError, match="expected a seed for each game, got None"):
        Batch(game, 2).seed([1, None])  # type: ignore[list-item]


@pytest.mark.parametrize("width", ["x", None, float("nan"), 300.5, 99, True])
def test_a_width_that_cannot_be_drawn_is_refused_before_anything_is(game: Game, width: Any) -> None:
    for maker in (MAKERS["aec"], MAKERS["solo"], MAKERS["vector"]):
        with pytest.raises(ValueError, match="expected render_width to be a number of pixels from 100 on"):
            maker(game=game, render_mode="rgb_array", render_width=width)


def test_opponents_that_cannot_play_are_refused_with_what_to_write(game: Game) -> None:
    with pytest.raises(ValueError, match=r"got 'greedy'; try titan_env.agents.load\('greedy', game\)"):
        single_agent.make(game=game, opponents="greedy")
    for wrong in (3, {1: settled}, None):
        with pytest.raises(TypeError, match="expected every opponent to be a function"):
            vector.make(2, game=game, opponents=wrong)


def test_autoreset_modes_go_by_name_and_by_value(game: Game) -> None:
    for mode in AutoresetMode:
        for said in (mode, mode.name, mode.value):
            assert vector.make(2, game=game, autoreset_mode=said).autoreset_mode == mode
    with pytest.raises(ValueError, match="expected autoreset_mode to be one of NEXT_STEP, SAME_STEP, DISABLED"):
        vector.make(2, game=game, autoreset_mode="X")


def test_copies_of_an_env_with_a_window_open_their_own(game: Game) -> None:
    pytest.importorskip("pygame")
    for env in (single_agent.make(game=game, render_mode="human"), aec.make(game=game, render_mode="human")):
        env.reset(seed=0)
        env.render()
        for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            other.reset(seed=0)
            other.close()
        env.close()
