"""A pool of server processes, so that many games use more than one core.

A visitor's games are begun in one process, and all who play or watch there are served by it: a game's name says which
one it is. In the file of kept games, which all processes share, it finds them again after it has ended. The front
process speaks HTTP and passes questions and answers over a socket to each process.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import multiprocessing
import pickle
import signal
import socket
import sys
import traceback
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import uvicorn

from titan_env import registry
from titan_env.contract.translation import mark
from titan_env.web.requests.api import ApiRequest, ApiResponse, Backend, error_response
from titan_env.web.requests.server import Server
from titan_env.web.sessions.game_store import GameStore
from titan_env.web.sessions.session_store import SessionStore
from titan_env.web.views.translation import _

_LENGTH = 4  # the bytes of a message's length
_LONGEST_ABOUT_A_GAME = 65_536
"""The bound on the bytes of a question about a game; longer ones bring a record or position of their own."""
_PARTING = 5.0
"""The seconds that a process has to end."""
_REAPING = 0.2
"""The seconds for which the exit code of a process that is gone is waited for."""
_LOST = mark("the process that had this game has ended, and the game with it; begin another one")
_COMES_BACK = mark("the process that had this game has ended; the game was kept, and opens again in some seconds")


class Processes:
    """Several servers that answer as one, with these additional agents and games, and kept games in a folder.

    Raises ValueError for an agent that plays none of the games.
    """

    def __init__(
        self,
        count: int,
        more_agents: Sequence[str] = (),
        more_games: Sequence[str] = (),
        keeping: Path | None = None,
    ) -> None:
        Server(more_agents)  # raises in this process
        if keeping is not None:
            GameStore(keeping).close()  # so does this
        self._processes = [_Process(_Share(at, count), more_agents, more_games, keeping) for at in range(count)]

    async def answer(self, question: ApiRequest) -> ApiResponse:
        """Ask the process of the game that is asked about, for none that of this visitor."""
        return await self._processes[_share_of(_asked_about(question), len(self._processes))].answer(question)

    def is_well(self) -> bool:
        """Return whether all processes are alive."""
        return all(process.is_alive() for process in self._processes)

    def end_waiting(self) -> None:
        """Answer all requests in progress at once."""
        for process in self._processes:
            process.end_waiting()

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.close()


class _Share(NamedTuple):
    """The number of a process among all processes."""

    number: int
    processes: int


def _share_of(name: str, count: int) -> int:
    """Return which of `count` processes serves a game or visitor of this name."""
    return zlib.crc32(name.encode(errors="replace")) % count


def _asked_about(question: ApiRequest) -> str:
    """Return the name of the game that a question is about; that of its visitor if it is about none."""
    if len(question.body) > _LONGEST_ABOUT_A_GAME:
        return question.owner
    try:
        asked = json.loads(question.body or b"{}")
    except (ValueError, RecursionError):  # its process says what is wrong with it
        return question.owner
    name = asked.get("id") if isinstance(asked, dict) else None
    return name if isinstance(name, str) else question.owner


class _Process:
    """One of the server processes, from the front's side; it is restarted if it dies."""

    def __init__(
        self, share: _Share, more_agents: Sequence[str], more_games: Sequence[str], keeping: Path | None
    ) -> None:
        self._asked_for = (share, more_agents, more_games, keeping)
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[ApiResponse | None]] = {}
        self._closed = False
        self._opening: asyncio.Task[_Messages] | None = None
        self._begin()

    def _begin(self) -> None:
        self._here, there = socket.socketpair()
        spawned = multiprocessing.get_context("spawn")
        self._process = spawned.Process(target=_serve, args=(there, *self._asked_for), daemon=True)
        self._process.start()
        there.close()

    async def answer(self, question: ApiRequest) -> ApiResponse:
        """Send a question and wait for its answer; if the caller is cancelled, so is the process's work."""
        messages, number = await self._connected(), next(self._numbers)
        waiting = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            response = await waiting if messages.send(number, question) else None
            return response or error_response(503, self._why_not())
        except asyncio.CancelledError:
            messages.send(number, None)
            raise
        finally:
            self._waiting.pop(number, None)

    async def _connected(self) -> _Messages:
        """Return the connection to the process, opened by the first call."""
        if self._opening is None:
            self._opening = asyncio.create_task(_Messages(self._hear, self._begin_anew).over(self._here))
        return await asyncio.shield(self._opening)

    def _hear(self, number: int, answer: ApiResponse) -> None:
        """Hand an answer to its waiting caller."""
        if (waiting := self._waiting.get(number)) is not None and not waiting.done():
            waiting.set_result(answer)

    def _begin_anew(self) -> None:
        """Handle the end of the process: waiting callers get None, and another process begins."""
        self._let_all_go()
        self._opening = None
        if not self._closed:
            self._process.join(_REAPING)
            print(f"titan_env: {self._ending()}", file=sys.stderr, flush=True)
            self._begin()

    def _let_all_go(self) -> None:
        """Answer waiting callers that there is no answer."""
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_result(None)

    def _why_not(self) -> str:
        """Return why a question has no answer, in the visitor's language."""
        if self._closed:
            return _("the agent was stopped before it had decided")
        return _(_LOST if self._asked_for[3] is None else _COMES_BACK)

    def _ending(self) -> str:
        """Return a sentence on the end of the process, for the operator."""
        ended = f"worker process {self._process.pid} ended with exit code {self._process.exitcode}"
        keeping = self._asked_for[3]
        games = "its games are lost" if keeping is None else f"its games are opened again from {keeping}"
        return f"{ended}; another one begins, {games}"

    def is_alive(self) -> bool:
        """Return whether the process is running."""
        return self._process.is_alive()

    def end_waiting(self) -> None:
        """Answer all requests in progress at once."""
        self._closed = True
        self._let_all_go()

    def close(self) -> None:
        """End the process; call it in the event loop in which questions were asked, if any were."""
        self._closed = True
        if self._opening is not None and self._opening.done():
            self._opening.result().close()
        self._here.close()
        self._process.terminate()
        self._process.join(_PARTING)


def _serve(
    connected: socket.socket, share: _Share, more_agents: Sequence[str], more_games: Sequence[str], keeping: Path | None
) -> None:
    """Run a server in this process until the front is gone, with its share of the sessions."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the front
    first = [registry.load(game).name for game in more_games]
    sessions = SessionStore(
        most=max(1, SessionStore.most // share.processes),
        most_bytes=SessionStore.most_bytes // share.processes,
        may_be_called=lambda name: _share_of(name, share.processes) == share.number,
    )
    loop = uvicorn.Config(app="", log_level="warning").get_loop_factory()
    with asyncio.Runner(loop_factory=loop) as runner:
        store = None if keeping is None else GameStore(keeping)
        server = Server(more_agents, sessions, first, store)
        server.compile_status.begin()
        runner.run(_answer_all(connected, server))


async def _answer_all(connected: socket.socket, server: Backend) -> None:
    """Answer the questions of a socket concurrently, until it is closed."""
    answering: dict[int, asyncio.Task[None]] = {}
    closed = asyncio.Event()

    async def answer(number: int, question: ApiRequest) -> None:
        try:
            response = await server.answer(question)
        except Exception:
            traceback.print_exc()
            response = error_response(500, "Internal Server Error")
        messages.send(number, response)

    def hear(number: int, question: ApiRequest | None) -> None:
        if question is not None:
            answering[number] = asyncio.create_task(answer(number, question))
            answering[number].add_done_callback(lambda _task: answering.pop(number))
        elif number in answering:
            answering[number].cancel()

    messages = _Messages(hear, closed.set)
    await messages.over(connected)
    await closed.wait()
    server.close()


class _Messages(asyncio.Protocol):
    """Numbered, pickled messages over a socket, each after its length; both ends are this package's own processes.

    `hear` is called with each message, `lost` when the connection has ended.
    """

    def __init__(self, hear: Callable[[int, Any], None], lost: Callable[[], None]) -> None:
        self._hear, self._lost = hear, lost
        self._unread = bytearray()

    async def over(self, connected: socket.socket) -> _Messages:
        """Connect to this socket."""
        await asyncio.get_running_loop().create_connection(lambda: self, sock=connected)
        return self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)

    def send(self, number: int, what: Any) -> bool:
        """Send a message; return False if the connection is closing."""
        if self._transport.is_closing():
            return False
        message = pickle.dumps((number, what))
        self._transport.write(len(message).to_bytes(_LENGTH) + message)
        return True

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        self._unread += data
        first = 0
        while (begin := first + _LENGTH) <= len(self._unread):
            end = begin + int.from_bytes(self._unread[first:begin])
            if end > len(self._unread):
                break
            self._hear(*pickle.loads(self._unread[begin:end]))
            first = end
        del self._unread[:first]

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost()
