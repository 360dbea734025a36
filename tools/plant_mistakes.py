"""Plant mistakes in compiled rules, one at a time, and print whether a test finds each::

    python -m tools.plant_mistakes titan_race tiny_turbo_cars --each 12 --seed 5

It works on a copy of the checkout in a temporary folder, with compiled rules of its own. A mistake is a comparison, a
sign, a number, an ``and``, an ``or`` or a ``not`` turned into another, or a statement left out, in a function under
``@rule``. Those tests of the game that compare whole games come first, the contract tests last. A mistake that makes
the tests take too long is found as well. What is missed is a gap in the tests, or changes nothing that can be seen.
"""

from __future__ import annotations

import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from titan_env import registry
from titan_env.cli.console import user_errors

ROOT = Path(__file__).parents[1]
GAMES = Path("titan_env", "games")
NOT_COPIED = (".*", "__pycache__", "runs", "_build", "_made", "*.egg-info")
FIRST = ("against", "plain", "golden", "sentences", "examples", "view", "invariants")
"""Words in the names of test files that find most, in the order in which these are run."""
PATIENCE = 3
"""Times as long as the tests take without a mistake: then one counts as found."""
NO_TESTS = 5  # exit code of pytest
COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "and": "or", "or": "and"}
TURNED |= {"+": "-", "-": "+", "+=": "-=", "-=": "+=", "not": ""}


class Mistake(NamedTuple):
    """A place in a file of rules, as bytes, and what stands there instead."""

    file: Path
    """Within the checkout."""
    line: int
    begin: int
    end: int
    instead: bytes

    def planted(self, source: bytes) -> bytes:
        """Return the file with the mistake."""
        return source[: self.begin] + self.instead + source[self.end :]


class Place:
    """Byte offsets in one file of the nodes of its syntax tree."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._lines = [0, *(match.end() for match in re.finditer(rb"\n", source))]

    def begin(self, node: ast.expr | ast.stmt) -> int:
        """Return where a node begins."""
        return self._lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Return where a node ends."""
        return self._lines[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    def line(self, offset: int) -> int:
        """Return the number of the line at an offset, from 1 on."""
        return self.source.count(b"\n", 0, offset) + 1


def mistakes(file: Path) -> list[Mistake]:
    """Return all mistakes that can be made in the rules of a file, in the order of the file."""
    source = (ROOT / file).read_bytes()
    place = Place(source)
    found = []
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef) and any(ast.unparse(one) == "rule" for one in function.decorator_list):
            for node in (node for part in function.body for node in ast.walk(part)):
                for begin, end, instead in changes(node, place):
                    found.append(Mistake(file, place.line(begin), begin, end, instead))
    return sorted(set(found))


def changes(node: ast.AST, place: Place) -> Iterator[tuple[int, int, bytes]]:
    """Yield what can be changed at a node: begin and end of what goes, and what comes instead."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
        yield _turned(place, place.end(node.left), place.begin(node.comparators[0]), COMPARED[type(node.ops[0])])
    elif isinstance(node, ast.BoolOp):
        for left, right in zip(node.values, node.values[1:], strict=False):
            word = "and" if isinstance(node.op, ast.And) else "or"
            yield _turned(place, place.end(left), place.begin(right), word)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        sign = "+" if isinstance(node.op, ast.Add) else "-"
        yield _turned(place, place.end(node.left), place.begin(node.right), sign)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _turned(place, place.begin(node), place.begin(node.operand), "not")
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        instead = str(not node.value) if isinstance(node.value, bool) else str(node.value + 1)
        yield place.begin(node), place.end(node), instead.encode()
    elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield place.begin(node), place.end(node), b"pass"


def _turned(place: Place, begin: int, end: int, word: str) -> tuple[int, int, bytes]:
    """Return the change that turns an operator, which stands between two offsets, into another."""
    at = place.source.index(word.encode(), begin, end)
    return at, at + len(word), TURNED[word].encode()


class Tests:
    """The tests of one game in a copy of the checkout."""

    def __init__(self, copy: Path, game: str) -> None:
        self.copy, self.game = copy, game
        files = sorted((copy / "tests" / game).glob("test_*.py"), key=_turn)
        own = [str(file.relative_to(copy)) for file in files]
        self.runs = [own, ["tests/contract", "-k", game]]
        begun = time.monotonic()
        if failed := self.run(limit=3600):
            raise ValueError(f"expected tests that pass without a mistake, got {failed}")
        self.limit = PATIENCE * (time.monotonic() - begun)

    def finds(self, mistake: Mistake) -> str:
        """Return the test that finds a mistake, or an empty text."""
        path = self.copy / mistake.file
        whole = path.read_bytes()
        path.write_bytes(mistake.planted(whole))
        try:
            return self.run(self.limit)
        finally:
            path.write_bytes(whole)

    def run(self, limit: float) -> str:
        """Run the tests until one fails; return it, or an empty text when all pass."""
        with tempfile.TemporaryDirectory() as cache:
            kept = {
                **os.environ,
                "TITAN_ENV_CACHE": cache,
                "PYTHONPATH": str(self.copy),
                "PYTHONDONTWRITEBYTECODE": "1",
            }
            for which in self.runs:
                command = [sys.executable, "-m", "pytest", "-x", "--tb=no", "-p", "no:cacheprovider", *which]
                begun = subprocess.Popen(
                    command, cwd=self.copy, env=kept, stdout=subprocess.PIPE, text=True, start_new_session=True
                )
                try:
                    said, _ = begun.communicate(timeout=limit)
                except subprocess.TimeoutExpired:
                    os.killpg(begun.pid, signal.SIGKILL)
                    begun.wait()
                    return "time is up"
                if begun.returncode not in (0, NO_TESTS):
                    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
                    return failed[1] if failed else f"exit code {begun.returncode}"
        return ""


def _turn(file: Path) -> tuple[int, str]:
    """Return the place of a test file in the order."""
    places = [number for number, word in enumerate(FIRST) if word in file.stem]
    return min(places, default=len(FIRST)), file.name


def chosen(game: str, each: int, seed: int, at: str) -> list[Mistake]:
    """Return mistakes in the rules of a game: drawn ones, or all on a line that is named."""
    files = sorted((ROOT / GAMES / game / "rules").glob("*.py"))
    every = [mistake for file in files for mistake in mistakes(file.relative_to(ROOT))]
    if at:
        return [mistake for mistake in every if f"{mistake.file.name}:{mistake.line}" == at]
    return random.Random(f"{game} {seed}").sample(every, min(each, len(every)))


def row(game: str, mistake: Mistake, finder: str) -> str:
    """Return a mistake as a row of a Markdown table."""
    before = (ROOT / mistake.file).read_bytes()
    lines = [source.split(b"\n")[mistake.line - 1] for source in (before, mistake.planted(before))]
    old, new = (line.decode().strip().replace("|", r"\|") for line in lines)
    told = f"`{finder.rpartition('/')[2]}`" if finder else "**missed**"
    return f"| {game} `{mistake.file.name}:{mistake.line}` | `{old}` | `{new}` | {told} |"


def main(
    games: Annotated[list[str], typer.Argument(help="games by name")],
    each: Annotated[int, typer.Option(help="mistakes in each game")] = 12,
    seed: Annotated[int, typer.Option(help="says which")] = 0,
    at: Annotated[str, typer.Option(help="all mistakes on this line instead: turn.py:41")] = "",
) -> None:
    """Print a row for each mistake, and how many were found."""
    planted = found = 0
    with tempfile.TemporaryDirectory() as folder:
        with user_errors():
            if strange := set(games) - set(registry.GAMES):
                raise ValueError(f"expected games of {', '.join(registry.GAMES)}, got {', '.join(strange)}")
            copy = Path(shutil.copytree(ROOT, Path(folder, "copy"), ignore=shutil.ignore_patterns(*NOT_COPIED)))
            tests = [Tests(copy, game) for game in games]
        for one in tests:
            for mistake in chosen(one.game, each, seed, at):
                finder = one.finds(mistake)
                planted, found = planted + 1, found + bool(finder)
                print(row(one.game, mistake, finder), flush=True)
    print(f"{found} of {planted} mistakes found")


if __name__ == "__main__":
    typer.run(main)
