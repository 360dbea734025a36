"""Write positions of solved duels of Titan: battle as puzzles: where one character should go, with exact values::

    python -m tools.duel_puzzles

Of each of the eleven duels and both sides come the questions that the expert meets most often against best play, no two
with the same values, which are of the whole rest of the battle. `python -m titan_env.evaluation.exam` asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from titan_env import agents, registry
from titan_env.contract import Game
from titan_env.evaluation.puzzles.puzzle_files import Puzzle, write
from titan_env.games.titan_battle.rules import actions
from titan_env.games.titan_battle.rules.state import Ask, Side
from titan_env.games.titan_battle.solver.best_play import Array, BestPlay, Duel
from titan_env.games.titan_battle.solver.duel import DUELS
from titan_env.games.titan_battle.solver.loss import Course, Nodes
from titan_env.records.recorder import hash_of

FILE = "positions_of_duels.jsonl"
AGENT = "expert"
OF_A_SIDE = 2
"""The questions of each side of a duel."""
MARGIN = 0.02
"""The least by which the best place is better than the worst."""


class Questions(Course):
    """A duel in which the agent's choices of a place are kept, each with how likely it is met."""

    def __init__(self, *course: Any) -> None:
        super().__init__(*course)
        self.met: list[tuple[float, Puzzle]] = []

    def _go_to(self, moved: Array, nodes: Nodes, ways: list[Nodes], weights: Array, moment: tuple[int, Side]) -> None:
        """Keep the questions, and let the agent choose."""
        states = self._states(nodes, *moment, Ask.GO)
        fought, own = self.best.fought[moment], moment[1]
        for state, there, weight in zip(states, ways, weights.tolist(), strict=True):
            worth = fought[tuple(there.T)] if own == Side.ATTACKER else 1 - fought[tuple(there.T)]
            if np.ptp(worth) >= MARGIN:
                self.met.append((weight, self._puzzle(state, dict(zip(there[:, own].tolist(), worth, strict=True)))))
        super()._go_to(moved, nodes, ways, weights, moment)

    def _puzzle(self, state: Any, worth: dict[int, float]) -> Puzzle:
        """Return the puzzle of a question; `worth` are the shares of the battle that places win."""
        values = {
            self.game.rules.actions.texts[actions.TO + hexagon]: round(float(one), 9) for hexagon, one in worth.items()
        }
        position = self.game.text.position_text(state)
        return Puzzle(hash_of(self.game, state), max(values.values()), values, position, whole=True, decisions=1)


def likeliest(game: Game) -> Iterator[Puzzle]:
    """Yield the questions of all duels that are met most often."""
    for duel in DUELS:
        best = BestPlay(Duel(*duel))
        for side in Side:
            questions = Questions(game, agents.load(AGENT, game), best, side, np.random.default_rng(0))
            questions.run()
            met = sorted(questions.met, key=lambda one: (one[0], one[1].id))
            others = {tuple(puzzle.worths.items()): puzzle for _, puzzle in met}  # of equal values the likeliest
            yield from [puzzle for _, puzzle in reversed(met) if puzzle in others.values()][:OF_A_SIDE]


def main() -> None:
    """Write the file."""
    game = registry.load("titan_battle")
    made = {"duels": len(DUELS), "agent": AGENT, "of_a_side": OF_A_SIDE, "margin": MARGIN}
    write(Path(game.metadata.folder, FILE), game, list(likeliest(game)), made)


if __name__ == "__main__":
    main()
