"""The documentation is true: its examples print what they say, it builds without a warning, no link leads nowhere."""

from __future__ import annotations

import configparser
import doctest
import importlib
import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
import typer
from PIL import Image

from titan_env import agents, registry
from titan_env.__main__ import app
from titan_env.agents.name_grammar import split_names
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.option_text import read_choices, read_options
from titan_env.evaluation.matches import evaluate
from titan_env.training import ppo
from tools import commands, illustrate

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
MADE = ("_made", "_build")  # when the site is built
WRITTEN = [ROOT / "README.md", *(path for path in sorted(DOCS.rglob("*.md")) if not set(MADE) & set(path.parts))]
ELSEWHERE = ("text_libraries",)  # run by tests/text_libraries, where its libraries are installed
PAGES = [page for page in WRITTEN if ">>>" in page.read_text("utf-8") and page.stem not in ELSEWHERE]


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_every_example_prints_what_it_says(page: Path) -> None:
    results = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert results.attempted > 1
    assert results.failed == 0


SCRIPTS = sorted((ROOT / "training").glob("*.py"))
COMMANDS = sorted(
    {
        found.rstrip()
        for page in (*WRITTEN, *SCRIPTS)
        for found in re.findall(r"python -m ((?:titan_env\.)?training\.[^`\n#]+)", page.read_text("utf-8"))
    }
)
OTHERS = ("titan_env.training.rllib_ppo",)  # scripts that need an environment of their own


@pytest.mark.parametrize("command", [command for command in COMMANDS if command.split()[0] not in OTHERS])
def test_every_command_names_arguments_that_its_script_has_and_values_that_it_takes(command: str) -> None:
    script, *arguments = shlex.split(command)
    app = typer.Typer()
    app.command()(importlib.import_module(script).main)
    context = typer.main.get_command(app).make_context(script, arguments, resilient_parsing=not arguments)
    given = context.params
    if ":" in (given.get("game") or ""):
        pytest.skip("a game that the page writes")
    loaded = registry.load(given.get("game") or "titan_race")
    varied = ppo.Config(vary=read_choices(given.get("vary") or ())).dealt()
    options = read_options(given.get("option") or given.get("options") or ())
    for table in (*varied, *evaluate.cells(given.get("over") or []), options):
        GameSetup.of(loaded, table)
    beside = given.get("others")  # agents, or the share of games in which they sit
    named = [*(given.get("names") or ()), *(beside if isinstance(beside, list) else ()), given.get("one")]
    for name in (*named, *split_names(given.get("scripted") or "")):
        if name and not name.startswith(("policy:", "chat:")):
            agents.load(name, loaded)


def test_the_reference_tells_of_every_command_and_option() -> None:
    page = commands.reference()
    for command in app.registered_commands:
        assert command.callback is not None
        assert f"## {command.callback.__name__}\n\n{(command.callback.__doc__ or '').partition(chr(10))[0]}" in page
    assert "| `--option, -o` | Option of the game: name=value; repeatable. |" in page
    for script in (
        "training.ppo",
        "evaluation.matches.evaluate",
        "evaluation.ratings.tournament",
        "training.minari_dataset",
    ):
        assert f"## {script}\n" in page
    message = "Option of the game: name=value, the same in every game; repeatable."
    assert f"| `--option, -o` | {message} |" in page, "scripts tell of theirs too"


def test_every_module_has_its_line_and_the_api_tells_only_of_modules_that_there_are() -> None:
    page = commands.modules()
    files = {path for path in (ROOT / "titan_env").rglob("*.py") if not path.is_symlink()}
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in files}
    listed = dict(re.findall(r"^\| `([\w.]+)` \| (.*) \|$", page, re.M))
    assert set(listed) == names
    assert all(listed.values())
    described = {
        module
        for page in (DOCS / "reference" / "python_api").glob("*.md")
        for module in re.findall(r"automodule:: (\S+)", page.read_text("utf-8"))
    }
    assert described
    assert described <= names


def test_a_link_leads_to_what_a_reader_of_the_repository_has() -> None:
    for page in WRITTEN:
        for target in re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", page.read_text("utf-8")):
            path = (page.parent / unquote(target)).resolve()
            is_here = path.exists() and not set(MADE) & set(path.parts)
            assert is_here, f"{page.relative_to(ROOT)} links to {target}"


@pytest.mark.parametrize(
    "table", sorted((DOCS / "measured").glob("*/*.md")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_the_command_of_a_measured_table_writes_it_where_it_lies(table: Path) -> None:
    outs = re.findall(r"--out (docs/\S+)", table.read_text("utf-8"))
    assert outs == [table.relative_to(ROOT).as_posix()]


def test_the_pictures_of_the_games_are_what_is_drawn_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictured = [name for name in registry.names() if (DOCS / "pictures" / f"{name}.png").exists()]
    assert pictured
    monkeypatch.setattr(registry, "names", lambda: pictured)
    illustrate.portray(tmp_path)
    for name in pictured:
        with Image.open(tmp_path / f"{name}.png") as now, Image.open(DOCS / "pictures" / f"{name}.png") as shown:
            assert now.size == shown.size
            assert np.abs(np.array(now.convert("RGB"), float) - np.array(shown.convert("RGB"), float)).mean() < 1


class Links(HTMLParser):
    """The links of a page, and the places in it that links may lead to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.places.add(found.get("id") or "")
        self.links += [link for link in (found.get("href"), found.get("src")) if link]


def test_the_site_builds_without_a_warning_and_no_link_in_it_leads_nowhere(tmp_path: Path) -> None:
    # The sidebars without a line for each function, which Sphinx copies into all pages in a quarter of its time.
    quick = ["-D", "toc_object_entries=0"]
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", *quick, "-b", "html", str(DOCS)]
    result = subprocess.run([*build, str(tmp_path)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    pages = {page: Links(page) for page in tmp_path.rglob("*.html")}
    assert len(pages) > 15
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.exists(), f"{page.relative_to(tmp_path)} links to {link}"
            # Sources link back to what they hold by the name that other pages import it by, which none may document.
            is_back = page.is_relative_to(tmp_path / "_modules")
            known = (
                is_back or not parts.fragment or target not in pages or unquote(parts.fragment) in pages[target].places
            )
            assert known, f"{page.relative_to(tmp_path)} links to {link}"


def test_the_page_of_speed_is_of_this_version_and_has_every_game() -> None:
    page = (DOCS / "measured" / "speed.md").read_text("utf-8")
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    assert re.search(rf"version {re.escape(setup['metadata']['version'])}\b", page, re.I)
    games = [registry.load(name) for name, entry in registry.GAMES.items() if str(entry.place).startswith("titan_env.")]
    assert [game.name for game in games if f"| {game.metadata.title}, " not in page] == []
