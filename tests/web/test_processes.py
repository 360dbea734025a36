"""Several processes answer as one server: a visitor's games stay together, and no process takes the others with it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import psutil  # type: ignore[import-untyped]
import pytest

from tests.web.serving import RACE, serving
from tests.web.test_agent_scheduler import SLOW, within
from titan_env.contract.translation import use_language
from titan_env.web.hosting.processes import Processes, _answer_all, _Messages
from titan_env.web.requests.api import ApiRequest, ApiResponse

pytestmark = pytest.mark.thorough

LONG = 120
"""Seconds that a process may take to begin or to end on a busy machine."""
QUESTION = ApiRequest("show", "a visitor", b"{}", "en")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Processes(2, [SLOW])) as address:
        yield address
    assert within(LONG, lambda: not answering()), "the processes end with the server"


@pytest.fixture
def visitors(address: str) -> Iterator[list[httpx2.Client]]:
    """Six browsers with these secrets, which both processes share."""
    secrets = [f"{number:043}" for number in range(6)]
    browsers = [httpx2.Client(base_url=address, timeout=60, cookies={"seat": secret}) for secret in secrets]
    yield browsers
    for browser in browsers:
        browser.close()


def ask(browser: httpx2.Client, name: str, **data: Any) -> tuple[int, Any]:
    """Status and answer."""
    answer = browser.post(f"/api/{name}", json=data)
    return answer.status_code, answer.json()


def begun(browser: httpx2.Client, *names: str) -> dict[str, Any]:
    """A game that has begun: what to ask for a decision."""
    status, view = ask(browser, "begin", **RACE, names=names)
    assert status == 200, view
    return {"id": view["id"], "at": view["at"]}


def answering() -> list[psutil.Process]:
    """The processes that answer, of all servers of this test run, in no order."""
    living = [one for one in psutil.Process().children() if one.status() != psutil.STATUS_ZOMBIE]
    return [one for one in living if "spawn_main" in " ".join(one.cmdline())]


def test_everybody_finds_their_own_game_and_nobody_elses(visitors: list[httpx2.Client]) -> None:
    games = [begun(visitor, "greedy", "greedy", "greedy") for visitor in visitors]
    for _ in range(2):
        for visitor, game in zip(visitors, games, strict=True):
            status, view = ask(visitor, "act", **game)
            assert (status, view["at"]) == (200, game["at"] + 1)
            game["at"] = view["at"]
    for visitor, other in zip(visitors, games[1:] + games[:1], strict=True):
        assert ask(visitor, "show", id=other["id"])[0] == 404


def test_guests_of_a_game_come_to_the_process_that_has_it(visitors: list[httpx2.Client]) -> None:
    for owner in visitors[:2]:
        game = begun(owner, "person", "random", "random")
        key = ask(owner, "invite", id=game["id"])[1]["key"]
        for guest in visitors:
            status, view = ask(guest, "join", id=game["id"], key=key)
            assert (status, view["together"]["owner"]) == (200, guest is owner)


def test_what_is_wrong_with_a_question_is_said_as_by_one_server(visitors: list[httpx2.Client]) -> None:
    assert ask(visitors[0], "show", id="none")[0] == 404
    status, answer = ask(visitors[0], "begin", game="chess")
    assert (status, "expected a game among" in answer["error"]) == (400, True)
    french = visitors[0].post("/api/show", json={"id": "none"}, headers={"accept-language": "fr"}).json()
    assert "une de vos parties" in french["error"]


def test_an_agent_that_thinks_is_stopped_from_elsewhere(visitors: list[httpx2.Client]) -> None:
    game, heard = begun(visitors[0], SLOW, SLOW, SLOW), []
    other = httpx2.Client(base_url=visitors[0].base_url, timeout=60, cookies=visitors[0].cookies)
    waiting = threading.Thread(target=lambda: heard.append(ask(visitors[0], "act", **game)))
    waiting.start()
    assert within(LONG, lambda: ask(other, "stop", id=game["id"]) == (200, {}) and bool(heard))
    waiting.join(20)
    other.close()
    assert heard[0][0] == 503
    assert "was stopped" in heard[0][1]["error"]


def test_a_process_is_told_that_nobody_waits_any_more() -> None:
    """The front cancels what it has asked; the server at the other end sees the same."""
    working, cancelled = asyncio.Event(), asyncio.Event()

    class Waits:
        async def answer(self, question: ApiRequest) -> ApiResponse:
            working.set()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.set()
                raise
            return ApiResponse(200, b"")

        def close(self) -> None:
            pass

    async def leave() -> None:
        async with asyncio.timeout(20):
            messages, _heard, serving = await connected(Waits())
            messages.send(7, QUESTION)
            await working.wait()
            messages.send(7, None)
            await cancelled.wait()
            messages.close()
            await serving

    asyncio.run(leave())


def test_a_server_that_fails_says_so_and_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    class Fails:
        async def answer(self, question: ApiRequest) -> ApiResponse:
            raise ZeroDivisionError(question.name)

        def close(self) -> None:
            pass

    async def twice() -> None:
        async with asyncio.timeout(20):
            messages, heard, serving = await connected(Fails())
            for number in range(2):
                messages.send(number, QUESTION)
                assert (await heard.get())[1].status == 500
            messages.close()
            await serving

    asyncio.run(twice())
    assert capsys.readouterr().err.count("ZeroDivisionError: show") == 2


async def connected(server: Any) -> tuple[_Messages, asyncio.Queue[Any], asyncio.Task[None]]:
    """The front's end of a socket at whose other end a server answers, and what is heard there."""
    here, there = socket.socketpair()
    serving, heard = asyncio.create_task(_answer_all(there, server)), asyncio.Queue[Any]()
    messages = _Messages(lambda *message: heard.put_nowait(message), lambda: None)
    return await messages.over(here), heard, serving


def test_a_process_that_ends_takes_its_games_with_it_and_no_others(visitors: list[httpx2.Client]) -> None:
    games = [begun(visitor, "greedy", "greedy", "greedy") for visitor in visitors]

    def found() -> list[int]:
        return [ask(visitor, "show", id=game["id"])[0] for visitor, game in zip(visitors, games, strict=True)]

    assert found() == [200] * len(visitors)
    lost = answering()[0]
    lost.kill()
    assert within(LONG, lambda: 404 in found()), "whoever asks finds another process in its place"
    assert set(found()) == {200, 404}, "the other one has its games"
    assert within(LONG, lambda: len(answering()) == 2)
    for visitor in visitors:
        begun(visitor, "greedy", "greedy", "greedy")


async def in_words_of(language: str, processes: Processes) -> ApiResponse:
    """An answer to a visitor who speaks a language."""
    with use_language(language):
        return await processes.answer(QUESTION)


def test_a_process_that_has_ended_before_anybody_asked_keeps_nobody_waiting() -> None:
    async def ask_many() -> None:
        with contextlib.closing(Processes(1)) as processes:
            (only,) = processes._processes
            only._process.kill()
            only._process.join()
            async with asyncio.timeout(60):
                first = await asyncio.gather(*(in_words_of(language, processes) for language in ("en", "fr", "en")))
                assert [answer.status for answer in first] == [503] * 3
                assert [b"processus" in answer.text for answer in first] == [False, True, False]
                while (answer := await processes.answer(QUESTION)).status == 503:
                    await asyncio.sleep(0.05)
            assert answer.status == 404, "another process has begun, and has no such game"

    asyncio.run(ask_many())


def test_a_process_that_ends_loses_no_kept_game_and_the_operator_reads_of_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    others = answering()
    with serving(Processes(1, keeping=tmp_path)) as address, httpx2.Client(base_url=address, timeout=60) as visitor:
        visitor.get("/")
        game = begun(visitor, "greedy", "greedy", "greedy")
        assert ask(visitor, "act", **game)[0] == 200
        (lost,) = (one for one in answering() if one not in others)
        lost.kill()
        assert within(LONG, lambda: ask(visitor, "show", id=game["id"])[0] == 200)
        assert ask(visitor, "show", id=game["id"])[1]["at"] == game["at"] + 1
    errors = capfd.readouterr().err
    assert f"worker process {lost.pid} ended with exit code -9; another one begins" in errors
    assert f"its games are opened again from {tmp_path}" in errors
