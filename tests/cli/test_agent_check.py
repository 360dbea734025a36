"""The built-in agents of a record are played again: what one would not have taken is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.records import lines_of, write
from titan_env import registry
from titan_env.__main__ import app
from titan_env.cli.agent_check import check_agents, is_built_in
from titan_env.contract import Game
from titan_env.evaluation.matches.blocks import load_instances
from titan_env.evaluation.matches.duplicate import play_blocks
from titan_env.records.replay import read


def run(*arguments: str) -> tuple[int, str]:
    """Exit code and output of a command."""
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, done.output


def watched(folder: Path, agents: str, *options: str, game: str = "titan_race") -> Path:
    path = folder / "game.jsonl"
    assert run("watch", game, "--agents", agents, "--seed", "3", *options, "--record", str(path))[0] == 0
    return path


@pytest.mark.parametrize("agents", ["random,greedy,expert", "mcts:4,greedy,flat:4", "ppo@titan_race-v3,random,greedy"])
def test_agents_of_a_watched_game_take_every_decision_again(agents: str, tmp_path: Path) -> None:
    path = watched(tmp_path, agents, "-o", "titans=3", "-o", "turn_limit=9")
    checks, others = check_agents(read(path))
    assert {check.agent for check in checks} == set(agents.split(","))
    assert not others
    assert sum(check.own for check in checks) == len(read(path).decisions)
    code, output = run("replay", "verify", str(path), "--agents")
    assert (code, output.count("decisions again\n")) == (0, 3)


def test_agents_of_a_block_take_every_decision_again_and_its_chance_is_that_of_the_seed(tmp_path: Path) -> None:
    names, game = ["random", "mcts:4"], registry.load("titan_race")
    play_blocks(game, load_instances(game, names), [5], tmp_path, names, titans=2, turn_limit=8)
    files = sorted(tmp_path.glob("*.jsonl"))
    assert len(files) == 2
    code, output = run("replay", "verify", "--agents", *map(str, files))
    assert (code, output.count("its chance drawn from seed 5")) == (0, 2)
    for file in files:
        assert sum(check.own for check in check_agents(read(file))[0]) == len(read(file).decisions)


def renamed(path: Path, before: str, after: str) -> None:
    """Write a record in which another agent is said to have played, with its chain made anew."""
    lines = lines_of(path)
    lines[0]["agents"] = [after if name == before else name for name in lines[0]["agents"]]
    write(path, lines)


def test_who_did_not_play_what_is_claimed_is_found_with_the_first_decision(tmp_path: Path) -> None:
    path = watched(tmp_path, "random,expert", "-o", "titans=2", "-o", "turn_limit=9")
    assert run("replay", "verify", str(path))[0] == 0
    renamed(path, "random", "greedy")
    assert run("replay", "verify", str(path))[0] == 0
    code, output = run("replay", "verify", str(path), "--agents")
    assert (code, "greedy: decision " in output, "is not its own: it takes " in output) == (1, True, True)


def test_draws_of_which_the_record_tells_nothing_prove_nothing_and_accuse_nobody(tmp_path: Path) -> None:
    path = watched(tmp_path, "random,greedy", "-o", "titans=2", "-o", "turn_limit=9")
    lines = lines_of(path)
    lines[0]["seed"] = None
    write(path, lines)
    checks = {check.agent: check for check in check_agents(read(path))[0]}
    assert checks["random"].unknown > 0
    assert not checks["random"].other
    assert checks["greedy"].own == sum(line["seat"] == 1 for line in read(path).decisions)
    assert "hang on draws that the record does not tell" in run("replay", "verify", str(path), "--agents")[1]


def test_agents_from_outside_are_named_and_not_played(tmp_path: Path) -> None:
    path = watched(tmp_path, "random,greedy", "-o", "titans=2", "-o", "turn_limit=4")
    renamed(path, "random", "python:stranger.py")
    checks, others = check_agents(read(path))
    assert ([check.agent for check in checks], others) == (["greedy"], ["python:stranger.py"])
    assert "python:stranger.py: not built in" in run("replay", "verify", str(path), "--agents")[1]


@pytest.mark.parametrize(
    "name",
    ["python:x.py", "process:x.py", "delegate:random,roll=python:x.py", 'delegate:"process:x.py",roll=random'],
)
def test_code_from_files_within_another_agent_is_not_built_in(name: str) -> None:
    assert not is_built_in(name, registry.load("pig"))
    assert is_built_in("delegate:random,roll=random", registry.load("pig"))


def test_a_game_that_an_agent_of_every_game_plays_is_proven(game: Game, tmp_path: Path) -> None:
    path = watched(tmp_path, "random", game=game.name)
    checks, _ = check_agents(read(path))
    assert [check.own for check in checks] == [len(read(path).decisions)]


def test_agents_are_played_again_by_verify_only(tmp_path: Path) -> None:
    path = watched(tmp_path, "random", "-o", "titans=2", "-o", "turn_limit=2")
    code, output = run("replay", str(path), "--agents")
    assert (code, "expected `verify` before the files, since there is --agents" in output) == (2, True)
    assert json.loads(path.read_text("utf-8").splitlines()[0])["seed"] == 3
