"""Nobody waits for another: compiling and searching hold nobody up, and owners of long work take turns."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.serving import RACE
from tests.web.test_agent_scheduler import within
from titan_env import registry
from titan_env.web.requests import server as server_module
from titan_env.web.requests.api import ApiRequest
from titan_env.web.requests.server import Server
from titan_env.web.sessions import fair_threads
from titan_env.web.sessions.fair_threads import MOST_EACH, FairThreads
from titan_env.web.views.game_view import GameView
from titan_env.web.views.live_game import LiveGame


async def asked(server: Server, name: str, **data: Any) -> Any:
    """The answer to a question that must go well."""
    answer = await server.answer(ApiRequest(name, "a visitor", json.dumps(data).encode(), "en"))
    assert answer.status == 200, answer
    return json.loads(answer.text)


def test_a_game_that_is_begun_is_compiled_before_the_others_and_waits_for_none_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled: list[str] = []
    go_on = threading.Semaphore(0)

    def compile_slowly(name: str) -> None:
        go_on.acquire(timeout=30)
        compiled.append(name)

    monkeypatch.setattr(server_module, "make_ready", compile_slowly)
    others = [name for name in registry.names() if name != "titan_race"]

    async def begin_meanwhile() -> None:
        server = Server(first=["titan_race"])
        games = (await asked(server, "catalogue"))["games"]
        assert games[0]["name"] == "titan_race"
        beginning = asyncio.create_task(asked(server, "begin", **RACE, names=["greedy"] * 3))
        while server.compile_status._wanted != ["titan_race"]:
            await asyncio.sleep(0.01)
        assert not beginning.done()
        for _ in range(2):
            go_on.release()
        assert (await beginning)["id"]
        assert set(compiled) <= {"titan_race", *others[:1]}
        assert (await asked(server, "progress"))["ready"] == [name for name in registry.names() if name in compiled]
        for _ in others:
            go_on.release()

    asyncio.run(begin_meanwhile())
    assert within(30, lambda: len(compiled) == len(others) + 1), "the others follow"


def test_no_question_about_a_game_is_answered_in_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rules may have to be compiled or loaded first: the loop answers /healthz meanwhile."""
    threads: dict[str, set[int]] = {}

    def watched(owner: type, name: str) -> None:
        known = getattr(owner, name)

        def watching(*given: Any, **named: Any) -> Any:
            threads.setdefault(name, set()).add(threading.get_ident())
            return known(*given, **named)

        monkeypatch.setattr(owner, name, watching)

    own = ["view", "play", "undo", "order", "hand_over", "take_over", "preview", "__init__"]
    for name in own:
        watched(LiveGame, name)
    watched(GameView, "history")

    async def play() -> int:
        server = Server()
        visitor = {"key": "", "since": 0, "agent": "random", "order": "never"}
        view = await asked(server, "begin", **RACE, names=["person", "random", "random"], practice=True)
        about = {**visitor, "id": view["id"]}
        await asked(server, "join", **about)
        for _ in range(8):
            for name in ("show", "history"):
                await asked(server, name, **about)
            view = await asked(server, "show", **about)
            action = view["actions"][0]["number"] if view["your_turn"] else 0
            for name in ("order", "hand_over", "preview", "play" if view["your_turn"] else "act"):
                data = {**about, "at": view["at"], "action": action}
                await server.answer(ApiRequest(name, "a visitor", json.dumps(data).encode(), "en"))
        await asked(server, "undo", **about)
        await asked(server, "take_over", **about)
        return threading.get_ident()

    loop = asyncio.run(play())
    assert threads.keys() == {*own, "history"}
    assert all(loop not in met for met in threads.values())


@pytest.mark.parametrize(("work", "is_quick"), [(0.0, True), (0.02, False)])
def test_an_agent_decides_in_the_event_loop_only_once_it_was_quick(
    work: float, is_quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("titan_env.web.sessions.agent_scheduler.MOMENT", 60.0)
    decide, threads = LiveGame.ask_agent, []

    def decide_slowly(live_game: LiveGame, go_on: Callable[[], None]) -> None:
        threads.append(threading.get_ident())
        begun = time.thread_time()
        while time.thread_time() - begun < work:
            pass
        decide(live_game, go_on)

    async def play() -> None:
        server = Server()
        view = await asked(server, "begin", **RACE, names=["random"] * 3)
        for at in range(4):
            await asked(server, "act", id=view["id"], at=at)

    asyncio.run(play())  # whatever is compiled has been
    monkeypatch.setattr(LiveGame, "ask_agent", decide_slowly)
    asyncio.run(play())
    assert len(threads) == 4
    here = threading.get_ident()
    assert threads[0] != here
    if not is_quick:
        assert here not in threads
    else:
        assert here in threads


def test_of_one_owner_little_is_begun_at_a_time_and_others_begin_at_once() -> None:
    threads, end = FairThreads(), threading.Event()
    begun: list[str] = []

    def work(name: str) -> None:
        begun.append(name)
        end.wait(30)

    done = [threads.submit("flooding", work, f"flooding {number}") for number in range(6)]
    done.append(threads.submit("honest", work, "honest"))
    assert within(30, lambda: "honest" in begun)
    assert begun.count("honest") == 1
    assert len(begun) <= MOST_EACH + 1
    end.set()
    for one in done:
        one.result(30)
    assert len(begun) == 7
    threads.close()


def test_long_work_lets_others_go_on_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_threads, "SLICE", 0.0)
    threads = FairThreads(turns=1)
    began, ended = threading.Event(), threading.Event()

    def work_on() -> None:
        began.set()
        end = time.monotonic() + 30
        while not ended.is_set() and time.monotonic() < end:
            threads.let_others_work()
            time.sleep(0.001)

    long = threads.submit("flooding", work_on)
    assert began.wait(30)
    threads.submit("honest", ended.set).result(30)
    long.result(30)
    assert ended.is_set()
    threads.close()


def test_work_that_is_stopped_leaves_nothing_of_what_it_had_in_memory() -> None:
    class Tree:
        pass

    def search() -> None:
        tree = Tree()
        grown.append(weakref.ref(tree))
        raise ZeroDivisionError

    grown: list[weakref.ref[Tree]] = []
    threads = FairThreads()
    error = threads.submit("one", search).exception(30)
    threads.close()
    assert error is not None
    assert grown[0]() is None


def test_a_failure_is_told_and_what_has_not_begun_is_dropped_at_the_end() -> None:
    threads, began, end = FairThreads(turns=1), threading.Event(), threading.Event()

    def fail() -> None:
        began.set()
        end.wait(30)
        raise ZeroDivisionError

    failing = threads.submit("one", fail)
    assert began.wait(30)
    waiting = [threads.submit("one", end.wait, 30) for _ in range(3)]
    threads.close()
    end.set()
    with pytest.raises(ZeroDivisionError):
        failing.result(30)
    assert waiting[-1].cancelled()
    threads.let_others_work()  # outside of the threads nothing happens
