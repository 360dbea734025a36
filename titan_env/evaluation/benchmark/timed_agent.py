"""An agent whose calls run a clock; agents in processes of their own have one themselves."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import Agent
from titan_env.agents.process import Clock

_MILLI = 1e3


@dataclass(frozen=True)
class TimedAgent:
    """An agent whose calls run a clock."""

    agent: Agent
    clock: Clock

    def __getattr__(self, name: str) -> Any:
        return getattr(self.agent, name)

    def __call__(self, observations: NDArray[np.float32], *given: Any) -> NDArray[np.int64]:
        """Return the agent's actions for the decisions, (B,)."""
        began, called = time.process_time(), time.perf_counter()
        actions = self.agent(observations, *given)
        self.clock.milliseconds += _MILLI * (time.process_time() - began)
        self.clock.waited += _MILLI * (time.perf_counter() - called)
        self.clock.decisions += len(observations)
        return actions
