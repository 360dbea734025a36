"""Measure which tests of ``make test`` call which functions, as a plugin of pytest: ``-p tools.reaching_tests``.

``REACHED`` names a JSON file: before, a list of functions as ``[file, first line]``; afterwards, each test function
that passes, with the processor's seconds that it takes and the numbers of the functions in that list that it calls.
All cases of a test count as one. What a fixture of a file calls counts for each test of the file. Calls within
compiled code, and those of other processes, are not seen.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

NAME = "REACHED"


class Reached:
    """The tests that have run so far, with their seconds and the functions that they call."""

    def __init__(self, path: Path) -> None:
        self._path = path
        locations: list[list[Any]] = json.loads(path.read_text("utf-8"))
        self._numbers = {(file, line): number for number, (file, line) in enumerate(locations)}
        self._files = {file for file, _ in self._numbers}
        self._tests: dict[str, set[int]] = {}
        self._fixtures: dict[str, set[int]] = {}
        self._seconds: dict[str, float] = {}
        self._failed: set[str] = set()
        self._current: set[int] = set()

    def _call(self, frame: FrameType, event: str, argument: object) -> None:
        """Note the call of a function, as `sys.settrace` tells it."""
        code = frame.f_code
        if code.co_filename in self._files:
            number = self._numbers.get((code.co_filename, code.co_firstlineno))
            if number is not None:
                self._current.add(number)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Run a test, and note what it calls and takes."""
        name = item.nodeid.partition("[")[0]
        self._current = self._tests.setdefault(name, set())
        begun = os.times()
        threading.settrace(self._call)
        sys.settrace(self._call)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]
            self._seconds[name] = self._seconds.get(name, 0) + sum(os.times()[:4]) - sum(begun[:4])

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, Any, Any]:
        """Note what a fixture of several tests calls for all tests of its file."""
        if fixturedef.scope == "function":
            return (yield)
        before = self._current
        self._current = self._fixtures.setdefault(request.node.nodeid.partition("::")[0], set())
        try:
            return (yield)
        finally:
            self._current = before

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave out a test that fails."""
        if report.failed:
            self._failed.add(report.nodeid.partition("[")[0])

    def pytest_sessionfinish(self) -> None:
        """Write the file."""
        tests = {
            name: [round(self._seconds[name], 3), sorted(called | self._fixtures.get(name.partition("::")[0], set()))]
            for name, called in self._tests.items()
            if name not in self._failed
        }
        self._path.write_text(json.dumps(tests), "utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Measure if a file is named."""
    if path := os.environ.get(NAME):
        config.pluginmanager.register(Reached(Path(path)))
