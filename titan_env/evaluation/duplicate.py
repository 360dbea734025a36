"""Duplicate play: the same game again with every agent in every seat, so that luck is shared out evenly.

A block is one seed: the same set-up (who sits where apart), and the same dice at the same point of the
game, played once for each order of the agents around the table. Agents are compared within the
block, as bridge teams are. How much that saves is measured, not promised (`Comparison.plain_races`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import Agent
from titan_env.contract import Game
from titan_env.engine.asking import Decisions, ask_in_batch, needs_of
from titan_env.engine.batch import Batch, Records
from titan_env.engine.game_loop import play_games
from titan_env.engine.hearing import Past, remembered, thought_of
from titan_env.engine.worlds import agents_rng
from titan_env.evaluation.match import seated, sides_of, table_of
from titan_env.extras import extra
from titan_env.records.replay import Recorder

with extra("training"):
    from scipy import stats

_STRIDE = np.uint64(0xD1B54A32D192ED03)  # between the streams of one game's points in time; not a stream's own step
_SURE = 0.05  # how often all intervals of one comparison may miss, together


class OneByOne(Exception):
    """An agent has drawn what cannot be drawn for many games at once, each from its own generator."""


class Streams(np.random.Generator):
    """Generators of many games as one: row i of what is drawn comes from the i-th, whatever game lies beside it.

    `random`, `gumbel` and `integers` can do that, for a table with a line for each row; all else raises OneByOne.
    """

    def __init__(self, streams: Sequence[np.random.Generator]) -> None:
        super().__init__(np.random.PCG64())  # never drawn from
        self._streams = streams

    def __getattribute__(self, name: str) -> Any:
        if name in ("random", "gumbel", "integers") or name.startswith("_"):
            return super().__getattribute__(name)
        raise OneByOne(name)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Numbers from 0 to 1, (rows, columns)."""
        columns = self._columns(size, out)
        return np.stack([stream.random(columns, dtype) for stream in self._streams])

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Gumbel's noise, (rows, columns)."""
        columns = self._columns(size, None if np.ndim(loc) == np.ndim(scale) == 0 else loc)
        return np.stack([stream.gumbel(loc, scale, columns) for stream in self._streams])

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: Any = False
    ) -> Any:
        """Whole numbers, (rows, columns)."""
        columns = self._columns(size, None if np.ndim(low) == np.ndim(high) == 0 else low)
        return np.stack([stream.integers(low, high, columns, dtype, endpoint) for stream in self._streams])

    def _columns(self, size: Any, unlike: Any) -> Any:
        """How many numbers are drawn for one row."""
        if np.shape(size) != (2,) or size[0] != len(self._streams) or unlike is not None:
            raise OneByOne(f"a draw of size {size}")
        return size[1]


@dataclass(frozen=True)
class Blocks:
    """What each agent came to in each game of some blocks; all of them (blocks, orders, agents).

    The `shares` of the win in a game add up to 1, each winning side having as much of it; all are 0 where nobody
    has won. `points` and `places` are the means of an agent's seats, 0 in a game that keeps none.
    """

    shares: NDArray[np.float64]
    points: NDArray[np.float64]
    places: NDArray[np.float64]


def play_blocks(
    game: Game,
    players: Sequence[Agent],
    seeds: Sequence[int],
    /,
    records: Path | None = None,
    names: Sequence[str] = (),
    **options: Any,
) -> NDArray[np.float64]:
    """The shares of the win in the blocks of these seeds, (blocks, orders, agents); see `played`."""
    return played(game, players, seeds, records, names, **options).shares


def played(
    game: Game,
    players: Sequence[Agent],
    seeds: Sequence[int],
    /,
    records: Path | None = None,
    names: Sequence[str] = (),
    **options: Any,
) -> Blocks:
    """Play one block for each seed.

    A block comes out the same whatever is played beside it, for each of its games has its own stream of
    chance, and another one for its agents. Each agent plays every side equally often in it. `records` is a
    folder in which every game is written down, under the agents' `names`.
    """
    table, orders = table_of(game, options, len(players)), math.factorial(len(players))
    begun = [(seed, order) for seed in seeds for order in range(orders)]
    templates = np.repeat(table, len(begun)).view(np.recarray)
    listens = any(needs_of(agent).listens for agent in players)
    batch = Batch(game, len(begun), templates=templates, events=listens)
    batch.seed([seed for seed, _ in begun])
    batch.start()
    sits = seated(game, batch.states, len(players))
    luck, known = batch.luck["stream"].copy(), np.full(len(begun), -1, np.int64)
    streams = [agents_rng(*place) for place in begun]
    written = [] if records is None else _recorders(records, batch, begun, sits, names, options)
    thoughts, pasts = np.full(len(begun), "", object), [Past(game) for _ in begun]

    def decide(number: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        actions, thoughts[rows] = _decided(players[number], batch, rows, streams, pasts)
        return actions

    @contextmanager
    def around(actions: NDArray[np.int64]) -> Iterator[None]:
        """Give each point in time a stream of chance of its own, that then goes on, and write the step down."""
        now = batch.states[game.rules.chance_clock].astype(np.int64)
        begins = now != known
        batch.luck["stream"][begins] = (luck + now.astype(np.uint64) * _STRIDE)[begins]
        known[:] = now
        recorded = [(row, recorder) for row, recorder in enumerate(written) if not batch.over[row]]
        for row, recorder in recorded:
            recorder.decide(batch.states[row], int(actions[row]), **thought_of(thoughts[row]))
        with remembered(batch, actions, pasts) if listens else nullcontext():
            yield
        for row, recorder in recorded:
            recorder.happened(batch.states[row], batch.luck[row])

    play_games(batch, sits, decide, around)
    shape = (len(seeds), orders, len(players))
    points, places = (_means(batch.states[name], sits, len(players)).reshape(shape) for name in ("scores", "place"))
    return Blocks(
        _shares(batch.states, sides_of(game, batch.states), sits, len(players)).reshape(shape), points, places
    )


def _decided(
    agent: Agent,
    batch: Batch,
    rows: NDArray[np.int64],
    streams: Sequence[np.random.Generator],
    pasts: Sequence[Past],
) -> Decisions:
    """What an agent decides in these rows, each with the stream of its game, and what it thinks.

    An agent that plans row by row, and one that does not draw row by row, is asked in one row at a time.
    """
    if needs_of(agent).at_once:
        with suppress(OneByOne):
            return ask_in_batch(agent, batch, rows, Streams([streams[row] for row in rows]), pasts)
    decided = [ask_in_batch(agent, batch, rows[i : i + 1], streams[row], pasts) for i, row in enumerate(rows)]
    return Decisions(np.concatenate([one.actions for one in decided]), [one.thoughts[0] for one in decided])


def record_path(folder: Path, seed: int, rotation: int) -> Path:
    """Where one game of a block is written down."""
    return folder / f"seed-{seed}-rotation-{rotation}.jsonl"


def _recorders(
    folder: Path,
    batch: Batch,
    begun: Sequence[tuple[int, int]],
    sits: NDArray[np.int64],
    names: Sequence[str],
    options: dict[str, Any],
) -> list[Recorder]:
    """Who writes each game down, in a file of its own."""
    written = []
    for row, (seed, rotation) in enumerate(begun):
        about: dict[str, Any] = {"options": options, "agents": [names[agent] for agent in sits[row]], "seed": seed}
        path = record_path(folder, seed, rotation)
        path.unlink(missing_ok=True)  # what a run that was stopped has left of this game
        written.append(Recorder(path, batch.game, batch.states[row], batch.luck[row], **about))
    return written


def _shares(states: Records, sides: NDArray[np.int64], sits: NDArray[np.int64], agents: int) -> NDArray[np.float64]:
    """The share of the win that each agent took in each game, (games, agents): each winning side has as much of it."""
    won = states["won"][:, : sits.shape[1]] != 0
    shares = np.zeros((len(states), agents))
    for side in range(int(sides.max()) + 1):
        mine = sides == side
        agent = sits[np.arange(len(sits)), mine.argmax(axis=1)]
        shares[np.arange(len(sits)), agent] += (won & mine).any(axis=1)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1)
    return shares


def _means(numbers: Any, sits: NDArray[np.int64], agents: int) -> NDArray[np.float64]:
    """The mean of a number over each agent's seats in each game, (games, agents)."""
    of_seats = numbers[:, : sits.shape[1]]
    means: NDArray[np.float64] = np.stack(
        [np.mean(of_seats, axis=1, where=sits == number) for number in range(agents)], axis=1
    )
    return means


@dataclass(frozen=True)
class Comparison:
    """What blocks (blocks, rotations, 2) say about two agents.

    `looks` counts how often they have been looked at, where that may go on; None: once. `cells` is how
    many such comparisons one table has. `points`, of the same shape, in a game that has them.
    """

    shares: NDArray[np.float64]
    looks: int | None = None
    cells: int = 1
    points: NDArray[np.float64] | None = None

    @property
    def blocks(self) -> int:
        """How many blocks were played."""
        return len(self.shares)

    @property
    def races(self) -> int:
        """How many games were played."""
        return int(self.shares.shape[0] * self.shares.shape[1])

    @property
    def rate(self) -> float:
        """The share of wins that the first agent took; equals take one half."""
        return 0.5 + float(self._leads().mean()) / 2

    @property
    def level(self) -> float:
        """How often the interval may miss: 0.05 shared by all cells, in each by all looks, 1 / (k (k + 1)) of it."""
        shared = _SURE / self.cells
        return shared if self.looks is None else shared / (self.looks * (self.looks + 1))

    @property
    def half_width(self) -> float:
        """Half the width of the interval around `rate`, paired within blocks (t).

        One more block for each side is imagined for the spread (after Agresti and Coull 1998), for a few
        blocks that all went the same way do not mean that all will.
        """
        if self.blocks < 2:
            return 1.0
        spread = np.append(self._leads().mean(axis=1), (-1, 1)).std(ddof=1)
        return float(stats.t.ppf(1 - self.level / 2, self.blocks - 1) * spread / self.blocks**0.5 / 2)

    @property
    def interval(self) -> tuple[float, float]:
        """Lowest and highest rate that the blocks speak for."""
        return max(0.0, self.rate - self.half_width), min(1.0, self.rate + self.half_width)

    @property
    def decided(self) -> bool:
        """Whether the interval leaves equality out."""
        return abs(self.rate - 0.5) > self.half_width

    @property
    def plain_races(self) -> float | None:
        """How many independent games would give an interval as narrow; None where all blocks went the same way."""
        leads = self._leads()
        of_block = leads.mean(axis=1).var(ddof=1)
        return float(leads.var(ddof=1) / of_block * self.blocks) if of_block > 0 else None

    @property
    def points_ahead(self) -> tuple[float, float] | None:
        """By how many points the first agent was ahead on average, and half the width of the interval around it."""
        if self.points is None:
            return None
        of_block = (self.points[:, :, 0] - self.points[:, :, 1]).mean(axis=1)
        error = of_block.std(ddof=1) / self.blocks**0.5 if self.blocks > 1 else np.inf
        return float(of_block.mean()), float(stats.t.ppf(1 - self.level / 2, max(1, self.blocks - 1)) * error)

    def _leads(self) -> NDArray[np.float64]:
        """By how much the first agent was ahead in each game, (blocks, rotations)."""
        leads: NDArray[np.float64] = self.shares[:, :, 0] - self.shares[:, :, 1]
        return leads

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.1%} ({low:.1%} to {high:.1%})"
