"""The last round of a race of two, solved exactly, and how exploitable agents are where programming is simultaneous.

`python -m titan_env.games.tiny_turbo_cars.solver.last_round random greedy expert` prints by how much a best response
beats each agent beyond the value of the game, on average over deals of the controllers. Both cars stand seven rows
before the line, either may make three slides, and a race that nobody has won in this round is drawn.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from titan_env import agents, registry
from titan_env.agents.action_chances import action_chances
from titan_env.contract import draw, reduced_game, rule
from titan_env.engine.batch import Batch
from titan_env.extras import MissingExtra, complaint, print_to_any_terminal
from titan_env.games.tiny_turbo_cars.rules.controller import push
from titan_env.play.sequence_form import SmallGame

if __name__ == "__main__":
    print_to_any_terminal()

GAME = "tiny_turbo_cars"
OPTIONS: dict[str, Any] = {
    "players": 2,
    "cars": ["sonic_fish", "dogtor"],
    "boards": ["driveway", "living_room", "garden"],
    "length": 1,
    "slides": 3,
    "countdown": 1,
    "round_limit": 1,
}
"""The race: short, so that its controllers matter, and over after a round."""
GRID = ("place:3", "place:4")
ROWS = 7
"""The rows of both cars to the line."""
DIRECTIONS = 4
INSIDE = 8
"""A deal in which the holes of both controllers lie inside, so that a tile can be slid from each direction."""
HEADINGS = ("agent", "exploitability", "as the first seat", "as the second seat", "deals without loss")


def last_round(seed: int, slides: int = 3, rows: int = ROWS) -> Any:
    """Return the position in which both controllers of this deal lie there and the first slide is asked for."""
    game = registry.load(GAME)
    batch = Batch(game, 1, **{**OPTIONS, "slides": slides})
    batch.seed([seed])
    batch.start()
    for place in GRID:
        batch.step(np.array([game.rules.actions.numbers[place]]))
    state, second = batch.states.copy(), 1 - int(batch.states[0].seat)
    batch.step(batch.masks.argmax(axis=1))  # now the other seat is asked, and its controller is dealt
    state.drivers.controller[0, second] = batch.states.drivers.controller[0, second]
    state.drivers.row[0, :2] = state.line[0] - rows
    return state[0]


@rule
def slide_in_secret(state: Any, luck: Any) -> None:
    """Chance slides a tile of each controller by one place, which its seat alone sees."""
    for seat in range(state.seats):
        push(state.drivers[seat], draw(luck, DIRECTIONS), 1)


def begun() -> Any:
    """Return the last round of one deal before chance slides a tile of each controller, (1,)."""
    return np.array([last_round(INSIDE)]).view(np.recarray)


LAST_ROUND = reduced_game(registry.load(GAME), "last_round", "last round", setup=slide_in_secret, configure=begun)
"""The last round as a game of its own: each seat sees its own controller alone, one of four, each as likely."""


def table(names: Sequence[str], deals: int, seed: int = 0) -> list[tuple[str, ...]]:
    """Return a line for each agent, by `HEADINGS`, the best first; payoffs are 1 for a win and -1 for a loss."""
    game = registry.load(GAME)
    solved = [SmallGame(game, last_round(number)) for number in range(deals)]
    found = {}
    for name in names:
        plays = partial(action_chances, game, agents.load(name, game), rng=np.random.default_rng(seed))
        found[name] = np.array([one.exploitability(plays) for one in solved])
    return [
        (name, *(f"{mean:.3f}" for mean in lost.mean(axis=0)), f"{(lost[:, 0] < 1e-6).sum()} of {deals}")
        for name, lost in sorted(found.items(), key=lambda one: one[1][:, 0].mean())
    ]


def main() -> None:
    """Print how exploitable agents are in the last round of a race of two, over deals, as a table in Markdown."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("agents", nargs="+", help="Agents, such as expert or policy:FILE.")
    parser.add_argument("--deals", type=int, default=64, help="Deals of the controllers: seeds from 0 on.")
    parser.add_argument("--seed", type=int, default=0, help="Seed of agents that draw.")
    options = parser.parse_args()
    try:
        if options.deals < 1:
            raise ValueError(f"--deals: expected 1 or more, got {options.deals}")
        lines = table(options.agents, options.deals, options.seed)
    except (ValueError, MissingExtra, agents.AgentFailed) as error:
        parser.error(complaint(error))
    for line in (HEADINGS, ["---"] + ["--:"] * (len(HEADINGS) - 1), *lines):
        print("|", " | ".join(line), "|")


if __name__ == "__main__":
    main()
