"""Origins of compiled functions: the names, sources and constants by which their code is found again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from titan_env.compiler import cache
from titan_env.compiler.code_files import code_digests

_DIGITS = 32


class Origin:
    """All that the code of a function is made from, but for the arguments' types: equal digests mean equal code.

    It is kept with the rules in `file`; `rules` are those bound in it, and `counts` is that of `specialize`.
    """

    def __init__(
        self, function: Callable[..., Any], file: Path, rules: Collection[Callable[..., Any]], counts: bool
    ) -> None:
        self.function, self.file, self.rules, self.counts = function, file, rules, counts
        self._made_from: list[str] | None = None
        self._digest = ""

    @property
    def name(self) -> list[tuple[str, str, int]]:
        """Modules, names and lines of the function and of the rules bound in it."""
        return [part for written in (self.function, *self.rules) for part in _identity(written)]

    @property
    def made_from(self) -> list[str]:
        """The hashes of sources and constants beyond those that the name of the file's folder in the cache covers."""
        if self._made_from is None:  # no `cached_property`, whose lock a fork may leave closed
            own = self.file.parent
            self._made_from = code_digests(
                self.function, lambda file: cache.is_of_the_engine(file) or not file.is_relative_to(own)
            )
        return self._made_from

    @property
    def digest(self) -> str:
        """The hash of all of this and of the sources of the rules, whatever the versions of Python and of libraries."""
        if not self._digest:
            parts = (self.name, self.made_from, self.counts, cache.sources_digest(self.file))
            self._digest = hashlib.sha256(repr(parts).encode()).hexdigest()[:_DIGITS]
        return self._digest


def file_of(function: Any) -> Path:
    """Return the file in which a function, compiled or not, is written; for a bound loop, that of its first rule."""
    for rule in getattr(function, "bound_rules", ()):
        return file_of(rule)
    return Path(getattr(function, "py_func", function).__code__.co_filename)


def _identity(function: Any) -> list[tuple[str, str, int]]:
    """Return module, name and line of a function and of the rules bound in it."""
    plain = getattr(function, "py_func", function)
    own = (plain.__module__, plain.__code__.co_qualname, plain.__code__.co_firstlineno)
    return [own, *(part for rule in getattr(function, "bound_rules", ()) for part in _identity(rule))]
