"""The texts and choices that people get before and during a game: the setup form and the glossary's notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from titan_env.contract.shapes import Shape


@dataclass(frozen=True)
class Note:
    """A glossary entry: a thing's name and one sentence about it, for people who have not read the rules."""

    name: str
    text: str
    """One sentence about its effect."""
    rule: str = ""
    """The function of its rule, as a heading of RULES.md names it; "": it has no rule of its own."""


@dataclass(frozen=True)
class Preset:
    """A named set of options to begin a game with."""

    title: str
    about: str
    """One sentence about its particularity."""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Choice:
    """One value of an option with its title, description and picture."""

    value: Any
    title: str
    about: str = ""
    picture: tuple[Shape, ...] = ()
    """Shapes of the thing: a board, a piece."""


@dataclass(frozen=True)
class Question:
    """One option of the setup form, with its choices."""

    option: str
    title: str
    about: str = ""
    choices: tuple[Choice, ...] = ()
    """The choices, the default first; with none the value is typed."""
    pieces: tuple[Choice, ...] = ()
    """Alternatively, pieces of which some are arranged, each once: the option is the list of their values."""
    fewest: int = 1
    most: int = 1
    """The bounds on the number of pieces."""
    instead: tuple[str, ...] = ()
    """Options that follow from the pieces, such as the number of players; choosing pieces resets them to defaults."""


@dataclass(frozen=True)
class Form:
    """The setup form of a game."""

    presets: tuple[Preset, ...]
    """The presets, the default first."""
    questions: tuple[Question, ...]
