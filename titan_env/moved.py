"""Aliases of modules moved since version 0.2, which warn with the new name until version 0.4.

An import of an old name gives the new module and a `FutureWarning`; ``python -m`` with it runs the new one after a
line on stderr.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import runpy
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from types import CodeType, ModuleType
from typing import Any

MOVED = {
    "titan_env.agents.duplicate": ("titan_env.evaluation.duplicate",),
    "titan_env.agents.expert": ("titan_env.agents.scorer",),
    "titan_env.agents.greedy": ("titan_env.agents.scorer",),
    "titan_env.agents.match": ("titan_env.evaluation.match", "titan_env.engine.option_text"),
    "titan_env.cli.balance": ("titan_env.evaluation.balance",),
    "titan_env.cli.seating": (
        "titan_env.records.session",
        "titan_env.engine.option_text",
        "titan_env.agents.naming",
    ),
    "titan_env.cli.speed": ("titan_env.evaluation.speed",),
    "titan_env.training.arena": ("titan_env.evaluation.arena",),
    "titan_env.training.calibration": ("titan_env.evaluation.calibration",),
    "titan_env.training.commands": ("titan_env.cli.console",),
    "titan_env.training.enter": ("titan_env.evaluation.enter",),
    "titan_env.training.evaluate": ("titan_env.evaluation.evaluate",),
    "titan_env.training.fingerprints": ("titan_env.evaluation.fingerprints",),
    "titan_env.training.output": ("titan_env.cli.output",),
    "titan_env.training.puzzles": ("titan_env.evaluation.puzzles",),
    "titan_env.training.results": ("titan_env.evaluation.results",),
    "titan_env.training.tournament": ("titan_env.evaluation.tournament",),
}
"""Module of version 0.2 -> the modules with its contents; ``python -m`` runs the first."""


class _MovedLoader(InspectLoader):
    """Loads a module under its old name, with the contents of its new places."""

    def __init__(self, old: str, places: Sequence[str]) -> None:
        self.places = places
        self.notice = f"{old} is {' and '.join(places)} now; the old name goes with version 0.4"

    def exec_module(self, module: ModuleType) -> None:
        """Warn, and make the module look every name up at its new places."""
        warnings.warn(self.notice, FutureWarning, stacklevel=2)
        found = [importlib.import_module(place) for place in self.places]

        def look_up(name: str) -> Any:
            for place in found:
                if hasattr(place, name):
                    return getattr(place, name)
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}; {self.notice}")

        vars(module)["__getattr__"] = look_up

    def get_code(self, fullname: str) -> CodeType:
        """Return code that runs the new module as a script, for ``python -m``."""
        return compile(f"from titan_env.moved import run; run({self.notice!r}, {self.places[0]!r})", fullname, "exec")

    def get_source(self, fullname: str) -> None:
        """Return nothing: there is no source under the old name."""


class _MovedFinder(MetaPathFinder):
    """Finds modules by their old names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of an old name; None for any other name."""
        if fullname not in MOVED:
            return None
        return importlib.util.spec_from_loader(fullname, _MovedLoader(fullname, MOVED[fullname]))


def run(notice: str, module: str) -> None:
    """Print that a command has moved, and run it at its new place."""
    print(f"titan_env: {notice}", file=sys.stderr, flush=True)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def install() -> None:
    """Install the finder of old names."""
    if not any(isinstance(finder, _MovedFinder) for finder in sys.meta_path):
        sys.meta_path.append(_MovedFinder())
