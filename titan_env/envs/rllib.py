"""All seats of one game as a `MultiAgentEnv` of RLlib's current API stack.

RLlib pins an older Gymnasium than this package is tested with: install the extra ``rllib`` in an
environment of its own (``make rllib`` does).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from titan_env.contract import Game, Status
from titan_env.engine.batch import Batch
from titan_env.engine.validation import is_truncated
from titan_env.envs.environment_options import EnvironmentOptions, EnvironmentSetup, show_keywords
from titan_env.extras import extra
from titan_env.play.delegation import MOST_STARTS, Delegation, never_asked
from titan_env.play.determinization import agent_rng

with extra("rllib"):
    from ray.rllib.env.multi_agent_env import MultiAgentEnv


class GameMultiAgentEnv(MultiAgentEnv):  # type: ignore[misc]
    """One game for RLlib, in which ``player_0``, ``player_1``, ... act in turn, as the rules say.

    `config` holds the `game` or its name and, optionally, keywords of `EnvironmentOptions` and options of the game;
    `view`, an `ObservationView`, is what is observed. Only the seat to act gets an observation: a dict of
    ``observations`` float32 (F,) and ``action_mask`` int8 (A,), as its masking module takes it. Each seat gets its
    payoff and a last observation when the game ends, or earlier when its own result is final. An illegal action, one
    out of range too, raises `engine.illegal_actions.IllegalAction`; nothing changes.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self._set_up(**config)

    @show_keywords(EnvironmentOptions)
    def _set_up(self, game: Game | str, **options: Any) -> None:
        """Set the attributes from the config's keywords. Raises TypeError or ValueError for invalid ones."""
        setup = EnvironmentSetup(game, options, self._set_up)
        self.game = setup.game
        self.reward = setup.keywords["reward"]
        self.max_cycles = setup.max_cycles
        self.render_mode = setup.render_mode
        self._painter = setup.painter
        self._delegation = Delegation(self.game, setup.keywords["delegate"])
        self.view = setup.view
        self._usual = setup.usual
        self._started = False
        self.varied = self._usual.varied
        self._batch = Batch(self.game, 1, templates=self._usual.template, vary=self.varied)
        seats = int(self._batch.templates["seats"][0])
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.agents = self.possible_agents[:]
        low, high = self.view.layout.bounds()
        mask = spaces.Box(0, 1, (len(self.game.rules.actions),), np.int8)
        seen = spaces.Dict({"observations": spaces.Box(low, high), "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(len(self.game.rules.actions)))

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a new game; without a seed the random stream goes on.

        ``options={"game": {...}}`` overrides options of the game in this episode; RLlib's own keys are ignored.
        """
        self._usual.of_episode(options)  # is refused before anything has changed
        if seed is not None:
            self._batch.seed([seed])
        self._usual.next_games(self._batch, options)
        self._rng = agent_rng(int(self._batch.luck["stream"][0]))
        self._begin()
        self._started = True
        self._show_window()
        self.agents = self.possible_agents[:]
        seen = {self._asked: self._observation(int(self._batch.states["seat"][0]))}
        return seen, self._infos(seen)

    def step(self, action_dict: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Play the acting seat's decision; return observations, rewards, terminations, truncations and infos.

        Raises ValueError unless `action_dict` holds the decision of that seat alone.
        """
        if list(action_dict) != [self._asked]:
            raise ValueError(
                f"expected the decision of {self._asked}, got those of {', '.join(action_dict) or 'nobody'}"
            )
        acted = self._asked
        self._batch.step(np.array([action_dict[acted]]))
        self._go_on()
        over, payoffs = self._over(), self._batch.payoffs(self.reward)[0]
        leaving = [agent for agent in self.agents if over != Status.RUNNING or self._has_left(agent)]
        self.agents = [agent for agent in self.agents if agent not in leaving]
        seats = {agent: self.possible_agents.index(agent) for agent in leaving}
        rewards = {acted: 0.0} | {agent: float(payoffs[seat]) for agent, seat in seats.items()}
        seen = {agent: self._observation(seat) for agent, seat in seats.items()}
        # Seats are not named where the game is truncated: where all of them are, RLlib takes it for a termination.
        terminated = {agent: over != Status.TRUNCATED or self._has_left(agent) for agent in leaving}
        if over == Status.RUNNING:
            seen[self._asked] = self._observation(int(self._batch.states["seat"][0]))
        ended = {"__all__": over == Status.TERMINATED}
        self._show_window()
        return seen, rewards, terminated | ended, {"__all__": over == Status.TRUNCATED}, self._infos(seen)

    def _infos(self, seen: Mapping[str, Any]) -> dict[str, dict[str, int]]:
        """Return the infos of each agent that observes: "variant" where options vary."""
        return {agent: self._usual.infos(self._batch) for agent in seen} if self.varied is not None else {}

    def _begin(self) -> None:
        """Begin games until somebody is asked what is not delegated. Raises ValueError where nobody ever is."""
        for _ in range(MOST_STARTS):
            self._batch.start()
            self._go_on()
            if self._over() == Status.RUNNING:
                return
        raise never_asked()

    def _go_on(self) -> None:
        """Play the decisions that are delegated, up to one that is not or the end."""
        while self._over() == Status.RUNNING and int(self._batch.states["ask"][0]) in self._delegation:
            self._batch.step(np.array([self._delegation.decide(self._batch, self._rng)]))

    def _over(self) -> int:
        """Return the game's `Status`: TRUNCATED if it still runs after `max_cycles` decisions."""
        states = self._batch.states
        return int(Status.TRUNCATED if is_truncated(states, self.max_cycles) else states["over"][0])

    def render(self) -> Any:
        """Render the full position: "ansi" text, "rgb_array" uint8 (height, width, 3), or "human" in a window.

        Raises ResetNeeded before the first `reset`.
        """
        if not self._started:
            raise ResetNeeded("expected reset() before the first render()")
        return self._painter.render(self._batch.states[0])

    def _show_window(self) -> None:
        """Draw the position in the window with ``render_mode="human"``."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._painter.close()

    def _has_left(self, agent: str) -> bool:
        """Return whether a seat's result is final before the end; never with ``reward="score"``."""
        is_out = self._batch.states["out"][0, self.possible_agents.index(agent)] != 0
        return bool(is_out and self.reward != "score")

    @property
    def _asked(self) -> str:
        """The agent whose seat is to act."""
        return self.possible_agents[int(self._batch.states["seat"][0])]

    def _observation(self, seat: int) -> dict[str, Any]:
        """Return a seat's observation (F,) and mask (A,); the mask is all ones for a seat that is not to act."""
        seen = self._batch.observe(np.array([seat], np.int8))[0]
        asked = not self._over() and seat == self._batch.states["seat"][0]
        mask = self._batch.masks[0].copy() if asked else np.ones_like(self._batch.masks[0])
        return {"observations": self.view(seen), "action_mask": mask}
