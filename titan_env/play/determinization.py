"""The imagined worlds of a planner: positions that fit its seat's view, drawn instead of the true one.

A planner is an agent with ``plans = True``, called as ``act(observations, masks, rng, worlds)``. Hidden cards, the deck
and the luck are drawn anew before the call: no position that it gets reveals them. Set ``at_once = True`` if
the planner samples the same number of worlds for every decision and draws other random numbers only as arrays with a
row for each decision: its decisions in many games are then batched, each the same as alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random.bit_generator import ISpawnableSeedSequence, SeedSequence
from numpy.typing import NDArray

from titan_env.compiler.record_copies import as_arrays, as_bytes, copy_records, take_records, zero_records
from titan_env.contract import CHOICE, Game, scattered, specialize
from titan_env.engine.batch import Batch, Records
from titan_env.engine.mask_sampling import seed_choices
from titan_env.play.opinions import Opinion

imagine: Any = None


def imagine_rows(states: Any, seats: Any, luck: Any) -> None:
    """Draw anew in each row what its seat cannot know."""
    for i in range(len(states)):
        imagine(states[i], seats[i], luck[i])


def _redraw(
    game: Game, states: Records, seats: NDArray[np.int64], rng: np.random.Generator, rows_per_decision: int = 1
) -> None:
    """Draw anew, in place, what these seats (N,) cannot know; consecutive rows belong to one decision."""
    if game.rules.imagine is not None:
        luck = scattered(rng, len(states), game.rules.luck, rows_per_decision)
        specialize(imagine_rows, {"imagine": game.rules.imagine})(as_arrays(states), seats, as_arrays(luck))


@dataclass(frozen=True)
class WorldRecords:
    """Imagined worlds as bare records (N,) for compiled loops: cheaper than a batch with its masks and observations."""

    game: Game
    states: Any
    luck: Any
    choices: Any


class Determinizations:
    """A sampler of worlds for a planner's decisions: positions in which all that the seat to act cannot know is drawn.

    `states` (B,) is one world for each decision. `go_on` is called before more are drawn: it raises to stop it.
    `opinions` (B,) are the planner's own estimates of each decision, None for none.
    """

    def __init__(
        self, game: Game, states: Records, rng: np.random.Generator, go_on: Callable[[], None] = lambda: None
    ) -> None:
        self.game, self._go_on = game, go_on
        self.states: Records = copy_records(states)
        self.seats = self.states["seat"].astype(np.int64)
        self.opinions: list[Opinion | None] = [None] * len(self.states)
        _redraw(game, self.states, self.seats, rng)

    def leave(self, row: int, opinion: Opinion | None) -> None:
        """Keep the planner's opinion of one decision, for whoever asks for it."""
        self.opinions[row] = opinion

    def imagine(self, k: int, rng: np.random.Generator, row: int | None = None) -> Batch:
        """Draw `k` independent worlds for each decision, or for that of one `row`, as one batch with its own luck.

        Rows ``k * i .. k * i + k - 1`` belong to decision i.
        """
        self._go_on()
        which = np.repeat(np.arange(len(self.states)) if row is None else np.array([row]), k)
        states: Records = take_records(self.states, which)
        _redraw(self.game, states, self.seats[which], rng, k)
        return batch_of(self.game, states, rng, k)

    def imagine_records(self, k: int, rng: np.random.Generator, row: int) -> WorldRecords:
        """Draw `k` independent worlds for the decision of one row, the same as `imagine` does, as bare records."""
        self._go_on()
        rules = self.game.rules
        states = zero_records(rules.state, k)
        as_bytes(states)[:] = as_bytes(self.states)[row]
        if rules.imagine is not None:
            run = specialize(imagine_rows, {"imagine": rules.imagine})
            run(states, np.full(k, self.seats[row]), _luck(rng, k, rules.luck))
        luck, choices = _luck(rng, k, rules.luck), zero_records(CHOICE, k)
        seed_choices(choices, luck["stream"])
        return WorldRecords(self.game, states, luck, choices)


def _luck(rng: np.random.Generator, count: int, dtype: np.dtype[Any]) -> Any:
    """Draw the luck of `count` worlds of one decision as `scattered` does, as bare records.

    The recarrays of `scattered` and `_redraw` would take a sixth of the time of `flat:64`.
    """
    luck = zero_records(dtype, count)
    luck["stream"] = rng.integers(0, 2**64, (1, count), np.uint64)[0]
    return luck


def batch_of(game: Game, states: Records, rng: np.random.Generator, each: int = 1) -> Batch:
    """Return a batch of these positions, with luck of its own; they can be played on, not begun anew."""
    batch = Batch(game, len(states), templates=states)
    batch.restarts = False
    batch.reseed_from(rng, each)
    batch.refresh()
    return batch


class _Forgotten(ISpawnableSeedSequence):
    """The seed sequence of an agent's generator: it gives the first state once, and keeps nothing that it came from."""

    def __init__(self, digest: bytes) -> None:
        self._seeds: SeedSequence | None = SeedSequence(int.from_bytes(digest, "big"))

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> NDArray[Any]:
        """Return the words of the generator that is being made. Raises ValueError afterwards."""
        seeds, self._seeds = self._seeds, None
        if seeds is None:
            raise ValueError("expected draws from an agent's generator, which has no seeds; draw them with integers")
        return seeds.generate_state(n_words, dtype)

    def spawn(self, n_children: int) -> Any:
        """Raise ValueError: nothing is left to spawn from."""
        self.generate_state(n_children)


def agent_rng(*origin: int) -> np.random.Generator:
    """Return a generator for agents to draw from, made from a hash of these numbers.

    Whoever has the seed of a game knows its dice and cards. The generator has no seed sequence, spawns no others, and
    its first state, to which it could be turned back, is as good as a hash. But equal numbers give equal draws, so that
    a small seed can be found by trying one after the other: seeds that are drawn have 63 bits.
    """
    digest = hashlib.blake2b(repr(origin).encode(), digest_size=16, person=b"agents").digest()
    seeds: Any = _Forgotten(digest)  # NumPy takes every kind of seed sequence, its type hints one
    return np.random.Generator(np.random.PCG64(seeds))
