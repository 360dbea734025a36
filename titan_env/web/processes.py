"""Servers in processes of their own, so that many games at once have more than one core.

A visitor always goes to the same process, which alone has their games: nothing is shared, nothing is kept twice.
Questions and answers travel over a socket to each process, as the front, which speaks HTTP, gets them.
"""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import pickle
import signal
import socket
import traceback
import zlib
from collections.abc import Callable, Sequence
from typing import Any, cast

import uvicorn

from titan_env import registry
from titan_env.web.answers import Answer, Desk, Question, complaint
from titan_env.web.rooms import Rooms
from titan_env.web.server import Server
from titan_env.web.speech import _

_LENGTH = 4  # bytes that say how long a message is
_PARTING = 5.0
"""Seconds in which a process has to end once it is told to."""


class Processes:
    """Several servers that answer as one, with these agents and games besides the usual ones.

    Raises ValueError for an agent that plays none of the games.
    """

    def __init__(self, count: int, more_agents: Sequence[str] = (), more_games: Sequence[str] = ()) -> None:
        Server(more_agents)  # complains here and now
        self._processes = [_Process(count, more_agents, more_games) for _ in range(count)]

    async def answer(self, question: Question) -> Answer:
        """Ask the process of this visitor."""
        return await self._processes[zlib.crc32(question.owner.encode()) % len(self._processes)].answer(question)

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.close()


class _Process:
    """One of `count` servers, seen from the front. It is begun anew should it end before its time."""

    def __init__(self, count: int, more_agents: Sequence[str], more_games: Sequence[str]) -> None:
        self._asked_for = (count, more_agents, more_games)
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[Answer | None]] = {}
        self._closed = False
        self._opening: asyncio.Task[_Messages] | None = None
        self._begin()

    def _begin(self) -> None:
        self._here, there = socket.socketpair()
        spawned = multiprocessing.get_context("spawn")
        self._process = spawned.Process(target=_serve, args=(there, *self._asked_for), daemon=True)
        self._process.start()
        there.close()

    async def answer(self, question: Question) -> Answer:
        """Ask, and wait for the answer; the server is told if nobody waits for it any more."""
        messages, number = await self._connected(), next(self._numbers)
        waiting = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            said = await waiting if messages.send(number, question) else None
            return said or complaint(503, _("the process that had this game has ended; begin another one"))
        except asyncio.CancelledError:
            messages.send(number, None)
            raise
        finally:
            self._waiting.pop(number, None)

    async def _connected(self) -> _Messages:
        """The way to the server. The first who asks opens it, whoever leaves meanwhile."""
        if self._opening is None:
            self._opening = asyncio.create_task(_Messages(self._hear, self._begin_anew).over(self._here))
        return await asyncio.shield(self._opening)

    def _hear(self, number: int, answer: Answer) -> None:
        """Hand out an answer."""
        if (waiting := self._waiting.get(number)) is not None and not waiting.done():
            waiting.set_result(answer)

    def _begin_anew(self) -> None:
        """The process has ended: those who wait are told, and another one begins."""
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_result(None)
        self._opening = None
        if not self._closed:
            self._begin()

    def close(self) -> None:
        """End the process; within the loop in which questions were asked, if any were."""
        self._closed = True
        if self._opening is not None and self._opening.done():
            self._opening.result().close()
        self._here.close()
        self._process.terminate()
        self._process.join(_PARTING)


def _serve(connected: socket.socket, count: int, more_agents: Sequence[str], more_games: Sequence[str]) -> None:
    """What a process does until the front is gone: it has its share of the rooms."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the front
    first = [registry.load(place).name for place in more_games]
    rooms = Rooms(most=max(1, Rooms.most // count), most_moments=Rooms.most_moments // count)
    loop = uvicorn.Config(app="", log_level="warning").get_loop_factory()
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(_answer_all(connected, Server(more_agents, rooms, first)))


async def _answer_all(connected: socket.socket, server: Desk) -> None:
    """Answer what comes over a socket, one beside the other, until it is closed."""
    answering: dict[int, asyncio.Task[None]] = {}
    closed = asyncio.Event()

    async def answer(number: int, question: Question) -> None:
        try:
            said = await server.answer(question)
        except Exception:
            traceback.print_exc()
            said = complaint(500, "Internal Server Error")
        messages.send(number, said)

    def hear(number: int, question: Question | None) -> None:
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
    """Numbered messages over a socket, each after its length. Both ends are ours, so that they may be pickled.

    `hear` is called with each, `lost` once nobody is at the other end any more.
    """

    def __init__(self, hear: Callable[[int, Any], None], lost: Callable[[], None]) -> None:
        self._hear, self._lost = hear, lost
        self._unread = bytearray()

    async def over(self, connected: socket.socket) -> _Messages:
        """Use this socket."""
        await asyncio.get_running_loop().create_connection(lambda: self, sock=connected)
        return self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)

    def send(self, number: int, what: Any) -> bool:
        """Send a message, unless nobody is there any more; whether it was sent."""
        if self._transport.is_closing():
            return False
        message = pickle.dumps((number, what))
        self._transport.write(len(message).to_bytes(_LENGTH) + message)
        return True

    def close(self) -> None:
        """Nothing more is sent or heard."""
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
