"""The call of an agent for its actions, with the imagined worlds and the history that it declares to need.

An agent declares its needs by attributes: ``plans`` for imagined worlds, ``listens`` (with ``plans``) for the events
since its seat's last decision, ``at_once`` that it can decide in many games in one call although it plans. One with
``scores(observations)`` and ``choose(scores, masks, rng)`` takes a legal action with the highest score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import take_records
from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records
from titan_env.play.best_actions import scores_actions
from titan_env.play.determinization import Determinizations
from titan_env.play.observation_history import EventHistory, WorldsWithHistory
from titan_env.play.opinions import Opinion, opinions_of_policy, opinions_of_scores


class Needs(NamedTuple):
    """The needs that an agent declares."""

    plans: bool
    """The agent takes imagined worlds (`Determinizations`) as its fourth argument."""
    listens: bool
    """They are `WorldsWithHistory`: with the events since its seat's last decision, and a place for its thoughts."""
    at_once: bool
    """One call for many games gives the same decisions as one call for each."""


class Decisions(NamedTuple):
    """Actions int64 (B,), and for each the agent's thought as a text, "" for none, and its opinion, if it has one."""

    actions: NDArray[np.int64]
    thoughts: list[str]
    opinions: list[Opinion | None]


def needs_of(agent: Any) -> Needs:
    """Return the needs that an agent declares; a plain function has none, and can be called for many games at once."""
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
    histories: Sequence[EventHistory] | None = None,
    go_on: Callable[[], None] = lambda: None,
    weighed: bool = False,
) -> Decisions:
    """Return an agent's decisions at these positions (B,), for the seat to act in each.

    `histories` (B,) are those of the games, for agents that listen; without them these get plain `Determinizations`.
    `go_on` raises when a planning agent is to stop. Planners that have opinions leave them; agents that score actions
    and policies are asked for theirs with `weighed` only, which takes time.
    """
    needs = needs_of(agent)
    if needs.listens and histories is not None:
        heard = WorldsWithHistory(game, states, rng, histories, go_on)
        return Decisions(agent(observations, masks, rng, heard), heard.thoughts, heard.opinions)
    silent = [""] * len(states)
    if needs.plans:
        worlds = Determinizations(game, states, rng, go_on)
        return Decisions(agent(observations, masks, rng, worlds), silent, worlds.opinions)
    opinions: list[Opinion | None] = [None] * len(states)
    if weighed and scores_actions(agent):
        scores = agent.scores(observations)
        opinions[:] = opinions_of_scores(scores, masks)
        return Decisions(agent.choose(scores, masks, rng), silent, opinions)
    if weighed and hasattr(agent, "policy"):
        chances, values = agent.policy(observations, masks)
        opinions[:] = opinions_of_policy(chances, values, masks)
    return Decisions(agent(observations, masks, rng), silent, opinions)


def ask_in_batch(
    agent: Any,
    batch: Batch,
    rows: NDArray[np.int64],
    rng: np.random.Generator,
    histories: Sequence[EventHistory] | None = None,
) -> Decisions:
    """Return an agent's decisions in these rows (B,) of a batch; `histories` (N,) are the histories of all its rows."""
    own = None if histories is None else [histories[int(row)] for row in rows]
    states = take_records(batch.states, rows)
    return ask_agent(agent, batch.game, states, fractions_in(batch, rows), batch.masks[rows], rng, own)


def fractions_in(batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the observations (B, F) of these rows of a batch as agents take them, in fractions."""
    observations = batch.observations[rows]
    return batch.game.rules.fields.to_float(observations) if batch.whole else observations
