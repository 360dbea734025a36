"""Play championships: several games among the same agents, points by place in each, and the most points win::

    python -m titan_env.evaluation.ratings.championship expert greedy -o titans=3 --over circuit=kaldheira,anglieh

`--over` names the games of a championship, one for each value (or combination of values). Tables are mixed: different
agents, drawn anew for each block. A block is one draw of tables and luck: as many championships as there are sides, in
each of which everybody begins on another place and moves on by one from game to game. Points are those of `--points`
(the first place's first), by default one for each side that was beaten. Equals share the points of their places. In a
game without places the winners share the first points and all others the rest. Titles are rated by the
Plackett-Luce model as single games are. `--records` keeps every game.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from titan_env.cli import tables as printed
from titan_env.cli.console import check_table, interruptible, user_errors
from titan_env.cli.options import DEFAULT_GAME, Bounds, GameName, GameOptions, Over, TableFile, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.evaluate import cells, open_for, options_text
from titan_env.evaluation.matches.fingerprints import fingerprint
from titan_env.evaluation.matches.mixed_tables import Block, anchor_of, draw_tables, play_tables
from titan_env.evaluation.matches.plackett_luce import Choices, Rating, rate
from titan_env.extras import extra
from titan_env.records.atomic_files import ensure_absent, make_folder, write_atomically
from titan_env.records.journal import Journal, journal_of, resume

with extra("evaluation"):
    import typer
    from rich.console import Console
    from rich.progress import track

MOST_AT_ONCE = 64  # blocks that are played in one batch


@dataclass(frozen=True)
class Championships:
    """The points of agents in championships: `points` (blocks, championships, sides), at `tables`, a table a block."""

    tables: Sequence[tuple[str, ...]]
    points: NDArray[np.float64]

    def titles(self) -> NDArray[np.float64]:
        """Return each agent's share of the title in each championship, of the shape of `points`; equals share it."""
        first = self.points == self.points.max(axis=2, keepdims=True)
        titles: NDArray[np.float64] = first / first.sum(axis=2, keepdims=True)
        return titles

    def ratings(self, names: Sequence[str]) -> list[Rating]:
        """Return the ratings of the agents by their titles, the best first, over `anchor_of` them."""
        seated = np.array([[names.index(name) for name in lineup] for lineup in self.tables])
        blocks, each, _ = self.points.shape
        shares = self.titles().reshape(blocks * each, -1)
        choices = Choices.of_winners(
            np.repeat(seated, each, axis=0), shares, np.repeat(np.arange(blocks), each), len(names)
        )
        return rate(names, choices, anchor_of(names))

    def mean_points(self, name: str) -> float:
        """Return the mean points of an agent in the championships that it took part in."""
        seated = np.array([[other == name for other in lineup] for lineup in self.tables])
        means: NDArray[np.float64] = self.points.mean(axis=1)[seated]
        return float(means.mean())


def game_points(block: Block, scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points of each agent in each game of a block, float64 (games, sides), by the points of each place."""
    ranks = block.ranks() if block.places else 1 + (block.shares() == 0)  # without places: the winners, the others
    points = np.zeros(ranks.shape)
    for rank in range(1, len(scale) + 1):
        equals = ranks == rank
        before = (ranks < rank).sum(axis=1)
        for game in np.flatnonzero(equals.any(axis=1)):
            points[game, equals[game]] = scale[before[game] : before[game] + equals[game].sum()].mean()
    return points


def play_championships(
    setups: Sequence[GameSetup],
    names: Sequence[str],
    scale: NDArray[np.float64],
    blocks: int,
    seed: int,
    records: Path | None = None,
    journal: Journal | None = None,
) -> Championships:
    """Play championships of these games, as `setups_of` returns them, until each agent has sat in so many blocks.

    A journal keeps the points of each batch, and those that it has are not played again.
    """
    sides = setups[0].sides
    lineups = draw_tables(names, sides, blocks, seed, anchor_of(names))
    points = np.zeros((len(lineups), sides, sides))
    parts = [range(first, min(first + MOST_AT_ONCE, len(lineups))) for first in range(0, len(lineups), MOST_AT_ONCE)]
    console = Console(stderr=True, emoji=False)
    steps = [(part, number) for part in parts for number in range(len(setups))]
    for step, (part, number) in enumerate(track(steps, "championships", console=console, transient=True)):
        if journal is not None and step < len(journal.lines):
            points[part.start : part.stop] += np.array(journal.lines[step]["points"])
            continue
        seeds = [seed + block * len(setups) + number for block in part]
        folders: list[Path] = []
        if records is not None:
            make_folder(records / f"game-{number + 1}")
            folders = [records / f"game-{number + 1}"] * len(part)
        played = play_tables(setups[number], [lineups[block] for block in part], seeds, folders)
        gained = np.array([np.roll(game_points(result, scale), number, axis=0) for result in played])
        points[part.start : part.stop] += gained
        if journal is not None:
            journal.add({"points": gained.tolist()})
    return Championships(lineups, points)


def setups_of(game: Game, games: Sequence[Mapping[str, Any]]) -> list[GameSetup]:
    """Return a game with each of these options. Raises ValueError if they are invalid or their sides differ."""
    setups = [GameSetup.of(game, options) for options in games]
    for setup in setups:
        setup.check_agents()
    sides = {setup.sides for setup in setups}
    if len(sides) != 1:
        raise ValueError(f"expected games with the same number of sides, got {', '.join(map(str, sorted(sides)))}")
    return setups


def scale_of(points: str | None, sides: int) -> NDArray[np.float64]:
    """Return the points of each place, from a text such as ``10,6,3,1``. Raises ValueError for what is no such list."""
    if points is None:
        return np.arange(sides - 1, -1, -1, dtype=np.float64)
    try:
        scale = np.array([float(part) for part in points.split(",")])
    except ValueError:
        raise ValueError(f"expected points by place such as 10,6,3,1, got {points!r}") from None
    if len(scale) != sides or (np.diff(scale) > 0).any():
        raise ValueError(f"expected points of {sides} places, none more than the place before it, got {points!r}")
    return scale


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    names: Annotated[tuple[str, ...], typer.Argument()]
    """Agents by name."""
    game: GameName = DEFAULT_GAME
    option: GameOptions = field(default_factory=dict)
    over: Annotated[Over, typer.Option(help="Option and its values: one game for each; repeatable.")] = ()
    rounds: Annotated[int, Bounds(1)] = 1
    """Rounds of these games in a championship."""
    points: str | None = None
    """Points by place, the first one's first: 10,6,3,1."""
    blocks: Annotated[int, Bounds(2)] = 64
    """Blocks in which each agent sits."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the first game."""
    records: Path | None = None
    """Folder in which every game is recorded."""
    out: TableFile = None


@from_dataclasses
def main(args: Arguments) -> None:
    """Play championships among agents, and rate the agents by their titles."""
    began, names, out = time.process_time(), args.names, args.out
    with user_errors():
        if len(set(names)) != len(names) or len(names) < 2:
            raise ValueError(f"expected two different agents or more, got {', '.join(names)}")
        games = [{**args.option, **cell} for cell in cells(args.over)] * args.rounds
        loaded = check_table(args.game, names, [])
        setups = setups_of(loaded, games)
        scale = scale_of(args.points, setups[0].sides)
        if out is not None:
            open_for(out)
        if args.records is not None and (out is None or not journal_of(out).exists()):
            ensure_absent(args.records)
        made = {"agents": {name: fingerprint(name, loaded) for name in names}, "games": games, "points": scale.tolist()}
        header = {"game": loaded.id, **made, "blocks": args.blocks, "seed": args.seed}
        journal = None if out is None else resume(journal_of(out), "the games of these championships", header)
    with interruptible(out is not None, journal):
        known = play_championships(setups, names, scale, args.blocks, args.seed, args.records, journal)
    facts = f"{loaded.id}, {options_text(args.option)}, titan_env {version('titan_env')}, seeds from {args.seed} on"
    text = as_markdown(known, names, games, scale, f"{facts}, {time.process_time() - began:,.0f} seconds of one core")
    print(text)
    if out is not None:
        write_atomically(out, text)
        journal_of(out).unlink()


def as_markdown(
    known: Championships, names: Sequence[str], games: Sequence[Any], scale: NDArray[np.float64], facts: str
) -> str:
    """Return the table in Markdown, with the command that made it: titles, points and ratings, the best agent first."""
    lines = [
        [
            f"`{rating.name}`",
            f"{rating.wins:.1%}",
            f"{known.mean_points(rating.name):.2f}",
            str(rating),
            f"{rating.games:,}",
        ]
        for rating in known.ratings(names)
    ]
    command = shlex.join(["python", "-m", "titan_env.evaluation.ratings.championship", *sys.argv[1:]])
    by_place = ", ".join(f"{place:g}" for place in scale)
    return (
        "# Championships\n\n"
        f"{len(games)} games each, points by place {by_place}; different agents at every table; ratings of titles over "
        f"`{anchor_of(names)}`, 95 % intervals; {facts}:\n\n"
        f"```\n{command}\n```\n\n"
        f"{printed.markdown(['agent', 'titles', 'points', 'rating', 'championships'], lines)}"
    )


if __name__ == "__main__":
    typer.run(main)
