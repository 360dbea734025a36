"""Pages and command-line help are plain English: short sentences, no question as a subject, today's names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_WORDS = 35
"""Words of a sentence, without asides in brackets, code and addresses of links."""
MOST_WORDS_OF_THE_DOCS = 45_000
"""Words and numbers of all pages in `docs`, measured tables left out; the bars of a table are no words."""
NOT_OURS = ("docs/_made", "docs/_build", "docs/measured")
PAGES = [
    path
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    if path.name != "CHANGELOG.md" and not path.relative_to(ROOT).as_posix().startswith(NOT_OURS)
]
FROZEN = ("compiler", "contract", "engine", "play", "agents", "rules")
"""Folders whose sources name compiled code or rated agents: their docstrings change with these alone."""
SOURCES = [path for path in (ROOT / "titan_env").rglob("*.py") if not set(path.parts) & set(FROZEN)]
QUESTION = re.compile(r"\W*(What|Who|Whose|Whoever|How)\b.*[.]$")
OLD_NAMES = (
    r"\bevaluation\.enter\b",
    r"\bhyperparameters\.py\b",
    r"\banimation_steps\b",
    r"\btable_of\b",
    r"\brules of rules\b",
    r"\bkept around it\b",
    r"\bimagined worlds?\b",
    r"\bas good as sure\b",
    r"\bis no better than\b",
    r"\bpromises too much\b",
    r"\bLook whether\b",
    r"\bbalance\b.*--races\b",
    r"\benv\.table\b",
    r"\btable_keywords\b",
    r"\bsaves a race to look at\b",
    r"\bthe whole of it\b",
    r"\bholds? together at\b",
    r"\breckon(ed|s)?\b",
    r"\bbetrays?\b",
    r"\bthe draw is another\b",
)
"""Names and phrases that have a successor, as patterns."""


def prose_of(page: str) -> str:
    """Return a page without code blocks, tables and headings."""
    without_code = re.sub(r"^```.*?^```", "\n", page, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^(\||#).*$", "\n", without_code, flags=re.MULTILINE)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, a line of a list being one of its own."""
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*] |\d+\. ))", text):
        yield from re.split(r"(?<=[.!?:])\**\s+(?=[\"A-Z`*\[(])", " ".join(block.split()))


def words(sentence: str) -> list[str]:
    """Return the words of a sentence; code counts as one."""
    plain = re.sub(r"\]\([^)]*\)", "]", sentence)
    plain = re.sub(r"\([^()]*\)", " ", re.sub(r"``?[^`]+``?", "code", plain))
    return [word for word in plain.split() if re.search(r"[A-Za-z]", word)]


def docstrings(path: Path) -> Iterator[str]:
    """Yield the docstrings of a file, without doctests and indented blocks."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = re.sub(r"^>>>.*$", "", ast.get_docstring(node) or "", flags=re.MULTILINE)
            yield re.sub(r"::\n\n(    .*\n?|\n)*", "\n\n", text)


def too_long(text: str) -> list[str]:
    return [sentence for sentence in sentences(text) if len(words(sentence)) > MOST_WORDS]


def test_long_sentences_are_found() -> None:
    assert too_long("Word " + "word " * MOST_WORDS + "end. A short one.") == ["Word " + "word " * MOST_WORDS + "end."]
    assert too_long("Short. " * MOST_WORDS) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_sentences_of_a_page_are_short_and_none_has_a_question_as_its_subject(page: Path) -> None:
    text = prose_of(page.read_text("utf-8"))
    assert too_long(text) == []
    assert [sentence for sentence in sentences(text) if QUESTION.match(sentence)] == []


def test_the_sentences_of_docstrings_are_short() -> None:
    long = {path.relative_to(ROOT).as_posix(): too_long(text) for path in SOURCES for text in docstrings(path)}
    assert {name: found for name, found in long.items() if found} == {}


def test_no_page_names_what_has_another_name_today() -> None:
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in PAGES}
    pages = {name: text for name, text in texts.items() if "Made by `python -m tools.tables`" not in text}
    assert [(name, old) for name, text in pages.items() for old in OLD_NAMES if re.search(old, text)] == []


def helps() -> Iterator[tuple[str, str]]:
    """Yield the file and text of every help of an option or argument; values in it stand as "X"."""
    for path in [*(ROOT / "titan_env").rglob("*.py"), *ROOT.glob("tools/*.py"), *ROOT.glob("training/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "help":
                if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                    yield path.relative_to(ROOT).as_posix(), node.value.value
                elif isinstance(node.value, ast.JoinedStr):
                    parts = [part.value if isinstance(part, ast.Constant) else "X" for part in node.value.values]
                    yield path.relative_to(ROOT).as_posix(), "".join(map(str, parts))


def test_help_is_a_sentence_that_begins_with_the_thing_or_a_verb() -> None:
    every = list(helps())
    assert len(every) > 150
    wrong = [(name, text) for name, text in every if not re.match(r"[A-Z0-9`]", text) or not text.endswith(".")]
    assert wrong == []
    assert [(name, text) for name, text in every if re.match(r"(What|Who|How|Where|Of|With)\b", text)] == []


def test_the_docs_stay_within_their_words() -> None:
    texts = [path.read_text("utf-8") for path in PAGES if "docs" in path.parts]
    assert sum(len(re.findall(r"\S*\w\S*", text)) for text in texts) <= MOST_WORDS_OF_THE_DOCS
