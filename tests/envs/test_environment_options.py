"""The keywords of every environment stand in one table, with their types, meanings and defaults."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from titan_env import GameAEC, GameEnv, GameVectorEnv
from titan_env.envs import environment_options
from titan_env.envs.environment_options import (
    DEFAULTS,
    AECOptions,
    LearnerOptions,
    TextOptions,
    VecEnvOptions,
    VectorOptions,
)

pytest.importorskip("sb3_contrib")

from titan_env.envs.sb3 import GameVecEnv
from titan_env.envs.text import GameTextEnv, GameTextVectorEnv

KINDS: dict[type, Any] = {
    GameAEC: AECOptions,
    GameEnv: LearnerOptions,
    GameVecEnv: VecEnvOptions,
    GameVectorEnv: VectorOptions,
    GameTextEnv: TextOptions,
    GameTextVectorEnv: TextOptions,
}


@pytest.mark.parametrize("api", KINDS)
def test_a_signature_shows_every_keyword_with_its_default(api: type) -> None:
    shown = {
        each.name: each.default
        for each in inspect.signature(api).parameters.values()
        if each.kind is inspect.Parameter.KEYWORD_ONLY
    }
    own = {GameAEC: {"on_illegal": "raise"}}.get(api, {"on_illegal": "ask"} if KINDS[api] is TextOptions else {})
    assert shown == {name: {**DEFAULTS, **own}[name] for name in KINDS[api].__annotations__}


def test_every_default_belongs_to_a_keyword_of_some_environment() -> None:
    assert set(DEFAULTS) == {name for kind in KINDS.values() for name in kind.__annotations__}


def test_every_keyword_is_documented_where_it_is_declared() -> None:
    source = inspect.getsource(environment_options)
    for name in DEFAULTS:
        declared = source.partition(f"\n    {name}: ")[2].splitlines()
        assert declared[1].startswith('    """'), name
