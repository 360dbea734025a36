"""Models of Stable-Baselines3 play as agents and from policy files as they predict themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from titan_env import agents, registry
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.match import win_rates

pytest.importorskip("sb3_contrib")

from sb3_contrib import QRDQN, MaskablePPO, RecurrentPPO
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.vec_env import VecNormalize

from titan_env.envs.sb3 import GameVecEnv
from titan_env.envs.sb3_agents import as_agent, network_of
from titan_env.training.export_policy import save_module

pytestmark = pytest.mark.thorough

RACE = registry.load("titan_race")
SMALL: dict[Any, Any] = {
    PPO: {"n_steps": 8, "batch_size": 8},
    A2C: {},
    MaskablePPO: {"n_steps": 8, "batch_size": 8},
    DQN: {"buffer_size": 50},
    QRDQN: {"buffer_size": 50},
    RecurrentPPO: {"n_steps": 8, "batch_size": 8, "policy_kwargs": {"lstm_hidden_size": 8, "n_lstm_layers": 2}},
}
SEEN: dict[str, dict[str, Any]] = {
    "all": {},
    "whole": {"whole": True},
    "some, whole": {"whole": True, "without": ["board_*"]},
}


def model_of(kind: Any, **options: Any) -> Any:
    env = GameVecEnv(RACE, 2, titans=2, **options)
    return kind("MlpLstmPolicy" if kind is RecurrentPPO else "MlpPolicy", env, seed=1, device="cpu", **SMALL[kind])


def positions(count: int = 30) -> Batch:
    batch = Batch(RACE, count, titans=2)
    batch.seed(range(count))
    batch.start()
    batch.rollout(15)
    return batch


def predicted(model: Any, batch: Batch, observations: np.ndarray) -> np.ndarray:
    """The legal action that the model's own network scores highest."""
    seen = torch.from_numpy(observations)
    with torch.no_grad():
        if hasattr(model, "q_net"):
            scores = model.q_net(seen)
        elif isinstance(model, QRDQN):
            scores = model.quantile_net(seen).mean(dim=1)
        else:
            scores = model.policy.get_distribution(seen).distribution.logits
    return np.where(batch.masks != 0, scores.numpy(), -np.inf).argmax(axis=1)


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("kind", [PPO, A2C, MaskablePPO, DQN, QRDQN], ids=lambda kind: kind.__name__)
def test_a_model_plays_as_it_predicts_and_from_its_file(kind: Any, seen: str, tmp_path: Path) -> None:
    model, batch = model_of(kind, **SEEN[seen]), positions()
    view, rng = model.get_env().get_attr("view")[0], np.random.default_rng(0)
    whole = Batch(RACE, len(batch.masks), templates=batch.states, whole=True)
    whole.refresh()
    observed = whole.observations if view.whole else batch.observations
    expected = predicted(model, batch, view(observed))
    assert (as_agent(model)(batch.observations, batch.masks, rng) == expected).all()
    network = network_of(model)
    save_module(tmp_path / "policy.onnx", network, RACE, {}, network.view, network.memory)
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", RACE)
    assert (policy(batch.observations, batch.masks, rng) == expected).all()


def test_a_model_with_an_lstm_remembers_as_it_does_in_its_own_predictions(tmp_path: Path) -> None:
    model = model_of(RecurrentPPO)
    network, agent = network_of(model), as_agent(model)
    save_module(tmp_path / "policy.onnx", network, RACE, {}, network.view, network.memory)
    policy: Any = agents.load(f"policy:{tmp_path / 'policy.onnx'}", RACE)
    env, everything = GameVecEnv(RACE, 3, titans=2), np.ones((3, len(RACE.rules.actions)), np.int8)
    observations, state = env.reset(), None
    mine = theirs = np.zeros((3, *network.memory), np.float32)
    for _ in range(6):
        actions, state = model.predict(observations, state, np.zeros(3), deterministic=True)
        mine_logits, _, mine = agent.answers(observations, everything, mine)  # type: ignore[attr-defined]
        their_logits, _, theirs = policy.answers(observations, everything, theirs)
        assert (mine_logits.argmax(axis=1) == actions).all()
        assert their_logits == pytest.approx(mine_logits, abs=1e-4)
        observations, *_ = env.step(env.action_masks().argmax(axis=1))
    shares = win_rates(RACE, {"lstm": agent, "random": agents.load("random", RACE)}, 8, 1, titans=2)
    assert shares["lstm"].of == 8


def test_models_that_cannot_play_are_refused_in_one_line() -> None:
    model = model_of(PPO)
    model.env = VecNormalize(model.env)
    with pytest.raises(ValueError, match="got one with VecNormalize"):
        as_agent(model)
    model = model_of(PPO, whole=True)
    model.env = None
    with pytest.raises(ValueError, match="expected the view of a model that observes in whole numbers"):
        as_agent(model)
    del model.policy.mlp_extractor, model.policy.action_net
    with pytest.raises(TypeError, match="expected a model that scores discrete actions, got PPO"):
        as_agent(model)
