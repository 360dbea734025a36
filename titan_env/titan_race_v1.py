"""Titan Race for PettingZoo: ``env(...)`` ends the game at an illegal action, ``raw_env(...)`` raises."""

from __future__ import annotations

from typing import Any

from titan_env.envs.aec import GameAEC, make


def env(**options: Any) -> GameAEC:
    """A race that ends when somebody plays an illegal action; options are those of `GameAEC` and of Titan Race."""
    return make(game="titan_race", **options)


def raw_env(**options: Any) -> GameAEC:
    """A race in which an illegal action raises `titan_env.engine.batch.IllegalAction`; options are those of `env`."""
    return make(game="titan_race", **{"on_illegal": "raise", **options})
