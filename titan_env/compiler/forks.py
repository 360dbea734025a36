"""Renewal of a process's module-level state in forked children.

A fork copies memory and no thread: a pool of threads has none in the child, and a lock that another thread held is
never released there.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


def after_fork(renew: Callable[[], Any]) -> None:
    """Call `renew` in every child that this process forks from now on; do nothing on systems without fork."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=renew)
