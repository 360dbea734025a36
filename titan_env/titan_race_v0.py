"""The removed first version of Titan Race; every import raises ImportError with the version to import instead."""

from __future__ import annotations

from typing import Any

from titan_env.registry import superseded


def __getattr__(name: str) -> Any:
    """Raise ImportError for every name that this module once offered."""
    if name.startswith("_"):
        raise AttributeError(name)
    raise ImportError(superseded("titan_race_v0"))
