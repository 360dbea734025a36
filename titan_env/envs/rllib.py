"""Every seat of one game, as a `MultiAgentEnv` of RLlib's current API stack.

RLlib pins an older Gymnasium than this package is tested with: install the extra ``rllib`` in an
environment of its own (``make rllib`` does).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from titan_env import registry
from titan_env.contract import Over
from titan_env.engine.batch import Batch
from titan_env.engine.given import configured
from titan_env.extras import extra

with extra("rllib"):
    from ray.rllib.env.multi_agent_env import MultiAgentEnv


class GameMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]
    """One game; ``player_0``, ``player_1``, ... are asked in turn, as the rules say.

    `config` holds the `game` by name, `reward` ("win", "rank" or "score") and the game's options. Only the
    seat that is asked gets an observation:
    a dict of ``observations`` float32 (F,) and ``action_mask`` int8 (A,), which RLlib's action-masking
    module takes. When the game ends every seat gets its payoff and a last observation; one that is out
    before, then. An illegal action raises `titan_env.engine.batch.IllegalAction`, and nothing has changed.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        options = dict(config)
        self.game = registry.load(options.pop("game"))
        self.reward = options.pop("reward", "win")
        self.game.worth(self.reward)
        self._batch = Batch(self.game, 1, templates=configured(self.game, options))
        seats = int(self._batch.templates["seats"][0])
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.agents = self.possible_agents[:]
        low, high = self.game.fields.bounds()
        mask = spaces.Box(0, 1, (len(self.game.actions),), np.int8)
        seen = spaces.Dict({"observations": spaces.Box(low, high), "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(len(self.game.actions)))

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new game. Without a seed the stream of chance goes on."""
        if seed is not None:
            self._batch.seed([seed])
        self._batch.start()
        self.agents = self.possible_agents[:]
        return {self._asked: self._observation(int(self._batch.states["seat"][0]))}, {}

    def step(self, action_dict: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Play the decision of the seat that is asked; observations, rewards, terminations, truncations, infos.

        Raises ValueError where another seat's decision came instead.
        """
        if list(action_dict) != [self._asked]:
            raise ValueError(
                f"expected the decision of {self._asked}, got those of {', '.join(action_dict) or 'nobody'}"
            )
        acted = self._asked
        self._batch.step(np.array([action_dict[acted]]))
        over, payoffs = int(self._batch.states["over"][0]), self._batch.payoffs(self.reward)[0]
        leaving = [agent for agent in self.agents if over != Over.RUNNING or self._has_left(agent)]
        self.agents = [agent for agent in self.agents if agent not in leaving]
        seats = {agent: self.possible_agents.index(agent) for agent in leaving}
        rewards = {acted: 0.0} | {agent: float(payoffs[seat]) for agent, seat in seats.items()}
        seen = {agent: self._observation(seat) for agent, seat in seats.items()}
        # Seats are not named where the game is truncated: where all of them are, RLlib takes it for a termination.
        terminated = {agent: over != Over.TRUNCATED or self._has_left(agent) for agent in leaving}
        if over == Over.RUNNING:
            seen[self._asked] = self._observation(int(self._batch.states["seat"][0]))
        ended = {"__all__": over == Over.TERMINATED}
        return seen, rewards, terminated | ended, {"__all__": over == Over.TRUNCATED}, {}

    def _has_left(self, agent: str) -> bool:
        """Whether the result of a seat is final, whatever the others still do."""
        is_out = self._batch.states["out"][0, self.possible_agents.index(agent)] != 0
        return bool(is_out and self.reward != "score")

    @property
    def _asked(self) -> str:
        """The seat that is asked."""
        return self.possible_agents[int(self._batch.states["seat"][0])]

    def _observation(self, seat: int) -> dict[str, Any]:
        """What a seat may know and do; where its game is over it has nothing to choose, and nothing is forbidden."""
        seen = self._batch.observe(np.array([seat], np.int8))[0]
        asked = not self._batch.over[0] and seat == self._batch.states["seat"][0]
        mask = self._batch.masks[0].copy() if asked else np.ones_like(self._batch.masks[0])
        return {"observations": seen, "action_mask": mask}
