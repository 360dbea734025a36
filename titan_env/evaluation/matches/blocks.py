"""Blocks: one seed, the same set-up and dice, and as many games, in each of which every agent has moved on one place.

`play` is the engine of duplicate play (`titan_env.evaluation.matches.duplicate`), of mixed tables
(`titan_env.evaluation.matches.mixed_tables`) and of one agent among others (`titan_env.evaluation.matches.focal`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from titan_env import agents
from titan_env.agents import Agent
from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records
from titan_env.engine.chance_clock import stream_at
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.match import seat_rotation, sides_of
from titan_env.extras import PACKAGE
from titan_env.play.agent_calls import Decisions, needs_of
from titan_env.play.game_loop import play_games
from titan_env.play.observation_history import EventHistory, record_steps, thought_entry
from titan_env.play.streams import SeatStreams
from titan_env.records.recorder import Recorder


@dataclass(frozen=True)
class Blocks:
    """Each agent's results in each game of some blocks; all float64 (blocks, games, agents) but the digests.

    The `shares` of a game's win sum to 1, split equally among the winning sides; all are 0 if nobody wins. `points` and
    `places` are the means over an agent's seats, 0 in a game without them.
    """

    shares: NDArray[np.float64]
    points: NDArray[np.float64]
    places: NDArray[np.float64]
    digests: Sequence[str] = field(default=(), compare=False)
    """A digest of each block's decisions in all its games, 12 hex digits; () for results that were read."""


class Instances:
    """Agents by number, with an instance of its own for every game of a block and every seat of an agent in it.

    An instance plays one seat of the same game in many blocks, so that agents with memory cannot leak information
    between seats or between games with equal seeds. `makers` return new instances. `forgetful` agents keep nothing from
    call to call, and have one instance for all.
    """

    def __init__(self, makers: Sequence[Callable[[], Agent]], forgetful: Mapping[int, Agent] | None = None) -> None:
        self._makers, self._forgetful = makers, dict(forgetful or {})
        self._made: dict[tuple[int, int, int], Agent] = {}

    def __len__(self) -> int:
        return len(self._makers)

    def forgets(self, number: int) -> bool:
        """Return whether an agent keeps nothing from call to call."""
        return number in self._forgetful

    def of(self, number: int, game: int = 0, copy: int = 0) -> Agent:
        """Return the instance of an agent for a game of a block, by number, and one of the agent's seats there."""
        if self.forgets(number):
            return self._forgetful[number]
        key = (number, game, copy)
        if key not in self._made:
            self._made[key] = self._makers[number]()
        return self._made[key]

    def __iter__(self) -> Iterator[Agent]:
        return (self.of(number) for number in range(len(self)))


_NO_DECISION = -1
_END_OF_GAME = np.int16(_NO_DECISION).tobytes()
_DIGITS = 12  # of a block's digest

Players: TypeAlias = Sequence[Agent | str] | Instances
"""Agents by number; a sequence of agents has one instance of each for all games and seats, one of names `Instances`."""


def load_instances(
    game: Game, names: Sequence[str], around: Callable[[int, Agent], Agent] = lambda number, agent: agent
) -> Instances:
    """Return these agents by name, each instance loaded by itself; only those of this package are known to forget.

    `around` takes the number of an agent and an instance of it, and returns what is seated.
    """
    loaded = [partial(agents.load, name, game) for name in names]
    makers = [partial(_make_around, around, number, load) for number, load in enumerate(loaded)]
    first = {number: load() for number, load in enumerate(loaded) if "python:" not in names[number]}
    own = {number: agent for number, agent in first.items() if str(agent.__module__).startswith(f"{PACKAGE}.")}
    return Instances(makers, {number: around(number, agent) for number, agent in own.items()})


def seat_players(game: Game, players: Players) -> Instances | Sequence[Agent]:
    """Return agents in the place of names. Raises ValueError or TypeError as `agents.agent_of` does."""
    if isinstance(players, Instances):
        return players
    names = [player for player in players if isinstance(player, str)]
    return load_instances(game, names) if len(names) == len(players) else [agents.agent_of(p, game) for p in players]


def _make_around(around: Callable[[int, Agent], Agent], number: int, load: Callable[[], Agent]) -> Agent:
    """Return what is seated for a new instance of an agent."""
    return around(number, load())


@dataclass
class _Playing:
    """The games of some blocks while they are played."""

    batch: Batch
    players: Instances | Sequence[Agent]
    sits: NDArray[np.int64]  # (rows, seats): the number of the agent in each seat
    games: NDArray[np.int64]  # (rows,): the number of each game in its block
    streams: SeatStreams
    histories: Sequence[EventHistory]

    def __post_init__(self) -> None:
        earlier = np.tri(self.sits.shape[1], k=-1, dtype=bool)
        self.copies = ((self.sits[:, :, None] == self.sits[:, None, :]) & earlier).sum(axis=2)

    def decide(self, number: int, rows: NDArray[np.int64]) -> Decisions:
        """Return an agent's decisions in these rows, each by the instance for its game and seat."""
        if not isinstance(self.players, Instances):
            return self.streams.ask(self.players[number], self.batch, rows, self.histories)
        if self.players.forgets(number):
            return self.streams.ask(self.players.of(number), self.batch, rows, self.histories)
        games, copies = self.games[rows], self.copies[rows, self.batch.states["seat"][rows]]
        actions, thoughts = np.zeros(len(rows), np.int64), np.full(len(rows), "", object)
        for game, copy in sorted(set(zip(games.tolist(), copies.tolist(), strict=True))):
            part = np.flatnonzero((games == game) & (copies == copy))
            player = self.players.of(number, game, copy)
            decided = self.streams.ask(player, self.batch, rows[part], self.histories)
            actions[part], thoughts[part] = decided.actions, decided.thoughts
        return Decisions(actions, thoughts.tolist(), [None] * len(rows))


def play(
    setup: GameSetup,
    players: Players,
    lineups: NDArray[np.int64],
    seeds: Sequence[int],
    games: int,
    records: Sequence[Path] = (),
    names: Sequence[str] = (),
) -> Blocks:
    """Play one block for each seed and return the results by place of its line-up.

    `lineups` (blocks, places) are the numbers of the agents around the table in the first game of each block, and
    `games` is the number of games of a block, which cycle through the orders of `match.seat_rotation`. A block's result
    does not depend on the other blocks, since each of its games has its own stream of chance, and another one for each
    of its seats. `records` is a folder for each block in which its games are recorded, under the agents' `names`.
    Where an agent has `most_games`, no more are played at a time, and it is told their end (`end_games`).
    """
    seated = seat_players(setup.game, players)
    most = min((agent.most_games // games for agent in seated if hasattr(agent, "most_games")), default=len(seeds))
    parts = [slice(begin, begin + max(1, most)) for begin in range(0, max(1, len(seeds)), max(1, most))]
    given = [(lineups[part], seeds[part], games, records[part], names) for part in parts]
    try:
        return joined([_play(setup, seated, *of_part) for of_part in given])
    finally:
        for agent in seated:
            getattr(agent, "end_games", lambda: None)()


def joined(parts: Sequence[Blocks]) -> Blocks:
    """Return the blocks of all parts as one."""
    shares, points, places = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("shares", "points", "places")
    )
    return Blocks(shares, points, places, [digest for part in parts for digest in part.digests])


def _play(
    setup: GameSetup,
    seated: Instances | Sequence[Agent],
    lineups: NDArray[np.int64],
    seeds: Sequence[int],
    games: int,
    records: Sequence[Path],
    names: Sequence[str],
) -> Blocks:
    """Return what `play` does, all blocks in one batch."""
    begun = [(seed, number) for seed in seeds for number in range(games)]
    listens = any(needs_of(agent).listens for agent in seated)
    game, batch = setup.game, Batch(setup.game, len(begun), templates=setup.template, events=listens)
    batch.seed([seed for seed, _ in begun])
    batch.start()
    sides = sides_of(game, batch.states)
    rotation = seat_rotation(lineups.shape[1], sides, games)
    sits = np.take_along_axis(np.repeat(lineups, games, axis=0), rotation, axis=1)
    numbers, histories = np.array([number for _, number in begun]), [EventHistory(game) for _ in begun]
    playing = _Playing(batch, seated, sits, numbers, SeatStreams(begun), histories)
    written = _recorders(records, batch, begun, sits, names, setup.options) if records else []
    luck, known = batch.luck["stream"].copy(), np.full(len(begun), -1, np.int64)
    thoughts = np.full(len(begun), "", object)
    decisions: list[NDArray[np.int16]] = []

    def decide(number: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        decided = playing.decide(number, rows)
        thoughts[rows] = decided.thoughts
        return decided.actions

    @contextmanager
    def around(actions: NDArray[np.int64]) -> Iterator[None]:
        """Start a stream of chance of its own at each new clock value, and record the step."""
        now = batch.states[game.rules.chance_clock].astype(np.int64)
        begins = now != known
        batch.luck["stream"][begins] = stream_at(luck, now)[begins]
        known[:] = now
        decisions.append(np.where(batch.over, _NO_DECISION, actions).astype(np.int16))
        recorded = [(row, recorder) for row, recorder in enumerate(written) if not batch.over[row]]
        for row, recorder in recorded:
            recorder.decide(batch.states[row], int(actions[row]), **thought_entry(thoughts[row]))
        with record_steps(batch, actions, histories) if listens else nullcontext():
            yield
        for row, recorder in recorded:
            recorder.happened(batch.states[row], batch.luck[row])

    play_games(batch, sits, decide, around)
    shape = (len(seeds), games, lineups.shape[1])
    points, ranks = (_means(batch.states[name], rotation, shape[2]).reshape(shape) for name in ("scores", "place"))
    shares = shares_of_wins(batch.states, sides, rotation, shape[2]).reshape(shape)
    return Blocks(shares, points, ranks, _digests(decisions, shape[0]))


def _digests(decisions: Sequence[NDArray[np.int16]], blocks: int) -> list[str]:
    """Return a digest of each block's decisions, from those of all games in each step."""
    games = np.stack(decisions, axis=1)
    digests = [hashlib.sha256() for _ in range(blocks)]
    for row, actions in enumerate(games):
        digests[row * blocks // len(games)].update(actions[actions != _NO_DECISION].tobytes() + _END_OF_GAME)
    return [digest.hexdigest()[:_DIGITS] for digest in digests]


def record_path(folder: Path, seed: int, rotation: int) -> Path:
    """Return the file in which one game of a block is recorded."""
    return folder / f"seed-{seed}-rotation-{rotation}.jsonl"


def _recorders(
    folders: Sequence[Path],
    batch: Batch,
    begun: Sequence[tuple[int, int]],
    sits: NDArray[np.int64],
    names: Sequence[str],
    options: Mapping[str, Any],
) -> list[Recorder]:
    """Return a recorder for each game, with a file of its own."""
    written = []
    for row, (seed, rotation) in enumerate(begun):
        about: dict[str, Any] = {"options": options, "agents": [names[agent] for agent in sits[row]], "seed": seed}
        path = record_path(folders[row * len(folders) // len(begun)], seed, rotation)
        path.unlink(missing_ok=True)  # an incomplete record of a stopped run
        written.append(Recorder(path, batch.game, batch.states[row], batch.luck[row], by_clock=True, **about))
    return written


def shares_of_wins(
    states: Records, sides: NDArray[np.int64], sits: NDArray[np.int64], agents: int
) -> NDArray[np.float64]:
    """Return each agent's share of the win in each game, float64 (games, agents), split equally among winning sides."""
    won = states["won"][:, : sits.shape[1]] != 0
    shares = np.zeros((len(states), agents))
    for side in range(int(sides.max()) + 1):
        mine = sides == side
        agent = sits[np.arange(len(sits)), mine.argmax(axis=1)]
        shares[np.arange(len(sits)), agent] += (won & mine).any(axis=1)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1)
    return shares


def _means(numbers: Any, sits: NDArray[np.int64], agents: int) -> NDArray[np.float64]:
    """Return the mean of a seat's number over each agent's seats in each game: float64 (games, agents)."""
    of_seats = numbers[:, : sits.shape[1]]
    means: NDArray[np.float64] = np.stack(
        [np.mean(of_seats, axis=1, where=sits == number) for number in range(agents)], axis=1
    )
    return means
