"""Result cards: the results of an agent in each task, block by block, in a JSON file.

A card is written whole after each task, so that a run that was stopped goes on where it was. It keeps the seed of each
block, what the agent won in each of its games, and a digest of their decisions: anybody can play any block again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.evaluation.matches.isolation import BUILT_IN, ISOLATED, mode_of
from titan_env.records.sealed import read_json, reading, write_json

FORMAT = "titan_env card 4"
BUDGETS = ("decisions", "minutes", "open")
"""The budgets of training: ten million decisions, ten minutes of two cores, or no limit."""
KNOWLEDGE = ("none", "expert")
"""The knowledge that an agent was given: none, or that of an expert (rules of thumb, advice, demonstrations)."""
TIMES = {"at once": 1.0, "10 ms": 10.0, "1 s": 1_000.0}
"""The tracks by milliseconds of processor time a decision, at most."""

TaskKey = tuple[str, str]
"""A game's id and the name of a task."""


@dataclass(frozen=True)
class TaskResult:
    """The result of an agent in one task."""

    seeds: Sequence[int]
    """The seed of each block."""
    wins: NDArray[np.float64]
    """Its share of the win of each game, (blocks, games); what nobody wins is shared by all sides."""
    digests: Sequence[str]
    """A digest of the decisions in each block."""
    milliseconds: float
    """Processor time a decision."""
    waited: float
    """Wall time a decision, in milliseconds."""
    made_by: str
    """The version of titan_env, of Python, and the machine."""
    counted: Mapping[str, int] = field(default_factory=dict)
    """What the agent has counted: decisions, and those that it forfeited ("drawn"), by cause."""

    def range_of_seeds(self, task: str) -> range:
        """Return its seeds. Raises ValueError for those that do not follow each other."""
        seeds = range(self.seeds[0], self.seeds[0] + len(self.seeds))
        if list(self.seeds) != list(seeds):
            raise ValueError(f"expected blocks of {task} with seeds that follow each other; play the card again")
        return seeds

    @property
    def shares(self) -> NDArray[np.float64]:
        """Its share of wins in each block, (blocks,)."""
        shares: NDArray[np.float64] = self.wins.mean(axis=1)
        return shares


@dataclass(frozen=True)
class Head:
    """The head of a card: its label, its agent for each game with a hash of what that is made of, and its tracks.

    `panels` are the hashes of the panels by game, `met` the members against which the agent was trained, and `round` is
    the id of the round whose seeds it plays, "" for the public ones.
    """

    label: str
    agents: Mapping[str, str]
    hashes: Mapping[str, str]
    panels: Mapping[str, str]
    knowledge: str
    met: Sequence[str]
    budget: str
    round: str = ""


@dataclass
class ResultCard:
    """A card: its head, and the results of the tasks so far."""

    head: Head
    outcomes: dict[TaskKey, TaskResult] = field(default_factory=dict)

    def expect_tasks(self, known: Collection[TaskKey]) -> None:
        """Raise ValueError for results of other tasks than those that are known."""
        if strange := sorted(set(self.outcomes) - set(known)):
            listed = ", ".join(map(" ".join, strange))
            raise ValueError(f"expected tasks of this version, got {listed}; play the card again")

    def expect_panels(self, known: Mapping[str, str]) -> None:
        """Raise ValueError for a panel that is not the one that is known of its game."""
        for game, panel in known.items():
            if (other := self.head.panels.get(game)) != panel:
                raise ValueError(f"expected the panel {panel} of {game}, got {other}; play the card again")

    @property
    def knowledge(self) -> str:
        """The words that tell what its agents were given, and which members of the panels they were trained against."""
        met = self.head.met
        return f"{self.head.knowledge}, trained against {' and '.join(met)}" if met else self.head.knowledge

    @property
    def mode(self) -> str:
        """Return the words that tell where its agents run: built in, in processes of its own, or trusted."""
        return mode_of(self.head.agents.values())

    @property
    def time(self) -> str:
        """The track of its slowest task, "slower" past all: by processor time, of processes by wall time if longer."""
        times = [
            max(outcome.milliseconds, outcome.waited if self.mode == ISOLATED else 0)
            for outcome in self.outcomes.values()
        ]
        return next((track for track, most in TIMES.items() if max(times, default=0.0) <= most), "slower")

    @property
    def answers(self) -> str:
        """Its track of time, how its agents are played, and the decisions that they forfeited."""
        line = self.time if self.mode == BUILT_IN else f"{self.time}, {self.mode}"
        counted = sum((Counter(outcome.counted) for outcome in self.outcomes.values()), Counter[str]())
        if drawn := counted["drawn"]:
            line += f", {drawn:,} of {counted['decisions']:,} decisions forfeited"
        return line


def write_card(path: Path, card: ResultCard) -> None:
    """Write a card to its file, which appears whole."""
    outcomes = [
        {
            "game": game,
            "task": task,
            "milliseconds": round(outcome.milliseconds, 4),
            "waited": round(outcome.waited, 4),
            "made_by": outcome.made_by,
            "counted": dict(outcome.counted),
            "blocks": [
                [seed, [round(share, 6) for share in wins], digest]
                for seed, wins, digest in zip(outcome.seeds, outcome.wins.tolist(), outcome.digests, strict=True)
            ],
        }
        for (game, task), outcome in card.outcomes.items()
    ]
    write_json(path, {**asdict(card.head), "tasks": outcomes}, FORMAT, "tasks")


def read_card(path: Path) -> ResultCard:
    """Return the card in a file. Raises ValueError if it is missing, damaged, or something else."""
    with reading("a card", path, "play it again"):
        data = read_json(path, FORMAT, "tasks")
        entries = data.pop("tasks")
        card = ResultCard(_head(data), {(entry["game"], entry["task"]): _outcome(entry) for entry in entries})
        if len(card.outcomes) != len(entries):
            raise ValueError("it has a task twice")
    return card


def _head(data: dict[str, Any]) -> Head:
    """Return the head of a card. Raises ValueError or TypeError for damage."""
    head = Head(**data)
    by_game = (head.agents, head.hashes, head.panels)
    texts = (head.label, head.round, *head.met, *(text for one in by_game for pair in one.items() for text in pair))
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("its names are no texts")
    if head.knowledge not in KNOWLEDGE or head.budget not in BUDGETS:
        raise ValueError(f"its tracks are {head.knowledge!r} and {head.budget!r}")
    return head


def _outcome(entry: dict[str, Any]) -> TaskResult:
    """Return the outcome of a task. Raises ValueError for blocks or times that are none, and a block that is twice."""
    seeds, shares, digests = zip(*entry["blocks"], strict=True)
    wins = np.array(shares, np.float64)
    if wins.ndim != 2 or not ((wins >= 0) & (wins <= 1)).all():
        raise ValueError(f"the wins of {entry['task']} are no numbers from 0 to 1")
    if not all(type(seed) is int for seed in seeds) or not all(isinstance(text, str) for text in digests):
        raise ValueError(f"a seed or a digest of {entry['task']} is none")
    if len(set(seeds)) < len(seeds):
        raise ValueError(f"a block of {entry['task']} is there twice")
    milliseconds, waited = float(entry["milliseconds"]), float(entry["waited"])
    if not (0 <= milliseconds < np.inf and 0 <= waited < np.inf):
        raise ValueError(f"the milliseconds of {entry['task']} are {milliseconds} and {waited}")
    if not isinstance(entry["made_by"], str):
        raise ValueError(f"its version and machine are {entry['made_by']!r}")
    counted = entry.get("counted", {})
    if not all(type(count) is int and count >= 0 for count in counted.values()):
        raise ValueError(f"the counts of {entry['task']} are {counted}")
    return TaskResult(seeds, wins, digests, milliseconds, waited, entry["made_by"], counted)
