"""Whole sequences of actions as one decision: the same games as action by action, for learners and saved policies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.policies import some_legal
from titan_env import agents, registry
from titan_env.agents.policy import Policy
from titan_env.contract import NO_ACTION
from titan_env.engine.illegal_actions import IllegalAction
from titan_env.engine.macro_view import MacroView, candidate_masks
from titan_env.envs.macro import MacroVectorEnv
from titan_env.envs.single_agent import GameEnv
from titan_env.evaluation.matches.match import win_rates
from titan_env.training.export_policy import save_layers

MACROS = [(name, macro) for name in registry.GAMES for macro in registry.load(name).rules.macros]
"""Every macro of every game in the package."""

each_macro = pytest.mark.parametrize(("name", "macro"), MACROS)


@pytest.mark.thorough
@each_macro
def test_a_sequence_is_the_same_game_as_its_actions_one_by_one(name: str, macro: str) -> None:
    many, one = MacroVectorEnv(name, 1, macro=macro, seat=0), GameEnv(name, seat=0)
    _, infos = many.reset(seed=3)
    one.reset(seed=3)
    view, rng, games = many.macro_view, np.random.default_rng(3), 0
    marks = [many.game.rules.fields.slices[field] for field in view.macro.dropped_when]
    while games < 2:
        seen = one.batch.observations
        sequence = view.propose(seen).sequences[0]
        chosen = some_legal(infos["action_mask"], rng)
        asked, before, paid = int(one.batch.states["ask"][0]), [seen[0, mark].tolist() for mark in marks], 0.0
        for action in sequence[chosen[0]].tolist():
            legal = action != NO_ACTION and one.batch.masks[0, action]
            now = [one.batch.observations[0, mark].tolist() for mark in marks]
            if not legal or now != before or one.batch.states["ask"][0] != asked:
                break
            _, reward, over, cut, _ = one.step(action)
            paid += reward
            if over or cut:
                break
        observations, rewards, ended, truncated, infos = many.step(chosen)
        assert rewards[0] == pytest.approx(paid)
        assert (bool(ended[0]), bool(truncated[0])) == (over, cut)
        if over or cut:
            games += 1
            one.reset()
        assert one.batch.states.tobytes() == many.batch.states.tobytes()
        assert observations in many.observation_space


@each_macro
def test_what_a_step_returned_is_the_callers(name: str, macro: str) -> None:
    env = MacroVectorEnv(name, 3, macro=macro)
    observations, infos = env.reset(seed=5)
    kept, rng = [], np.random.default_rng(5)
    for _ in range(12):
        kept += [(array, array.copy()) for array in (observations, *(infos[key] for key in ("action_mask", "illegal")))]
        observations, rewards, *_, infos = env.step(some_legal(infos["action_mask"], rng))
        kept.append((rewards, rewards.copy()))
    for array, copy in kept:
        np.testing.assert_array_equal(array, copy)


@pytest.mark.thorough
@each_macro
def test_the_end_of_a_game_is_seen_in_final_obs(name: str, macro: str) -> None:
    env = MacroVectorEnv(name, 3, macro=macro, whole=registry.load(name).rules.fields.whole)
    _, infos = env.reset(seed=5)
    rng, finals = np.random.default_rng(5), 0
    while not finals:
        _, _, ended, truncated, infos = env.step(some_legal(infos["action_mask"], rng))
        for final in filter(lambda one: one is not None, infos.get("final_obs", ())):
            assert final in env.single_observation_space
            finals += 1
        assert finals or not (ended | truncated).any()


@each_macro
def test_a_candidate_that_is_not_there_is_replaced_and_counted_or_refused(name: str, macro: str) -> None:
    replacing, refusing = (MacroVectorEnv(name, 2, macro=macro, on_illegal=how) for how in ("random", "raise"))
    _, infos = replacing.reset(seed=1)
    refusing.reset(seed=1)
    absent = infos["action_mask"].argmin(axis=1)
    assert not infos["action_mask"][:, absent].all()
    before = refusing.batch.states.tobytes()
    for actions in (absent, np.full(2, 99)):
        with pytest.raises(IllegalAction):
            refusing.step(actions)
        assert refusing.batch.states.tobytes() == before
    *_, infos = replacing.step(absent)
    assert infos["illegal"].tolist() == [1, 1]


@each_macro
def test_a_saved_policy_is_asked_at_every_action_and_begins_the_candidate_that_it_prefers(
    name: str, macro: str, tmp_path: Path
) -> None:
    game = registry.load(name)
    env = MacroVectorEnv(name, 16, macro=macro)
    torch.manual_seed(1)
    layers = [torch.nn.Linear(env.macro_view.layout.size, size) for size in (env.macro_view.macro.size, 1)]
    save_layers(tmp_path / "policy.onnx", layers[:1], layers[1:], game, {}, view=env.macro_view)
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", game)
    assert isinstance(policy, Policy)
    assert isinstance(policy.macro, MacroView)
    observations, infos = env.reset(seed=1)
    logits = layers[0](torch.from_numpy(observations)).detach().numpy()
    preferred = np.where(infos["action_mask"] != 0, logits, -np.inf).argmax(axis=1)
    first = env.macro_view.propose(env.batch.observations).sequences[np.arange(16), preferred, 0]
    chosen = policy(env.batch.observations, env.batch.masks, np.random.default_rng(0))
    np.testing.assert_array_equal(chosen, first)
    rates = win_rates(game, {"policy": policy, "random": agents.load("random", game)}, 8, 1)
    assert set(rates) == {"policy", "random"}


def test_games_without_macros_and_other_modes_are_refused_with_what_there_is() -> None:
    name, macro = MACROS[0]
    with pytest.raises(ValueError, match=rf"expected macro among those of .*: {macro}.*; got 'wal'"):
        MacroVectorEnv(name, macro="wal")
    with pytest.raises(ValueError, match="expected macro among those of Pig: none; got 'walks'"):
        MacroVectorEnv("pig", macro="walks")
    bad: tuple[dict[str, Any], ...] = ({"autoreset_mode": "NextStep"}, {"seats": "all"})
    for options in bad:
        with pytest.raises(ValueError, match="with macro-actions"):
            MacroVectorEnv(name, macro=macro, **options)


def test_masks_name_the_candidates_whose_first_action_is_legal() -> None:
    from titan_env.contract import Candidates

    sequences = np.array([[[2, 1], [0, NO_ACTION], [NO_ACTION, NO_ACTION]]], np.int16)
    masks = np.array([[1, 1, 0]], np.int8)
    assert candidate_masks(Candidates(sequences, np.zeros((1, 0))), masks).tolist() == [[0, 1, 0]]
