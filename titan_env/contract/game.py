"""What a game is: a state layout, four compiled rules and a few words.

Everything else in this package is a table at which any such game can be played. A game never
imports the table, and the table never names a game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import defaults
from titan_env.contract.fields import Fields
from titan_env.contract.frame import compiled
from titan_env.contract.header import LOG, State
from titan_env.contract.jit import row
from titan_env.contract.luck import LUCK
from titan_env.contract.options import near
from titan_env.contract.people import Form, Note
from titan_env.contract.rewards import Reward
from titan_env.contract.shapes import Shape


@dataclass(frozen=True)
class ActionTable:
    """Every action of a game by number and text. The numbers are frozen with the game's version."""

    texts: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.texts)) != len(self.texts):
            raise ValueError("expected every action text to be unique")

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each text."""
        return {text: number for number, text in enumerate(self.texts)}

    def read(self, text: str) -> int:
        """The number of the action that `text` names. Raises ValueError for an unknown one."""
        if text not in self.numbers:
            close = [known for known in self.texts if known.split(":")[0] == text.split(":")[0]]
            hint = ", ".join(close or sorted({known.split(":")[0] for known in self.texts}))
            raise ValueError(f"expected the text of an action, got {text!r}; there are: {hint}{near(text, self.texts)}")
        return self.numbers[text]


@dataclass(frozen=True, kw_only=True)
class Game:
    """One game as a value: numbers, tables and plain functions.

    `setup`, `legal`, `step` and `observe` are the rules, plain functions over one record, which the game compiles and
    frames (`titan_env.contract.frame`): luck and log begin empty, decisions are counted, no question outlives the game.

    - ``setup(state, luck)`` turns a configured state (see `configure`) into the first decision;
    - ``legal(state, mask)`` writes the int8 mask (A,) of the seat that is asked, all zero at the end;
    - ``step(state, action, luck, log)`` plays one legal action up to the next decision or the end;
    - ``observe(state, seat, vector)`` writes what `seat` may know (F,): float32, or whole numbers (`Fields.whole`).

    What has a default may be left out: the game then has a plain form of it, or none.
    """

    # What it must have.

    name: str
    """Small letters, digits and underscores; with the version it is the `id` of records and policies."""
    state: np.dtype[Any]
    """It begins with `titan_env.contract.HEADER`."""
    seats: tuple[int, int]
    """Fewest and most players."""
    actions: ActionTable
    """The text of every action, by number; frozen with the version."""
    fields: Fields
    """The named parts of an observation, with their bounds; frozen with the version."""
    setup: Callable[..., None]
    """``setup(state, luck)``: what chance lays out, and the first question."""
    legal: Callable[..., None]
    """``legal(state, mask)``: 1 for each action that the seat to act may take."""
    step: Callable[..., None]
    """``step(state, action, luck, log)``: one decision, up to the next one or the end."""
    observe: Callable[..., None]
    """``observe(state, seat, vector)``: what a seat may know."""

    # Its names and numbers.

    title: str = ""
    """What people call it; by default its name."""
    version: int = 0
    """Another one where action numbers, fields or the rules change."""
    asks: type[IntEnum] = defaults.Ask
    """What a seat can be asked; 0 is nothing."""
    events: type[IntEnum] = defaults.Event
    """What can happen."""
    luck: np.dtype[Any] = LUCK
    """A larger one (`titan_env.contract.luck_of`) where chance answers more in one step."""
    log: np.dtype[Any] = LOG
    """A larger one (`titan_env.contract.log_of`) where more happens in one step."""
    score_scale: float | None = None
    """How many points of `scores` are worth a reward of 1; None: it is not a game for points."""
    clock: str = "decisions"
    """The state field that chance goes by: where it is equal the same dice may fall, however two games went."""
    sides: str = "seats"
    """The state field that says how many sides there are; seats take turns among them (teams alternate)."""
    side_of: Callable[[State, int], int] | None = None
    """The side of a seat, where they do not take turns (one against three, say)."""
    history: Mapping[int, str] = field(default_factory=dict)
    """What each version of the game brought."""
    folder: str = ""
    """Where the game's files lie (its RULES.md, its data)."""
    goals: Mapping[str, float] = field(default_factory=dict)
    """What the speed report should reach, by the name of its figure."""

    # How it is set up.

    configure: Callable[..., np.recarray[Any, Any]] = None  # type: ignore[assignment]
    """Keyword options -> a state before any chance, as a record array (1,). Raises ValueError or TypeError.

    By default it takes ``players``."""
    options: Mapping[str, str] = None  # type: ignore[assignment]
    """Name and meaning of every keyword of `configure`."""
    presets: Mapping[str, Mapping[str, Any]] = None  # type: ignore[assignment]
    """Named sets of options that between them reach every variant: what tests and reports run over."""
    full: Mapping[str, Any] = field(default_factory=dict)
    """The options of a game at its fullest, which speed and balance are reported for."""
    choices: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Values offered to people for each option, the usual one first."""

    # What is hidden.

    imagine: Callable[..., None] | None = None
    """``imagine(state, seat, luck)`` draws anew what `seat` cannot know. None: nothing is hidden."""
    show_to: Callable[[State, int], str] | None = None
    """The position as a seat may see it, for people who play; None where nothing is hidden."""
    say_to: Callable[[State, int, int], str | None] | None = None
    """``say_to(state, action, seat)``: a decision in words, as `seat` may hear of it before all is open.

    None is returned for one of which it hears nothing; without the function everybody hears what `say` says.
    Seat -1 looks on, and hears what all may."""
    tell_to: Callable[[State, NDArray[np.int32], int], str | None] | None = None
    """``tell_to(state, event, seat)``: the same for an event and `tell`."""
    public_view: Callable[[State], State | None] | None = None
    """``public_view(state)``: None where everybody may know what is asked.

    Where only the seat that is asked may know of it (a reaction that is declined in silence), a copy of the position
    as all others see it: as of the turn around it, with `ask` 0 and nothing that tells of the question. `say_to` says
    nothing of an answer in silence; pictures, texts, the page and the terminal then show no moment of it."""

    # Who plays it.

    agents: Mapping[str, str] = field(default_factory=dict)
    """Agents of its own by name: ``"module:make"``, called as ``make(game, **parameters)``, makes one."""
    adviser: str = ""
    """The agent that a network learns beside where none is named: it scores actions, and answers at once."""

    # Its words and its picture.

    say: Callable[[State, int], str] = None  # type: ignore[assignment]
    """An action in words, as it reads in this state."""
    tell: Callable[[State, NDArray[np.int32]], str] = None  # type: ignore[assignment]
    """An event (one row of a log) in words."""
    show: Callable[[State], str] = None  # type: ignore[assignment]
    """The whole position as text."""
    read: Callable[[str], np.recarray[Any, Any]] = None  # type: ignore[assignment]
    """The position of such a text, as a record array (1,). Raises ValueError naming the line that is wrong."""
    check: Callable[[State], None] = None  # type: ignore[assignment]
    """Raises ValueError for a position (of a text, say) that the rules could not safely be played on from."""
    why_not: Callable[[State, int], str | None] = None  # type: ignore[assignment]
    """The sentence of the rules that forbids an action; None when it is legal."""
    picture: Callable[..., list[Shape]] = None  # type: ignore[assignment]
    """``picture(state, seat, events, before, narrow, names)``, or with fewer of these: the position as shapes.

    `seat` sees it (None: everything); `events` led here from `before`; `narrow` is for 360 pixels across;
    `names` of the players, in seat order, are known at most tables.
    """
    stages: Callable[[State, NDArray[np.int32], State], list[tuple[int, State]]] | None = None
    """``stages(before, events, after)``: how a long step is told: after how many events, and the position then.

    The step itself is told last; none, or an empty list: it is told at once. `picture` draws each of them."""
    describe: Callable[[State, int | None], list[str]] = None  # type: ignore[assignment]
    """``describe(state, seat)``: the position in sentences, as a seat may hear it, for those who do not see it."""
    glossary: Callable[[], Mapping[str, Note]] = None  # type: ignore[assignment]
    """What the things of the picture are, by the names in their `notes`: shown where they are looked at."""
    form: Callable[[], Form] = None  # type: ignore[assignment]
    """How people begin a game: presets, and options in words, some with pictures to choose from."""
    inks: Mapping[str, str] = field(default_factory=dict)
    """How people see the text of a position: regular expression -> style of rich for its groups."""
    rule_of: Mapping[IntEnum, str] = field(default_factory=dict)
    """The rule that makes each kind of event happen, by the function that a heading of RULES.md names."""
    traits: Callable[[State], Mapping[str, Any]] | None = None
    """What a finished game is counted by: a text or a number for the whole game, a list of texts for its seats."""
    arrange: Callable[[State, str, str], None] | None = None
    """``arrange(state, what, where)`` puts a thing of the picture on another, by their keys ("": off the table)."""

    def __post_init__(self) -> None:
        for name, part in defaults.parts_of(self).items():
            if getattr(self, name) in (None, ""):
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

    @property
    def id(self) -> str:
        """Name with version, as in ``chess_v0``."""
        return f"{self.name}_v{self.version}"

    @cached_property
    def rules(self) -> Mapping[str, Callable[..., None]]:
        """The compiled rules by name, as `titan_env.contract.jit.bind` takes them."""
        return {"setup": self.setup, "legal": self.legal, "step": self.step, "observe": self.observe}

    def worth(self, reward: str = "win") -> tuple[int, float]:
        """What `payoff` takes for a reward by "win", by "rank" or by "score": its number and its scale.

        Raises ValueError for another one, or for points in a game that has none.
        """
        names = [kind.name.lower() for kind in Reward]
        if reward not in names:
            raise ValueError(f"expected reward to be one of {', '.join(names)}, got {reward!r}")
        kind = Reward[reward.upper()]
        if kind == Reward.SCORE and self.score_scale is None:
            raise ValueError(f'expected a reward by "win" or "rank": {self.title} has no points; it has no score_scale')
        return int(kind), 1.0 if kind != Reward.SCORE or self.score_scale is None else float(self.score_scale)

    def mask(self, state: State) -> NDArray[np.int8]:
        """The legal actions, (A,)."""
        mask = np.zeros(len(self.actions), np.int8)
        self.legal(state, mask)
        return mask

    def barred(self, state: State) -> dict[str, list[str]]:
        """The reasons that forbid actions here, each with the texts of those it forbids; none when all is over."""
        barred: dict[str, list[str]] = defaultdict(list)
        for action in np.flatnonzero(self.mask(state) == 0).tolist() if not state.over else ():
            barred[str(self.why_not(state, action))].append(self.actions.texts[action])
        return barred

    def said(self, state: State, action: int, seat: int | None = None) -> str | None:
        """A decision in words as `seat` hears of it; None where it hears nothing. No seat: whoever may know all."""
        return self.say(state, action) if seat is None or self.say_to is None else self.say_to(state, action, seat)

    def told(self, state: State, event: NDArray[np.int32], seat: int | None = None) -> str | None:
        """An event in words as `seat` hears of it; None where it hears nothing. No seat: whoever may know all."""
        return self.tell(state, event) if seat is None or self.tell_to is None else self.tell_to(state, event, seat)

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

    def shown(self, state: State, seat: int | None = None) -> str:
        """Return the position as text, as `seat` may see it; no seat: all of it."""
        if seat is None or self.show_to is None:
            return self.show(state)
        return self.show_to(self.seen_by(state, seat), seat)

    def described(self, state: State, seat: int | None = None) -> list[str]:
        """Return the position in sentences, as `seat` may hear them; no seat: all of it."""
        return self.describe(self.seen_by(state, seat), seat)

    def parts(self, before: State, events: NDArray[np.int32], after: State) -> list[tuple[int, State]]:
        """How a step is told part by part, as `stages` says; empty where it is told at once."""
        return [] if self.stages is None or not len(events) else self.stages(before, events, after)

    def side(self, state: State, seat: int) -> int:
        """The side of a seat, from 0 on."""
        return int(seat % state[self.sides]) if self.side_of is None else self.side_of(state, seat)
