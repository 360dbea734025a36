"""What a planner is given instead of the true game: worlds that fit what its seat has seen.

A planner is an agent with ``plans = True``, called as ``act(observations, masks, rng, worlds)``.
Whatever it looks into, it finds neither the others' cards, nor the deck, nor the next roll: the
positions it gets had everything hidden drawn anew, and other luck, before it was called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.batch import Batch, Records, plain
from titan_env.contract import LOG, SILENT, Game
from titan_env.jit import bind
from titan_env.luck import LUCK, MOST_ANSWERS, preset, scattered

imagine: Any = None


def imagine_rows(states: Any, seats: Any, luck: Any) -> None:
    """Draw anew in each row what its seat cannot know."""
    for i in range(len(states)):
        imagine(states[i], seats[i], luck[i])


def _redraw(game: Game, states: Records, seats: NDArray[np.int64], rng: np.random.Generator) -> None:
    """Draw anew what these seats cannot know, in place."""
    if game.imagine is not None:
        luck = scattered(rng, len(states))
        bind(imagine_rows, {"imagine": game.imagine})(plain(states), seats, plain(luck))


class Worlds:
    """The positions that a planner decides in, as the seat that is asked in each may imagine them.

    `states` (B,) is one such world for each decision: what is hidden has been drawn anew already.
    """

    def __init__(self, game: Game, states: Records, rng: np.random.Generator) -> None:
        self.game = game
        self.states: Records = states.copy()
        self.seats = self.states["seat"].astype(np.int64)
        _redraw(game, self.states, self.seats, rng)

    def imagine(self, k: int, rng: np.random.Generator, row: int | None = None) -> Batch:
        """`k` independent worlds for each decision (or for that of one `row`), with luck of their own, as one batch.

        Rows ``k * i .. k * i + k - 1`` belong to decision i.
        """
        which = np.repeat(np.arange(len(self.states)) if row is None else np.array([row]), k)
        states: Records = self.states[which]
        _redraw(self.game, states, self.seats[which], rng)
        return gather(self.game, states, rng)


def gather(game: Game, states: Records, rng: np.random.Generator) -> Batch:
    """A batch of these positions, with luck of its own; they can be played on, not begun anew."""
    batch = Batch(game, len(states), templates=states)
    batch.restarts = False
    batch.scatter(rng)
    batch.refresh()
    return batch


def decide(agent: Any, batch: Batch, rows: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """What an agent decides in these rows of a batch: one action number for each.

    An agent gets the observations and masks of the seats that are asked; one that plans gets `Worlds` too.
    """
    observations, masks = batch.observations[rows], batch.masks[rows]
    if getattr(agent, "plans", False):
        actions: NDArray[np.int64] = agent(
            observations, masks, rng, Worlds(batch.game, batch.states[rows].view(np.recarray), rng)
        )
    else:
        actions = agent(observations, masks, rng)
    return actions


def chance(game: Game, state: Any, action: int, most: int = 100_000) -> list[tuple[float, Any]]:
    """Every position that a legal action can lead to, with its probability: (probability, state) pairs.

    `state` is one record of ``game.state`` and stays as it is. Positions that are the same whatever
    the order of the dice are listed once. To a planner, hand positions that it has imagined.
    Raises ValueError when more than `most` sequences of answers would have to be looked at.
    """
    found: dict[bytes, float] = {}
    for number, (probability, position) in enumerate(_outcomes(game, state, action)):
        if number == most:
            raise ValueError(f"expected at most {most} sequences of chance answers; raise `most` for this action")
        key = position.tobytes()
        found[key] = found.get(key, 0.0) + probability
    records = np.frombuffer(b"".join(found), game.state).view(np.recarray).copy()
    return list(zip(found.values(), records, strict=True))


def _outcomes(game: Game, state: Any, action: int) -> Iterator[tuple[float, Records]]:
    """Play the action once for every sequence of chance answers: its probability and the position (1,)."""
    luck: Records = np.zeros(1, LUCK).view(np.recarray)
    log: Records = np.zeros(1, LOG).view(np.recarray)
    log["count"] = SILENT
    answers: list[int] = []
    while True:
        after: Records = np.array([state], game.state).view(np.recarray)
        preset(luck[0], [*answers, *[0] * (MOST_ANSWERS - len(answers))])
        game.step(after[0], action, luck[0], log[0])
        asked = int(luck[0].asked)
        sides = [int(number) for number in luck[0].sides[:asked]]
        answers = [*answers, *[0] * (asked - len(answers))][:asked]
        yield 1.0 / np.prod(sides, dtype=np.float64), after
        while answers and answers[-1] + 1 == sides[len(answers) - 1]:
            answers.pop()
        if not answers:
            return
        answers[-1] += 1
