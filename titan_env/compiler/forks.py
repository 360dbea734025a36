"""Children of a process: renewal of its module-level state in those that are forked, and their end with it.

A fork copies memory and no thread: a pool of threads has none in the child, and a lock that another thread held is
never released there.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any


def after_fork(renew: Callable[[], Any]) -> None:
    """Call `renew` in every child that this process forks from now on; do nothing on systems without fork."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=renew)


def free_while_forking(lock: Any) -> None:
    """Let this process fork only while no thread holds a lock, so that it is free in the child."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)


def end_with_parent(at_interrupt: signal.Handlers = signal.SIG_DFL) -> None:
    """Make this process end with the process that started it, however that one ends, and at Ctrl-C unless told not to.

    With `at_interrupt` as ``signal.SIG_IGN`` the other process alone decides what Ctrl-C does.
    """
    signal.signal(signal.SIGINT, at_interrupt)
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_outlive, args=(parent,), daemon=True).start()


def end_with_input() -> None:
    """Make this process end when its standard input does: that is a pipe, whose writer is the process to end with."""

    def read_on() -> None:
        while os.read(sys.stdin.fileno(), 1):
            pass
        os._exit(1)

    threading.Thread(target=read_on, daemon=True).start()


def _outlive(parent: Any) -> None:
    """Wait until the parent process has ended, then end this one, whatever it is doing."""
    parent.join()
    os._exit(1)
