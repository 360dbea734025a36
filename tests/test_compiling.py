"""What is compiled is kept: a second process that does the same compiles nothing, whatever agents and APIs it uses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_layout import BUILDS_ON
from titan_env import agents, registry
from titan_env.agents.warm_up import related
from titan_env.contract import COMPILED, Game

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")

ROOT = Path(__file__).parents[1]

USE = """
import sys

import numpy as np
from numba.core import event

from titan_env import registry

with event.install_recorder("numba:compile") as heard:
    from titan_env import GameAEC, GameEnv, GameVectorEnv, agents
    from titan_env.engine.agent_calls import ask_in_batch
    from titan_env.engine.batch import Batch
    from titan_env.engine.outcomes import chance
    from titan_env.engine.event_statistics import play

    for asked in sys.argv[1:]:
        place, *names = asked.split()
        game = registry.load(place)
        for name in names:
            batch = Batch(game, 2, **game.metadata.benchmark_options)
            batch.seed(1)
            batch.start()
            for _ in range(3):
                actions, rows = np.zeros(2, int), np.flatnonzero(~batch.over)
                if len(rows):
                    actions[rows] = ask_in_batch(agents.load(name, game), batch, rows, np.random.default_rng(0)).actions
                    batch.step(actions, ~batch.over)
        play(game, agents.load("random", game), 2, 1)
        chance(game, batch.states[0], int(batch.sample()[0])) if not batch.over[0] else None
        batch.payoffs()
        batch.rollout(3)
        env = GameAEC(game)
        env.reset(seed=1)
        env.step(int(env.last()[0]["action_mask"].argmax()))
        env.state()
        for solo in (GameEnv(game), GameVectorEnv(game, 2), GameVectorEnv(game, 2, seats="all")):
            solo.reset(seed=1)
            solo.step(solo.action_space.sample())
for _, one in heard.buffer:
    if one.is_start:
        print(one.data["dispatcher"].py_func.__module__, one.data["dispatcher"].py_func.__qualname__)
"""
"""A program that decides with these agents of games, uses every API, and prints each function that it compiled."""

PLANNERS = ("flat:2", "mcts:2", "mcts:2,prior={policy}", "rollout:2,prior={policy}")


def every_agent(game: Game) -> list[str]:
    """The agents that can play a game, planners with as little thought as they can have."""
    known = agents.names(game)
    at_once = [name for name in known if name.partition(":")[0] not in ("flat", "mcts")]
    policies = [name for name in agents.shipped(game) if agents.parse(name, game)[0] == "policy"]
    planners = [name.format(policy=policies[0]) if policies else name for name in PLANNERS]
    return at_once + [name for name in planners if "{" not in name]


def compiled_by(*games: Game, **environment: str) -> list[str]:
    """The functions that a process of its own compiles to use these games and all of their agents."""
    done = subprocess.run(
        [sys.executable, "-c", USE, *(" ".join([registry.address(game), *every_agent(game)]) for game in games)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_what_is_filled_needs_no_more_compiling_for_any_agent_or_api(tmp_path: Path) -> None:
    pig, kept = registry.load("pig"), {"TITAN_ENV_CACHE": str(tmp_path)}
    fill = f"from titan_env.agents.warm_up import compile_all; compile_all([{registry.address(pig)!r}])"
    subprocess.run([sys.executable, "-c", fill], cwd=ROOT, env={**os.environ, **kept}, check=True)
    on_demand = {
        "outcome_rows",
        "step_and_count_rows",
    }  # lists of outcomes, and the command `balance`
    loops = {line.partition(" ")[2] for line in compiled_by(pig, **kept) if line.startswith("titan_env.engine")}
    assert loops <= on_demand


def test_a_second_process_compiles_nothing() -> None:
    games = list(map(registry.load, registry.names()))
    if compiled_by(*games):
        assert compiled_by(*games) == []


def test_a_game_is_compiled_after_the_one_whose_rules_it_uses_in_the_same_process() -> None:
    groups = related(registry.names()[::-1])
    for game, base in BUILDS_ON:
        (together,) = [group for group in groups if game in group]
        assert together.index(base) < together.index(game)
    assert sorted(name for group in groups for name in group) == sorted(registry.names())
    assert len(groups) == len(registry.names()) - len(BUILDS_ON), "others are compiled at the same time"


AT_AN_ADDRESS = """
import ctypes

from titan_env.contract import rule

size = ctypes.CDLL(None).labs
size.argtypes, size.restype = [ctypes.c_long], ctypes.c_long

@rule
def twice(number):
    return 2 * size(number)

print(twice(-4))
"""
"""A program with a rule that calls what lies elsewhere in each process."""


def test_what_cannot_be_kept_says_so_at_every_start(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(AT_AN_ADDRESS)
    environment = {**os.environ, "TITAN_ENV_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    for _ in range(2):
        command = [sys.executable, "mine.py"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == "8\n"
        assert "twice of __main__ is bound to this process and cannot be kept: every start compiles it anew" in (
            done.stderr
        )


PARTS = """
from titan_env.contract import inline_rule, rule, specialize, specialize_part

judge = None

@rule
def twice(number):
    return 2 * number

@rule
def thrice(number):
    return 3 * number

@inline_rule
def search(number):
    return judge(number) + 1

def loop(number):
    return search(number)

for judges in (twice, thrice):
    print(specialize(loop, {"again": twice, "search": specialize_part(search, {"judge": judges})})(4))
"""
"""A program with a part of a loop that calls another rule each time."""


def test_parts_of_loops_are_kept_apart_by_what_is_bound_to_them(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PARTS)
    environment = {**os.environ, "TITAN_ENV_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    for told in (True, False):
        command = [sys.executable, "mine.py"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == "9\n13\n"
        assert bool(done.stderr) == told


def test_the_line_names_a_game_that_is_a_package_by_its_folder(tmp_path: Path) -> None:
    (tmp_path / "outside_pig").mkdir()
    source = (Path(__file__).parent / "games" / "pig.py").read_text("utf-8")
    (tmp_path / "outside_pig" / "__init__.py").write_text(source, "utf-8")
    around = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "TITAN_ENV_CACHE": str(tmp_path / "cache")}
    script = "from outside_pig import GAME; import numpy as np; GAME.rules.mask(GAME.rules.configure()[0])"
    done = subprocess.run([sys.executable, "-c", script], env=around, capture_output=True, text=True, check=True)
    assert "compiling the rules of outside_pig" in done.stderr
