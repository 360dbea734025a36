"""The units of a long command, kept as they are finished, so that the same command goes on after a stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from titan_env.cli.console import interruptible
from titan_env.contract import Game
from titan_env.evaluation.matches.answer_counts import AnswerCounts
from titan_env.evaluation.matches.fingerprints import fingerprint
from titan_env.records.journal import Journal, journal_of, resume

Result = TypeVar("Result")
"""The result of a unit: JSON values."""


def journal_for(out: Path | None, kind: str, settings: Mapping[str, Any]) -> Journal | None:
    """Return the journal of a command that writes the file `out` at its end; None without a file.

    `kind` and errors are those of `titan_env.records.journal.resume`.
    """
    return None if out is None else resume(journal_of(out), kind, settings)


def settings_of(arguments: Any, game: Game, names: Sequence[str]) -> dict[str, Any]:
    """Return the game, what its agents are made of, and the options of a command, a dataclass with a field `out`."""
    options = {name: value for name, value in asdict(arguments).items() if name not in ("game", "out")}
    return {"game": game.id, "made": {name: fingerprint(name, game) for name in names}, **options}


@contextmanager
def going_on(journal: Journal | None) -> Iterator[None]:
    """Stop at signals, as `interruptible` does, while the block plays and writes its file; then remove the journal."""
    with interruptible(journal is not None, journal):
        yield
    if journal is not None:
        journal.path.unlink()


class KeptUnits:
    """The finished units of a command by name, in its journal if it has one, with what was counted in them."""

    def __init__(self, journal: Journal | None = None, counts: AnswerCounts | None = None) -> None:
        self._journal, self._counts = journal, counts
        self._results = {line["unit"]: line["result"] for line in journal.lines} if journal else {}

    def result(self, unit: str, measure: Callable[..., Result], *given: Any) -> Result:
        """Return the result of a unit: what is kept of it, or ``measure(*given)``, which is kept now."""
        if unit not in self._results:
            self._results[unit] = measured = measure(*given)
            counted = self._counts.take() if self._counts else {}
            if self._journal is not None:
                self._journal.add({"unit": unit, "result": measured, **counted})
        found: Result = self._results[unit]
        return found
