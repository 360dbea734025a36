"""The texts and choices that people get before and during a game: the setup form and the glossary's notes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from titan_env.contract.shapes import Shape


@dataclass(frozen=True)
class GlossaryEntry:
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
class OptionValue:
    """One value of an option with its title, description and picture."""

    value: Any
    title: str
    about: str = ""
    picture: tuple[Shape, ...] = ()
    """Shapes of the thing: a board, a piece."""


@dataclass(frozen=True)
class OptionPrompt:
    """One option of the setup form, with its choices."""

    option: str
    title: str
    about: str = ""
    choices: tuple[OptionValue, ...] = ()
    """The choices, the default first; with none the value is typed."""
    pieces: tuple[OptionValue, ...] = ()
    """Alternatively, pieces of which some are arranged, each once: the option is the list of their values."""
    fewest: int = 1
    most: int = 1
    """The bounds on the number of pieces."""
    instead: tuple[str, ...] = ()
    """Options that follow from the pieces, such as the number of players; choosing pieces resets them to defaults."""


@dataclass(frozen=True)
class SetupFormData:
    """The setup form of a game."""

    presets: tuple[Preset, ...]
    """The presets, the default first."""
    questions: tuple[OptionPrompt, ...]
    about: str = ""
    """One sentence about the game, for people who choose one; "": that of the first preset."""
    minutes: int = 0
    """The minutes that the first preset takes a person against agents, who decide at the page's speed; 0: not told.

    Ten seconds for each decision of the person's own, by the mean number of decisions in a game of agents."""


CHOICES = "choices"
"""What a step of a guided first game points at for the list of choices beside the picture."""
GUIDE_STEPS = 5
"""The fewest steps of a guided first game."""


@dataclass(frozen=True)
class GuideStep:
    """One step of a guided first game; it comes when the person in seat 0 is to decide."""

    text: str
    """One sentence."""
    at: str
    """The key of the thing in the picture that it points at; with ``*`` at its end all whose keys begin so: ``die:*``.

    Or `CHOICES`."""
    question: int = 0
    """The question that it comes with and whose answer ends it, of the game's `asks`; 0: any, and it is only read."""


@dataclass(frozen=True)
class FirstGameData:
    """A guided first game: a person in seat 0 against the usual agent, in practice."""

    options: Mapping[str, Any]
    """Options that make it quick."""
    seed: int
    steps: tuple[GuideStep, ...]
    """`GUIDE_STEPS` of them or more: the aim, what is one's own, what a turn consists of, how it ends."""


@dataclass(frozen=True)
class EditKeys:
    """The things of the picture that people edit a position with, by the kinds of their keys: what stands before ``:``.

    A thing that is moved is dragged to a place, or clicked before it; beside all places it is put off the board.
    """

    moved: Collection[str] = ("piece", "token", "trap", "supply")
    places: Collection[str] = ("space", "hex", "outside")
    turned: Collection[str] = ("life",)
    """Things that a click changes, such as lives."""


@dataclass(frozen=True)
class TrayPiece:
    """A piece that people may add to a position that they edit, as it lies in the tray beside the picture."""

    key: str
    """What `edit_position` is called with to put it on a place; no key of the picture."""
    title: str
    picture: tuple[Shape, ...]
    left: int
    """The number of such pieces that may still be added."""
    group: str = ""
    """The heading of its row, such as its side; "": the only row."""


@dataclass(frozen=True)
class Handover:
    """A run of questions that a person may leave to an agent, such as those of one battle."""

    key: str
    """The same for all questions of the run, and for no other: ``battle 14 27``."""
    title: str
    """The text of its button: "Fight this battle for me"."""


@dataclass(frozen=True)
class Reminder:
    """One thing that the seat to act has not done yet in its turn."""

    key: str
    """The key of a thing in the picture."""
    text: str
    """One sentence about what has not been done."""


@dataclass(frozen=True)
class Throw:
    """The dice of one event, with what was to be expected of them."""

    seat: int
    """The seat that threw them."""
    name: str
    """The name of the statistic: dice of one name are added up for each seat."""
    got: float
    expected: float
    variance: float
