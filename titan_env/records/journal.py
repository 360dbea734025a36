"""Journals: the finished units of a long command, a line of JSON each, so that the same command goes on after a stop.

The first line holds all that the units depend on. Each line has a link of a chain, a hash of it and of the link before
it, which reveals lines that were changed, lost or doubled. A last line that was cut off is left out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from titan_env.records.atomic_files import lock_file, write_atomically
from titan_env.records.hash_chain import as_text, link
from titan_env.records.sealed import reading

FORMAT = "titan_env journal 1"
_BEGINNING = as_text({"format": FORMAT}).rstrip("}\n")
"""The letters that every journal begins with, also one whose first line was cut off."""


class Journal:
    """The journal in a file: `header`, {} if there is no file yet, and `lines`.

    `kind` is a noun for it in errors. Raises ValueError for a damaged file.
    """

    def __init__(self, path: Path, kind: str) -> None:
        self.path, self.kind = path, kind
        self.header: dict[str, Any] = {}
        self.lines: list[dict[str, Any]] = []
        self._stored = self._link = ""
        self.added: Callable[[], None] = lambda: None
        """Called after each line that was added: it may raise, to stop there."""
        if path.exists():
            self._read()

    def _read(self) -> None:
        """Read the file, and check its format and chain."""
        with reading(self.kind, self.path, "delete it to begin anew, or choose another --out"):
            self._stored = self.path.read_bytes().decode("utf-8")
            whole = []
            for number, text in enumerate(self._stored.split("\n")[:-1], 1):
                whole.append(self._linked(number, text))
            if not whole and not (_BEGINNING.startswith(self._stored) or self._stored.startswith(_BEGINNING)):
                raise ValueError("it has no whole line")
            if whole:
                self.header, *self.lines = whole
                if (form := self.header.pop("format")) != FORMAT:
                    raise ValueError(f"its format is {form!r}, not {FORMAT!r}")

    def _linked(self, number: int, text: str) -> dict[str, Any]:
        """Return a line without its link of the chain. Raises ValueError if it is not what follows the line before."""
        try:
            line: dict[str, Any] = json.loads(text)
            chain, expected = line.get("chain"), link(self._link, line)
        except (ValueError, AttributeError):
            chain = expected = None
        if expected is None or chain != expected:
            raise ValueError(f"line {number} was changed, or does not follow the one before it")
        self._link = line.pop("chain")
        return line

    def begin(self, header: Mapping[str, Any], lines: Sequence[Mapping[str, Any]] | None = None) -> None:
        """Write the header, in place of another one, and the lines kept so far, unless the file is so already."""
        self.header = dict(header)
        self.lines = [dict(line) for line in (self.lines if lines is None else lines)]
        self._link, texts = "", []
        for line in ({"format": FORMAT, **self.header}, *self.lines):
            self._link = link(self._link, line)
            texts.append(as_text({**line, "chain": self._link}))
        if "".join(texts) != self._stored:
            self._stored = "".join(texts)
            write_atomically(self.path, self._stored)

    def add(self, line: Mapping[str, Any]) -> None:
        """Append the line of a finished unit; it is on the disk when this returns."""
        self.lines.append(dict(line))
        self._link = link(self._link, line)
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(as_text({**line, "chain": self._link}))
            file.flush()
            os.fsync(file.fileno())
        self.added()


def journal_of(out: Path) -> Path:
    """Return the file of the journal of a command that writes a file at its end; it lies beside it until then."""
    return out.with_name(f"{out.name}.journal")


def resume(path: Path, kind: str, header: Mapping[str, Any]) -> Journal:
    """Return the journal of a command that this process alone goes on with, or begins.

    Raises ValueError for the journal of other settings, naming them, and where another process writes it.
    """
    lock_file(path)
    journal = Journal(path, kind)
    plain: dict[str, Any] = json.loads(json.dumps(header))
    if journal.header and journal.header != plain:
        names = [name for name in plain if journal.header.get(name) != plain[name]] or ["other settings"]
        message = f"which was begun with other settings ({', '.join(names)})"
        raise ValueError(f"expected {kind} in {path}, {message}; delete it to begin anew, or choose another --out")
    journal.begin(plain)
    return journal
