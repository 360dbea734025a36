"""Games as text, for language models: a prompt for each decision, an answer in words.

`GameTextEnv` is one game, `GameTextVectorEnv` many whose answers may come at any time, as from a model's server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.agents import Agent, agent_of
from titan_env.agents.chat import prompts
from titan_env.compiler.record_copies import copy_records, take_records
from titan_env.contract import Game, Status
from titan_env.contract.frozen_record import freeze
from titan_env.contract.options import brief
from titan_env.contract.translation import use_language
from titan_env.engine.batch import Batch
from titan_env.engine.validation import check_choice, check_limit, expand_seeds
from titan_env.envs.default_options import DefaultOptions
from titan_env.envs.environment_options import DEFAULTS, TextOptions, show_keywords
from titan_env.envs.text_history import TextHistory
from titan_env.envs.text_parts import (
    GAP,
    Prompt,
    Question,
    TextRow,
    TextStep,
    WrittenPrompts,
    cut_section,
    fit_events,
)
from titan_env.game_options import GameOptions
from titan_env.play.agent_calls import needs_of
from titan_env.play.determinization import Determinizations
from titan_env.play.observation_history import EventHistory
from titan_env.play.streams import PerGameRNG, SeatStreams

ON_ILLEGAL = ("ask", "random", "forfeit")
_NOTHING, _DRAW = -1, -2  # in the place of actions: none is played, one is drawn
_WORDS = -1  # in the place of a seat: the generator of the worlds that prompts are made from
PROMPTS = ("conversation", "message")
_DEFAULTS = {name: DEFAULTS[name] for name in TextOptions.__annotations__} | {"on_illegal": "ask"}
FORFEIT_REWARD = -1.0
MOST_RETRIES = 1
"""The times that a decision is asked for again before a legal action is drawn."""


class _Options(TextOptions, GameOptions, total=False):
    """Keywords of `GameTextVectorEnv` and of the games."""


class GameTextVectorEnv:
    """N games as text. `seats` (N,) says who is asked in each, -1 once it is over.

    `prompts` are what they are asked; `step` takes the answers of any of the games. The prompt holds the rules, the
    events since the seat's own last decision, the position and the legal actions, as far as the seat may know: the
    words are made from an imagined world. An answer is read as that of the agent ``chat:``. Where one action is legal
    nobody is asked. A game whose next question has more than `tokens` is truncated, and counts it as ``"too_long"``.
    Each game is the same in any number of games. Keywords are those of `TextOptions` and the options of the game.
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
        self._written = WrittenPrompts(game, self.language, self.prompt_form, self.tokens)
        self.system_prompt = self._written.system
        self._listening = any(needs_of(agent).listens for agent in self._agents.values())
        self._written.check(self._usual.template)
        self.batch = Batch(game, num_envs, templates=self._usual.template, events=True)
        self._rows: list[TextRow] = []

    def _seated(self, agents: Mapping[int, Any] | None) -> dict[int, Agent]:
        """Return the agents of seats. Raises ValueError for seats that do not exist or if none is left to ask."""
        if agents is not None and not isinstance(agents, Mapping):
            raise TypeError(f"expected agents by seat, as {{1: 'greedy'}}, got {brief(agents)}")
        seated = {seat: agent_of(agent, self.game) for seat, agent in (agents or {}).items()}
        if unknown := [seat for seat in seated if seat not in range(self.num_seats)]:
            raise ValueError(f"expected agents of seats 0 to {self.num_seats - 1}, got seat {unknown[0]!r}")
        if len(seated) == self.num_seats:
            raise ValueError(f"expected at least one of {self.num_seats} seats without an agent, to be asked")
        return seated

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat that is asked in each game, int64 (N,); -1 once it is over."""
        self._begun()
        return self._asked.copy()

    def reset(self, seed: Any = None, options: dict[str, Any] | None = None) -> None:
        """Begin new games, with equal games for equal seeds: a list of N, or one for ``seed, seed + 1, ...``.

        ``options={"game": {...}}`` overrides options of the game in this episode.
        """
        self._usual.of_episode(options)  # is refused before anything has changed
        seeds = expand_seeds(seed, self.num_envs)
        if None not in seeds:
            self.batch.seed(list(seeds))
        self._usual.next_games(self.batch, options)
        begun = dict(self._usual.of_game(self.batch, options))
        streams = self.batch.luck["stream"].tolist()
        origins = zip(streams, seeds, strict=True)
        self._rows = [TextRow(TextHistory(self.game, self.num_seats), (begun, *origin)) for origin in origins]
        self._histories = [EventHistory(self.game) for _ in streams]
        self._streams = SeatStreams([(stream,) for stream in streams])
        self.batch.start()
        self._frozen = [freeze(state) for state in self.batch.states]
        self._asked = self.batch.states["seat"].astype(np.int64)
        self._go_on(np.arange(self.num_envs))

    def prompts(self) -> list[Prompt | None]:
        """Return what is asked in each game, None where it is over; the same until it is answered."""
        self._begun()
        return [self.prompt(i) for i in range(self.num_envs)]

    def prompt(self, i: int = 0) -> Prompt | None:
        """Return what is asked in one game, whatever the number of games; None once it is over."""
        row = self._row(i)
        return self._written.shown(row, int(self._asked[i])) if row.asked else None

    def question(self, i: int = 0) -> Question | None:
        """Return the parts of what is asked in a game; None once it is over."""
        row, mask, seat = self._row(i), self.batch.masks[i], int(self._asked[i])
        if not row.asked:
            return None
        with use_language(self.language):
            return Question(
                seat,
                list(row.heard),
                prompts.position(self.game, row.world),
                prompts.asked(self.game, row.world),
                prompts.legal(self.game, row.world, mask),
                prompts.user_prompt(self.game, row.world, mask, ()),
            )

    def _ask_all(self, rows: NDArray[np.int64]) -> None:
        """Make the prompts of the decisions in these games."""
        if not len(rows):
            return
        rng = PerGameRNG([self._streams.of(row, _WORDS) for row in rows.tolist()])
        worlds = Determinizations(self.game, take_records(self.batch.states, rows), rng).states
        with use_language(self.language):
            for i, world in zip(rows.tolist(), worlds, strict=True):
                self._ask(i, freeze(world))

    def _ask(self, i: int, world: Any) -> None:
        """Make the prompt of a game's decision, or truncate the game if the budget has no room for it."""
        row, mask = self._rows[i], self.batch.masks[i]
        budget = self._written.whole - GAP
        text, row.heard = fit_events(
            lambda heard: prompts.user_prompt(self.game, world, mask, heard),
            row.history.heard_by(int(world.seat)),
            budget,
        )
        if len(text) > budget:
            row.counts["too_long"] += 1
            row.rewards = self._payoffs(i)
            self._end(i, Status.TRUNCATED)
            return
        row.legal = [self.game.rules.actions.texts[action] for action in mask.nonzero()[0].tolist()]
        row.asked, row.world = [{"role": "user", "content": text}], world

    def _payoffs(self, i: int) -> dict[int, float]:
        """Return each seat's payoff in a game."""
        payoffs = self.batch.payoffs(self.reward)[i]
        return {seat: float(payoffs[seat]) for seat in range(self.num_seats)}

    def _end(self, i: int, status: int) -> None:
        """End a game, in which nobody is asked any more."""
        self._rows[i].ended, self._rows[i].asked, self._asked[i] = status, [], -1

    def step(self, answers: Mapping[int, str]) -> dict[int, TextStep]:
        """Read answers by the number of their game, and play on in these games to the next decision that is asked for.

        Raises ValueError, before anything has changed, for a game that is over or that does not exist.
        """
        if not isinstance(answers, Mapping):
            raise TypeError(f"expected answers by the number of their game, as {{0: ...}}, got {brief(answers)}")
        for i, answer in answers.items():
            if self._row(i).ended != Status.RUNNING:
                raise ValueError(f"expected answers of games that run, got one of game {i!r}")
            if not isinstance(answer, str):
                raise TypeError(f"expected a text as the answer of game {i}, got {brief(answer)}")
        actions = np.full(self.num_envs, _NOTHING, np.int64)
        readings: dict[int, str] = {}
        with use_language(self.language):
            for i, answer in answers.items():
                readings[i], actions[i] = self._read(i, answer)
        if (drawn := actions == _DRAW).any():
            # A row without ones draws nothing: each game goes on alike, whatever is answered beside it.
            actions = np.where(drawn, self.batch.sample(self.batch.masks * drawn[:, None]), actions)
        played = np.flatnonzero(actions >= 0)
        self._play(actions, played)
        self._go_on(played)
        return {i: self._result(i, reading, int(actions[i])) for i, reading in readings.items()}

    def _read(self, i: int, answer: str) -> tuple[str, int]:
        """Return how an answer reads, and the action to play, `_NOTHING` or `_DRAW`."""
        row, numbers = self._rows[i], self.game.rules.actions.numbers
        action = prompts.parse_answer(answer, row.legal)
        if action is not None:
            row.asked.append({"role": "assistant", "content": answer})
            row.counts["decisions"] += 1
            return "legal", numbers[action]
        may_look_up = self._written.rules.left_out and row.look_ups < prompts.MOST_LOOK_UPS
        heading = prompts.parse_look_up(answer) if may_look_up else None
        if heading is not None:
            section = cut_section(prompts.section_prompt(self._written.rules, heading), self._written.room(row))
            if self._written.reply(row, answer, section):
                row.look_ups += 1
                row.counts["looked_up"] += 1
                return "rule", _NOTHING
        named = prompts.parse_answer(answer, self.game.rules.actions.texts)
        reading = "unreadable" if named is None else "illegal"
        row.counts[reading] += 1
        if self.on_illegal == "ask" and row.retries < MOST_RETRIES:
            row.retries += 1
            why = None if named is None else str(self.game.text.why_not(row.world, numbers[named]))
            if self._written.reply(row, answer, prompts.retry_prompt(row.legal, why)):
                return reading, _NOTHING
        if self.on_illegal == "forfeit":
            self.forfeit(i)
            return reading, _NOTHING
        row.asked.append({"role": "assistant", "content": answer})
        row.counts.update(decisions=1, drawn=1)
        return reading, _DRAW

    def forfeit(self, i: int = 0) -> None:
        """End a game with `FORFEIT_REWARD` for the side of the seat that is asked, and 0 for all others.

        Raises ValueError for a game that is over.
        """
        row, seat, side = self._row(i), int(self._asked[i]), self.game.rules.side
        if seat < 0:
            raise ValueError(f"expected a game that runs, got a forfeit of game {i!r}")
        state = self.batch.states[i]
        row.counts["forfeits"] += 1
        lost = [side(state, other) == side(state, seat) for other in range(self.num_seats)]
        row.rewards = {other: FORFEIT_REWARD if is_lost else 0.0 for other, is_lost in enumerate(lost)}
        self._end(i, Status.TERMINATED)

    def _play(self, actions: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Play the actions (N,) in these games, and note what happened for all who may know of it."""
        if not len(rows):
            return
        earlier = take_records(self.batch.states, rows) if self._listening else None
        chosen = np.zeros(self.num_envs, np.bool_)
        chosen[rows] = True
        self.batch.step(np.maximum(actions, 0), chosen)
        for k, i in enumerate(rows.tolist()):
            row, before, after = self._rows[i], self._frozen[i], freeze(self.batch.states[i])
            events = self.batch.last_events(i).copy()
            row.history.add(before, int(actions[i]), after, events)
            if earlier is not None:
                now = copy_records(self.batch.states[i : i + 1])
                self._histories[i].add(earlier[k : k + 1], int(actions[i]), now, events)
            row.taken.append(int(actions[i]))
            if len(row.asked) > 1 and self.prompt_form == "conversation":
                row.talks.setdefault(int(before.seat), []).extend([row.asked[0], row.asked[-1]])
            row.asked, row.retries, row.look_ups, self._frozen[i] = [], 0, 0, after
            self._asked[i] = int(after.seat)
            ended = int(after.over)
            if not ended and self.max_cycles is not None and after.decisions >= self.max_cycles:
                ended = Status.TRUNCATED
            if ended:
                row.rewards = self._payoffs(i)
                self._end(i, ended)

    def _go_on(self, rows: NDArray[np.int64]) -> None:
        """Play decisions of agents and those with one legal action until each of these games asks a seat or is over."""
        going = rows
        while len(going := going[self._asked[going] >= 0]):
            masks, seats = self.batch.masks[going], self._asked[going]
            single = masks.sum(axis=1) == 1
            actions = np.full(self.num_envs, _NOTHING, np.int64)
            actions[going[single]] = masks[single].argmax(axis=1)
            for seat, agent in self._agents.items():
                if len(asked := going[(seats == seat) & ~single]):
                    histories = self._histories if self._listening else None
                    actions[asked] = self._streams.ask(agent, self.batch, asked, histories).actions
            going = going[actions[going] >= 0]
            self._play(actions, going)
        self._ask_all(rows[self._asked[rows] >= 0])

    def _result(self, i: int, reading: str, action: int) -> TextStep:
        """Return the result of a game's answer."""
        row = self._rows[i]
        text = None if action < 0 else self.game.rules.actions.texts[action]
        ended = row.ended == Status.TERMINATED, row.ended == Status.TRUNCATED
        return TextStep(reading, text, dict(row.rewards), *ended)

    def counts(self, i: int = 0) -> dict[str, int]:
        """Return a game's counts: decisions, unreadable, illegal, drawn, looked_up, forfeits, too_long; no zeros."""
        return dict(self._row(i).counts)

    def record(self, i: int = 0, names: Sequence[str] = ()) -> str:
        """Return a game so far as the text of a record, which `titan_env.records.replay.parse` reads.

        It has the seed of `reset` once the game is over. A forfeit is no decision of the rules: the record ends before
        it, without a result. Raises ValueError unless `names` has none or one for each seat.
        """
        from titan_env.records.recorder import build_record

        row = self._row(i)
        options, stream, seed = row.begun
        if len(names) not in (0, self.num_seats):
            raise ValueError(f"expected the names of {self.num_seats} seats, got {len(names)}: {brief(names)}")
        named = list(names) or [f"player_{seat}" for seat in range(self.num_seats)]
        known_seed = seed if row.ended != Status.RUNNING else None
        return build_record(self.game, options, named, stream, row.taken, known_seed)

    def _row(self, i: int) -> TextRow:
        """Return the row of a game. Raises ValueError for a number of no game, and before the first `reset`."""
        rows = self._begun()
        if i not in range(self.num_envs):
            raise ValueError(f"expected a game from 0 to {self.num_envs - 1}, got {brief(i)}")
        return rows[i]

    def _begun(self) -> list[TextRow]:
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
        return self.games.prompt()

    def question(self) -> Question | None:
        """Return the parts of what the seat is asked; None once the game is over."""
        return self.games.question()

    def step(self, answer: str) -> TextStep:
        """Read the answer of the seat that is asked, and play on to the next decision that is asked for."""
        return self.games.step({0: answer})[0]

    def forfeit(self) -> dict[int, float]:
        """End the game as a forfeit of the seat that is asked; return each seat's reward."""
        self.games.forfeit()
        return dict(self.games._rows[0].rewards)

    def counts(self) -> dict[str, int]:
        """Return the counts of decisions, and of unreadable and illegal answers, without zeros."""
        return self.games.counts()

    def record(self, names: Sequence[str] = ()) -> str:
        """Return the game so far as the text of a record."""
        return self.games.record(0, names)
