"""Every test that asks for a `game` runs on every registered one; with its `options`, on every preset of it.

Tests of environments, whose work hangs on who sits where and not on circuits or lands, are marked
`one_preset_per_seating`: they run on the first preset of each number of seats and division into sides.
"""

from __future__ import annotations

import os
import random
import secrets
import threading
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec

import pytest

from titan_env import registry
from titan_env.contract import Game

collect_ignore = ["compiler/programs"]  # which tests run in processes of their own
if not find_spec("ray"):
    collect_ignore.append("rllib")  # it has an environment of its own

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # windows open without a display

GAMES = ("bare", "pig", "orchard", "goofspiel", "frontier")
"""Small games of the tests: the bare minimum; dice; points and places; secrets; elimination and unequal sides."""

for name in GAMES:
    registry.register(name, f"tests.games.{name}:GAME")


@pytest.fixture(autouse=True)
def _drawn_seeds_are_the_same_in_every_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed what commands and the page draw their seeds with: a test's luck hangs on its name alone."""
    random.seed(request.node.nodeid)
    monkeypatch.setattr(secrets, "randbits", random.getrandbits)


@pytest.fixture(autouse=True)
def _no_game_stays_registered() -> Iterator[None]:
    """Forget the games that a test has registered: which tests run after it in its process is chance."""
    known = dict(registry.GAMES)
    yield
    registry.GAMES.clear()
    registry.GAMES.update(known)


@pytest.fixture(autouse=True)
def _no_rules_are_compiled_behind_the_next_test() -> Iterator[None]:
    """Wait for the page's thread that compiles: two threads cannot parse sources at once in Python 3.11."""
    yield
    for thread in threading.enumerate():
        if thread.name == "compiling":
            thread.join()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise over games, or over games and their presets."""
    if "game" not in metafunc.fixturenames:
        return
    games = all_games()
    if {"game", "options"} <= set(metafunc.fixturenames):
        few = metafunc.definition.get_closest_marker("one_preset_per_seating") is not None
        cases = [
            pytest.param(game, dict(game.rules.presets[preset]), id=f"{game.name}-{preset}")
            for game in games
            for preset in (one_preset_per_seating(game.name) if few else game.rules.presets)
        ]
        metafunc.parametrize(("game", "options"), cases)
    else:
        metafunc.parametrize("game", games, ids=[game.name for game in games])


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
