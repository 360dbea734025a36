"""Board games for many players as fast, batched environments for reinforcement learning.

Importing this package makes its games known to Gymnasium and PettingZoo and loads nothing else.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from typing import TYPE_CHECKING, Any

from titan_env import registry

for _name in registry.names():
    registry.announce(_name)

if not TYPE_CHECKING:  # which would find everything here

    def __getattr__(name: str) -> Any:
        """The modules of the package, imported when somebody asks for them, and the version that is installed."""
        if name == "__version__":
            return importlib.metadata.version("titan_env")
        if name.startswith("_") or importlib.util.find_spec(f"titan_env.{name}") is None:
            raise AttributeError(f"module 'titan_env' has no attribute {name!r}")
        return importlib.import_module(f"titan_env.{name}")
