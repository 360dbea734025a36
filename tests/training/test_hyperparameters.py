"""Hyperparameters have CleanRL's names; those of version 0.2 are understood until version 0.4."""

from __future__ import annotations

from dataclasses import fields

import pytest

from titan_env.training import sb3_maskable_ppo
from titan_env.training.hyperparameters import RENAMED, new_arguments, new_config
from titan_env.training.ppo_config import Config


def test_every_new_name_is_one_of_a_config_and_no_old_one_is() -> None:
    for config in (Config, sb3_maskable_ppo.Config):
        assert not {field.name for field in fields(config)} & set(RENAMED)
    assert set(RENAMED.values()) <= {field.name for field in fields(Config)}


def test_a_stored_config_is_read_under_the_new_names() -> None:
    stored = {"games": 8, "value_trace": 0.9, "seed": 1}
    assert new_config(stored) == {
        "num_envs": 8,
        "value_gae_lambda": 0.9,
        "seed": 1,
    }


def test_an_old_option_is_taken_for_the_new_one_after_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    typed = ["--games", "8", "--value-trace=0.9", "--vary", "titans=2"]
    assert new_arguments(typed) == ["--num-envs", "8", "--value-gae-lambda=0.9", "--vary", "titans=2"]
    assert capsys.readouterr().err.splitlines() == [
        "titan_env: --games goes with version 0.4: write --num-envs",
        "titan_env: --value-trace goes with version 0.4: write --value-gae-lambda",
    ]
