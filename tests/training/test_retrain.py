"""A trained agent can be made again by what its file tells of itself."""

from __future__ import annotations

import shlex
import shutil
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.training import scripts
from titan_env import agents, registry
from titan_env.agents.policy import Policy
from titan_env.training import fit_value, ppo, retrain
from titan_env.training.network import quick_dtype

pytestmark = pytest.mark.thorough

RACE = registry.load("titan_race")
NAME = "small@titan_race-v3"
SHORT = shlex.split(
    "--num-envs 16 --num-steps 8 --total-timesteps 200 --minibatch-size 64 --width 16 --update-epochs 1"
)
TABLES = ["-o", "turn_limit=2", "--vary", "titans=2,3", "--also", "turn_limit=3", "--scripted", "random"]

run = partial(scripts.run, retrain.main)


PRECISION = str(quick_dtype("cpu")).removeprefix("torch.")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a policy that was made in two steps."""
    first, last = f"runs/{NAME}-1", f"runs/{NAME}"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("made"))
        patch.setenv("TITAN_ENV_PRECISION", PRECISION)
        assert scripts.run(ppo.main, *SHORT, *TABLES, "--critic", "--out", first)[0] == 0
        options = ["-o", "titans=2", "-o", "turn_limit=2", "--also", "variant=2v2"]
        fitted = ["--start", f"{first}/policy.onnx", *options, "--games", "10", "--out", last]
        assert scripts.run(fit_value.main, *fitted)[0] == 0
        return Path(last, "policy.onnx").absolute()


@pytest.fixture
def shipped(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same policy, now one that comes with the package, in an empty working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TITAN_ENV_PRECISION", PRECISION)  # for further processes too
    path = Path(shutil.copy(made, f"{NAME}.onnx")).absolute()
    # By its module: the name of the function in it stands for another thing in the package.
    monkeypatch.setattr(sys.modules["titan_env.agents.trained"], "shipped", lambda: {NAME: path})
    return path


def test_the_commands_of_a_policy_make_it_again_bit_for_bit_and_go_on_where_they_were_stopped(shipped: Path) -> None:
    code, output = run(NAME)
    assert code == 0, output
    first, last = output.removeprefix("python -m").split("python -m")
    assert "training.ppo" in first
    assert "--critic" in first.split()
    assert "--vary titans=2,3 --vary turn_limit=2 --also turn_limit=3 --scripted random" in first
    assert "training.fit_value" in last
    assert "--vary titans=2 --vary turn_limit=2 --also variant=2v2" in last
    again, there = Path(f"runs/{NAME}/policy.onnx"), Policy(RACE, shipped)
    masks = np.ones((20, len(RACE.rules.actions)), np.int8)
    seen = np.random.default_rng(0).random((20, RACE.rules.fields.size), np.float32)
    for mine, theirs in zip(Policy(RACE, again).logits(seen, masks), there.logits(seen, masks), strict=True):
        assert (mine == theirs).all()
    again.unlink()
    code, output = run(NAME)
    assert (code, again.exists()) == (0, True), output
    assert "--resume" in output
    written = again.stat().st_mtime_ns
    assert "there already" in run(NAME)[1]
    assert again.stat().st_mtime_ns == written


def test_an_agent_of_a_gpu_can_be_trained_without_one() -> None:
    assert "--device cuda" in run("ppo@titan_race-v3", "--tell")[1]
    code, output = run("ppo@titan_race-v3", "--tell", "--device", "cpu")
    assert (code, output.count("--device cpu"), "cuda" in output) == (0, 1, False), (
        "the value is fitted on the CPU anyway"
    )


def test_what_only_tells_writes_nothing_and_an_unknown_agent_is_refused_with_those_there_are(shipped: Path) -> None:
    code, output = run(NAME, "--tell")
    assert (code, output.count("python -m"), Path("runs").exists()) == (0, 2, False)
    code, output = run("nobody")
    assert code == 2
    assert "expected a policy among" in output
    assert f"{NAME}, got 'nobody'" in output


def test_a_run_that_was_stopped_is_told_as_long_as_it_was() -> None:
    config = {"minutes": 20.0, "vary": {}}
    stopped, full = ({"script": "s", "config": config, "seconds": seconds} for seconds in (630, 1180))
    assert str(retrain.TrainingRun(stopped, Path("out"))) == "python -m s --minutes 10.5 --out out"
    assert str(retrain.TrainingRun(full, Path("out"))) == "python -m s --minutes 20.0 --out out"


def test_a_run_on_another_device_than_the_cpu_is_told_with_it() -> None:
    made = {"script": retrain.LEARNER, "config": {"gae_lambda": 0.8}, "seconds": 1, "threads": 2}
    here, elsewhere = (retrain.TrainingRun(facts, Path("out")) for facts in (made, made | {"device": "cuda"}))
    assert "--device" not in str(here)
    assert "--threads 2 --device cuda --games-device cpu" in str(elsewhere), "games on a GPU are newer than the fact"
    all_of_it = retrain.TrainingRun(made | {"device": "cuda", "games_device": "cuda"}, Path("out"))
    assert "--device cuda --games-device cuda" in str(all_of_it)
    assert "cuda" not in str(all_of_it._replace(device="cpu"))


def test_a_policy_that_is_older_than_an_option_is_made_as_before_there_was_one() -> None:
    step = retrain.steps("ppo@fantasy_racing-v2")[0]
    assert "critic" not in step.made["config"]
    first = str(step)
    for typed in (
        "--no-critic",
        "--sure 1.0",
        "--gae-lambda 0.8",
        "--value-gae-lambda 0.8",
        "--num-envs 512",
        "--ent-coef 0.02",
    ):
        assert typed in first


@pytest.mark.parametrize("name", sorted(agents.shipped()))
def test_another_training_has_seeds_and_folders_of_its_own(name: str) -> None:
    first, second, third = (retrain.steps(name, training) for training in range(3))
    for mine, others, more in zip(first, second, third, strict=True):
        seeds = [int(step.arguments[step.arguments.index("--seed") + 1]) for step in (mine, others, more)]
        assert seeds[0] == mine.made["config"]["seed"]
        assert seeds[0] < seeds[1] < seeds[2]
        assert str(mine).replace("runs/", "runs/seed-1/").split("--seed")[0] == str(others).split("--seed")[0]
        assert others.out == Path("runs", "seed-1", mine.out.name)


def test_another_training_is_made_from_its_own_beginning(shipped: Path) -> None:
    code, output = run(NAME, "--seed", "1")
    assert code == 0, output
    assert f"--start runs/seed-1/{NAME}-1/policy.onnx" in output
    masks = np.ones((1, len(RACE.rules.actions)), np.int8)
    seen = np.zeros((1, RACE.rules.fields.size), np.float32)
    mine, theirs = (
        Policy(RACE, path).logits(seen, masks)[0] for path in (shipped, Path(f"runs/seed-1/{NAME}/policy.onnx"))
    )
    assert (mine != theirs).any()
    assert not Path(f"runs/{NAME}").exists()
