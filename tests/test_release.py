"""Addresses, changelog fragments and the site of all versions are what a release takes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tools import addresses, docs_site
from tools.addresses import Project

ROOT = Path(__file__).parents[1]
CHANGES = sorted(path for path in (ROOT / "changes").iterdir() if path.name != "README.md")
NOTES = ["Breaking", "Added", "Changed", "Fixed"]
FACTS = Project("https://github.com/lab/games", "https://lab.github.io/games", "9.8.7")


def test_the_readme_the_notebooks_and_the_citation_have_the_addresses_of_setup_cfg() -> None:
    stale = [path.name for path, text in addresses.files().items() if path.read_text("utf-8") != text]
    assert stale == [], "run: python -m tools.addresses"


def test_another_address_replaces_the_one_before_and_nothing_else() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    moved = addresses.with_badges(readme, FACTS)
    assert "https://github.com/lab/games/actions/workflows/tests.yaml/badge.svg" in moved
    assert addresses.with_badges(moved, addresses.project()) == readme
    path = ROOT / "notebooks" / "2_train_a_racer.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    opened = addresses.with_colab(notebook, path.stem, FACTS)
    first, install = ("".join(cell["source"]) for cell in opened["cells"][:2])
    assert "/github/lab/games/blob/v9.8.7/notebooks/2_train_a_racer.ipynb)" in first
    assert "titan_env[training]==9.8.7" in install
    assert addresses.with_colab(opened, path.stem, addresses.project()) == notebook


def test_the_cell_that_installs_the_wheel_does_so_on_colab_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell.instance()
    path = ROOT / "notebooks" / "1_a_first_race.ipynb"
    cell = "".join(json.loads(path.read_text("utf-8"))["cells"][1]["source"])
    asked: list[str] = []
    shell.register_magic_function(asked.append, magic_name="pip")
    shell.run_cell(cell).raise_error()
    assert asked == []
    monkeypatch.setitem(sys.modules, "google.colab", sys)
    shell.run_cell(cell).raise_error()
    assert [text.split()[:2] for text in asked] == [["install", "--quiet"]]


def test_a_change_is_one_sentence_in_a_file_of_a_known_kind() -> None:
    kinds = [
        kind["directory"]
        for kind in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]["type"]
    ]
    for path in CHANGES:
        assert re.fullmatch(rf"(\+[a-z0-9_-]+|\d+)\.({'|'.join(kinds)})(\.\d+)?\.md", path.name), path.name
        text = path.read_text("utf-8")
        assert re.fullmatch(r".*[^ ]\n?", text), f"{path.name}: expected one line"
        assert text.strip().endswith((".", ".**")), path.name


def test_a_release_puts_its_changes_above_those_of_earlier_ones(tmp_path: Path) -> None:
    pytest.importorskip("towncrier")
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "changes").mkdir()
    for number, kind in enumerate(NOTES, 1):
        (tmp_path / "changes" / f"{number}.{kind.lower()}.md").write_text(f"{kind} it.\n", "utf-8")
    command = [sys.executable, "-m", "towncrier", "build", "--version", "9.8.7", "--date", "2030-01-02", "--yes"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    before = (ROOT / "CHANGELOG.md").read_text("utf-8").partition("\n## ")[2]
    _, newest, *earlier = (tmp_path / "CHANGELOG.md").read_text("utf-8").split("\n## ")
    assert newest.startswith("9.8.7 (2030-01-02)\n")
    assert re.findall(r"^### (\w+)\n\n- (.*)$", newest, re.MULTILINE) == [
        (kind, f"{kind} it. (#{number})") for number, kind in enumerate(NOTES, 1)
    ]
    assert "\n## ".join(earlier) == before
    assert list((tmp_path / "changes").glob("*.md")) == []


def test_each_version_has_a_folder_and_the_first_page_leads_to_the_newest_release(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for name, text in (("main", "new"), ("v0.9.0", "nine"), ("v0.10.0", "ten"), ("main", "newer")):
        built = tmp_path / f"{name}-{text}"
        (built / "_static").mkdir(parents=True)
        (built / "index.html").write_text(text, "utf-8")
        (built / f"{text}.html").touch()
        docs_site.publish(built, site, name)
    assert json.loads((site / "versions.json").read_text("utf-8")) == ["v0.10.0", "v0.9.0", "main"]
    assert "url=v0.10.0/" in (site / "index.html").read_text("utf-8")
    assert sorted(path.name for path in (site / "main").glob("*.html")) == ["index.html", "newer.html"]
    assert (site / "v0.9.0" / "index.html").read_text("utf-8") == "nine"


@pytest.mark.parametrize("name", ["a/b", "..", "", ".git"])
def test_a_version_whose_name_is_none_of_a_folder_is_refused_and_the_site_stays(tmp_path: Path, name: str) -> None:
    (tmp_path / "index.html").touch()
    with pytest.raises(ValueError, match="expected the name of a tag or branch without a slash"):
        docs_site.publish(tmp_path, tmp_path / "site", name)
    with pytest.raises(ValueError, match="run make docs"):
        docs_site.publish(tmp_path / "none", tmp_path / "site", "main")
    assert not (tmp_path / "site").exists()
