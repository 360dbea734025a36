"""Every game as an OpenEnv environment: its action, observation and state, the server's app, and a client.

::

    python -m titan_env openenv my_game --opponents greedy

    from titan_env.envs.openenv import GameAction, GameClient

    with GameClient(base_url="http://localhost:8000").sync() as client:
        result = client.reset(seed=7)
        result = client.step(GameAction(answer="ACTION: roll"))

One session is one game, in which a seat is asked against opponents, or all seats in turn. Needs the extra ``openenv``.
"""

from __future__ import annotations

import random
from typing import Any

from titan_env import registry
from titan_env.contract import Game
from titan_env.envs.text import GameTextEnv
from titan_env.envs.text_seats import agents_around, begin
from titan_env.extras import extra

with extra("openenv"):
    from openenv.core import EnvClient
    from openenv.core.client_types import StepResult
    from openenv.core.env_server import create_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
    from pydantic import Field


class GameAction(Action):  # type: ignore[misc]
    """An answer in words, as a language model gives it; its last line ``ACTION: ...`` names the action."""

    answer: str


class GameObservation(Observation):  # type: ignore[misc]
    """The question to the seat that is to answer. `reward` is that of the seat that answered, 0 before the end."""

    seat: int
    """The seat that is asked; -1 once the game is over."""
    prompt: str
    """The events since the seat's own last decision, the position, the question, the legal actions."""
    system_prompt: str = ""
    """The rules, in the first observation of a game."""
    legal_actions: list[str] = Field(default_factory=list)
    reading: str | None = None
    """How the answer was read, as in `TextStep`; None at the beginning, like the next one."""
    action: str | None = None
    """The action that was played; None if none was."""
    rewards: dict[int, float] = Field(default_factory=dict)
    """Each seat's payoff once the game is over."""


class GameEnvironmentState(State):  # type: ignore[misc]
    """The game that is played, without what is hidden in it."""

    game: str
    seats: int
    seat: int | None = None
    """The seat that is asked; None for all of them."""
    counts: dict[str, int] = Field(default_factory=dict)
    """Counts of decisions, of unreadable and of illegal answers."""
    record: str | None = None
    """The record of the game, once it is over."""


class GameEnvironment(Environment[GameAction, GameObservation, GameEnvironmentState]):  # type: ignore[misc]
    """One game. With `opponents`, agents by name, one seat is asked: `seat`, or one drawn for each game.

    Other keywords are those of `GameTextEnv` and the options of the game.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True
    REQUIRES_SINGLE_THREAD_EXECUTOR = True  # rules compile in one thread only

    def __init__(self, game: Game | str, opponents: str | None = None, seat: int | None = None, **options: Any) -> None:
        super().__init__()
        self.game, self._opponents, self._seat, self._options = registry.game_of(game), opponents, seat, options
        if {"agents", "prompt_form"} & options.keys():
            raise ValueError("expected opponents and seat instead of agents, and no prompt_form")
        self._text = self._seated(seat)
        self._learner: int | None = None
        self._state = GameEnvironmentState(game=self.game.id, seats=self._text.games.num_seats)
        self._begun = False

    def _seated(self, seat: int | None) -> GameTextEnv:
        """Return the text environment in which this seat is asked, or all of them."""
        text = GameTextEnv(self.game, **self._options)
        agents = agents_around(text.games.num_seats, seat, self._opponents)
        return GameTextEnv(self.game, **self._options, agents=agents) if agents else text

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, options: dict[str, Any] | None = None, **more: Any
    ) -> GameObservation:
        """Begin a game, equal for equal seeds. ``options={"game": {...}}`` overrides its options in this episode."""
        if more:
            raise ValueError(f"expected seed, episode_id and options, got {', '.join(more)}")
        learner = self._seat
        if self._opponents is not None and learner is None:
            learner = random.Random(seed).choice(range(self._state.seats))
        text = self._seated(learner) if learner != self._learner else self._text
        begin(text, seed, options)
        self._text, self._learner, self._begun = text, learner, True
        about = {"game": self.game.id, "seats": self._text.games.num_seats, "seat": learner}
        self._state = GameEnvironmentState(episode_id=episode_id, **about)
        return self._observed(system_prompt=self._text.games.system_prompt)

    def step(self, action: GameAction, timeout_s: float | None = None, **more: Any) -> GameObservation:
        """Read the answer of the seat that is asked, and play on to the next question."""
        if not self._begun:
            raise ValueError("expected reset() before step(), in one session: over HTTP alone each request is its own")
        if self._text.seat < 0:
            raise ValueError("expected a game that runs, got an answer to one that is over; reset() it")
        seat, result = self._text.seat, self._text.step(action.answer)
        self._state.step_count += 1
        self._state.counts = self._text.counts()
        if done := result.terminated or result.truncated:
            self._state.record = self._text.record()
        reward = result.rewards.get(seat, 0.0)
        about = {"reading": result.reading, "action": result.action, "rewards": result.rewards}
        return self._observed(done=done, reward=reward, **about)

    def _observed(self, **about: Any) -> GameObservation:
        """Return the observation of the current question."""
        question, prompt = self._text.question(), self._text.prompt()
        if question is None or prompt is None:
            return GameObservation(seat=-1, prompt="", **about)
        asked = prompt[-1]["content"]  # type: ignore[index]
        return GameObservation(seat=question.seat, prompt=asked, legal_actions=list(question.legal), **about)

    @property
    def state(self) -> GameEnvironmentState:
        """The game that is played, without what is hidden in it."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """Return the game's title, id and rules."""
        rules = self._text.games.system_prompt
        about = {
            "name": self.game.metadata.title,
            "description": self.game.id,
            "version": str(self.game.metadata.version),
        }
        return EnvironmentMetadata(readme_content=rules, **about)


class GameClient(EnvClient[GameAction, GameObservation, GameEnvironmentState]):  # type: ignore[misc]
    """A client of the server, asynchronous, or with ``.sync()`` not."""

    def _step_payload(self, action: GameAction) -> dict[str, Any]:
        """Return an action as JSON."""
        return dict(action.model_dump())

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[GameObservation]:
        """Return the result of a reset or step."""
        reward, done = payload.get("reward"), payload.get("done", False)
        seen = GameObservation(**payload["observation"], reward=reward, done=done)
        return StepResult(seen, reward, done)

    def _parse_state(self, payload: dict[str, Any]) -> GameEnvironmentState:
        """Return the state of the game."""
        return GameEnvironmentState(**payload)


def make_app(game: Game | str, sessions: int = 64, **keywords: Any) -> Any:
    """Return the FastAPI app of a server with as many `sessions` at a time; keywords are `GameEnvironment`'s.

    The game is compiled before it returns. Raises ValueError or TypeError for invalid keywords.
    """
    first = GameEnvironment(game, **keywords)
    seen = first.reset(seed=0)
    first.step(GameAction(answer=seen.legal_actions[0]))

    def environment() -> GameEnvironment:
        """Return the environment of a session."""
        return GameEnvironment(first.game, **keywords)

    return create_app(environment, GameAction, GameObservation, first.game.id, max_concurrent_envs=sessions)
