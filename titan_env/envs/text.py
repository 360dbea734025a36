"""Games as text, for language models: a prompt for each decision, an answer in words.

`GameTextEnv` is one game, `GameTextVectorEnv` many whose answers may come at any time, as from a model's server.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.agents import Agent, agent_of
from titan_env.agents.chat import prompts
from titan_env.agents.chat.endpoint import LETTERS_A_TOKEN
from titan_env.agents.chat.rules_text import RulesText, rules_text
from titan_env.contract import Game, Status
from titan_env.contract.frozen_record import freeze
from titan_env.contract.record_copies import copy_records, take_records
from titan_env.contract.translation import use_language
from titan_env.engine.batch import Batch
from titan_env.engine.validation import check_choice, check_limit, expand_seeds
from titan_env.envs.default_options import DefaultOptions
from titan_env.envs.environment_options import DEFAULTS, TextOptions, show_keywords
from titan_env.envs.text_history import TextHistory
from titan_env.game_options import GameOptions
from titan_env.play.agent_calls import ask_in_batch, needs_of
from titan_env.play.determinization import Determinizations, agent_rng
from titan_env.play.observation_history import EventHistory

ON_ILLEGAL = ("ask", "random", "forfeit")
_NOTHING, _DRAW = -1, -2  # in the place of actions: none is played, one is drawn
PROMPTS = ("conversation", "message")
_DEFAULTS = {name: DEFAULTS[name] for name in TextOptions.__annotations__} | {"on_illegal": "ask"}
FORFEIT_REWARD = -1.0
MOST_RETRIES = 1
"""The times that a decision is asked for again before a legal action is drawn."""

Prompt = str | list[dict[str, str]]
"""A single message, or a conversation as chat completions take it: dicts with "role" and "content"."""


class TextStep(NamedTuple):
    """The result of one answer."""

    reading: str
    """``"legal"``, ``"illegal"``, ``"unreadable"``, or ``"rule"``: it asks for a section of the rules."""
    action: str | None
    """The text of the action that was played; None if none was."""
    rewards: dict[int, float]
    """Each seat's payoff once the game is over; {} before."""
    terminated: bool
    truncated: bool


class Question(NamedTuple):
    """The parts of what a seat is asked, as far as it may know."""

    seat: int
    events: list[str]
    """The sentences of what happened since its own last decision, which comes first."""
    position: str
    asked: str
    """The name of the question."""
    legal: dict[str, str]
    """Each legal action's text and its meaning."""
    board: str
    """The prompt without the events: position, question, legal actions."""


@dataclass
class _Row:
    """The words around one game."""

    history: TextHistory
    begun: tuple[dict[str, Any], int]
    """The options and the random stream with which it began."""
    taken: list[int] = field(default_factory=list)
    talks: dict[int, list[dict[str, str]]] = field(default_factory=dict)
    """Each seat's messages before its current decision."""
    asked: list[dict[str, str]] = field(default_factory=list)
    """The messages of the current decision; empty until its prompt is made."""
    legal: list[str] = field(default_factory=list)
    world: Any = None
    """The imagined position of the current decision."""
    retries: int = 0
    look_ups: int = 0
    rewards: dict[int, float] = field(default_factory=dict)
    ended: int = Status.RUNNING
    counts: Counter[str] = field(default_factory=Counter)


class _Options(TextOptions, GameOptions, total=False):
    """Keywords of `GameTextVectorEnv` and of the games."""


class GameTextVectorEnv:
    """N games as text. `seats` (N,) says who is asked in each, -1 once it is over.

    `prompts` are what they are asked; `step` takes the answers of any of the games. The prompt holds the rules, the
    events since the seat's own last decision, the position and the legal actions, as far as the seat may know: the
    words are made from an imagined world. An answer is read as that of the agent ``chat:``. Where one action is legal
    nobody is asked. Keywords are those of `TextOptions` and the options of the game.
    """

    @show_keywords(TextOptions, on_illegal="ask")
    def __init__(self, game: Game | str, num_envs: int = 1, **options: Unpack[_Options]) -> None:
        self.game = game = registry.game_of(game)
        given: Mapping[str, Any] = options
        values = {name: given.get(name, default) for name, default in _DEFAULTS.items()}
        of_game = {name: value for name, value in given.items() if name not in _DEFAULTS}
        self._usual = DefaultOptions(game, of_game, GameTextVectorEnv)
        self.num_envs, self.num_seats = num_envs, int(self._usual.template["seats"][0])
        self.reward, self.max_cycles = values["reward"], check_limit("max_cycles", values["max_cycles"], "decisions")
        game.rules.reward_scale(self.reward)
        self.on_illegal = check_choice("on_illegal", values["on_illegal"], ON_ILLEGAL)
        self.prompt_form = check_choice("prompt_form", values["prompt_form"], PROMPTS)
        self.language, self.tokens = values["language"], check_limit("tokens", values["tokens"], "tokens")
        self._agents = self._seated(values["agents"])
        self._letters = math.inf if self.tokens is None else self.tokens * LETTERS_A_TOKEN
        with use_language(self.language):
            room = self._letters / 2 - len(prompts.system_prompt(game, 0)) if self.tokens else math.inf
            self._rules: RulesText = rules_text(game, max(0, room))
            self.system_prompt = prompts.system_prompt(game, max(0, room))
        self._listening = any(needs_of(agent).listens for agent in self._agents.values())
        self.batch = Batch(game, num_envs, templates=self._usual.template, events=True)
        self._rng = agent_rng(int(np.random.default_rng().integers(2**63)))
        self._rows: list[_Row] = []

    def _seated(self, agents: Mapping[int, Any] | None) -> dict[int, Agent]:
        """Return the agents of seats. Raises ValueError for seats that do not exist, or if no seat is left to ask."""
        seated = {seat: agent_of(agent, self.game) for seat, agent in (agents or {}).items()}
        if unknown := [seat for seat in seated if seat not in range(self.num_seats)]:
            raise ValueError(f"expected agents of seats 0 to {self.num_seats - 1}, got seat {unknown[0]!r}")
        if len(seated) == self.num_seats:
            raise ValueError(f"expected at least one of {self.num_seats} seats without an agent, to be asked")
        return seated

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat that is asked in each game, int64 (N,); -1 once it is over."""
        over = np.array([row.ended != Status.RUNNING for row in self._begun()])
        return np.where(over, -1, self.batch.states["seat"].astype(np.int64))

    def reset(self, seed: Any = None, options: dict[str, Any] | None = None) -> None:
        """Begin new games, with equal games for equal seeds: a list of N, or one for ``seed, seed + 1, ...``.

        ``options={"game": {...}}`` overrides options of the game in this episode.
        """
        self._usual.of_episode(options)  # is refused before anything has changed
        seeds = expand_seeds(seed, self.num_envs)
        if None not in seeds:
            self.batch.seed(list(seeds))
            self._rng = agent_rng(int(self.batch.luck["stream"][0]))
        self._usual.next_games(self.batch, options)
        begun = dict(self._usual.of_game(self.batch, options))
        streams = self.batch.luck["stream"].tolist()
        self._rows = [_Row(TextHistory(self.game, self.num_seats), (begun, stream)) for stream in streams]
        self._histories = [EventHistory(self.game) for _ in streams]
        self.batch.start()
        self._frozen = [freeze(state) for state in self.batch.states]
        self._go_on()

    def prompts(self) -> list[Prompt | None]:
        """Return what is asked in each game, None where it is over; the same until it is answered.

        Raises ValueError for a decision that does not fit into the budget of `tokens`.
        """
        self._ask_missing()
        shown: list[Prompt | None] = [None] * self.num_envs
        for i, row in enumerate(self._rows):
            if row.ended == Status.RUNNING:
                shown[i] = self._shown(row, int(self._frozen[i].seat))
        return shown

    def _ask_missing(self) -> None:
        """Make the prompts of the decisions that have none yet."""
        missing = [i for i, row in enumerate(self._begun()) if row.ended == Status.RUNNING and not row.asked]
        if missing:
            states = take_records(self.batch.states, np.array(missing))
            worlds = Determinizations(self.game, states, self._rng).states
            with use_language(self.language):
                for i, world in zip(missing, worlds, strict=True):
                    self._ask(i, freeze(world))

    def question(self, i: int = 0) -> Question | None:
        """Return the parts of what is asked in a game, without the budget of `tokens`; None once it is over."""
        if self.prompts()[i] is None:
            return None
        world, mask, seat = self._rows[i].world, self.batch.masks[i], int(self._frozen[i].seat)
        with use_language(self.language):
            return Question(
                seat,
                self._rows[i].history.told(seat),
                self.game.position_text_for(world, seat),
                prompts.asked(self.game, world),
                prompts.legal(self.game, world, mask),
                prompts.user_prompt(self.game, world, mask, ()),
            )

    def _ask(self, i: int, world: Any) -> None:
        """Make the prompt of a game's decision, in which the oldest events give way to the budget."""
        row, mask = self._rows[i], self.batch.masks[i]
        heard = row.history.told(int(world.seat))
        row.legal = [self.game.rules.actions.texts[action] for action in np.flatnonzero(mask).tolist()]
        text = prompts.user_prompt(self.game, world, mask, heard)
        over = len(self.system_prompt) + len(text) - self._letters
        while over > 0 and heard:
            over -= len(heard.pop(0)) + 1
            if over <= 0 or not heard:
                text = prompts.user_prompt(self.game, world, mask, heard)
                over = len(self.system_prompt) + len(text) - self._letters
        if over > 0:
            needed = -(-(len(self.system_prompt) + len(text)) // LETTERS_A_TOKEN)
            raise ValueError(f"expected a budget of at least {needed} tokens for this decision, got {self.tokens}")
        row.asked, row.world = [{"role": "user", "content": text}], world

    def _shown(self, row: _Row, seat: int) -> Prompt:
        """Return the prompt of a decision: as one message, or with as much of the seat's earlier talk as has room."""
        if self.prompt_form == "message":
            return "\n\n".join([self.system_prompt, *(message["content"] for message in row.asked)])
        talk = row.talks.get(seat, [])
        room = self._letters - len(self.system_prompt) - sum(len(message["content"]) for message in row.asked)
        kept = 0 if self.tokens is None else len(talk)
        while kept and (length := len(talk[kept - 1]["content"]) + len(talk[kept - 2]["content"])) <= room:
            room -= length
            kept -= 2
        return [{"role": "system", "content": self.system_prompt}, *talk[kept:], *row.asked]

    def step(self, answers: Mapping[int, str]) -> dict[int, TextStep]:
        """Read answers by the number of their game, and play on in these games to the next decision that is asked for.

        Raises ValueError, before anything has changed, for a game that is over or that does not exist.
        """
        for i, answer in answers.items():
            if i not in range(self.num_envs) or self._begun()[i].ended != Status.RUNNING:
                raise ValueError(f"expected answers of games that run, got one of game {i!r}")
            if not isinstance(answer, str):
                raise TypeError(f"expected a text as the answer of game {i}, got {answer!r}")
        self._ask_missing()
        actions = np.full(self.num_envs, _NOTHING, np.int64)
        readings: dict[int, str] = {}
        with use_language(self.language):
            for i, answer in answers.items():
                readings[i], actions[i] = self._read(i, answer)
        drawn = actions == _DRAW
        # A row without ones draws nothing: each game goes on alike, whatever is answered beside it.
        actions = np.where(drawn, self.batch.sample(self.batch.masks * drawn[:, None]), actions)
        self._play(actions)
        self._go_on()
        return {i: self._result(i, reading, int(actions[i])) for i, reading in readings.items()}

    def _read(self, i: int, answer: str) -> tuple[str, int]:
        """Return how an answer reads, and the action to play, `_NOTHING` or `_DRAW`."""
        row, numbers = self._rows[i], self.game.rules.actions.numbers
        action = prompts.parse_answer(answer, row.legal)
        row.asked.append({"role": "assistant", "content": answer})
        if action is not None:
            row.counts["decisions"] += 1
            return "legal", numbers[action]
        heading = (
            prompts.parse_look_up(answer) if self._rules.left_out and row.look_ups < prompts.MOST_LOOK_UPS else None
        )
        if heading is not None:
            row.look_ups += 1
            row.counts["looked_up"] += 1
            row.asked.append({"role": "user", "content": prompts.section_prompt(self._rules, heading)})
            return "rule", _NOTHING
        named = prompts.parse_answer(answer, self.game.rules.actions.texts)
        reading = "unreadable" if named is None else "illegal"
        row.counts[reading] += 1
        if self.on_illegal == "ask" and row.retries < MOST_RETRIES:
            row.retries += 1
            why = None if named is None else str(self.game.text.why_not(row.world, numbers[named]))
            row.asked.append({"role": "user", "content": prompts.retry_prompt(row.legal, why)})
            return reading, _NOTHING
        if self.on_illegal == "forfeit":
            row.counts["forfeits"] += 1
            seat = int(self._frozen[i].seat)
            row.rewards = {other: FORFEIT_REWARD if other == seat else 0.0 for other in range(self.num_seats)}
            row.ended = Status.TERMINATED
            return reading, _NOTHING
        row.counts.update(decisions=1, drawn=1)
        return reading, _DRAW

    def _play(self, actions: NDArray[np.int64]) -> None:
        """Play these actions (N,), -1 for none, and note what happened for all who may know of it."""
        rows = actions >= 0
        if not rows.any():
            return
        earlier = copy_records(self.batch.states) if self._listening else None
        self.batch.step(np.maximum(actions, 0), rows)
        for i in np.flatnonzero(rows).tolist():
            row, before, after = self._rows[i], self._frozen[i], freeze(self.batch.states[i])
            events = self.batch.last_events(i).copy()
            row.history.add(before, int(actions[i]), after, events)
            if earlier is not None:
                now = copy_records(self.batch.states[i : i + 1])
                self._histories[i].add(earlier[i : i + 1], int(actions[i]), now, events)
            row.taken.append(int(actions[i]))
            if len(row.asked) > 1 and self.prompt_form == "conversation":
                row.talks.setdefault(int(before.seat), []).extend([row.asked[0], row.asked[-1]])
            row.asked, row.retries, row.look_ups, self._frozen[i] = [], 0, 0, after
            row.ended = int(after.over)
            if not row.ended and self.max_cycles is not None and after.decisions >= self.max_cycles:
                row.ended = Status.TRUNCATED
            if row.ended:
                payoffs = self.batch.payoffs(self.reward)[i]
                row.rewards = {seat: float(payoffs[seat]) for seat in range(self.num_seats)}

    def _go_on(self) -> None:
        """Play decisions of agents and those with one legal action until every game asks a seat or is over."""
        while True:
            seats, single = self.seats, self.batch.masks.sum(axis=1) == 1
            actions = np.where((seats >= 0) & single, self.batch.masks.argmax(axis=1), -1)
            for seat, agent in self._agents.items():
                if len(rows := np.flatnonzero((seats == seat) & ~single)):
                    histories = self._histories if self._listening else None
                    actions[rows] = ask_in_batch(agent, self.batch, rows, self._rng, histories).actions
            if not (actions >= 0).any():
                return
            self._play(actions)

    def _result(self, i: int, reading: str, action: int) -> TextStep:
        """Return the result of a game's answer."""
        row = self._rows[i]
        text = None if action < 0 else self.game.rules.actions.texts[action]
        ended = row.ended == Status.TERMINATED, row.ended == Status.TRUNCATED
        return TextStep(reading, text, dict(row.rewards), *ended)

    def counts(self, i: int = 0) -> dict[str, int]:
        """Return the counts of a game: decisions, unreadable, illegal, drawn, looked_up, forfeits, without zeros."""
        return dict(self._begun()[i].counts)

    def record(self, i: int = 0, names: Sequence[str] = ()) -> str:
        """Return a game so far as the text of a record, which `titan_env.records.replay.parse` reads."""
        from titan_env.records.replay import build_record

        row = self._begun()[i]
        named = list(names) or [f"player_{seat}" for seat in range(self.num_seats)]
        return build_record(self.game, row.begun[0], named, row.begun[1], row.taken)

    def _begun(self) -> list[_Row]:
        """Return the rows. Raises ValueError before the first `reset`."""
        if not self._rows:
            raise ValueError("expected reset() before the games are looked at")
        return self._rows


class GameTextEnv:
    """One game as text: `seat` is asked `prompt`, and `step` takes its answer. Keywords as of `GameTextVectorEnv`."""

    @show_keywords(TextOptions, on_illegal="ask")
    def __init__(self, game: Game | str, **options: Unpack[_Options]) -> None:
        self.games = GameTextVectorEnv(game, 1, **options)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; ``options={"game": {...}}`` overrides options of the game in this episode."""
        self.games.reset(seed, options)

    @property
    def seat(self) -> int:
        """The seat that is asked; -1 once the game is over."""
        return int(self.games.seats[0])

    def prompt(self) -> Prompt | None:
        """Return what the seat is asked; None once the game is over."""
        return self.games.prompts()[0]

    def question(self) -> Question | None:
        """Return the parts of what the seat is asked, without a budget; None once the game is over."""
        return self.games.question()

    def step(self, answer: str) -> TextStep:
        """Read the answer of the seat that is asked, and play on to the next decision that is asked for."""
        return self.games.step({0: answer})[0]

    def counts(self) -> dict[str, int]:
        """Return the counts of decisions, and of unreadable and illegal answers, without zeros."""
        return self.games.counts()

    def record(self, names: Sequence[str] = ()) -> str:
        """Return the game so far as the text of a record."""
        return self.games.record(0, names)
