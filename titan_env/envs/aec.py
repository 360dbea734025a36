"""One game as a PettingZoo `AECEnv`."""

from __future__ import annotations

import copy
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv

from titan_env import registry
from titan_env.compiler.record_copies import as_arrays
from titan_env.contract import Game, Status, events_of
from titan_env.contract.options import brief
from titan_env.engine.batch import Batch, Snapshot
from titan_env.engine.batch_loops import observe_rows, step_single
from titan_env.engine.illegal_actions import illegal_action_error
from titan_env.engine.validation import check_bool, check_choice
from titan_env.envs.environment_options import AECOptions, EnvironmentSetup, show_keywords
from titan_env.envs.opponents import AgentOrName
from titan_env.envs.spaces import RENDER_MODES, action_space, observation_space
from titan_env.game_options import GameOptions
from titan_env.pictures.render import Painter, svg_of
from titan_env.play.delegation import Delegation
from titan_env.play.determinization import agent_rng

if TYPE_CHECKING:
    from titan_env.envs.play_widget import PlayWidget

ON_ILLEGAL = ("raise", "terminate", "random")
ILLEGAL_REWARD = -1.0
_RUNNING = int(Status.RUNNING)  # a member of an enum takes as long to reach as a rule to play
_REFUSED = (-1,) * 5  # the result of `step_single` for an illegal action

_PETTINGZOO = ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos")
_ATTRIBUTES = (*_PETTINGZOO, "_skip_agent_selection", "_begun", "_taken", "_rng")
"""Attributes that exist from `reset` on."""


@dataclass(frozen=True)
class EnvSnapshot:
    """The state of a running `GameAEC`, returned by `snapshot` and taken by `restore`."""

    rows: Snapshot
    attributes: dict[str, Any]


class _Options(AECOptions, GameOptions, total=False):
    """Keywords of `GameAEC` and of the games."""


class GameAEC(AECEnv[str, Any, Any]):
    """One game as a PettingZoo AEC environment: each step is one decision of the agent to act.

    `on_illegal` names the effect of an illegal action, one out of range too: ``"raise"`` (IllegalAction, and nothing
    changes), ``"terminate"`` (the game ends with reward -1 for the agent that acted, as in PettingZoo's wrapper, and
    ``infos[agent]["why_not"]`` is the reason) or ``"random"`` (a legal action is drawn instead); the latter two count
    it in ``infos[agent]["illegal"]``. An action that is no integer raises TypeError.

    ``infos[agent]`` holds the integers "ask" (the kind of decision that the agent is to take, as in the game's `asks`;
    0 for the other agents) and "illegal". With ``events=True`` it also holds "events": a list of sentences, the events
    since the agent's own latest decision that it may know of. An agent whose result is final before the others' leaves:
    its reward is paid, and the game goes on without it. Copies, pickles and snapshots keep the running game.

    Keywords are those of `AECOptions` and the options of the game; `view`, an `ObservationView`, is what is observed.
    """

    agent_selection: str

    @show_keywords(AECOptions, on_illegal="raise")
    def __init__(self, game: Game | str, **options: Unpack[_Options]) -> None:
        setup = EnvironmentSetup(game, options, GameAEC)
        keywords = setup.keywords
        self.game = game = setup.game
        self.on_illegal = check_choice("on_illegal", keywords["on_illegal"], ON_ILLEGAL)
        self.max_cycles, self.render_mode = setup.max_cycles, setup.render_mode
        self.render_width = keywords["render_width"]
        self.events = check_bool("events", keywords["events"])
        self.reward = keywords["reward"]
        self._delegation = Delegation(game, keywords["delegate"])
        self._usual = setup.usual
        self.view = setup.view
        self.varied = self._usual.varied
        self.batch = Batch(game, 1, templates=self._usual.template, vary=self.varied)
        modes = [*RENDER_MODES[1:]]
        self.metadata = {"name": game.id, "render_modes": modes, "is_parallelizable": False, "render_fps": 4}
        self.possible_agents = [f"player_{seat}" for seat in range(int(self.batch.templates["seats"][0]))]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        layout, mask = self.view.layout, Box(0, 1, (len(game.rules.actions),), np.int8)
        self._observation_space = Dict({"observation": observation_space(layout), "action_mask": mask})
        self._action_space = action_space(game)
        self.state_space = Box(*np.tile(layout.bounds(), len(self.possible_agents)), dtype=np.float32)
        self._before: bytes | None = None
        self._attach()

    def _attach(self) -> None:
        """Bind the compiled loops to this environment's row; called again for a copy."""
        batch = self.batch
        self._painter = Painter(self.game, self.render_mode, self.render_width)
        self._log = np.zeros(1, self.game.rules.log).view(np.recarray)
        self._bytes = batch.states.view(np.uint8, np.ndarray)
        shown = (batch.masks, batch.observations, batch.scales)
        self._row = (as_arrays(batch.states), as_arrays(batch.luck), *shown, as_arrays(self._log))
        self._advance = batch.loops.prepare(step_single, *self._row, 0, free=1)
        self._see = batch.loops[observe_rows]
        self._mask, self._vector, self._decisions = batch.masks[0], batch.observations[0], self._row[0]["decisions"]

    def __getstate__(self) -> dict[str, Any]:
        bound = ("_row", "_advance", "_see", "_mask", "_vector", "_decisions", "_bytes", "_log", "_painter")
        return {name: value for name, value in self.__dict__.items() if name not in bound}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._before = None
        self._attach()

    def __getattr__(self, name: str) -> Any:
        if name in _ATTRIBUTES:
            raise AttributeError(f"{name} exists from reset() on; call it first")
        if hasattr(type(self), name):  # a property that asks for one of those: its own error says which
            return object.__getattribute__(self, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> Dict:
        """Return the space of every agent: "observation" float32 (F,) and "action_mask" int8 (A,)."""
        return self._observation_space

    def action_space(self, agent: str) -> Discrete:
        """Return the space of every agent: the `Discrete` of the game's A actions."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; without a seed the random stream goes on, and a new environment's is a random one.

        ``options={"game": {...}}`` overrides options of the game in this episode; other keys are ignored. Raises
        TypeError or ValueError for options that the game does not accept.
        """
        self._usual.of_episode(options)  # is refused before anything has changed
        if seed is not None:
            self.batch.seed([seed])
        self._usual.next_games(self.batch, options)
        stream = int(self.batch.luck["stream"][0])
        self._taken: list[int] = []
        self.batch.start()
        self._begun = (self._usual.of_game(self.batch, options), stream, seed if seed is None else int(seed))
        self._before = None
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self._info(0) for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment]
        self._rng = agent_rng(int(self.batch.luck["stream"][0]))
        state = self.batch.states[0]
        self._go_on(int(state.over), int(state.seat), int(state.ask), 0)
        if self.render_mode == "human":
            self.render()

    def _info(self, illegal: int) -> dict[str, Any]:
        """Return the infos of an agent right after its own decision: nothing to decide, no events yet."""
        info = {"ask": 0, "illegal": illegal, **self._usual.infos(self.batch)}
        return {**info, "events": []} if self.events else info

    def step(self, action: Any) -> None:
        """Play the decision of the agent to act; None for an agent whose game is over.

        Raises ValueError for an action of an agent whose game is over, TypeError for an action that is no integer, and
        IllegalAction for an illegal one with ``on_illegal="raise"``.
        """
        agent = self._asked()
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ValueError(f"expected None from {agent}, whose game is over, got {action!r}")
            self._was_dead_step(None)
            return
        number = self._number(action)
        before = self._bytes.tobytes()
        over, seat, ask, events, out = self._advance(number) if 0 <= number < len(self._mask) else _REFUSED
        illegal = self.infos[agent]["illegal"]
        if over < 0:
            if self.on_illegal == "raise":
                raise illegal_action_error(self.game, self.batch.states[0], number, self._mask)
            illegal += 1
            if self.on_illegal == "terminate":
                self.infos[agent] |= {"illegal": illegal, "why_not": self._why_illegal(number)}
                self._end({other: ILLEGAL_REWARD if other == agent else 0.0 for other in self.agents}, True, True)
                return
            number = int(self.batch.sample()[0])
            over, seat, ask, events, out = self._advance(number)
        self._taken.append(number)
        self.infos[agent] = self._info(illegal)
        self._before = before
        self._tell(events)
        self._go_on(over, seat, ask, out)
        if self.render_mode == "human":
            self.render()

    def _go_on(self, over: int, seat: int, ask: int, out: int) -> None:
        """Play the decisions that are delegated, and turn to who is asked then, or end the game."""
        while over == _RUNNING and ask in self._delegation and not self._is_cut():
            number, self._before = self._delegation.decide(self.batch, self._rng), self._bytes.tobytes()
            over, seat, ask, events, out = self._advance(number)
            if over < 0:
                raise illegal_action_error(self.game, self.batch.states[0], number, self._mask)
            self._taken.append(number)
            self._tell(events)
        if over != _RUNNING:
            self._end(self._payoffs(self.agents), over == Status.TERMINATED, over == Status.TRUNCATED)
        elif self._is_cut():
            self._end(self._payoffs(self.agents), False, True)
            for agent in self._leaving():
                self.terminations[agent], self.truncations[agent] = True, False
        else:
            self.agent_selection = agent = self.possible_agents[seat]
            self.infos[agent]["ask"] = ask
            if out > len(self.possible_agents) - len(self.agents) and self._leaving():
                self._let_go()

    def _is_cut(self) -> bool:
        """Return whether a game that runs has had `max_cycles` decisions."""
        return self.max_cycles is not None and bool(self._decisions[0] >= self.max_cycles)

    def _tell(self, events: int) -> None:
        """Append the sentences of the latest step's events to the infos of each agent that may know of them."""
        if not self.events or not events:
            return
        state, happened = self.batch.states[0], events_of(self._log[0])
        for agent, info in self.infos.items():
            sentences = (self.game.event_text_for(state, event, self._seats[agent]) for event in happened)
            info["events"] += [sentence for sentence in sentences if sentence is not None]

    def _payoffs(self, agents: list[str]) -> dict[str, float]:
        """Return these agents' payoffs by `reward`."""
        payoffs = self.batch.payoffs(self.reward)[0]
        return {agent: float(payoffs[self._seats[agent]]) for agent in agents}

    def _leaving(self) -> list[str]:
        """Return the agents in the game whose result is final before the end; none with ``reward="score"``."""
        out = self.batch.states[0].out
        return [agent for agent in self.agents if out[self._seats[agent]] and self.reward != "score"]

    def _let_go(self) -> None:
        """Pay and terminate the agents that are out, each in a last step of its own; then the game goes on."""
        leaving = self._leaving()
        self.rewards = dict.fromkeys(self.agents, 0.0) | self._payoffs(leaving)
        self._cumulative_rewards |= self._payoffs(leaving)
        self.terminations |= dict.fromkeys(leaving, True)
        self._deads_step_first()

    def _asked(self) -> str:
        """Return the agent to act. Raises ValueError once all agents are done."""
        agent = self.agent_selection
        if not self.agents:
            raise ValueError("expected a running game, got one in which all agents are done; call reset()")
        return agent

    def _number(self, action: Any) -> int:
        """Return the action as an int. Raises TypeError unless it is an integer."""
        index: Any = None if isinstance(action, bool) else action
        try:
            return operator.index(index)
        except TypeError:
            raise TypeError(f"expected an action number from {self.agent_selection}, got {action!r}") from None

    def _known(self, action: Any) -> int:
        """Return the action as an int. Raises TypeError unless it is an integer, IllegalAction out of range."""
        if not 0 <= (number := self._number(action)) < len(self._mask):
            raise illegal_action_error(self.game, self.batch.states[0], number, self._mask)
        return number

    def _why_illegal(self, number: int) -> str | None:
        """Return the reason that an action is illegal, or, out of range, the sentence of the error."""
        if 0 <= number < len(self._mask):
            return self.why_not(number)
        return str(illegal_action_error(self.game, self.batch.states[0], number, self._mask))

    def _end(self, rewards: dict[str, float], terminated: bool, truncated: bool) -> None:
        """End the game for all agents in it, with these rewards and flags; each gets a last step of its own."""
        self.rewards, self._cumulative_rewards = rewards, dict(rewards)
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        for info in self.infos.values():
            info["ask"] = 0
        self._mask[:] = 0
        self._deads_step_first()

    def last(self, observe: bool = True) -> tuple[dict[str, NDArray[Any]] | None, float, bool, bool, dict[str, Any]]:
        """Return the observation, the reward since its latest decision, both flags and infos of the agent to act."""
        agent = self._asked()
        flags = self.terminations[agent], self.truncations[agent]
        return self.observe(agent) if observe else None, self._cumulative_rewards[agent], *flags, self.infos[agent]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return an agent's "observation" float32 (F,) and "action_mask" int8 (A,), all 0 unless it is to act."""
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            return {"observation": self.view(self._vector.copy()), "action_mask": self._mask.copy()}
        if agent not in self._seats:
            raise ValueError(f"expected an agent among {', '.join(self._seats)}, got {agent!r}")
        vector = np.empty((1, len(self._vector)), np.float32)
        self._see(0, 1, self._row[0], np.array([self._seats[agent]]), vector, self.batch.scales)
        return {"observation": self.view(vector[0]), "action_mask": np.zeros_like(self._mask)}

    def named(self, observation: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """Split a flat observation (F,) into its fields: name -> view."""
        return self.view.layout.split(observation)

    def state(self) -> NDArray[np.float32]:
        """Return all `possible_agents`' observations as one float32 vector (agents * F,), for centralized critics."""
        return np.concatenate([self.observe(agent)["observation"] for agent in self.possible_agents])

    def why_not(self, action: int) -> str | None:
        """Return the rulebook's reason that an action (0 .. A - 1) is illegal now; None for a legal one."""
        number, running = self._known(action), {*self.terminations.values(), *self.truncations.values()} == {False}
        return self.game.text.why_not(self.batch.states[0], number) if running else "The game is over."

    def position(self) -> str:
        """Return the full position as text. Raises ResetNeeded before the first `reset`."""
        return self.game.text.position_text(self._standing())

    def say(self, action: int) -> str:
        """Return the text of an action (0 .. A - 1) in the current position, for people."""
        return self.game.text.describe_action(self._standing(), self._known(action))

    def record(self) -> str:
        """Return the game so far as the text of a record, which `titan_env.records.replay.parse` reads.

        It has the seed of `reset` once the game is over, and none before: chance to come is known from it.
        """
        from titan_env.records.recorder import build_record

        self._standing()
        options, stream, seed = self._begun
        is_over = all(self.terminations[agent] or self.truncations[agent] for agent in self.agents)
        return build_record(self.game, options, self.possible_agents, stream, self._taken, seed if is_over else None)

    def _standing(self) -> Any:
        """Return the current state. Raises ResetNeeded before the first `reset`."""
        if "agents" not in self.__dict__:
            raise ResetNeeded("expected reset() before the game is looked at")
        return self.batch.states[0]

    def _latest_step(self) -> tuple[Any, Any]:
        """Return the events (n, 4) of the latest step and the state before it; no events and None without one."""
        if self._before is None:
            return (), None
        return events_of(self._log[0]), np.frombuffer(self._before, self.game.rules.state).view(np.recarray)[0]

    def render(self) -> Any:
        """Render the full position by `render_mode`: "ansi" text, "rgb_array" (height, width, 3), "human" a window."""
        if self.render_mode is None:
            return None
        return self._painter.render(self._standing(), None, *self._latest_step())

    def _repr_svg_(self) -> str | None:
        """Return the position as SVG, for notebooks; None before the first `reset`."""
        is_there = "agents" in self.__dict__
        return svg_of(self.game, self.batch.states[0], None, *self._latest_step()) if is_there else None

    def play(self, seat: int = 0, opponents: AgentOrName | Sequence[AgentOrName] | None = None) -> PlayWidget:
        """Return a widget for notebooks in which a person plays a seat of this game, as that seat may see it.

        Each of the `opponents` plays another seat, in turn order after it; one plays all, by default the game's usual.
        """
        from titan_env.envs.play_widget import PlayWidget

        return PlayWidget(self, seat, opponents)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._painter.close()

    def snapshot(self) -> EnvSnapshot:
        """Return the state of the running game, random streams included."""
        return EnvSnapshot(self.batch.snapshot(), copy.deepcopy({name: getattr(self, name) for name in _ATTRIBUTES}))

    def restore(self, moment: EnvSnapshot) -> None:
        """Restore the state that `snapshot` returned.

        Raises TypeError for anything else, ValueError for another number of agents.
        """
        if not isinstance(moment, EnvSnapshot):
            raise TypeError(f"expected a snapshot, as snapshot() makes it, got {brief(moment)}")
        seats = int(moment.rows.states["seats"][0])
        if seats != len(self.possible_agents):
            raise ValueError(f"expected a moment of {len(self.possible_agents)} agents, got one of {seats}")
        self.batch.restore(moment.rows)
        self._before = None
        self.__dict__.update(copy.deepcopy(moment.attributes))


def make(*, game: Game | str, on_illegal: str = "terminate", **options: Any) -> GameAEC:
    """Make an environment by the game's name; options are those of `GameAEC` and of the game itself."""
    return GameAEC(registry.game_of(game), on_illegal=on_illegal, **options)
