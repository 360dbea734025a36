"""Names of rated agents: code from files runs in processes of its own, unless it is trusted."""

from __future__ import annotations

from collections.abc import Iterable

ISOLATED, TRUSTED, BUILT_IN = "in processes of its own", "trusted, in the referee's process", "built in"
_FROM_FILE, _IN_PROCESSES = "python:", "process:"


def isolated(name: str, trusted: bool = False) -> str:
    """Return the name under which an agent is rated: one from a Python file runs in processes of its own.

    `trusted` leaves it in the referee's process. Raises ValueError for a file of code within another agent's name.
    """
    if trusted or _FROM_FILE not in name:
        return name
    if not name.startswith(_FROM_FILE):
        raise ValueError(f"expected process:FILE or an agent without code of others, got {name}; or play it --trusted")
    return _IN_PROCESSES + name.removeprefix(_FROM_FILE)


def mode_of(names: Iterable[str]) -> str:
    """Return the words that tell where agents with these names run: those of the least isolated one."""
    modes = {
        TRUSTED if _FROM_FILE in name else ISOLATED if name.startswith(_IN_PROCESSES) else BUILT_IN for name in names
    }
    return next((mode for mode in (TRUSTED, ISOLATED) if mode in modes), BUILT_IN)
