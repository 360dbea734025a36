"""Nobody waits on the page: a game that is ready needs no compiler, and what one needs runs in another process.

``pytest -s`` prints the slowest answer of /healthz while all games are made ready, and the memory of that server.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from numba.core.compiler_lock import _CompilerLock

from tests.compiler.programs import ROOT, run_python
from titan_env import registry
from titan_env.contract import Game
from titan_env.web.requests.api import ApiRequest, ApiResponse
from titan_env.web.requests.rehearsal import Rehearsal
from titan_env.web.requests.server import HANDLERS, Server
from titan_env.web.sessions.compile_status import _call_in_child

pytestmark = pytest.mark.compiled

MOST_MEMORY = 350  # MB of a server with all games
OF_ALL_GAMES = {"catalogue", "mine", "progress"}
BY_GAME = {"hand_over", "order", "guide", "example", "rules", "branch"}
"""The requests that games may refuse: not every game has runs of questions, reactions, a guide, pages
of rules; branches are offered where nothing is hidden from their owner."""
WITHOUT_ANYTHING_KEPT = """
import sys
from numba.core import event
import titan_env.compiler.dispatchers  # what it refuses to compile does not come to the recorder
from titan_env.web.requests.server import make_ready
from titan_env.web.sessions.compile_status import CompileStatus

with event.install_recorder("numba:compile") as recorder:
    CompileStatus(make_ready)._load(sys.argv[1])
print(*(one.data["dispatcher"].py_func.__qualname__ for _time, one in recorder.buffer if one.is_start))
"""

ALL_GAMES = """
import http.client, time
import psutil
from tests.web.serving import serving
from titan_env import registry
from titan_env.web.requests.server import Server

server, longest = Server(), 0.0
with serving(server) as address:
    asked = http.client.HTTPConnection(address.removeprefix("http://"))
    server.compile_status.begin()
    while len(server.compile_status.progress()["ready"]) < len(registry.names()):
        began = time.perf_counter()
        asked.request("GET", "/healthz")
        assert asked.getresponse().read() == b'{"status":"ok"}'
        longest = max(longest, time.perf_counter() - began)
        time.sleep(0.002)
    asked.close()
    print(f"{longest:.4f} {psutil.Process().memory_info().rss / 1e6:.0f}")
"""


class WatchedServer(Server):
    """A server that counts, by the name of the request, how often the compiler's lock is entered meanwhile."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.entries: Counter[str] = Counter()
        self.in_the_loop: Counter[str] = Counter()
        self.statuses: defaultdict[str, set[int]] = defaultdict(set)
        self._route, self._loop = "", 0
        acquire = _CompilerLock.acquire

        def counted(lock: Any) -> Any:
            if self._route:
                self.entries[self._route] += 1
                self.in_the_loop[self._route] += threading.get_ident() == self._loop
            return acquire(lock)

        monkeypatch.setattr(_CompilerLock, "acquire", counted)

    async def answer(self, question: ApiRequest) -> ApiResponse:
        """Answer a question, and count."""
        self._route, self._loop = question.name, threading.get_ident()
        statuses = self.statuses[question.name]
        answer = await super().answer(question)
        statuses.add(answer.status)
        self._route = ""
        return answer

    def play(self, game: Game, seed: int) -> Counter[str]:
        """Play a short game through every route; return the entries by route."""
        self.entries.clear()
        asyncio.run(Rehearsal(self, HANDLERS, game, seed).play())
        return self.entries


@pytest.mark.thorough
@pytest.mark.parametrize("name", registry.names())
def test_no_request_about_a_game_that_is_ready_enters_the_lock_of_the_compiler(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, game = WatchedServer(monkeypatch), registry.load(name)
    server.play(game, 0)
    assert +server.in_the_loop == Counter(), "the event loop never does, not even the first time"
    for seed in (0, 1):
        assert server.play(game, seed) == {}
    assert HANDLERS.keys() - server.statuses.keys() <= OF_ALL_GAMES | BY_GAME
    answered = {name for name, statuses in server.statuses.items() if 200 in statuses}
    assert server.statuses.keys() - answered <= BY_GAME
    assert set().union(*server.statuses.values()) <= {200, 400}


@pytest.mark.thorough
def test_a_child_compiles_what_is_not_kept_and_the_server_only_loads(tmp_path: Path) -> None:
    loaded = run_python(ROOT, tmp_path, "-c", WITHOUT_ANYTHING_KEPT, "tests.games.pig:GAME")
    assert loaded.stdout.split() == []
    assert "compiling the rules of" in loaded.stderr
    assert list(tmp_path.rglob("*.compiled"))


@pytest.mark.thorough
def test_a_server_with_all_games_takes_little_memory_and_is_well_while_they_are_made_ready() -> None:
    printed = subprocess.run([sys.executable, "-c", ALL_GAMES], cwd=ROOT, capture_output=True, text=True, check=True)
    longest, memory = printed.stdout.split()
    print(f"slowest /healthz meanwhile: {longest} s; resident memory: {memory} MB")
    assert int(memory) <= MOST_MEMORY


def write_process(path: str) -> None:
    """Write the number of this process into a new file."""
    with Path(path).open("x", encoding="utf-8") as file:
        file.write(str(os.getpid()))


def test_a_child_calls_a_function_of_a_module_and_its_failure_is_told(tmp_path: Path) -> None:
    path = tmp_path / "it's here"
    _call_in_child(write_process, str(path))
    assert int(path.read_text("utf-8")) != os.getpid()
    with pytest.raises(subprocess.CalledProcessError):
        _call_in_child(write_process, str(path))
