"""Plant mistakes in packages, one at a time, and write which of them ``make test`` and ``make test-all`` find::

    python -m tools.plant_in_packages engine play envs records --each 12 --seed 5 --out docs/measured/mistakes.md

It works on a copy of the checkout in a temporary folder, with the compiled code of this machine. First all tests of
``make test`` run, folder by folder, and tell which of the functions with a mistake they call. Then each mistake is
planted, and the tests that call its function run until one fails: those of its file first, then the quickest, as many
as take `MOST_SECONDS`. If all pass, those that ``make test`` leaves out follow: of the file, and other cases of tests
that call the function. Where no call is seen, as in compiled loops, the tests of the packages run in the same order.
The same command goes on after a stop, from the journal beside the table.
"""

from __future__ import annotations

import ast
import json
import shutil
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from scipy.stats import binomtest

from titan_env.cli.console import user_errors
from titan_env.compiler import cache
from titan_env.records.atomic_files import write_atomically
from titan_env.records.journal import Journal, journal_of, resume
from tools import reaching_tests
from tools.plant_mistakes import PATIENCE, TIME_IS_UP, Mistake, copied, drawn, first_failure, planted, row

PACKAGES = ("engine", "play", "envs", "records")
FOLDERS = tuple(f"tests/{package}/" for package in PACKAGES)
ELSEWHERE = ("kernels.py", "rllib.py", "textarena.py", "verifiers.py", "openenv.py")
"""Files whose tests want a GPU or an environment of their own."""
MOST_SECONDS = 60
"""The processor's seconds of tests outside those of the file, and of all tests that `make test` leaves out."""
COMPILING = 60
"""Seconds more that tests may take, since a mistake in a loop has it compiled again."""
QUICK, THOROUGH = "make test", "make test-all"


class Found(NamedTuple):
    """The test that finds a mistake, and the command that runs it; "" for none."""

    test: str = ""
    command: str = ""

    def __str__(self) -> str:
        """Return the last column of the table."""
        named = f"`{self.test.rpartition('/')[2]}`"
        return named + f" (`{self.command}` alone)" * (self.command == THOROUGH) if self.test else ""


class Planting:
    """Mistakes in a copy of the checkout, and the tests that call their functions: name -> seconds, mistakes."""

    def __init__(self, copy: Path, mistakes: Sequence[Mistake]) -> None:
        self.copy, self.mistakes = copy, mistakes
        self.tests: dict[str, tuple[float, list[int]]] = {}

    def measure(self, folder: str) -> dict[str, Any]:
        """Run the tests of a folder that `make test` runs; return each with its seconds and the mistakes it meets."""
        file = self.copy / "reached.json"
        file.write_text(json.dumps([place_of(mistake) for mistake in self.mistakes]), "utf-8")
        tests = sorted(map(str, self.copy.glob("tests/test_*.py"))) if folder == "tests" else [folder]
        arguments = ["--maxfail=100", "-m", "not thorough", "-p", reaching_tests.__name__, *tests]
        first_failure(self.copy, arguments, **{reaching_tests.NAME: str(file)})
        measured: dict[str, Any] = json.loads(file.read_text("utf-8"))
        return measured

    def finder(self, number: int) -> Found:
        """Return the test that finds a mistake."""
        mistake = self.mistakes[number]
        quick, seconds = self._calling(number)
        with planted(mistake):
            failed = first_failure(self.copy, ["-m", "not thorough", *quick], seconds)
        if failed and (failed != TIME_IS_UP or self._is_called(number)):
            return Found(failed, QUICK)
        thorough = ["-m", "thorough", *own_tests(self.copy, mistake.file), *quick]
        with planted(mistake):
            failed = first_failure(self.copy, thorough, MOST_SECONDS + COMPILING)
        if failed in ("", TIME_IS_UP) or first_failure(self.copy, [failed.partition("[")[0]]):
            return Found()
        return Found(failed, THOROUGH)

    def _is_called(self, number: int) -> bool:
        """Return whether a test is seen to call the function with a mistake."""
        return any(number in called for _, called in self.tests.values())

    def _calling(self, number: int) -> tuple[list[str], int]:
        """Return the tests that may find a mistake, in their order, and the seconds that they may take."""
        own = own_tests(self.copy, self.mistakes[number].file)
        is_called = self._is_called(number)
        candidates = [
            (name.partition("::")[0] not in own, seconds, name)
            for name, (seconds, called) in self.tests.items()
            if (number in called if is_called else name.startswith(FOLDERS))
        ]
        chosen, total = [], 0.0
        for is_other, seconds, name in sorted(candidates):
            if not (is_other and total + seconds > MOST_SECONDS):
                chosen.append(name)
                total += seconds
        return chosen or own, int(PATIENCE * total) + COMPILING


def place_of(mistake: Mistake) -> tuple[str, int]:
    """Return the file of a mistake and the first line of the innermost function that has it, decorators included."""
    functions = [
        node
        for node in ast.walk(ast.parse(mistake.file.read_bytes()))
        if isinstance(node, ast.FunctionDef) and node.lineno <= mistake.line <= (node.end_lineno or 0)
    ]
    inner = max(functions, key=lambda function: function.lineno)
    return str(mistake.file), min([inner.lineno, *(decorator.lineno for decorator in inner.decorator_list)])


def own_tests(copy: Path, file: Path) -> list[str]:
    """Return the test files of a module of a package: of its name, or as ``tests/tested_elsewhere.toml`` says."""
    wing = file.parent.name
    elsewhere = tomllib.loads((copy / "tests" / "tested_elsewhere.toml").read_text("utf-8"))
    named = sorted((copy / "tests" / wing).glob(f"test_{file.stem}*.py")) or [
        copy / "tests" / elsewhere[wing][file.stem]
    ]
    return [str(path.relative_to(copy)) for path in named]


def folders(copy: Path) -> list[str]:
    """Return the folders of tests, which are measured one by one."""
    below = sorted(path.parent for path in copy.glob("tests/*/__init__.py"))
    return ["tests", *(str(path.relative_to(copy)) for path in below), "titan_env"]


def table(rows: Sequence[Mapping[str, Any]], command: str) -> str:
    """Return the page: what was found by which command, with an interval, and those that `make test` does not find."""
    by_command = {name: sum(line["command"] == name for line in rows) for name in (QUICK, THOROUGH, "")}
    quick, either = by_command[QUICK], by_command[QUICK] + by_command[THOROUGH]
    low, high = binomtest(quick, either).proportion_ci(method="exact") if either else (0, 1)
    summary = f"""Of {len(rows)} mistakes `{QUICK}` finds {quick}, `{THOROUGH}` {by_command[THOROUGH]} more; \
{by_command[""]} are missed. So `{QUICK}` finds {quick / max(either, 1):.0%} of what both find \
(95 % interval: {low:.0%} to {high:.0%})."""
    head = "| where | line | with the mistake | found by |\n| --- | --- | --- | --- |"
    others = [line["row"] for line in rows if line["command"] != QUICK]
    return "\n".join([f"```\n{command}\n```\n", summary, "", *([head, *others, ""] if others else [])])


def finish(planting: Planting, journal: Journal) -> list[dict[str, Any]]:
    """Measure the tests and plant the mistakes that the journal does not have; return the rows of all mistakes."""
    measured = {line["folder"]: line["tests"] for line in journal.lines if "folder" in line}
    for folder in folders(planting.copy):
        if folder not in measured:
            measured[folder] = planting.measure(folder)
            journal.add({"folder": folder, "tests": measured[folder]})
        planting.tests |= measured[folder]
    rows = {line["number"]: line for line in journal.lines if "number" in line}
    for number, mistake in enumerate(planting.mistakes):
        if number not in rows:
            found = planting.finder(number)
            table_row = row(mistake.file.parent.name, mistake, str(found))
            rows[number] = {"number": number, "row": table_row, "command": found.command}
            journal.add(rows[number])
            print(table_row, flush=True)
    return [rows[number] for number in sorted(rows)]


def main(
    packages: Annotated[list[str], typer.Argument(help="Packages: engine, play, envs, records.")],
    out: Annotated[Path, typer.Option(help="Table to write: a .md file.")],
    each: Annotated[int, typer.Option(help="Mistakes in each.")] = 12,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
) -> None:
    """Print a row for each mistake; write how many were found, and a table of those that were not."""
    with tempfile.TemporaryDirectory() as folder:
        with user_errors():
            if strange := set(packages) - set(PACKAGES):
                raise ValueError(f"expected some of {', '.join(PACKAGES)}, got {', '.join(sorted(strange))}")
            header = {"packages": packages, "each": each, "seed": seed}
            journal = resume(journal_of(out), "planted mistakes", header)
        copy = copied(folder)
        if cache.root().exists():
            shutil.copytree(cache.root(), copy / "cache")
        mistakes: list[Mistake] = []
        for package in packages:
            files = [file for file in (copy / "titan_env" / package).glob("*.py") if file.name not in ELSEWHERE]
            mistakes += drawn(files, each, f"{package} {seed}", rules=False)
        rows = finish(Planting(copy, mistakes), journal)
    command = f"python -m tools.plant_in_packages {' '.join(packages)} --each {each} --seed {seed} --out {out}"
    write_atomically(out, table(rows, command))
    journal.path.unlink()
    print(out.read_text("utf-8").split("\n\n")[1])


if __name__ == "__main__":
    typer.run(main)
