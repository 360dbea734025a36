"""N games side by side.

Each row has its own streams of chance, so what happens in it depends neither on the rows beside it
nor on the number of threads.
"""

from __future__ import annotations

import copyreg
import functools
import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.contract import LOG, MOST_SEATS, SILENT, Game, Over
from titan_env.jit import COMPILED, bind
from titan_env.loops import (
    first_illegal,
    observe_rows,
    payoff_rows,
    play_out_rows,
    sample_rows,
    show_rows,
    start_rows,
    step_rows,
)
from titan_env.luck import LUCK, MOST_ANSWERS, scattered, seeded

Records = np.recarray[Any, Any]

FEWEST_ROWS = 64
"""How many rows are worth a thread of their own."""

_SALT = np.uint64(0xD1B54A32D192ED03)
"""Keeps the stream of random choices apart from that of the game's chance."""


class IllegalAction(ValueError):
    """An action that the rules forbid in this position; nothing has changed."""


def refusal(game: Game, state: Any, action: int, mask: NDArray[np.int8], row: int | None = None) -> IllegalAction:
    """The error that says which action the rules forbid, why, and which ones are legal."""
    where = "" if row is None else f" in row {row}"
    if not 0 <= action < len(game.actions):
        return IllegalAction(f"expected an action from 0 to {len(game.actions) - 1}, got {action}{where}")
    if not mask.any():
        return IllegalAction(f"expected a game that has begun, got one{where} in which nobody is asked; begin it first")
    legal = ", ".join(game.actions.texts[other] for other in np.flatnonzero(mask))
    reason = game.why_not(state, action)
    return IllegalAction(
        f"expected a legal action{where}, got {action} ({game.actions.texts[action]}): {reason} Legal are: {legal}"
    )


def by_name(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    """Pickle and copy a game as its name: compiled rules stay where they are."""
    if game.name not in registry.GAMES:
        raise ValueError(f"expected a registered game, got {game.name!r}; call titan_env.registry.register() first")
    return registry.load, (game.name,)


copyreg.pickle(Game, by_name)  # type: ignore[arg-type]


def configured(game: Game, options: Mapping[str, Any], face: Callable[..., Any] | None = None) -> Records:
    """A game with these options before any chance, shape (1,). Raises TypeError for an unknown option.

    `face` is who got them among keywords of its own, which the error lists too.
    """
    for name in options:
        if name not in game.options:
            own = inspect.signature(face).parameters.values() if face else ()
            known = [*game.options, *(parameter.name for parameter in own if parameter.kind is parameter.KEYWORD_ONLY)]
            raise TypeError(f"expected an option of {game.title}, got {name!r}; {registry.hint(name, known)}")
    return game.configure(**options)


def each_seed(seeds: Any, games: int) -> list[Any]:
    """One seed for each game: a single number stands for itself and those that follow it.

    None stands for no seed. Raises ValueError for what are no seeds.
    """
    if not isinstance(seeds, (list, tuple, range, np.ndarray)):
        seeds = [seeds] * games if seeds is None else [_checked_seed(seeds) + row for row in range(games)]
    if len(seeds) != games:
        raise ValueError(f"expected {games} seeds, one for each game, got {len(seeds)}; give one seed or {games}")
    return [None if seed is None else _checked_seed(seed) for seed in seeds]


def _checked_seed(seed: Any) -> int:
    """A seed as a plain number."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ValueError(f"expected a seed to be a whole number from 0 on, got {seed!r}")
    return int(seed)


def read_checked(game: Game, text: Any) -> Records:
    """The position (1,) of a text that anybody may have written, fit to be played on.

    Raises ValueError where it is damaged, or nothing that the rules could go on from.
    """
    if not isinstance(text, str):
        raise ValueError(f"expected the text of a position, got {text!r}")
    states = game.read(text)
    game.check(states[0])
    return states


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """The threads that loops run on, which hold no interpreter lock."""
    return ThreadPoolExecutor(threads, thread_name_prefix="titan_env")


def plain(records: Records) -> Any:
    """Records as compiled loops take them fastest; plain Python needs the attributes of a recarray."""
    return records.view(records.dtype, np.ndarray) if COMPILED else records


def silence() -> Records:
    """A log to which nobody listens, shape (1,)."""
    log: Records = np.zeros(1, LOG).view(np.recarray)
    log["count"] = SILENT
    return log


@dataclass(frozen=True)
class Snapshot:
    """The rows of a batch as they stood: everything on which their future depends."""

    states: Records
    luck: Records
    choices: Records
    templates: Records
    table: Mapping[str, Any] = field(default_factory=dict)
    """What a `Table` knows beside, by name."""


class Batch:
    """N games side by side, each with its own options, streams of chance, mask and observation.

    `options` are those of ``game.configure``; `templates`, a recarray of shape (1,) or (N,) of
    configured states, come instead of them where rows differ. Rewritten in place by `start` and
    `step`: `states` (N,), `luck` (N,), `masks` (N, A) int8 and `observations` (N, F) float32 of the
    seat that is asked. Who changes states otherwise calls `refresh`. `events`: write down what happens.
    `restarts` is False where the rows were positions from the start (imagined, say): they cannot begin anew.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        *,
        threads: int = 1,
        templates: Records | None = None,
        events: bool = False,
        **options: Any,
    ) -> None:
        for name, number in (("num_games", num_games), ("threads", threads)):
            if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
                raise ValueError(f"expected {name} to be a number from 1 on, got {number!r}")
        if templates is None:
            templates = configured(game, options, Batch)
        elif options:
            raise TypeError(f"expected either templates or options, got both: {', '.join(options)}")
        if templates.shape not in ((1,), (num_games,)):
            raise ValueError(f"expected 1 or {num_games} templates, got shape {templates.shape}")
        self.game = game
        self.num_games = num_games
        self.threads = threads
        self.templates: Records = np.repeat(templates, num_games // len(templates)).view(np.recarray)
        self.states: Records = self.templates.copy()
        self.luck: Records = np.zeros(num_games, LUCK).view(np.recarray)
        self.choices: Records = np.zeros(num_games, LUCK).view(np.recarray)
        self.masks = np.zeros((num_games, len(game.actions)), np.int8)
        self.observations = np.zeros((num_games, game.fields.size), np.float32)
        self._every_row = np.ones(num_games, np.bool_)
        self.restarts = True
        self.events = events
        self._log: Records = np.zeros(num_games, LOG).view(np.recarray) if events else silence()
        self.scatter(np.random.default_rng())

    @property
    def _rows(self) -> tuple[Any, ...]:
        """What loops are handed: states, chance, masks and observations."""
        return plain(self.states), plain(self.luck), self.masks, self.observations

    def seed(self, seeds: int | Sequence[int]) -> None:
        """Give each row new streams of chance. One number stands for itself and those that follow it."""
        given = each_seed(seeds, self.num_games)
        if None in given:
            raise ValueError("expected a seed for each game, got None")
        self._take_luck(seeded(given))

    def scatter(self, rng: np.random.Generator) -> None:
        """Give each row new streams of chance, drawn from `rng`; quicker than to seed thousands of rows."""
        self._take_luck(scattered(rng, self.num_games))

    def _take_luck(self, luck: Records) -> None:
        """Let chance, and random choices beside it, follow these streams."""
        self.luck[:] = luck
        self.choices["stream"] = luck["stream"] ^ _SALT
        self.choices["asked"] = MOST_ANSWERS  # nobody reads which choices were drawn

    def start(self, rows: NDArray[np.bool_] | None = None) -> None:
        """Begin these rows anew, all by default; their streams of chance just go on."""
        chosen = self._chosen(rows)
        self._refuse_restart()
        self._run(start_rows, *self._rows, chosen, plain(self.templates))

    def _refuse_restart(self) -> None:
        """Raise where there is no beginning to go back to."""
        if not self.restarts:
            raise ValueError("expected a batch of games, got one of positions, which have no beginning to start from")

    def step(self, actions: Any, rows: NDArray[np.bool_] | None = None) -> None:
        """Play one decision in each of these rows, all by default; rows that are over stay as they are.

        Raises before any state has changed: IllegalAction for the first row whose action is illegal,
        TypeError or ValueError for what is no row (N,) of action numbers.
        """
        numbers = self._action_numbers(actions)
        chosen = self._chosen(rows)
        row = first_illegal(numbers, chosen, plain(self.states), self.masks)
        if row >= 0:
            raise refusal(self.game, self.states[row], int(numbers[row]), self.masks[row], row)
        if self.events:
            self._log["count"] = 0
        self._run(step_rows, *self._rows, plain(self._log), chosen, numbers)

    def happened(self, row: int) -> NDArray[np.int8]:
        """The events (n, 4) of the latest step in one row, if ``events=True``; ``game.tell`` puts them into words."""
        log = self._log[row]
        events: NDArray[np.int8] = log.events[: max(log.count, 0)].copy()
        return events

    def refresh(self, rows: NDArray[np.bool_] | None = None) -> None:
        """Write masks and observations of these rows anew, all by default."""
        self._run(show_rows, plain(self.states), self.masks, self.observations, self._chosen(rows))

    def observe(self, seats: NDArray[np.int8], out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """What one seat of each row may know now, (N, F), whoever is asked."""
        if out is None:
            out = np.empty_like(self.observations)
        seats = np.ascontiguousarray(seats, np.int64)
        if seats.shape != (self.num_games,) or (seats < 0).any() or (seats >= self.states["seats"]).any():
            raise ValueError(f"expected a seat at the table for each of {self.num_games} games, got {seats}")
        self._run(observe_rows, plain(self.states), seats, out)
        return out

    def payoffs(self) -> NDArray[np.float32]:
        """What each row's result is worth to each seat, (N, MOST_SEATS); zero while it runs."""
        payoffs = np.empty((self.num_games, MOST_SEATS), np.float32)
        self._run(payoff_rows, plain(self.states), payoffs)
        return payoffs

    def sample(self, masks: NDArray[np.int8] | None = None) -> NDArray[np.int64]:
        """A legal action for each row, each as likely; -1 where none is legal."""
        actions = np.empty(self.num_games, np.int64)
        masks = self.masks if masks is None else np.ascontiguousarray(masks, np.int8)
        self._run(sample_rows, masks, plain(self.choices), actions)
        return actions

    def play_out(self, decisions: int, restart: bool = False, look: bool = True) -> NDArray[np.int64]:
        """Play up to this many random legal decisions in each row, and say how many games of it have ended.

        A game that is over stays as it is; to `restart`, it begins anew, which takes the place of one
        decision. Mask and observation are written at every decision; observations are left as they were
        where nobody wants to `look`.
        """
        if restart:
            self._refuse_restart()
        if not (self.masks.any(axis=1) | self.over).all():
            raise ValueError("expected games that have begun, got one in which nobody is asked; begin it first")
        ended = np.zeros(self.num_games, np.int64)
        chance = (plain(self.templates), plain(self.choices))
        self._run(play_out_rows, *self._rows, plain(self._log), *chance, decisions, restart, look, ended)
        return ended

    def snapshot(self) -> Snapshot:
        """All rows as they stand, for `restore`."""
        return Snapshot(self.states.copy(), self.luck.copy(), self.choices.copy(), self.templates.copy())

    def restore(self, snapshot: Snapshot) -> None:
        """Put all rows back to where they stood; they go on as they did then."""
        if snapshot.states.dtype != self.states.dtype:
            raise ValueError(f"expected a snapshot of {self.game.title}, got one of another game")
        if len(snapshot.states) != self.num_games:
            raise ValueError(f"expected a snapshot of {self.num_games} games, got one of {len(snapshot.states)}")
        self.states[:] = snapshot.states
        self.luck[:] = snapshot.luck
        self.choices[:] = snapshot.choices
        self.templates[:] = snapshot.templates
        self.refresh()

    def select(self, rows: Any) -> Batch:
        """A batch of copies of these rows, by index or mask; an index may come often. Seed it for other luck."""
        if not len(rows):
            raise ValueError("expected rows to copy, got none")
        rows = np.arange(self.num_games)[np.asarray(rows)]
        templates = self.templates[rows]
        chosen = Batch(self.game, len(rows), threads=self.threads, templates=templates)
        chosen.restarts = self.restarts
        chosen.restore(Snapshot(self.states[rows], self.luck[rows], self.choices[rows], templates))
        return chosen

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which rows have ended, (N,)."""
        ended: NDArray[np.bool_] = self.states["over"] != Over.RUNNING
        return ended

    def _chosen(self, rows: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        """The rows that are meant, as a mask (N,)."""
        if rows is None:
            return self._every_row
        if not isinstance(rows, np.ndarray) or rows.dtype != np.bool_ or rows.shape != (self.num_games,):
            raise ValueError(f"expected rows as a bool array of shape ({self.num_games},), got {rows!r}")
        return np.ascontiguousarray(rows)

    def _action_numbers(self, actions: Any) -> NDArray[np.int64]:
        """The actions as an int64 array (N,)."""
        numbers = np.asarray(actions)
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"expected integer action numbers, got {numbers.dtype}: {actions!r}")
        if numbers.shape != (self.num_games,):
            raise ValueError(f"expected one action for each of {self.num_games} games, got shape {numbers.shape}")
        return np.ascontiguousarray(numbers, np.int64)

    def _run(self, function: Callable[..., None], *arguments: Any) -> None:
        """Run a loop over all rows, in contiguous parts, one for each thread."""
        parts = min(self.threads, self.num_games // FEWEST_ROWS)
        run = bind(function, self.game.rules)
        if parts <= 1:
            run(0, self.num_games, *arguments)
            return
        ends = [self.num_games * part // parts for part in range(parts + 1)]
        running = [_pool(parts).submit(run, a, b, *arguments) for a, b in itertools.pairwise(ends)]
        for part in running:
            part.result()
