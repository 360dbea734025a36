"""The rulebooks as a test: each statement of each document has a test that shows it, or its mark on the rules page.

``tests/rulebooks/<documents>.toml`` lists the statements of one or several documents in our own words, under the
documents' headings. Behind each stands what answers for it: a test, a rule of RULES.md with its mark, an entry of that
page's last chapter, or that nothing is said which could be played.
"""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent
GAMES = TESTS.parent / "titan_env" / "games"
FILES = sorted((TESTS / "rulebooks").glob("*.toml"))
NO_RULE = "no rule"
RULE = re.compile(r"(?P<mark>law|inferred|reconstruction) (?:(?P<game>\w+):)?(?P<name>\w+\.\w+)")
TEST = re.compile(r"(?:(?P<game>\w+)/)?(?P<file>test_\w+\.py)::(?P<name>test_\w+)(?:\[(?P<case>.+)\])?")
LACKS = re.compile(r"lacks: (?P<entry>.+)")
HEADING = re.compile(r"^## .*`(\w+\.\w+)`$", re.MULTILINE)
MARK = r"\*\((?:[^)*]*:\s)?(law|inferred|reconstruction)\b[^)]*\)\*"
WITH_FILES = pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])

Statement = tuple[str, list[str]]


@functools.cache
def rulebook(file: Path) -> dict[str, Any]:
    """What a file says: its `documents`, the `games`, whether they are `whole`, and statements by heading."""
    return tomllib.loads(file.read_text("utf-8"))


def statements(file: Path) -> Iterator[Statement]:
    """The statements of a file, each with what answers for it."""
    for heading, lines in rulebook(file).items():
        if isinstance(lines, dict):
            yield from ((f"{heading}: {statement}", answers) for statement, answers in lines.items())


@functools.cache
def rules_page(game: str) -> str:
    """RULES.md of a game."""
    return (GAMES / game / "RULES.md").read_text("utf-8")


@functools.cache
def marks(game: str) -> dict[str, set[str]]:
    """The marks of the sentences under each heading of RULES.md that names a rule, as the head of that page tells."""
    found: dict[str, set[str]] = {}
    _head, *sections = re.split(HEADING, rules_page(game))
    for name, section in zip(sections[::2], sections[1::2], strict=True):
        text = re.sub(r"^\[made: .*?^\[end: [^\n]*$", "", re.split(r"^# ", section, flags=re.M)[0], flags=re.M | re.S)
        found[name] = found.get(name, set()) | set(marks_of(" ".join(text.split())))
    return found


def marks_of(text: str) -> Iterator[str]:
    """The mark of each sentence: its own before the full stop, else the next one behind a full stop, else law.

    >>> list(marks_of("One. Two *(inferred)*. Three *(reconstruction: lost)*, and so on. *(law)* Four."))
    ['law', 'inferred', 'reconstruction', 'law']
    """
    *covered, rest = re.split(r"(?<=[.|]) <(\w+)>", re.sub(MARK, r"<\1>", text))
    for part, mark in [*zip(covered[::2], covered[1::2], strict=True), (rest, "law")]:
        for sentence in re.split(r"(?<=[.|]) ", part.strip()):
            if sentence.strip(" |-"):
                yield from re.findall(r"<(\w+)>", sentence) or [mark]


@functools.cache
def names_in(path: Path) -> tuple[set[str], set[str]]:
    """The names of the tests that pytest finds in a file, and the file's strings, among which are its tests' cases."""
    if not path.exists():
        return set(), set()
    tree = ast.parse(path.read_text("utf-8"))
    named = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return named, strings


def fault(answer: str, games: list[str]) -> str | None:
    """What is wrong with an answer; None if it holds."""
    if answer == NO_RULE:
        return None
    if found := TEST.fullmatch(answer):
        named, strings = names_in(TESTS / (found["game"] or games[0]) / found["file"])
        is_there = found["name"] in named and (found["case"] is None or found["case"] in strings)
        return None if is_there else f"no such test: {answer}"
    if found := RULE.fullmatch(answer):
        of_rule = marks(found["game"] or games[0]).get(found["name"])
        if of_rule is None:
            return f"no such heading in RULES.md: {answer}"
        return None if found["mark"] in of_rule else f"{answer}: RULES.md says {', '.join(sorted(of_rule))}"
    if found := LACKS.fullmatch(answer):
        is_told = any(f"\n- **{found['entry']}**" in rules_page(game) for game in games)
        return None if is_told else f"not in the last chapter of RULES.md: {answer}"
    return f"expected a test, a mark with a rule, `lacks: ...` or `{NO_RULE}`, got {answer!r}"


def test_there_is_a_list_of_the_statements_of_each_rulebook() -> None:
    assert sum(len(rulebook(file)["documents"]) for file in FILES) == 5
    assert sorted(game for file in FILES for game in rulebook(file)["games"]) == sorted(
        page.parent.name for page in GAMES.glob("*/RULES.md")
    )


@WITH_FILES
def test_each_statement_of_a_rulebook_has_a_test_or_a_mark_on_the_rules_page(file: Path) -> None:
    games = rulebook(file)["games"]
    listed = list(statements(file))
    assert len(listed) > 90
    unanswered = [statement for statement, answers in listed if not answers]
    faults = [f"{statement}: {wrong}" for statement, answers in listed for a in answers if (wrong := fault(a, games))]
    assert unanswered + faults == []


@WITH_FILES
def test_what_the_rules_page_calls_law_is_a_statement_of_the_rulebook(file: Path) -> None:
    """Where a document is not whole, other published editions have said the rest."""
    cited = {answer for _statement, answers in statements(file) for answer in answers}
    for game in rulebook(file)["games"] if rulebook(file)["whole"] else ():
        law = {f"law {name}" for name, of_rule in marks(game).items() if "law" in of_rule}
        assert sorted(law - cited) == [], game


@pytest.mark.parametrize(
    "answer",
    [
        "test_dice.py::test_that_is_not_there",
        "test_nothing.py::test_each_face_has_its_moves",
        "test_dice.py::test_each_face_has_its_moves[no case]",
        "law dice.nothing",
        "law cards.leader",
        "lacks: Nothing",
        "somewhere",
    ],
)
def test_an_answer_that_is_not_there_is_told(answer: str) -> None:
    assert fault(answer, ["titan_race"])
