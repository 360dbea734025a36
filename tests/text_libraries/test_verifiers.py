"""verifiers: its evaluation command plays every game against an endpoint, and its traces hold rewards and counts."""

from __future__ import annotations

import asyncio
import itertools
import json
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf
from loguru import logger
from verifiers.v1.cli.eval.main import main as vf_eval
from verifiers.v1.cli.eval.runner import run_eval
from verifiers.v1.configs.cli.eval import EvalConfig

import titan_env
from tests.text_libraries.endpoint import Reply, drawn, endpoint, last_legal
from titan_env.contract import Game
from titan_env.envs.text import GameTextEnv
from titan_env.envs.verifiers import GameTaskset, GameTasksetConfig, GameVerifiersEnv


def evaluate(folder: Path, address: str, games: int = 1, **env: Any) -> list[Any]:
    """The episodes of an evaluation, each seed a task."""
    taskset = {"id": "titan-env", **env.pop("taskset")}
    config = EvalConfig.model_validate(
        {
            "env": {"taskset": taskset, **env},
            "model": "toy",
            "client": {"base_url": address},
            "select": {"limit": games},
            "push": False,
            "rich": None,
            "output_dir": folder,
        }
    )
    return asyncio.run(run_eval(config))


def test_the_id_of_the_taskset_is_that_of_the_package() -> None:
    assert vf.taskset_config_type("titan-env") is GameTasksetConfig
    assert vf.environment_class("titan-env") is GameVerifiersEnv
    assert vf.default_harness_id("titan-env") == "titan-env"
    assert set(titan_env.__all__) == {"GameHarness", "GameTaskset", "GameVerifiersEnv"}


def test_the_evaluation_command_plays_seeded_tasks_and_writes_rewards_and_outcomes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with endpoint(last_legal) as (address, heard):
        command = "titan-env -n 3 -m toy --no-push --no-rich --run.name run --env.taskset.game pig"
        options = f"--env.taskset.options.players 3 --env.taskset.opponents random --client.base-url {address}"
        vf_eval([*command.split(), *options.split(), "-o", str(tmp_path)])
    logger.remove()  # it writes to this test's output
    episodes = [json.loads(line) for line in (tmp_path / "run" / "traces.jsonl").read_text().splitlines()]
    assert len(episodes) == 3
    assert heard[0]["messages"][0]["role"] == "system"
    output = capsys.readouterr().out
    assert output.count('"payoff"') == 3
    assert '"outcome": "terminated"' in output


def test_every_game_is_played_by_one_seat_or_by_all(game: Game, tmp_path: Path) -> None:
    seats = game.rules.seats[1]
    about = {"game": game.name, "options": {"players": seats}, "max_cycles": 60}
    with endpoint(drawn) as (address, _):
        alone = evaluate(tmp_path, address, 2, taskset={**about, "opponents": "random"})
        together = evaluate(tmp_path, address, 1, taskset=about)
    assert [episode.ok for episode in alone + together] == [True] * 3
    for seed, episode in enumerate(alone):
        for trace in episode.traces:
            assert (trace.agent.name, trace.info["seat"]) == (f"player_{seed % seats}", seed % seats)
    (episode,) = together
    text, asked, payoffs = GameTextEnv(game, players=seats, max_cycles=60), set(), {}
    text.reset(0)
    while text.seat >= 0:
        asked.add(text.seat)
        payoffs = text.step(drawn({"messages": text.prompt()})).rewards
    assert {trace.info["seat"] for trace in episode.traces} == asked
    for trace in episode.traces:
        assert trace.info["record"] == text.record()
        assert trace.rewards["payoff"].score == payoffs[trace.info["seat"]]
        assert trace.info["outcome"] in ("terminated", "truncated")
        assert trace.num_turns == sum(trace.metrics.values()) == trace.metrics["legal_answers"]


def test_seats_are_different_models_by_their_names(tmp_path: Path) -> None:
    with endpoint(last_legal) as (address, heard):
        evaluate(tmp_path, address, taskset={"game": "pig", "max_cycles": 12}, player_1={"model": "other"})
    assert {asked["model"] for asked in heard} == {"toy", "other"}
    for asked in heard:
        you = asked["messages"][-1]["content"].partition(".")[0]
        assert you == f"You are player_{int(asked['model'] == 'other')}"


@pytest.mark.parametrize(
    ("reply", "on_illegal", "outcome", "reward", "metric"),
    [
        (lambda asked: "Bonjour !", "forfeit", "forfeit", -1.0, "unreadable_answers"),
        (lambda asked: "<think>roll? hold?</think>\nACTION: fly", "forfeit", "forfeit", -1.0, "unreadable_answers"),
        (lambda asked: "", "random", "truncated", 0.0, "unreadable_answers"),
    ],
)
def test_bad_answers_are_counted_and_do_what_was_asked_for(
    tmp_path: Path, reply: Reply, on_illegal: str, outcome: str, reward: float, metric: str
) -> None:
    about = {"game": "pig", "opponents": "random", "seat": 0, "on_illegal": on_illegal, "max_cycles": 8}
    with endpoint(reply) as (address, _):
        (episode,) = evaluate(tmp_path, address, taskset=about)
    (trace,) = episode.traces
    assert (trace.info["outcome"], trace.rewards["payoff"].score) == (outcome, reward)
    assert trace.metrics[metric] > 0


def test_an_agent_at_its_own_limit_forfeits(tmp_path: Path) -> None:
    about = {"game": "pig", "opponents": "random", "seat": 0, "options": {"goal": 60}}
    with endpoint(lambda asked: "ACTION: roll" if "roll" in asked["messages"][-1]["content"] else "hold") as (
        address,
        _,
    ):
        (episode,) = evaluate(tmp_path, address, taskset=about, player_0={"max_turns": 2})
    (trace,) = episode.traces
    assert (trace.info["outcome"], trace.rewards["payoff"].score, trace.num_turns) == ("forfeit", -1.0, 2)


@pytest.mark.parametrize("status", [401, 500])
def test_an_endpoint_that_fails_leaves_the_game_unfinished_to_be_resumed(tmp_path: Path, status: int) -> None:
    with endpoint(lambda asked: status) as (address, _):
        (episode,) = evaluate(tmp_path, address, taskset={"game": "pig", "opponents": "random", "seat": 0})
    (trace,) = episode.traces
    assert (episode.ok, trace.info["outcome"], trace.rewards["payoff"].score) == (False, "unfinished", 0.0)


def test_tasks_are_the_seeds_in_order_and_their_system_prompt_is_the_rules() -> None:
    taskset = GameTaskset(GameTasksetConfig(id="titan-env", game="pig", opponents="random"))
    tasks = list(itertools.islice(taskset, 4))
    assert [(task.data.seed, task.data.seat) for task in tasks] == [(0, 0), (1, 1), (2, 0), (3, 1)]
    assert len({task.data.system_prompt for task in tasks}) == 1
    assert [task.data.name for task in tasks][:2] == ["pig_v0#0", "pig_v0#1"]
    with pytest.raises(ValueError, match="infinite"):
        taskset.shuffle()


@pytest.mark.parametrize(
    ("about", "error"),
    [
        ({}, "expected the name of a game, got ''"),
        ({"game": "chess"}, "expected the name of a game, got 'chess'"),
        ({"game": "pig", "options": {"players": 50}}, "expected players from 2 to 6, got 50"),
        ({"game": "pig", "opponents": "clever", "seat": 0}, "expected an agent among"),
        ({"game": "pig", "opponents": "random", "seat": 7}, "expected a seat from 0 to 1, got 7"),
        ({"game": "pig", "on_illegal": "cry"}, "expected on_illegal to be one of"),
    ],
)
def test_what_is_wrong_is_one_clear_line(about: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error) as found:
        next(iter(GameTaskset(GameTasksetConfig(id="titan-env", **about))))
    assert sum(error in line for line in str(found.value).splitlines()) == 1
