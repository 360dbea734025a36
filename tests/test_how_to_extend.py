"""The how-tos that extend a game, add an environment API and add a request of the page are true: they are run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
HOW_TO = ROOT / "docs" / "how-to"
PAGE = ROOT / "titan_env" / "web" / "page"


def blocks(page: str, language: str = "python") -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (HOW_TO / page).read_text("utf-8"), re.S)


@pytest.mark.thorough
def test_the_game_with_secrets_and_a_picture_keeps_what_games_promise(tmp_path: Path) -> None:
    whole = {name: (HOW_TO / name).read_text("utf-8") for name in ("add_a_game.md", "extend_a_game.md")}
    for page, file in (("add_a_game.md", "stairs.py"), ("extend_a_game.md", "charms.py")):
        built = whole[page].partition("## Check it")[0]
        (tmp_path / file).write_text("\n".join(re.findall(r"```python\n(.*?)```", built, re.S)), "utf-8")
    around = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", blocks("extend_a_game.md")[-1]]
    done = subprocess.run(command, cwd=tmp_path, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_environment_of_the_page_plays_the_same_games_as_ours() -> None:
    environment, test = blocks("add_an_environment_api.md")
    names: dict[str, Any] = {"__name__": "time_step"}
    exec(environment, names)
    exec(test, names)
    assert names["now"].is_last
    with pytest.raises(TypeError, match="titanz"):
        names["TimeStepEnv"]("titan_race", titanz=2)


def test_the_files_that_the_page_of_apis_names_are_there() -> None:
    text = (HOW_TO / "add_an_environment_api.md").read_text("utf-8")
    named = {name for name in re.findall(r"`((?:titan_env|tools|docs)/[\w/-]+\.\w+)`", text) if "time_step" not in name}
    assert len(named) > 3
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_request_of_the_page_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("starlette")
    from titan_env.web.requests import server

    monkeypatch.chdir(ROOT)
    handler, test = blocks("add_to_the_page.md")
    names: dict[str, Any] = {}
    exec(handler, names)
    monkeypatch.setitem(server.HANDLERS, "points", names["points"])
    exec(test, names)
    assert names["view"]["id"]


def test_the_script_of_the_page_imports_what_the_page_has() -> None:
    (script,) = blocks("add_to_the_page.md", "js")
    (imported,) = re.findall(r'import \{ (.*) \} from "./dom.js"', script)
    exported = re.findall(r"^export (?:async )?(?:function|const) (\w+)", (PAGE / "dom.js").read_text("utf-8"), re.M)
    assert set(imported.split(", ")) <= set(exported)
