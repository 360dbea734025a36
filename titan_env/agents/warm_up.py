"""Compilation of all that the agents and APIs of games use, ahead of their first use."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from titan_env import agents, registry
from titan_env.agents.trained import PLAYED_BY
from titan_env.contract import Game
from titan_env.engine.asking import ask_in_batch
from titan_env.engine.batch import Batch
from titan_env.engine.warm_up import play_first_decisions
from titan_env.envs.aec import GameAEC
from titan_env.envs.vector import GameVectorEnv

_PLANNERS = ("flat:2", "mcts:8")
_DECISIONS = 50  # the most decisions until one with a choice
_NETWORKS = [kind for ending, kind in PLAYED_BY.items() if ending == ".onnx"]


def compile_all(names: Sequence[str]) -> None:
    """Use every API and every agent of each of these games, so that all they need is compiled and cached."""
    play_first_decisions(names)
    for game in map(registry.load, names):
        _step_apis(game)
        let_agents_decide(game)


def compile_in_processes(names: Sequence[str], processes: int) -> None:
    """Compile all that each of these games needs, `processes` games at a time, each in a process of its own.

    Raises what `compile_all` raises for a game, once the others are done.
    """
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        list(pool.map(compile_all, [[name] for name in names]))


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
