"""A process and its descendants on Linux: which there are, and the processor time that they have used."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_CHILDREN_TIME = slice(13, 15)  # of the fields behind the name in /proc/PID/stat: cutime and cstime
_CLOCK_KIND, _CLOCK_BITS = 2, 3  # CPUCLOCK_SCHED of the kernel's clock ids, and the bits below the process's number


def children_of(pid: int) -> list[int]:
    """Return the children of a process that are there, also those that have ended and were not waited for."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_bytes().split())
    return found


def tree_of(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    waiting = [pid]
    while waiting:
        waiting += children_of(one := waiting.pop())
        yield one


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process, its descendants, and all those that they have waited for."""
    total = 0.0
    for one in tree_of(pid):
        with suppress(OSError):
            total += time.clock_gettime(~one << _CLOCK_BITS | _CLOCK_KIND)
            waited = Path(f"/proc/{one}/stat").read_bytes().rpartition(b")")[2].split()[_CHILDREN_TIME]
            total += sum(map(int, waited)) / os.sysconf("SC_CLK_TCK")
    return total
