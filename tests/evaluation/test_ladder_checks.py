"""What a ladder's blocks tell without a game: which tables the lot gave, and games that no rating describes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from titan_env.evaluation.matches.mixed_tables import Block, draw_tables, winners_of
from titan_env.evaluation.matches.plackett_luce import ELO
from titan_env.evaluation.ratings.ladder_checks import undrawn
from titan_env.evaluation.ratings.model_checks import unlike_the_model

POINTS = {"expert": 0.0, "greedy": -100.0, "king": 20.0, "policy": 60.0, "random": -500.0}


def blocks_of(seed: int = 0, only: str | None = None, given: Mapping[str, str] | None = None) -> list[Block]:
    """Return blocks of four in which agents win by their points; the kings give their wins to another at the table."""
    rng, played, names = np.random.default_rng(seed), [], [name for name in POINTS if only or name != "policy"]
    for number, table in enumerate(draw_tables(names, 3, 200, seed, "expert", only), seed):
        luck = rng.gumbel(size=(3, 3)) + np.array([POINTS[name] for name in table]) / ELO
        winners = [table[place] for place in luck.argmax(axis=1)]
        winners = [(given or {}).get(name, name) for name in winners]
        kept = [
            table.index(name) if name in table else int(place)
            for name, place in zip(winners, luck.argmax(axis=1), strict=True)
        ]
        played.append(Block(number, table, " ".join(map(str, kept))))
    return played


def test_the_tables_of_a_tournament_and_of_an_agent_that_joined_were_drawn() -> None:
    assert not undrawn([*blocks_of(), *blocks_of(10_000, "policy")])


def test_blocks_that_are_left_out_anywhere_but_at_the_end_leave_a_gap() -> None:
    blocks = blocks_of()
    for out in (0, 1, 100):
        assert "some are missing" in undrawn(blocks[:out] + blocks[out + 1 :])[0]
    # Only true blocks, but none in which greedy has won nothing.
    without = [block for block in blocks if "greedy" not in block.agents or block.shares().any(axis=0).all()]
    assert undrawn(without)
    assert not undrawn(blocks[:150]), "a tournament that was stopped"


def test_tables_of_which_the_lot_knows_nothing_are_found_among_drawn_ones() -> None:
    blocks = blocks_of()
    seats = blocks[50].agents
    swapped = [*blocks[:50], Block(50, (seats[1], seats[0], seats[2]), "0 1 2"), *blocks[51:]]
    assert undrawn(swapped)[0].startswith(f"{len(blocks)} of {len(blocks)} blocks (seeds from 0 to")
    other = [Block(block.seed + 7, block.agents, block.winners) for block in blocks]
    assert undrawn(other), "the tables of another seed"
    assert undrawn(blocks + blocks_of(150, "policy")), "two tournaments at the same seeds"


def test_agents_that_win_by_their_strength_fit_the_model_and_a_king_maker_does_not() -> None:
    names = sorted(set(POINTS) - {"policy"})
    assert not unlike_the_model(names, winners_of(blocks_of(), names), "expert")
    made = winners_of(blocks_of(given={"king": "greedy"}), names)
    (wrong,) = unlike_the_model(names, made, "expert")
    assert "percentage points in the" in wrong
    assert "king" in wrong
