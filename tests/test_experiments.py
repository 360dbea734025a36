"""The scripts of `training/experiments/` run."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from titan_env import registry
from titan_env.agents import shipped
from titan_env.agents.policy import Policy
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.blocks import Blocks

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]


def test_rounds_of_expert_iteration_say_what_was_learned_and_save_a_policy_that_plays(tmp_path: Path) -> None:
    script = ROOT / "training" / "experiments" / "expert_iteration.py"
    small = ["--minutes", "0.05", "--rounds", "2", "--out", str(tmp_path)]
    outputs = []
    for _ in range(2):
        result = subprocess.run(
            [sys.executable, str(script), *small], capture_output=True, text=True, check=False, cwd=ROOT
        )
        assert result.returncode == 0, result.stderr
        outputs.append(result.stdout)
    assert outputs[0] == outputs[1], "positions that are there are not searched anew"
    before = re.findall(r"gains (\S+) ± \S+ a decision before", outputs[0])
    assert len(before) == 2
    assert abs(float(before[0])) < 0.01, "what the policy plays is what gains are counted from"
    game = registry.load("fantasy_racing")
    policy = Policy(game, tmp_path / "policy-2.onnx")
    first = Policy(game, shipped(game)["ppo@fantasy_racing-v2"])
    batch = Batch(game, 64)
    batch.seed(1)
    batch.start()
    batch.rollout(10)
    (logits, values), (before_logits, before_values) = (
        each.logits(batch.observations, batch.masks) for each in (policy, first)
    )
    assert np.allclose(values, before_values, atol=1e-3), "values are the first policy's"
    assert not np.allclose(logits, before_logits, atol=1e-2)


def test_the_gradients_of_two_samples_are_compared_for_every_lambda() -> None:
    script = ROOT / "training" / "experiments" / "gradients.py"
    small = ["--games", "64", "--rollouts", "1"]
    result = subprocess.run(
        [sys.executable, str(script), *small], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert result.returncode == 0, result.stderr
    assert "8,192 decisions in each sample" in result.stdout
    rows = [line.strip("|").split("|") for line in result.stdout.splitlines() if re.match(r"\| [01]", line)]
    columns = [[float(cell) if cell.strip() else None for cell in column] for column in zip(*rows, strict=True)]
    traces, spreads, cosines, agreements = columns
    assert traces == [0, 0.3, 0.6, 0.8, 0.95, 1]
    assert spreads == sorted(filter(None, spreads)), "the more of the outcome counts, the more luck does"
    assert all(cosine is None or 0 <= cosine <= 1 for cosine in cosines)
    assert agreements[-1] in (1, None), "the last is what the others are compared with"


def test_decisions_of_a_better_policy_are_taken_over_by_their_kind() -> None:
    script = ROOT / "training" / "experiments" / "transplant.py"
    small = ["titan_env/games/titan_race/agents/ppo.onnx", "--races", "4"]
    result = subprocess.run(
        [sys.executable, str(script), *small], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert result.returncode == 0, result.stderr
    rows = re.findall(r"^\| (\w+) +\| ([\d.]+)% +\| [\d.]+% \(", result.stdout, re.MULTILINE)
    changed = {kind: float(share) for kind, share in rows}
    assert changed["none"] == 0
    assert {"draft", "move", "play", "end"} < changed.keys()
    assert max(changed.values()) == changed["every"] > changed["move"] > 0


def test_learners_are_compared_and_a_second_run_plays_only_what_is_left(tmp_path: Path) -> None:
    script, results = ROOT / "training" / "experiments" / "learners.py", tmp_path / "results.json"
    few = ["--games", "titan_battle", "--learners", "PPO", "imitation of winners", "--seeds", "1"]
    kept = ["--out", str(tmp_path / "runs"), "--results", str(results)]

    def compare(*budgets: str) -> list[dict[str, Any]]:
        command = [sys.executable, str(script), *few, *kept, "--budgets", *budgets]
        result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert result.returncode == 0, result.stderr
        runs: list[dict[str, Any]] = json.loads(results.read_text("utf-8"))
        return runs

    (untrained,) = compare("0")
    policy = tmp_path / "runs" / "titan_battle-PPO-1-0" / "policy.onnx"
    written = policy.stat().st_mtime_ns
    assert (untrained["learner"], untrained["seconds"]) == ("PPO", 0), "the other one has no network before it learns"
    runs = compare("0", "2000")
    assert [(run["learner"], run["budget"]) for run in runs] == [
        ("PPO", 0),
        ("PPO", 2000),
        ("imitation of winners", 2000),
    ]
    assert runs[0] == untrained
    assert policy.stat().st_mtime_ns == written, "it is not trained again"
    assert all(0 <= share <= 1 for run in runs for share in run["wins"].values())
    assert all(run["wins"].keys() == {"random", "greedy", "expert"} for run in runs)
    assert all(run["seconds"] > 0 for run in runs[1:])


@pytest.mark.parametrize("sides", [2, 4, 6])
def test_a_learner_that_wins_its_fair_share_wins_half_at_tables_of_any_size(sides: int) -> None:
    script = runpy.run_path(str(ROOT / "training" / "experiments" / "learners.py"))
    fair = np.full((3, sides, 2), 1 / sides)
    assert script["share"](Blocks(fair, fair, fair, ())) == pytest.approx(0.5)


def test_in_reduced_games_the_losses_of_learners_and_agents_are_computed_exactly(
    tmp_path: Path,
) -> None:
    script, results = ROOT / "training" / "experiments" / "learners.py", tmp_path / "results.json"
    few = ["--reduced", "--games", "titan_race", "--learners", "PPO", "--seeds", "1", "--budgets", "0"]
    kept = ["--out", str(tmp_path / "runs"), "--results", str(results)]
    command = [sys.executable, str(script), *few, *kept]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert result.returncode == 0, result.stderr
    runs = json.loads(results.read_text("utf-8"))
    assert [run["learner"] for run in runs] == ["`random`", "`greedy`", "`expert`"] * 2 + ["PPO"] * 2
    for random, untrained in ((runs[0], runs[6]), (runs[3], runs[7])):
        assert untrained["game"] == random["game"]
        assert untrained["losses"] == pytest.approx(random["losses"], abs=0.02), "it draws much as random play does"


def test_a_belief_that_listens_knows_better_where_hidden_cards_are() -> None:
    script = ROOT / "training" / "experiments" / "belief.py"
    small = ["--blocks", "2", "--at-once", "2", "--worlds", "2"]
    result = subprocess.run(
        [sys.executable, str(script), *small], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert result.returncode == 0, result.stderr
    losses = re.search(r"hidden cards: ([\d.]+) by equal deals, ([\d.]+) by what was heard", result.stdout)
    assert losses
    assert 0 < float(losses[2]) < float(losses[1])
    assert re.search(r"wins alone among three of \S+: [\d.]+% with, [\d.]+% without", result.stdout)


def test_exploiters_learn_against_a_policy_and_are_measured_alone_and_beside_their_copies(tmp_path: Path) -> None:
    script = ROOT / "training" / "experiments" / "exploiters.py"
    small = ["ppo@titan_race-v3", "-o", "titans=3", "--minutes", "0.01", "--blocks", "2", "--out", str(tmp_path)]
    result = subprocess.run(
        [sys.executable, str(script), *small], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert result.returncode == 0, result.stderr
    alone, copies = map(json.loads, result.stdout.splitlines())
    assert (alone["learns"], copies["learns"]) == ("alone", "copies")
    assert alone["fair"] == "33.3%"
    assert alone["decisions"] > 0 < copies["decisions"]
    assert json.loads((tmp_path / "copies" / "result.json").read_text("utf-8")) == copies


def test_trainings_on_few_and_many_levels_are_measured_on_both_sides_and_plotted(tmp_path: Path) -> None:
    script = ROOT / "training" / "experiments" / "levels.py"
    small = ["--levels", "1", "3", "--seeds", "2", "--decisions", "40000", "--races", "20", "--out", str(tmp_path)]
    command = [sys.executable, str(script), *small, "--plot", str(tmp_path / "levels.png")]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert result.returncode == 0, result.stderr
    assert re.findall(r"^\| (\d+) \| [\d.]+ \(", result.stdout, re.MULTILINE) == ["1", "3"]
    assert (tmp_path / "levels.png").read_bytes().startswith(b"\x89PNG")
