"""Commands in environments that have only some of the installed libraries, as those of a user with one extra."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
SCRIPT = """
import importlib, json, os, runpy, sys, tempfile
from importlib.machinery import PathFinder

absent, names, preloaded, commands = json.loads(sys.stdin.read())

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in absent else super().find_spec(name, path, target)

    @classmethod
    def find_distributions(cls, context):
        normal = (context.name or "").lower().replace("_", "-").replace(".", "-")
        return iter(()) if normal in names else super().find_distributions(context)

sys.meta_path[sys.meta_path.index(PathFinder)] = Without
import titan_env.agents
for module in preloaded:  # once, not in each command's process
    importlib.import_module(module)

def run(module, arguments):
    sys.argv = ["-m", *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code)
        return 1 if isinstance(end.code, str) else end.code or 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0

told = []
for module, *arguments in commands:
    with tempfile.TemporaryFile("w+") as out:
        if not (child := os.fork()):
            os.dup2(out.fileno(), 1), os.dup2(out.fileno(), 2)
            code = run(module, arguments)
            sys.stdout.flush(), sys.stderr.flush()
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        told.append((code, out.read()))
print(json.dumps(told))
"""


class Told(NamedTuple):
    """The exit status of a command, and all that it printed."""

    status: int
    text: str


def told(commands: Iterable[Sequence[str]], present: set[str], preloaded: Iterable[str] = ()) -> list[Told]:
    """The commands, each `module argument ...`, as ``python -m`` runs them where only these libraries are installed."""
    by_module = packages_distributions()
    absent = [module for module, names in by_module.items() if not present & set(map(canonicalize_name, names))]
    names = sorted({canonicalize_name(name) for found in by_module.values() for name in found} - present)
    asked = json.dumps([absent, names, list(preloaded), list(commands)])
    python = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(python, input=asked, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return [Told(*one) for one in json.loads(done.stdout.splitlines()[-1])]


def libraries(*requirements: str) -> set[str]:
    """The names of the libraries that pip would install for these requirements, of those that are installed here."""
    return set().union(*(_needed(requirement) for requirement in requirements))


@functools.cache
def _needed(requirement: str) -> frozenset[str]:
    found: dict[str, frozenset[str]] = {}
    waiting = [Requirement(requirement)]
    while waiting:
        asked = waiting.pop()
        name, extras = canonicalize_name(asked.name), frozenset(asked.extras)
        if found.get(name) is not None and extras <= found[name]:
            continue
        found[name] = found.get(name, frozenset()) | extras
        try:
            declared = map(Requirement, distribution(name).requires or [])
        except PackageNotFoundError:
            continue
        for one in declared:
            if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in extras | {""}):
                waiting.append(one)
    return frozenset(found)
