"""Every test that asks for a `game` runs on every registered one; with its `options`, on every preset of it."""

from __future__ import annotations

import os
import random
import secrets
from importlib.util import find_spec

import pytest

from titan_env import registry

collect_ignore = [] if find_spec("ray") else ["rllib"]  # it has an environment of its own

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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise over games, or over games and their presets."""
    games = [registry.load(name) for name in registry.names()]
    if {"game", "options"} <= set(metafunc.fixturenames):
        cases = [
            pytest.param(game, dict(options), id=f"{game.name}-{preset}")
            for game in games
            for preset, options in game.rules.presets.items()
        ]
        metafunc.parametrize(("game", "options"), cases)
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", games, ids=[game.name for game in games])
