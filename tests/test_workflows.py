"""Workflows, hooks before a commit and forms of the repository's site name commands and files that exist."""

from __future__ import annotations

import configparser
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yaml"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
NOT_OURS = {"pip"}
"""Modules that `python -m` finds in any environment."""
WRITES = {"docs.yaml"}
"""Workflows that may write to the repository: the branch of the site."""
SCHEMAS = {
    "vendor.github-workflows": ".github/workflows/*.yaml",
    "vendor.github-issue-forms": ".github/ISSUE_TEMPLATE/*.yaml",
    "vendor.dependabot": ".github/dependabot.yaml",
    "vendor.citation-file-format": "CITATION.cff",
    "vendor.compose-spec": "hosting/compose.yaml",
}


def read(path: Path) -> dict[str, Any]:
    """A YAML file; its key `on` is read as True."""
    found = yaml.safe_load(path.read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def jobs() -> list[dict[str, Any]]:
    return [job for path in WORKFLOWS for job in read(path)["jobs"].values()]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_says_when_it_runs_where_and_for_how_long_and_may_only_read(path: Path) -> None:
    workflow = read(path)
    assert workflow.keys() <= {"name", True, "permissions", "concurrency", "defaults", "jobs"}
    assert workflow[True]
    assert workflow["permissions"] == {"contents": "write" if path.name in WRITES else "read"}
    for job in workflow["jobs"].values():
        assert job.keys() <= {"strategy", "runs-on", "timeout-minutes", "steps"}
        assert 0 < job["timeout-minutes"] <= 180
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            assert re.fullmatch(r"actions/[\w-]+@v\d+", step.get("uses", "actions/none@v0"))


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_for_the_site_of_the_repository_meet_their_published_schema(schema: str) -> None:
    pytest.importorskip("check_jsonschema")
    files = list(map(str, ROOT.glob(SCHEMAS[schema])))
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *files]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert (bool(files), checked.returncode) == (True, 0), checked.stdout


def test_every_command_of_a_workflow_is_one_of_this_repository() -> None:
    lines = [step["run"] for job in jobs() for step in job["steps"] if "run" in step]
    assert lines
    for line in lines:
        words = shlex.split(line)
        if words[0] == "make":
            assert re.search(rf"^{words[1]}:", MAKEFILE, re.MULTILINE), line
        elif words[0] == "python":
            assert words[1] == "-m", line
            assert words[2] in NOT_OURS or find_spec(words[2]), line
        elif words[0] == "git":
            assert words[1:3] == ["-C", "site"], line
        else:
            assert line.startswith("sudo apt-get "), line


def test_the_matrix_has_every_python_that_is_declared() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    declared = re.findall(r"Python :: (3\.\d+)", setup["metadata"]["classifiers"])
    (matrix,) = [job["strategy"]["matrix"] for job in jobs() if "strategy" in job]
    assert matrix["python"] == declared
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "windows", "macos"]


def test_before_a_commit_runs_what_make_lint_runs() -> None:
    (repository,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    recipe = MAKEFILE.partition("\nlint: setup\n")[2].partition("\n\n")[0]
    linted = [line.strip().replace("$(VENV)", ".venv") for line in recipe.splitlines()]
    assert [hook["entry"] for hook in repository["hooks"]] == linted


def test_forms_and_updates_are_whole() -> None:
    for form in map(read, (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yaml")):
        assert {"name", "description", "body"} <= form.keys()
        assert all(part["attributes"]["label"] for part in form["body"])
    updates = read(ROOT / ".github" / "dependabot.yaml")["updates"]
    assert all((ROOT / update["directory"].strip("/")).is_dir() for update in updates)
