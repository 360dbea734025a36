"""Files of turn puzzles: the game and the origin in the first line, then a puzzle in each, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.validation import parse_checked_position
from titan_env.records.atomic_files import write_atomically
from titan_env.records.recorder import hash_of
from titan_env.records.sealed import reading, sealed_lines, unsealed_lines

FORMAT = "titan_env puzzles 1"


@dataclass(frozen=True)
class Puzzle:
    """A position, the best probability of winning within its turn, and each action's value (such a probability)."""

    id: str
    best: float
    worths: Mapping[str, float]
    position: str
    whole: bool = False
    """True if the values are of the whole rest of the game, not of the turn alone."""
    decisions: int = 0
    """The number of decisions that matter in best play (`TurnSolver.length`); 0 if they were not counted."""


def count_of(path: Path) -> int:
    """Return how many puzzles a file has, as its head says. Raises ValueError for a missing or damaged file."""
    with reading("a file of puzzles", path, "make one with --make"), path.open(encoding="utf-8") as file:
        return int(json.loads(file.readline())["count"])


def read(path: Path, first: int | None = None) -> tuple[Game, list[Puzzle]]:
    """Return the game and puzzles of a file, all or the `first` ones.

    Raises ValueError for a missing or damaged file, or another version.
    """
    with reading("a file of puzzles", path, "make one with --make"):
        head, lines = unsealed_lines(path.read_text("utf-8"), FORMAT)
        made, puzzles = str(head["game"]), [Puzzle(**line) for line in lines[:first]]
    game = registry.load(registry.name_in(made))
    if game.id != made or not puzzles:
        raise ValueError(f"expected puzzles of {game.id} in {path}, got {len(puzzles)} of {made}")
    for puzzle in puzzles:
        if hash_of(game, parse_checked_position(game, puzzle.position)[0]) != puzzle.id:
            raise ValueError(f"expected the position of puzzle {puzzle.id} in {path}, got another one: it is damaged")
    return game, puzzles


def write(path: Path, game: Game, puzzles: Sequence[Puzzle], made: Mapping[str, Any]) -> None:
    """Write puzzles into a file, completely or not at all; `made` describes their origin."""
    write_atomically(path, sealed_lines({"game": game.id, **made}, list(map(asdict, puzzles)), FORMAT))
