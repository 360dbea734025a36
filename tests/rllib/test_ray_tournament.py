"""A tournament on a Ray cluster comes to what one on this machine's cores comes to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

TOURNAMENT = [
    sys.executable,
    "-m",
    "titan_env.evaluation.ratings.tournament",
    "random",
    "greedy",
    "-o",
    "titans=2",
    "--blocks",
    "8",
]
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}


def played(out: Path, *how: str) -> list[str]:
    """The results of a small tournament, without how long they took, which the chain of lines covers."""
    result = subprocess.run(
        [*TOURNAMENT, "--at-once", "4", "--out", str(out), *how],
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr[-3000:]
    lines = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    return sorted(json.dumps({k: v for k, v in line.items() if k not in ("seconds", "chain")}) for line in lines)


def test_the_results_do_not_depend_on_where_the_races_were_run(tmp_path: Path) -> None:
    assert played(tmp_path / "ray", "--ray") == played(tmp_path / "cores", "--processes", "1")
