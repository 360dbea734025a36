"""A network that hears what an adviser thinks of each action, in training, as a file, and wherever it plays."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch

from tests.training import scripts
from tests.training.small import SMALL
from titan_env import agents, registry
from titan_env.agents.policy import Policy, seal
from titan_env.agents.score_features import QUANTIZED_ONE, Adviser
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.fingerprints import sources
from titan_env.training import ppo
from titan_env.training.checkpoints import read_network, read_weights, shape_of
from titan_env.training.export_policy import save_policy
from titan_env.training.fit_value import experience, fit
from titan_env.training.network import TRUST, PolicyNetwork, network_agent
from titan_env.training.ppo import Trainer

pytestmark = pytest.mark.thorough

RACE = registry.load("titan_race")
EXPERT = Adviser("expert", RACE)
ADVISED = replace(SMALL, game="titan_race", vary={"titans": [2]}, scripted=("greedy",), adviser="expert", num_steps=8)
TINY = shlex.split(
    "--vary titans=2 -o turn_limit=1 --num-envs 8 --num-steps 4 --total-timesteps 32 --minibatch-size 16"
)


def positions(games: int = 64) -> Batch:
    """Races of four, some decisions on."""
    batch, rng = Batch(RACE, games, titans=4), np.random.default_rng(0)
    batch.seed(5)
    batch.start()
    for _ in range(20):
        batch.step(agents.load("random", RACE)(batch.observations, batch.masks, rng))
    return batch


def advised(width: int = 16) -> PolicyNetwork:
    """A network that has learned nothing yet."""
    return PolicyNetwork(RACE.rules.fields.size, len(RACE.rules.actions), width, EXPERT)


def test_advice_is_1_for_the_best_legal_action_and_e_times_less_for_each_point_that_one_scores_less() -> None:
    batch = positions()
    scores: Any = agents.load("expert", RACE)
    behind = np.where(batch.masks != 0, scores.scores(batch.observations), -np.inf)
    behind -= behind.max(axis=1, keepdims=True)
    features = EXPERT.augmented_observation(batch.observations, batch.masks)
    assert (features[:, : RACE.rules.fields.size] == batch.observations).all()
    assert features[:, RACE.rules.fields.size :] == pytest.approx(np.exp(behind), abs=0.51 / QUANTIZED_ONE)
    assert (features[:, RACE.rules.fields.size :].max(axis=1) == 1).all()
    assert EXPERT.quantized(batch.observations[:0], batch.masks[:0]).shape == (0, len(RACE.rules.actions))
    assert not EXPERT.quantized(batch.observations, np.zeros_like(batch.masks)).any()


def test_where_the_adviser_has_nothing_to_say_it_advises_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    adviser = Adviser("expert", RACE)
    scores = np.full((2, len(RACE.rules.actions)), np.nan, np.float32)
    scores[1, 3] = 5
    monkeypatch.setattr(adviser, "_scores", lambda observations: scores)
    masks = np.ones((2, len(RACE.rules.actions)), np.int8)
    advice = adviser.quantized(np.zeros((2, RACE.rules.fields.size), np.float32), masks)
    assert not advice[0].any()
    assert advice[1].tolist() == [QUANTIZED_ONE * (action == 3) for action in range(len(RACE.rules.actions))]


def test_full_advice_adds_to_a_logit_what_it_is_trusted_with_at_first() -> None:
    width, actions = RACE.rules.fields.size, len(RACE.rules.actions)
    assert (PolicyNetwork(width, actions, 16, EXPERT, trust=9.0).trust == 9).all()
    assert (advised().trust == TRUST).all()


def test_only_an_agent_that_comes_with_the_game_and_scores_actions_can_advise() -> None:
    for name in ("random", "mcts:8", "python:agents/my_agent.py", "ppo@titan_race-v3"):
        with pytest.raises(ValueError, match="expected an adviser among greedy, expert"):
            Adviser(name, RACE)


def test_an_agent_with_tuned_weights_that_comes_with_the_game_can_advise() -> None:
    war = registry.load("titan_war")
    assert Adviser("tuned@titan_war-v0", war).name == "tuned@titan_war-v0"
    with pytest.raises(ValueError, match="expected an adviser among greedy, expert, tuned@titan_war-v0, got 'tuned:"):
        Adviser("tuned:runs/tuned.json", war)


def test_an_advised_network_begins_by_doing_what_it_is_advised_to() -> None:
    batch, rng = positions(), np.random.default_rng(0)
    chosen = network_agent(advised())(batch.observations, batch.masks, rng)
    advice = EXPERT.quantized(batch.observations, batch.masks)
    assert (advice[np.arange(len(chosen)), chosen] >= QUANTIZED_ONE - 2).mean() > 0.95


def test_a_rollout_keeps_the_advice_beside_what_was_seen(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    trainer = Trainer(RACE, ADVISED, tmp_path)
    logged = trainer.iterate()
    assert all(np.isfinite(value) for value in logged.values())
    taken = trainer.rollout.links.taken[3]
    kept, masks = trainer.rollout.observations[3, taken].numpy(), trainer.rollout.masks[3, taken].numpy()
    seen = RACE.rules.fields.to_float(kept[:, : RACE.rules.fields.size])
    assert (kept[:, RACE.rules.fields.size :] == EXPERT.quantized(seen, masks)).all()
    features = trainer.rollout.seen(trainer.rollout.observations[3, taken]).float()
    assert features.numpy() == pytest.approx(EXPERT.augmented_observation(seen, masks), abs=5e-3)


def test_an_advised_policy_plays_as_a_file_like_its_network(tmp_path: Path) -> None:
    network, path = advised(), tmp_path / "policy.onnx"
    with torch.no_grad():
        network.trust[:] = torch.rand(len(RACE.rules.actions)) * 4
    save_policy(path, network, RACE, {})
    policy, batch = Policy(RACE, path), positions()
    assert policy.adviser is not None
    assert policy.adviser.name == "expert"
    logits, values = policy.logits(batch.observations, batch.masks)
    with torch.no_grad():
        expected = network(network.network_input(batch.observations, batch.masks), torch.from_numpy(batch.masks).bool())
    assert logits == pytest.approx(expected[0].numpy(), abs=2e-2)
    assert values == pytest.approx(expected[1].numpy(), abs=2e-3)
    again = read_network(path, RACE)
    assert torch.equal(again.trust, network.trust)
    assert again.trunk[0].weight.detach().numpy() == pytest.approx(network.trunk[0].weight.detach().numpy(), abs=2e-3)


def test_weights_with_and_without_an_adviser_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    save_policy(path, advised(), RACE, {})
    assert read_weights(path, RACE, 16, EXPERT).keys() == advised().state_dict().keys()
    with pytest.raises(ValueError, match=r"expected weights without an adviser in .*, got some with an adviser"):
        read_weights(path, RACE, 16)
    save_policy(path, PolicyNetwork(RACE.rules.fields.size, len(RACE.rules.actions), 16), RACE, {})
    with pytest.raises(ValueError, match=r"expected weights with an adviser in .*, got some without an adviser"):
        read_weights(path, RACE, 16, EXPERT)


def test_a_run_goes_on_from_a_policy_with_the_same_adviser_only(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    save_policy(path, advised(), RACE, {"script": "test"})
    later = Trainer(RACE, replace(ADVISED, start=str(path)), tmp_path / "later")
    later.begin()
    assert later.before["script"] == "test"
    with pytest.raises(ValueError, match=r"expected --adviser expert, which .* was trained with, got greedy"):
        Trainer(RACE, replace(ADVISED, start=str(path), adviser="greedy"), tmp_path / "other").begin()


@pytest.mark.parametrize("name", registry.GAMES)
def test_the_adviser_that_a_game_names_scores_its_actions(name: str) -> None:
    game = registry.load(name)
    if game.metadata.adviser:
        assert Adviser(game.metadata.adviser, game).name == game.metadata.adviser


@pytest.mark.parametrize(
    ("typed", "shape"),
    [
        ((), (24, RACE.metadata.adviser, False)),
        (("--adviser", ""), (24, "", False)),
        (("--adviser", "greedy"), (24, "greedy", False)),
    ],
)
def test_who_names_no_adviser_has_the_game_s_own(
    typed: tuple[str, ...], shape: tuple[int, str, bool], tmp_path: Path
) -> None:
    code, output = scripts.run(ppo.main, *TINY, "--width", "24", *typed, "--out", str(tmp_path / "run"))
    assert code == 0, output
    for name in ("policy.onnx", "checkpoint.pt"):
        assert shape_of(tmp_path / "run" / name, RACE) == shape


def test_a_run_from_other_weights_has_their_shape_where_nobody_says_another(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    for critic in (False, True):
        save_policy(path, PolicyNetwork(RACE.rules.fields.size, len(RACE.rules.actions), 24, EXPERT, critic), RACE, {})
        for typed, has_critic in (((), critic), (("--critic",), True)):
            out = tmp_path / f"{critic}{len(typed)}"
            code, output = scripts.run(ppo.main, *TINY, "--start", str(path), *typed, "--out", str(out))
            assert code == 0, output
            assert shape_of(out / "policy.onnx", RACE) == (24, "expert", has_critic)


def test_a_file_whose_adviser_would_run_other_code_is_refused(tmp_path: Path) -> None:
    path, mine = tmp_path / "policy.onnx", tmp_path / "mine.py"
    mine.write_text("raise SystemExit")
    save_policy(path, advised(), RACE, {})
    model = onnx.load(path)
    next(fact for fact in model.metadata_props if fact.key == "adviser").value = f"python:{mine}"
    del model.metadata_props[-1]  # the seal
    path.write_bytes(seal(model.SerializeToString()))
    with pytest.raises(ValueError, match="expected an adviser among greedy, expert, got 'python:"):
        Policy(RACE, path)


def test_an_advised_policy_is_made_of_its_adviser_too_and_its_value_can_be_fitted(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    save_policy(path, advised(), RACE, {})
    made = {file.name for file in sources(f"policy:{path}", RACE)}
    assert {"policy.py", "score_features.py", "policy.onnx", "lookahead.py"} <= made
    network = read_network(path, RACE)
    before = network.value.weight.detach().clone()
    fit(network, [experience(RACE, network, Policy(RACE, path), 10, 1, titans=2)])
    assert not torch.equal(network.value.weight, before)


def test_advice_is_the_same_on_any_number_of_threads(tmp_path: Path) -> None:
    augmented = []
    for threads in (1, 2, 3):
        torch.set_num_threads(threads)
        rollout = Trainer(RACE, ADVISED, tmp_path).rollout
        batch = positions(50)
        views = np.rint(batch.observations / RACE.rules.fields.to_float(np.ones(RACE.rules.fields.size, np.int64)))
        augmented.append(rollout._advice(views.astype(np.uint8), batch.masks))
    torch.set_num_threads(1)
    assert all(np.array_equal(one, augmented[0]) for one in augmented)
