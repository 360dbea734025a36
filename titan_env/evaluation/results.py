"""The file of a tournament's results, one line of JSON for each unit of work, so that nothing is played twice.

The first line holds the game, its options, and each agent's fingerprint. Results are kept by pair and block; the split
into units makes no difference.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.evaluation.fingerprints import fingerprint
from titan_env.records.files import write_whole

Pair: TypeAlias = tuple[str, str]
"""Two agents by name, in alphabetical order."""
Counted: TypeAlias = Mapping[str, Mapping[str, int]]
"""Agent -> the counters that it keeps of itself (`titan_env.agents.counts`)."""


@dataclass(frozen=True)
class Unit:
    """One unit of work: some blocks of one pair, by their seeds."""

    one: str
    other: str
    seeds: tuple[int, ...]


def units(
    names: Sequence[str], seeds: Sequence[int], at_once: int, played: Mapping[Pair, Container[int]]
) -> list[Unit]:
    """Return the units of a tournament: every block that a pair has not played, at most `at_once` in a unit."""
    work = []
    for one, other in itertools.combinations(sorted(names), 2):
        missing = [seed for seed in seeds if seed not in played.get((one, other), ())]
        work += [Unit(one, other, tuple(missing[i : i + at_once])) for i in range(0, len(missing), at_once)]
    return sorted(work, key=lambda unit: unit.seeds)


def header_of(game: Game, options: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the first line of the file: all that the results depend on."""
    return {"game": game.id, "options": options, "agents": {name: fingerprint(name, game) for name in names}}


def read_header(path: Path) -> dict[str, Any]:
    """Return the first line of a file of results. Raises ValueError for a file that has none."""
    return _header(_whole_lines(path.read_text("utf-8")), path)


def _header(lines: Sequence[str], path: Path) -> dict[str, Any]:
    """Return the header in the lines of a file. Raises ValueError if it is missing or damaged."""
    try:
        header = json.loads(lines[0])
        if {name: type(value) for name, value in header.items()} != {"game": str, "options": dict, "agents": dict}:
            raise ValueError
    except (IndexError, AttributeError, ValueError):
        raise ValueError(
            f"expected the results of a tournament in {path}, found none; delete it, or choose another --out"
        ) from None
    return dict(header)


def _whole_lines(text: str) -> list[str]:
    """Return the complete lines of a text; a last one that was cut off is left out."""
    return [line for line in text.splitlines(keepends=True) if line.endswith("\n")]


@dataclass(frozen=True)
class Outcome:
    """The statistics of a pair's blocks, from its first agent's side."""

    blocks: int
    rate: float  # the mean of the blocks' shares of wins
    spread: float  # the standard deviation of a block's share

    @classmethod
    def of(cls, shares: NDArray[np.float64]) -> Outcome:
        """Return the statistics of the shares (blocks,).

        If all shares are equal, a drawn block is added for the spread: that a few blocks agree does not mean that all
        will.
        """
        seen = np.append(shares, 0.5) if np.ptp(shares) == 0 else shares
        return cls(len(shares), float(shares.mean()), float(seen.std(ddof=1)))


class Results:
    """The results in a file, for the game and agents of a header. Raises ValueError for others' results or damage."""

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        self.path = path
        self.shares: dict[Pair, dict[int, float]] = {}
        self.seconds: dict[Pair, dict[int, float]] = {}
        self.counted: dict[str, Counter[str]] = {}
        stored = path.read_text("utf-8") if path.exists() else ""
        lines = _whole_lines(stored)
        if lines:
            header = self._agreed(_header(lines, path), header)
        for number, line in enumerate(lines[1:], 2):
            self._read(line, number)
        text = "".join([json.dumps(header) + "\n", *lines[1:]])
        if text != stored:
            write_whole(path, text)

    def _agreed(self, stored: dict[str, Any], header: dict[str, Any]) -> dict[str, Any]:
        """Return the header with the agents of both. Raises ValueError for another game, options or changed agents."""
        if (stored["game"], stored["options"]) != (header["game"], header["options"]):
            raise ValueError(
                f"expected the results of this tournament in {self.path}, "
                f"got those of another one ({stored['game']}, {stored['options']}); delete it, or choose another --out"
            )
        changed = [name for name, made in header["agents"].items() if stored["agents"].get(name, made) != made]
        if changed:
            raise ValueError(
                f"expected the agents that have played in {self.path}, but {', '.join(changed)} has changed since; "
                "delete it, or choose another --out"
            )
        return {**header, "agents": stored["agents"] | header["agents"]}

    def _read(self, line: str, number: int) -> None:
        """Read one unit's line. Raises ValueError if it is damaged."""
        try:
            data = json.loads(line)
            unit = Unit(data["one"], data["other"], tuple(data["seeds"]))
            shares = [float(share) for share in data["shares"]]
            if not len(unit.seeds) == len(shares) or not np.isfinite(shares).all():
                raise ValueError
            self._keep(unit, shares, float(data["seconds"]), data.get("counted", {}))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise ValueError(
                f"expected a unit of results, {self.path} is damaged in line {number}; delete that line"
            ) from None

    def _keep(self, unit: Unit, shares: Sequence[float], seconds: float, counted: Counted) -> None:
        """Store a unit, block by block, and its agents' counters."""
        pair = (unit.one, unit.other)
        self.shares.setdefault(pair, {}).update(zip(unit.seeds, shares, strict=True))
        self.seconds.setdefault(pair, {}).update(dict.fromkeys(unit.seeds, seconds / len(unit.seeds)))
        for name, numbers in counted.items():
            self.counted.setdefault(name, Counter()).update(numbers)

    def add(self, unit: Unit, shares: list[float], seconds: float, counted: Counted | None = None) -> None:
        """Store a finished unit, and append it to the file."""
        self._keep(unit, shares, seconds, counted or {})
        line = {**asdict(unit), "seconds": round(seconds, 3), "shares": shares}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line | ({"counted": counted} if counted else {})) + "\n")

    def of_pair(self, one: str, other: str, seeds: Container[int] | None = None) -> NDArray[np.float64]:
        """Return `one`'s shares in each block (of these seeds) against `other`, ordered by seed: float64 (blocks,)."""
        pair = (min(one, other), max(one, other))
        played = sorted(self.shares.get(pair, {}).items())
        shares = np.array([share for seed, share in played if seeds is None or seed in seeds], np.float64)
        return shares if pair == (one, other) else 1 - shares

    def outcomes(self, seeds: Container[int] | None = None) -> dict[Pair, Outcome]:
        """Return an `Outcome` for each pair with finished blocks (of these seeds)."""
        played = {pair: self.of_pair(*pair, seeds) for pair in self.shares}
        return {pair: Outcome.of(shares) for pair, shares in played.items() if len(shares)}
