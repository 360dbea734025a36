"""The file of a tournament's results, one line of JSON for each unit of work, so that nothing is played twice.

It is a journal (`titan_env.records.journal`) whose first line holds the game, its options, and each agent's
fingerprint. Results are kept block by block; the split into units makes no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from titan_env.contract import Game
from titan_env.evaluation.matches.fingerprints import fingerprint
from titan_env.evaluation.matches.mixed_tables import Block
from titan_env.records.journal import Journal
from titan_env.records.sealed import reason_of

Key: TypeAlias = tuple[int, tuple[str, ...]]
"""A block to be played: its seed, and its agents in the order around the table of its first game."""
Counted: TypeAlias = Mapping[str, Mapping[str, int]]
"""Agent -> the counters that it keeps of itself (`titan_env.agents.counts`)."""
PROTOCOL = "mixed tables 1"
"""The name of the rules by which blocks are drawn and rated; results of others are not mixed with these."""
_KIND = "the results of a tournament"


@dataclass(frozen=True)
class Unit:
    """One unit of work: some blocks, by seed and table."""

    blocks: tuple[Key, ...]

    @property
    def names(self) -> list[str]:
        """The agents that play in it."""
        return sorted({name for _, lineup in self.blocks for name in lineup})


def units(keys: Sequence[Key], at_once: int, played: Container[Key]) -> list[Unit]:
    """Return the units of a tournament: every block that is not played yet, at most `at_once` in a unit."""
    missing = [key for key in keys if key not in played]
    return [Unit(tuple(missing[i : i + at_once])) for i in range(0, len(missing), at_once)]


def header_of(game: Game, options: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the first line of the file: all that the results depend on."""
    made = {name: fingerprint(name, game) for name in names}
    return {"protocol": PROTOCOL, "game": game.id, "options": options, "agents": made}


def read_header(path: Path) -> dict[str, Any]:
    """Return the first line of a file of results. Raises ValueError for a file that has none."""
    return _header(Journal(path, _KIND))


def _header(journal: Journal) -> dict[str, Any]:
    """Return the header of a journal of results. Raises ValueError if it is missing, or of another protocol."""
    header, way_out = journal.header, "delete it, or choose another --out"
    kinds = {"protocol": str, "game": str, "options": dict, "agents": dict}
    if {name: type(value) for name, value in header.items()} != kinds:
        raise ValueError(f"expected {_KIND} in {journal.path}, found none; {way_out}")
    if header["protocol"] != PROTOCOL:
        raise ValueError(f"expected results of {PROTOCOL!r} in {journal.path}, got {header['protocol']!r}; {way_out}")
    return dict(header)


class Results:
    """The results in a file, for the game and agents of a header. Raises ValueError for others' results or damage."""

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        self.path = path
        self.blocks: dict[Key, Block] = {}
        self.seconds: dict[Key, float] = {}
        self.counted: dict[str, Counter[str]] = {}
        self._journal = Journal(path, _KIND)
        if self._journal.header:
            header = self._agreed(_header(self._journal), header)
        for number, line in enumerate(self._journal.lines, 2):
            self._read(line, number)
        self._journal.begin(header)

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

    def _read(self, data: Mapping[str, Any], number: int) -> None:
        """Read one unit's line. Raises ValueError if it is damaged."""
        try:
            blocks = [Block(int(seed), tuple(lineup), *row) for seed, lineup, *row in data["blocks"]]
            for block in blocks:
                block.shares()
            self._keep(blocks, float(data["seconds"]), data.get("counted", {}))
        except Exception as error:  # any error: damaged values raise anything
            raise ValueError(
                f"expected a unit of results, {self.path} is damaged in line {number}: {reason_of(error)}; delete it"
            ) from None

    def _keep(self, blocks: Sequence[Block], seconds: float, counted: Counted) -> None:
        """Store the blocks of a unit, and its agents' counters."""
        for block in blocks:
            self.blocks[block.seed, block.agents] = block
            self.seconds[block.seed, block.agents] = seconds / len(blocks)
        for name, numbers in counted.items():
            self.counted.setdefault(name, Counter()).update(numbers)

    def add(self, blocks: Sequence[Block], seconds: float, counted: Counted | None = None) -> None:
        """Store the blocks of a finished unit, and append them to the file."""
        self._keep(blocks, seconds, counted or {})
        rows = [[block.seed, list(block.agents), block.winners, *filter(None, [block.places])] for block in blocks]
        line = {"seconds": round(seconds, 3), "blocks": rows} | ({"counted": counted} if counted else {})
        self._journal.add(line)

    def among(self, names: Collection[str]) -> list[Block]:
        """Return the blocks whose agents are all among these, ordered by seed and table."""
        return [block for (_, lineup), block in sorted(self.blocks.items()) if set(lineup) <= set(names)]
