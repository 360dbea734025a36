"""Two hundred people at once, each with races of their own. Figures: ``pytest -s tests/web/test_server_load.py``.

First nobody waits between an answer and the next request, which shows how many answers there are at most. With
``PACED_LOAD=15`` people then come one after the other and ask at regular times for so many seconds, 400 times in a
second together, which shows how long an answer takes under that load; it counts from when the request was due, so that
one that waits for a late answer before it is late as well.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil  # type: ignore[import-untyped]
import pytest

from titan_env import registry
from titan_env.engine.game_setup import GameSetup
from titan_env.web.views.live_game import LiveGame

pytestmark = pytest.mark.thorough

PEOPLE = 200
PROCESSES = 2
GOAL = 400
"""Answers in a second."""
PACED, COMING = float(os.environ.get("PACED_LOAD", "0")), 5.0
"""Seconds of play at regular times, and those in which people come, one after the other."""
WARMED = 8
"""Visitors of before, that every process has compiled what it needs."""
OPTIONS = {"titans": 3, "turn_limit": 1}
NAMES = ["person", "greedy", "random"]


class Visitor:
    """A person with a browser, who always takes the n-th of the legal actions, around the end.

    It speaks no more HTTP than it must, as on two cores it takes what the server could have.
    """

    def __init__(self, number: int, beat: float = 0.0) -> None:
        self.number = number
        self.waited: list[float] = []
        self.picture: int | None = None
        self.beat = beat
        """Seconds between its requests; 0: it asks again at once."""
        self.due = 0.0

    async def come(self, port: int) -> None:
        """Open the page, whose cookie is sent with everything that follows."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", port)
        heading, _page = await self._exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self._cookie = heading.partition("set-cookie: ")[2].partition(";")[0]

    async def ask(self, name: str, **data: Any) -> Any:
        """The answer; how long it took is written down."""
        began = time.perf_counter()
        if self.beat:
            await asyncio.sleep(self.due - began)
            began, self.due = self.due, self.due + self.beat
        body = json.dumps({**data, "has": self.picture, "in_words": False})  # as the page asks
        about = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nCookie: {self._cookie}\r\n"
        asked = f"POST /api/{name} HTTP/1.1\r\nHost: localhost\r\n{about}\r\n{body}"
        heading, answer = await self._exchange(asked)
        self.waited.append(time.perf_counter() - began)
        assert heading.startswith("HTTP/1.1 200"), answer
        parsed = json.loads(answer)
        self.picture = parsed.get("picture")
        return parsed

    async def _exchange(self, asked: str) -> tuple[str, bytes]:
        """What the server answers: heading and body."""
        self._writer.write(asked.encode())
        heading = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        length = int(heading.partition("content-length: ")[2].partition("\r\n")[0])
        return heading, await self._reader.readexactly(length)

    async def warm(self, port: int) -> None:
        """Come, and wait until the rules are compiled: that is no part of what is measured."""
        await self.come(port)
        await self.ask("catalogue")
        while len((progress := await self.ask("progress"))["ready"]) < progress["games"]:
            await asyncio.sleep(0.2)
        await self.play()
        self.leave()

    def leave(self) -> None:
        """Close the browser."""
        self._writer.close()

    async def play_in_time(self, seconds: float) -> None:
        """Play race after race for so long, asking at regular times, each visitor at times of its own."""
        self.due = time.perf_counter() + self.number / PEOPLE * COMING
        end = self.due + seconds
        while self.due < end:
            await self.play()

    async def play(self) -> str:
        """A whole race; its record."""
        typed = {name: str(value) for name, value in OPTIONS.items()}
        view = await self.ask("begin", game="titan_race", options=typed, names=NAMES, seed=self.number)
        identity = view["id"]
        while view["asked"] is not None:
            if view["your_turn"]:
                legal = [action["number"] for action in view["actions"]]
                action = legal[self.number % len(legal)]
                view = await self.ask("play", id=identity, action=action, at=view["at"])
            else:
                view = await self.ask("act", id=identity, at=view["at"])
        return str((await self.ask("record", id=identity))["text"])


@contextmanager
def served(folder: Path) -> Iterator[tuple[int, psutil.Process]]:
    """The server as a command of its own while the block runs, keeping games: its port, and the process in front."""
    command = [sys.executable, "-m", "titan_env", "web", "--port", "0", "--processes", str(PROCESSES)]
    command += ["--keep", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            port = int(server.stdout.readline().partition("/ (")[0].rpartition(":")[2])
            yield port, psutil.Process(server.pid)
        finally:
            server.terminate()


def worked(process: psutil.Process) -> float:
    """Seconds for which a processor has worked for a process."""
    times = process.cpu_times()
    return float(times.user + times.system)


def all_waited(visitors: list[Visitor]) -> Any:
    """How long all answers took, in milliseconds."""
    return 1000 * np.concatenate([visitor.waited for visitor in visitors])


def percentiles(waited: Any) -> str:
    """How long answers took, from milliseconds."""
    median, most = np.percentile(waited, [50, 95])
    return f"median {median:.0f} ms, 95 % within {most:.0f} ms"


def played_alone(number: int) -> str:
    """The record of the race that a visitor must have had."""
    live_game = LiveGame(GameSetup.of(registry.load("titan_race"), OPTIONS), NAMES, number, practice=False)
    while not live_game.session.is_over:
        if int(live_game.session.state.seat) == 0:
            legal = np.flatnonzero(live_game.session.mask)
            live_game.play(int(legal[number % len(legal)]), len(live_game.moments) - 1, frozenset({0}))
        else:
            live_game.ask_agent(lambda: None)
    return live_game.record


def test_two_hundred_people_at_once_each_have_the_race_they_would_have_had_alone(tmp_path: Path) -> None:
    visitors = [Visitor(number) for number in range(PEOPLE)]
    regulars = [Visitor(number, PEOPLE / GOAL) for number in range(PEOPLE if PACED else 0)]

    async def all_of_them(port: int) -> tuple[list[str], float]:
        for number in range(PEOPLE, PEOPLE + WARMED):
            await Visitor(number).warm(port)
        await asyncio.gather(*(visitor.come(port) for visitor in visitors))
        processes.extend([server, *server.children(recursive=True)])
        before.extend(worked(process) for process in processes)
        began = time.perf_counter()
        records = await asyncio.gather(*(visitor.play() for visitor in visitors))
        seconds = time.perf_counter() - began
        shares.extend(worked(process) - begun for process, begun in zip(processes, before, strict=True))
        await asyncio.gather(*(visitor.come(port) for visitor in regulars))
        await asyncio.gather(*(visitor.play_in_time(PACED) for visitor in regulars))
        for visitor in (*visitors, *regulars):
            visitor.leave()
        return records, seconds

    before: list[float] = []
    shares: list[float] = []
    processes = [psutil.Process()]
    with served(tmp_path) as (port, server):
        records, seconds = asyncio.run(all_of_them(port))
    assert records == [played_alone(number) for number in range(PEOPLE)]
    assert len(set(records)) == PEOPLE
    waited = all_waited(visitors)
    rate = f"{len(waited):,} answers in {seconds:.1f} s, {len(waited) / seconds:,.0f}/s (goal: {GOAL})"
    print(f"\n{PEOPLE} games at once: {rate}, {percentiles(waited)}.")
    visitors_ms, front_ms, *answering = (1000 * share / len(waited) for share in shares)
    spent = (
        f"An answer takes {front_ms:.2f} ms in front, {sum(answering):.2f} ms in the {PROCESSES} processes that answer"
    )
    print(f"{spent}, and {visitors_ms:.2f} ms of the visitors' processor.")
    if regulars:
        in_time = all_waited(regulars)
        print(f"At {GOAL} requests/s for {PACED:.0f} s: {len(in_time):,} answers, {percentiles(in_time)} (goal: 500).")
