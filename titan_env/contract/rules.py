"""The rules of a game as a value: the dtype of its state, its actions and observations, and its compiled functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.jit import row
from titan_env.contract import defaults
from titan_env.contract.actions import ActionTable
from titan_env.contract.fields import DerivedFields, Fields
from titan_env.contract.frame import compiled
from titan_env.contract.header import LOG, State
from titan_env.contract.luck import LUCK
from titan_env.contract.macro_actions import MacroActions
from titan_env.contract.options import brief
from titan_env.contract.protocols import Configure, Imagine, Legal, Observe, Setup, Step
from titan_env.contract.rewards import Reward


@dataclass(frozen=True, kw_only=True, repr=False)
class Rules:
    """The rules of a game: sizes, tables, and plain functions over one record, which are compiled and framed here.

    The frame (`titan_env.contract.frame`) empties luck and log, counts the decision, and resets `ask` to 0 at the end.
    """

    state: np.dtype[Any]
    """The dtype of the state; it begins with `titan_env.contract.HEADER`."""
    seats: tuple[int, int]
    """The fewest and the most players."""
    actions: ActionTable
    """The texts of the actions by number; frozen with the version."""
    fields: Fields
    """The named parts of an observation, with their bounds; frozen with the version."""
    setup: Setup
    """``setup(state, luck)`` turns a configured state (see `configure`) into the first decision."""
    legal: Legal
    """``legal(state, mask)`` writes the int8 mask (A,) of the seat to act; all zero at the end."""
    step: Step
    """``step(state, action, luck, log)`` plays one legal action up to the next decision or the end."""
    observe: Observe
    """``observe(state, seat, vector)`` writes the observation (F,) of `seat`: float32, or integers (`Fields.whole`)."""
    imagine: Imagine | None = None
    """``imagine(state, seat, luck)`` samples anew all that is hidden from `seat`. None: nothing is hidden."""
    public_view: Callable[[State], State | None] | None = None
    """``public_view(state)`` returns None if all seats may know the current question.

    If only the seat to act may know of it (a reaction that is declined in silence), it returns a copy of the position
    for all other seats: the turn around it, with `ask` 0 and no trace of the question. `describe_action_for` returns
    None for such an answer; pictures, texts, the page and the terminal then skip this decision."""
    asks: type[IntEnum] = defaults.Ask
    """The kinds of decisions (`state.ask`); 0 is none."""
    events: type[IntEnum] = defaults.Event
    """The kinds of events that a step can log."""
    configure: Configure = None  # type: ignore[assignment]
    """``configure(**options)`` returns the state before `setup`, a record array (1,); raises ValueError or TypeError.

    The plain form takes ``players``."""
    options: Mapping[str, str] = None  # type: ignore[assignment]
    """Keyword of `configure` -> its meaning."""
    players: str = "players"
    """The option with the number of players, which goes by the name of ``players`` in every game."""
    presets: Mapping[str, Mapping[str, Any]] = None  # type: ignore[assignment]
    """Named sets of options that together cover every variant; tests and reports run over them."""
    luck: np.dtype[Any] = LUCK
    """The dtype of `luck`; larger (`titan_env.contract.luck_dtype`) for a game with more chance answers in one step."""
    log: np.dtype[Any] = LOG
    """The dtype of `log`; larger (`titan_env.contract.log_dtype`) for a game with more events in one step."""
    score_scale: float | None = None
    """The points of `scores` that are worth a reward of 1; None: the game has no points."""
    chance_clock: str = "decisions"
    """The state field that indexes the random streams in duplicate play: equal values draw the same dice."""
    later: tuple[str, ...] = ()
    """State fields added after release; record hashes leave them out while they are 0, so that old records verify."""
    derived: Mapping[str, DerivedFields] = field(default_factory=dict)
    """Name -> further fields of an observation, which learners may ask for (`titan_env.engine.observation_view`)."""
    macros: Mapping[str, MacroActions] = field(default_factory=dict)
    """Name -> sequences of actions that a learner may choose as one decision (`titan_env.envs.macro`)."""
    sides: str = "seats"
    """The state field with the number of sides; the seats belong to them in rotation (teams alternate)."""
    side_of: Callable[[State, int], int] | None = None
    """``side_of(state, seat)`` returns the side of a seat, for sides that do not alternate (one against three, say)."""

    def __post_init__(self) -> None:
        for name, part in defaults.rule_parts(self).items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, part)
        for name, kinds in self.argument_kinds().items():
            if (function := getattr(self, name)) is not None:
                object.__setattr__(self, name, compiled(name, function, kinds))

    def argument_kinds(self) -> Mapping[str, list[tuple[Any, ...]]]:
        """Return the argument types that each rule is compiled for; `observe` takes float32 and the fields' dtype."""
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
        """Return the number and scale that `payoff` takes, for a reward by "win", "rank" or "score".

        Raises ValueError for another name, or for "score" in a game without points.
        """
        names = [kind.name.lower() for kind in Reward]
        if not isinstance(reward, str) or reward not in names:
            raise ValueError(f"expected reward to be one of {', '.join(names)}, got {brief(reward)}")
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
        """Return whether the current question is hidden from `seat` (None: a viewer of everything)."""
        if seat is None or self.public_view is None or state.over or seat == state.seat:
            return False
        return self.public_view(state) is not None

    def seen_by(self, state: State, seat: int | None = None) -> State:
        """Return the position as `seat` sees it: without the current question if that is hidden from it."""
        if seat is None or self.public_view is None or state.over or seat == state.seat:
            return state
        seen = self.public_view(state)
        return state if seen is None else seen

    def side(self, state: State, seat: int) -> int:
        """Return the side of a seat, numbered from 0."""
        return int(seat % state[self.sides]) if self.side_of is None else self.side_of(state, seat)
