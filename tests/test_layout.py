"""The house keeps its order: what generic code may know, what each folder holds, what pages say."""

from __future__ import annotations

import ast
import configparser
import dataclasses
import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from titan_env import registry
from titan_env.contract import Game, Presentation, Rules, Text, defaults
from titan_env.records.replay import positions, read
from tools.architecture import layers, layers_picture
from tools.tables import pages, reference

ROOT = Path(__file__).parent.parent
SOURCES = sorted(path for path in (ROOT / "titan_env").rglob("*.py"))
GAMES = sorted(path for path in (ROOT / "titan_env" / "games").iterdir() if (path / "__init__.py").exists())
PAGES = [path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")] if not {"_made", "_build"} & set(path.parts)]
ALLOWED_TO_NAME_GAMES = {"titan_env/registry.py", "titan_env/training/demo.py"}
BUILDS_ON = re.findall(
    r"titan_env\.games\.(\w+)\.\*\* -> titan_env\.games\.(\w+)\.\*\*", (ROOT / "setup.cfg").read_text()
)
"""Each game that builds on another, and that one, as the import contract says."""
MOST_LINES = 400
MOST_LINES_OF_AN_AGENT = 25
"""The lines of a function's statements in the agents of games, from which people learn to play."""
MOST_LINES_OF_A_GAME = 60
"""The lines of a game's own `__init__.py`."""
MOST_WORDS_OF_A_NOTE = 600


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def belongs_to(game: str, path: Path) -> bool:
    """Return whether a file lies in the folder of the game or of one that builds on it, or is named after it."""
    folders = {game, *(other for other, base in BUILDS_ON if base == game)}
    return bool(folders & set(path.parts)) or path.stem == game or path.stem.startswith(f"{game}_v")


def test_files_are_short_and_say_what_they_are() -> None:
    texts = {name_of(path): path.read_text("utf-8") for path in SOURCES}
    assert [name for name, text in texts.items() if len(text.splitlines()) > MOST_LINES] == []
    assert [name for name, text in texts.items() if text and not text.startswith('"""')] == []
    assert [name for name, text in texts.items() if re.search(r"\b(TODO|FIXME|XXX)\b", text)] == []


def _statement_lines(function: ast.FunctionDef) -> int:
    """Return the lines of a function from its first statement behind the docstring on."""
    first = function.body[1 if ast.get_docstring(function) and len(function.body) > 1 else 0]
    return (function.end_lineno or 0) - first.lineno + 1


def test_functions_of_agents_are_short_and_each_expert_tells_its_plan() -> None:
    long, silent = [], []
    for path in (path for game in GAMES for path in sorted((game / "agents").glob("*.py"))):
        tree = ast.parse(path.read_text("utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        long += [f"{name_of(path)} {one.name}" for one in functions if _statement_lines(one) > MOST_LINES_OF_AN_AGENT]
        if path.stem == "expert" and len((ast.get_docstring(tree) or "").splitlines()) < 3:
            silent.append(name_of(path))
    assert long == []
    assert silent == []


@pytest.mark.parametrize("name", [path.name for path in GAMES])
def test_no_generic_file_names_a_game(name: str) -> None:
    words = re.compile(name.replace("_", "[ _]?"), re.IGNORECASE)
    generic = [path for path in SOURCES if not belongs_to(name, path)]
    naming = {name_of(path) for path in generic if words.search(path.read_text("utf-8"))}
    assert naming - ALLOWED_TO_NAME_GAMES == set()


WINGS = [folder.name for folder in (ROOT / "tests").iterdir() if (ROOT / "titan_env" / folder.name).is_dir()]
OTHER_TESTS = {"golden", "properties", "kernels", "rllib", "text_libraries", "rulebooks"}
"""Frozen numbers, what holds across modules, what needs environments of its own, and what rulebooks say."""
WINGS_WITH_ROOMS = re.findall(r"containers =\n    titan_env\.(\w+)\n", (ROOT / "setup.cfg").read_text("utf-8"))
OUTSIDE_THEIR_WING = {
    "tests/web/test_film.py": "titan_env/records/replay_html.py",
    "tests/web/test_widget.py": "titan_env/records/widget.py",
}
"""Tests that stand with others whose browser they need, and what they test."""


def test_each_folder_of_tests_is_that_of_a_wing_or_of_a_game() -> None:
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders - {*WINGS, *(path.name for path in GAMES)} == OTHER_TESTS


@pytest.mark.parametrize("name", WINGS)
def test_a_test_is_named_after_the_module_that_it_tests(name: str) -> None:
    """``tests/WING/test_NAME.py``, or ``test_NAME_more.py``, tests a module, folder, script or name of that wing."""
    public = vars(importlib.import_module(f"titan_env.{name}"))
    subjects = {name, *public, *(file.stem for file in (ROOT / "titan_env" / name).rglob("*"))}
    tests = {name_of(path): path.stem.removeprefix("test_") for path in (ROOT / "tests" / name).glob("test_*.py")}
    homeless = [
        path
        for path, tested in tests.items()
        if not any(tested == subject or tested.startswith(f"{subject}_") for subject in subjects)
    ]
    assert set(homeless) <= set(OUTSIDE_THEIR_WING)
    assert all((ROOT / file).exists() for file in OUTSIDE_THEIR_WING.values())


def test_each_module_of_a_wing_has_a_test_of_its_name_or_says_where_it_is_tested() -> None:
    elsewhere = tomllib.loads((ROOT / "tests" / "tested_elsewhere.toml").read_text("utf-8"))
    for wing in WINGS:
        own = {path.stem.removeprefix("test_") for path in (ROOT / "tests" / wing).glob("test_*.py")}
        modules = {path.stem for path in modules_of(ROOT / "titan_env" / wing)}
        tested = {module for module in modules if any(f"{test}_".startswith(f"{module}_") for test in own)}
        assert modules - tested == set(elsewhere.get(wing, {})), wing
    files = {file for wing in elsewhere.values() for file in wing.values()}
    assert {file for file in files if not (ROOT / "tests" / file).exists()} == set()


def modules_of(wing: Path) -> list[Path]:
    """Return the modules of a wing and of its rooms; a folder is a room where an import contract names it."""
    rooms = [wing] if wing.name not in WINGS_WITH_ROOMS else [wing, *(path for path in wing.iterdir() if path.is_dir())]
    return [path for room in rooms for path in room.glob("[!_]*.py")]


def test_the_compiler_and_the_loops_of_other_devices_alone_name_numba() -> None:
    naming = [name_of(path) for path in SOURCES if re.search(r"^\s*(import|from) numba", path.read_text("utf-8"), re.M)]
    compiler = ("dispatchers", "kept_code", "kernels", "layout_kernels", "library_build", "streaming_code", "target")
    assert sorted(naming) == [*(f"titan_env/compiler/{name}.py" for name in compiler), "titan_env/engine/xla.py"]


@pytest.mark.parametrize("folder", GAMES, ids=name_of)
def test_every_game_has_the_same_files(folder: Path) -> None:
    rules = {f"rules/{name}.py" for name in ("state", "actions", "setup", "legal", "turn", "observation")}
    definitions = {f"{room}/definition.py" for room in ("rules", "words", "picture")}
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    assert {
        "__init__.py",
        "RULES.md",
        "data",
        "words/sentences.py",
        "picture/picture.py",
        *rules,
        *definitions,
    } <= there
    assert folder.name in registry.GAMES


@pytest.mark.parametrize("folder", GAMES, ids=name_of)
def test_the_module_of_a_game_puts_its_three_definitions_together_with_its_metadata(folder: Path) -> None:
    """Its rules, texts and look stand in their rooms, where the import contracts hold them apart."""
    source = (folder / "__init__.py").read_text("utf-8")
    assert len(source.splitlines()) <= MOST_LINES_OF_A_GAME
    for room, name, kind in (
        ("rules", "RULES", Rules),
        ("words", "TEXT", Text),
        ("picture", "PRESENTATION", Presentation),
    ):
        definition = importlib.import_module(f"titan_env.games.{folder.name}.{room}.definition")
        assert isinstance(getattr(definition, name), kind)
        assert f"titan_env.games.{folder.name}.{room}.definition import {name}\n" in source
        assert f"{kind.__name__}(" not in source


def test_metadata_citation_and_changelog_are_of_one_version() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    version = re.escape(setup["metadata"]["version"])
    assert re.search(rf"^version: {version}$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)
    latest = re.search(r"^## .*$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert latest
    assert re.fullmatch(rf"## {version}( \((unreleased|\d{{4}}-\d\d-\d\d)\))?", latest[0])


def test_every_package_is_installed_with_its_data() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    declared = {section.strip() for section in setup["options.package_data"]}
    assert "*" in declared, "every game by its own existence"
    assert (ROOT / "titan_env" / "py.typed").exists()


SCRIPTS = [
    path for path in SOURCES if {"evaluation", "training"} & set(path.parts) and "__main__" in path.read_text("utf-8")
]


def test_scripts_start_with_the_command_that_runs_them() -> None:
    begins = {script: script.read_text("utf-8").partition("\n\n")[2].partition("\n\n")[0] for script in SCRIPTS}
    modules = {script: ".".join(script.relative_to(ROOT).with_suffix("").parts) for script in SCRIPTS}
    assert [name_of(script) for script in SCRIPTS if f"python -m {modules[script]}" not in begins[script]] == []


def test_pages_are_filled_in() -> None:
    assert [name_of(page) for page in PAGES if re.search(r"@[A-Z]+@", page.read_text("utf-8"))] == []


def test_notes_keep_decisions_and_their_reasons_in_few_words() -> None:
    words = {name_of(page): len(page.read_text("utf-8").split()) for page in ROOT.glob("docs/notes/*.md")}
    assert words
    assert {name: count for name, count in words.items() if count > MOST_WORDS_OF_A_NOTE} == {}


def test_links_lead_somewhere() -> None:
    """But for those of the reference to what is made when the site is built, where a test follows them."""
    links = [
        (page, link)
        for page in PAGES
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8"))
        if "_made/" not in link or page.parent.name == "tutorial"
    ]
    assert [(name_of(page), link) for page, link in links if not (page.parent / link).exists()] == []


def test_the_picture_of_the_layers_shows_every_layer_that_the_linter_knows() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    named = re.findall(r"titan_env\.(\w+)", setup["importlinter:contract:layers"]["layers"])
    assert [name for names in layers() for name in names] == named
    assert all(f">{name}</text>" in layers_picture() for name in named)
    there = {path.stem for path in (ROOT / "titan_env").iterdir() if (path / "__init__.py").exists()}
    assert there <= set(named), "a package without a layer"


def test_the_readme_fits_on_two_screens_and_leads_to_the_page_of_every_game_which_shows_it() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) <= 90
    for game in (folder.name for folder in GAMES):
        assert f"](docs/reference/games/{game}.md) (`{game}`)" in readme
        assert f"(../../pictures/{game}.png)" in (ROOT / f"docs/reference/games/{game}.md").read_text("utf-8")


def test_the_readme_has_only_figures_of_speed_that_the_measured_page_has() -> None:
    section = (ROOT / "README.md").read_text("utf-8").partition("## Speed")[2].partition("\n## ")[0]
    rows = re.findall(r"^\|.*\d.*\|$", section, re.M)
    assert rows
    assert set(rows) <= set((ROOT / "docs" / "measured" / "speed.md").read_text("utf-8").splitlines())


def test_the_changelog_has_a_line_for_each_change_under_the_four_kinds() -> None:
    unreleased = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1]
    assert set(re.findall(r"^### (.*)$", unreleased, re.M)) <= {"Breaking", "Added", "Changed", "Fixed"}
    others = [line for line in unreleased.splitlines()[1:] if line and not line.startswith(("### ", "- "))]
    assert others == [], "one line each"
    assert len(unreleased.splitlines()) <= 100


def test_importing_the_package_loads_no_game_and_no_learner() -> None:
    heavy = "{'numba', 'torch', 'stable_baselines3', 'matplotlib'}"
    asked = f"import sys, titan_env; print(*sorted({heavy} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, cwd=ROOT)
    assert loaded.stdout.split() == []


@pytest.mark.thorough
def test_every_page_and_picture_that_is_made_from_the_code_is_up_to_date() -> None:
    stale = [place for place, text in pages().items() if (ROOT / "docs" / place).read_text("utf-8") != text]
    assert stale == [], "run: python -m tools.tables"


def test_a_measured_table_stands_in_its_file_alone_and_the_page_of_results_includes_it_once() -> None:
    tables = {path: path.read_text("utf-8") for path in ROOT.glob("docs/measured/*/*.md")}
    for game in {path.parent.name for path in tables}:
        page = (ROOT / "docs" / "reference" / "games" / f"{game}_results.md").read_text("utf-8")
        included = re.findall(r"^```\{include\} \.\./\.\./measured/(\S+)$", page, re.M)
        assert sorted(included) == sorted(f"{game}/{path.name}" for path in tables if path.parent.name == game)
    rows = {row for text in tables.values() for row in re.findall(r"^\|.*\d.*\|$", text, re.M)}
    copies = {
        name_of(page): rows.intersection(page.read_text("utf-8").splitlines()) for page in set(PAGES) - set(tables)
    }
    assert {page: copied for page, copied in copies.items() if copied} == {}


def test_the_good_game_on_the_page_of_a_game_plays_again_bit_for_bit_to_its_end(game: Game) -> None:
    if Path(game.metadata.folder).parent == ROOT / "titan_env" / "games":
        record = read(ROOT / "docs" / "records" / f"{game.name}.jsonl")
        assert record.game is game
        assert "random" not in record.header["agents"]
        *_, last = positions(record)
        assert last.state.over


def test_the_reference_of_games_names_every_part() -> None:
    page = reference()
    bare = registry.load("bare")
    for value in (bare.rules, bare.text, bare.presentation, bare.metadata):
        for part in dataclasses.fields(value):
            assert f"| `{part.name}` |" in page
    assert set(defaults.rule_parts(bare.rules)) == set(defaults.PLAIN["rules"])
    assert set(defaults.text_parts(bare)) == set(defaults.PLAIN["text"])
    assert set(defaults.presentation_parts(bare)) == set(defaults.PLAIN["presentation"])
    assert all(f"| `{name}` | plain form |" in page for names in defaults.PLAIN.values() for name in names)
