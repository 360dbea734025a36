"""The referee's side of the processes of agents: it has them started, asks them within limits, and ends them."""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from titan_env import registry
from titan_env.agents.process.tree import processor_seconds, tree_of
from titan_env.contract import Game

DIED, FLOODED, ILLEGAL, LATE, PROCESSOR, UNREADABLE = CAUSES = (
    "died",
    "flooded",
    "illegal",
    "late",
    "processor",
    "unreadable",
)
"""The causes of a forfeit: the process ended, said more than its answer, answered an illegal action or no number, or
took more time or processor time than it has."""

MOST_LETTERS = 32
"""The letters of an answer."""
_ENVIRONMENT = (
    "HOME",
    "LANG",
    "LD_LIBRARY_PATH",
    "PATH",
    "PYTHONPATH",
    "TITAN_ENV_CACHE",
    "TMPDIR",
    "TZ",
)
_ENVIRONMENT_OF = ("CUDA_", "LC_", "NUMBA_", "OMP_", "XDG_")
_MESSAGE = 64  # bytes of the host's answer
_MILLI = 1e3


class Forfeited(Exception):
    """The error for a decision that an agent forfeits, with its cause, one of `CAUSES`."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


class Launcher:
    """A host (`titan_env.agents.process.host`), which starts processes for agents of one game.

    Of the referee's environment it has what programs need to run, and no keys.
    """

    def __init__(self, address: str) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        kept = {key: text for key, text in os.environ.items() if key in _ENVIRONMENT or key.startswith(_ENVIRONMENT_OF)}
        command = [sys.executable, "-c", "from titan_env.agents.process.host import main; main()", address]
        with theirs:
            self._host = subprocess.Popen(
                command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, env=kept, start_new_session=True
            )
        atexit.register(self.close)

    def ask(self, request: Mapping[str, Any], descriptors: Sequence[int] = ()) -> int:
        """Return the host's answer to a message. Raises RuntimeError if there is none."""
        with contextlib.suppress(OSError):
            socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)
            if answer := self._control.recv(_MESSAGE):
                return int(answer)
        raise RuntimeError("expected an answer of the host of agents' processes, but it has ended")

    def close(self) -> None:
        """End the host, and all that it has started."""
        self._control.close()
        self._host.wait()


@functools.cache
def _launcher(address: str, referee: int) -> Launcher:
    """Return the launcher of a game in the process `referee`."""
    return Launcher(address)


def launcher_of(game: Game) -> Launcher:
    """Return this process's launcher of a game. Raises ValueError elsewhere than on Linux."""
    if sys.platform != "linux":
        raise ValueError("expected Linux for agents in processes of their own; elsewhere play them with --trusted")
    return _launcher(registry.address(game), os.getpid())


class AgentProcess:
    """A process of an agent: requests as bytes to its standard input, lines from its standard output."""

    def __init__(self, launcher: Launcher, **request: Any) -> None:
        self._launcher = launcher
        theirs, self._requests = os.pipe()
        self._answers, others = os.pipe()
        try:
            self.pid = launcher.ask(request, (theirs, others))
        finally:
            os.close(theirs)
            os.close(others)
        os.set_blocking(self._requests, False)
        self._used = 0.0
        self.milliseconds = self.waited = 0.0
        """The processor time and the wall time of the latest request, in milliseconds."""

    def ask(self, request: bytes, seconds: float, processor: float, most: int = MOST_LETTERS) -> bytes:
        """Return the line with which the agent answers. Raises Forfeited.

        Processor time is counted from the answer before, so that thinking between requests is part of it.
        """
        began = time.perf_counter()
        try:
            answer = self._exchange(request, time.monotonic() + seconds, most)
        finally:
            used = processor_seconds(self.pid)
            self.waited = _MILLI * (time.perf_counter() - began)
            self.milliseconds = _MILLI * max(0.0, used - self._used)
            self._used = used
        if self.milliseconds > _MILLI * processor:
            raise Forfeited(PROCESSOR)
        return answer

    def _exchange(self, request: bytes, until: float, most: int) -> bytes:
        """Write a request and read a line. Raises Forfeited for other letters, the end of the process, or of time."""
        unsent, received = memoryview(request), b""
        if self._events(0) & (select.POLLIN | select.POLLHUP):
            raise Forfeited(FLOODED if os.read(self._answers, 1) else DIED)
        while True:
            if unsent:
                with contextlib.suppress(BlockingIOError):
                    try:
                        unsent = unsent[os.write(self._requests, unsent) :]
                    except BrokenPipeError:
                        raise Forfeited(DIED) from None
            if (left := until - time.monotonic()) <= 0:
                raise Forfeited(LATE)
            if not self._events(left, bool(unsent)):
                continue
            part = os.read(self._answers, most)
            if not part:
                raise Forfeited(DIED)
            received += part
            if len(received) > most or received.find(b"\n") not in (-1, len(received) - 1) or (unsent and received):
                raise Forfeited(FLOODED)
            if received.endswith(b"\n"):
                return received[:-1]

    def _events(self, seconds: float, writes: bool = False) -> int:
        """Wait until there is something to be read, or to be written with `writes`; return the events of the answer."""
        poll = select.poll()
        poll.register(self._answers, select.POLLIN)
        if writes:
            poll.register(self._requests, select.POLLOUT)
        return dict(poll.poll(_MILLI * seconds)).get(self._answers, 0)

    def end(self) -> None:
        """End the process and its descendants."""
        os.close(self._requests)
        os.close(self._answers)
        for pid in tree_of(self.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._launcher.ask({"end": self.pid})
