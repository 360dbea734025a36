"""RULES.md as a page, and where in it the rule behind an event stands."""

from __future__ import annotations

import functools
import itertools
import re
from pathlib import Path

from markdown_it import MarkdownIt

from titan_env.contract import Game


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it.

    >>> slug("One step: `movement.step`")
    'one-step-movementstep'
    """
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@functools.cache
def _text(game_folder: str) -> str:
    return Path(game_folder, "RULES.md").read_text("utf-8")


@functools.cache
def anchors(game_folder: str) -> dict[str, str]:
    """The anchor of the heading that names each function: ``{"movement.step": "one-step-movementstep"}``."""
    headings = re.findall(r"^#+ (.*`([\w.]+)`)$", _text(game_folder), re.MULTILINE)
    return {function: slug(heading) for heading, function in headings}


def anchor(game: Game, event: int) -> str | None:
    """Where the rule behind a kind of event stands; None where the game does not say."""
    function = game.rule_of.get(game.events(event))
    return anchors(game.folder).get(function) if function else None


@functools.cache
def rules_page(game_folder: str) -> str:
    """RULES.md as HTML, its headings with anchors. Only what the file says: HTML in it stays text."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(_text(game_folder))
    for opening, inside in itertools.pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", slug(inside.content))
    return str(markdown.renderer.render(tokens, markdown.options, {}))
