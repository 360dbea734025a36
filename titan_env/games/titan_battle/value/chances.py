"""The chances of a battle, learned from finished ones: who wins, and what both sides lose.

    >>> from titan_env.games.titan_battle import chances
    >>> told = chances(["titan", "ogre", "troll", "troll"], ["ogre", "centaur"], "plains", "B")
    >>> told.attacker > 0.8
    True

A small network that `python -m titan_env.games.titan_battle.value.fit` has made; its file is read when it is first
asked. It knows legions, land and entry, who may still arrive, and the titans' scores; hits and places it does not know.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.games.titan_battle.agents.legion_features import Battles, battles_of, features
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES, LAND_NAMES
from titan_env.games.titan_battle.rules.setup import DRAWS, configure
from titan_env.games.titan_battle.rules.state import ARRIVAL_SLOT, SLOTS, Result, Side
from titan_env.records.sealed import read_arrays, reading, write_arrays

Array = NDArray[np.float32]

WEIGHTS = Path(str(resources.files("titan_env.games.titan_battle"))) / "value" / "chances.npz"
"""The file that comes with the package."""
ENDS = (Result.ATTACKER_WINS, Result.DEFENDER_WINS, Result.MUTUAL)
"""The meaning of the first three outputs; a time-loss counts as won by the defender."""
OUTPUTS = len(ENDS) + len(Side)
LEFT_TO_CHANCE = (*DRAWS, "random")
"""Values of the game's options that name no battle."""
_LAYERS = 3


class Chances(NamedTuple):
    """The outcomes of a battle: probabilities that add up to 1, and the expected losses of both legions in points."""

    attacker: float  # wins
    defender: float  # wins, by time-loss too
    mutual: float  # nobody is left
    attacker_loss: float
    defender_loss: float


class OutcomeNetwork(NamedTuple):
    """Two hidden layers: weights and bias of each layer, float32."""

    layers: tuple[tuple[Array, Array], ...]
    made: Mapping[str, Any]

    def __call__(self, units: Array) -> Array:
        """Logits of the ends and of both shares of loss, (B, 5), of features (B, F)."""
        for number, (weight, bias) in enumerate(self.layers):
            units = units @ weight + bias
            if number < _LAYERS - 1:
                units = np.maximum(units, 0)
        return units


@functools.cache
def read(path: Path = WEIGHTS) -> OutcomeNetwork:
    """Read the network of a file. Raises ValueError for one that holds none."""
    with reading("the weights of chances", path, "fit them with titan_env.games.titan_battle.value.fit"):
        parts = read_arrays(path)
        made = json.loads(parts.pop("made").tobytes())
        layers = tuple(
            (parts[f"weight{k}"].astype(np.float32), parts[f"bias{k}"].astype(np.float32)) for k in range(_LAYERS)
        )
        ends = [weight.shape[1] for weight, _ in layers]
        if any(bias.shape != (end,) for (_, bias), end in zip(layers, ends, strict=True)) or any(
            weight.shape[0] != end for (weight, _), end in zip(layers[1:], ends, strict=False)
        ):
            raise ValueError("its layers do not follow each other")
        if not all(np.isfinite(part).all() for layer in layers for part in layer):
            raise ValueError("its weights are not finite")
        return OutcomeNetwork(layers, made)


def write(path: Path, network: OutcomeNetwork) -> None:
    """Write a network to a file, in half precision."""
    parts: dict[str, Any] = {f"weight{k}": weight.astype(np.float16) for k, (weight, _) in enumerate(network.layers)}
    parts |= {f"bias{k}": bias.astype(np.float16) for k, (_, bias) in enumerate(network.layers)}
    write_arrays(path, parts, {"made": json.dumps(network.made)})


def foretell(battles: Battles, network: OutcomeNetwork | None = None) -> NDArray[np.float64]:
    """The chances of B battles, (B, 5), the columns as in `Chances`."""
    logits = (network or read())(features(battles))
    shares = 1 / (1 + np.exp(-logits[:, len(ENDS) :].astype(np.float64)))
    return np.concatenate([probabilities(logits[:, : len(ENDS)]), shares * battles.values()], axis=1)


def probabilities(logits: Array) -> NDArray[np.float64]:
    """The probabilities of the ends, (B, 3), from their logits."""
    ends = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    return np.asarray(ends / ends.sum(axis=1, keepdims=True))


def chances(
    attacker: Sequence[str],
    defender: Sequence[str],
    land: str,
    side: str,
    scores: Sequence[int] = (0, 0),
    summon: Literal["none", "angel", "archangel"] = "none",
    reinforcement: bool = True,
) -> Chances:
    """Return what may come of a battle between two legions, lists of characters; `side` is where the attacker enters.

    `scores` make the titans' powers, `summon` is who waits for the attacker, `reinforcement` whether the defender may
    be reinforced, as in the options of the game. Raises ValueError or TypeError, naming it, for what cannot be fought.
    """
    for name, given, known in (
        ("attacker", attacker, "a list of characters"),
        ("defender", defender, "a list of characters"),
        ("land", land, f"one of {', '.join(LAND_NAMES)}"),
        ("side", side, f"one of {', '.join(ENTRY_NAMES)}"),
    ):
        if isinstance(given, str) and given in LEFT_TO_CHANCE:
            raise ValueError(f"{name}: expected {known}, got {given!r}, which leaves it to chance")
    fresh = configure(
        land, side, attacker, defender, scores=scores, summon=summon, reinforcement=reinforcement, attacker_seat=0
    )
    battles = battles_of(fresh["battle"])
    added = fresh["battle"]["fighters"]["power"].reshape(-1, len(Side), SLOTS)[:, :, ARRIVAL_SLOT]
    battles.titans[:] += np.where(battles.titans > 0, added, 0)
    return Chances(*map(float, foretell(battles)[0]))
