"""What people beside the engine want: the war as one seat sees it, names, rules to read, counts."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from titan_env.contract import LOG, log_event  # noqa: F401
from titan_env.games.titan_war.rules.state import STATE, Ask, Event, Phase, Stage

OPTION_VALUES: Mapping[str, tuple[Any, ...]] = {
    "players": (2, 3, 4, 5, 6),
    "goal": (0, 100, 300, 500),
    "turns": (0, 12, 24, 48),
    "lean": (False, True),
    "agreements": (True, False),
    "concede": (True, False),
    "open": (False, True),
    "towers": ("random", "opposite"),
    "mulligan": ("once", "2 or 5"),
    "first_teleport": ("any", "not to a tower"),
}
"""What is offered for each option."""
