"""A process that uses any agent and any API compiles nothing after the same was compiled and kept before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiler.programs import PROGRAMS, ROOT, run_python
from tests.test_layout import BUILDS_ON
from titan_env import agents, registry
from titan_env.compiler.cache import root
from titan_env.contract import Game
from titan_env.envs.warm_up import related

pytestmark = [pytest.mark.thorough, pytest.mark.compiled]

PLANNERS = ("flat:2", "mcts:2", "solve:by=random", "mcts:2,prior={policy}", "rollout:2,prior={policy}")


def every_agent(game: Game) -> list[str]:
    """The agents that can play a game, planners with as little thought as they can have."""
    known = agents.names(game)
    at_once = [name for name in known if name.partition(":")[0] not in ("flat", "mcts")]
    policies = [name for name in agents.shipped(game) if agents.parse(name, game)[0] == "policy"]
    planners = [name.format(policy=policies[0]) if policies else name for name in PLANNERS]
    return at_once + [name for name in planners if "{" not in name]


def compiled_by(*games: Game, cache: Path) -> list[str]:
    """Return the functions that a new process compiles to use these games, all of their agents and every API."""
    arguments = [" ".join([registry.address(game), *every_agent(game)]) for game in games]
    return run_python(ROOT, cache, str(PROGRAMS / "use_everything.py"), *arguments).stdout.splitlines()


def test_after_warming_up_no_agent_and_no_api_needs_more_compiling(tmp_path: Path) -> None:
    pig = registry.load("pig")
    fill = f"from titan_env.envs.warm_up import compile_all; compile_all([{registry.address(pig)!r}])"
    run_python(ROOT, tmp_path, "-c", fill)
    # Lists of outcomes with what they call, and the command `balance`.
    on_demand = {"outcome_rows", "likelihood", "set_next", "step_and_count_rows"}
    compiled = [
        line.partition(" ")[2] for line in compiled_by(pig, cache=tmp_path) if line.startswith("titan_env.engine")
    ]
    assert set(compiled) <= on_demand


def test_a_second_process_compiles_nothing() -> None:
    games = list(map(registry.load, registry.names()))
    if compiled_by(*games, cache=root()):
        assert compiled_by(*games, cache=root()) == []


def test_a_game_is_compiled_after_the_one_whose_rules_it_uses_in_the_same_process() -> None:
    groups = related(registry.names()[::-1])
    for game, base in BUILDS_ON:
        (together,) = [group for group in groups if game in group]
        assert together.index(base) < together.index(game)
    assert sorted(name for group in groups for name in group) == sorted(registry.names())
    assert len(groups) == len(registry.names()) - len(BUILDS_ON), "others are compiled at the same time"
