"""Compilation of all that the agents and APIs of games use, ahead of their first use."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from titan_env import agents, registry
from titan_env.agents.trained import PLAYED_BY
from titan_env.compiler.forks import end_with_parent
from titan_env.compiler.kept_code import used
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.warm_up import play_first_decisions
from titan_env.envs.aec import GameAEC
from titan_env.envs.vector import GameVectorEnv
from titan_env.play.agent_calls import ask_in_batch

_PLANNERS = ("flat:2", "mcts:8")
_DECISIONS = 50  # the most decisions until one with a choice
_NETWORKS = [kind for ending, kind in PLAYED_BY.items() if ending == ".onnx"]


def compile_all(names: Sequence[str]) -> None:
    """Use every API and every agent of each of these games, so that all they need is compiled and cached."""
    play_first_decisions(names)
    for game in map(registry.load, names):
        _step_apis(game)
        let_agents_decide(game)


def compile_in_processes(
    names: Sequence[str], processes: int, told: Callable[[int], Any] = lambda done: None
) -> set[Path]:
    """Compile all that each of these games needs, `processes` games at a time; return the files of what is used.

    A game that uses another one's rules is compiled after it in the same process, or both would compile these rules.
    `told` is called with the number of games that each process has done. The processes end with this one. Raises what
    `compile_all` raises for a game, once the others are done.
    """
    groups = related(names)
    with ProcessPoolExecutor(processes, get_context("spawn"), end_with_parent) as pool:
        running = {pool.submit(_files_of_all, group): len(group) for group in groups}
        for done in as_completed(running):
            told(running[done])
    return {path for each in running for path in each.result()}


def _files_of_all(names: Sequence[str]) -> list[Path]:
    """Do as `compile_all`; return the files of the cache that this process has used."""
    compile_all(names)
    return used()


def related(names: Sequence[str]) -> list[list[str]]:
    """Return the games in lists, the longest first: games that use each other's modules are in one, bases first."""
    own = {name: _modules_of(registry.load(name)) for name in names}
    used = {
        name: {
            getattr(value, "__module__", None) for module in own[name] for value in vars(sys.modules[module]).values()
        }
        for name in names
    }
    groups: list[list[str]] = []
    for name in sorted(names, key=lambda name: sum(bool(own[other] & used[name]) for other in names)):
        bases = [group for group in groups if any(own[other] & used[name] for other in group)]
        groups = [group for group in groups if group not in bases]
        groups.append([*itertools.chain(*bases), name])
    return sorted(groups, key=len, reverse=True)


def _modules_of(game: Game) -> set[str]:
    """Return the names of the imported modules of a game's package, or of the module that it is written in."""
    home = registry.address(game).partition(":")[0]
    return {name for name in list(sys.modules) if name == home or name.startswith(f"{home}.")}


def let_agents_decide(game: Game) -> None:
    """Call every agent of a game once at a decision with a choice; policies are left out, as they compile nothing."""
    batch = Batch(game, 1, **game.metadata.benchmark_options)
    batch.seed(0)
    batch.start()
    for _ in range(_DECISIONS):
        if batch.masks.sum() > 1 or batch.over.any():
            break
        batch.step(batch.sample())
    own = [name for name in agents.names(game) if agents.parse(name, game)[0] not in ("flat", "mcts", *_NETWORKS)]
    for name in (*own, *_PLANNERS):
        ask_in_batch(agents.load(name, game), batch, np.arange(1), np.random.default_rng(0))


def _step_apis(game: Game) -> None:
    """Play a step of one game with each API that compiles loops of its own."""
    env = GameAEC(game)
    env.reset(seed=0)
    env.state()
    seen = env.observe(env.agent_selection)
    env.step(int(seen["action_mask"].argmax()))
    env.batch.refresh()
    env.batch.payoffs()
    env.batch.rollout(1)
    for seats in ("one", "all"):
        games = GameVectorEnv(game, 1, seats=seats)
        _, infos = games.reset(seed=0)
        games.step(infos["action_mask"].argmax(axis=1))
