"""What is installed from the wheel has everything that it needs: rules, boards, policies, pages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.compiler.programs import PROGRAMS
from tests.conftest import GAMES
from titan_env import agents, registry
from titan_env.records.replay import read
from titan_env.records.replay_html import render_html
from tools.wheel import platform

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden" / "race_2.jsonl"

CHECK = """
import sys, titan_env
from starlette.testclient import TestClient
from titan_env.__main__ import app
from titan_env.web.hosting.routes import application
from titan_env.web.requests.server import Server
from titan_env import agents, training
assert all(package.__file__.startswith(sys.argv[1]) for package in (titan_env, agents, training)), titan_env.__file__
client = TestClient(application(Server()), base_url="http://localhost")
assert all(client.get(path).status_code == 200 for path in ("/", "/app.js", "/style.css"))
assert client.post("/api/rules", json={"game": "titan_race"}).status_code == 200
agents.load("ppo@titan_race-v3", titan_env.registry.load("titan_race"))
app(["replay", sys.argv[2], "--out", sys.argv[3]])
"""


USER = """
import numpy as np

import titan_env
from titan_env import agents, titan_race_v3
from titan_env.evaluation.matches.match import win_rates

env: titan_env.GameAEC = titan_race_v3.env(titans=2)
env.reset(seed=1)
version: str = titan_env.__version__
game = titan_env.load("titan_race")
agent = agents.load("random", game)
batch = titan_env.Batch(game, 4, titans=2)
batch.seed(1)
batch.start()
actions = agent(batch.observations, batch.masks, np.random.default_rng(0))
batch.step(actions)
rates: list[float] = [share.rate for share in win_rates(game, {"a": agent, "b": agent}, 2, 0, titans=2).values()]
envs = titan_env.GameVectorEnv(game, 4, titans=2, seat=0, max_cycles=9)
titan_env.GameVectorEnv(game, 4, seat="first")  # type: ignore[arg-type]
titan_env.GameEnv(game, reward=1)  # type: ignore[arg-type]
titan_env.GameAEC(game, titans=2.5)  # type: ignore[arg-type]
titan_race_v3.env(max_cycles="nine")  # type: ignore[arg-type]
"""


BUILD = "import sys, pathlib; from tools.wheel import build_wheels; build_wheels(pathlib.Path(sys.argv[1]))"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel, with the code of all games built from this checkout, is installed into."""
    folder = tmp_path_factory.mktemp("wheel")
    rubbish = shutil.ignore_patterns(".*", "runs", "build", "built", "dist", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, folder / "source", ignore=rubbish)
    for command in (["-m", "titan_env", "cache", "--build"], ["-c", BUILD, str(folder)]):
        subprocess.run([sys.executable, *command], check=True, capture_output=True, cwd=folder / "source")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    (site,) = (folder / "venv").glob("lib/python*/site-packages")
    subprocess.run([*pip, "install", "--no-deps", "--target", str(site), str(wheel)], check=True)
    (site / "others.pth").write_text(sysconfig.get_path("purelib"))  # where the libraries are that it needs
    return site


def test_it_brings_one_package_and_one_command(installed: Path) -> None:
    names = {path.name for path in installed.iterdir() if not path.name.endswith((".dist-info", ".pth"))}
    assert names == {"titan_env", "bin"}
    assert [path.name for path in (installed / "bin").iterdir()] == ["titan_env"]


def test_it_is_for_this_python_and_for_the_machines_of_numba_and_not_too_large(installed: Path) -> None:
    (wheel,) = installed.parents[3].glob("*.whl")
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.stem.endswith(f"-{version}-none-{platform()}")
    assert wheel.stat().st_size < 12e6


@pytest.mark.compiled
@pytest.mark.parametrize("name", [name for name in registry.GAMES if name not in GAMES])
def test_every_api_and_agent_of_a_game_begins_without_a_compilation(installed: Path, tmp_path: Path, name: str) -> None:
    names = [agent for agent in agents.names(name) if agent.partition(":")[0] not in ("flat", "mcts")]
    arguments = " ".join([registry.address(registry.load(name)), *names, "flat:2", "mcts:2"])
    result = subprocess.run(
        [sys.executable, str(PROGRAMS / "use_everything.py"), arguments],
        env={**os.environ, "PYTHONPATH": str(installed), "TITAN_ENV_CACHE": str(tmp_path / "cache")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    # Lists of outcomes with what they call, and the command `balance`.
    on_demand = {"outcome_rows", "likelihood", "set_next", "ol_min.<locals>.impl", "step_and_count_rows"}
    assert {line.rpartition(" ")[2] for line in result.stdout.splitlines()} <= on_demand


@pytest.mark.compiled
@pytest.mark.parametrize("name", [name for name in registry.GAMES if name not in GAMES])
def test_without_numba_every_game_plays_the_bytes_of_the_compiled_checkout(installed: Path, name: str) -> None:
    command = [sys.executable, str(PROGRAMS / "play_everything.py")]
    plays = [
        subprocess.run(
            [*command, option, registry.address(registry.load(name))],
            env={**os.environ, "PYTHONPATH": str(place)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for place, option in ((installed, "--without-numba"), (ROOT, "--by-numba"))
    ]
    assert plays[0] == plays[1]
    assert len(plays[0]) == 5


def test_numba_is_asked_for_where_nothing_is_built(installed: Path) -> None:
    (metadata,) = installed.glob("*.dist-info/METADATA")
    asked = [line for line in metadata.read_text("utf-8").splitlines() if "numba" in line]
    assert 'Requires-Dist: numba>=0.68; extra == "author"' in asked
    assert all("extra ==" in line for line in asked)
    message = "from setuptools import build_meta; print(build_meta.prepare_metadata_for_build_wheel('.'))"
    bare = installed.parents[3] / "source"
    shutil.move(bare / "titan_env" / "built", installed.parents[3] / "built")
    made = subprocess.run([sys.executable, "-c", message], capture_output=True, text=True, check=True, cwd=bare)
    text = (bare / made.stdout.split()[-1] / "METADATA").read_text("utf-8")
    assert "Requires-Dist: numba>=0.68\n" in text


STRICTLY = (
    "[mypy-mine]\ndisallow_any_generics = True\ndisallow_untyped_calls = True\nwarn_return_any = True\n"
    "warn_unused_ignores = True\n"
)
"""What mypy's ``--strict`` asks of a script beyond what `setup.cfg` asks of this package."""


def test_a_users_script_is_typed_strictly_against_the_wheel(installed: Path, tmp_path: Path) -> None:
    """Of a module that is the same in the wheel as here mypy takes what `make lint` has found out of it."""
    script, settings, cache = tmp_path / "mine.py", tmp_path / "setup.cfg", tmp_path / "cache"
    script.write_text(USER)
    settings.write_text((ROOT / "setup.cfg").read_text("utf-8") + STRICTLY, "utf-8")
    if (ROOT / ".mypy_cache").exists():
        shutil.copytree(ROOT / ".mypy_cache", cache)
    python = installed.parents[2] / "bin" / "python"
    mypy = [sys.executable, "-m", "mypy", "--python-executable", str(python), "--cache-dir", str(cache)]
    result = subprocess.run([*mypy, str(script)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert result.returncode == 0, result.stdout


def test_a_film_is_made_and_the_page_is_served_by_the_built_wheel(installed: Path, tmp_path: Path) -> None:
    out = tmp_path / "race.html"
    result = subprocess.run(
        [sys.executable, "-c", CHECK, str(installed), str(GOLDEN), str(out)],
        env={**os.environ, "PYTHONPATH": str(installed)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert out.read_text("utf-8") == render_html(read(GOLDEN)), "the very page that the browser test opens"
