"""The file of a round, and the seeds that follow from it; `titan_env.evaluation.benchmark.rounds` writes it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from titan_env.records.sealed import digest_of, read_json, reading, write_json

FORMAT = "titan_env round 1"
_SEED_BYTES = 7  # seeds that follow each other, of at most 63 bits


@dataclass(frozen=True)
class Round:
    """A round: the SHA-256 of its salt, the hash of each entry by its label, and the salt in hex once it is closed."""

    commitment: str
    entries: Mapping[str, str] = field(default_factory=dict)
    salt: str = ""

    @property
    def id(self) -> str:
        """The hash of the salt and of all entries, 12 hex digits."""
        return digest_of([self.salt, sorted(self.entries.values())])[:12]

    def first_seed(self, *names: str) -> int:
        """Return the first seed of what is named. Raises ValueError while the round is open."""
        if not self.salt:
            raise ValueError("expected a round that is closed; rounds close publishes its salt")
        digest = hashlib.sha256(digest_of([self.salt, sorted(self.entries.values()), *names]).encode()).digest()
        return int.from_bytes(digest[:_SEED_BYTES])

    def check_entry(self, label: str, entry: str) -> None:
        """Raise ValueError for what was not entered before the round was closed."""
        if self.entries.get(label) != entry:
            known = ", ".join(self.entries) or "none"
            raise ValueError(f"expected an entry of this round as it was entered ({known}), got {label}, hash {entry}")


def entry_of(agents: Mapping[str, str], hashes: Mapping[str, str]) -> str:
    """Return the hash of agents by game: their names, and the hashes of all files that they consist of."""
    return digest_of({name: [agent, hashes[name]] for name, agent in agents.items()})


def write_round(path: Path, opened: Round) -> None:
    """Write a round to its file, atomically."""
    write_json(path, asdict(opened), FORMAT, "entries", indent=1)


def read_round(path: Path) -> Round:
    """Return the round in a file. Raises ValueError if it is missing, damaged, or its salt is not the promised one."""
    with reading("a round", path, "take the file as it was published"):
        opened = Round(**read_json(path, FORMAT, "entries"))
        texts = (opened.commitment, opened.salt, *opened.entries, *opened.entries.values())
        if not all(isinstance(text, str) for text in texts):
            raise ValueError("its hashes are no texts")
        if opened.salt and promise_of(opened.salt) != opened.commitment:
            raise ValueError("its salt is not the one that it promised")
    return opened


def promise_of(salt: str) -> str:
    """Return the hash that promises a salt."""
    return hashlib.sha256(bytes.fromhex(salt)).hexdigest()
