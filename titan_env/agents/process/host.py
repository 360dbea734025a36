"""Start the processes of agents for a referee, and run agents from Python files in them.

The referee starts this process with the address of a game. Standard input is a socket, with a message for each process
to be started or ended. This one has loaded NumPy and the game, and nothing of the referee; every other one is forked
from it, with a session and descriptors of its own. Orphans of an agent come back to it, and are ended with it.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import socket
import sys
import sysconfig
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from titan_env import agents, registry
from titan_env.agents.name_grammar import quoted
from titan_env.agents.process.tree import children_of
from titan_env.compiler import cache
from titan_env.contract import Game
from titan_env.extras import PACKAGE
from titan_env.play.agent_calls import needs_of
from titan_env.play.determinization import Determinizations
from titan_env.records.sealed import reason_of

_MOST_LETTERS = 1 << 16  # of a message
_PR_SET_CHILD_SUBREAPER = 36
_REQUEST, _ANSWER, _NOBODY = range(3)  # descriptors of an agent's process
_SYSTEM = ("/proc", "/sys", "/dev")


def main() -> None:
    """Start and end processes as the referee asks, until it is gone."""
    game = registry.load(sys.argv[1])
    control = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # os.fork warns of the threads of NumPy's libraries, which expect it
    _adopt_orphans()
    gc.freeze()
    running: set[int] = set()
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, _MOST_LETTERS, 2)
        if not message:
            break
        request = json.loads(message)
        pid = request.get("end", 0)
        if pid:
            running.discard(pid)
            _end(pid, running)
        else:
            pid = os.fork()
            if not pid:
                control.close()
                _become_agent(game, request, *descriptors)
            running.add(pid)
        for descriptor in descriptors:
            os.close(descriptor)
        control.send(str(pid).encode())
    for pid in [*running]:
        running.discard(pid)
        _end(pid, running)


def _adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end(pid: int, running: set[int]) -> None:
    """End the process of an agent, and all that come back to this one and do not run for another agent."""
    ending = {pid}
    while ending:
        for one in ending:
            for kill in (os.killpg, os.kill):
                with suppress(ProcessLookupError, PermissionError):
                    kill(one, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(one, 0)
        ending = set(children_of(os.getpid())) - running


def _become_agent(game: Game, start: dict[str, Any], request: int, answer: int) -> None:
    """Turn this process into that of an agent, and end with it."""
    try:
        os.setsid()
        _adopt_orphans()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        nobody = os.open(os.devnull, os.O_RDWR)
        for descriptor, number in ((request, _REQUEST), (answer, _ANSWER), (nobody, _NOBODY)):
            os.dup2(descriptor, number)
        os.closerange(_NOBODY + 1, os.sysconf("SC_OPEN_MAX"))
        if start["program"]:
            os.execvp(start["program"][0], start["program"])
        _answer(game, start["path"], start["report"])
    finally:
        os._exit(0)


def _answer(game: Game, path: str, report: bool) -> None:
    """Answer the referee's requests with the agent in a Python file; with `report` say first what it consists of."""
    requests, answers = os.fdopen(_REQUEST, "rb"), os.fdopen(os.dup(_ANSWER), "wb", buffering=0)
    os.dup2(_NOBODY, _ANSWER)  # an agent that prints does not answer
    *_, fields, actions, state, increment = map(int, requests.readline().split()[3:])
    rng = np.random.Generator(np.random.PCG64())
    begun = {"state": state, "inc": increment}
    rng.bit_generator.state = {"bit_generator": "PCG64", "state": begun, "has_uint32": 0, "uinteger": 0}
    opened, modules = _opened_from_now_on(), set(sys.modules)
    try:
        agent: Any = agents.load(f"python:{quoted(path)}", game)
        plans = needs_of(agent).plans
    except Exception as error:  # any error: code of others raises anything
        answers.write(f"{type(error).__name__}: {reason_of(error)}".replace("\n", " ").encode() + b"\n")
        return
    facts = {"files": sorted(_own_files(opened, modules)), "plans": plans}
    answers.write(f"ready{f' {json.dumps(facts)}' if report else ''}\n".encode())
    begins, size = 4 * fields + actions, 4 * fields + actions + plans * game.rules.state.itemsize
    while len(seen := requests.read(size)) == size:
        observations = np.frombuffer(seen, "<f4", fields).astype(np.float32)[None]
        masks = np.frombuffer(seen, np.int8, actions, 4 * fields).copy()[None]
        imagined = [_worlds(game, seen[begins:], rng)] if plans else []
        answers.write(f"{int(agent(observations, masks, rng, *imagined)[0])}\n".encode())


def _worlds(game: Game, record: bytes, rng: np.random.Generator) -> Determinizations:
    """Return the worlds of a decision, imagined from the imagined position in a record."""
    return Determinizations(game, np.frombuffer(record, game.rules.state).view(np.recarray), rng)


def _opened_from_now_on() -> set[str]:
    """Return a set that from now on gets the path of each file that this process opens to read."""
    opened: set[str] = set()

    def hook(event: str, given: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(given[0], str | bytes | os.PathLike) and not given[2] & os.O_ACCMODE:
            with suppress(ValueError, OSError):
                opened.add(os.path.abspath(os.fsdecode(given[0])))

    sys.addaudithook(hook)
    return opened


def _own_files(opened: set[str], known: set[str]) -> Iterator[str]:
    """Yield the files that were opened, and those of modules that are new, without those of installed libraries."""
    new = {name: getattr(sys.modules[name], "__file__", None) or "" for name in set(sys.modules) - known}
    ours = {file for name, file in new.items() if name.partition(".")[0] == PACKAGE}
    installed = [sysconfig.get_paths()[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib")]
    left_out = tuple(f"{folder}{os.sep}" for folder in (*installed, *_SYSTEM, str(cache.root())))
    for file in {*opened, *new.values()}:
        if Path(file).suffix != ".pyc" and Path(file).is_file() and (file in ours or not file.startswith(left_out)):
            yield file
