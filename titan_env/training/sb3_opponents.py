"""Opponents of a MaskablePPO run: past selves, saved in a folder, and scripted agents."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np

from titan_env import agents
from titan_env.envs.sb3_agents import as_agent
from titan_env.extras import extra
from titan_env.records.sealed import reading
from titan_env.training.checkpoints import load_sealed, save_sealed

with extra("sb3"):
    from sb3_contrib import MaskablePPO


class Pool:
    """The opponents in the other seats: past selves, saved in a folder, and the scripted agents."""

    def __init__(
        self,
        folder: Path,
        scripted: list[agents.Agent],
        seed: int,
        completed: Callable[[agents.Agent], agents.Agent] = lambda network: network,
    ) -> None:
        """`completed` adds to a past self those that answer some questions for it."""
        self._folder, self._scripted, self._completed = folder, scripted, completed
        self._rng = np.random.default_rng(seed)
        self._seated: list[str | int] = []
        """The agents that were chosen last: the file of a past self, or the number of a scripted one."""

    def add(self, model: MaskablePPO) -> None:
        """Save the model's current weights, atomically."""
        save_sealed(self._folder / f"{model.num_timesteps:012d}.pt", model.policy.state_dict())

    def check(self, model: MaskablePPO) -> None:
        """Raise ValueError for a run that has learned, but whose past selves are missing or damaged."""
        saved = self._saved(model)
        if model.num_timesteps and not saved:
            raise ValueError(f"expected past selves in {self._folder}, found none; put them back, or start anew")
        for path in saved:
            self._past_self(model, path)

    def _saved(self, model: MaskablePPO) -> list[Path]:
        """Return the files of past selves up to now; later ones, of a run killed after its checkpoint, are left out."""
        return [path for path in sorted(self._folder.glob("[0-9]*.pt")) if int(path.stem) <= model.num_timesteps]

    def seat(self, model: MaskablePPO, seats: int) -> list[agents.Agent]:
        """Return agents for the other seats: the newest self, any self and a scripted one in turn, from a random one.

        So each kind plays in every seat equally often, however few seats there are.
        """
        saved = self._saved(model)
        kinds = 3 if self._scripted else 2
        first = self._rng.integers(kinds)
        self._seated = []
        for turn in range(first, first + seats):
            if turn % kinds == 2:
                self._seated.append(int(self._rng.integers(len(self._scripted))))
            else:
                path = saved[-1] if turn % kinds == 0 else saved[self._rng.integers(len(saved))]
                self._seated.append(path.name)
        return self.seated(model)

    def seated(self, model: MaskablePPO) -> list[agents.Agent]:
        """Return the agents that were chosen last."""
        return [
            self._scripted[who] if isinstance(who, int) else self._past_self(model, self._folder / who)
            for who in self._seated
        ]

    def state(self) -> dict[str, Any]:
        """Return who was chosen last, and the generator of the next choices."""
        return {"seated": list(self._seated), "rng": self._rng.bit_generator.state}

    def restore(self, saved: dict[str, Any]) -> None:
        """Go on from a `state`."""
        self._seated, self._rng.bit_generator.state = list(saved["seated"]), saved["rng"]

    def _past_self(self, model: MaskablePPO, path: Path) -> agents.Agent:
        """Return the agent of one snapshot, which samples its actions as in training. Raises ValueError for damage."""
        past = copy(model)
        past.policy = type(model.policy)(**model.policy._get_constructor_parameters())
        with reading("a past self", path, "delete it to go on without"):
            past.policy.load_state_dict(load_sealed(path))
        return self._completed(as_agent(past, temperature=1.0))
