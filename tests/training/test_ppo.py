"""The one-page PPO: what it learns from, what it saves, how it goes on after a kill."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
import typer
from typer.testing import CliRunner

from titan_env import agents, registry
from titan_env.agents.match import Share, win_shares
from titan_env.agents.policy import Policy, seal
from titan_env.contract import Fields, observer, rule
from titan_env.engine.schema import SchemaMismatch
from titan_env.training.config import Config
from titan_env.training.policies import Network, network_agent, save_policy, wins
from titan_env.training.ppo import Trainer, learn, main, minibatches
from titan_env.training.runs import Run

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
    run = "import sys, typer, titan_env.training.ppo as ppo; sys.argv[0] = 'ppo'; typer.run(ppo.main)"
    return [sys.executable, "-c", f"{start}; {run}", *SMALL_OPTIONS, *arguments]


def test_a_little_self_play_beats_chance(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    trainer = Trainer(PIG, SMALL, tmp_path)
    while trainer.decisions < SMALL.decisions:
        logged = trainer.iterate()
    assert all(np.isfinite(value) for value in logged.values())
    assert {"explained_variance", "clip_fraction", "learning_rate", "game_length"} <= logged.keys()
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
    ended = rollout.advantages()[:, 0]
    latest_0, latest_1 = 1 - 0.3, -1 - 0.4
    assert ended == pytest.approx(
        [0.5 * 0.3 - 0.1 + 0.25 * latest_0, 0.5 * 0.4 - 0.2 + 0.25 * latest_1, latest_0, latest_1]
    )
    assert list(rollout.links.waiting[:, 1]) == [False, False, True, True]
    # What comes after the last decision of a rollout is not known yet: what its seat sees then stands for it.
    rollout.outlooks[2:, 1] = 0.6, 0.8
    waiting_0, waiting_1 = 0.5 * 0.6 - 0.3, 0.5 * 0.8 - 0.4
    running = rollout.advantages()[:, 1]
    assert running == pytest.approx(
        [0.5 * 0.3 - 0.1 + 0.25 * waiting_0, 0.5 * 0.4 - 0.2 + 0.25 * waiting_1, waiting_0, waiting_1]
    )


def test_a_short_tail_is_learned_with_the_minibatch_before_it() -> None:
    sizes = {4097: [4097], 5120: [5120], 5121: [4096, 1025], 8193: [4096, 4097], 100: [100], 1: [], 0: []}
    for count, parts in sizes.items():
        assert [len(part) for part in minibatches(torch.arange(count), 4096)] == parts
    assert torch.equal(torch.cat(minibatches(torch.arange(9), 4)), torch.arange(9))


def test_weights_stay_finite_where_one_decision_is_left_over_and_others_are_refused(tmp_path: Path) -> None:
    trainer = Trainer(PIG, SMALL, tmp_path)
    trainer.rollout.play(trainer.network)
    usable = int(trainer.rollout.links.taken.sum())
    learn(trainer.network, trainer.optimiser, trainer.rollout, replace(SMALL, minibatch=usable - 1))
    assert all(weights.isfinite().all() for weights in trainer.network.parameters())
    trainer.rollout.values[:] = np.nan
    with pytest.raises(FloatingPointError, match="the checkpoint is from before"):
        learn(trainer.network, trainer.optimiser, trainer.rollout, SMALL)


def test_a_run_is_measured_at_the_tables_that_it_learns_at(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []

    def win_shares(game: Any, pair: Any, races: int, seed: int, **options: Any) -> dict[str, Share]:
        played.append((options, races))
        return {"learner": Share(races, races)}

    monkeypatch.setattr("titan_env.training.policies.win_shares", win_shares)
    config = Config(game="pig", vary={"goal": [10, 20], "players": [2, 2, 4, 4]}, games=64)
    assert wins(PIG, agents.load("random", PIG), "random", config.dealt(), seed=0).of == 400
    tables = [(10, 2), (10, 4), (20, 2), (20, 4)]
    assert played == [({"goal": goal, "players": players}, 100) for goal, players in tables]


def test_options_that_vary_are_dealt_in_every_combination() -> None:
    config = Config(vary={"titans": [2, 4], "circuit": ["a", "b"]}, games=8)
    dealt = [tuple(options.values()) for options in config.dealt()]
    assert Counter(dealt) == {(titans, circuit): 2 for titans in (2, 4) for circuit in "ab"}
    weighed = Config(vary={"titans": [2, 4, 4]}, games=6).dealt()
    assert [options["titans"] for options in weighed] == [2, 4, 4, 2, 4, 4]
    assert Config(games=2).dealt() == [{}, {}]
    with pytest.raises(ValueError, match="expected at least 4 games, one for each combination, got 3"):
        Config(vary={"titans": [2, 4], "circuit": ["a", "b"]}, games=3).dealt()


def test_others_sit_at_the_tables_of_a_run_that_goes_on(tmp_path: Path) -> None:
    trainer = Trainer(PIG, SMALL, tmp_path)
    trainer.iterate()
    trainer.save()
    later = Trainer(PIG, SMALL, tmp_path)
    assert not later.rollout.players.any()
    later.resume()
    assert later.rollout.players.any(axis=1).mean() > SMALL.others / 3


def test_a_killed_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    out = tmp_path / "run"
    arguments = ("--decisions", "100000000", "--checkpoint-every", "0.2", "--out", str(out))
    with subprocess.Popen(script(*arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
        deadline = time.monotonic() + 300
        while not has_learned(out) and time.monotonic() < deadline and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGKILL)
    before = torch.load(out / "checkpoint.pt", weights_only=True)["counters"][0]
    assert before > 0
    stored = json.loads((out / "config.json").read_text())
    assert stored["config"]["games"] == 64
    assert stored["versions"]["numpy"] == np.__version__
    stored["config"]["decisions"] = 10
    (out / "config.json").write_text(json.dumps(stored))
    longer = ("--out", str(out), "--resume", "--decisions", str(before + 2000))
    done = subprocess.run(script(*longer), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert torch.load(out / "checkpoint.pt", weights_only=True)["counters"][0] >= before + 2000
    policy = agents.load(f"policy:{out / 'policy.onnx'}", PIG)
    assert policy.made["config"]["decisions"] == before + 2000  # type: ignore[attr-defined]


def test_a_run_may_be_given_minutes_and_goes_on_when_given_more(tmp_path: Path) -> None:
    arguments = ("--decisions", "100000000", "--minutes", "0.01", "--out", str(tmp_path / "run"))
    done = subprocess.run(script(*arguments), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    policy = agents.load(f"policy:{tmp_path / 'run' / 'policy.onnx'}", PIG)
    taken = policy.made["decisions_taken"]  # type: ignore[attr-defined]
    assert 0 < taken < 100_000_000
    done = subprocess.run(
        script(*arguments, "--resume", "--minutes", "0.03"), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    policy = agents.load(f"policy:{tmp_path / 'run' / 'policy.onnx'}", PIG)
    assert policy.made["decisions_taken"] > taken  # type: ignore[attr-defined]


def has_learned(out: Path) -> bool:
    """Whether there is a checkpoint later than the first, which comes before the config."""
    saved, config = out / "checkpoint.pt", out / "config.json"
    return config.exists() and saved.stat().st_mtime_ns > config.stat().st_mtime_ns


def test_a_run_that_is_killed_before_it_has_learned_anything_goes_on_or_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, small = typer.Typer(), [*SMALL_OPTIONS, "--decisions", "2000", "--out", str(tmp_path)]
    app.command()(main)
    for moment in (
        "titan_env.training.ppo.Trainer.save",
        "titan_env.training.ppo.Run.write",
        "titan_env.training.ppo.train",
    ):
        with monkeypatch.context() as patch:
            patch.setattr(moment, killed)
            assert CliRunner().invoke(app, small).exit_code == 130
        assert (tmp_path / "config.json").exists() == (moment == "titan_env.training.ppo.train")
    assert CliRunner().invoke(app, ["--resume", "--out", str(tmp_path)]).exit_code == 0
    assert (tmp_path / "policy.onnx").exists()


def killed(*_: object) -> None:
    """End the run where it stands."""
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("prepare", "arguments", "complaint"),
    [
        ("", ("--game", "chess"), "expected the name of a game, got 'chess'"),
        ("", ("--scripted", "clever"), "expected an agent among"),
        ("", ("--vary", "goal=2000"), "goal"),
        ("", ("--vary", "goal"), "such as name=value,value, got 'goal'"),
        ("", ("--vary", "goals=2"), "expected an option of Pig, got 'goals'"),
        ("", ("--seed", "-1"), "expected seed from 0 on, got -1"),
        ("", ("--others", "1.5"), "expected others up to 1, got 1.5"),
        ("", ("--reward", "luck"), "expected reward to be one of win, rank, score"),
        ("", ("--start", "nowhere.onnx"), "expected a file of weights to start from"),
        ("", ("--resume",), "expected a run with a checkpoint to resume"),
        ("run", (), "expected a new folder"),
        ("run", ("--resume",), "which is damaged or belongs to another run; start anew"),
        ("run", ("--resume", "--vary", "goal=10", "--seed", "5"), "expected seed=0, vary=None as in"),
        ("observation", ("--resume",), "it was changed"),
        ("file", (), "is or lies in a file"),
    ],
)
def test_what_cannot_be_trained_is_refused_before_any_work(
    tmp_path: Path, prepare: str, arguments: tuple[str, ...], complaint: str
) -> None:
    out = tmp_path / "run"
    if prepare == "file":
        out.touch()
    elif prepare:
        config = Config(game="pig", games=64, steps=16, width=16, scripted=("random",))
        Run(out, "checkpoint.pt").write(config, PIG)
        (out / "checkpoint.pt").write_text("damaged")
        if prepare == "observation":
            (out / "config.json").write_text((out / "config.json").read_text().replace("heap", "pile"))
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


def test_weights_that_are_not_finite_are_not_saved(tmp_path: Path) -> None:
    network = Network(PIG.fields.size, len(PIG.actions), 16)
    for weight in (math.nan, math.inf, 1e6):  # the last one is infinite in half precision
        with torch.no_grad():
            network.value.bias[0] = weight
        with pytest.raises(ValueError, match="expected finite weights"):
            save_policy(tmp_path / "policy.onnx", network, PIG, {})
    assert not (tmp_path / "policy.onnx").exists()


def test_all_games_share_the_session_of_a_policy(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    save_policy(path, Network(PIG.fields.size, len(PIG.actions), 16), PIG, {})
    policies = [Policy(PIG, path) for _ in range(100)]
    assert len({id(policy._session) for policy in policies}) == 1


def assert_damage_is_told(path: Path) -> None:
    """Another output than that of a policy, and unreadable facts, are found when the file is loaded."""
    for damage, complaint in {
        "values": "expected a policy with .*values 1.*got .*value 1",
        "made": "as JSON in",
        "nested": "as JSON in .*which is damaged: maximum recursion",
        "deep": "expected an observation schema as JSON",
        "weights": "expected finite weights",
    }.items():
        model, damaged = onnx.load(path), path.with_name("damaged.onnx")
        if damage == "made":
            next(fact for fact in model.metadata_props if fact.key == "made").value = "{"
        elif damage == "nested":
            facts = '{"config": ' * 100_000 + "1" + "}" * 100_000
            next(fact for fact in model.metadata_props if fact.key == "made").value = facts
        elif damage == "deep":
            next(fact for fact in model.metadata_props if fact.key == "schema").value = "[" * 100_000
        elif damage == "weights":
            weights = next(part for part in model.graph.initializer if part.data_type == onnx.TensorProto.FLOAT16)
            weights.raw_data = np.full(len(weights.raw_data) // 2, np.nan, np.float16).tobytes()
        else:
            model.graph.node[-1].output[0] = model.graph.output[1].name = "value"
        damaged.write_bytes(seal(model.SerializeToString()))
        with pytest.raises(ValueError, match=complaint):
            agents.load(f"policy:{damaged}", PIG)
    for temperature in (-1, math.nan, math.inf, 1e-300):
        with pytest.raises(ValueError, match="expected a temperature of 0, or from"):
            Policy(PIG, path, temperature)


def test_a_policy_needs_no_torch_and_says_what_is_wrong_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    save_policy(path, Network(PIG.fields.size, len(PIG.actions), 16), PIG, {})
    line = (
        "import sys, titan_env, tests.games.pig as pig; "
        f"titan_env.agents.load('policy:{path}', pig.GAME); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", line], check=True)
    with pytest.raises(SchemaMismatch, match="made for pig_v0, asked to play titan_race_v1"):
        agents.load(f"policy:{path}", registry.load("titan_race"))
    assert_damage_is_told(path)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    changed = [bytearray(whole) for _ in range(20)]
    for data in changed:
        data[rng.integers(len(whole))] ^= 1
    for data in (*changed, whole[:-1000], b"", b"nonsense", whole + b"?"):
        path.write_bytes(data)
        with pytest.raises(ValueError, match="is damaged, or was not saved here"):
            agents.load(f"policy:{path}", PIG)
    with pytest.raises(ValueError, match="found no"):
        agents.load("policy:nowhere.onnx", PIG)
    with pytest.raises(ValueError, match="expected a policy among"):
        agents.load("best@pig-v0", PIG)


def test_a_seat_that_is_out_is_paid_once_while_the_others_play_on(tmp_path: Path) -> None:
    config = Config(game="pig", games=2, steps=3, others=0.0, scripted=(), vary={"players": [3]})
    rollout = Trainer(PIG, config, tmp_path).rollout
    everybody, states = np.ones(2, np.bool_), rollout.batch.states
    rollout.seats[:] = np.array([[1], [0], [0]])
    states["out"][0, 1] = 1
    rollout._settle(0, everybody)
    rollout._settle(1, everybody)
    assert list(rollout.links.rewards[0]) == [-0.5, 0]
    assert list(rollout.links.ended[0]) == [True, False]
    states["over"][0], states["won"][0, 0], states["decisions"][0] = 1, 1, 7
    rollout._settle(2, everybody)
    assert list(rollout.links.rewards[:, 0]) == [-0.5, 0, 1]
    assert rollout.lengths == [7]
    assert not rollout.paid.any()


def test_a_decision_that_waits_is_worth_what_its_seat_sees_at_the_end(tmp_path: Path) -> None:
    trainer = Trainer(PIG, replace(SMALL, vary={"players": [2, 3]}, steps=5), tmp_path)
    rollout = trainer.rollout
    rollout.play(trainer.network)
    waiting = np.argwhere(rollout.links.waiting)
    assert len(waiting) > 128
    for step, row in waiting[::20]:
        view = rollout.batch.observe(np.minimum(rollout.seats[step, row], rollout.batch.states["seats"] - 1))[row]
        with torch.no_grad():
            _, value = trainer.network(torch.from_numpy(view[None]), torch.ones((1, 2), dtype=torch.bool))
        assert rollout.outlooks[step, row] == pytest.approx(float(value), abs=0.02)
    assert not rollout.outlooks[~rollout.links.waiting].any()


@rule
def observe_whole(state: Any, seat: int, vector: Any) -> None:
    vector[:] = 0
    vector[0] = state.heap
    vector[1] = state.goal


def test_whole_numbers_are_kept_as_they_are_and_learned_from_as_fractions(tmp_path: Path) -> None:
    parts = tuple(replace(part, scale=100) for part in PIG.fields.parts)
    fields = Fields(parts, whole=True)
    game = replace(PIG, fields=fields, observe=observer(observe_whole, PIG.state, fields))
    trainer = Trainer(game, SMALL, tmp_path)
    trainer.rollout.play(trainer.network)
    kept = trainer.rollout.observations
    assert kept.dtype == torch.int8
    assert set(kept[:, :, 1].ravel().tolist()) == {20}
    assert trainer.rollout.seen(kept)[:, :, 1].float().numpy() == pytest.approx(0.2, rel=0.01)


def test_a_run_starts_from_a_policy_or_a_checkpoint_of_the_same_shape(tmp_path: Path) -> None:
    first = Trainer(PIG, SMALL, tmp_path / "first")
    first.iterate()
    first.begin()
    for name in ("policy.onnx", "checkpoint.pt"):
        later = Trainer(PIG, replace(SMALL, start=str(tmp_path / "first" / name)), tmp_path / name)
        later.begin()
        for weights, kept in zip(first.network.parameters(), later.network.parameters(), strict=True):
            assert kept.detach().numpy() == pytest.approx(weights.detach().numpy(), abs=1e-3)
    start = str(tmp_path / "first" / "policy.onnx")
    with pytest.raises(ValueError, match=r"and width 32 in .*, got width 16; pass --width"):
        Trainer(PIG, replace(SMALL, width=32, start=start), tmp_path).begin()
    with pytest.raises(SchemaMismatch):
        Trainer(registry.load("titan_race"), replace(SMALL, start=start), tmp_path).begin()


def test_a_run_that_is_stopped_leaves_a_policy_and_may_go_on_shorter(tmp_path: Path) -> None:
    arguments = ("--decisions", "100000000", "--evaluate-every", "0.1", "--out", str(tmp_path))
    with subprocess.Popen(script(*arguments), stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
        deadline = time.monotonic() + 300
        while not has_learned(tmp_path) and time.monotonic() < deadline and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        told = running.communicate()[0].decode()
    assert running.returncode == 130, told
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", PIG)
    taken = policy.made["decisions_taken"]  # type: ignore[attr-defined]
    assert taken > 0
    shorter = ("--out", str(tmp_path), "--resume", "--decisions", "10")
    done = subprocess.run(script(*shorter), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", PIG)
    assert policy.made["decisions_taken"] == taken  # type: ignore[attr-defined]
    assert policy.made["config"]["decisions"] == 10  # type: ignore[attr-defined]
