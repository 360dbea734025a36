"""Optional dependencies: imports that need an extra, and the error that names it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import io
import os
import re
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType

PACKAGE = "titan_env"
_STDERR = 2  # the number of this file of every process
_CPU_BUILD = "--index-url https://download.pytorch.org/whl/cpu"
"""The CPU build of torch: the default one brings several GB of CUDA."""


class MissingExtra(ImportError):
    """The error for a package of an extra that is not installed; `requirements` are all that the extra lacks."""

    requirements: Sequence[str] = ()


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import packages of an extra inside this context. Raises MissingExtra with the command that installs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing(name, error.name) from None


def needs(name: str, *modules: str) -> None:
    """Raise MissingExtra if one of these modules of an extra is missing, before the work begins."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            raise missing(name, module)


def missing(name: str, module: str | None) -> MissingExtra:
    """Return the error for a missing module of an extra, with the command that installs what the extra lacks.

    The command works next to a checkout and next to a wheel: no index is asked for this package itself.
    """
    asked = lacking(name)
    if asked is None:
        asked = ["-e", f".[{name}]"]
    elif not asked and module:
        asked = [module.partition(".")[0]]  # a library that one of the extra's needs
    torch = [requirement for requirement in asked if _library(requirement) == "torch"]
    others = [requirement for requirement in asked if requirement not in torch]
    steps = [f"pip install {shlex.join(torch)} {_CPU_BUILD}"] * bool(torch)
    steps += [f"pip install {shlex.join(others)}"] * bool(others)
    error = MissingExtra(f"expected {module}, which the extra {name} brings; {' && '.join(steps)}", name=module)
    error.requirements = asked
    return error


def lacking(name: str) -> list[str] | None:
    """Return the requirements of an extra that are not installed, as pip takes them; None in a bare checkout."""
    try:
        declared = importlib.metadata.requires(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    asked = set()
    for line in declared:
        requirement, _, marker = line.partition(";")
        is_elsewhere = re.search(rf"sys_platform != ['\"]{sys.platform}['\"]", marker)
        if re.search(rf"extra == ['\"]{name}['\"]", marker) and not is_elsewhere:
            asked.add(requirement.strip())
    return [requirement for requirement in sorted(asked) if not _is_installed(_library(requirement))]


def _library(requirement: str) -> str:
    """Return the name of the library that a requirement asks for."""
    return re.split(r"[^\w.-]", requirement)[0]


def _is_installed(package: str) -> bool:
    """Return whether a package is installed."""
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def print_to_any_terminal() -> None:
    """Make this process print characters that its terminal cannot show as ``?``, instead of ending in an error.

    Scripts print with `print` or a `Console`: the ``echo`` of Click and Typer writes UTF-8 to terminals of ASCII.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


def told_in_one_line(name: str) -> None:
    """Make this process, a script, print one line instead of a traceback where something of an extra is missing.

    The line names the script's own extra, `name`, also for what a smaller one brings: one command installs all of it.
    """
    print_to_any_terminal()

    def tell(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        if isinstance(error, MissingExtra) and set(error.requirements) & set(lacking(name) or ()):
            error = missing(name, error.name)
        if isinstance(error, MissingExtra):
            print(f"Error: {error}", file=sys.stderr)
        else:
            sys.__excepthook__(kind, error, traceback)

    sys.excepthook = tell


def stop_in_one_line() -> None:
    """Make this process, a script, end at Ctrl-C and at a cluster's stop signal alike: at once, with one line.

    Commands that keep their work handle both signals themselves while they do it.
    """
    script = os.getpid()

    def stop(number: int, frame: object) -> None:
        if os.getpid() != script:  # a forked child, which says nothing
            os._exit(128 + number)
        os.write(_STDERR, b"Stopped.\n")
        raise SystemExit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


def complaint(error: BaseException) -> str:
    """Return an error's text for people: the system's own errors by file and reason, without their numbers."""
    if not isinstance(error, OSError) or error.strerror is None:
        return f"{error}"
    reason = error.strerror[:1].lower() + error.strerror[1:]
    return reason if error.filename is None else f"{error.filename}: {reason}"
