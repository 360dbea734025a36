"""An agent that plays a win of the current turn wherever it is sure, and as another agent does elsewhere.

``solve:by=expert`` takes expert's action unless another one wins by every answer of chance, whatever other seats do, in
the imagined world and in further ones of its seat: see `titan_env.play.sure_wins`, also for what a turn is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env import agents
from titan_env.contract import Game
from titan_env.play.agent_calls import ask_agent, needs_of
from titan_env.play.determinization import Determinizations
from titan_env.play.opinions import Opinion
from titan_env.play.sure_wins import choose_sure_wins


class Solving:
    """The agent around another one: it plans, since only positions say what wins."""

    plans = True

    def __init__(self, game: Game, agent: Any) -> None:
        self._game, self._agent = game, agent
        self.at_once = needs_of(agent).at_once

    def __call__(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
        worlds: Determinizations,
    ) -> NDArray[np.int64]:
        """Return an action that wins for sure, or the other agent's, for each decision."""
        decided = ask_agent(self._agent, self._game, worlds.states, observations, masks, rng)
        chosen = choose_sure_wins(self._game, worlds.states, masks, decided.actions, rng)
        for row, opinion in enumerate(decided.opinions):
            sure = chosen[row] != decided.actions[row]
            worlds.leave(row, Opinion(chosen[row : row + 1], values=np.ones(1), value=1.0) if sure else opinion)
        return chosen


def make(game: Game, by: str = "") -> Solving:
    """Make the agent around the one of this name. Raises ValueError without one."""
    if not by:
        raise ValueError("expected the agent that decides where no win is sure, as in solve:by=expert")
    return Solving(game, agents.load(by, game))
