"""Mixed tables: blocks among as many different agents as a game has sides, so that none ever sits beside its own copy.

A block is one seed: n different agents in an order drawn anew, the same set-up and dice, and n games, in each of which
everybody has moved on one place. With two sides that is a block of duplicate play. Helping a copy, knowing it or
signalling to it gains nothing here. Where there are fewer agents than sides, the anchor fills the places that are left.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.blocks import load_instances, play
from titan_env.evaluation.matches.plackett_luce import Choices

NOBODY = "-"
"""The winners of a game that nobody won."""


@dataclass(frozen=True)
class Block:
    """One block: its seed, its agents in the order around the table of its first game, and what its games came to.

    `winners` is a word for each game, of the places in `agents` that won it (``"0 2 13 -"``: two won the third game,
    nobody the last). `places` is a word for each game, of the place that each of `agents` took (``"1243 ..."``); "" in
    a game without places.
    """

    seed: int
    agents: tuple[str, ...]
    winners: str
    places: str = ""

    def shares(self) -> NDArray[np.float64]:
        """Return each agent's share of the win in each game: float64 (games, agents). Raises ValueError for damage."""
        shares = np.zeros((len(self.agents), len(self.agents)))
        for game, word in zip(shares, self.winners.split(), strict=True):
            won = [] if word == NOBODY else [int(side) for side in word]
            if won != sorted(set(won)) or (won and won[-1] >= len(self.agents)):
                raise ValueError(f"expected winners among {len(self.agents)}, got {word}")
            game[won] = 1 / max(len(won), 1)
        return shares

    def ranks(self) -> NDArray[np.float64]:
        """Return the place that each agent took in each game: float64 (games, agents). Raises ValueError for damage."""
        ranks = np.array([[int(place) for place in word] for word in self.places.split()], np.float64)
        if ranks.shape != (len(self.agents), len(self.agents)):
            raise ValueError(f"expected a place for each of {len(self.agents)} agents, got {self.places}")
        return ranks


def anchor_of(names: Iterable[str]) -> str:
    """Return the agent whose rating is 0: the first of expert, greedy and random that is there, or of all names."""
    there = sorted(names)
    return next((name for name in ("expert", "greedy", "random") if name in there), there[0])


def draw_tables(
    names: Sequence[str], sides: int, blocks: int, seed: int, anchor: str, only: str | None = None
) -> list[tuple[str, ...]]:
    """Return the agents around the table for one block after the other, until each agent sits in so many blocks.

    Those who sat least sit next, ties and orders by lot. With `only` this agent sits in every block, among others. The
    same arguments give the same tables; more blocks go on from there.
    """
    pool = sorted(name for name in names if name != only)
    fixed = [] if only is None else [only]
    digested = "\n".join([*pool, "", *fixed, str(seed), str(sides)]).encode()
    rng = np.random.default_rng(int.from_bytes(hashlib.blake2b(digested, digest_size=16).digest(), "big"))
    sat = np.zeros(len(pool))
    tables: list[tuple[str, ...]] = []
    while sat.min() < blocks if only is None else len(tables) < blocks:
        seated = np.lexsort((rng.random(len(pool)), sat))[: sides - len(fixed)]
        sat[seated] += 1
        table = [*fixed, *(pool[i] for i in seated)]
        table += [anchor] * (sides - len(table))
        tables.append(tuple(table[i] for i in rng.permutation(sides)))
    return tables


def runs_of(blocks: Sequence[Block]) -> list[list[Block]]:
    """Return blocks in runs of seeds that follow each other."""
    runs: list[list[Block]] = []
    for block in sorted(blocks, key=lambda block: (block.seed, block.agents)):
        if not runs or block.seed != runs[-1][-1].seed + 1:
            runs.append([])
        runs[-1].append(block)
    return runs


def was_drawn(run: Sequence[Block]) -> bool:
    """Return whether the lot gives the tables of this run to its agents, all alike or one of them at every table."""
    tables = [block.agents for block in run]
    sat = Counter(name for table in tables for name in set(table))
    names, sides, seed = sorted(sat), len(tables[0]), run[0].seed
    for only in (None, *(name for name in names if sat[name] == len(run))):
        count = len(run) if only else max(sat.values())
        if draw_tables(names, sides, count, seed, anchor_of(names), only)[: len(run)] == tables:
            return True
    return False


def play_tables(
    setup: GameSetup,
    tables: Sequence[tuple[str, ...]],
    seeds: Sequence[int],
    records: Sequence[Path] = (),
) -> list[Block]:
    """Play a block for each table and seed, every agent with an instance of its own for each game and seat.

    `records` is a folder for each block in which its games are recorded. Raises ValueError for a game with one side.
    """
    setup.check_agents()
    names = sorted({name for table in tables for name in table})
    lineups = np.array([[names.index(name) for name in table] for table in tables])
    players = load_instances(setup.game, names)
    blocks = play(setup, players, lineups, seeds, lineups.shape[1], records, names)
    ranked = bool((blocks.places > 0).all()) and bool((blocks.places == np.floor(blocks.places)).all())
    return [
        Block(
            seed,
            table,
            " ".join("".join(map(str, np.flatnonzero(game))) or NOBODY for game in shares),
            " ".join("".join(str(int(place)) for place in game) for game in places) if ranked else "",
        )
        for seed, table, shares, places in zip(seeds, tables, blocks.shares, blocks.places, strict=True)
    ]


def winners_of(blocks: Sequence[Block], names: Sequence[str]) -> Choices:
    """Return the choice of each game's winner among the agents, numbered as in `names`."""
    return Choices.of_winners(*_games(blocks, names, [block.shares() for block in blocks]), len(names))


def rankings_of(blocks: Sequence[Block], names: Sequence[str]) -> Choices | None:
    """Return the choices of each game's places; None without places, or with two sides, where they say no more."""
    if not all(block.places and len(block.agents) > 2 for block in blocks):
        return None
    return Choices.of_places(*_games(blocks, names, [block.ranks() for block in blocks]), len(names))


def _games(
    blocks: Sequence[Block], names: Sequence[str], numbers: Sequence[NDArray[np.float64]]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Return the agents (games, sides) of all games by number, these numbers of theirs, and the blocks' seeds."""
    number: Mapping[str, int] = {name: i for i, name in enumerate(names)}
    tables = np.array([[number[name] for name in block.agents] for block in blocks])
    sides = tables.shape[1]
    seeds = np.array([block.seed for block in blocks])
    return np.repeat(tables, sides, axis=0), np.concatenate(numbers), np.repeat(seeds, sides)
