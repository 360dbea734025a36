"""Where something of an extra is missing one line says so, and what to type; the docs list all extras."""

from __future__ import annotations

import configparser
import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from titan_env import extras

ROOT = Path(__file__).parents[1]
DOORS = {
    "stable_baselines3": ("sb3", "titan_env.GameVecEnv"),
    "ray": ("rllib", "titan_env.GameMultiAgentEnv"),
    "scipy": ("training", "importlib.import_module('titan_env.evaluation.matches.duplicate')"),
    "rich": ("cli", "drawn('ansi')"),
    "PIL": ("pictures", "drawn('rgb_array')"),
    "starlette": ("web", "importlib.import_module('titan_env.web.requests.server')"),
    "cryptography": ("signing", "importlib.import_module('titan_env.records.signing')"),
    "onnxruntime": (
        "policy",
        "titan_env.agents.load('ppo@titan_race-v2', GAME)",
    ),
}
SCRIPT = """
import importlib, sys, titan_env
sys.modules |= dict.fromkeys({doors})
GAME = titan_env.load({game!r})
def drawn(mode):
    env = titan_env.GameAEC(GAME, render_mode=mode)
    env.reset(seed=1)
    env.render()
for module, (extra, door) in {doors}.items():
    try:
        eval(door)
    except titan_env.extras.MissingExtra as error:
        print(error)
"""


def test_every_way_in_that_needs_an_extra_says_which() -> None:
    script = SCRIPT.format(doors=DOORS, game="titan_race")
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    lines = told.stdout.splitlines()
    for line, (module, (extra, _)) in zip(lines, DOORS.items(), strict=True):
        assert re.match(rf"expected {module}[\w.]*, which the extra {extra} brings; pip install \S", line), line


def test_the_command_line_says_in_one_line_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise ModuleNotFoundError('no typer', name='typer')")
    told = subprocess.run(
        [sys.executable, "-m", "titan_env", "games"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert told.returncode == 1
    assert re.fullmatch(r"Error: expected typer, which the extra cli brings; pip install .+\n", told.stderr)


def test_a_script_ends_in_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr(extras, "lacking", lambda name: ["torch"])
    extras.told_in_one_line("training")
    sys.excepthook(ModuleNotFoundError, ModuleNotFoundError("No module named 'torch'", name="torch"), None)
    assert capsys.readouterr().err == "Error: expected torch, which the extra training brings; " + (
        "pip install torch --index-url https://download.pytorch.org/whl/cpu\n"
    )
    sys.excepthook(ValueError, ValueError("a mistake of the program"), None)
    assert capsys.readouterr().err == "ValueError: a mistake of the program\n"


def test_what_to_install_is_what_is_declared_and_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    declared = [
        "numpy>=1.26",
        'numpy>=1; extra == "sb3"',
        "no-such-package<3,>=2; extra == 'sb3'",
        'no-other; extra == "web"',
    ]
    monkeypatch.setattr(importlib.metadata, "requires", lambda package: declared)
    assert extras.lacking("sb3") == ["no-such-package<3,>=2"]
    assert str(extras.missing("sb3", "it")).endswith("pip install 'no-such-package<3,>=2'")
    assert str(extras.missing("cli", "it")).endswith("pip install -e '.[cli]'")


def test_the_page_on_installing_says_what_every_extra_is_for() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    page = (ROOT / "docs" / "tutorial" / "install.md").read_text("utf-8")
    table = page.partition("| extra | what it is for |")[2].partition("\n\n")[0]
    listed = re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]+)\|", table, re.M)))
    assert sorted(listed) == sorted(setup["options.extras_require"])
