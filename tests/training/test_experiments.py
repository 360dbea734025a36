"""The scripts of `training/experiments/` run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_round_of_expert_iteration_says_what_the_search_finds_and_what_is_learned() -> None:
    script = ROOT / "training" / "experiments" / "expert_iteration.py"
    small = ["--minutes", "0.05", "--worlds", "4", "--races", "4"]
    told = subprocess.run([sys.executable, str(script), *small], capture_output=True, text=True, check=False, cwd=ROOT)
    assert told.returncode == 0, told.stderr
    assert "positions" in told.stdout
    before = re.search(r"Where it was not taught the network gains (\S+) before", told.stdout)
    assert before
    assert abs(float(before[1])) < 0.01, "what the policy plays is what gains are counted from"
    assert told.stdout.count(" wins ") == 3
