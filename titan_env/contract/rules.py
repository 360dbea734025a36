"""The rules of a game as a value: the layout of its state, its actions and observations, and its compiled functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import defaults
from titan_env.contract.actions import ActionTable
from titan_env.contract.fields import Fields
from titan_env.contract.frame import compiled
from titan_env.contract.header import LOG, State
from titan_env.contract.jit import row
from titan_env.contract.luck import LUCK
from titan_env.contract.protocols import Configure, Imagine, Legal, Observe, Setup, Step
from titan_env.contract.rewards import Reward


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a game: numbers, tables, and plain functions over one record, which are compiled and framed here.

    The frame (`titan_env.contract.frame`) empties luck and log, counts the decision, and clears the last question.
    """

    state: np.dtype[Any]
    """The layout of the state; it begins with `titan_env.contract.HEADER`."""
    seats: tuple[int, int]
    """Fewest and most players."""
    actions: ActionTable
    """The text of every action, by number; frozen with the version."""
    fields: Fields
    """The named parts of an observation, with their bounds; frozen with the version."""
    setup: Setup
    """``setup(state, luck)`` turns a configured state (see `configure`) into the first decision."""
    legal: Legal
    """``legal(state, mask)`` writes the int8 mask (A,) of the seat that is asked, all zero at the end."""
    step: Step
    """``step(state, action, luck, log)`` plays one legal action up to the next decision or the end."""
    observe: Observe
    """``observe(state, seat, vector)`` writes what `seat` may know (F,): float32, or whole numbers (`Fields.whole`)."""
    imagine: Imagine | None = None
    """``imagine(state, seat, luck)`` draws anew what `seat` cannot know. None: nothing is hidden."""
    public_view: Callable[[State], State | None] | None = None
    """``public_view(state)``: None where everybody may know what is asked.

    Where only the seat that is asked may know of it (a reaction that is declined in silence), a copy of the position
    as all others see it: as of the turn around it, with `ask` 0 and nothing that tells of the question.
    `describe_action_for` returns None for such an answer; pictures, texts, the page and the terminal then show no
    moment of it."""
    asks: type[IntEnum] = defaults.Ask
    """The questions that a seat can be asked; 0 is nothing."""
    events: type[IntEnum] = defaults.Event
    """The events that a step can log."""
    configure: Configure = None  # type: ignore[assignment]
    """``configure(**options)`` returns a state before any chance, a record array (1,); raises ValueError or TypeError.

    By default it takes ``players``."""
    options: Mapping[str, str] = None  # type: ignore[assignment]
    """Name and meaning of every keyword of `configure`."""
    presets: Mapping[str, Mapping[str, Any]] = None  # type: ignore[assignment]
    """Named sets of options that between them reach every variant: tests and reports run over them."""
    luck: np.dtype[Any] = LUCK
    """A larger one (`titan_env.contract.luck_dtype`) where chance answers more in one step."""
    log: np.dtype[Any] = LOG
    """A larger one (`titan_env.contract.log_dtype`) where more happens in one step."""
    score_scale: float | None = None
    """Points of `scores` that are worth a reward of 1; None: it is not a game for points."""
    chance_clock: str = "decisions"
    """Name of the state field that indexes the random streams in duplicate play: equal values draw the same dice."""
    sides: str = "seats"
    """Name of the state field with the number of sides; seats take turns among them (teams alternate)."""
    side_of: Callable[[State, int], int] | None = None
    """``side_of(state, seat)`` returns the side of a seat, where they do not take turns (one against three, say)."""

    def __post_init__(self) -> None:
        for name, part in defaults.rule_parts(self).items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, part)
        for name, kinds in self.argument_kinds().items():
            if (function := getattr(self, name)) is not None:
                object.__setattr__(self, name, compiled(name, function, kinds))

    def argument_kinds(self) -> Mapping[str, list[tuple[Any, ...]]]:
        """Return the kinds of arguments that each rule is compiled for; observations are float32 or whole numbers."""
        vectors = sorted({np.dtype(np.float32), self.fields.dtype}, key=str)
        return {
            "setup": [(self.state, self.luck)],
            "legal": [(self.state, row(np.int8))],
            "step": [(self.state, np.int64, self.luck, self.log)],
            "observe": [(self.state, np.int64, row(vector)) for vector in vectors],
            "imagine": [(self.state, np.int64, self.luck)],
        }

    @cached_property
    def functions(self) -> Mapping[str, Callable[..., None]]:
        """The compiled rules by name, as `titan_env.contract.specialize` takes them."""
        return {"setup": self.setup, "legal": self.legal, "step": self.step, "observe": self.observe}

    def reward_scale(self, reward: str = "win") -> tuple[int, float]:
        """Return number and scale, as `payoff` takes them, of a reward by "win", by "rank" or by "score".

        Raises ValueError for another one, or for points in a game that has none.
        """
        names = [kind.name.lower() for kind in Reward]
        if reward not in names:
            raise ValueError(f"expected reward to be one of {', '.join(names)}, got {reward!r}")
        kind = Reward[reward.upper()]
        if kind == Reward.SCORE and self.score_scale is None:
            raise ValueError('expected a reward by "win" or "rank": the game has no points; it has no score_scale')
        return int(kind), 1.0 if kind != Reward.SCORE or self.score_scale is None else float(self.score_scale)

    def mask(self, state: State) -> NDArray[np.int8]:
        """Return the mask of legal actions, int8 (A,)."""
        mask = np.zeros(len(self.actions), np.int8)
        self.legal(state, mask)
        return mask

    def is_private(self, state: State, seat: int | None = None) -> bool:
        """Return whether a question stands of which `seat` may not know (None: whoever may know all)."""
        if seat is None or self.public_view is None or state.over or seat == state.seat:
            return False
        return self.public_view(state) is not None

    def seen_by(self, state: State, seat: int | None = None) -> State:
        """Return the position as `seat` sees it: where another seat is asked in private, as of the turn around it."""
        if seat is None or self.public_view is None or state.over or seat == state.seat:
            return state
        seen = self.public_view(state)
        return state if seen is None else seen

    def side(self, state: State, seat: int) -> int:
        """Return the side of a seat, from 0 on."""
        return int(seat % state[self.sides]) if self.side_of is None else self.side_of(state, seat)
