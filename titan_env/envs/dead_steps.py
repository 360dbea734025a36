"""A wrapper for libraries that ask every agent of a PettingZoo environment for an action, also one that is out."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper


class DeadSteps(BaseWrapper[str, Any, Any]):
    """Take the last step of an agent that is out, which is None, so that an agent in the game is always selected.

    PettingZoo lets such an agent step once more, with a mask of zeros, and removes it. TorchRL's `PettingZooWrapper`
    draws an action for it, and Tianshou's `PettingZooEnv` takes its end for that of the game. Here rewards, flags and
    infos are those of all `possible_agents`: an agent that is out keeps its flags, and is paid once. When the last
    ones end, nothing is stepped for them.
    """

    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]

    def __init__(self, env: AECEnv[str, Any, Any]) -> None:
        super().__init__(env)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, as the wrapped environment does."""
        self.env.reset(seed=seed, options=options)
        self.terminations, self.truncations, self.infos = {}, {}, {}
        self._go_on()

    def step(self, action: Any) -> None:
        """Play the action of the agent to act, and then the last steps of those that it put out."""
        self.env.step(action)
        self._go_on()

    def _go_on(self) -> None:
        """Keep what the step has brought to each agent, and select one that is in the game."""
        env = self.env
        self.rewards = dict.fromkeys(env.possible_agents, 0.0) | env.rewards
        self.terminations |= env.terminations
        self.truncations |= env.truncations
        self.infos |= env.infos
        while self._is_out(env.agent_selection) and not all(map(self._is_out, env.agents)):
            env.step(None)

    def _is_out(self, agent: str) -> bool:
        """Return whether the game is over for an agent."""
        return self.terminations[agent] or self.truncations[agent]
