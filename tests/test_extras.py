"""Where something of an extra is missing one line says so, and what to type; the docs list all extras."""

from __future__ import annotations

import ast
import configparser
import importlib.metadata
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from tests.environments import CommandOutput, libraries, run_commands
from titan_env import extras
from tools.extras import COMMANDS, DOOR, DOORS

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "titan_env"
SETUP = configparser.ConfigParser()
SETUP.read(ROOT / "setup.cfg", "utf-8")

MODULES = {
    "choix": "choix",
    "matplotlib": "matplotlib.figure",
    "onnx": "onnx",
    "rich": "rich.console",
    "scipy": "scipy.stats",
    "tensorboard": "tensorboard",
    "tomli-w": "tomli_w",
    "torch": "torch",
    "typer": "typer",
}
"""Library -> the module of it that many commands import."""

RLLIB = "titan_env.training.rllib_ppo"
"""It runs in an environment of its own, and says how that is made."""


def names(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")


MINARI = "titan_env.training.minari_dataset"
SB3 = "titan_env.training.sb3_maskable_ppo"
SPEED = "titan_env.evaluation.speed"
LATER = {SB3: "sb3", SPEED: "training"}
"""Commands that take two extras, that of their package and then this one."""

WIDEST = ["titan_env.evaluation.ratings.ladder", "titan_env.training.demo"]
"""Commands that import most of the libraries."""

NEED_NOTHING = {
    "titan_env.games.tiny_turbo_cars.solver.last_round",
    "titan_env.games.titan_battle.solver.duel",
    "titan_env.games.titan_battle.value.calibrate",
}
"""Commands that need nothing but the package."""

LINE = re.compile(r"Error: expected ([\w.]+), which the extra (\w+) brings; (pip install .+)\n")


def in_environment(present: set[str], commands: list[str], without: str = "") -> dict[str, CommandOutput]:
    """The answers of commands to ``--help`` where these libraries are installed."""
    loaded = [module for library, module in MODULES.items() if library in present and not without]
    asked = [[module, "--help"] for module in commands]
    return dict(zip(commands, run_commands(asked, present - {without}, loaded), strict=True))


def cure(line: str) -> set[str]:
    """The libraries that the command at the end of a line installs."""
    found = LINE.fullmatch(line)
    assert found, line
    steps = [shlex.split(step) for step in found[3].split(" && ")]
    asked = [word for step in steps for word in step[2 : step.index("--index-url") if "--index-url" in step else None]]
    return libraries(*asked)


@pytest.mark.thorough
def test_every_command_says_in_one_line_what_it_lacks_and_that_line_cures_it() -> None:
    bare = libraries("titan_env")
    answers = in_environment(bare, COMMANDS)
    assert answers.pop(RLLIB).text.startswith("Error: expected ray; run make rllib, and then this script with ")
    helped = {module for module, answer in answers.items() if answer.status == 0}
    assert helped == NEED_NOTHING
    cures = {module: frozenset(bare | cure(answers[module].text)) for module in answers.keys() - helped}
    for present in set(cures.values()):
        cured = in_environment(set(present), [module for module, installed in cures.items() if installed == present])
        for module in LATER.keys() & cured.keys():
            assert f"which the extra {LATER[module]} brings; pip install " in cured.pop(module).text
        assert [answer.text for answer in cured.values() if answer.status != 0] == []


@pytest.mark.thorough
@pytest.mark.parametrize("library", ["typer", "rich", "scipy", "choix", "matplotlib", "tomli-w", "torch"])
def test_a_library_that_is_missing_alone_is_named_alone(library: str) -> None:
    present = libraries("titan_env[training]")
    answers = in_environment(present, WIDEST, without=library)
    lacking = [answer.text for answer in answers.values() if f"expected {library.replace('-', '_')}" in answer.text]
    assert lacking
    for line in lacking:
        assert cure(line) & libraries("titan_env[training]") <= libraries(library), line


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("extra", "commands"),
    [
        ("cli", ["titan_env"]),
        ("evaluation", sorted({name for name in COMMANDS if ".evaluation." in name} - {SPEED})),
        ("training", sorted({SPEED, *(name for name in COMMANDS if ".training." in name)} - {RLLIB, SB3, MINARI})),
        ("training,sb3", [SB3]),
        ("minari", [MINARI]),
    ],
)
def test_an_extra_is_enough_for_what_it_is_named_by(extra: str, commands: list[str]) -> None:
    """The extra `evaluation` brings all that evaluating takes, and no torch."""
    present = libraries(f"titan_env[{extra}]")
    assert ("torch" in present) == ("training" in extra)
    answers = in_environment(present, commands)
    assert [answer.text for answer in answers.values() if answer.status != 0] == []


def imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The libraries that are imported in a file, each with the extra in whose block it stands, or ''."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((one.name.partition(".")[0], "") for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0], ""
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        elif isinstance(node, ast.With) and (found := re.match(r"extra\('(\w+)'\)", ast.unparse(node.items[0]))):
            yield from ((library, found[1]) for library, _ in imports(node))
        else:
            yield from imports(node)


def demanded(file: Path) -> set[str]:
    """The libraries that a file, or a package around it, demands by `needs` before it imports them."""
    around = [folder / "__init__.py" for folder in file.parents if folder.is_relative_to(PACKAGE)]
    calls = "".join(re.findall(r"needs\((.+)\)", "\n".join(path.read_text("utf-8") for path in [file, *around])))
    return set(re.findall(r'"(\w+)"', calls))


BY_ITSELF = {
    RLLIB: "it says how its environment is made",
    "titan_env.engine.packing": "it is handed tensors of torch",
    "titan_env.evaluation.reports.speed_cases": "its worker measures whatever there is, and says what is not",
}
"""Modules that import a library as it is, with the reason."""


@pytest.mark.thorough
def test_every_library_of_an_extra_is_imported_where_its_absence_is_told() -> None:
    plain = {"numpy", "numba", "llvmlite", "gymnasium", "pettingzoo", "titan_env", *sys.stdlib_module_names}
    of_module = importlib.metadata.packages_distributions()
    for file in PACKAGE.rglob("*.py"):
        found = {one for one in imports(ast.parse(file.read_text("utf-8"))) if one[0] not in plain}
        guarded = {library for library, extra in found if extra} | demanded(file)
        assert names(file) in BY_ITSELF or {library for library, _ in found} <= guarded, file
        for library, extra in found:
            if extra and library in of_module:
                assert set(map(normal, of_module[library])) & declared(extra), (file, library, extra)


def declared(extra: str) -> set[str]:
    """The libraries that an extra declares."""
    return {re.split(r"\W", normal(line))[0] for line in SETUP["options.extras_require"][extra].splitlines()}


def normal(name: str) -> str:
    return name.replace("-", "_").lower()


SCRIPT = """
{before}
for module, (extra, door) in {doors}.items():
    sys.modules[module] = None
    try:
        eval(door)
    except titan_env.extras.MissingExtra as error:
        print(error)
    del sys.modules[module]
"""


@pytest.mark.thorough
def test_every_way_in_that_needs_an_extra_says_which() -> None:
    script = SCRIPT.format(before=DOOR, doors=DOORS)
    python = [sys.executable, "-c", script]
    environment = os.environ | {"SDL_VIDEODRIVER": "dummy"}
    answer = subprocess.run(python, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    lines = answer.stdout.splitlines()
    for line, (module, (extra, _)) in zip(lines, DOORS.items(), strict=True):
        assert re.match(rf"expected {module}[\w.]*, which the extra {extra} brings; pip install \S", line), line


def test_a_mistake_of_the_program_keeps_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    extras.told_in_one_line("training")
    sys.excepthook(ValueError, ValueError("a mistake of the program"), None)
    assert capsys.readouterr().err == "ValueError: a mistake of the program\n"


def test_what_to_install_is_what_is_declared_and_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    declared = [
        "numpy>=1.26",
        'numpy>=1; extra == "sb3"',
        "no-such-package<3,>=2; extra == 'sb3'",
        'no-other; extra == "web"',
        'not-on-macs; sys_platform != "darwin" and extra == "hub"',
        'not-on-windows; sys_platform != "win32" and extra == "signing"',
    ]
    monkeypatch.setattr(importlib.metadata, "requires", lambda package: declared)
    monkeypatch.setattr(extras, "_is_installed", lambda library: library == "numpy")
    assert extras.lacking("sb3") == ["no-such-package<3,>=2"]
    assert str(extras.missing("sb3", "it")).endswith("pip install 'no-such-package<3,>=2'")
    assert str(extras.missing("cli", "part.of_it")).endswith("pip install part"), "a library of the extra's needs it"
    monkeypatch.setattr(sys, "platform", "win32")
    assert (extras.lacking("signing"), extras.lacking("hub")) == ([], ["not-on-macs"])
    declared.append('torch>=2; extra == "sb3"')
    steps = "pip install 'torch>=2' --index-url https://download.pytorch.org/whl/cpu && pip install 'no-such-"
    assert f"; {steps}" in str(extras.missing("sb3", "torch"))


def test_a_checkout_that_is_not_installed_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "PACKAGE", "no-such-package")
    assert str(extras.missing("cli", "typer")).endswith("pip install -e '.[cli]'")


def test_the_page_on_installing_says_what_every_extra_is_for() -> None:
    page = (ROOT / "docs" / "tutorial" / "install.md").read_text("utf-8")
    table = page.partition("| extra | what it is for |")[2].partition("\n\n")[0]
    listed = re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]+)\|", table, re.M)))
    assert sorted(listed) == sorted(SETUP["options.extras_require"])


def test_every_pinned_library_runs_on_the_first_release_of_the_lowest_python() -> None:
    pinned = re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text("utf-8"), re.MULTILINE)
    present = {distribution.name: distribution for distribution in importlib.metadata.distributions()}
    first = f"{SETUP['options']['python_requires'].removeprefix('>=')}.0"
    pythons = {name: present[name].metadata.get("Requires-Python", "") for name in pinned if name in present}
    assert len(pythons) > 100
    assert {name: python for name, python in pythons.items() if first not in SpecifierSet(python)} == {}
