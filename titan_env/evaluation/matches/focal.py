"""One agent among others: the focal agent has one side of a table, and the background all others.

With three and more sides a block has as many games as sides; the focal agent moves on by one side from game to game. No
copy of it is ever at its table, so that helping or recognising a copy gains nothing. Only the focal agent is measured.
The background is made of copies, which can gang up on a stranger. Therefore the other agent alone among copies of the
first one is shown as "invaded" and rates nobody (after Leibo et al. 2021, Melting Pot).

With two sides both agents are alone, and the block is that of `titan_env.evaluation.matches.duplicate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.blocks import Blocks, Players, play
from titan_env.evaluation.matches.duplicate import Comparison, first_wins, play_block_results
from titan_env.evaluation.matches.match import Z95
from titan_env.evaluation.matches.plackett_luce import ELO


def play_alone(game: Game | str, players: Players, seeds: Sequence[int], /, alone: int = 0, **options: Any) -> Blocks:
    """Play one block for each seed as `blocks_alone` does, in a game with these options.

    Raises ValueError for invalid options, and for a game with one side.
    """
    return blocks_alone(GameSetup.of(game, options), players, seeds, alone)


def blocks_alone(setup: GameSetup, players: Players, seeds: Sequence[int], alone: int = 0) -> Blocks:
    """Play one block for each seed with one of two agents alone among copies of the other.

    Returns results (blocks, sides, 2) of the agent that is alone and of all others together; points and places are the
    means over their sides. Raises ValueError for a game with one side.
    """
    setup.check_agents(len(players))
    lineup = np.full(setup.sides, 1 - alone)
    lineup[0] = alone
    blocks = play(setup, players, np.tile(lineup, (len(seeds), 1)), seeds, setup.sides)
    parts = (
        np.sum(blocks.shares[:, :, 1:], axis=2),
        *(x[:, :, 1:].mean(axis=2) for x in (blocks.points, blocks.places)),
    )
    firsts = (blocks.shares, blocks.points, blocks.places)
    shares, points, places = (np.stack([one[:, :, 0], rest], axis=2) for one, rest in zip(firsts, parts, strict=True))
    return Blocks(shares, points, places, blocks.digests)


def copy_bonus(setup: GameSetup, players: Players, seeds: Sequence[int]) -> tuple[float, float]:
    """Return the rating points that an agent gains by sitting beside its own copies, and half of their 95 % interval.

    It is the difference, on Elo's scale, between the share of wins in duplicate play and that of the agent alone, as
    shares of two. Both are played with the same seeds.
    """
    shared = play_block_results(setup, players, seeds).shares
    alone = blocks_alone(setup, players, seeds).shares
    known = (Comparison(shared), Comparison(alone, sides=setup.sides))
    bonus = _points(known[0].rate, 2) - _points(known[1].rate, known[1].sides)
    of_block = [first_wins(one.shares, one.sides).mean(axis=1) for one in known]
    moved: NDArray[np.float64] = sum(
        (
            sign * ELO * share / (one.rate * (1 - one.rate))
            for sign, share, one in zip((1, -1), of_block, known, strict=True)
        ),
        np.zeros(len(seeds)),
    )
    return bonus, float(Z95 * moved.std(ddof=1) / len(seeds) ** 0.5)


def _points(rate: float, sides: int) -> float:
    """Return the rating points over the others of an agent that wins this share among so many sides."""
    return float(ELO * np.log(rate / (1 - rate) * (sides - 1)))
