"""Docstrings begin with a verb or the thing itself, a class's name has one meaning, a test's title is a sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
QUESTION = re.compile(r"(What|Whether|How|Where|Who|Whose|Whoever|When|Which|Why)\b")
WITH_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
SAME_EVERYWHERE = {"Ask", "Event", "Config", "Arguments", "Options"}
"""Names of classes that stand for the same thing in several files: each game's asks, each script's settings."""
NUMBER_OF_A_DOCUMENT = re.compile(r"(^|_)([a-z]\d+[a-z]?(?=_|$)|(case|example|issue|point|ruling|rule|section)_\d)")
"""A paragraph's number as it would stand in a title: p16, n4, case_24."""
NUMBERED_THINGS = re.compile(r"d10|m1_lapin")
"""Names in the games that look like one: a die and a car."""
NUMBERED_CASE = re.compile(r"\bid=\"[A-Z]\d+[a-z]?\"")
CITES_A_NUMBER = re.compile(r"\b([Cc]ase|[Rr]uling|[Ss]ection) \d|^[A-Z]\d+( to [A-Z]\d+)?[:,.]", re.MULTILINE)


def docstrings() -> Iterator[tuple[str, str]]:
    """Yield file and docstring of every module, class and function of the package but for the rules of games."""
    for path in sorted((ROOT / "titan_env").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if "rules" not in path.parent.parts:
            nodes = ast.walk(ast.parse(path.read_text("utf-8")))
            found = (ast.get_docstring(node) for node in nodes if isinstance(node, WITH_DOCSTRINGS))
            yield from ((name, text) for text in found if text)


@pytest.mark.thorough
def test_no_name_is_a_participle_of_speech_where_a_message_or_a_sentence_is_meant() -> None:
    unclear = []
    for path in [*(ROOT / "titan_env").rglob("*.py"), *ROOT.glob("tools/*.py"), *(ROOT / "tests").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            is_new = isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store)
            name = next((getattr(node, key) for key in ("name", "arg", "id", "attr") if hasattr(node, key)), "")
            if (is_new or isinstance(node, ast.FunctionDef | ast.arg)) and (name or "").strip("_") in ("told", "said"):
                unclear.append(f"{path.name}:{node.lineno} {name}")
    assert unclear == []


@pytest.mark.thorough
def test_docstrings_outside_of_the_rules_do_not_begin_with_a_question() -> None:
    assert [f"{name}: {text.splitlines()[0]}" for name, text in docstrings() if QUESTION.match(text)] == []


def test_a_name_of_a_class_has_one_meaning() -> None:
    files: dict[str, set[str]] = {}
    for path in sorted((ROOT / "titan_env").rglob("*.py")):
        job = re.sub(r"games/\w+/(\w+)/.*", r"\1 of a game", path.relative_to(ROOT).as_posix())
        for name in re.findall(r"^class ([A-Z]\w*)", path.read_text("utf-8"), re.MULTILINE):
            files.setdefault(name, set()).add(job)
    twice = {name: where for name, where in files.items() if len(where) > 1 and name not in SAME_EVERYWHERE}
    assert twice == {}


@pytest.mark.thorough
def test_the_title_of_a_test_is_a_sentence_without_the_number_of_a_document_that_users_do_not_have() -> None:
    numbered = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        source = path.read_text("utf-8")
        nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, WITH_DOCSTRINGS)]
        titles = [name for node in nodes if (name := getattr(node, "name", "")).startswith("test_")]
        wrong = [title for title in titles if NUMBER_OF_A_DOCUMENT.search(NUMBERED_THINGS.sub("", title))]
        wrong += [text for node in nodes if CITES_A_NUMBER.search(text := ast.get_docstring(node) or "")]
        numbered += [f"{path.name}: {text}" for text in wrong + NUMBERED_CASE.findall(source)]
    assert numbered == []
