"""The positions that an action can lead to have the probabilities of the chance answers that lead there."""

from __future__ import annotations

from collections import defaultdict
from math import comb

import pytest

from tests.games import frontier, orchard
from titan_env.engine.batch import Batch
from titan_env.play.outcomes import chance_outcomes


def test_the_outcomes_of_a_weighted_draw_have_its_weights() -> None:
    """A tree that is shaken in Orchard lets 0, 1, 2 or 3 apples fall to the ground, with the weights 2, 5, 3 and 1."""
    batch = Batch(orchard.GAME, 1)
    batch.seed(0)
    batch.start()
    outcomes = chance_outcomes(orchard.GAME, batch.states[0], orchard.SHAKE)
    by_apples = {int(state.ground): probability for probability, state in outcomes}
    assert by_apples == pytest.approx({0: 2 / 11, 1: 5 / 11, 2: 3 / 11, 3: 1 / 11})


def test_the_outcomes_of_a_strike_have_the_probabilities_of_both_sides_dice() -> None:
    """In Frontier six men at a1 strike five at b1 boldly: each slays one with three faces of six, on both sides.

    No more can be slain than stand there. Each brings 10,000 ducats, by which the outcomes are told apart.
    """
    state = frontier.configure(players=2)[0]
    attacker, defender = 1, 2  # owners are seats + 1
    state.ask = frontier.Ask.ORDER
    for field, owner, men in ((0, attacker, 6), (1, defender, 5), (8, attacker, 1), (10, defender, 1)):
        state.owner[field], state.men[field] = owner, men
    found: dict[tuple[int, int], float] = defaultdict(float)
    for probability, after in chance_outcomes(frontier.GAME, state, frontier.ACTIONS.read("bold:a1:east")):
        slain, lost = (int(after.scores[seat]) // 10_000 for seat in (0, 1))
        found[slain, lost] += probability
    expected: dict[tuple[int, int], float] = defaultdict(float)
    for successes in range(7):
        for lost in range(6):
            expected[min(successes, 5), lost] += comb(6, successes) / 2**6 * comb(5, lost) / 2**5
    assert found == pytest.approx(expected)
