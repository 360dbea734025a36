"""Checks of the agents that a game names: each can be loaded and chooses legal actions."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import numpy as np

from titan_env.contract import Game
from titan_env.contract.options import near
from titan_env.engine.batch import Batch
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.determinization import agent_rng
from titan_env.testing.errors import doing, require

_GAMES = 4
_DECISIONS = 8


def check_agents(game: Game, seed: int) -> None:
    """Raise BadGame for an agent that a game names and that cannot be loaded, or does not play.

    One whose maker takes a text, such as the path of a file, is not made: its value is unknown.
    """
    for name, entry_point in game.metadata.agents.items():
        make = _maker(name, entry_point)
        parameters = list(inspect.signature(make, eval_str=True).parameters.values())
        require(parameters, f"{entry_point} to take the game: make(game, ...)", "a function without parameters")
        if any(parameter.annotation is str for parameter in parameters):
            continue
        with doing(f"{entry_point} to make the agent {name} of the game alone"):
            agent = make(game)
        write = "return a function act(observations, masks, rng)"
        require(callable(agent), f"{entry_point} to return an agent", repr(agent), write)
        _check_play(game, name, agent, seed)
    adviser = game.metadata.adviser.partition(":")[0]
    write = f"leave adviser out{near(adviser, list(game.metadata.agents))}"
    require(
        not adviser or adviser in game.metadata.agents,
        "adviser to name one of the agents",
        repr(game.metadata.adviser),
        write,
    )
    if game.metadata.position_values:
        _check_position_values(game, game.metadata.position_values, seed)


def _check_position_values(game: Game, entry_point: str, seed: int) -> None:
    """Raise BadGame for values of positions that are no payoffs by winning."""
    values = _maker("position_values", entry_point)
    batch = Batch(game, _GAMES)
    batch.seed(seed)
    batch.start()
    batch.rollout(_DECISIONS)
    with doing(f"{entry_point} to value positions, as position_values(states) does,"):
        worth = np.asarray(values(batch.states))
    seats = int(batch.states["seats"].max())
    what = f"{entry_point} to return a payoff from -1 to 1 for each of {_GAMES} positions and {seats} seats"
    require(worth.shape == (_GAMES, seats), what, f"shape {worth.shape}")
    require(bool((np.abs(worth) <= 1).all()), what, worth.tolist())


def _maker(name: str, entry_point: str) -> Any:
    """Return the function that a game names as the maker of an agent."""
    module, _, function = entry_point.partition(":")
    with doing(f"agents[{name!r}] = {entry_point!r}, a module and a function in it,"):
        found = importlib.import_module(module)
    make = getattr(found, function or "make", None)
    write = f"name a function of it{near(function, dir(found))}"
    require(callable(make), f"agents[{name!r}] = {entry_point!r} to name a function", repr(make), write)
    return make


def _check_play(game: Game, name: str, agent: Any, seed: int) -> None:
    """Let an agent decide in all seats of a few games. Raises BadGame for an invalid decision."""
    batch, rng = Batch(game, _GAMES), agent_rng(seed)
    batch.seed(seed)
    batch.start()
    for _ in range(_DECISIONS):
        rows = np.flatnonzero(~batch.over)
        if not rows.size:
            return
        with doing(f"the agent {name} to decide, as act(observations, masks, rng) does,"):
            chosen = np.asarray(ask_in_batch(agent, batch, rows, rng).actions)
        is_numbers = chosen.shape == rows.shape and chosen.dtype.kind in "iu"
        got = f"{chosen.dtype} of shape {chosen.shape}"
        require(is_numbers, f"the agent {name} to return {len(rows)} action numbers for {len(rows)} decisions", got)
        in_range = (chosen >= 0) & (chosen < len(game.rules.actions))
        is_legal = in_range & (batch.masks[rows, np.where(in_range, chosen, 0)] == 1)
        wrong = [int(number) for number in chosen[~is_legal]]
        require(not wrong, f"the agent {name} to choose what its mask allows", wrong, "choose among masks[row] == 1")
        actions = np.zeros(_GAMES, np.int64)
        actions[rows] = chosen
        batch.step(actions, ~batch.over)
