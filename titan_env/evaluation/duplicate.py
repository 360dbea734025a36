"""Duplicate play: the same game again with every agent in every seat, so that luck is equal for all.

A block is one seed: the same setup and the same dice at the same point of the game, played once for each order of the
agents around the table. Agents are compared within the block, as bridge teams are. The saving is measured
(`Comparison.plain_races`), not guaranteed.
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

_STRIDE = np.uint64(0xD1B54A32D192ED03)  # between the streams of one game's clock values; not a stream's own step
_SURE = 0.05  # the joint error probability of all intervals of one table


class OneByOne(Exception):
    """The error of `Streams` for a draw that it cannot make for many games at once."""


class Streams(np.random.Generator):
    """The generators of many games as one: row i of a draw comes from the i-th generator, independent of other rows.

    Only `random`, `gumbel` and `integers` of size (rows, columns) are supported; all else raises OneByOne.
    """

    def __init__(self, streams: Sequence[np.random.Generator]) -> None:
        super().__init__(np.random.PCG64())  # never drawn from
        self._streams = streams

    def __getattribute__(self, name: str) -> Any:
        if name in ("random", "gumbel", "integers") or name.startswith("_"):
            return super().__getattribute__(name)
        raise OneByOne(name)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Draw numbers in [0, 1): (rows, columns)."""
        columns = self._columns(size, out)
        return np.stack([stream.random(columns, dtype) for stream in self._streams])

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw Gumbel noise: (rows, columns)."""
        columns = self._columns(size, None if np.ndim(loc) == np.ndim(scale) == 0 else loc)
        return np.stack([stream.gumbel(loc, scale, columns) for stream in self._streams])

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: Any = False
    ) -> Any:
        """Draw integers: (rows, columns)."""
        columns = self._columns(size, None if np.ndim(low) == np.ndim(high) == 0 else low)
        return np.stack([stream.integers(low, high, columns, dtype, endpoint) for stream in self._streams])

    def _columns(self, size: Any, unlike: Any) -> Any:
        """Return the number of columns. Raises OneByOne for another size, or an argument by element."""
        if np.shape(size) != (2,) or size[0] != len(self._streams) or unlike is not None:
            raise OneByOne(f"a draw of size {size}")
        return size[1]


@dataclass(frozen=True)
class Blocks:
    """Each agent's results in each game of some blocks; all float64 (blocks, orders, agents).

    The `shares` of a game's win sum to 1, split equally among the winning sides; all are 0 if nobody wins. `points` and
    `places` are the means over an agent's seats, 0 in a game without them.
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
    """Return the shares of wins in the blocks of these seeds, float64 (blocks, orders, agents); see `played`."""
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
    """Play one block for each seed and return the results.

    A block's result does not depend on the other blocks, since each of its games has its own stream of chance, and
    another one for its agents. Each agent plays every side equally often in it. `records` is a folder in which every
    game is recorded, under the agents' `names`. Raises ValueError as `titan_env.evaluation.match.table_of` does.
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
        """Start a stream of chance of its own at each new clock value, and record the step."""
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
    """Return an agent's decisions and thoughts in these rows, each with the generator of its game.

    An agent that plans row by row, or draws in a way that `Streams` cannot, is called once for each row.
    """
    if needs_of(agent).at_once:
        with suppress(OneByOne):
            return ask_in_batch(agent, batch, rows, Streams([streams[row] for row in rows]), pasts)
    decided = [ask_in_batch(agent, batch, rows[i : i + 1], streams[row], pasts) for i, row in enumerate(rows)]
    return Decisions(np.concatenate([one.actions for one in decided]), [one.thoughts[0] for one in decided])


def record_path(folder: Path, seed: int, rotation: int) -> Path:
    """Return the file in which one game of a block is recorded."""
    return folder / f"seed-{seed}-rotation-{rotation}.jsonl"


def _recorders(
    folder: Path,
    batch: Batch,
    begun: Sequence[tuple[int, int]],
    sits: NDArray[np.int64],
    names: Sequence[str],
    options: dict[str, Any],
) -> list[Recorder]:
    """Return a recorder for each game, with a file of its own."""
    written = []
    for row, (seed, rotation) in enumerate(begun):
        about: dict[str, Any] = {"options": options, "agents": [names[agent] for agent in sits[row]], "seed": seed}
        path = record_path(folder, seed, rotation)
        path.unlink(missing_ok=True)  # an incomplete record of a stopped run
        written.append(Recorder(path, batch.game, batch.states[row], batch.luck[row], **about))
    return written


def _shares(states: Records, sides: NDArray[np.int64], sits: NDArray[np.int64], agents: int) -> NDArray[np.float64]:
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


@dataclass(frozen=True)
class Comparison:
    """The comparison of two agents from blocks: `shares` (blocks, rotations, 2).

    `looks` is the number of tests so far in a sequential comparison; None: a single one. `cells` is the number of
    comparisons in the table. `points` has the same shape as `shares`; None in a game without points.
    """

    shares: NDArray[np.float64]
    looks: int | None = None
    cells: int = 1
    points: NDArray[np.float64] | None = None

    @property
    def blocks(self) -> int:
        """The number of blocks played."""
        return len(self.shares)

    @property
    def races(self) -> int:
        """The number of games played."""
        return int(self.shares.shape[0] * self.shares.shape[1])

    @property
    def rate(self) -> float:
        """The first agent's share of wins; equal agents have 0.5."""
        return 0.5 + float(self._leads().mean()) / 2

    @property
    def level(self) -> float:
        """Significance level of look k: 0.05 / cells / (k (k + 1)), so that all looks together spend 5 %."""
        shared = _SURE / self.cells
        return shared if self.looks is None else shared / (self.looks * (self.looks + 1))

    @property
    def half_width(self) -> float:
        """Half the width of the interval around `rate`, paired within blocks (Student's t).

        One block won by each side is added for the spread (after Agresti and Coull 1998): a few blocks with equal
        results do not mean that all will be equal.
        """
        if self.blocks < 2:
            return 1.0
        spread = np.append(self._leads().mean(axis=1), (-1, 1)).std(ddof=1)
        return float(stats.t.ppf(1 - self.level / 2, self.blocks - 1) * spread / self.blocks**0.5 / 2)

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of `rate`, within [0, 1]."""
        return max(0.0, self.rate - self.half_width), min(1.0, self.rate + self.half_width)

    @property
    def decided(self) -> bool:
        """True if the interval excludes 0.5."""
        return abs(self.rate - 0.5) > self.half_width

    @property
    def plain_races(self) -> float | None:
        """The number of independent games with an interval as narrow; None if all blocks are equal."""
        leads = self._leads()
        of_block = leads.mean(axis=1).var(ddof=1)
        return float(leads.var(ddof=1) / of_block * self.blocks) if of_block > 0 else None

    @property
    def points_ahead(self) -> tuple[float, float] | None:
        """The first agent's mean lead in points and half the width of its interval; None without points."""
        if self.points is None:
            return None
        of_block = (self.points[:, :, 0] - self.points[:, :, 1]).mean(axis=1)
        error = of_block.std(ddof=1) / self.blocks**0.5 if self.blocks > 1 else np.inf
        return float(of_block.mean()), float(stats.t.ppf(1 - self.level / 2, max(1, self.blocks - 1)) * error)

    def _leads(self) -> NDArray[np.float64]:
        """Return the first agent's lead in each game, in shares of the win: float64 (blocks, rotations)."""
        leads: NDArray[np.float64] = self.shares[:, :, 0] - self.shares[:, :, 1]
        return leads

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.1%} ({low:.1%} to {high:.1%})"
