"""The cases in which the speed of a game is measured: random legal play by each API, search, start-up and memory.

The worker of `speed` loads this file by its path, beside any checkout of the package: so it imports late.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

ROWS, MANY = 1_024, 32_768
"""Games whose observations a processor's cache holds, and games of which it holds none."""
TEXT_GAMES = 64
"""Games beside each other whose prompts are read."""
ON_END = 100
"""Decisions of a game, or steps of a scan, in one call."""
UNDER_WAY = 60
"""Decisions that are played first where the middle of a game is measured."""
PROCESS = """
import json, time
{script}
spent = time.process_time()
status = open("/proc/self/status").read()
print(json.dumps([spent, int(status.partition("VmRSS:")[2].split()[0]) / 1024]))
"""
"""A process that prints the CPU seconds of a script and the megabytes that it is left with."""
FIRST_DECISION = """
from titan_env import registry
from titan_env.envs.aec import GameAEC
env = GameAEC(registry.load({name!r}))
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
"""
MANY_GAMES = """
from titan_env import registry
from titan_env.engine.batch import Batch
game = registry.load({name!r})
batch = Batch(game, {rows}, whole=True, **game.metadata.benchmark_options)
batch.seed(0)
batch.start()
batch.step(batch.sample())
"""

Play = Callable[[], float]


def benchmarked(name: str) -> tuple[Any, dict[str, Any]]:
    """Return a game and the options that it is measured with."""
    from titan_env import registry

    game = registry.load(name)
    return game, dict(game.metadata.benchmark_options)


def begun(name: str, rows: int = ROWS, whole: bool = False, under_way: bool = False) -> Any:
    """Return a batch of games that have begun, or that are in their middle."""
    from titan_env.engine.batch import Batch

    game, options = benchmarked(name)
    batch = Batch(game, rows, whole=whole, **options)
    batch.seed(0)
    batch.start()
    if under_way:
        batch.rollout(UNDER_WAY, restart=True, look=False)
        batch.refresh()
    return batch


def play_once(batch: Any) -> None:
    """Play one decision in every game, and begin those anew that are over."""
    batch.step(batch.sample())
    over = batch.over
    if over.any():
        batch.start(over)


def per_call(name: str, whole: bool, rows: int = ROWS, calls: int = 1, copying: bool = False) -> Play:
    """Play one decision in every game per call, as learners meet it; `copying` copies what is shown, as they do."""
    batch = begun(name, rows, whole, under_way=True)
    copies: Any = None

    def play() -> int:
        nonlocal copies
        for _ in range(calls):
            play_once(batch)
            copies = (batch.observations.copy(), batch.masks.copy()) if copying else None
        return calls * rows

    return play


def play_outs(name: str, whole: bool, rows: int = ROWS, on_end: int = ON_END) -> Play:
    """Play many decisions of a game before the next game's, in one call."""
    batch = begun(name, rows, whole)

    def play() -> int:
        batch.rollout(on_end, restart=True)
        return on_end * rows

    return play


def copied(name: str) -> Play:
    """Copy all games and put them back, `restore(snapshot())`: games instead of decisions."""
    batch = begun(name, whole=True)

    def play() -> int:
        batch.restore(batch.snapshot())
        return ROWS

    return play


def vector(name: str) -> Play:
    """Play Gymnasium's vector environment in whole numbers, every seat from outside."""
    from titan_env.envs.vector import GameVectorEnv

    game, options = benchmarked(name)
    env = GameVectorEnv(game, ROWS, seats="all", autoreset_mode="SameStep", whole=True, **options)
    chooser = begun(name, whole=True)
    _, infos = env.reset(seed=0)

    def play() -> int:
        nonlocal infos
        *_, infos = env.step(chooser.sample(infos["action_mask"]))
        return ROWS

    return play


def single(name: str) -> Play:
    """Play Gymnasium's environment of one seat, the others drawn at random by the environment itself."""
    from titan_env.envs.single_agent import GameEnv

    game, options = benchmarked(name)
    env = GameEnv(game, whole=True, **options)
    rng = np.random.default_rng(0)

    def play() -> int:
        played, over = 0, False
        _, info = env.reset(seed=int(rng.integers(1 << 30)))
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            _, _, terminated, truncated, info = env.step(legal[int(rng.random() * len(legal))])
            over = terminated or truncated
            played += 1
        return played

    return play


def sb3(name: str) -> Play:
    """Play Stable-Baselines3's vector environment, one learning seat, the others at random."""
    from titan_env.envs.sb3 import GameVecEnv

    game, options = benchmarked(name)
    env, chooser = GameVecEnv(game, ROWS, whole=True, **options), begun(name, whole=True)
    env.reset()

    def play() -> int:
        env.step(chooser.sample(env.action_masks()))
        return ROWS

    return play


def aec(name: str) -> Play:
    """Play PettingZoo's environment, in the loop of PettingZoo's documentation."""
    from titan_env.envs.aec import GameAEC

    game, options = benchmarked(name)
    return newcomers_loop(GameAEC(game, **options))


def newcomers_loop(env: Any) -> Play:
    """Play whole games as PettingZoo's documentation does, with actions that the space draws."""

    def play() -> int:
        played = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                played += 1
        return played

    return play


def open_spiel(name: str) -> Play:
    """Play a game as OpenSpiel's."""
    from titan_env.envs import openspiel

    game, options = benchmarked(name)
    return open_spiel_loop(openspiel.load(game.name, **options))


def open_spiel_loop(game: Any) -> Play:
    """Play whole games of OpenSpiel, by whomever: mask and observation tensor at every decision."""
    rng = random.Random(0)

    def play() -> int:
        state, played = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
                continue
            state.legal_actions_mask()
            state.observation_tensor()
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            played += 1
        return played

    return play


def rllib(name: str) -> Play:
    """Play RLlib's environment of many agents."""
    from titan_env.envs.rllib import GameMultiAgentEnv

    game, options = benchmarked(name)
    env, rng = GameMultiAgentEnv({"game": game.name, **options}), np.random.default_rng(0)

    def play() -> int:
        played, over = 0, False
        seen, _ = env.reset(seed=int(rng.integers(1 << 30)))
        while not over:
            ((agent, observation),) = seen.items()
            legal = np.flatnonzero(observation["action_mask"])
            seen, _, terminated, truncated, _ = env.step({agent: int(legal[int(rng.random() * len(legal))])})
            over = terminated["__all__"] or truncated["__all__"]
            played += 1
        return played

    return play


def jax_scan(name: str) -> Play:
    """Play many steps of all games in one compiled scan of JAX: the first legal action."""
    import jax
    import jax.numpy as jnp

    from titan_env.envs.jax import GameJaxEnv

    game, options = benchmarked(name)
    env = GameJaxEnv(game, whole=True, autoreset=True, **options)
    step = jax.vmap(env.step)

    def once(state: Any, _: None) -> Any:
        return step(state, jnp.argmax(state.legal_action_mask, axis=1)), None

    many = jax.jit(lambda state: jax.lax.scan(once, state, None, length=ON_END)[0])
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(0), ROWS))

    def play() -> int:
        nonlocal state
        state = jax.block_until_ready(many(state))
        return ON_END * ROWS

    return play


def text(name: str) -> Play:
    """Read a prompt in every game that runs, and answer with a legal action drawn at random."""
    from titan_env.envs.text import GameTextVectorEnv

    game, options = benchmarked(name)
    env, texts = GameTextVectorEnv(game, TEXT_GAMES, **options), game.rules.actions.texts
    env.reset(seed=0)

    def play() -> int:
        actions = env.batch.sample().tolist()
        answers = {i: texts[actions[i]] for i, prompt in enumerate(env.prompts()) if prompt is not None}
        if answers:
            env.step(answers)
        else:
            env.reset()
        return len(answers)

    return play


def positions(name: str, count: int) -> Any:
    """Return games in which the seat to act has a choice, each another number of random decisions old."""
    batch = begun(name, 4 * count)
    for taken in range(UNDER_WAY):
        batch.step(batch.sample(), ~batch.over & (np.arange(batch.num_games) % UNDER_WAY > taken))
    return batch.select(np.flatnonzero(batch.masks.sum(axis=1) > 1)[:count])


def search(name: str, agent_name: str, simulations: int, games: int, at_once: bool) -> Play:
    """Let a planner decide at so many tables, all at once or one by one."""
    from titan_env import agents
    from titan_env.play.agent_calls import ask_in_batch

    batch = positions(name, games)
    agent, every = agents.load(agent_name, batch.game), np.arange(games)

    def play() -> int:
        for part in [every] if at_once else every[:, None]:
            ask_in_batch(agent, batch, part, np.random.default_rng(0))
        return games * simulations

    return play


def start_up(script: str, cold: bool = False) -> Play:
    """Return the CPU seconds of a process that runs a script; `cold` compiles everything anew in an empty cache."""
    return lambda: run(script, cold)[0]


def memory(script: str) -> Play:
    """Return the megabytes that a process holds after a script."""
    return lambda: run(script)[1]


def first_decision(name: str, cold: bool = False) -> Play:
    """Return the CPU seconds of a process that plays one decision of PettingZoo's environment."""
    return start_up(FIRST_DECISION.format(name=name), cold)


def many_games(name: str) -> Play:
    """Return the megabytes of a process in which `ROWS` games have begun, in whole numbers."""
    return memory(MANY_GAMES.format(name=name, rows=ROWS))


def run(script: str, cold: bool = False) -> list[float]:
    """Run a script in a process of its own; return CPU seconds and megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-W", "ignore", "-c", PROCESS.format(script=script)]
        environment = {**os.environ, **({"TITAN_ENV_CACHE": folder} if cold else {})}
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def bytes_a_game(name: str, whole: bool) -> Play:
    """Return the bytes of all arrays of a batch, by its games."""
    arrays = [value for value in vars(begun(name, MANY, whole)).values() if isinstance(value, np.ndarray)]
    each = {array.__array_interface__["data"][0]: array.nbytes for array in arrays}
    return lambda: sum(each.values()) / MANY
