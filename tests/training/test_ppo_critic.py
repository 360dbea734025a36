"""A value with hidden layers of its own: beside the policy while they learn, in files, and where runs go on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training.small import PIG, SMALL
from titan_env.agents.policy import Policy
from titan_env.training.checkpoints import read_network, read_weights
from titan_env.training.export_policy import save_policy
from titan_env.training.fit_value import experience, fit
from titan_env.training.network import PolicyNetwork
from titan_env.training.ppo import Trainer
from titan_env.training.ppo_config import Config
from titan_env.training.ppo_update import learn

pytestmark = pytest.mark.thorough

CRITIC = replace(SMALL, critic=True)
OF_VALUE = ("critic", "value")


def network(critic: bool = True) -> PolicyNetwork:
    """A network that has learned nothing yet."""
    return PolicyNetwork(PIG.rules.fields.size, len(PIG.rules.actions), 16, critic=critic)


def after_learning(config: Config, folder: Path) -> dict[str, torch.Tensor]:
    """The weights after one rollout, with the seed of the run."""
    torch.set_num_threads(1)
    trainer = Trainer(PIG, config, folder)
    trainer.rollout.play(trainer.network)
    learn(trainer.network, trainer.optimiser, trainer.rollout, config)
    return trainer.network.state_dict()


def changed(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> set[str]:
    """The parts of a network that differ."""
    return {name.partition(".")[0] for name in one if not torch.equal(one[name], other[name])}


def test_what_the_value_learns_changes_nothing_of_the_policy(tmp_path: Path) -> None:
    usual = after_learning(CRITIC, tmp_path)
    assert changed(usual, after_learning(replace(CRITIC, vf_coef=5.0), tmp_path)) <= set(OF_VALUE)
    assert "policy" in changed(after_learning(SMALL, tmp_path), after_learning(replace(SMALL, vf_coef=5.0), tmp_path))


def test_the_value_learns_with_a_lambda_of_its_own(tmp_path: Path) -> None:
    once = replace(CRITIC, update_epochs=1)
    assert changed(after_learning(once, tmp_path), after_learning(replace(once, value_gae_lambda=1.0), tmp_path)) == {
        *OF_VALUE
    }
    assert "policy" in changed(after_learning(once, tmp_path), after_learning(replace(once, gae_lambda=1.0), tmp_path))


def test_every_weight_is_learned_once() -> None:
    for critic, groups in ((True, 2), (False, 1)):
        whole = network(critic)
        apart = whole.learned_apart()
        assert len(apart) == groups
        assert sorted(id(one) for group in apart for one in group) == sorted(map(id, whole.parameters()))


def test_a_policy_with_a_critic_answers_as_a_file_like_its_network(tmp_path: Path) -> None:
    made, path = network(), tmp_path / "policy.onnx"
    save_policy(path, made, PIG, {})
    seen, masks = np.random.default_rng(0).random((50, PIG.rules.fields.size), np.float32), np.ones((50, 2), np.int8)
    logits, values = Policy(PIG, path).logits(seen, masks)
    with torch.no_grad():
        expected = made(torch.from_numpy(seen), torch.from_numpy(masks).bool())
        again = read_network(path, PIG)(torch.from_numpy(seen), torch.from_numpy(masks).bool())
    for answers in ((logits, values), again):
        assert np.asarray(answers[0]) == pytest.approx(expected[0].numpy(), abs=5e-3)
        assert np.asarray(answers[1]) == pytest.approx(expected[1].numpy(), abs=5e-3)


def test_the_last_layer_of_a_critic_can_be_fitted(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    save_policy(path, network(), PIG, {})
    fitted = read_network(path, PIG)
    before = {name: weights.clone() for name, weights in fitted.state_dict().items()}
    fit(fitted, [experience(PIG, fitted, Policy(PIG, path), 10, 1)])
    assert changed(before, fitted.state_dict()) == {"value"}


def test_a_critic_begins_as_the_hidden_layers_that_the_value_had_before(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    save_policy(path, network(critic=False), PIG, {})
    trainer = Trainer(PIG, replace(CRITIC, start=str(path)), tmp_path)
    trainer.begin()
    weights = trainer.network.state_dict()
    assert torch.equal(weights["critic.2.weight"], weights["trunk.2.weight"])
    save_policy(path, trainer.network, PIG, {})
    with pytest.raises(ValueError, match=r"expected weights without a critic in .*, got some with a critic; pass --ad"):
        read_weights(path, PIG, 16)
