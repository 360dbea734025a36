"""Tasks and splits of the benchmark, read from a game's ``benchmark.toml``.

A task is a game with options, a number of blocks and a range of seeds, in which an agent sits among members of the
game's panel. Its score is by its rating among them: 0 for that of `random`, 100 for that of `expert`, if the file names
no other. The members' strengths are measured once and stand in ``benchmark_references.toml``. A split has two lists of
options: an agent learns with the first ones and is measured on both, alone among copies of the one that scores 100.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.benchmark.panel import ZERO, Panel

TASKS, REFERENCES = "benchmark.toml", "benchmark_references.toml"
BLOCKS = 512
"""The blocks of a task or of one side of a split, if it does not say."""
_WAY_OUT = "mend the file; docs/reference/benchmark.md shows others"


@dataclass(frozen=True)
class Task:
    """A task: a game with these options, played for so many blocks from a seed on."""

    name: str
    options: Mapping[str, Any]
    seed: int
    blocks: int = BLOCKS
    reference_blocks: int = 0
    """The blocks of the rows from which its references are measured, if more than its own."""
    references: Mapping[str, Any] = field(default_factory=dict)
    """The measured references, as `titan_env.evaluation.benchmark.references.measured` returns them, and the "panel";
    {} if not measured."""

    @property
    def seeds(self) -> range:
        """The seeds of its blocks."""
        return range(self.seed, self.seed + self.blocks)

    @property
    def reference_seeds(self) -> range:
        """The seeds of the blocks of its references, which begin with its own."""
        return range(self.seed, self.seed + max(self.blocks, self.reference_blocks))


@dataclass(frozen=True)
class Split:
    """A split: options to learn with and others to be measured on, `blocks` for each of both, from a seed on."""

    name: str
    train: Sequence[Mapping[str, Any]]
    test: Sequence[Mapping[str, Any]]
    seed: int
    blocks: int = BLOCKS

    @property
    def options(self) -> Sequence[Mapping[str, Any]]:
        """The options of both sides."""
        return [*self.train, *self.test]

    def sides(self) -> Iterator[tuple[str, Sequence[Mapping[str, Any]], range]]:
        """Yield "train" and "test", each with its options and its seeds."""
        for number, (side, options) in enumerate([("train", self.train), ("test", self.test)]):
            begin = self.seed + number * self.blocks
            yield side, options, range(begin, begin + self.blocks)


@dataclass(frozen=True)
class Benchmark:
    """The benchmark of one game: its best published agent that answers at once, its tasks and its splits."""

    best: str
    panel: Panel
    """The agents among which an entrant sits."""
    tasks: Sequence[Task]
    splits: Sequence[Split]


def has_benchmark(game: Game) -> bool:
    """Return whether a game has tasks."""
    return bool(game.metadata.folder) and Path(game.metadata.folder, TASKS).is_file()


def read_benchmark(game: Game) -> Benchmark:
    """Return the tasks and splits of a game. Raises ValueError if it has none, or its file is damaged."""
    if not has_benchmark(game):
        raise ValueError(f"expected a game with tasks, but {game.name} has no {TASKS} in its folder")
    path = Path(game.metadata.folder, TASKS)
    try:
        entries = tomllib.loads(path.read_text("utf-8"))
        measured = read_references(game)
        tasks = [_task(name, entry, measured.get(name, {})) for name, entry in entries.pop("task").items()]
        splits = [_split(name, entry) for name, entry in entries.pop("split", {}).items()]
        best, panel = entries.pop("best"), _panel(entries.pop("panel"))
        if entries:
            raise ValueError(f"it has {', '.join(sorted(entries))}")
        for options in (*(task.options for task in tasks), *itertools.chain(*(split.options for split in splits))):
            GameSetup.of(game, options)
        _check_seeds(tasks, splits)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"expected tasks in {path}, which is damaged: {reason}; {_WAY_OUT}") from None
    return Benchmark(best, panel, tasks, splits)


def _panel(entry: dict[str, Any]) -> Panel:
    """Return the panel of an entry. Raises ValueError for a member that is there twice, or a scale without its ends."""
    panel = Panel(tuple(entry.pop("known")), tuple(entry.pop("held_out")), entry.pop("hundred", "expert"))
    missing = {ZERO, panel.hundred} - set(panel.known)
    if entry or missing or len(set(panel.members)) < len(panel.members):
        odd = ", ".join(sorted(entry or missing)) or "a member twice"
        raise ValueError(f"its panel {'lacks' if missing and not entry else 'has'} {odd}")
    return panel


def _task(name: str, entry: dict[str, Any], references: Mapping[str, Any]) -> Task:
    """Return the task of an entry with its measured references."""
    return Task(name, entry.pop("options"), entry.pop("seed"), **entry, references=references)


def _split(name: str, entry: dict[str, Any]) -> Split:
    """Return the split of an entry; its common options are added to each of both lists."""
    common = entry.pop("options", {})
    train, test = ([{**common, **options} for options in entry.pop(side)] for side in ("train", "test"))
    return Split(name, train, test, entry.pop("seed"), **entry)


def _check_seeds(tasks: Sequence[Task], splits: Sequence[Split]) -> None:
    """Raise ValueError if two tasks or sides of splits share a seed."""
    ranges = [(task.name, task.reference_seeds) for task in tasks]
    ranges += [(f"{split.name}, {side}", seeds) for split in splits for side, _, seeds in split.sides()]
    ranges.sort(key=lambda one: one[1].start)
    for (name, seeds), (later, others) in itertools.pairwise(ranges):
        if others.start < seeds.stop:
            raise ValueError(f"{name} and {later} share seed {others.start}")


def read_references(game: Game) -> Mapping[str, Mapping[str, Any]]:
    """Return the measured references of each task; {} where none are measured."""
    path = Path(game.metadata.folder, REFERENCES)
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def named(benchmark: Benchmark, name: str) -> str:
    """Return an agent's name, which for "best" is that of the best published agent."""
    return benchmark.best if name == "best" else name
