"""What only parts of the house need: the extras, and the one line that is said where one is missing."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import io
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

PACKAGE = "titan_env"
_CPU_BUILD = "--index-url https://download.pytorch.org/whl/cpu"
"""The build of torch for CPUs: the usual one brings several GB of CUDA."""


class MissingExtra(ImportError):
    """A package that one of the extras brings is not installed."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import inside of this what the extra brings. Raises MissingExtra, which says what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing(name, error.name) from None


def needs(module: str, name: str) -> None:
    """Raise MissingExtra where a module that the extra brings is not there: before the work, not after it."""
    if importlib.util.find_spec(module) is None:
        raise missing(name, module)


def missing(name: str, module: str | None) -> MissingExtra:
    """The error of a module that is not there.

    What it says to type works beside a checkout and beside a wheel: no index is asked for this package itself.
    """
    asked = lacking(name)
    others = shlex.join(what for what in asked if what != "torch") or ("" if asked else f"-e '.[{name}]'")
    steps = [f"pip install torch {_CPU_BUILD}"] * ("torch" in asked) + [f"pip install {others}"] * bool(others)
    return MissingExtra(f"expected {module}, which the extra {name} brings; {' && '.join(steps)}")


def lacking(name: str) -> list[str]:
    """What the extra asks for and is not installed, as pip takes it."""
    try:
        declared = importlib.metadata.requires(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    parts = (line.partition(";") for line in declared)
    asked = sorted({what.strip() for what, _, marker in parts if re.search(rf"extra == ['\"]{name}['\"]", marker)})
    return [what for what in asked if not _is_installed(re.split(r"[^\w.-]", what)[0])]


def _is_installed(package: str) -> bool:
    """Whether a package is there."""
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def told_in_one_line(name: str) -> None:
    """Let this process, a script that needs the extra, end in one line where something of it is missing.

    What its terminal has no letters for is written as ``?``, or as the terminal's own way has it.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")

    def tell(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        if isinstance(error, ModuleNotFoundError) and lacking(name):
            error = missing(name, error.name)
        if isinstance(error, MissingExtra):
            print(f"Error: {error}", file=sys.stderr)
        else:
            sys.__excepthook__(kind, error, traceback)

    sys.excepthook = tell


def complaint(error: BaseException) -> str:
    """Return a mistake of the person in words: the system's own errors by file and reason, without their numbers."""
    if not isinstance(error, OSError) or error.strerror is None:
        return f"{error}"
    reason = error.strerror[:1].lower() + error.strerror[1:]
    return reason if error.filename is None else f"{error.filename}: {reason}"
