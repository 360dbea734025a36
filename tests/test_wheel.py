"""What is installed from the wheel has everything that it needs: rules, boards, policies, pages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from titan_env.film import film
from titan_env.replay import read

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden" / "race_2.jsonl"

CHECK = """
import sys, titan_env
from starlette.testclient import TestClient
from titan_env.__main__ import app
from titan_env.web.server import Server, application
import agents, training
assert all(package.__file__.startswith(sys.argv[1]) for package in (titan_env, agents, training)), titan_env.__file__
client = TestClient(application(Server()), base_url="http://localhost")
assert all(client.get(path).status_code == 200 for path in ("/", "/app.js", "/style.css"))
assert client.post("/api/rules", json={"game": "titan_race"}).status_code == 200
agents.load("ppo@titan_race-v0", titan_env.registry.load("titan_race"))
app(["replay", sys.argv[2], "--out", sys.argv[3]])
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel, built from this checkout, is installed into."""
    folder = tmp_path_factory.mktemp("wheel")
    rubbish = shutil.ignore_patterns(".*", "runs", "build", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, folder / "source", ignore=rubbish)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", str(folder / "source"), "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run([*pip, *build], check=True, capture_output=True, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", str(folder / "site"), str(wheel)], check=True)
    return folder / "site"


def test_a_film_is_made_and_the_page_is_served_by_the_built_wheel(installed: Path, tmp_path: Path) -> None:
    out = tmp_path / "race.html"
    told = subprocess.run(
        [sys.executable, "-c", CHECK, str(installed), str(GOLDEN), str(out)],
        env={**os.environ, "PYTHONPATH": str(installed)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert out.read_text("utf-8") == film(read(GOLDEN)), "the very page that the browser test opens"
