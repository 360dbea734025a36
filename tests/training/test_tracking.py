"""`--track` sends what TensorBoard gets to Weights & Biases, and says in one line where it cannot."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from titan_env import extras
from titan_env.training.ppo import Arguments
from titan_env.training.tracking import Tracking

pytestmark = pytest.mark.thorough

PPO = ["--game", "pig", "--num-envs", "64", "--num-steps", "16", "--width", "16", "--scripted", "random"]
SB3 = ["--game", "pig", "--num-envs", "8", "--num-steps", "16", "--snapshot-every", "100", "--minibatch-size", "64"]


def trained(script: str, out: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A short run of a trainer in a process of its own."""
    start = "from titan_env import registry; registry.register('pig', 'tests.games.pig:GAME')"
    program = f"{start}; import sys, typer, titan_env.training.{script} as script; typer.run(script.main)"
    command = [sys.executable, "-c", program, "--total-timesteps", "2048", "--out", str(out), *arguments]
    places = {"WANDB_SILENT": "true", "HOME": str(out.parent), "TITAN_ENV_CACHE": str(Path.home() / ".cache/titan_env")}
    return subprocess.run(command, env=os.environ | places | environment, capture_output=True, text=True, check=False)


BLOCK, HEAD = 2**15, 7
"""Bytes of a block of a log, and of the head of the file and of each piece: checksum, length, kind."""


def records(file: Path) -> Iterator[bytes]:
    """The records of a log in the format of LevelDB, as Weights & Biases writes it."""
    data, place, record = file.read_bytes(), HEAD, b""
    while place + HEAD <= len(data):
        if BLOCK - place % BLOCK < HEAD:
            place += BLOCK - place % BLOCK
            continue
        _, length, kind = struct.unpack("<IHB", data[place : place + HEAD])
        record += data[place + HEAD : place + HEAD + length]
        place += HEAD + length
        if kind in (1, 4):  # whole, or its last piece
            yield record
            record = b""


def logged(folder: Path) -> tuple[dict[str, Any], dict[str, dict[int, float]]]:
    """The config and the curves of the one run that Weights & Biases keeps in a folder."""
    from wandb.proto import wandb_internal_pb2

    (file,) = folder.glob("wandb/offline-run-*/*.wandb")
    config: dict[str, Any] = {}
    curves: dict[str, dict[int, float]] = {}
    for data in records(file):
        record = wandb_internal_pb2.Record()
        record.ParseFromString(data)
        config |= {each.key: json.loads(each.value_json) for each in record.run.config.update}
        row = {".".join(each.nested_key) or each.key: json.loads(each.value_json) for each in record.history.item}
        for name, value in row.items():
            curves.setdefault(name, {})[row.get("global_step", -1)] = value
    return config, curves


@pytest.mark.parametrize(
    ("script", "options", "curve"),
    [("ppo", PPO, "wins_against_random"), ("sb3_maskable_ppo", SB3, "train/loss")],
)
def test_a_tracked_run_keeps_its_config_and_curves_for_weights_and_biases_too(
    script: str, options: list[str], curve: str, tmp_path: Path
) -> None:
    done = trained(script, tmp_path / "mine", *options, "--track", WANDB_MODE="offline")
    assert done.returncode == 0, done.stderr
    config, curves = logged(tmp_path / "mine")
    assert config["game"] == "pig"
    assert max(curves[curve]) > 0, "over decisions"
    assert list((tmp_path / "mine").glob("**/events.out.tfevents*")), "TensorBoard has them as ever"


def test_without_an_account_one_line_says_what_to_do(tmp_path: Path) -> None:
    done = trained("ppo", tmp_path / "mine", *PPO, "--track", WANDB_MODE="online", WANDB_API_KEY="short")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "set WANDB_MODE=offline, or leave --track out" in done.stderr


def test_a_run_without_it_imports_nothing_of_it(tmp_path: Path) -> None:
    done = trained("ppo", tmp_path / "mine", *PPO, PYTHONPROFILEIMPORTTIME="1")
    assert done.returncode == 0
    assert "wandb" not in done.stderr
    assert not (tmp_path / "mine/wandb").exists()


def test_where_it_is_not_installed_the_extra_is_named_before_anything_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    Tracking().check()
    monkeypatch.setitem(sys.modules, "wandb", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(extras.MissingExtra, match="expected wandb, which the extra track brings"):
        Arguments(track=True).check()
