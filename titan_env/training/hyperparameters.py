"""Hyperparameters of the PPO scripts under their names of version 0.2, in stored configs and on the command line.

The names of today are those of CleanRL, ``value_gae_lambda`` after them. A config that was stored under the old names
is read as one under the new; an old option runs the new one until version 0.4, after a line on stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

RENAMED: Mapping[str, str] = {
    "decisions": "total_timesteps",
    "games": "num_envs",
    "steps": "num_steps",
    "epochs": "update_epochs",
    "minibatch": "minibatch_size",
    "discount": "gamma",
    "trace": "gae_lambda",
    "value_trace": "value_gae_lambda",
    "clip": "clip_coef",
    "entropy": "ent_coef",
    "value": "vf_coef",
    "most_gradient": "max_grad_norm",
}
"""Name in version 0.2 -> name."""
SCRIPTS = ("titan_env.training.ppo", "titan_env.training.sb3_maskable_ppo", "titan_env.training.rllib_ppo")
"""The scripts whose configs have these hyperparameters."""


def option_of(name: str) -> str:
    """Return the command-line option of a config's field."""
    return f"--{name.replace('_', '-')}"


def new_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the config of a PPO script with the new names."""
    return {RENAMED.get(name, name): value for name, value in config.items()}


def new_arguments(arguments: Sequence[str]) -> list[str]:
    """Return a command's arguments with the new names of options, after a line on stderr for each old one."""
    options = {option_of(old): option_of(new) for old, new in RENAMED.items()}
    replaced = []
    for argument in arguments:
        option, equals, value = argument.partition("=")
        if option in options:
            print(f"titan_env: {option} goes with version 0.4: write {options[option]}", file=sys.stderr, flush=True)
        replaced.append(f"{options.get(option, option)}{equals}{value}")
    return replaced
