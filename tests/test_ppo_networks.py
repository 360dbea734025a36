"""The networks of `training/works_with/torch_ppo_networks.py` see, remember and learn as they play."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import titan_env
from tests.training.small import PIG
from titan_env import agents, registry
from titan_env.contract import Field, Fields
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.match import win_rates
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.observation_history import EventHistory, record_steps
from titan_env.play.transitions import Transitions
from titan_env.training.export_policy import save_module
from titan_env.training.network import FORBIDDEN
from training.works_with.torch_ppo_networks import NETWORKS, Rollout, in_order, token_kinds, train

SCRIPT = Path(__file__).parents[1] / "training" / "works_with" / "torch_ppo_networks.py"


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Learn on one thread, as the script does: small networks wait for each other on two."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.parametrize("name", [*registry.GAMES, "pig"])
def test_tokens_hold_each_number_of_the_observation_once(name: str) -> None:
    fields = registry.load(name).rules.fields
    kinds = token_kinds(fields)
    assert sorted(np.concatenate([kind.ravel() for kind in kinds])) == list(range(fields.size))
    assert sum(len(kind) for kind in kinds) < 200, "attention stays affordable"


def test_fields_of_one_axis_are_tokens_of_one_kind_and_all_that_shares_none_is_one_token() -> None:
    cards, seats = ("sword", "shield"), ("own", "next", "last")
    parts = [
        Field("hand", (2,), 0, 1, "", (cards,)),
        Field("turn", (), 0, 1, ""),
        Field("alive", (3,), 0, 1, ""),
        Field("holds", (3, 2), 0, 1, "", (seats, cards)),
        Field("played", (2,), 0, 1, "", (cards,)),
        Field("asked", (2,), 0, 1, "", (("move", "pass"),)),
    ]
    kinds = [kind.tolist() for kind in token_kinds(Fields(tuple(parts)))]
    hand, turn, alive, holds, played, asked = [0, 1], 2, [3, 4, 5], [[6, 7], [8, 9], [10, 11]], [12, 13], [14, 15]
    assert [sorted(token) for kind in kinds for token in kind] == [
        *([here, later] for here, later in zip(hand, played, strict=True)),
        *([one, *held] for one, held in zip(alive, holds, strict=True)),
        [turn, *asked],
    ]


def test_sequences_are_packed_by_seat_and_game_longest_first() -> None:
    following = np.array([[1, 2], [3, -1], [-1, 3], [-1, -1]])  # of game 0: 0 1 3, and 2; of game 1: 0 2 3, and 1
    decisions, sizes = in_order(following, np.array([0, 1]))
    assert decisions.tolist() == [0, 1, 3, 4, 2, 5, 6, 7]
    assert sizes.tolist() == [4, 2, 2]
    decisions, sizes = in_order(following, np.array([1]))
    assert decisions.tolist() == [1, 3, 5, 7]
    assert sizes.tolist() == [2, 1, 1]


def environments(games: int) -> titan_env.GameVectorEnv:
    """Return games of Pig in which every seat learns."""
    return titan_env.GameVectorEnv(PIG, games, seats="all", autoreset_mode="SameStep")


def sharp(name: str) -> Any:
    """Return a network for Pig that clearly prefers some actions, so that a wrong memory is seen."""
    torch.manual_seed(0)
    network = NETWORKS[name](PIG.rules.fields, len(PIG.rules.actions))
    with torch.no_grad():
        network.policy.weight *= 300
    return network


def test_learning_replays_what_every_seat_remembered_as_it_played() -> None:
    network = sharp("gru")
    rollout = Rollout(environments(8), network, 40, 3)
    for going_on in (False, True):
        rollout.play()
        decisions, sizes = in_order(rollout.links.next, np.arange(8))
        assert sorted(decisions.tolist()) == list(range(320))
        seen = rollout.fields.to_float(rollout.observations.reshape(320, -1)[decisions])
        memory = rollout.remembered.flatten(0, 1)[decisions[: sizes[0]]]
        assert bool(memory.any()) == going_on, "only games of the rollout before are remembered at its beginning"
        with torch.no_grad():
            logits, values = network.replay(torch.from_numpy(seen), memory, sizes)
        logits = logits.masked_fill(~rollout.masks.flatten(0, 1)[decisions], FORBIDDEN)
        chosen = rollout.actions.flatten()[decisions, None]
        likely = torch.log_softmax(logits, 1).gather(1, chosen)[:, 0]
        assert torch.allclose(likely, rollout.log_probs.flatten()[decisions], atol=1e-4)
        assert torch.allclose(values, rollout.values.flatten()[decisions], atol=1e-4)
    assert rollout.games > 8


@pytest.mark.thorough
@pytest.mark.parametrize("name", NETWORKS)
def test_a_saved_policy_answers_in_its_games_what_learning_replays(name: str, tmp_path: Path) -> None:
    network, games, steps = sharp(name), 4, 400
    save_module(tmp_path / "policy.onnx", network, PIG, {}, memory=network.memory)
    agent: Any = agents.load(f"policy:{tmp_path / 'policy.onnx'},temperature=1", PIG)
    answered: list[tuple[np.ndarray, np.ndarray]] = []
    answers = "answers" if network.memory else "logits"
    ask = getattr(agent, answers)

    def listen(*inputs: np.ndarray) -> Any:
        answered.append((inputs[0], (given := ask(*inputs))[0]))
        return given

    setattr(agent, answers, listen)
    batch = Batch(PIG, games, events=True)
    batch.seed(range(games))
    batch.start()
    histories = [EventHistory(PIG) for _ in range(games)]
    links, rng, every = Transitions(steps, games), np.random.default_rng(1), np.arange(games)
    for _ in range(steps):
        actions = ask_in_batch(agent, batch, every, rng, histories).actions
        seats = batch.states["seat"].astype(np.int64)
        with record_steps(batch, actions, histories):
            batch.step(actions)
        over = batch.over.copy()
        links.add(seats, batch.payoffs(), over, np.zeros_like(over))
        batch.start(over)
        for row in np.flatnonzero(over):
            histories[row] = EventHistory(PIG)
    assert links.ended.any()
    seen, logits = (np.stack(arrays).reshape(steps * games, -1) for arrays in zip(*answered, strict=True))
    decisions, sizes = in_order(links.next, every)
    with torch.no_grad():
        memory = torch.zeros(int(sizes[0]), *network.memory)
        replayed = network.replay(torch.from_numpy(seen[decisions]), memory, sizes)[0].numpy()
    legal = logits[decisions] > FORBIDDEN / 2
    assert logits[decisions][legal] == pytest.approx(replayed[legal], abs=1e-3)


@pytest.mark.thorough
@pytest.mark.parametrize("name", NETWORKS)
def test_each_network_learns_to_win_and_what_its_positions_are_worth(name: str, tmp_path: Path) -> None:
    torch.manual_seed(1)
    network, envs = NETWORKS[name](PIG.rules.fields, len(PIG.rules.actions)), environments(32)
    assert train(envs, network, 30_000, 32, seed=1) >= 30_000
    rollout = Rollout(envs, network, 100, 2)
    rollout.play()
    last, payoffs = rollout.links.ended, rollout.links.rewards
    assert (rollout.values.numpy()[last] * payoffs[last]).mean() > 0.2
    save_module(tmp_path / "policy.onnx", network, PIG, {}, memory=network.memory)
    players = {"learner": agents.load(f"policy:{tmp_path / 'policy.onnx'}", PIG), "random": agents.load("random", PIG)}
    assert win_rates(PIG, players, 400, 1)["learner"].rate > 0.7


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (["--network", "lstm"], "argument --network: invalid choice: 'lstm'"),
        (["--game", "titan_rave"], "expected the name of a game, got 'titan_rave'"),
        (["--option", "titans=1"], "titans: expected 2 to 6, got 1"),
        (["--option", "titan=2"], "expected an option of Titan Race, got 'titan'"),
        (["--option", "titans"], "expected an option such as name=value, got 'titans'"),
    ],
    ids=["network", "game", "value", "option", "no value"],
)
def test_what_it_cannot_do_it_says_in_one_line(given: list[str], complaint: str) -> None:
    result = subprocess.run([sys.executable, str(SCRIPT), *given], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert re.search(f"error: {complaint}", result.stderr.splitlines()[-1]), result.stderr
    assert "Traceback" not in result.stderr
