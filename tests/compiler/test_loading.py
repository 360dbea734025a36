"""Where code is only to be loaded nothing is compiled, in no thread of the block, and elsewhere as ever."""

from __future__ import annotations

import threading
from contextvars import copy_context
from functools import partial
from typing import Any

import pytest

from titan_env.compiler.jit import inline_rule
from titan_env.compiler.loading import NotKept, loading_only

pytestmark = pytest.mark.compiled


def doubled() -> Any:
    """A rule that no cache keeps."""

    @inline_rule
    def double(number: int) -> int:
        return 2 * number

    return double


def test_a_function_that_is_not_kept_is_refused_by_its_name_and_compiled_after_the_block() -> None:
    double = doubled()
    with loading_only(), pytest.raises(NotKept, match=r"expected doubled.<locals>.double in the cache, found none"):
        double(2)
    assert double(2) == 4
    with loading_only():
        assert double(3) == 6


def test_threads_that_take_the_context_with_them_compile_nothing_and_others_do() -> None:
    double, found = doubled(), []

    def call() -> None:
        try:
            found.append(double(1))
        except NotKept:
            found.append(None)

    with loading_only():
        for target in (partial(copy_context().run, call), call):
            thread = threading.Thread(target=target)
            thread.start()
            thread.join()
    assert found == [None, 2]
