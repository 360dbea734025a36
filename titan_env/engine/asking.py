"""Ask an agent for its actions: the one place that knows what planners and listening agents get besides observations.

An agent says by attributes what it needs: ``plans`` for imagined worlds, ``listens`` (beside ``plans``) for the events
since its seat's last decision, ``at_once`` that it can be asked in many games at once although it plans.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records
from titan_env.engine.hearing import Heard, Past
from titan_env.engine.worlds import Worlds


class Needs(NamedTuple):
    """Declarations of an agent."""

    plans: bool
    """It is given imagined worlds."""
    listens: bool
    """It is given the events since its seat's last decision, and room for its thoughts."""
    at_once: bool
    """It decides in many games at once as it would in each alone."""


class Decisions(NamedTuple):
    """Actions int64 (B,), and a thought for each, as text: "" where there is none."""

    actions: NDArray[np.int64]
    thoughts: list[str]


def needs_of(agent: Any) -> Needs:
    """Return what an agent declares of itself; a plain function declares nothing, and can be asked at once."""
    plans = bool(getattr(agent, "plans", False))
    listens = bool(getattr(agent, "listens", False))
    return Needs(plans, listens, bool(getattr(agent, "at_once", not plans)))


def ask_agent(
    agent: Any,
    game: Game,
    states: Records,
    observations: NDArray[np.float32],
    masks: NDArray[np.int8],
    rng: np.random.Generator,
    pasts: Sequence[Past] | None = None,
    go_on: Callable[[], None] = lambda: None,
) -> Decisions:
    """Return what an agent decides at these positions (B,), for the seat that is asked in each.

    `pasts` (B,) are the events of each game, which agents that listen get; without them these get plain worlds.
    `go_on` raises where one that plans is to stop.
    """
    needs = needs_of(agent)
    if needs.listens and pasts is not None:
        heard = Heard(game, states, rng, pasts, go_on)
        return Decisions(agent(observations, masks, rng, heard), heard.thoughts)
    silent = [""] * len(states)
    if needs.plans:
        return Decisions(agent(observations, masks, rng, Worlds(game, states, rng, go_on)), silent)
    return Decisions(agent(observations, masks, rng), silent)


def ask_in_batch(
    agent: Any,
    batch: Batch,
    rows: NDArray[np.int64],
    rng: np.random.Generator,
    pasts: Sequence[Past] | None = None,
) -> Decisions:
    """Return what an agent decides in these rows of a batch; `pasts` are those of all rows."""
    observations, masks = batch.observations[rows], batch.masks[rows]
    if batch.whole:
        observations = batch.game.rules.fields.to_float(observations)
    own = None if pasts is None else [pasts[int(row)] for row in rows]
    return ask_agent(agent, batch.game, batch.states[rows].view(np.recarray), observations, masks, rng, own)
