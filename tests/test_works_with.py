"""The scripts of `training/works_with/` run, each where its library is installed; the pages show every one of them."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted((ROOT / "training" / "works_with").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_runs_with_its_library(script: Path) -> None:
    imported = re.findall(r"^(?:import|from) (\w+)", script.read_text("utf-8"), re.M)
    absent = [name for name in imported if find_spec(name) is None]
    if absent:
        pytest.skip(f"{', '.join(absent)} not installed")
    result = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, cwd=ROOT)
    assert result.returncode == 0, result.stderr
    assert result.stdout


def test_the_pages_show_every_script() -> None:
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "docs" / "how-to").glob("*_libraries.md"))
    shown = re.findall(r"literalinclude\} \.\./\.\./training/works_with/(\w+)\.py", pages)
    assert sorted(shown) == [script.stem for script in SCRIPTS]
