"""RULES.md as an HTML page in the visitor's language, with drawn examples and an anchor for each rule.

``RULES.fr.md`` next to it is the French translation: the same headings, in the same order.
"""

from __future__ import annotations

import functools
import html
import re
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from titan_env.contract import Game
from titan_env.contract.translation import ENGLISH, language
from titan_env.records import rule_examples
from titan_env.web.views.translation import _


def slug(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it.

    >>> slug("One step: `movement.step`")
    'one-step-movementstep'
    """
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def spoken_in(game_folder: str) -> str:
    """Return the language of a game's rules here: the current one, or English if they are not translated."""
    return language() if Path(game_folder, f"RULES.{language()}.md").exists() else ENGLISH


@functools.cache
def _text(game_folder: str, name: str = ENGLISH) -> str:
    return Path(game_folder, "RULES.md" if name == ENGLISH else f"RULES.{name}.md").read_text("utf-8")


@functools.cache
def _headings(game_folder: str) -> list[tuple[str, str]]:
    """Return the anchor and the named function of each heading; the anchors are English in every language."""
    lines = re.findall(r"^#+ (.*)$", _text(game_folder), re.MULTILINE)
    named = (re.search(r"`([\w.]+)`$", line) for line in lines)
    return [(slug(line), found[1] if found else "") for line, found in zip(lines, named, strict=True)]


@functools.cache
def anchors(game_folder: str) -> dict[str, str]:
    """Return the anchor of the heading that names each function: ``{"movement.step": "one-step-movementstep"}``."""
    return {function: anchor for anchor, function in _headings(game_folder) if function}


def anchor(game: Game, event: int) -> str | None:
    """Return the anchor of the rule behind a kind of event; None if the game names none."""
    function = game.text.rule_of.get(game.rules.events(event))
    return anchors(game.metadata.folder).get(function) if function else None


def anchor_of_question(game: Game, ask: int) -> str | None:
    """Return the link to the rule behind a kind of question; None if the game names none."""
    function = game.text.rule_of_question.get(game.rules.asks(ask))
    return anchors(game.metadata.folder).get(function) if function else None


def rules_page(game: Game) -> str:
    """Return the rules of a game as HTML in the current language, with a place for each rule's example."""
    return _page(
        game.metadata.folder,
        spoken_in(game.metadata.folder),
        frozenset(rule_examples.kept(game)),
        html.escape(_("Example")),
    )


@functools.cache
def _page(game_folder: str, name: str, exemplified: frozenset[str], called: str) -> str:
    """Return the rules as HTML, their headings with anchors and no level left out. HTML in the file is escaped."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens: list[Token] = []
    headings, example = iter(_headings(game_folder)), ""
    levels: dict[str, int] = {}  # of the headings around the current one: in the file -> here, without gaps
    for token in markdown.parse(_text(game_folder, name)):
        if token.type in ("heading_open", "heading_close"):
            around = {tag: level for tag, level in levels.items() if tag < token.tag}
            levels = {**around, token.tag: 1 + max(around.values(), default=0)}
            token.tag = f"h{levels[token.tag]}"
        if token.type == "heading_open":
            tokens.append(Token("html_block", "", 0, content=example))
            anchor, function = next(headings)
            token.attrSet("id", anchor)
            example = _example_element(function, called) if function in exemplified else ""
        elif token.type == "inline" and tokens[-1].type == "heading_open":
            _leave_out_function(token)
        tokens.append(token)
    tokens.append(Token("html_block", "", 0, content=example))
    text = str(markdown.renderer.render(tokens, markdown.options, {}))
    for wide in ("pre", "table"):
        text = text.replace(f"<{wide}>", f'<{wide} tabindex="0">')  # scrolled by keys where it is wider than the page
    return text


def _example_element(function: str, called: str) -> str:
    """Return the element in which the example of a rule is drawn on demand."""
    return f'<details class="example" data-rule="{function}"><summary>{called}</summary><figure></figure></details>\n'


def _leave_out_function(heading: Token) -> None:
    """Remove the function's name from a heading, which is for programmers."""
    parts = heading.children or []
    if parts and parts[-1].type == "code_inline":
        parts.pop()
        parts[-1].content = parts[-1].content.rstrip(": \u00a0")
