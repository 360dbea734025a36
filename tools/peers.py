"""Compare the speed with other libraries, per second of CPU time: ``python tools/peers.py --python .peers/bin/python``.

That is the Python of an environment with the other libraries (``pip install pgx open_spiel envpool
pettingzoo[classic]``); missing ones are left out. Every case is measured in a process of its own, on one core and
one thread, all of them in turn, so that what else the machine does meets them alike. Random legal play everywhere.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
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
"""A function that plays some decisions and returns their number."""


def begun(name: str, rows: int = ROWS, whole: bool = False) -> Any:
    """Return games of this package that have begun, with all their seats."""
    from titan_env import registry
    from titan_env.engine.batch import Batch

    game = registry.load(name)
    batch = Batch(game, rows, whole=whole, **game.metadata.benchmark_options)
    batch.start()
    return batch


def per_call(whole: bool) -> Play:
    """Return a play of Titan Race with six Titans: one decision in every game per call, as learners do."""
    batch = begun("titan_race", whole=whole)
    batch.rollout(ON_END, restart=True)

    def play() -> int:
        batch.step(batch.sample())
        over = batch.over
        if over.any():
            batch.start(over)
        return ROWS

    return play


def play_outs(name: str, whole: bool) -> Play:
    """Return a play of a game of this package: many decisions of a game before the next game's."""
    batch = begun(name, whole=whole)

    def play() -> int:
        batch.rollout(ON_END, restart=True)
        return ON_END * ROWS

    return play


def aec() -> Play:
    """Return a play of Titan Race as a PettingZoo environment, with the loop of its documentation."""
    from titan_env import titan_race_v1

    return newcomers_loop(titan_race_v1.env(titans=6))


def pettingzoo() -> Play:
    """Return a play of PettingZoo's connect four, with the same loop."""
    from pettingzoo.classic import connect_four_v3

    return newcomers_loop(connect_four_v3.env())


def newcomers_loop(env: Any) -> Play:
    """Return a play of whole games as in PettingZoo's documentation, with actions sampled by the space."""

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


def pgx_scan() -> Play:
    """Return a play of Pgx's connect four, many steps of all games in one compiled scan."""
    import jax

    state, many = _pgx()

    def play() -> int:
        nonlocal state
        state = jax.block_until_ready(many(state))
        return ON_END * ROWS

    return play


def pgx_per_call() -> Play:
    """Return a play of Pgx's connect four, one step of all games per call."""
    import jax

    state, _ = _pgx()
    once = _pgx_step()

    def play() -> int:
        nonlocal state
        state = jax.block_until_ready(once(state))
        return ROWS

    return play


def _pgx_step() -> Any:
    """Return one step of all games: draw a legal action by one random number, play it, reset finished games."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def once(carried: Any) -> Any:
        state, key = carried
        key, drawn, reset = jax.random.split(key, 3)
        seen = jnp.cumsum(state.legal_action_mask, axis=1)
        wanted = jax.random.uniform(drawn, (ROWS, 1)) * seen[:, -1:]
        return step(state, jnp.argmax(seen > wanted, axis=1), jax.random.split(reset, ROWS)), key

    return once


def _pgx() -> Any:
    """Return games that have begun, and the function that plays many steps of them."""
    import jax
    import pgx

    env, once = pgx.make("connect_four"), _pgx_step()
    begun = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), ROWS)), jax.random.PRNGKey(1)
    return begun, jax.jit(lambda carried: jax.lax.scan(lambda held, _: (once(held), None), carried, length=ON_END)[0])


def open_spiel(name: str) -> Play:
    """Return a play of a game of OpenSpiel, with mask and observation tensor at every decision."""
    import pyspiel

    game, rng = pyspiel.load_game(name), np.random.default_rng(0)

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


def envpool() -> Play:
    """Return a play of EnvPool's connect four, one step of all games per call."""
    import envpool

    env: Any = envpool.make("ConnectFour-v1", env_type="gymnasium", num_envs=ROWS, num_threads=1)
    rng = np.random.default_rng(0)
    _, info = env.reset()

    def play() -> int:
        nonlocal info
        seen = info["legal_action_mask"].cumsum(axis=1)
        actions = (seen > rng.random((ROWS, 1)) * np.maximum(seen[:, -1:], 1)).argmax(axis=1)
        _, _, _, _, info = env.step(actions.astype(np.int32))
        return ROWS

    return play


OURS: dict[str, Callable[[], Play]] = {
    "Titan Race, one decision in every game per call": lambda: per_call(whole=False),
    "the same, whole numbers": lambda: per_call(whole=True),
    "Titan Race, play-outs": lambda: play_outs("titan_race", whole=False),
    "the same play-outs, whole numbers": lambda: play_outs("titan_race", whole=True),
    "Titan Race, PettingZoo's loop": aec,
}
THEIRS: dict[str, Callable[[], Play]] = {
    "Pgx connect four, one scan": pgx_scan,
    "Pgx connect four, one step of every game per call": pgx_per_call,
    "EnvPool connect four, one step of every game per call": envpool,
    "OpenSpiel connect four": lambda: open_spiel("connect_four"),
    "OpenSpiel backgammon": lambda: open_spiel("backgammon"),
    "PettingZoo connect four, PettingZoo's loop": pettingzoo,
}


def rate(play: Play, seconds: float) -> float:
    """Measure decisions per second of CPU time, of all threads together."""
    play()
    begun, played, spent = time.process_time(), 0, 0.0
    while spent < seconds:
        played += play()
        spent = time.process_time() - begun
    return played / spent


def measured(python: str, name: str, seconds: float) -> float | None:
    """Return the rate of a case in a process of its own; None, after printing the reason, if it cannot be played."""
    command = [python, "-W", "ignore", str(Path(__file__).resolve()), "--case", name, "--seconds", str(seconds)]
    told = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **ONE_THREAD})
    if told.returncode:
        print(f"{name}: {told.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    return float(told.stdout.splitlines()[-1])


def table(python: str, rounds: int, seconds: float) -> str:
    """Return a Markdown table of all cases: median, lowest and highest rate, and the ratio to the first case."""
    pythons = dict.fromkeys(OURS, sys.executable) | dict.fromkeys(THEIRS, python)
    rates: dict[str, list[float]] = {name: [] for name in pythons}
    for _ in range(rounds):
        for name, where in pythons.items():
            found = measured(where, name, seconds)
            if found is not None:
                rates[name].append(found)
    scan = statistics.median(rates["Pgx connect four, one scan"] or [float("nan")])
    lines = ["| | decisions per CPU second | lowest to highest | of Pgx's scan |", "| --- | --: | --: | --: |"]
    for name, found in rates.items():
        if found:
            middle = statistics.median(found)
            lines.append(f"| {name} | {middle:,.0f} | {min(found):,.0f} to {max(found):,.0f} | {middle / scan:.2g} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table or, in a process that the script has started, the rate of one case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="of an environment with the other libraries")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of CPU time for each case and round")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        print(rate({**OURS, **THEIRS}[given.case](), given.seconds))
    else:
        print(table(given.python, given.rounds, given.seconds))


if __name__ == "__main__":
    main()
