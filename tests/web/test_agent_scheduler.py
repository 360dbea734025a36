"""No visitor stops the others: thinking has a limit, can be stopped, and holds up nobody who does not wait for it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import numpy as np
import pytest

from tests.web.serving import RACE, Visitor, serving
from titan_env.web.requests.server import Server
from titan_env.web.sessions.agent_scheduler import AgentScheduler

pytestmark = pytest.mark.thorough

SLOW = "mcts:seconds=600"
NAMES = [SLOW, SLOW, SLOW]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What planners need is compiled before anybody looks at the clock."""
    quick = Visitor(Server(["mcts:4"]))
    view = quick.do("begin", **RACE, names=["mcts:4"] * 3)
    for at in range(3):
        quick.do("act", id=view["id"], at=at)


def within(seconds: float, happened: Callable[[], bool]) -> bool:
    """Whether it happens soon."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not happened():
        time.sleep(0.02)
    return happened()


@asynccontextmanager
async def browser(address: str) -> AsyncIterator[httpx2.AsyncClient]:
    """A visitor who asks many things at once."""
    many = httpx2.Limits(max_connections=None)
    async with httpx2.AsyncClient(base_url=address, timeout=60, limits=many) as client:
        await client.get("/")
        yield client


def is_thinking(server: Server) -> bool:
    """Whether any agent does."""
    return any(not thought.decided.done() for thought in server.scheduler._thoughts.values())


def begun(visitor: Visitor) -> dict[str, Any]:
    """What to ask for a decision that takes long."""
    view = visitor.do("begin", **RACE, names=NAMES)
    while len(view["actions"]) == 1:
        view = visitor.do("act", id=view["id"], at=view["at"]) | {"id": view["id"]}
    return {"id": view["id"], "at": view["at"]}


def test_a_hundred_requests_for_a_slow_agent_stop_nobody_and_end_with_those_who_asked() -> None:
    server = Server([SLOW])
    server.scheduler = AgentScheduler(patience=0.2)

    async def many(address: str) -> None:
        async with browser(address) as client, asyncio.TaskGroup() as group:
            typed = {**RACE, "names": NAMES}
            identity = (await client.post("/api/begin", json=typed)).json()["id"]
            asked = {"id": identity, "at": 0}
            waiting = [group.create_task(client.post("/api/act", json=asked)) for _ in range(100)]
            await asyncio.sleep(1)
            waited = []
            for seed in range(5):
                began = time.monotonic()
                other = (await client.post("/api/begin", json={**RACE, "seed": seed, "names": ["greedy"] * 3})).json()
                for at in range(3):
                    assert (await client.post("/api/act", json={"id": other["id"], "at": at})).status_code == 200
                waited.append(time.monotonic() - began)
            assert np.median(waited) < 5
            assert len(server.scheduler._thoughts) <= 6
            assert not any(task.done() for task in waiting)
            assert is_thinking(server)
            for task in waiting:
                task.cancel()

    with serving(server) as address:
        asyncio.run(many(address))
        assert within(20, lambda: not is_thinking(server)), "those who have asked are gone"


def test_thinking_has_a_limit() -> None:
    server = Server([SLOW])
    server.scheduler = AgentScheduler(longest=0.2)
    visitor = Visitor(server)
    asked = begun(visitor)
    status, answer = visitor.ask("act", **asked)
    assert (status, "has not decided within 0.2 seconds" in answer["error"]) == (503, True)
    assert visitor.do("show", id=asked["id"])["at"] == asked["at"], "the game is as it was"


@pytest.mark.parametrize("how", ["stop", "undo"])
def test_thinking_can_be_stopped(how: str) -> None:
    server = Server([SLOW])
    visitor, other = Visitor(server), Visitor(server)
    other.client.cookies = visitor.client.cookies
    asked = begun(visitor)
    heard: list[Any] = []
    waiting = threading.Thread(target=lambda: heard.append(visitor.ask("act", **asked)))
    waiting.start()
    assert within(10, lambda: is_thinking(server))
    other.ask(how, id=asked["id"])
    waiting.join(20)
    assert heard[0][0] == 503
    assert "was stopped" in heard[0][1]["error"]
    assert not is_thinking(server)


def test_a_second_request_for_a_decision_joins_the_first() -> None:
    async def twice(address: str) -> None:
        async with browser(address) as client:
            typed = {**RACE, "names": ["mcts:seconds=1"] * 3}
            identity = (await client.post("/api/begin", json=typed)).json()["id"]
            asked = {"id": identity, "at": 0}
            answers = await asyncio.gather(*(client.post("/api/act", json=asked) for _ in range(2)))
            assert [answer.json()["last"] for answer in answers] == [1, 1]

    with serving(Server(["mcts:seconds=1"])) as address:
        asyncio.run(twice(address))
