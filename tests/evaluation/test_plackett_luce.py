"""Ratings of whole tables: they are those of the library, and their intervals hold the truth."""

from __future__ import annotations

import choix
import numpy as np
import pytest

from titan_env.evaluation.matches.mixed_tables import Block, draw_tables, rankings_of, winners_of
from titan_env.evaluation.matches.plackett_luce import ELO, Choices, Fit, Rating, rate
from titan_env.evaluation.ratings.model_checks import equilibrium, largest_residual, nash_average

TRUE = {"a": 60.0, "b": -100.0, "c": 10.0, "expert": 0.0}


def simulated(true: dict[str, float], blocks: int, run: int, sides: int = 4, shared: float = 0.0) -> list[Block]:
    """Return blocks of agents of known strength, in which a part of the luck is that of the seat in all games."""
    rng, played = np.random.default_rng(run), []
    for seed, table in enumerate(draw_tables(sorted(true), sides, blocks, run, "expert")):
        strengths, seats = np.array([true[name] for name in table]) / ELO, rng.gumbel(size=sides)
        words = []
        for game in range(sides):
            luck = np.where(rng.random(sides) < shared, np.roll(seats, game), rng.gumbel(size=sides))
            words.append(np.argsort(np.argsort(-(strengths + luck))) + 1)
        winners = " ".join(str(int((places == 1).argmax())) for places in words)
        played.append(Block(seed, table, winners, " ".join("".join(map(str, places)) for places in words)))
    return played


def test_points_are_those_of_the_library() -> None:
    blocks, names = simulated(TRUE | {"random": -300.0}, 100, 1), sorted([*TRUE, "random"])
    data = [
        (names.index(block.agents[place]), [names.index(name) for name in block.agents if name != block.agents[place]])
        for block in blocks
        for place in map(int, block.winners.split())
    ]
    strengths = choix.ilsr_top1(len(names), data) * ELO
    found = {rating.name: rating.points for rating in rate(names, winners_of(blocks, names), "expert")}
    assert found == pytest.approx(dict(zip(names, strengths - strengths[names.index("expert")], strict=True)), abs=0.01)


@pytest.mark.thorough
@pytest.mark.parametrize(("random", "shared"), [(-745.0, 0.0), (-1500.0, 0.0), (-300.0, 0.5)])
def test_intervals_hold_the_truth_even_of_an_agent_that_hardly_ever_wins(random: float, shared: float) -> None:
    true, held = TRUE | {"random": random}, dict.fromkeys([*TRUE, "random"], 0)
    names, runs = sorted(true), 24
    for run in range(runs):
        for rating in rate(names, winners_of(simulated(true, 48, run, shared=shared), names), "expert"):
            held[rating.name] += rating.low <= true[rating.name] <= rating.high
    assert min(held.values()) / runs >= 0.8
    assert np.mean([held[name] for name in held if name != "expert"]) / runs >= 0.9


def test_who_never_won_is_below_a_bound_and_who_always_won_above_one() -> None:
    blocks = [Block(seed, ("expert", "random", "a"), "0 0 2") for seed in range(40)]
    table = {
        rating.name: rating
        for rating in rate(["a", "expert", "random"], winners_of(blocks, ["a", "expert", "random"]), "expert")
    }
    assert str(table["random"]).startswith("below -")
    assert str(table["random"]).endswith(" (0 of 120 games)")
    assert np.isneginf(table["random"].low)
    assert str(table["expert"]) == "0"
    blocks = [Block(seed, ("expert", "a"), "1 1") for seed in range(8)]
    first, *_ = rate(["a", "expert"], winners_of(blocks, ["a", "expert"]), "expert")
    assert str(first).startswith("above ")
    assert (first.name, str(first).rpartition(" (")[2]) == ("a", "16 of 16 games)")


def test_more_blocks_of_which_none_was_won_lower_the_bound() -> None:
    bounds = []
    for count in (20, 200):
        blocks = [Block(seed, ("expert", "random"), f"0 {seed % 2 * 0}") for seed in range(count)]
        bounds.append(rate(["expert", "random"], winners_of(blocks, ["expert", "random"]), "expert")[1].high)
    assert bounds[1] < bounds[0] - 300
    # What 0 of 400 games allow at 97.5 %: odds of 1 to 208 or so by the likelihood, 1.92 of its logarithm.
    assert bounds[1] == pytest.approx(ELO * np.log(np.expm1(1.9207 / 400)), abs=2)


def test_games_that_are_all_alike_in_a_block_tell_less() -> None:
    names = ["expert", "a"]
    rng = np.random.default_rng(0)
    winners = rng.integers(0, 2, 200)
    alike = [Block(seed, ("expert", "a"), f"{won} {won}") for seed, won in enumerate(winners)]
    apart = [Block(seed, ("expert", "a"), f"{won} {1 - won}") for seed, won in enumerate(winners)]
    wide, narrow = (rate(names, winners_of(blocks, names), "expert") for blocks in (alike, apart))
    width = [next(one.high - one.low for one in table if one.name == "a") for table in (wide, narrow)]
    free = Fit(Choices(*_free(alike, names)), {0: 0.0}).interval(1)
    assert width[0] == pytest.approx(2**0.5 * ELO * (free[2] - free[1]), rel=0.03)
    assert width[1] < width[0] / 10


def _free(blocks: list[Block], names: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the choices of blocks as if every game were a block."""
    choices = winners_of(blocks, names)
    return choices.present, choices.shares, np.arange(len(choices.blocks))


def test_a_shared_win_is_half_a_win_and_a_game_that_nobody_won_is_none() -> None:
    names = ["a", "b", "expert"]
    blocks = [Block(0, ("a", "b", "expert"), "01 - 2"), Block(1, ("a", "b", "expert"), "2 0 1")]
    choices = winners_of(blocks, names)
    assert choices.shares.sum(axis=0).tolist() == [1.5, 1.5, 2]
    assert choices.shares[1].tolist() == [0, 0, 0]
    assert {round(rating.points) for rating in rate(names, choices, "expert")} == {0, round(ELO * np.log(1.5 / 2))}


def test_copies_of_the_anchor_that_fill_a_table_are_counted() -> None:
    names = ["a", "expert"]
    blocks = [Block(seed, ("a", "expert", "expert"), "0 1 2") for seed in range(30)]
    first = next(rating for rating in rate(names, winners_of(blocks, names), "expert") if rating.name == "a")
    assert first.points == pytest.approx(0, abs=1e-6)
    assert {(rating.wins, rating.games) for rating in rate(names, winners_of(blocks, names), "expert")} == {
        (1 / 3, 90),
        (1 / 3, 180),
    }


def test_whole_rankings_agree_with_winners_and_are_surer() -> None:
    blocks, names = simulated(TRUE, 150, 3), sorted(TRUE)
    rankings = rankings_of(blocks, names)
    assert rankings is not None
    by_places, by_winners = rate(names, rankings, "expert"), rate(names, winners_of(blocks, names), "expert")
    for rating in by_places:
        winner = next(one for one in by_winners if one.name == rating.name)
        assert rating.points == pytest.approx(winner.points, abs=60)
        assert rating.high - rating.low <= winner.high - winner.low
    assert rankings_of([Block(0, ("a", "b"), "0 1", "12 21")], ["a", "b"]) is None, "two sides: no more than winners"
    assert rankings_of([Block(0, ("a", "b", "c"), "0 1 2")], ["a", "b", "c"]) is None


@pytest.mark.thorough
def test_the_largest_residual_and_the_nash_average_are_told() -> None:
    blocks, names = simulated(TRUE | {"d": 30.0}, 60, 5), sorted([*TRUE, "d"])
    residual = largest_residual(names, winners_of(blocks, names), "expert")
    assert residual.startswith("The largest residual of the model: ")
    assert " of 200 redraws." in nash_average(names, winners_of(blocks, names))
    alike = [Block(seed, ("a", "expert", "expert"), "0 1 2") for seed in range(30)]
    assert "no residuals" in largest_residual(["a", "expert"], winners_of(alike, ["a", "expert"]), "expert")
    ahead = [Block(seed, ("a", "expert", "expert"), "0 0 2") for seed in range(30)]
    assert ": a alone in 200 of" in nash_average(["a", "expert"], winners_of(ahead, ["a", "expert"])), "one side each"
    circle = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    assert equilibrium(circle) == pytest.approx(np.full(3, 1 / 3))
    assert equilibrium(np.array([[0, 2], [-2, 0]])) == pytest.approx([1, 0])


def test_an_anchor_is_one_of_the_agents() -> None:
    with pytest.raises(ValueError, match="expected an anchor among a, b, got expert"):
        rate(["a", "b"], winners_of([Block(0, ("a", "b"), "0 1")], ["a", "b"]), "expert")
    assert str(Rating("a", 1, -np.inf, 5)) == "1 (any less to 5)"
