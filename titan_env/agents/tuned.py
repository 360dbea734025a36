"""An agent that scores actions by weights from a file, which `titan_env.training.tune_weights` has written.

``tuned@<game>-v0`` comes with this package; ``tuned:runs/tuned.json`` is any other, and ``tuned:runs/tuned.json,row=2``
has one weight changed once more.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from titan_env.agents.scorer import Scorer
from titan_env.contract import Game
from titan_env.records.sealed import read_json, reading

FORMAT, ENTRIES = "titan_env weights 1", "weights"


@dataclass(frozen=True)
class TunedWeights:
    """The contents of a file: an agent, its weights that are changed by name, and the run that found them."""

    agent: str
    weights: Mapping[str, float]
    made: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name of the agent with these weights, to the last digit that a file has."""
        return f"{self.agent}:" + ",".join(f"{name}={value:.15g}" for name, value in self.weights.items())


def read_tuned(path: str | Path, game: Game) -> TunedWeights:
    """Return what a file of tuned weights says. Raises ValueError for a missing, damaged or another game's file."""
    with reading("a file of tuned weights", Path(path), "tune them again"):
        file = read_json(Path(path), FORMAT, ENTRIES)
        weights = {str(name): float(value) for name, value in file["weights"].items()}
        if not all(map(math.isfinite, weights.values())):
            raise ValueError("its weights are not finite")
        tuned, played = TunedWeights(str(file["agent"]), weights, dict(file["made"])), file["game"]
    if played != game.id:
        raise ValueError(f"expected weights tuned for {game.id} in {path}, got those for {played}")
    return tuned


class TunedScorer(Scorer):
    """An agent that scores actions with tuned weights; `base` is the agent's kind, `made` the run that tuned them."""

    def __init__(self, agent: Scorer, tuned: TunedWeights) -> None:
        super().__init__(agent._game, agent._score, agent.weights)
        self.base, self.made = tuned.agent, tuned.made


def make(game: Game, path: str = "", **weights: float) -> TunedScorer:
    """Return the agent with the weights in a file, some of them changed.

    Raises ValueError for a file that is missing, damaged or another game's, and as that agent does for its weights.
    """
    from titan_env import agents

    if not path:
        raise ValueError("expected the file of tuned weights, as in tuned:runs/tuned.json")
    tuned = read_tuned(path, game)
    tuned = replace(tuned, weights={**tuned.weights, **weights})
    kind, _ = agents.parse(tuned.agent, game)
    agent = agents.load(tuned.name, game) if kind in game.metadata.agents else None
    if not isinstance(agent, Scorer):
        raise ValueError(f"expected weights of an agent that scores actions in {path}, got those of {tuned.agent}")
    return TunedScorer(agent, tuned)
