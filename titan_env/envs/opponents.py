"""Opponents of a learner as users give them: agents or their names, for all seats, for each, or as a pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from titan_env.agents import agent_of
from titan_env.contract import Game
from titan_env.contract.options import brief
from titan_env.play import learner_batch
from titan_env.play.learner_batch import OpponentPool

AgentOrName: TypeAlias = str | Callable[..., Any]
"""An agent ``act(observations, masks, rng)``, or the name of one, as `titan_env.agents.load` takes it."""

Opponents: TypeAlias = AgentOrName | Sequence[AgentOrName] | Mapping[str, Sequence[AgentOrName]]
"""One agent for every other seat, a list with one for each, in turn order after the learner, or
``{"pool": [...]}``, of which every game draws one for each other seat."""

Delegate: TypeAlias = Mapping[str, AgentOrName]
"""The agent of each question that is delegated, by the question's name in the game's `asks`."""

_COMPILED = "random"  # plays within the compiled loops, by each row's own stream


def load_opponents(
    opponents: Opponents, game: Game, load: Callable[[Any, Game], Any] = agent_of
) -> learner_batch.OpponentAgents:
    """Return opponents, each loaded by `load` but ``"random"`` alone. Raises ValueError or TypeError for others."""
    if isinstance(opponents, str) and opponents == _COMPILED:
        return _COMPILED
    if isinstance(opponents, Mapping):
        pool = opponents.get("pool", ())
        if list(opponents) != ["pool"] or isinstance(pool, str) or not isinstance(pool, Sequence) or not pool:
            raise ValueError(
                f'expected a pool of opponents such as {{"pool": ["random", "expert"]}}, got {brief(opponents)}'
            )
        return OpponentPool(tuple(_load(agent, game, load) for agent in pool))
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        return [_load(agent, game, load) for agent in opponents]
    return _load(opponents, game, load)


def _load(agent: AgentOrName, game: Game, load: Callable[[Any, Game], Any]) -> Any:
    """Return one opponent. Raises TypeError, which names the keyword, unless it is an agent or a name."""
    try:
        return load(agent, game)
    except TypeError as error:
        raise TypeError(f"opponents: {error}") from None
