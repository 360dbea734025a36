"""Commands in environments that have only some of the installed libraries, as those of a user with one extra."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import extras
from tools.extras import CommandOutput


def run_commands(
    commands: Iterable[Sequence[str]], present: set[str], preloaded: Sequence[str] = ()
) -> list[CommandOutput]:
    """The commands, each `module argument ...`, as ``python -m`` runs them where only these libraries are installed."""
    by_module = packages_distributions()
    absent = [module for module, names in by_module.items() if not present & set(map(canonicalize_name, names))]
    names = sorted({canonicalize_name(name) for found in by_module.values() for name in found} - present)
    return extras.run_commands(commands, absent=absent, names=names, preloaded=preloaded)


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
