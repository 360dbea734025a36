"""What an agent does in a war of two or three players that is written as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.rules.actions import ACTIONS
from titan_env.play.determinization import batch_of

POSITION = """
seats: {seats}
turns: 8
mover: {mover}
phase: {phase}
roll: {roll}
towers: 1 4 {third_tower} 0 0 0
had_turn: 1 1 {third} 0 0 0
{legions}
ask: {ask}
"""


def choice(agent: Any, phase: str, roll: int, ask: str, legions: str, mover: int = 0, seats: int = 2) -> str:
    """The text of what the agent does in a position."""
    third = int(seats > 2)
    asked = {"phase": phase, "roll": roll, "ask": ask, "legions": legions.strip(), "mover": mover, "seats": seats}
    text = POSITION.format(**asked, third=third, third_tower=2 * third)
    states = GAME.text.parse_position(text)
    GAME.text.validate_position(states[0])
    batch = batch_of(GAME, states, np.random.default_rng(0))
    return ACTIONS.texts[int(agent(batch.observations, batch.masks, np.random.default_rng(0))[0])]


def talk(agent: Any, mine: str, his: str, more: str = "") -> str:
    """What a defender says before a battle on the marsh; `more` are further lines of the position."""
    legions = f"legion 0 8: {mine} / age 1\nlegion 1 117: titan, lion / age 2\nlegion 12 8: {his} / age 3, moved"
    asked = f"defend\nseat: 0\nstage: talk\nattacker: 12\ndefender: 0\n{more}"
    return choice(agent, "engagement", 2, asked, legions, mover=1)
