"""Optional dependencies: imports that need an extra, and the error that names it."""

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
"""The CPU build of torch: the default one brings several GB of CUDA."""


class MissingExtra(ImportError):
    """The error for a package of an extra that is not installed."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import packages of an extra inside this context. Raises MissingExtra with the command that installs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing(name, error.name) from None


def needs(module: str, name: str) -> None:
    """Raise MissingExtra if a module of the extra is missing, before the work begins."""
    if importlib.util.find_spec(module) is None:
        raise missing(name, module)


def missing(name: str, module: str | None) -> MissingExtra:
    """Return the error for a missing module of an extra.

    Its command works next to a checkout and next to a wheel: no index is asked for this package itself.
    """
    asked = lacking(name)
    others = shlex.join(what for what in asked if what != "torch") or ("" if asked else f"-e '.[{name}]'")
    steps = [f"pip install torch {_CPU_BUILD}"] * ("torch" in asked) + [f"pip install {others}"] * bool(others)
    return MissingExtra(f"expected {module}, which the extra {name} brings; {' && '.join(steps)}")


def lacking(name: str) -> list[str]:
    """Return the requirements of an extra that are not installed, as pip takes them."""
    try:
        declared = importlib.metadata.requires(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    parts = (line.partition(";") for line in declared)
    asked = sorted({what.strip() for what, _, marker in parts if re.search(rf"extra == ['\"]{name}['\"]", marker)})
    return [what for what in asked if not _is_installed(re.split(r"[^\w.-]", what)[0])]


def _is_installed(package: str) -> bool:
    """Return whether a package is installed."""
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def told_in_one_line(name: str) -> None:
    """Make this process, a script that needs the extra, print one line instead of a traceback if it is missing.

    Characters that the terminal cannot show are printed as ``?``.
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
    """Return an error's text for people: the system's own errors by file and reason, without their numbers."""
    if not isinstance(error, OSError) or error.strerror is None:
        return f"{error}"
    reason = error.strerror[:1].lower() + error.strerror[1:]
    return reason if error.filename is None else f"{error.filename}: {reason}"
