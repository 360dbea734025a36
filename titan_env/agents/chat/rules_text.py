"""The rules of a game as text for a language model: whole, or in part with the other sections on request."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass
from pathlib import Path

from titan_env.contract import Game
from titan_env.contract.translation import ENGLISH, language

_FUNCTION = re.compile(r"(?m)^(#+ .*?) ?:? `[\w.]+`$")
"""A heading of RULES.md with the function of its rule."""
_MARK = re.compile(r"\s\*\((law|inferred|reconstruction|loi|déduit|ley|deducido|reconstrucción)[^)]*\)\*")
"""The mark of RULES.md that tells how much of a sentence is printed."""
_MADE = re.compile(r"^\[(made|end): [\w.]+\]: #\n\n?", re.MULTILINE)
"""The lines of RULES.md between which something is generated."""
_DRAWING = re.compile(r"^```\n.*?^```\n+", re.MULTILINE | re.DOTALL)
"""A drawing in RULES.md; the position shows the board that is played on."""


@dataclass(frozen=True)
class Section:
    """A section of the rules: its depth (1 for a chapter), its heading, and its text with the heading."""

    depth: int
    heading: str
    text: str


@dataclass(frozen=True)
class RulesText:
    """The rules as a prompt begins with them: the `text` of whole sections, and those that are `left_out`."""

    text: str
    left_out: tuple[Section, ...]

    def find(self, heading: str) -> str | None:
        """Return the sections left out under a heading, for a chapter all of its sections; None if there is none."""
        wanted, found, inside = _plain(heading), "", 0
        for section in self.left_out:
            inside = inside if inside and section.depth > inside else 0
            if not inside and _plain(section.heading) == wanted:
                inside = section.depth
            found += section.text if inside else ""
        return found.strip() or None


def rules_text(game: Game, letters: float = math.inf) -> RulesText:
    """Return the rules in the current language, or in English: whole sections up to this many letters, in their order.

    A game without RULES.md has its title and its options.
    """
    if not (game.metadata.folder and Path(game.metadata.folder, "RULES.md").is_file()):
        options = "; ".join(f"{name}: {meaning}" for name, meaning in game.rules.options.items())
        return RulesText(f"{game.metadata.title}. Options: {options}" if letters else "", ())
    sections = _sections(game.metadata.folder, language())
    count, budget = 0, letters
    while count < len(sections) and len(sections[count].text) <= budget:
        budget -= len(sections[count].text)
        count += 1
    return RulesText("".join(section.text for section in sections[:count]).strip(), sections[count:])


@functools.cache
def _sections(folder: str, name: str) -> tuple[Section, ...]:
    """Return the sections of a RULES.md without drawings, code names and marks; the part above them is left out."""
    path = Path(folder, "RULES.md" if name == ENGLISH else f"RULES.{name}.md")
    text = (path if path.is_file() else Path(folder, "RULES.md")).read_text("utf-8")
    parts = [part for part in re.split(r"(?m)^(?=#)", text) if part.startswith("#")][1:]
    return tuple(_section(_DRAWING.sub("", _MADE.sub("", _MARK.sub("", _FUNCTION.sub(r"\1", part))))) for part in parts)


def _section(text: str) -> Section:
    """Return a section of its text, which begins with the heading."""
    marks, _, heading = text.partition("\n")[0].partition(" ")
    return Section(len(marks), heading.strip(), text)


def _plain(heading: str) -> str:
    """Return a heading in lower case, without Markdown and extra spaces."""
    return " ".join(heading.strip(" \t\n*`\"'.#").lower().split())
