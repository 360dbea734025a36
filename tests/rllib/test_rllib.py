"""RLlib: the environment as its multi-agent API wants it, and two iterations of the script with two workers.

Run by `make test-all` in an environment of its own, because RLlib pins an older Gymnasium.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
import typer
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from typer.testing import CliRunner

from titan_env import agents, registry
from titan_env.engine.illegal_actions import IllegalAction
from titan_env.envs.rllib import GameMultiAgentEnv
from titan_env.evaluation.matches.match import win_rates
from titan_env.training import rllib_ppo
from titan_env.training.rllib_ppo import Config, algorithm_of, main
from titan_env.training.run_folder import Run

SCRIPT = [sys.executable, "-m", "titan_env.training.rllib_ppo", "--option", "titans=3", "--batch", "256"]


def play(env: GameMultiAgentEnv, seed: int) -> tuple[dict[str, float], int, set[str]]:
    """One random game: what each agent got in all, how many decisions it took, and who left before its end."""
    rng = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    sums, left = dict.fromkeys(env.possible_agents, 0.0), set[str]()
    for taken in range(10_000):
        ((agent, view),) = ((name, view) for name, view in seen.items() if name not in left)
        assert env.observation_spaces[agent].contains(view)
        seen, rewards, ended, truncated, _ = env.step({agent: int(rng.choice(np.flatnonzero(view["action_mask"])))})
        for name, reward in rewards.items():
            sums[name] += reward
        assert not left & set(seen)
        if ended["__all__"] or truncated["__all__"]:
            assert set(seen) == set(env.possible_agents) - left
            assert set(ended) == {*seen, "__all__"}
            return sums, taken, left
        left |= {name for name, is_out in ended.items() if is_out}
    raise AssertionError("expected the game to end")


@pytest.mark.parametrize("config", [{"game": "pig"}, {"game": "titan_race", "titans": 5}])
def test_one_seat_is_asked_at_a_time_and_all_share_the_result(config: dict[str, object]) -> None:
    env = GameMultiAgentEnv(config)
    for seed in range(3):
        sums, taken, left = play(env, seed)
        assert sum(sums.values()) == pytest.approx(0, abs=1e-6)
        assert max(sums.values()) == 1
        assert play(env, seed) == (sums, taken, left)


def test_who_is_out_leaves_with_its_reward_and_the_others_play_on() -> None:
    env = GameMultiAgentEnv({"game": "frontier", "reward": "rank"})
    games = [play(env, seed) for seed in range(10)]
    assert all(sum(sums.values()) == pytest.approx(0, abs=1e-6) for sums, *_ in games)
    assert any(left for *_, left in games)
    assert all(sums[agent] < 0 for sums, _, left in games for agent in left)


def test_it_observes_the_chosen_fields_and_no_others() -> None:
    env = GameMultiAgentEnv({"game": "pig", "fields": ["points", "heap"]})
    (view,) = env.reset(seed=1)[0].values()
    assert view["observations"].shape == (7,)
    assert [part.name for part in env.view.layout.parts] == ["heap", "points"]
    play(env, 1)


@pytest.mark.parametrize(("limit", "truncated"), [(7, True), (0, False)])
def test_rllib_takes_a_game_that_is_cut_off_for_truncated_and_one_that_is_won_for_terminated(
    limit: int, truncated: bool
) -> None:
    env = GameMultiAgentEnv({"game": "pig", "players": 3, "goal": 20, "limit": limit})
    episode = MultiAgentEpisode()
    rng = np.random.default_rng(0)
    seen, infos = env.reset(seed=0)
    episode.add_env_reset(observations=seen, infos=infos)
    while not episode.is_done:
        actions = {agent: int(rng.choice(np.flatnonzero(view["action_mask"]))) for agent, view in seen.items()}
        seen, rewards, ended, cut, infos = env.step(actions)
        episode.add_env_step(seen, actions, rewards, infos, terminateds=ended, truncateds=cut)
    assert set(episode.agent_episodes) == set(env.possible_agents)
    for seat in episode.agent_episodes.values():
        assert (seat.is_terminated, seat.is_truncated) == (not truncated, truncated)


def test_a_game_of_max_cycles_decisions_is_truncated() -> None:
    env = GameMultiAgentEnv({"game": "titan_race", "titans": 3, "max_cycles": 5})
    seen, _ = env.reset(seed=0)
    for number in range(1, 6):
        ((agent, view),) = seen.items()
        action = int(np.flatnonzero(view["action_mask"])[0])
        seen, rewards, ended, truncated, _ = env.step({agent: action})
        assert truncated["__all__"] == (number == 5)
        assert not ended["__all__"]
    assert set(seen) == set(env.possible_agents)
    assert not any(rewards.values())
    with pytest.raises(ValueError, match="expected max_cycles to be a number of decisions from 1 to"):
        GameMultiAgentEnv({"game": "pig", "max_cycles": 0})


def test_options_of_a_reset_hold_for_one_game() -> None:
    env = GameMultiAgentEnv({"game": "pig", "limit": 99})
    for options, goal in (({"game": {"goal": 7}, "elsewhere": 1}, 7), (None, 20)):
        env.reset(options=options)
        assert (env._batch.states["goal"][0], env._batch.states["limit"][0]) == (goal, 99)
    with pytest.raises(TypeError, match="got 'gaol'; did you mean goal"):
        env.reset(options={"game": {"gaol": 3}})
    with pytest.raises(TypeError, match="got 'max_cycle'; did you mean max_cycles"):
        GameMultiAgentEnv({"game": "pig", "max_cycle": 3})


@pytest.mark.parametrize(("mode", "kind"), [("ansi", str), ("rgb_array", np.ndarray)])
def test_it_renders_the_running_game(mode: str, kind: type) -> None:
    if mode == "rgb_array":
        pytest.importorskip("PIL")
    env = GameMultiAgentEnv({"game": "titan_race", "render_mode": mode, "render_width": 120})
    env.reset(seed=0)
    assert isinstance(env.render(), kind)


@pytest.mark.parametrize("action", [-1, 10**6, 2**70])
def test_an_action_out_of_range_is_an_illegal_one(action: int) -> None:
    env = GameMultiAgentEnv({"game": "titan_race", "titans": 3})
    ((agent, _),) = env.reset(seed=0)[0].items()
    with pytest.raises(IllegalAction, match="expected an action from 0 to"):
        env.step({agent: action})


def test_an_illegal_action_and_another_seats_decision_are_refused() -> None:
    env = GameMultiAgentEnv({"game": "titan_race", "titans": 3})
    ((agent, view),) = env.reset(seed=0)[0].items()
    with pytest.raises(IllegalAction, match="expected a legal action"):
        env.step({agent: int(np.flatnonzero(view["action_mask"] == 0)[0])})
    other = next(name for name in env.possible_agents if name != agent)
    with pytest.raises(ValueError, match=f"expected the decision of {agent}, got those of {other}"):
        env.step({other: 0})


def test_two_iterations_with_two_workers_leave_a_checkpoint_from_which_a_third_goes_on(tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "run")]
    first = subprocess.run([*SCRIPT, *out, "--iterations", "2"], capture_output=True, text=True, check=False)
    assert first.returncode == 0, first.stderr[-3000:]
    assert "iteration 2: 512 decisions" in first.stdout
    assert "Illegal" not in first.stdout + first.stderr
    stored = json.loads((tmp_path / "run" / "config.json").read_text())
    assert stored["config"]["workers"] == 2
    assert stored["config"]["learning_rate"] == 3e-4
    assert [path.name for path in (tmp_path / "run").glob("checkpoint*")] == ["checkpoint-000002"]
    more = [*SCRIPT, *out, "--iterations", "3", "--resume"]
    second = subprocess.run(more, capture_output=True, text=True, check=False)
    assert second.returncode == 0, second.stderr[-3000:]
    assert "iteration 3" in second.stdout
    assert "iteration 2:" not in second.stdout
    game = registry.load("titan_race")
    policy = agents.load(f"policy:{tmp_path / 'run' / 'policy.onnx'}", game)
    assert policy.made["config"]["iterations"] == 3  # type: ignore[attr-defined]
    assert win_rates(game, {"learner": policy, "random": agents.load("random", game)}, 100, 0)["learner"].of == 100


def test_every_number_of_an_iteration_is_logged_whichever_kind_it_is() -> None:
    class Algorithm:
        iteration = 1

        def train(self) -> dict[str, Any]:
            played = {"num_env_steps_sampled_lifetime": np.int64(512), "num_episodes": np.int64(18)}
            learned = {"loss": np.float32(0.5), "rate": 0.1, "broken": float("nan"), "kind": "x"}
            return {"env_runners": played, "learners": {"everybody": learned}, "time_this_iter_s": 1.0}

    class Logs:
        def __init__(self) -> None:
            self.logged: dict[str, float] = {}

        def add_scalar(self, name: str, number: float, decisions: int) -> None:
            self.logged[name] = float(number)

    logs = Logs()
    rllib_ppo.iterate(Algorithm(), logs)  # type: ignore[arg-type]
    assert logs.logged == pytest.approx({"loss": 0.5, "rate": 0.1, "games": 18})


def test_a_run_that_goes_on_plays_other_games_than_it_has_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("titan_env.training.rllib_ppo.PPO", lambda config: config)
    seeds = [algorithm_of(Config(seed=3, workers=2), begun).seed for begun in range(3)]
    assert seeds == [3, 1003, 2003]


def test_a_kill_during_a_save_leaves_the_checkpoint_before_it(tmp_path: Path) -> None:
    def save(algorithm: Any) -> None:
        rllib_ppo.save(algorithm, Run(tmp_path, "checkpoint-*"))

    class Algorithm:
        iteration = 1

        def save_to_path(self, path: str) -> None:
            Path(path).mkdir()
            if self.iteration == 2:
                raise KeyboardInterrupt

    algorithm = Algorithm()
    save(algorithm)
    algorithm.iteration = 2
    with pytest.raises(KeyboardInterrupt):
        save(algorithm)
    latest = Run(tmp_path, "checkpoint-*").latest
    assert latest == tmp_path / "checkpoint-000001"
    algorithm.iteration = 3
    save(algorithm)
    assert [path.name for path in tmp_path.glob("checkpoint-*")] == ["checkpoint-000003"]
    with pytest.raises(ValueError, match="which is damaged or belongs to another run"):
        rllib_ppo.resume_from(latest, Algorithm())


@pytest.mark.parametrize(
    "arguments", [["--resume"], ["--option", "titans=9"], ["--option", "foo=1"], ["--game", "chess"], ["--batch", "3"]]
)
def test_what_cannot_be_trained_is_refused_before_ray_starts(tmp_path: Path, arguments: list[str]) -> None:
    app = typer.Typer()
    app.command()(main)
    done = CliRunner().invoke(app, ["--out", str(tmp_path), *arguments])
    assert done.exit_code == 2
    assert "expected" in done.output
    assert not ray.is_initialized()
