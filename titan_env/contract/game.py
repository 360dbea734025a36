"""A game as a value: its rules, text functions, presentation and metadata.

Everything else in this package works on any such game. A game never imports it, and it never names a game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import defaults
from titan_env.contract.frozen_record import given_frozen
from titan_env.contract.header import State
from titan_env.contract.metadata import Metadata
from titan_env.contract.presentation import Presentation
from titan_env.contract.protocols import Setup
from titan_env.contract.rules import Rules
from titan_env.contract.text import Text
from titan_env.contract.translation import ENGLISH, languages_of

_READERS = ("position_text", "position_text_for", "describe_position")
"""The text functions that read a whole position, which they are given as a `FrozenRecord`: several times as quick."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: ``Game(name="stairs", rules=Rules(...))``, with optional text, presentation and metadata."""

    name: str
    """Lower-case letters, digits and underscores; with the version it is the `id` in records and policies."""
    rules: Rules
    """The dtype of the state, the actions, the observations, and the compiled rules."""
    text: Text = field(default_factory=Text)
    """The functions that return actions, events and positions as text."""
    presentation: Presentation = field(default_factory=Presentation)
    """The picture, its animation, and the setup form."""
    metadata: Metadata = field(default_factory=Metadata)
    """Title, version, files, agents, and the statistics of reports."""

    def __post_init__(self) -> None:
        """Fill in the plain forms of parts that are left out."""
        if not self.metadata.title:
            object.__setattr__(self, "metadata", replace(self.metadata, title=defaults.title_of(self.name)))
        described = defaults.filled(self.text, defaults.text_parts(self))
        frozen = {name: given_frozen(reader) for name in _READERS if (reader := getattr(described, name)) is not None}
        object.__setattr__(self, "text", replace(described, **frozen))
        filled = defaults.filled(self.presentation, defaults.presentation_parts(self))
        object.__setattr__(self, "presentation", filled)

    def __repr__(self) -> str:
        """Return the game's name and version, as in ``<Game chess_v0>``: its parts are tables of functions."""
        return f"<Game {self.id}>"

    @property
    def id(self) -> str:
        """Name and version, as in ``chess_v0``."""
        return f"{self.name}_v{self.metadata.version}"

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its texts, English first: those of the catalogues in its folder."""
        return languages_of(Path(self.metadata.folder, "languages")) if self.metadata.folder else (ENGLISH,)

    def illegal_reasons(self, state: State) -> dict[str, list[str]]:
        """Return the illegal actions' texts by the reason that forbids them; {} once the game is over."""
        reasons: dict[str, list[str]] = defaultdict(list)
        for action in np.flatnonzero(self.rules.mask(state) == 0).tolist() if not state.over else ():
            reasons[str(self.text.why_not(state, action))].append(self.rules.actions.texts[action])
        return reasons

    def action_text_for(self, state: State, action: int, seat: int | None = None) -> str | None:
        """Return the sentence of an action that `seat` may read (None: all of it); None if it may not know of it."""
        hook = self.text.describe_action_for
        return self.text.describe_action(state, action) if seat is None or hook is None else hook(state, action, seat)

    def event_text_for(self, state: State, event: NDArray[np.int32], seat: int | None = None) -> str | None:
        """Return the sentence of an event that `seat` may read (None: all of it); None if it may not know of it."""
        hook = self.text.describe_event_for
        return self.text.describe_event(state, event) if seat is None or hook is None else hook(state, event, seat)

    def position_text_for(self, state: State, seat: int | None = None) -> str:
        """Return a seat's view of the position as text (None: the full position)."""
        hook = self.text.position_text_for
        return (
            self.text.position_text(state)
            if seat is None or hook is None
            else hook(self.rules.seen_by(state, seat), seat)
        )

    def position_sentences_for(self, state: State, seat: int | None = None) -> list[str]:
        """Return a seat's view of the position as sentences (None: the full position)."""
        return self.text.describe_position(self.rules.seen_by(state, seat), seat)


def reduced_game(
    game: Game, name: str, title: str, *, setup: Setup, configure: Callable[[], State], exact_losses: str = ""
) -> Game:
    """Return a game with the rules of another one that begins elsewhere, as ``<game>_<name>``; it takes no options.

    `configure` returns the state (1,) that `setup` turns into the first decision.
    """
    rules = replace(game.rules, setup=setup, configure=configure, options={}, presets={name: {}})
    metadata = replace(
        game.metadata,
        title=f"{game.metadata.title}, {title}",
        version_history={},
        benchmark_options={},
        reduced=(),
        exact_losses=exact_losses,
    )
    return replace(game, name=f"{game.name}_{name}", rules=rules, metadata=metadata)
