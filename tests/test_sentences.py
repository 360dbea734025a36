"""Docstrings outside of the rules begin with a verb or with the thing itself; a class's name has one meaning."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
QUESTION = re.compile(r"(What|Whether|How|Where|Who|Whose|Whoever|When|Which|Why)\b")
WITH_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
SAME_EVERYWHERE = {"Ask", "Event", "Config", "Options"}
"""Names of classes that stand for the same thing in several files: each game's asks, each script's settings."""


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield file and docstring of every module, class and function of the package but for the rules of games."""
    for path in sorted((ROOT / "titan_env").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if "rules" not in path.parent.parts:
            nodes = ast.walk(ast.parse(path.read_text("utf-8")))
            found = (ast.get_docstring(node) for node in nodes if isinstance(node, WITH_DOCSTRINGS))
            yield from ((name, said) for said in found if said)


def test_docstrings_outside_of_the_rules_do_not_begin_with_a_question() -> None:
    assert [f"{name}: {said.splitlines()[0]}" for name, said in docstrings() if QUESTION.match(said)] == []


def test_a_name_of_a_class_has_one_meaning() -> None:
    files: dict[str, set[str]] = {}
    for path in sorted((ROOT / "titan_env").rglob("*.py")):
        job = re.sub(r"games/\w+/(\w+)/.*", r"\1 of a game", path.relative_to(ROOT).as_posix())
        for name in re.findall(r"^class ([A-Z]\w*)", path.read_text("utf-8"), re.MULTILINE):
            files.setdefault(name, set()).add(job)
    twice = {name: where for name, where in files.items() if len(where) > 1 and name not in SAME_EVERYWHERE}
    assert twice == {}
