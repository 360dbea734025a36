"""A record made from a game's beginning and its actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from titan_env.contract import Game
from titan_env.engine.batch import silence
from titan_env.engine.validation import configured
from titan_env.records.replay import Recorder


def record_of(
    game: Game, options: Mapping[str, Any], agents: Sequence[str], stream: int, actions: Iterable[int]
) -> str:
    """Return the text of the record of a game with these options, random stream and actions."""
    states, log = configured(game, options), silence(game)
    luck = np.zeros(1, game.rules.luck).view(np.recarray)
    luck["stream"] = stream
    game.rules.setup(states[0], luck[0])
    recorder = Recorder(None, game, states[0], luck[0], options=options, agents=agents)
    for action in actions:
        recorder.decide(states[0], action)
        game.rules.step(states[0], action, luck[0], log[0])
        recorder.happened(states[0], luck[0])
    return recorder.text
