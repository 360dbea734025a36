"""Result cards: the results of an agent in each task, block by block, in a JSON file.

A card is written whole after each task, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.records.sealed import read_json, reading, write_json

FORMAT = "titan_env card 2"
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

    shares: NDArray[np.float64]
    """Its share of wins in each block, (blocks,)."""
    milliseconds: float
    """Processor time a decision."""


@dataclass(frozen=True)
class Head:
    """The head of a card: its label, its agent for each game with a hash of what that is made of, and its tracks."""

    label: str
    agents: Mapping[str, str]
    hashes: Mapping[str, str]
    knowledge: str
    budget: str


@dataclass
class ResultCard:
    """A card: its head, and the results of the tasks so far."""

    head: Head
    outcomes: dict[TaskKey, TaskResult] = field(default_factory=dict)

    @property
    def time(self) -> str:
        """The track of its slowest task; "slower" past all."""
        slowest = max((outcome.milliseconds for outcome in self.outcomes.values()), default=0.0)
        return next((track for track, most in TIMES.items() if slowest <= most), "slower")


def write_card(path: Path, card: ResultCard) -> None:
    """Write a card to its file, which appears whole."""
    outcomes = [
        {
            "game": game,
            "task": task,
            "milliseconds": round(outcome.milliseconds, 4),
            "shares": [round(share, 6) for share in outcome.shares.tolist()],
        }
        for (game, task), outcome in card.outcomes.items()
    ]
    write_json(path, {**asdict(card.head), "tasks": outcomes}, FORMAT, "tasks")


def read_card(path: Path) -> ResultCard:
    """Return the card in a file. Raises ValueError if it is missing, damaged, or something else."""
    with reading("a card", path, "play it again"):
        told = read_json(path, FORMAT, "tasks")
        entries = told.pop("tasks")
        card = ResultCard(_head(told), {(entry["game"], entry["task"]): _outcome(entry) for entry in entries})
        if len(card.outcomes) != len(entries):
            raise ValueError("it has a task twice")
    return card


def _head(told: dict[str, Any]) -> Head:
    """Return the head of a card. Raises ValueError or TypeError for damage."""
    head = Head(**told)
    texts = (head.label, *head.agents, *head.agents.values(), *head.hashes, *head.hashes.values())
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("its names are no texts")
    if head.knowledge not in KNOWLEDGE or head.budget not in BUDGETS:
        raise ValueError(f"its tracks are {head.knowledge!r} and {head.budget!r}")
    return head


def _outcome(entry: dict[str, Any]) -> TaskResult:
    """Return the outcome of a task. Raises ValueError for shares or a time that are none."""
    shares = np.array(entry["shares"], np.float64)
    if shares.ndim != 1 or len(shares) < 1 or not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError(f"the shares of {entry['task']} are no numbers from 0 to 1")
    milliseconds = float(entry["milliseconds"])
    if not 0 <= milliseconds < np.inf:
        raise ValueError(f"the milliseconds of {entry['task']} are {milliseconds}")
    return TaskResult(shares, milliseconds)
