"""The afterstate agent: where a decision of one's own leads before anybody answers, judged by a small trained network.

Which afterstates a decision can lead to, and what of them counts, differs from game to game (Sutton, Barto 2018:
"Reinforcement Learning", 6.8), so a game that has this agent names a module of its own
(``agents={"afterstate": "module:make"}``) with:

- `SITUATION` and `AFTERSTATE`, the names of what the network is told;
- ``make(game, path)``, which makes the agent: ``return Afterstate(game, path)``;
- ``decide(fields, judge, changes=None, reach=...) -> ScoredActions``, which finds the afterstates and has them judged;
- for `titan_env.training.train_afterstate`: `BY_HAND` and `SPREAD` (what a direct weight is at first, and how far it is
  changed, by name), `LEARNING` (the `reach` meanwhile) and ``clearness(states)`` (how clearly each seat has won).

``afterstate@<game>-v0`` comes with this package; ``afterstate:path/to/judge.npz`` is any other.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.uniform import best
from titan_env.contract import Game
from titan_env.engine.schema import Schema, check, schema_of
from titan_env.records.sealed import read_arrays, reading, write_arrays

Array = NDArray[np.float32]


@dataclass(frozen=True)
class ValueNetwork:
    """One hidden layer and a direct way past it; what they say of an afterstate are the log odds of winning.

    All float32: `situation` (S, H), `bias` (H,), `afterstate` (L, H), `hidden` (H,), `direct` (L,). What is the same
    for all afterstates of a decision is left out of the direct way.
    """

    situation: Array
    bias: Array
    afterstate: Array
    hidden: Array
    direct: Array


class ScoredActions(NamedTuple):
    """The decisions of a game's afterstate module in B positions.

    `scores` (B, A) of the actions; `judged` (B,) where the network gave them, and there what it was told: `situations`
    (B, S), and of the best afterstate `afterstates` (B, L); `reached` (B,) where that comes about at once.
    """

    scores: Array
    judged: NDArray[np.bool_]
    situations: Array
    afterstates: Array
    reached: NDArray[np.bool_]


def game_module(game: Game) -> Any:
    """Return the module of a game's afterstate agent. Raises ValueError for a game that names none."""
    module = game.metadata.agents.get("afterstate", "").partition(":")[0]
    if not module:
        raise ValueError(f"expected a game that names an afterstate agent, got {game.name!r}")
    return importlib.import_module(module)


class Afterstate:
    """An agent that takes the action with the best afterstate. `made` says how its network was trained.

    Raises ValueError for a missing or damaged file, and `titan_env.engine.schema.SchemaMismatch` (a ValueError) for one
    made for another game or observation.
    """

    def __init__(self, game: Game, path: str | Path) -> None:
        if not path:
            raise ValueError("expected the file of a judge, as in afterstate:runs/afterstates/judge.npz")
        self._game, self._page = game, game_module(game)
        self.judge, self.made = read(Path(path), game)

    def scores(self, observations: Array) -> Array:
        """Return the score of each action, (B, A), legal or not, for observations (B, F)."""
        scores: Array = self._page.decide(self._game.rules.fields.split(observations), self.judge).scores
        return scores

    def __call__(self, observations: Array, masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the agent's actions, int64 (B,)."""
        return self.choose(self.scores(observations), masks, rng)

    def choose(self, scores: Array, masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the legal action with the best score in each row."""
        return best(scores, masks, rng)


def shapes(game: Game, width: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each part of a judge of a game, with so many hidden units."""
    page = game_module(game)
    situation, afterstate = len(page.SITUATION), len(page.AFTERSTATE)
    return {
        "situation": (situation, width),
        "bias": (width,),
        "afterstate": (afterstate, width),
        "hidden": (width,),
        "direct": (afterstate,),
    }


def save(path: Path, judge: ValueNetwork, game: Game, facts: Mapping[str, Any]) -> None:
    """Write a judge, with the schema of the observation and `facts` on how it was made."""
    parts = {part.name: getattr(judge, part.name) for part in fields(ValueNetwork)}
    write_arrays(path, parts, {"schema": schema_of(game).to_json(), "made": json.dumps(facts)})


def read(path: Path, game: Game) -> tuple[ValueNetwork, dict[str, Any]]:
    """Return the judge in a file, and how it was made. Raises ValueError as `Afterstate` does."""
    with reading("the file of a judge", path, "train one with titan_env.training.train_afterstate"):
        kept: dict[str, Any] = read_arrays(path)
        schema = kept.pop("schema").tobytes().decode()
        made: dict[str, Any] = json.loads(kept.pop("made").tobytes())
        judge = ValueNetwork(**kept)
        width = judge.bias.size
    check(Schema.from_json(schema), game)
    needed = shapes(game, width)
    got = {name: array.shape for name, array in kept.items()}
    if got != needed or any(array.dtype != np.float32 or not np.isfinite(array).all() for array in kept.values()):
        raise ValueError(f"expected finite float32 numbers of shapes {needed} in {path}, got {got}")
    return judge, made
