"""What people are offered and told of a game: how it can be begun, and what the things on its table are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from titan_env.contract.shapes import Shape


@dataclass(frozen=True)
class Note:
    """What a thing is, for somebody who has not read the rules."""

    name: str
    text: str
    """One sentence: what it does."""
    rule: str = ""
    """The function that a heading of RULES.md names; "": no rule of its own."""


@dataclass(frozen=True)
class Preset:
    """A way to begin a game, ready to be chosen."""

    title: str
    about: str
    """One sentence: what is special about it."""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Choice:
    """A value of an option, as people see it."""

    value: Any
    title: str
    about: str = ""
    picture: tuple[Shape, ...] = ()
    """How it looks: a board, a piece."""


@dataclass(frozen=True)
class Question:
    """An option in words, with what can be chosen."""

    option: str
    title: str
    about: str = ""
    choices: tuple[Choice, ...] = ()
    """The usual one first; none: it is typed."""
    pieces: tuple[Choice, ...] = ()
    """Instead of a choice some of these in an order, each once: the option is then the list of their values."""
    fewest: int = 1
    most: int = 1
    """How many of the pieces are to be chosen."""
    instead: tuple[str, ...] = ()
    """Options that the pieces decide: how many play, say. They are as usual once pieces are chosen."""


@dataclass(frozen=True)
class Form:
    """How people begin a game."""

    presets: tuple[Preset, ...]
    """The usual one first."""
    questions: tuple[Question, ...]
