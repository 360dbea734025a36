"""The cases in which the speed of a game is measured, one per API, and the timer of both comparing commands.

Random legal play everywhere, on one core and one thread, in decisions per second of CPU time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

ROWS = 1024
ON_END = 100
"""Decisions of a game, or steps of a scan, in one call."""
ONE_THREAD = {
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "OMP_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "TF_CPP_MIN_LOG_LEVEL": "3",
}

Play = Callable[[], int]
"""Plays some decisions and returns how many."""
Rate = Callable[[float], float]
"""Plays for so many CPU seconds and returns the decisions per CPU second."""


def benchmarked(name: str) -> tuple[Any, dict[str, Any]]:
    """Return a registered game and the options that it is measured with, of this version or of 0.2.0."""
    from titan_env import registry

    game = registry.load(name)
    return game, dict(game.metadata.benchmark_options if hasattr(game, "metadata") else game.full)


def begun(name: str, rows: int = ROWS, whole: bool = False) -> Any:
    """Return a batch of games that have begun."""
    from titan_env.engine.batch import Batch

    game, options = benchmarked(name)
    batch = Batch(game, rows, whole=whole, **options)
    batch.seed(0)
    batch.start()
    return batch


def per_call(name: str, whole: bool) -> Play:
    """Return one decision in every game per call, as learners meet it."""
    batch = begun(name, whole=whole)
    batch.rollout(ON_END, restart=True)

    def play() -> int:
        batch.step(batch.sample())
        over = batch.over
        if over.any():
            batch.start(over)
        return ROWS

    return play


def play_outs(name: str, whole: bool) -> Play:
    """Many decisions of a game before the next game's, in one call."""
    batch = begun(name, whole=whole)

    def play() -> int:
        batch.rollout(ON_END, restart=True)
        return ON_END * ROWS

    return play


def vector(name: str) -> Play:
    """Gymnasium's vector environment in whole numbers, every seat played from outside."""
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
    """Gymnasium's environment of one seat, the other seats drawn at random by the environment itself."""
    from titan_env.envs.single_agent import GameEnv

    game, options = benchmarked(name)
    env = GameEnv(game, whole=True, **options)
    rng = np.random.default_rng(0)

    def play() -> int:
        played = 0
        _, info = env.reset(seed=int(rng.integers(1 << 30)))
        over = False
        while not over:
            legal = np.flatnonzero(info["action_mask"])
            _, _, terminated, truncated, info = env.step(legal[int(rng.random() * len(legal))])
            over = terminated or truncated
            played += 1
        return played

    return play


def sb3(name: str) -> Play:
    """Stable-Baselines3's vector environment, one learning seat, the others at random."""
    from titan_env.envs.sb3 import GameVecEnv

    game, options = benchmarked(name)
    env, chooser = GameVecEnv(game, ROWS, whole=True, **options), begun(name, whole=True)
    env.reset()

    def play() -> int:
        env.step(chooser.sample(env.action_masks()))
        return ROWS

    return play


def open_spiel_state(name: str) -> Play:
    """Return a game as a state of OpenSpiel: mask and observation tensor at every decision."""
    from titan_env.envs import openspiel

    game, options = benchmarked(name)
    return open_spiel_loop(openspiel.load(game.name, **options))


def open_spiel_loop(game: Any) -> Play:
    """Return a game of OpenSpiel, by whomever: mask and observation tensor at every decision."""
    rng = np.random.default_rng(0)

    def play() -> int:
        state, played = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                place = min(np.searchsorted(np.cumsum(chances), rng.random()), len(actions) - 1)
                state.apply_action(actions[int(place)])
                continue
            state.legal_actions_mask()
            state.observation_tensor()
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            played += 1
        return played

    return play


def rllib(name: str) -> Play:
    """RLlib's environment of many agents; it is measured where RLlib is installed."""
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
    """Many steps of all games in one compiled scan of JAX; the first legal action is played."""
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


def copied(name: str) -> Play:
    """All games copied and put back, `restore(snapshot())`: games per second instead of decisions."""
    batch = begun(name, whole=True)

    def play() -> int:
        batch.restore(batch.snapshot())
        return ROWS

    return play


def one_game(name: str) -> Play:
    """Return one game: an action drawn and played per call."""
    batch = begun(name, rows=1, whole=True)

    def play() -> int:
        for _ in range(ON_END):
            batch.step(batch.sample())
            if batch.over[0]:
                batch.start()
        return ON_END

    return play


def aec(name: str) -> Play:
    """PettingZoo's environment, in the loop of PettingZoo's documentation."""
    from titan_env.envs.aec import GameAEC

    game, options = benchmarked(name)
    return newcomers_loop(GameAEC(game, **options))


def newcomers_loop(env: Any) -> Play:
    """Return a whole game as PettingZoo's documentation plays it, with actions that the space draws."""

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


APIS: dict[str, Callable[[str], Play]] = {
    "a decision in every game per call, whole numbers": lambda name: per_call(name, whole=True),
    "a decision in every game per call, float32": lambda name: per_call(name, whole=False),
    "play-outs, whole numbers": lambda name: play_outs(name, whole=True),
    "play-outs, float32": lambda name: play_outs(name, whole=False),
    "`VectorEnv`, every seat": vector,
    "one seat's `Env`": single,
    "one game, `sample` and `step`": one_game,
    "PettingZoo's loop": aec,
    "`GameVecEnv` of Stable-Baselines3": sb3,
    "OpenSpiel's state, mask and tensor at each decision": open_spiel_state,
    "RLlib's environment": rllib,
    "one scan in JAX, the first legal action": jax_scan,
    "games copied and put back": copied,
}


def rate(play: Play, seconds: float) -> float:
    """Return decisions per second of CPU time, all threads together."""
    play()
    begun, played, spent = time.process_time(), 0, 0.0
    while spent < seconds:
        played += play()
        spent = time.process_time() - begun
    return played / spent


def cpu_seconds(call: Callable[[], Any], least: float = 0.0) -> float:
    """Return the CPU seconds of one call, the mean of as many as take at least so many seconds."""
    begun, calls, spent = time.process_time(), 0, 0.0
    while not calls or spent < least:
        call()
        calls += 1
        spent = time.process_time() - begun
    return spent / calls


def serve(play: Play) -> None:
    """Play for as many CPU seconds as each line of standard input asks for, and print the rate."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    play()
    for line in sys.stdin:
        print(rate(play, float(line)), flush=True)


@contextmanager
def playing(
    script: Path, case: list[str], python: str = sys.executable, checkout: Path | None = None
) -> Iterator[Rate | None]:
    """Start a process that plays a case, of another checkout if one is named; yield its Rate.

    Yields None, with the reason on standard error, where the case cannot be played there.
    """
    env = {**os.environ, **ONE_THREAD}
    if checkout:
        env |= {"PYTHONPATH": str(checkout), "TITAN_ENV_CACHE": str(checkout / ".cache")}
    command = [python, "-W", "ignore", str(script.resolve()), "--case", *case]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8", env=env) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        ask, tell = process.stdin, process.stdout

        def rate(seconds: float) -> float:
            print(seconds, file=ask, flush=True)
            return float(tell.readline())

        try:
            rate(0.01)
        except (ValueError, BrokenPipeError):
            print(
                f"{' '.join(case)}: {(process.stderr.read().strip() or 'no answer').splitlines()[-1]}", file=sys.stderr
            )
            yield None
            return
        yield rate
        ask.close()
