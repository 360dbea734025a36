"""Every test that asks for a `game` runs on every registered one; with its `options`, on every preset of it.

Tests of environments, whose work hangs on who sits where and not on circuits or lands, are marked
`one_preset_per_seating`: they run on the first preset of each number of seats and division into sides.

`make test` leaves out what is marked `thorough`, which `make test-all` runs: tests that take long, those in a browser,
and of the tests above all cases but those of `GAMES_OF_EVERY_RUN`. Plain Python leaves out those marked `compiled`.
"""

from __future__ import annotations

import os
import random
import re
import secrets
import threading
from collections.abc import Generator, Iterator
from functools import cache
from importlib.metadata import distributions
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import pytest

from titan_env import registry
from titan_env.contract import COMPILED, Game

Report = TypeVar("Report", bound=pytest.CollectReport | pytest.TestReport)

collect_ignore = ["compiler/programs"]  # which tests run in processes of their own
if not find_spec("ray"):
    collect_ignore.append("rllib")  # it has an environment of its own, as have the next ones
if not any(distributions(name="nvidia-cuda-nvcc")):
    collect_ignore.append("kernels")
if not find_spec("verifiers"):
    collect_ignore.append("text_libraries")

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # windows open without a display

GAMES = ("bare", "pig", "orchard", "goofspiel", "frontier")
"""Small games of the tests: the bare minimum; dice; points and places; secrets; elimination and unequal sides."""

GAMES_OF_EVERY_RUN = ("pig", "goofspiel", "frontier", "titan_race")
"""Games that have together every property: dice; secrets; elimination and unequal sides; the size of a real game."""

for name in GAMES:
    registry.register(name, f"tests.games.{name}:GAME")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of this suite."""
    options = parser.getgroup("titan_env")
    options.addoption("--shuffle", metavar="SEED", type=int, help="run files, and the tests in each, in an order drawn")
    options.addoption("--most-skips", metavar="COUNT", type=int, help="fail if more tests than these are skipped")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Return the line above the tests that says in which order they run."""
    return None if config.option.shuffle is None else f"shuffled: --shuffle {config.option.shuffle}"


MISSING = re.compile("could not import|No module named|needs the extra|no chromium")
"""Reasons of skips for want of a library or the browser, which are failures in CI, where all of them are there."""


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail a file in CI that is skipped for want of a library."""
    return failed_if_missing((yield))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test in CI that is skipped for want of a library or the browser."""
    return failed_if_missing((yield))


def failed_if_missing(report: Report) -> Report:
    """Turn a skip for want of a library or the browser into a failure, in CI."""
    if report.skipped and os.environ.get("CI") and MISSING.search(str(report.longrepr)):
        report.outcome, report.longrepr = "failed", f"expected nothing to be missing in CI, got {report.longrepr}"
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run with more skips than it may have, once, where the results of all processes arrive.

    Skips for want of a library or the browser do not count: they are allowed to a person, and failures in CI.
    """
    most, reporter = session.config.option.most_skips, session.config.pluginmanager.get_plugin("terminalreporter")
    if most is None or reporter is None or hasattr(session.config, "workerinput"):
        return
    count = sum(not MISSING.search(str(report.longrepr)) for report in reporter.stats.get("skipped", ()))
    if count > most:
        reporter.write_line(f"expected at most {most} skipped tests, got {count}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(autouse=True)
def _drawn_seeds_are_the_same_in_every_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed what commands and the page draw their seeds with: a test's luck hangs on its name alone."""
    random.seed(request.node.nodeid)
    monkeypatch.setattr(secrets, "randbits", lambda bits: random.getrandbits(min(bits, 32)))


@pytest.fixture(autouse=True)
def _no_game_stays_registered() -> Iterator[None]:
    """Forget the games that a test has registered: which tests run after it in its process is chance."""
    known = dict(registry.GAMES)
    yield
    registry.GAMES.clear()
    registry.GAMES.update(known)


@pytest.fixture(autouse=True)
def _no_game_is_made_ready_behind_the_next_test() -> Iterator[None]:
    """Wait for the page's thread that loads games: two threads cannot parse sources at once in Python 3.11."""
    yield
    for thread in threading.enumerate():
        if thread.name == "loading":
            thread.join()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files that are `thorough` as a whole unread, with the libraries that they import, if none of them runs."""
    if collection_path.suffix != ".py" or "not thorough" not in config.option.markexpr:
        return None
    text = collection_path.read_text("utf-8")
    return re.search(r"^pytestmark = .*mark\.thorough\b", text, re.MULTILINE) is not None or None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise over games, or over games and their presets."""
    if "game" not in metafunc.fixturenames:
        return
    if {"game", "options"} <= set(metafunc.fixturenames):
        few = metafunc.definition.get_closest_marker("one_preset_per_seating") is not None
        cases = [
            pytest.param(game, dict(game.rules.presets[preset]), id=f"{game.name}-{preset}", marks=marks)
            for game in all_games()
            for preset in (one_preset_per_seating(game.name) if few else game.rules.presets)
            for marks in [() if preset in presets_of_every_run(game.name) else pytest.mark.thorough]
        ]
        metafunc.parametrize(("game", "options"), cases)
    else:
        cases = [
            pytest.param(game, id=game.name, marks=() if presets_of_every_run(game.name) else pytest.mark.thorough)
            for game in all_games()
        ]
        metafunc.parametrize("game", cases)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests in a browser `thorough`; leave out what is not there in plain Python; shuffle."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.thorough)
    if not COMPILED:
        left_out = [item for item in items if item.get_closest_marker("compiled")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("compiled")]
    if config.option.shuffle is not None:
        rng = random.Random(config.option.shuffle)
        files = [list(tests) for _, tests in groupby(items, key=lambda item: item.path)]
        for tests in files:
            rng.shuffle(tests)
        rng.shuffle(files)
        items[:] = [item for tests in files for item in tests]


@cache
def all_games() -> list[Game]:
    """Every registered game, loaded once for all tests."""
    return [registry.load(name) for name in registry.names()]


@cache
def one_preset_per_seating(name: str) -> list[str]:
    """The first preset of each number of seats and division into sides, of the game of this name."""
    game = registry.load(name)
    first: dict[tuple[int, ...], str] = {}
    for preset, options in game.rules.presets.items():
        state = game.rules.configure(**options)[0]
        first.setdefault(tuple(game.rules.side(state, seat) for seat in range(state.seats)), preset)
    return list(first.values())


@cache
def presets_of_every_run(name: str) -> list[str]:
    """The presets of the game of this name that `make test` plays: one of a large game, none of most."""
    if name not in GAMES_OF_EVERY_RUN:
        return []
    seatings = one_preset_per_seating(name)
    return seatings if name in GAMES else seatings[:1]
