"""Plant mistakes in the rules of games, one at a time, and print whether a test finds each::

    python -m tools.plant_mistakes titan_race tiny_turbo_cars --each 12 --seed 5

It works on a copy of the checkout in a temporary folder, with compiled rules of its own. A mistake is a comparison, a
sign, a number, an ``and``, an ``or`` or a ``not`` turned into another, or a statement left out, in a function under
``@rule``. The game's own tests come first, those that compare whole games before the others, and then what every game
promises. A mistake that makes the tests take too long is found as well. One that is missed is a gap in the tests, or
changes nothing that can be seen.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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
PATIENCE = 2
"""Times the processor's seconds that the tests take without a mistake: then one counts as found."""
TIME_IS_UP = "time is up"
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
    """The tests of a game in a copy of the checkout. Raises ValueError unless they pass there."""

    def __init__(self, copy: Path, game: str) -> None:
        self.copy, self.game = copy, game
        own = sorted((copy / "tests" / game).glob("test_*.py"), key=_turn)
        self._parts = [[str(file) for file in own], [*PROMISES, game]]
        self._seconds = []
        for part in self._parts:
            begun = os.times().children_user
            if failed := first_failure(copy, part):
                raise ValueError(f"expected tests that pass without a mistake, got {failed}")
            self._seconds.append(int(PATIENCE * (os.times().children_user - begun)) + 1)

    def finder(self, mistake: Mistake) -> str:
        """Return the test that finds a mistake, or an empty text."""
        with planted(mistake):
            failures = (first_failure(self.copy, *run) for run in zip(self._parts, self._seconds, strict=True))
            return next(filter(None, failures), "")


@contextmanager
def planted(mistake: Mistake) -> Iterator[None]:
    """Let a file have a mistake for a while."""
    whole = mistake.file.read_bytes()
    mistake.file.write_bytes(mistake.planted(whole))
    try:
        yield
    finally:
        mistake.file.write_bytes(whole)


def first_failure(copy: Path, arguments: Sequence[str], seconds: int = resource.RLIM_INFINITY, **variables: str) -> str:
    """Return the first test that fails in a copy of the checkout, `TIME_IS_UP`, or an empty text when all pass."""
    variables |= {"TITAN_ENV_CACHE": str(copy / "cache"), "PYTHONPATH": str(copy)}
    tests = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-x", "--tb=no", "-p", "no:cacheprovider", *arguments],
        cwd=copy,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY)),
    )
    if tests.returncode == -signal.SIGXCPU:
        return TIME_IS_UP
    if tests.returncode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", tests.stdout, re.MULTILINE)
    return failed[1] if failed else f"exit code {tests.returncode}"


def _turn(file: Path) -> tuple[int, str]:
    """Return the place of a test file in the order."""
    return min((number for number, word in enumerate(FIRST) if word in file.stem), default=len(FIRST)), file.name


def drawn(files: Sequence[Path], each: int, seed: str, at: str = "", rules: bool = True) -> list[Mistake]:
    """Return mistakes in the rules or in all functions of files: drawn ones, or all on a line that is named."""
    every = [mistake for file in sorted(files) for mistake in mistakes(file, rules)]
    if at:
        return [mistake for mistake in every if f"{mistake.file.name}:{mistake.line}" == at]
    return random.Random(seed).sample(every, min(each, len(every)))


def row(location: str, mistake: Mistake, found: str) -> str:
    """Return a mistake as a row of a Markdown table."""
    source = mistake.file.read_bytes()
    lines = [text.split(b"\n")[mistake.line - 1].decode().strip() for text in (source, mistake.planted(source))]
    old, new = (line.replace("|", r"\|") for line in lines)
    return f"| {location} `{mistake.file.name}:{mistake.line}` | `{old}` | `{new}` | {found or '**missed**'} |"


def copied(folder: str) -> Path:
    """Return a copy of the checkout in a folder."""
    return Path(shutil.copytree(ROOT, Path(folder, "copy"), ignore=shutil.ignore_patterns(*NOT_COPIED)))


def main(
    games: Annotated[list[str], typer.Argument(help="Games by name.")],
    each: Annotated[int, typer.Option(help="Mistakes in each.")] = 12,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
    at: Annotated[str, typer.Option(help="All mistakes on one line instead: turn.py:41.")] = "",
) -> None:
    """Print a row for each mistake, and how many were found."""
    results: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        with user_errors():
            if strange := set(games) - set(registry.GAMES):
                raise ValueError(f"expected some of {', '.join(registry.GAMES)}, got {', '.join(strange)}")
            copy = copied(folder)
            all_tests = [Tests(copy, game) for game in games]
        for tests in all_tests:
            rules = list((copy / "titan_env" / "games" / tests.game / "rules").glob("*.py"))
            for mistake in drawn(rules, each, f"{tests.game} {seed}", at):
                results.append(tests.finder(mistake))
                found = results[-1] and f"`{results[-1].rpartition('/')[2]}`"
                print(row(tests.game, mistake, found), flush=True)
    print(f"{sum(map(bool, results))} of {len(results)} mistakes found")


if __name__ == "__main__":
    typer.run(main)
