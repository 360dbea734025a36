"""The PettingZoo API: one game, decision by decision."""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded
from rich.text import Text

from tests.policies import forbidden, has_chance
from titan_env import registry
from titan_env.contract import Game, Status
from titan_env.engine.batch import Batch
from titan_env.engine.illegal_actions import IllegalAction
from titan_env.envs.aec import GameAEC, make
from titan_env.records.replay import parse, positions, verify_chance

pytestmark = pytest.mark.one_preset_per_seating

with warnings.catch_warnings():
    # PettingZoo's tests import one of its own games in the way that it warns about.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

Step = tuple[str, int, float, bytes]


def play(env: GameAEC, rng: np.random.Generator, most: int = 10_000) -> list[Step]:
    """Play random legal actions to the end of the game, its last visits included; what was seen on the way."""
    seen = []
    for agent in env.agent_iter(most):
        observation, reward, terminated, truncated, _ = env.last()
        assert observation is not None
        mask = observation["action_mask"]
        action = None if terminated or truncated else int(rng.choice(np.flatnonzero(mask)))
        seen.append((agent, -1 if action is None else action, reward, observation["observation"].tobytes()))
        env.step(action)
    return seen


@pytest.fixture
def env(game: Game) -> GameAEC:
    """A running game."""
    env = make(game=game, on_illegal="raise", render_mode="ansi")
    env.reset(seed=3)
    return env


def test_pettingzoo_tests_pass(game: Game, options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    api_test(make(game=game, **options), num_cycles=200)
    seed_test(partial(make, game=game, **options), num_cycles=30)
    assert "Passed" in capsys.readouterr().out


def test_pettingzoo_render_test_passes(game: Game) -> None:
    def factory(render_mode: str | None = None) -> GameAEC:
        return make(game=game, render_mode=render_mode)

    render_test(factory)


def test_the_game_is_that_of_the_batch(game: Game, options: dict[str, Any]) -> None:
    env, batch = make(game=game, **options), Batch(game, 3, **options)
    batch.seed(20)
    batch.start()
    env.reset(seed=21)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert observation is not None
        if terminated or truncated:
            paid[agent] = reward
            env.step(None)
            continue
        np.testing.assert_array_equal(observation["observation"], batch.observations[1])
        np.testing.assert_array_equal(observation["action_mask"], batch.masks[1])
        assert env.agent_selection == f"player_{batch.states[1].seat}"
        actions = batch.sample()
        batch.step(actions)
        env.step(actions[1])
    np.testing.assert_allclose(list(paid.values()), batch.payoffs()[1, : len(paid)], atol=1e-6)


def test_every_agent_hears_its_reward_at_the_end(game: Game, options: dict[str, Any]) -> None:
    env = make(game=game, **options)
    env.reset(seed=1)
    steps = play(env, np.random.default_rng(1))
    last_visits = {agent: reward for agent, action, reward, _ in steps if action == -1}
    at_the_end = [agent for agent, *_ in steps[1 + max(n for n, step in enumerate(steps) if step[1] != -1) :]]
    out = {agent for seat, agent in enumerate(env.possible_agents) if env.batch.states[0].out[seat]}
    assert sorted(last_visits) == env.possible_agents
    assert at_the_end == sorted(at_the_end)
    assert set(env.possible_agents) - out <= set(at_the_end)
    assert all(reward == 0 for _, action, reward, _ in steps if action != -1)
    if env.batch.states[0].over == Status.TERMINATED:
        assert sum(last_visits.values()) == pytest.approx(0, abs=1e-6)
    assert not env.agents
    for late in (lambda: env.step(None), env.last):
        with pytest.raises(ValueError, match=r"all agents are done; call reset\(\)"):
            late()


def test_spaces_are_those_of_every_seat_and_hold_what_is_seen(game: Game, options: dict[str, Any]) -> None:
    env = make(game=game, **options)
    env.reset(seed=4)
    first = env.possible_agents[0]
    assert all(env.observation_space(agent) is env.observation_space(first) for agent in env.possible_agents)
    assert all(env.action_space(agent) is env.action_space(first) for agent in env.possible_agents)
    assert env.state_space.contains(env.state())
    for agent in env.possible_agents:
        observation = env.observe(agent)
        assert env.observation_space(agent).contains(observation)
        assert observation["action_mask"].any() == (agent == env.agent_selection)
        assert set(env.named(observation["observation"])) == {part.name for part in game.rules.fields.parts}
    assert env.action_space(first).contains(
        env.action_space(first).sample(env.observe(env.agent_selection)["action_mask"])
    )


@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_copies_keep_the_running_game_and_are_independent(env: GameAEC, again: Callable[[GameAEC], GameAEC]) -> None:
    rng = np.random.default_rng(5)
    for _ in range(9):
        if True in {*env.terminations.values(), *env.truncations.values()}:
            break
        env.step(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))
    other, third = again(env), again(env)
    play(third, np.random.default_rng(7))
    assert play(env, np.random.default_rng(6)) == play(other, np.random.default_rng(6))
    env.reset()
    other.reset()
    assert play(env, np.random.default_rng(6)) == play(other, np.random.default_rng(6))


def test_a_snapshot_brings_the_game_back(env: GameAEC) -> None:
    moment = env.snapshot()
    steps = play(env, np.random.default_rng(6))
    env.restore(moment)
    assert env.agents == env.possible_agents
    assert play(env, np.random.default_rng(6)) == steps


def test_what_is_no_snapshot_is_refused(env: GameAEC) -> None:
    with pytest.raises(TypeError, match=r"expected a snapshot, as snapshot\(\) makes it, got None"):
        env.restore(None)  # type: ignore[arg-type]


def test_a_snapshot_of_another_table_or_game_is_refused() -> None:
    duel, six = (make(game="pig", players=players) for players in (2, 6))
    race = make(game="orchard")
    for other in (duel, six, race):
        other.reset(seed=1)
    before = six.batch.states.tobytes()
    with pytest.raises(ValueError, match="expected a moment of 6 agents, got one of 2"):
        six.restore(duel.snapshot())
    assert six.batch.states.tobytes() == before
    with pytest.raises(ValueError, match="expected a snapshot of Pig, got one of another game"):
        duel.restore(race.snapshot())


def test_an_agent_that_does_not_play_sees_nothing(env: GameAEC) -> None:
    with pytest.raises(ValueError, match=r"expected an agent among player_0, .*, got 'player_9'"):
        env.observe("player_9")


def test_a_game_of_max_cycles_decisions_is_truncated(game: Game) -> None:
    env = pettingzoo.make("aec", f"titan_env/{game.name}-v{game.metadata.version}", max_cycles=7)
    for seed in range(3):
        env.reset(seed=seed)
        play(env.unwrapped, np.random.default_rng(seed))
        state = env.unwrapped.batch.states[0]
        assert state.decisions == 7 or (state.over and state.decisions < 7)
    env.reset(seed=0)
    play(env.unwrapped, np.random.default_rng(0), 7)
    if not env.unwrapped.batch.over[0]:
        assert all(env.unwrapped.truncations.values())
        assert not any({**env.unwrapped.terminations, **env.unwrapped.rewards}.values())
    with pytest.raises(ValueError, match="expected max_cycles to be a number of decisions from 1 to"):
        make(game=game, max_cycles=0)


def test_seeds_fix_the_game_and_none_goes_on_with_the_stream(game: Game) -> None:
    env = make(game=game)
    games = []
    for seed in (8, None, 8, None):
        env.reset(seed=seed)
        games.append(play(env, np.random.default_rng(0)))
    assert games[:2] == games[2:]
    assert games[0] != games[1] or not has_chance(game)
    unseeded = [make(game=game) for _ in range(2)]
    for other in unseeded:
        other.reset()
    streams = {int(other.batch.luck["stream"][0]) for other in unseeded}
    assert len(streams) == 2


def test_raise_refuses_an_illegal_action_and_nothing_changes(env: GameAEC) -> None:
    mask = env.observe(env.agent_selection)["action_mask"]
    before = pickle.dumps(env.batch.snapshot())
    illegal = forbidden(mask)
    with pytest.raises(IllegalAction, match="expected a legal action, got"):
        env.step(illegal)
    assert env.why_not(illegal)
    assert env.why_not(int(np.argmax(mask))) is None
    assert pickle.dumps(env.batch.snapshot()) == before


def test_terminate_ends_the_game_as_pettingzoos_wrapper_does(game: Game) -> None:
    env = make(game=game)
    env.reset(seed=3)
    mover = env.agent_selection
    env.step(forbidden(env.observe(mover)["action_mask"]))
    rewards = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert observation is not None
        assert (terminated, truncated) == (True, True)
        assert not observation["action_mask"].any()
        rewards[agent] = reward
        env.step(None)
    assert rewards == {agent: -1.0 if agent == mover else 0.0 for agent in env.possible_agents}
    assert not any(np.signbit(reward) for agent, reward in rewards.items() if agent != mover)


def test_a_game_that_an_illegal_action_has_ended_says_why(game: Game) -> None:
    env = make(game=game)
    env.reset(seed=3)
    mover = env.agent_selection
    mask = env.observe(mover)["action_mask"]
    illegal, legal = forbidden(mask), int(np.argmax(mask))
    reason = env.why_not(illegal)
    env.step(illegal)
    assert reason
    assert env.infos[mover]["why_not"] == reason
    assert [env.infos[agent]["illegal"] for agent in env.agents] == [int(agent == mover) for agent in env.agents]
    assert env.why_not(legal) == env.why_not(illegal) == "The game is over."


def test_random_plays_something_legal_instead_and_counts(game: Game) -> None:
    env = make(game=game, on_illegal="random")
    env.reset(seed=3)
    mover = env.agent_selection
    env.step(forbidden(env.observe(mover)["action_mask"]))
    assert env.infos[mover]["illegal"] == 1
    assert env.batch.states[0].decisions == 1


@pytest.mark.parametrize("on_illegal", ["raise", "terminate", "random"])
def test_what_is_no_action_raises_always(game: Game, on_illegal: str) -> None:
    env = make(game=game, on_illegal=on_illegal)
    with pytest.raises(AttributeError, match=r"agent_selection exists from reset\(\) on"):
        env.last()
    with pytest.raises(AttributeError, match=r"agent_selection exists from reset\(\) on"):
        env.step(0)
    env.reset(seed=1)
    for action in (None, "roll", 1.0, np.ones(2), False, np.True_):
        with pytest.raises(TypeError, match="expected an action number from player_"):
            env.step(action)
    assert env.batch.states[0].decisions == 0
    env.step(np.int64(np.argmax(env.observe(env.agent_selection)["action_mask"])))


def test_an_agent_whose_game_is_over_may_only_pass(game: Game) -> None:
    env = make(game=game)
    env.reset(seed=3)
    env.step(forbidden(env.observe(env.agent_selection)["action_mask"]))
    with pytest.raises(ValueError, match="expected None from player_"):
        env.step(0)


def test_infos_tell_what_is_asked_and_what_has_happened(game: Game, options: dict[str, Any]) -> None:
    env, quiet = make(game=game, events=True, **options), make(game=game, **options)
    env.reset(seed=2)
    quiet.reset(seed=2)
    rng = np.random.default_rng(2)
    events = 0
    for _ in range(60):
        agent = env.agent_selection
        observation, _, terminated, truncated, info = env.last()
        assert observation is not None
        assert "events" not in quiet.infos[agent]
        events += len(info["events"])
        if terminated or truncated:
            break
        assert info["ask"] == env.batch.states[0].ask
        assert all(isinstance(sentence, str) for sentence in info["events"])
        assert all(isinstance(number, int) for number in quiet.infos[agent].values())
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        env.step(action)
        quiet.step(action)
        assert len(env.infos[agent]["events"]) < 96
        assert env.batch.states.tobytes() == quiet.batch.states.tobytes()
    assert events or len(game.rules.events) == 1


def test_options_of_one_episode_take_the_place_of_the_constructors(game: Game) -> None:
    name, options = next((name, options) for name, options in game.rules.presets.items() if options)
    usual = game.rules.configure()
    special = game.rules.configure(**options)
    env = make(game=game)
    if usual["seats"] != special["seats"]:
        with pytest.raises(ValueError, match="expected options for"):
            env.reset(options={"game": options})
    env.reset(seed=1, options={"elsewhere": 1})
    with pytest.raises(TypeError, match=r"'nonsense'; (there are|did you mean)"):
        env.reset(options={"game": {"nonsense": name}})
    with pytest.raises(TypeError, match=r"'nonsense'; (there are|did you mean)"):
        make(game=game, nonsense=1)
    with pytest.raises(ValueError, match="expected on_illegal to be one of raise, terminate, random"):
        make(game=game, on_illegal="ignore")
    with pytest.raises(ValueError, match="expected render_mode to be one of"):
        make(game=game, render_mode="hologram")


def test_rendering_gives_the_position_as_text(env: GameAEC, game: Game) -> None:
    position_text = str(env.render())
    assert Text.from_ansi(position_text).plain.rstrip() == game.text.position_text(env.batch.states[0]).rstrip()
    assert ("\x1b[" in position_text) == bool(game.text.styles)
    assert make(game=game).render() is None
    env.close()


def test_position_and_record_are_those_of_the_game_so_far(game: Game, options: dict[str, Any]) -> None:
    env = make(game=game, on_illegal="random", **options)
    for look in (env.position, env.record):
        with pytest.raises(ResetNeeded, match=r"expected reset\(\)"):
            look()
    env.reset(seed=5)
    for _ in range(12):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        assert observation is not None
        legal = int(observation["action_mask"].argmax())
        assert env.say(legal) == game.text.describe_action(env.batch.states[0], legal)
        env.step(len(game.rules.actions) - 1)
    *_, last = positions(parse(env.record()))
    assert game.text.position_text(last.state) == env.position() == game.text.position_text(env.batch.states[0])
    again = copy.deepcopy(env)
    assert again.record() == env.record()


@pytest.mark.parametrize("options", [{}, {"max_cycles": 5}, {"vary": {"goal": [20, 30]}}, {"on_illegal": "terminate"}])
def test_a_record_tells_its_seed_once_the_game_is_over_and_not_before(options: dict[str, Any]) -> None:
    env = make(game="pig", players=3, **options)
    env.reset(seed=5)
    while env.agents and not any([*env.terminations.values(), *env.truncations.values()]):
        assert parse(env.record()).header["seed"] is None
        observation = env.last()[0]
        assert observation is not None
        is_legal = "on_illegal" not in options or len(env._taken) < 5
        env.step(int(np.flatnonzero(observation["action_mask"])[-1]) if is_legal else 10**6)
    for _ in range(2):
        record = parse(env.record())
        assert record.header["seed"] == 5
        list(positions(record))
        verify_chance(record)
        while env.agents:
            env.step(None)
    env.reset()
    while not all(env.terminations.values()) and not all(env.truncations.values()):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[-1]))  # type: ignore[index]
    assert parse(env.record()).header["seed"] is None, "its stream went on"


def test_pettingzoo_and_the_module_make_the_same_env() -> None:
    for name, entry in registry.GAMES.items():
        env = pettingzoo.make("aec", f"titan_env/{name}-v{entry.version}", render_mode="ansi")
        assert isinstance(env, GameAEC)
        assert env.unwrapped.metadata["name"] == f"{name}_v{entry.version}"
        if isinstance(entry.place, str) and entry.place.startswith("titan_env."):
            module = importlib.import_module(f"titan_env.{name}_v{entry.version}")
            assert module.env().on_illegal == "terminate"
            assert module.raw_env().on_illegal == "raise"
            assert str(module.env()) == str(env)


def test_importing_the_package_loads_neither_rules_nor_compiler() -> None:
    code = "import titan_env, sys; print(*(name in sys.modules for name in ('numba', 'torch', 'titan_env.contract')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False"] * 3


def test_the_package_knows_its_version_and_finds_its_modules() -> None:
    asked = "titan_env.__version__, titan_env.explain.__name__, hasattr(titan_env, 'chess')"
    code = f"import titan_env; print({asked})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == [version("titan_env"), "explain", "False"]


# What is refused


@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.step(0),
        lambda env: env.why_not(0),
        lambda env: env.snapshot(),
        lambda env: env.render(),
        lambda env: env.num_agents,
    ],
    ids=["step", "why_not", "snapshot", "render", "num_agents"],
)
def test_an_environment_is_used_after_its_first_reset_only(game: Game, use: Callable[[GameAEC], Any]) -> None:
    with pytest.raises((ResetNeeded, ValueError, AttributeError), match=r"begun|reset\(\)"):
        use(make(game=game, render_mode="ansi"))


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True, [0, None, 1]])
def test_what_is_no_seed_is_refused(game: Game, seed: Any) -> None:
    with pytest.raises(ValueError, match=r"expected .* seed"):
        make(game=game).reset(seed=seed)


@pytest.mark.parametrize("width", ["x", None, float("nan"), 300.5, 99, True])
def test_a_width_that_cannot_be_drawn_is_refused_where_it_is_given(game: Game, width: Any) -> None:
    with pytest.raises(ValueError, match="expected render_width to be a number of pixels from 100 on"):
        make(game=game, render_mode="rgb_array", render_width=width)


@pytest.mark.parametrize("keyword", ["copy", "threads"])
def test_keywords_of_batches_are_refused(game: Game, keyword: str) -> None:
    with pytest.raises(TypeError, match=f"got '{keyword}'"):
        make(game=game, **{keyword: 1})


def test_events_are_true_or_false(game: Game) -> None:
    with pytest.raises(TypeError, match="expected events to be True or False, got 'no'"):
        make(game=game, events="no")  # type: ignore[arg-type]


def test_a_copy_of_an_environment_with_a_window_opens_its_own(game: Game) -> None:
    pytest.importorskip("pygame")
    env = make(game=game, render_mode="human")
    env.reset(seed=0)
    env.render()
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.reset(seed=0)
        other.close()
    env.close()
