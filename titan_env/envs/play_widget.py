"""A game in play as a widget in a notebook: a person in one seat, agents in the others. Needs the extra ``notebook``.

The person's choices and the agents' are steps of the environment, which a cell may look at in between. The widget shows
what the person's seat may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from titan_env import agents
from titan_env.compiler.record_copies import copy_records
from titan_env.contract import events_of
from titan_env.contract.options import brief
from titan_env.engine.game_setup import GameSetup
from titan_env.envs.aec import GameAEC
from titan_env.envs.opponents import AgentOrName
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.determinization import agent_rng
from titan_env.play.observation_history import EventHistory
from titan_env.records.recorder import answers
from titan_env.records.replay import ReplayStep
from titan_env.records.replay_html import ReplayPages, title_of
from titan_env.records.visible import Known, visible
from titan_env.records.widget import ReplayWidget

_BEGUN_ANEW = "The environment was reset: this game goes on no more. Call play() again."


class PlayWidget(ReplayWidget):
    """The board of an environment's game for the person in a `seat`; `opponents` are those of `GameAEC.play`."""

    def __init__(self, env: GameAEC, seat: int, opponents: AgentOrName | Sequence[AgentOrName] | None) -> None:
        env._standing()  # raises before the first reset
        game, seats = env.game, len(env.possible_agents)
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < seats:
            raise ValueError(f"expected a seat from 0 to {seats - 1}, got {brief(seat)}")
        named = agents.default_agent(game) if opponents is None else opponents
        each = [named] * (seats - 1) if isinstance(named, str) or not isinstance(named, Sequence) else [*named]
        if len(each) != seats - 1:
            raise ValueError(f"expected one opponent or {seats - 1}, in turn order after seat {seat}, got {len(each)}")
        others = [(seat + number) % seats for number in range(1, seats)]
        self._agents = {other: agents.agent_of(agent, game) for other, agent in zip(others, each, strict=True)}
        names = ["person"] * seats
        for other, agent in zip(others, each, strict=True):
            names[other] = agent if isinstance(agent, str) else getattr(agent, "__name__", "agent")
        self._env, self._seat, self._rng = env, seat, agent_rng(env._begun[1], seat)
        self._begin()
        pages = ReplayPages(game, names, seat)
        super().__init__(title_of(game, names), pages, plays=True)
        self._go_on()

    def _begin(self) -> None:
        """Set the environment's game up once more, to follow its decisions from the start."""
        game, (options, stream, _seed) = self._env.game, self._env._begun
        self._begun = self._env._begun
        self._luck, self._log = (np.zeros(1, kind).view(np.recarray) for kind in (game.rules.luck, game.rules.log))
        self._luck["stream"] = stream
        self._states = GameSetup.of_keywords(game, options).first_states(self._luck)
        self._moments = [ReplayStep(copy_records(self._states))]
        self._history, self._known = EventHistory(game), Known()

    def _answer(self, widget: Any, content: dict[str, Any], buffers: Any) -> None:
        """Send what a view lacks, or play the action that a person has chosen at the latest moment."""
        super()._answer(widget, content, buffers)
        if "action" not in content:
            return
        self._follow()
        legal = np.flatnonzero(self._env.batch.masks[0]).tolist()
        if self._is_asked and content.get("moment") == len(self.pages) and content["action"] in legal:
            self._env.step(content["action"])
        self._go_on()

    @property
    def _is_asked(self) -> bool:
        """True where the person is to decide."""
        return self._running() is not None and self._env.agent_selection == self._env.possible_agents[self._seat]

    def _running(self) -> int | None:
        """Return the seat that is to decide, once agents that are out have left; None after the game."""
        env = self._env
        done = {agent for agent in env.agents if env.terminations[agent] or env.truncations[agent]}
        if len(done) == len(env.agents) or self._is_reset:
            return None
        while env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            env.step(None)
        return env.possible_agents.index(env.agent_selection)

    @property
    def _is_reset(self) -> bool:
        """True where the environment plays another game by now, or this one again from an earlier moment."""
        return self._env._begun is not self._begun

    def _go_on(self) -> None:
        """Let agents decide until the person is asked, or the game is over."""
        self._follow()
        while (seat := self._running()) is not None and seat != self._seat:
            agent, batch = self._agents[seat], self._env.batch
            self._env.step(int(ask_in_batch(agent, batch, np.array([0]), self._rng, [self._history]).actions[0]))
            self._follow()
        if self._is_reset:
            self.notice = _BEGUN_ANEW

    def _follow(self) -> None:
        """Add the moments of all decisions that the environment has taken since, whoever took them."""
        if self._is_reset:
            return
        game, state = self._env.game, self._states[0]
        for action in self._env._taken[len(self._moments) - 1 :]:
            before, seat = copy_records(self._states), int(state.seat)
            line = {"action": game.rules.actions.texts[action], "say": game.text.describe_action(state, action)}
            self._log[0].count = 0
            game.rules.step(state, action, self._luck[0], self._log[0])
            decision = {"seat": seat, **line, "chance": answers(self._luck[0])}
            after, events = copy_records(self._states), events_of(self._log[0])
            self._moments.append(ReplayStep(after, decision, events))
            self._history.add(before, action, after, events)
        seen, self._known = visible(game, self._moments, self._seat, self._known)
        for moment in seen[len(self.pages) :]:
            self.pages.add(moment, offers=moment is seen[-1] and self._is_asked)
        self.moments = len(self.pages)
