"""The one-page PPO: what it learns from, what it saves, how it goes on after a kill."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
import typer
from typer.testing import CliRunner

import agents
from agents.match import win_shares
from titan_env import registry
from titan_env.schema import SchemaMismatch
from training.policies import Network, network_agent, save_policy, write_run
from training.ppo import Config, Trainer, main

PIG = registry.load("pig")
SMALL = Config(
    game="pig",
    decisions=100_000,
    games=128,
    steps=32,
    width=16,
    learning_rate=3e-3,
    minibatch=1024,
    scripted=("random",),
    seed=1,
)

SMALL_OPTIONS = ["--game", "pig", "--games", "64", "--steps", "16", "--width", "16", "--scripted", "random"]


def script(*arguments: str) -> list[str]:
    """The command line of the script, which knows the game of the tests too."""
    start = "from titan_env import registry; registry.register('pig', 'tests.games.pig:GAME')"
    run = "import sys, typer, training.ppo as ppo; sys.argv[0] = 'ppo'; typer.run(ppo.main)"
    return [sys.executable, "-c", f"{start}; {run}", *SMALL_OPTIONS, *arguments]


def test_a_little_self_play_beats_chance(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    trainer = Trainer(PIG, SMALL, tmp_path)
    while trainer.decisions < SMALL.decisions:
        logged = trainer.iterate()
    assert all(np.isfinite(value) for value in logged.values())
    assert 0 < trainer.env_share < 1
    players = {"learner": network_agent(trainer.network, temperature=1.0), "random": agents.load("random", PIG)}
    assert win_shares(PIG, players, 400, 2)["learner"].interval[0] > 0.5


def test_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    weights = []
    for _ in range(2):
        trainer = Trainer(PIG, SMALL, tmp_path)
        for _ in range(3):
            trainer.iterate()
        weights.append(trainer.network.policy.weight.detach().clone())
    assert torch.equal(*weights)


def test_advantages_follow_the_chain_of_the_own_decisions(tmp_path: Path) -> None:
    config = Config(game="pig", games=2, steps=4, discount=0.5, trace=0.5, others=0.0, scripted=())
    rollout = Trainer(PIG, config, tmp_path).rollout
    seats = [0, 1, 0, 1]
    for step, seat in enumerate(seats):
        payoffs = np.zeros((2, 6))
        payoffs[:, :2] = (1, -1) if step == 3 else (0, 0)
        over = np.array([step == 3, False])
        rollout.links.add(np.array([seat, seat]), payoffs, over, np.zeros(2, np.bool_))
    rollout.values[:] = np.array([[0.1], [0.2], [0.3], [0.4]])
    ended, running = rollout.advantages().T
    latest_0, latest_1 = 1 - 0.3, -1 - 0.4
    assert ended == pytest.approx(
        [0.5 * 0.3 - 0.1 + 0.25 * latest_0, 0.5 * 0.4 - 0.2 + 0.25 * latest_1, latest_0, latest_1]
    )
    assert list(rollout.links.waiting[:, 1]) == [False, False, True, True]
    # What comes after the last decision of a rollout is not known yet: it counts neither for nor against.
    assert running == pytest.approx([0.5 * 0.3 - 0.1, 0.5 * 0.4 - 0.2, 0, 0])


def test_a_killed_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    out = tmp_path / "run"
    arguments = ("--decisions", "100000000", "--checkpoint-every", "0.2", "--out", str(out))
    with subprocess.Popen(script(*arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
        deadline = time.monotonic() + 90
        while not (out / "checkpoint.pt").exists() and time.monotonic() < deadline and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGKILL)
    before = torch.load(out / "checkpoint.pt", weights_only=True)["counters"][0]
    stored = json.loads((out / "config.json").read_text())
    assert stored["config"]["games"] == 64
    assert stored["versions"]["numpy"] == np.__version__
    stored["config"]["decisions"] = before + 2000
    (out / "config.json").write_text(json.dumps(stored))
    done = subprocess.run(script("--out", str(out), "--resume"), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert torch.load(out / "checkpoint.pt", weights_only=True)["counters"][0] >= before + 2000
    policy = agents.load(f"policy:{out / 'policy.onnx'}", PIG)
    assert policy.made["config"]["seed"] == 0  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("prepare", "arguments", "complaint"),
    [
        ("", ("--game", "chess"), "expected the name of a game, got 'chess'"),
        ("", ("--scripted", "clever"), "expected an agent among"),
        ("", ("--vary", "goal=2000"), "goal"),
        ("", ("--resume",), "expected the config of a run to resume"),
        ("config.json", (), "expected a new folder"),
        ("checkpoint.pt", ("--resume",), "which cannot be read"),
        ("observation", ("--resume",), "it was changed"),
    ],
)
def test_what_cannot_be_trained_is_refused_before_any_work(
    tmp_path: Path, prepare: str, arguments: tuple[str, ...], complaint: str
) -> None:
    out = tmp_path / "run"
    if prepare:
        out.mkdir()
        config = {"game": "pig", "games": 64, "steps": 16, "width": 16, "scripted": ["random"]}
        write_run(out / "config.json", config, PIG)
        if prepare == "observation":
            (out / "config.json").write_text((out / "config.json").read_text().replace("heap", "pile"))
        if prepare != "config.json":
            (out / prepare).write_text("damaged")
    app = typer.Typer()
    app.command()(main)
    done = CliRunner().invoke(app, [*SMALL_OPTIONS, *arguments, "--out", str(out)])
    assert done.exit_code == 2
    assert complaint in " ".join(done.stderr.split())
    assert not list(out.glob("events*"))


def test_a_saved_policy_plays_like_its_network(tmp_path: Path) -> None:
    network = Network(PIG.fields.size, len(PIG.actions), 16)
    save_policy(tmp_path / "policy.onnx", network, PIG, {"script": "test"})
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", PIG)
    rng = np.random.default_rng(0)
    observations = rng.random((50, PIG.fields.size), np.float32)
    masks = np.array([[1, 1], [1, 0]] * 25, np.int8)
    probabilities, values = policy.policy(observations, masks)  # type: ignore[attr-defined]
    with torch.no_grad():
        logits, expected = network(torch.from_numpy(observations), torch.from_numpy(masks).bool())
    assert probabilities == pytest.approx(torch.softmax(logits, 1).numpy(), abs=2e-3)
    assert values == pytest.approx(expected.numpy(), abs=2e-3)
    assert (policy(observations, masks, rng)[1::2] == 0).all()


def test_a_policy_needs_no_torch_and_says_what_is_wrong_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    save_policy(path, Network(PIG.fields.size, len(PIG.actions), 16), PIG, {})
    line = (
        "import sys, agents, tests.games.pig as pig; "
        f"agents.load('policy:{path}', pig.GAME); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", line], check=True)
    with pytest.raises(SchemaMismatch, match="made for pig_v0, asked to play titan_race_v0"):
        agents.load(f"policy:{path}", registry.load("titan_race"))
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(ValueError, match="is damaged or none"):
        agents.load(f"policy:{path}", PIG)
    with pytest.raises(ValueError, match="found no"):
        agents.load("policy:nowhere.onnx", PIG)
    with pytest.raises(ValueError, match="expected a policy among"):
        agents.load("best@pig-v0", PIG)
