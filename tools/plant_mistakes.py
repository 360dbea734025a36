"""Plant mistakes in the rules of games and in packages, one at a time, and print whether a test finds each::

    python -m tools.plant_mistakes titan_race tiny_turbo_cars --each 12 --seed 5
    python -m tools.plant_mistakes engine play envs records --each 12 --seed 5

It works on a copy of the checkout in a temporary folder, with compiled rules of its own. A mistake is a comparison, a
sign, a number, an ``and``, an ``or`` or a ``not`` turned into another, or a statement left out: in a game in a function
under ``@rule``, in a package in any function. Of a game its own tests come first, those that compare whole games before
the others, and then what every game promises. Of a package the tests of the file come first, then those of all four
packages and of the contract; first those that ``make test`` runs, then those that it leaves out.
A mistake that makes the tests take too long is found as well. One that is missed is a gap in the tests, or changes
nothing that can be seen.
"""

from __future__ import annotations

import ast
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import pytest
import typer

from titan_env import registry
from titan_env.cli.console import user_errors

ROOT = Path(__file__).parents[1]
NOT_COPIED = (".*", "__pycache__", "runs", "_build", "_made", "*.egg-info")
FIRST = ("against", "plain", "golden", "sentences", "examples", "view", "invariants")
"""Words in the names of test files that find most, in the order in which these are run."""
PROMISES = ("tests/properties/test_frozen.py", "tests/properties/test_rules.py", "-k")
PACKAGES = ("engine", "play", "envs", "records")
ELSEWHERE = ("cuda.py", "rllib.py", "textarena.py", "verifiers.py", "openenv.py")
"""Files whose tests want a GPU or an environment of their own."""
ALL_TESTS = [f"tests/{folder}" for folder in (*PACKAGES, "properties", "agents", "testing")]
PATIENCE = 2
"""Times the processor's seconds that the tests take without a mistake: then one counts as found."""
COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "and": "or", "or": "and"}
TURNED |= {"+": "-", "-": "+", "not": ""}

Span = Callable[[Any], tuple[int, int]]
"""Says where a node of the syntax tree begins and ends, in bytes."""


class Mistake(NamedTuple):
    """A place in a file of rules, in bytes, and what stands there instead."""

    file: Path
    begin: int
    end: int
    instead: bytes

    def planted(self, source: bytes) -> bytes:
        """Return the file with the mistake."""
        return source[: self.begin] + self.instead + source[self.end :]

    @property
    def line(self) -> int:
        """Return the number of its line, from 1 on."""
        return self.file.read_bytes().count(b"\n", 0, self.begin) + 1


class Part(NamedTuple):
    """Tests that run together: arguments of pytest, and whether `make test` runs them."""

    arguments: list[str]
    quick: bool = False


class Found(NamedTuple):
    """The test that finds a mistake, "" for none, and whether `make test` runs it."""

    test: str
    quick: bool


def mistakes(file: Path, rules: bool = True) -> list[Mistake]:
    """Return all mistakes that can be made in the rules of a file, or in all its functions, in their order."""
    source = file.read_bytes()
    lines = [0, *(match.end() for match in re.finditer(rb"\n", source))]

    def span(node: Any) -> tuple[int, int]:
        return lines[node.lineno - 1] + node.col_offset, lines[node.end_lineno - 1] + node.end_col_offset

    found = set()
    for function in ast.walk(ast.parse(source)):
        is_function = isinstance(function, ast.FunctionDef)
        if is_function and (not rules or "rule" in map(ast.unparse, function.decorator_list)):
            for node in (node for statement in function.body for node in ast.walk(statement)):
                found |= {Mistake(file, *change) for change in changes(node, source, span)}
    return sorted(found)


def changes(node: ast.AST, source: bytes, span: Span) -> Iterator[tuple[int, int, bytes]]:
    """Yield what can be changed at a node: begin and end of what goes, and what comes instead."""

    def turned(begin: int, end: int, word: str) -> tuple[int, int, bytes]:
        at = source.index(word.encode(), begin, end)
        return at, at + len(word), TURNED[word].encode()

    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
        yield turned(span(node.left)[1], span(node.comparators[0])[0], COMPARED[type(node.ops[0])])
    elif isinstance(node, ast.BoolOp):
        for left, right in pairwise(node.values):
            yield turned(span(left)[1], span(right)[0], "and" if isinstance(node.op, ast.And) else "or")
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield turned(span(node.left)[1], span(node.right)[0], "+" if isinstance(node.op, ast.Add) else "-")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield turned(span(node)[0], span(node.operand)[0], "not")
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        instead = str(not node.value if isinstance(node.value, bool) else node.value + 1)
        yield *span(node), instead.encode()
    elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield *span(node), b"pass"


class Tests:
    """The tests of a game or a package in a copy of the checkout. Raises ValueError unless they pass there."""

    def __init__(self, copy: Path, place: str) -> None:
        self.copy, self.place = copy, place
        self._seconds = [resource.RLIM_INFINITY] * len(self._parts())
        for number, part in enumerate(self._parts()):
            begun = os.times().children_user
            if failed := self._failed(part, resource.RLIM_INFINITY):
                raise ValueError(f"expected tests that pass without a mistake, got {failed}")
            self._seconds[number] = int(PATIENCE * (os.times().children_user - begun)) + 1

    def finder(self, mistake: Mistake) -> Found:
        """Return the test that finds a mistake."""
        whole = mistake.file.read_bytes()
        mistake.file.write_bytes(mistake.planted(whole))
        own = own_tests(self.copy, mistake.file) if self.place in PACKAGES else []
        try:
            for part in [Part(["-m", "not thorough", *own], quick=True)] if own else []:
                if failed := self._failed(part, self._seconds[0]):
                    return Found(failed, part.quick)
            for part, seconds in zip(self._parts(), self._seconds, strict=True):
                if failed := self._failed(part, seconds):
                    return Found(failed, part.quick)
            return Found("", False)
        finally:
            mistake.file.write_bytes(whole)

    def _parts(self) -> list[Part]:
        """Return the tests, in the order in which they run."""
        if self.place in PACKAGES:
            return [Part(["-m", "not thorough", *ALL_TESTS], quick=True), Part(["-m", "thorough", *ALL_TESTS])]
        own = sorted((self.copy / "tests" / self.place).glob("test_*.py"), key=_turn)
        return [Part([str(file) for file in own]), Part([*PROMISES, self.place])]

    def _failed(self, part: Part, seconds: int) -> str:
        """Return the first test of a part that fails, or an empty text when all pass."""
        variables = {"TITAN_ENV_CACHE": str(self.copy / "cache"), "PYTHONPATH": str(self.copy)}
        tests = subprocess.run(
            [sys.executable, "-B", "-m", "pytest", "-x", "--tb=no", "-p", "no:cacheprovider", *part.arguments],
            cwd=self.copy,
            env=os.environ | variables,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY)),
        )
        if tests.returncode == -signal.SIGXCPU:
            return "time is up"
        if tests.returncode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return ""
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", tests.stdout, re.MULTILINE)
        return failed[1] if failed else f"exit code {tests.returncode}"


def own_tests(copy: Path, file: Path) -> list[str]:
    """Return the test files of a module of a package: of its name, or as ``tests/tested_elsewhere.toml`` says."""
    wing = file.parent.name
    elsewhere = tomllib.loads((copy / "tests" / "tested_elsewhere.toml").read_text("utf-8"))
    named = sorted(str(path) for path in (copy / "tests" / wing).glob(f"test_{file.stem}*.py"))
    return named or [str(copy / "tests" / elsewhere[wing][file.stem])]


def _turn(file: Path) -> tuple[int, str]:
    """Return the place of a test file in the order."""
    return min((number for number, word in enumerate(FIRST) if word in file.stem), default=len(FIRST)), file.name


def chosen(copy: Path, place: str, each: int, seed: int, at: str) -> list[Mistake]:
    """Return mistakes in the rules of a game or in a package: drawn ones, or all on a line that is named."""
    is_package = place in PACKAGES
    folder = copy / "titan_env" / place if is_package else copy / "titan_env" / "games" / place / "rules"
    files = [file for file in sorted(folder.glob("*.py")) if file.name not in ELSEWHERE]
    every = [mistake for file in files for mistake in mistakes(file, rules=not is_package)]
    if at:
        return [mistake for mistake in every if f"{mistake.file.name}:{mistake.line}" == at]
    return random.Random(f"{place} {seed}").sample(every, min(each, len(every)))


def row(place: str, mistake: Mistake, found: Found) -> str:
    """Return a mistake as a row of a Markdown table."""
    source = mistake.file.read_bytes()
    lines = [text.split(b"\n")[mistake.line - 1].decode().strip() for text in (source, mistake.planted(source))]
    old, new = (line.replace("|", r"\|") for line in lines)
    told = f"`{found.test.rpartition('/')[2]}`" if found.test else "**missed**"
    if found.test and place in PACKAGES and not found.quick:
        told += " (`make test-all` alone)"
    return f"| {place} `{mistake.file.name}:{mistake.line}` | `{old}` | `{new}` | {told} |"


def main(
    places: Annotated[list[str], typer.Argument(help="Games by name, and packages: engine, play, envs, records.")],
    each: Annotated[int, typer.Option(help="Mistakes in each.")] = 12,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
    at: Annotated[str, typer.Option(help="All mistakes on one line instead: turn.py:41.")] = "",
) -> None:
    """Print a row for each mistake, and how many were found."""
    results: list[Found] = []
    with tempfile.TemporaryDirectory() as folder:
        with user_errors():
            if strange := set(places) - set(registry.GAMES) - set(PACKAGES):
                known = ", ".join((*registry.GAMES, *PACKAGES))
                raise ValueError(f"expected some of {known}, got {', '.join(strange)}")
            copy = Path(shutil.copytree(ROOT, Path(folder, "copy"), ignore=shutil.ignore_patterns(*NOT_COPIED)))
            all_tests = [Tests(copy, place) for place in places]
        for tests in all_tests:
            for mistake in chosen(copy, tests.place, each, seed, at):
                results.append(tests.finder(mistake))
                print(row(tests.place, mistake, results[-1]), flush=True)
    found = sum(bool(result.test) for result in results)
    quick = sum(bool(result.test) and result.quick for result in results)
    print(f"{found} of {len(results)} mistakes found, in packages {quick} by what make test runs")


if __name__ == "__main__":
    typer.run(main)
