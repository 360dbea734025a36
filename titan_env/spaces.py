"""The Gymnasium spaces of a game, made from its tables."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete

from titan_env.contract import Game

METADATA: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 4}
RENDER_MODES = (None, *METADATA["render_modes"])


def action_space(game: Game) -> Discrete:
    """Every action of the game by number."""
    return Discrete(len(game.actions))


def observation_space(game: Game) -> Box:
    """The flat observation, with the bounds of its fields."""
    low, high = game.fields.bounds()
    return Box(low, high, dtype=np.float32)
