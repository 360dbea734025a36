"""The state of a Stable-Baselines3 run beside its model: games in progress, opponents, and all generators.

With it a run that is resumed is the run without a stop. It is made of tensors, numbers and texts alone, which are read
without unpickling.
"""

from __future__ import annotations

import io
from typing import Any
from zipfile import ZipFile

import numpy as np

from titan_env.engine.batch import Snapshot
from titan_env.envs.sb3 import GameVecEnv
from titan_env.extras import extra
from titan_env.play.determinization import agent_rng
from titan_env.training.checkpoints import records_as_tensors, records_of_tensors

with extra("sb3"):
    import torch
    from sb3_contrib import MaskablePPO

STATE = "games.pt"
"""The file of the state in a checkpoint, which is a zip file."""


def games_state(games: GameVecEnv) -> dict[str, Any]:
    """Return the games in progress, with their generators and the returns of their episodes so far."""
    snapshot = games.batch.snapshot()
    records = records_as_tensors(snapshot)
    arrays = {name: torch.from_numpy(part) for name, part in snapshot.table.items() if isinstance(part, np.ndarray)}
    episodes = {"returns": torch.from_numpy(games._returns.copy()), "lengths": torch.from_numpy(games._lengths.copy())}
    return {"records": records, "arrays": arrays, **episodes, "rng": snapshot.table["rng"].bit_generator.state}


def restore_games(games: GameVecEnv, saved: dict[str, Any]) -> None:
    """Go on with the games of `games_state`. Raises an error for those of other settings."""
    batch = games.batch
    records = records_of_tensors(saved["records"], batch.game)
    rng = agent_rng(0)
    rng.bit_generator.state = saved["rng"]
    arrays = {name: part.numpy() for name, part in saved["arrays"].items()}
    batch.restore(Snapshot(**records, table={**arrays, "rng": rng, "shaping": batch.shaping}))
    games._returns[:], games._lengths[:] = saved["returns"].numpy(), saved["lengths"].numpy()


def generators_state() -> dict[str, Any]:
    """Return the state of the generators that Stable-Baselines3 draws from: PyTorch's and NumPy's global ones."""
    kept: Any = np.random.get_state(legacy=False)
    key = torch.from_numpy(kept["state"]["key"].astype(np.int64))
    return {"torch": torch.get_rng_state(), "numpy": {**kept, "state": {"key": key, "pos": int(kept["state"]["pos"])}}}


def restore_generators(saved: dict[str, Any]) -> None:
    """Set the generators to a state that `generators_state` returned."""
    torch.set_rng_state(saved["torch"])
    kept = saved["numpy"]
    key = kept["state"]["key"].numpy().astype(np.uint32)
    np.random.set_state({**kept, "state": {"key": key, "pos": kept["state"]["pos"]}})


def write_state(checkpoint: io.BytesIO, state: dict[str, Any]) -> None:
    """Add a state to the checkpoint of a model."""
    data = io.BytesIO()
    torch.save(state, data)
    with ZipFile(checkpoint, "a") as archive:
        archive.writestr(STATE, data.getvalue())


def read_state(archive: ZipFile) -> dict[str, Any]:
    """Return the state in the checkpoint of a model. Raises KeyError where there is none."""
    state: dict[str, Any] = torch.load(io.BytesIO(archive.read(STATE)), map_location="cpu", weights_only=True)
    return state


def run_state(model: MaskablePPO, games: GameVecEnv, pool: dict[str, Any]) -> dict[str, Any]:
    """Return the state of a run between two rollouts; `pool` is that of its opponents."""
    starts = torch.from_numpy(np.asarray(model._last_episode_starts).copy())
    return {"games": games_state(games), "generators": generators_state(), "starts": starts, "pool": pool}


def restore_run(model: MaskablePPO, games: GameVecEnv, state: dict[str, Any]) -> None:
    """Go on from a `run_state`, but for the opponents: the next rollout begins with what the games show now."""
    restore_games(games, state["games"])
    model._last_obs = games.view(games.batch.observations)
    model._last_episode_starts = state["starts"].numpy()
    restore_generators(state["generators"])
