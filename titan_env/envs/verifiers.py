"""Every game as a taskset and an environment of verifiers (API v1), with one seeded game a task.

::

    vf-eval titan-env --env.taskset.game my_game --env.taskset.opponents greedy -n 8 -m MODEL --no-push

Without opponents the model, or several, play all seats: ``--env.player_1.model OTHER``. The id of the taskset is the
name of this package. Needs the extra ``verifiers``.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

from titan_env import registry
from titan_env.engine.game_setup import GameSetup
from titan_env.envs.text import GameTextEnv
from titan_env.envs.text_seats import agents_around, begin
from titan_env.extras import extra

with extra("verifiers"):
    import verifiers.v1 as vf
    from openai import APIError, AsyncOpenAI
    from pydantic import Field, model_validator
    from verifiers.v1.dialects.chat import message_to_wire


class GameTasksetConfig(vf.TasksetConfig):  # type: ignore[misc]
    """The game and its options, under ``--env.taskset``."""

    game: str = ""
    """Name of the game, or its place, module:NAME; there is no default."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of the game, such as players."""
    opponents: str | None = None
    """Agents of the other seats, by name: one for all, or one for each; without, all seats are asked."""
    seat: int | None = None
    """The seat that is asked, with opponents; without, it is the seed modulo the number of seats."""
    reward: str = "win"
    """As in `TextOptions`, like the next ones."""
    max_cycles: int | None = None
    on_illegal: str = "ask"
    language: str = "en"
    tokens: int | None = None

    @model_validator(mode="after")
    def check(self) -> GameTasksetConfig:
        """Raise ValueError for an unknown game, option, agent or seat, which ``vf-eval`` tells without a traceback."""
        if self.game:
            self.make(self.seat)
        return self

    def make(self, seat: int | None) -> GameTextEnv:
        """Return the text environment in which this seat is asked, or all."""
        game = registry.load(self.game)
        seats = GameSetup.of(game, self.options).seats
        return GameTextEnv(
            game,
            reward=self.reward,
            max_cycles=self.max_cycles,
            on_illegal=self.on_illegal,
            language=self.language,
            tokens=self.tokens,
            agents=agents_around(seats, seat, self.opponents),
            **self.options,
        )


class GameTaskData(vf.TaskData):  # type: ignore[misc]
    """One game: its seed, and the seat that is asked, None for all."""

    seed: int
    seat: int | None


class GameTask(vf.Task[GameTaskData, vf.State, vf.TaskConfig]):  # type: ignore[misc]
    """The task to win one game."""


class GameTaskset(vf.Taskset[GameTask, GameTasksetConfig]):  # type: ignore[misc]
    """The games with the seeds 0, 1, 2, ...; the rules are the system prompt."""

    INFINITE = True

    def load(self) -> Iterator[GameTask]:
        """Yield one task for each seed. Raises ValueError for an unknown game, option, agent or seat."""
        text = self.config.make(self.config.seat).games
        for seed in itertools.count():
            seat = self.config.seat
            if self.config.opponents is not None and seat is None:
                seat = seed % text.num_seats
            named = f"{text.game.id}#{seed}"
            data = GameTaskData(name=named, system_prompt=text.system_prompt, seed=seed, seat=seat)
            yield GameTask(data, self.config.task)


class GameHarness(vf.Harness[vf.HarnessConfig]):  # type: ignore[misc]
    """Asks for one chat completion a decision, in this process: a game needs neither tools nor a sandbox."""

    APPENDS_SYSTEM_PROMPT = SUPPORTS_RESUME = True
    EXECUTES_CODE = NEEDS_CONTAINER = False

    async def launch(
        self, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, mcp_urls: Any, data: Any
    ) -> Any:
        """Send the conversation to the endpoint, where verifiers records the answer, and refuses it beyond a limit."""
        system, prompt = self.resolve_prompt(data)
        messages = [message_to_wire(message) for message in prompt]
        if system:
            messages = [{"role": "system", "content": system}, *messages]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0) as client:
            try:
                await client.chat.completions.create(model=ctx.model, messages=messages)
            except APIError as error:
                return vf.ProgramResult(1, "", str(error))
        return vf.ProgramResult(0, "", "")


def _player() -> Any:
    """Return the configuration of a seat: the run's model, in this process."""
    return vf.AgentConfig(runtime=vf.SubprocessConfig())


class GameVerifiersConfig(vf.EnvConfig):  # type: ignore[misc]
    """One agent for each seat, by its PettingZoo name; without settings of its own it is the run's model."""

    player_0: vf.AgentConfig = _player()
    player_1: vf.AgentConfig = _player()
    player_2: vf.AgentConfig = _player()
    player_3: vf.AgentConfig = _player()
    player_4: vf.AgentConfig = _player()
    player_5: vf.AgentConfig = _player()


class GameVerifiersEnv(vf.Env[GameVerifiersConfig]):  # type: ignore[misc]
    """Plays one game a task. Each seat has a trace of its own, with its reward, and counts of its answers as metrics.

    Traces' `info` holds "seat", "outcome" ("terminated", "truncated", "forfeit", or "unfinished" after an error of the
    endpoint) and the game's "record". A seat whose agent reaches a limit of its own, such as max_turns, forfeits.
    """

    async def run(self, task: GameTask, agents: Any) -> None:
        """Ask the seats in turn to the end of the game, and score every seat that was asked."""
        text, counts, talks = self.config.taskset.make(task.data.seat), Counter[tuple[int, str]](), {}
        begin(text, task.data.seed)
        outcome, rewards = "unfinished", dict.fromkeys(range(text.games.num_seats), 0.0)
        async with AsyncExitStack() as open_talks:
            while (seat := text.seat) >= 0:
                if seat not in talks:
                    talk = getattr(agents, f"player_{seat}").interaction(task)
                    talks[seat] = await open_talks.enter_async_context(talk)
                segment = await talks[seat].turn(text.prompt()[-1]["content"])  # type: ignore[index]
                if segment.terminated:
                    if not talks[seat].trace.errors:
                        outcome, rewards = "forfeit", text.forfeit()
                    break
                result = text.step(segment.last_reply)
                counts[seat, result.reading] += 1
                if result.rewards:
                    rewards = result.rewards
                    outcome = "truncated" if result.truncated else "terminated" if result.action else "forfeit"
        for seat, talk in talks.items():
            talk.trace.record_reward("payoff", rewards[seat])
            for reading in ("legal", "illegal", "unreadable", "rule"):
                talk.trace.record_metric(f"{reading}_answers", counts[seat, reading])
            talk.trace.info |= {"seat": seat, "outcome": outcome, "record": text.record()}


__all__ = ["GameHarness", "GameTaskset", "GameVerifiersEnv"]
