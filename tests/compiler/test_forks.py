"""Environments go on in other processes, however those are started, whatever threads ran before.

A fork is the usual start of `multiprocessing`, of Gymnasium's `AsyncVectorEnv` and of torch's `DataLoader` on Linux.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from numba.core.event import Listener, install_listener

from tests.compiler.programs import ROOT
from titan_env import GameAEC, GameEnv, GameVectorEnv, agents, registry
from titan_env.agents.chat import endpoint
from titan_env.contract import COMPILED, inline_rule, rule
from titan_env.engine.batch import Batch
from titan_env.envs import openspiel, sb3
from titan_env.records import atomic_files

METHODS = multiprocessing.get_all_start_methods()
GAME = "titan_race"
ROWS = 128  # enough for two threads
PATIENCE = 300  # seconds after which a process is taken to wait for ever

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


class Several:
    """A batch of games on two threads."""

    def __init__(self) -> None:
        self.batch = Batch(registry.load(GAME), ROWS, threads=2)
        self.batch.seed(1)
        self.batch.start()

    def step(self) -> Any:
        self.batch.step(self.batch.masks.argmax(axis=1))
        return self.batch.observations


class OneByOne:
    """A game of agents that are asked in turn."""

    def __init__(self) -> None:
        self.env = GameAEC(registry.load(GAME))
        self.env.reset(seed=1)

    def step(self) -> Any:
        self.env.step(int(self.env.observe(self.env.agent_selection)["action_mask"].argmax()))
        return self.env.state()


class Solo:
    """A game against a policy, which runs in another library."""

    def __init__(self) -> None:
        game = registry.load(GAME)
        policy = next(iter(agents.shipped(game)))
        self.env = GameEnv(game, opponents=agents.load(policy, game))
        self.env.reset(seed=1)

    def step(self) -> Any:
        return self.env.step(int(self.env.action_masks().argmax()))[0]


class Vector:
    """Many games in one call, on two threads."""

    def __init__(self) -> None:
        self.env = GameVectorEnv(registry.load(GAME), ROWS, threads=2)
        self.masks = self.env.reset(seed=1)[1]["action_mask"]

    def step(self) -> Any:
        seen, *_, infos = self.env.step(self.masks.argmax(axis=1))
        self.masks = infos["action_mask"]
        return seen


class Stable:
    """Many games for Stable-Baselines3, on two threads."""

    def __init__(self) -> None:
        self.env = sb3.GameVecEnv(registry.load(GAME), ROWS, threads=2)
        self.env.seed(1)
        self.env.reset()

    def step(self) -> Any:
        return self.env.step(self.env.action_masks().argmax(axis=1))[0]


class Spiel:
    """A game of OpenSpiel."""

    def __init__(self) -> None:
        self.state = openspiel.load(GAME).new_initial_state()

    def step(self) -> Any:
        self.state.apply_action(self.state.legal_actions()[0])
        return np.array(self.state.history())


APIS: dict[str, type[Any]] = {kind.__name__: kind for kind in (Several, OneByOne, Solo, Vector, Stable, Spiel)}


def steps(names: list[str], handed: dict[str, Any], channel: Any) -> None:
    """Step environments that were handed on, and those that are made here, and send what they show by API."""
    shown = {}
    for name in names:
        before = [handed[name].step()] if name in handed else []
        made = APIS[name]()
        shown[name] = [*before, made.step(), made.step()]
    channel.send(shown)


def in_a_process(method: str, target: Callable[..., None], *arguments: Any) -> Any:
    """What a function sends from a process that was started so. Fails where it waits for ever."""
    context = multiprocessing.get_context(method)
    here, there = context.Pipe(duplex=False)
    process: Any = context.Process(target=target, args=(*arguments, there), daemon=True)
    process.start()
    try:
        assert here.poll(PATIENCE), f"a process by {method} waits for ever"
        return here.recv()
    finally:
        process.kill()
        process.join()


AFRESH = [method for method in METHODS if method != "fork"]
"""The ways to start a process that knows nothing of this one: all APIs may follow each other there."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("method", "names"),
    [*((method, list(APIS)) for method in AFRESH), *(("fork", [name]) for name in APIS if "fork" in METHODS)],
    ids=lambda value: value if isinstance(value, str) else value[0] if len(value) == 1 else "every",
)
def test_every_api_goes_on_in_a_process_that_was_started_after_it_had_threads(method: str, names: list[str]) -> None:
    envs = {name: APIS[name]() for name in names}
    first = {name: env.step() for name, env in envs.items()}
    handed = envs if method == "fork" else {}  # by the other methods they are made anew
    shown = in_a_process(method, steps, names, handed)
    for name, env in envs.items():
        second = env.step()
        *went_on, new, newer = shown[name]
        assert np.array_equal(new, first[name]), name
        assert np.array_equal(newer, second), name
        assert all(np.array_equal(one, second) for one in went_on), name
        assert len(went_on) == (name in handed)


@pytest.mark.thorough
@pytest.mark.parametrize("method", METHODS)
def test_gymnasium_runs_environments_in_processes_that_were_started_after_there_were_threads(method: str) -> None:
    Vector().step()
    make = [lambda: gymnasium.make("titan_env:titan_env/TitanRace-v3") for _ in range(2)]
    env = gymnasium.vector.AsyncVectorEnv(make, context=method)
    try:
        env.reset(seed=1)
        env.step_async(env.action_space.sample())
        env.step_wait(timeout=PATIENCE)
    finally:
        env.close(terminate=True)


@rule
def tripled(number: int) -> int:
    return 3 * number


def compile_and_send(channel: Any) -> None:
    """Compile a rule in a process, and send its result."""
    channel.send(tripled(7))


class Pause(Listener):  # type: ignore[misc]
    """Stops one thread whenever it begins to compile."""

    def __init__(self) -> None:
        self.compiling, self.done = threading.Event(), threading.Event()
        self.thread: threading.Thread | None = None

    def on_start(self, event: Any) -> None:
        if threading.current_thread() is self.thread:
            self.compiling.set()
            self.done.wait(PATIENCE)

    def on_end(self, event: Any) -> None:
        pass


@pytest.mark.skipif(not COMPILED or "fork" not in METHODS, reason="nothing is compiled, or nothing forks here")
def test_a_process_that_is_forked_while_a_thread_compiles_compiles_what_it_needs() -> None:
    @inline_rule
    def fourfold(number: int) -> int:
        return 4 * number

    pause, results = Pause(), []
    pause.thread = threading.Thread(target=lambda: results.append(fourfold(7)))
    with install_listener("numba:compile", pause):
        pause.thread.start()
        assert pause.compiling.wait(PATIENCE)
        try:
            assert in_a_process("fork", compile_and_send) == 21
        finally:
            pause.done.set()
            pause.thread.join()
    assert results == [28], "the thread goes on as if nothing had happened"


WAITS = """
import os, sys, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from titan_env.compiler.forks import end_with_parent
if __name__ == "__main__":
    with ProcessPoolExecutor(1, get_context("spawn"), end_with_parent) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        pool.submit(time.sleep, 3600)
        time.sleep(3600)
"""
"""A program whose worker sleeps for an hour; it prints the worker's number."""


@pytest.mark.skipif(not hasattr(os, "getpgid"), reason="no numbers of processes here")
def test_a_worker_ends_with_the_process_that_started_it_even_if_that_one_is_killed(tmp_path: Path) -> None:
    (tmp_path / "waits.py").write_text(WAITS)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(tmp_path / "waits.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        os.getpgid(worker)
        parent.kill()
    until = time.monotonic() + PATIENCE
    while lives(worker) and time.monotonic() < until:
        time.sleep(0.1)
    assert not lives(worker)


def test_a_process_that_ends_with_its_input_does_so_whatever_it_is_doing() -> None:
    program = "import time; from titan_env.compiler.forks import end_with_input; end_with_input(); time.sleep(3600)"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as child:
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(PATIENCE) == 1


def lives(number: int) -> bool:
    """Return whether there is a process with this number."""
    try:
        os.getpgid(number)
    except ProcessLookupError:
        return False
    return True


def locks_and_counts(channel: Any) -> None:
    """Count an answer of a model, and send what is counted."""
    with endpoint._counting:
        endpoint._counts["address", "model"]["tokens"] += 1
    channel.send(dict(endpoint._counts["address", "model"]))


def test_a_forked_process_counts_for_itself_though_somebody_was_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    if "fork" not in METHODS:
        pytest.skip("nothing forks here")
    monkeypatch.setitem(endpoint._counts, ("address", "model"), endpoint.Counter(tokens=7))
    counted, done = threading.Event(), threading.Event()

    def count() -> None:
        with endpoint._counting:
            counted.set()
            done.wait(PATIENCE)

    thread = threading.Thread(target=count)
    thread.start()
    counted.wait(PATIENCE)
    try:
        assert in_a_process("fork", locks_and_counts) == {"tokens": 1}
    finally:
        done.set()
        thread.join()
    assert endpoint._counts["address", "model"]["tokens"] == 7


def hold_too(folder: Path, channel: Any) -> None:
    """Try to keep a folder, and send what is said to that."""
    try:
        atomic_files.lock_folder(folder)
    except ValueError as error:
        channel.send(str(error))
    else:
        channel.send("")


@pytest.mark.thorough
@pytest.mark.parametrize("method", METHODS)
def test_a_folder_that_one_process_keeps_is_not_kept_by_those_it_starts(method: str, tmp_path: Path) -> None:
    atomic_files.lock_folder(tmp_path)
    assert "another process works in" in in_a_process(method, hold_too, tmp_path)
