"""The first version of Titan Race, which is no more: whatever is asked of it says what to import instead."""

from __future__ import annotations

from typing import Any

from titan_env.registry import superseded


def __getattr__(name: str) -> Any:
    """Raises ImportError for everything that this module once offered."""
    if name.startswith("_"):
        raise AttributeError(name)
    raise ImportError(superseded("titan_race_v0"))
