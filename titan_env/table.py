"""Many games at which a learner sits: from its decision to its own next one, the others played for it.

The three faces for learners (`vector`, `solo`, `sb3`) are thin covers of the one `Table` here.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from titan_env.batch import Batch, IllegalAction
from titan_env.contract import LOG, MOST_SEATS, SILENT, Game, Over, payoff
from titan_env.jit import COMPILED, rule
from titan_env.luck import LUCK, MOST_ANSWERS, begin, draw, seeded

Act: TypeAlias = Callable[[NDArray[np.float32], NDArray[np.int8], np.random.Generator], NDArray[Any]]
"""An agent: ``act(observations (B, F), masks (B, A), rng) -> actions (B,)``."""

Opponents: TypeAlias = str | Act | Sequence[Act]
"""``"random"``, one agent for every other seat, or one for each, in turn order after the learner."""

ON_ILLEGAL = ("random", "raise")


class Others(IntEnum):
    """Who decides for the seats that are not the learner's."""

    NOBODY = 0  # there are none: every decision is the learner's
    CHANCE = 1  # any legal action, each as likely
    AGENTS = 2  # agents outside of the loop


_SALT = np.uint64(0xD1B54A32D192ED03)
FEWEST_ROWS = 64
"""How many rows are worth a thread of their own."""

_DRAWN = -1  # instead of a fixed seat


@rule
def _any_legal(mask: Any, choice: Any) -> int:
    """One legal action, each as likely."""
    legal = 0
    for action in range(len(mask)):
        legal += mask[action]
    left = draw(choice, legal)
    for action in range(len(mask)):
        if mask[action]:
            if left == 0:
                return action
            left -= 1
    return -1


@rule
def _play_others(
    state: Any, chance: Any, mask: Any, choice: Any, learner: int, legal: Any, step: Any, log: Any
) -> None:
    """Play any legal action for the others until the learner is asked or the game is over."""
    while state.over == 0 and state.seat != learner:
        begin(chance)
        step(state, _any_legal(mask, choice), chance, log)
        legal(state, mask)


@rule
def _restart(
    first: int,
    last: int,
    rows: Any,
    states: Any,
    luck: Any,
    choices: Any,
    log: Any,
    masks: Any,
    observations: Any,
    learners: Any,
    illegal: Any,
    others: int,
    legal: Any,
    step: Any,
    observe: Any,
    setup: Any,
    templates: Any,
    fixed: int,
) -> None:
    """Begin a new game in each of the rows and play to the learner's first decision.

    A game that ends before the learner has been asked at all is nothing to learn from: another one begins.
    """
    for n in range(first, last):
        i = rows[n]
        state = states[i]
        illegal[i] = 0
        while True:
            states[i] = templates[i]
            begin(luck[i])
            setup(state, luck[i])
            legal(state, masks[i])
            if others == 0:
                learners[i] = state.seat
            else:
                learners[i] = fixed if fixed >= 0 else draw(choices[i], state.seats)
            if others == 1:
                _play_others(state, luck[i], masks[i], choices[i], learners[i], legal, step, log[0])
            if state.over == 0:
                break
        observe(state, state.seat, observations[i])


@rule
def _answer(
    first: int,
    last: int,
    rows: Any,
    states: Any,
    luck: Any,
    choices: Any,
    log: Any,
    masks: Any,
    observations: Any,
    learners: Any,
    illegal: Any,
    others: int,
    legal: Any,
    step: Any,
    observe: Any,
    actions: Any,
    rewards: Any,
    payoffs: Any,
    over: Any,
) -> None:
    """Play one decision in each of the rows, and those of the others up to the learner's next or the end."""
    for n in range(first, last):
        i = rows[n]
        state = states[i]
        mask = masks[i]
        action = actions[n]
        if action < 0 or action >= len(mask) or mask[action] == 0:
            action = _any_legal(mask, choices[i])
            illegal[i] += 1
        begin(luck[i])
        step(state, action, luck[i], log[0])
        legal(state, mask)
        if others == 1:
            _play_others(state, luck[i], mask, choices[i], learners[i], legal, step, log[0])
        over[i] = state.over
        rewards[i] = 0.0
        if state.over != 0:
            for seat in range(state.seats):
                payoffs[i, seat] = payoff(state, seat)
            rewards[i] = payoffs[i, learners[i]]
            observe(state, learners[i], observations[i])
        else:
            if others == 0:
                learners[i] = state.seat
            observe(state, state.seat, observations[i])


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """The threads that compiled loops run on; the loops hold no interpreter lock."""
    return ThreadPoolExecutor(threads, thread_name_prefix="table")


def _plain(records: Any) -> Any:
    """Records as compiled loops take them fastest; plain Python needs the attributes of a recarray."""
    return records.view(records.dtype, np.ndarray) if COMPILED else records


class Table:
    """N games, one learning seat in each (or every seat); what all faces for learners are made of.

    After `restart` and `step` each row shows, for its learner (`learners`, (N,) int8), `observations`
    (N, F) and `masks` (N, A) at its next decision, `rewards` (N,) summed since its last one, `over`
    (N,) as in `Over`, `payoffs` (N, MOST_SEATS), what a game that has just ended is worth to each
    seat, and `illegal` (N,), how many illegal actions of this episode were replaced.

    A row's game, its learner's seat and the play of ``"random"`` opponents come from the row's own
    seed and nothing else. Agents draw from `rng`, which the rows share.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        *,
        seat: int | None = None,
        opponents: Opponents | None = "random",
        on_illegal: str = "random",
        copy: bool = True,
        threads: int = 1,
        options: dict[str, Any] | None = None,
    ) -> None:
        if on_illegal not in ON_ILLEGAL:
            raise ValueError(f"expected on_illegal to be one of {', '.join(ON_ILLEGAL)}, got {on_illegal!r}")
        self.batch = Batch(game, num_games, threads=threads, **(options or {}))
        self.game = game
        self.num_games = num_games
        self.on_illegal = on_illegal
        self._copy = copy
        self._threads = threads
        self.rows = np.arange(num_games)
        self.masks = np.zeros((num_games, len(game.actions)), np.int8)
        self.observations = np.zeros((num_games, game.fields.size), np.float32)
        self.learners = np.zeros(num_games, np.int8)
        self.illegal = np.zeros(num_games, np.int32)
        self.rewards = np.zeros(num_games)
        self.payoffs = np.zeros((num_games, MOST_SEATS))
        self.over = np.zeros(num_games, np.int8)
        self._choices = np.zeros(num_games, LUCK).view(np.recarray)
        self._choices["asked"] = MOST_ANSWERS
        self._log = np.zeros(1, LOG).view(np.recarray)
        self._log["count"] = SILENT
        self._fixed = self._checked_seat(seat)
        self.rng = np.random.default_rng()
        self.set_opponents(opponents)
        self._seeded = False

    def _checked_seat(self, seat: int | None) -> int:
        """The number of the fixed seat, or that it is drawn."""
        if seat is None:
            return _DRAWN
        fewest = int(self.batch.templates["seats"].min())
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < fewest:
            raise ValueError(f"expected seat to be None (drawn for each game) or 0 .. {fewest - 1}, got {seat!r}")
        return int(seat)

    def set_opponents(self, opponents: Opponents | None) -> None:
        """Let other agents decide for the other seats, from the next decision on. None: there are no others."""
        self._agents: tuple[Act, ...] = ()
        if opponents is None:
            self._others = Others.NOBODY
        elif isinstance(opponents, str):
            if opponents != "random":
                raise ValueError(f'expected opponents to be "random" or agents act(...), got {opponents!r}')
            self._others = Others.CHANCE
        else:
            self._others = Others.AGENTS
            self._agents = (opponents,) if callable(opponents) else tuple(opponents)
            most = int(self.batch.templates["seats"].max()) - 1
            if not callable(opponents) and len(self._agents) != most:
                raise ValueError(f"expected one opponent or {most}, one for each other seat, got {len(self._agents)}")
            if not all(callable(agent) for agent in self._agents):
                raise TypeError("expected every opponent to be a function act(observations, masks, rng) -> actions")

    def seed(self, seeds: Sequence[int | None]) -> None:
        """Give the rows new streams of chance; a row whose seed is None goes on with the one it has.

        Equal seeds give equal games at every face and in a batch of any size. A table that has never
        been seeded draws seeds from the system.
        """
        if len(seeds) != self.num_games:
            raise ValueError(f"expected {self.num_games} seeds, one for each game, got {len(seeds)}")
        if not self._seeded:
            entropy = np.random.SeedSequence().generate_state(self.num_games, np.uint64)
            seeds = [int(other) if seed is None else seed for seed, other in zip(seeds, entropy, strict=True)]
        given = [(row, seed) for row, seed in enumerate(seeds) if seed is not None]
        if given:
            rows = np.array([row for row, _ in given])
            self.batch.luck[rows] = seeded(seed for _, seed in given)
            self._choices["stream"][rows] = self.batch.luck["stream"][rows] ^ _SALT
            self.rng = np.random.default_rng(int(self._choices["stream"][rows[0]]))
        self._seeded = True

    def renew(self, keep: bool = True) -> None:
        """Go on with other arrays than those handed out so far, if `copy` says so: the caller may keep those.

        `keep`: the new arrays hold what the old ones did. Without, the observations are yet to be written.
        """
        if self._copy:
            self.observations = self.observations.copy() if keep else np.empty_like(self.observations)
            self.masks = self.masks.copy()
            self.learners = self.learners.copy()
            self.illegal = self.illegal.copy()

    def restart(self, rows: NDArray[np.int64] | None = None) -> None:
        """Begin a new game in each of the rows (all of them if None), up to its learner's first decision."""
        rows = self.rows if rows is None else rows
        while len(rows):
            self._run(_restart, rows, self.game.setup, _plain(self.batch.templates), self._fixed)
            self.over[rows] = Over.RUNNING
            self.rewards[rows] = 0
            self._ask_agents(rows)
            rows = rows[self.over[rows] != Over.RUNNING]

    def step(self, actions: Any, rows: NDArray[np.int64] | None = None) -> None:
        """Play one decision of the learner in each of the rows, up to its next one or the end of the game.

        The other rows must be begun anew before the observations are looked at. Raises before anything
        has changed: IllegalAction where ``on_illegal="raise"``, ValueError or TypeError for what is no
        row of action numbers.
        """
        rows = self.rows if rows is None else rows
        if self.over[rows].any():
            raise ValueError("expected games that are running, got a finished one; reset it first")
        actions = self._action_numbers(actions, len(rows))
        if self.on_illegal == "raise":
            self._refuse_illegal(actions, rows)
        self.renew(keep=False)
        self.payoffs = np.zeros_like(self.payoffs)
        self._play(actions, rows)
        self._ask_agents(rows)

    def _action_numbers(self, actions: Any, count: int) -> NDArray[np.int64]:
        """The actions as an int64 array (count,)."""
        numbers = np.asarray(actions)
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"expected integer action numbers, got {numbers.dtype} {actions!r}")
        if numbers.shape != (count,):
            raise ValueError(f"expected one action for each of {count} games, got shape {numbers.shape}")
        return np.ascontiguousarray(numbers, np.int64)

    def _refuse_illegal(self, actions: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Raise IllegalAction for the first action that its row's mask forbids."""
        known = (actions >= 0) & (actions < self.masks.shape[1])
        legal = known & (self.masks[rows, np.where(known, actions, 0)] != 0)
        if not legal.all():
            first = int(np.argmin(legal))
            raise IllegalAction(self._refusal(int(actions[first]), int(rows[first])))

    def _refusal(self, action: int, row: int) -> str:
        """Which action the rules forbid in this row, and why."""
        if not 0 <= action < len(self.game.actions):
            return f"expected an action from 0 to {len(self.game.actions) - 1}, got {action} in row {row}"
        state = self.batch.states[row]
        return f"expected a legal action, got {self.game.say(state, action)!r} in row {row}: {self.game.why_not(state, action)}"

    def _ask_agents(self, rows: NDArray[np.int64]) -> None:
        """Let the agents decide for the other seats until every learner is asked or its game is over."""
        if self._others != Others.AGENTS:
            return
        states = self.batch.states
        waiting = rows[(states.over[rows] == Over.RUNNING) & (states.seat[rows] != self.learners[rows])]
        while len(waiting):
            if len(self._agents) == 1:
                self._let_act(self._agents[0], waiting)
            else:
                places = (states.seat[waiting] - self.learners[waiting] - 1) % states.seats[waiting]
                for place in np.unique(places):
                    self._let_act(self._agents[place], waiting[places == place])
            waiting = waiting[(states.over[waiting] == Over.RUNNING) & (states.seat[waiting] != self.learners[waiting])]

    def _let_act(self, agent: Act, rows: NDArray[np.int64]) -> None:
        """Let one agent decide in each of the rows, which all wait for it."""
        actions = agent(self.observations[rows], self.masks[rows], self.rng)
        actions = self._action_numbers(actions, len(rows))
        self._refuse_illegal(actions, rows)
        self._play(actions, rows)

    def _play(self, actions: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Play one decision in each of the rows."""
        self._run(_answer, rows, actions, self.rewards, self.payoffs, self.over)

    def _run(self, loop: Callable[..., None], rows: NDArray[np.int64], *rest: Any) -> None:
        """Run a compiled loop over the rows, in as many parts as there are threads."""
        batch, game = self.batch, self.game
        shared = (rows, _plain(batch.states), _plain(batch.luck), _plain(self._choices), _plain(self._log))
        shown = (self.masks, self.observations, self.learners, self.illegal)
        rules = (int(self._others), game.legal, game.step, game.observe)
        arguments = (*shared, *shown, *rules, *rest)
        parts = min(self._threads, len(rows) // FEWEST_ROWS)
        if parts <= 1:
            loop(0, len(rows), *arguments)
            return
        ends = [len(rows) * part // parts for part in range(parts + 1)]
        runs = [_pool(parts).submit(loop, a, b, *arguments) for a, b in itertools.pairwise(ends)]
        for run in runs:
            run.result()
