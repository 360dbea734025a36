"""Infos hold plain numbers, with which users reckon and which they write down as JSON, in every API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from titan_env import GameAEC, GameEnv, GameVectorEnv
from titan_env.contract import Game
from titan_env.envs import sb3

STEPS = 300


def of_aec(game: Game) -> Iterator[dict[str, Any]]:
    env = GameAEC(game, events=True, on_illegal="terminate")
    env.reset(seed=1)
    for number in range(STEPS):
        if not env.agents:
            return
        yield from env.infos.values()
        done = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        mask = env.observe(env.agent_selection)["action_mask"]
        wrong = number > STEPS // 2 and not mask.all()
        env.step(None if done else int(mask.argmin() if wrong else mask.argmax()))


def of_solo(game: Game) -> Iterator[dict[str, Any]]:
    env = GameEnv(game, shaping={game.rules.fields.parts[0].name: 0.5})
    yield env.reset(seed=1)[1]
    for _ in range(STEPS):
        *_, terminated, truncated, info = env.step(0)
        yield info
        if terminated or truncated:
            yield env.reset()[1]


def of_sb3(game: Game) -> Iterator[dict[str, Any]]:
    env = sb3.GameVecEnv(game, 8)
    env.seed(1)
    env.reset()
    for _ in range(STEPS):
        infos = env.step(env.action_masks().argmax(axis=1))[3]
        for info in infos:
            yield info | info.get("episode", {})


@pytest.mark.parametrize("infos", [of_aec, of_solo, of_sb3])
def test_scalar_infos_are_plain_numbers(game: Game, infos: Any) -> None:
    seen = set()
    for info in infos(game):
        for name, value in info.items():
            if not isinstance(value, np.ndarray | dict):
                seen.add(name)
                assert type(value) in (int, float, bool, str, list), f"{name}: {value!r}"
                json.dumps(value)
    assert "illegal" in seen or infos is of_sb3


def test_seats_of_vector_environments_can_be_reckoned_with(game: Game) -> None:
    for seats in ("one", "all"):
        env = GameVectorEnv(game, 8, seats=seats, autoreset_mode="SAME_STEP")
        _, infos = env.reset(seed=1)
        for _ in range(STEPS):
            *_, infos = env.step(infos["action_mask"].argmax(axis=1))
            for info in (infos, infos.get("final_info", infos)):
                for name in ("seat", "illegal"):
                    assert ((info[name] * 1000) // 1000 == info[name]).all()
                    assert info[name].dtype.itemsize > 1
