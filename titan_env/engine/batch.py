"""A batch of N games, stepped together by compiled loops.

Each row has its own random streams, so its game depends neither on the other rows nor on the number of threads.
"""

from __future__ import annotations

import copyreg
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.compiler.record_copies import as_arrays, copy_records, put_records, repeat_records, take_records
from titan_env.contract import (
    CHOICE,
    MOST_SEATS,
    SILENT,
    Game,
    events_of,
    scattered,
    seeded,
)
from titan_env.contract.options import brief
from titan_env.engine.batch_loops import (
    first_illegal,
    observe_rows,
    observe_rows_masked,
    payoff_rows,
    rollout_rows,
    sample_rows,
    start_rows,
    step_rows,
)
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.illegal_actions import IllegalAction as IllegalAction
from titan_env.engine.illegal_actions import illegal_action_error
from titan_env.engine.mask_sampling import seed_choices
from titan_env.engine.row_threads import parts_of, run_in_parts
from titan_env.engine.snapshots import Records as Records
from titan_env.engine.snapshots import Snapshot as Snapshot
from titan_env.engine.snapshots import check_snapshot
from titan_env.engine.specialized_loops import Loops
from titan_env.engine.validation import (
    check_bool,
    check_integer,
    check_integer_observations,
    expand_seeds,
    to_int64,
)
from titan_env.engine.varied_options import VariedOptions

MOST_ROWS = 2**31 - 1
"""The most games in a batch; memory ends far below."""

_NUMBER = np.dtype(np.int64)


def by_name(game: Game) -> tuple[Callable[[str], Game], tuple[str]]:
    """Reduce a game to its name for pickle and copy, which do not take compiled rules."""
    return registry.load, (registry.address(game),)


copyreg.pickle(Game, by_name)  # type: ignore[arg-type]


_MOST_AT_ONCE = 100_000
"""The decisions of all rows in one call of a compiled loop, some 50 ms."""


def null_log(game: Game) -> Records:
    """Return an event log (1,) that records nothing."""
    log: Records = np.zeros(1, game.rules.log).view(np.recarray)
    log["count"] = SILENT
    return log


class RecordArrays(NamedTuple):
    """The records of a batch as views that compiled loops take."""

    states: Any
    luck: Any
    choices: Any
    templates: Any
    log: Any


class Batch:
    """N games, each with its own options, random streams, mask and observation.

    `options` are those of ``game.rules.configure``; `templates`, a recarray (1,) or (N,) of configured states, replace
    them where rows differ. `start` and `step` overwrite in place: `states` (N,), `luck` (N,), `masks` (N, A) int8 and
    `observations` (N, F) of the seat to act: float32, or with `whole` the integers that the game counts in (see
    `Fields.whole`). Call `refresh` after other changes to the states. `events`: keep the events of each step.
    `vary`, as ``{"circuit": ["a", "b"]}``, lists values of which every game draws one, each as likely, by the row's own
    stream; `variant` (N,) is the number of its options in ``varied.tables``.
    `restarts` is False if the rows were positions from the start (imagined, for example): they cannot begin anew.
    """

    def __init__(
        self,
        game: Game | str,
        num_games: int,
        *,
        threads: int = 1,
        templates: Records | None = None,
        events: bool = False,
        whole: bool = False,
        vary: Mapping[str, Sequence[Any]] | VariedOptions | None = None,
        **options: Any,
    ) -> None:
        game = registry.game_of(game)
        num_games, threads = check_integer("num_games", num_games, 1, MOST_ROWS), check_integer("threads", threads, 1)
        if vary is not None and not isinstance(vary, VariedOptions):
            vary = VariedOptions.of(game, options, vary, Batch)
        self.varied = vary
        self.variant = np.zeros(num_games, np.int64)
        if templates is None and vary is not None:
            templates = vary.first
        elif templates is None:
            templates = GameSetup.of_keywords(game, options, Batch).template
        elif options:
            raise TypeError(f"expected either templates or options, got both: {', '.join(options)}")
        if getattr(templates, "dtype", None) != game.rules.state:
            raise TypeError(f"expected templates of {game.metadata.title}, a record array, got {brief(templates)}")
        if templates.shape not in ((1,), (num_games,)):
            raise ValueError(f"expected 1 or {num_games} templates, got shape {templates.shape}")
        self.game = game
        self.num_games = num_games
        self.threads = threads
        self._parts = parts_of(num_games, threads)
        self.templates: Records = copy_records(templates)  # one for all rows, or one for each
        self.states: Records = repeat_records(templates, num_games // len(templates))
        self.luck: Records = np.zeros(num_games, game.rules.luck).view(np.recarray)
        self.choices: Records = np.zeros(num_games, CHOICE).view(np.recarray)
        self.masks = np.zeros((num_games, len(game.rules.actions)), np.int8)
        self.whole = check_integer_observations(game, whole)
        dtype = game.rules.fields.dtype if whole else np.float32
        self.observations = np.zeros((num_games, game.rules.fields.size), dtype)
        self.scales = game.rules.fields.scales[:0] if whole else game.rules.fields.scales
        self._every_row = np.ones(num_games, np.bool_)
        self.restarts = True
        self.events = check_bool("events", events)
        self._log: Records = np.zeros(num_games, game.rules.log).view(np.recarray) if events else null_log(game)
        self.reseed_from(np.random.default_rng())

    @functools.cached_property
    def _plain(self) -> RecordArrays:
        """The batch's records as views for the loops."""
        return RecordArrays(*map(as_arrays, (self.states, self.luck, self.choices, self.templates, self._log)))

    @functools.cached_property
    def loops(self) -> Loops:
        """The loops of this game, by their generic functions."""
        return Loops(self.game, self.observations)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out views of the rows: copies and pickles make their own."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_plain", "_rows", "loops")}

    @functools.cached_property
    def _rows(self) -> tuple[Any, ...]:
        """The arrays that every loop takes: states, luck, masks, observations and their scales."""
        records = self._plain
        return records.states, records.luck, self.masks, self.observations, self.scales

    def seed(self, seeds: int | Sequence[int]) -> None:
        """Seed each row's random streams: a list of N seeds, or one number for ``seed, seed + 1, ...``."""
        given = expand_seeds(seeds, self.num_games)
        if None in given:
            raise ValueError("expected a seed for each game, got None")
        self._take_luck(seeded(given, self.game.rules.luck))

    def reseed_from(self, rng: np.random.Generator, each: int = 1) -> None:
        """Give each row new random streams, drawn from `rng` as a table with lines of `each`; quicker than `seed`."""
        self._take_luck(scattered(rng, self.num_games, self.game.rules.luck, each))

    def _take_luck(self, luck: Records) -> None:
        """Set the streams of chance, and derive those of random choices from them."""
        put_records(self.luck, slice(None), luck)
        seed_choices(self.choices, luck["stream"])

    def set_templates(self, templates: Any, rows: Any = slice(None)) -> None:
        """Set the configured states, (1,) or one for each, with which the next games in these rows begin."""
        of_all = isinstance(rows, slice) and rows == slice(None) and len(templates) == 1
        if len(self.templates) < self.num_games and not of_all:
            if len(templates) == 1 and templates.tobytes() == self.templates.tobytes():
                return
            self.templates = repeat_records(self.templates, self.num_games)
            self.__dict__.pop("_plain", None)
        put_records(self.templates, rows, templates)

    def start(self, rows: NDArray[np.bool_] | None = None) -> None:
        """Begin new games in these rows (N,), all by default; their random streams go on."""
        chosen = self._chosen(rows)
        self._refuse_restart()
        self.draw_options(chosen)
        self._run(start_rows, *self._rows, chosen, self._plain.templates)

    def draw_options(self, rows: NDArray[np.bool_]) -> None:
        """Draw the options of the next game in each of the rows (N,), if options vary."""
        if self.varied is not None and rows.any():
            self.variant = np.where(rows, self.varied.draw(self, rows), self.variant)
            self.set_templates(take_records(self.varied.templates, self.variant[rows]), rows)

    def _refuse_restart(self) -> None:
        """Raise ValueError for rows that were positions from the start."""
        if not self.restarts:
            raise ValueError("expected a batch of games, got one of positions, which have no beginning to start from")

    def step(self, actions: Any, rows: NDArray[np.bool_] | None = None) -> None:
        """Play one decision in each of these rows (N,), all by default; rows that are over stay as they are.

        Raises before any state has changed: IllegalAction for the first row whose action is illegal, TypeError or
        ValueError unless `actions` are integers (N,).
        """
        numbers = self._action_numbers(actions)
        chosen = self._chosen(rows)
        if self._parts > 1:
            self._refuse_illegal(numbers, chosen)
        (row, *_) = self._run(step_rows, *self._rows, self._plain.log, chosen, numbers)
        if row >= 0:
            raise illegal_action_error(self.game, self.states[row], int(numbers[row]), self.masks[row], row)

    def _refuse_illegal(self, actions: NDArray[np.int64], rows: NDArray[np.bool_]) -> None:
        """Raise IllegalAction for the first of the rows whose action its mask forbids."""
        row = first_illegal(0, self.num_games, actions, rows, self._plain.states, self.masks)
        if row >= 0:
            raise illegal_action_error(self.game, self.states[row], int(actions[row]), self.masks[row], row)

    def last_events(self, row: int) -> NDArray[np.int32]:
        """Return the events of the latest step in one row, int32 (n, 4). Raises ValueError unless ``events=True``."""
        if not self.events:
            raise ValueError("expected a batch that keeps events; make it with events=True")
        return events_of(self._plain.log[row])

    def refresh(self, rows: NDArray[np.bool_] | None = None) -> None:
        """Write masks and observations of these rows again, all by default."""
        states, _, *shown = self._rows
        self._run(observe_rows_masked, states, *shown, self._chosen(rows))

    def observe(self, seats: NDArray[np.int8], out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return the observation of one seat of each row, (N, F), written into `out` if given."""
        out = np.empty_like(self.observations) if out is None else out
        if getattr(out, "dtype", None) != self.observations.dtype or out.shape != self.observations.shape:
            raise ValueError(f"expected room for observations of shape {self.observations.shape}, got {brief(out)}")
        given = np.asarray(seats)
        fits = given.dtype.kind in "iu" and given.shape == (self.num_games,)
        if not fits or (given < 0).any() or (given >= self.states["seats"]).any():
            raise ValueError(f"expected a seat at the table for each of {self.num_games} games, got {brief(seats)}")
        seats = np.ascontiguousarray(given, np.int64)
        self._run(observe_rows, self._plain.states, seats, out, self.scales)
        return out

    def payoffs(self, reward: str = "win") -> NDArray[np.float32]:
        """Return each seat's payoff, float32 (N, MOST_SEATS), by "win", "rank" or "score".

        Payoffs are 0 while the result is open.
        """
        payoffs = np.empty((self.num_games, MOST_SEATS), np.float32)
        self._run(payoff_rows, self._plain.states, payoffs, *self.game.rules.reward_scale(reward))
        return payoffs

    def sample(self, masks: NDArray[np.int8] | None = None) -> NDArray[np.int64]:
        """Draw a legal action for each row uniformly, int64 (N,); -1 if none is legal."""
        actions = np.empty(self.num_games, np.int64)
        if masks is None:
            masks = self.masks
        elif (given := np.asarray(masks)).ndim != 2 or len(given) != self.num_games:
            raise ValueError(f"expected masks of {self.num_games} rows, got shape {given.shape}")
        else:
            masks = np.ascontiguousarray(given, np.int8)
        self._run(sample_rows, masks, self._plain.choices, actions)
        return actions

    def rollout(self, decisions: int, restart: bool = False, look: bool = True) -> NDArray[np.int64]:
        """Play up to this many random legal decisions in each row; return the number of games ended, int64 (N,).

        A finished game stays as it is or, with `restart`, is reset, which takes the place of one decision. Masks are
        written at every decision, observations only with `look`.
        """
        decisions = check_integer("decisions", decisions, 0)
        restart, look = check_bool("restart", restart), check_bool("look", look)
        if restart:
            self._refuse_restart()
            if self.varied is not None:
                raise ValueError("expected restart=False where options vary, which start() draws; got True")
        if not (self.masks.any(axis=1) | self.over).all():
            raise ValueError("expected games that have begun, got one in which nobody is asked; begin it first")
        ended = np.zeros(self.num_games, np.int64)
        chance = (self._plain.templates, self._plain.choices)
        most = max(1, _MOST_AT_ONCE // self.num_games)  # in between the process hears Ctrl-C
        for played in range(0, decisions, most):
            few = min(most, decisions - played)
            self._run(rollout_rows, *self._rows, self._plain.log, *chance, few, restart, look, ended)
            if not restart and self.over.all():
                break
        return ended

    def snapshot(self) -> Snapshot:
        """Return a copy of the state of all rows, for `restore`."""
        states, luck, choices, templates = map(copy_records, (self.states, self.luck, self.choices, self.templates))
        variant = None if self.varied is None else self.variant.copy()
        return Snapshot(states, luck, choices, templates, variant=variant)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state that `snapshot` returned. Raises TypeError or ValueError for another batch's."""
        check_snapshot(self, snapshot)
        for name in ("states", "luck", "choices"):
            put_records(getattr(self, name), slice(None), getattr(snapshot, name))
        self.set_templates(snapshot.templates)
        if snapshot.variant is not None:
            self.variant = snapshot.variant.copy()
        self.refresh()

    def select(self, rows: Any) -> Batch:
        """Return a batch of copies of these rows, by index or mask, with the same luck; indices may be repeated.

        It keeps events if this one does; those of the latest step are not copied.
        """
        if not len(rows):
            raise ValueError("expected rows to copy, got none")
        rows = np.arange(self.num_games)[np.asarray(rows)]
        states, luck, choices = (take_records(records, rows) for records in (self.states, self.luck, self.choices))
        templates = self.templates if len(self.templates) == 1 else take_records(self.templates, rows)
        kept: dict[str, Any] = {"threads": self.threads, "whole": self.whole, "events": self.events}
        kept["vary"] = self.varied
        chosen = Batch(self.game, len(rows), templates=templates, **kept)
        chosen.restarts = self.restarts
        variant = None if self.varied is None else self.variant[rows]
        chosen.restore(Snapshot(states, luck, choices, templates, variant=variant))
        return chosen

    @property
    def over(self) -> NDArray[np.bool_]:
        """Bool (N,): rows whose game has ended."""
        ended: NDArray[np.bool_] = self._plain.states["over"] != 0
        return ended

    def _chosen(self, rows: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        """Return the rows as a mask, bool (N,); None stands for all. Raises ValueError for anything else."""
        if rows is None:
            return self._every_row
        if not isinstance(rows, np.ndarray) or rows.dtype != np.bool_ or rows.shape != (self.num_games,):
            raise ValueError(f"expected rows as a bool array of shape ({self.num_games},), got {rows!r}")
        return np.ascontiguousarray(rows)

    def _action_numbers(self, actions: Any) -> NDArray[np.int64]:
        """Return the actions as int64 (N,). Raises TypeError or ValueError unless they are integers (N,)."""
        numbers = np.asarray(actions)
        if numbers.dtype is _NUMBER and numbers.shape == self._every_row.shape and numbers.flags.c_contiguous:
            return numbers
        if numbers.dtype.kind not in "iu" and numbers.shape == (self.num_games,):
            numbers = to_int64(actions)
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"expected integer action numbers, got {numbers.dtype}: {actions!r}")
        if numbers.shape != (self.num_games,):
            raise ValueError(f"expected one action for each of {self.num_games} games, got shape {numbers.shape}")
        return np.ascontiguousarray(numbers, np.int64)

    def _run(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Run a loop over all rows in contiguous parts, one for each thread; return the result of each part."""
        return run_in_parts(self.loops[function], self.num_games, self._parts, *arguments)
