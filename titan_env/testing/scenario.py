"""A position in which rules are tested: chance is set, actions are played by their texts, events are read back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from titan_env.contract import Game, events_of, preset, seeded
from titan_env.engine.batch import Records
from titan_env.engine.validation import parse_checked_position
from titan_env.registry import game_of

SEED = 999_999
"""The seed of chance where a test does not set it, and on which no test may depend."""


class Scenario:
    """One game in a position: `position` is its text, or a record array (1,), which is played on in place."""

    def __init__(self, game: Game | str, position: str | Records) -> None:
        """Begin in a position. Raises ValueError, naming the line, for a text that is none."""
        self.game = game = game_of(game)
        self.states: Records = parse_checked_position(game, position) if isinstance(position, str) else position
        self.luck = seeded([SEED], game.rules.luck)
        self.log = np.zeros(1, game.rules.log).view(np.recarray)
        self.history: list[tuple[int, ...]] = []
        """The events of all actions played: (event, who, second, third)."""

    @property
    def state(self) -> Any:
        """The record of the position."""
        return self.states[0]

    def play(self, *texts: str, chance: Sequence[int] = ()) -> Self:
        """Play actions by their texts, one after the other; `chance` are the answers to all questions, from 0 on.

        Raises AssertionError for an illegal action, with the reason, and for answers that were not asked for.
        """
        left = list(chance)
        for text in texts:
            left = self.play_one(text, left)
        assert not left, f"chance was not asked for {left}"
        return self

    def play_one(self, text: str, chance: Sequence[int] = ()) -> list[int]:
        """Play an action and return the answers of chance that were not asked for. Raises as `play` does."""
        assert text in self.legal(), f"{text} is not among {self.legal()}: {self.why_not(text)}"
        preset(self.luck[0], chance)
        self.game.rules.step(self.state, self.game.rules.actions.read(text), self.luck[0], self.log[0])
        self.history += [tuple(event) for event in self.latest_events.tolist()]
        return list(chance[int(self.luck[0].asked) :])

    @property
    def latest_events(self) -> Any:
        """The events of the latest action, int32 (n, 4)."""
        return events_of(self.log[0])

    def events(self, *kinds: int) -> list[tuple[int, ...]]:
        """Return the events so far of these kinds."""
        return [event for event in self.history if event[0] in kinds]

    def legal(self) -> list[str]:
        """Return the texts of the legal actions."""
        return [self.game.rules.actions.texts[action] for action in np.flatnonzero(self.game.rules.mask(self.state))]

    def may(self, verb: str) -> list[str]:
        """Return the legal objects of a verb: ``["A1", "B2"]`` if "move:A1" and "move:B2" are legal."""
        return [text.partition(":")[2] for text in self.legal() if text.partition(":")[0] == verb]

    def why_not(self, text: str) -> str | None:
        """Return the reason why an action is illegal; None for a legal one."""
        return self.game.text.why_not(self.state, self.game.rules.actions.read(text))

    @property
    def asked(self) -> tuple[str, int]:
        """The kind of decision that is asked for, in lower case, and the seat that is to take it."""
        return str(self.game.rules.asks(int(self.state.ask)).name).lower(), int(self.state.seat)
