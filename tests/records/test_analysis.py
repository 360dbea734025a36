"""Analysis of played games: what seats could expect, the best choices and their margins, and mistakes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.play.test_determinization import positions as running
from tests.play.test_determinization import twins
from titan_env import agents, registry
from titan_env.contract import Status
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.records.analysis import MOST_COMPARED, Analysis, Choice, ComparedChoices, Mistake
from titan_env.records.replay import parse
from titan_env.records.session import GameSession

PIG = registry.load("pig")
RANDOM = agents.load("random", PIG)


def pig(goal: int, points: int, heap: int) -> Batch:
    """A game of Pig in which player_0 has so many safe points, and so many at risk; player_1 is about to win."""
    batch = Batch(PIG, 1, goal=goal)
    batch.start()
    batch.states["seat"] = 0
    batch.states["points"][0, :2] = points, goal - 2
    batch.states["heap"] = heap
    batch.refresh()
    return batch


def test_whoever_does_not_take_the_win_has_made_a_mistake() -> None:
    roll, hold = (PIG.rules.actions.numbers[text] for text in ("roll", "hold"))
    states = pig(100, 90, 10).states
    found = Analysis(PIG, RANDOM, worlds=256).choices(states, roll)
    assert found is not None
    assert found.compared[0].action == hold
    assert found.compared[0].chance == 1.0
    assert found.played is not None
    assert found.played.action == roll
    assert found.mark is not None
    right = Analysis(PIG, RANDOM, worlds=256).choices(states, hold)
    assert right is not None
    assert right.mark is None


def test_a_margin_that_luck_may_have_made_is_no_mistake() -> None:
    def marked(margin: float, error: float) -> Mistake | None:
        return ComparedChoices(8, [], Choice(0, 0.5, margin, error), [0]).mark

    assert marked(0.3, 0.05) is Mistake.BLUNDER
    assert marked(0.15, 0.05) is Mistake.MISTAKE
    assert marked(0.07, 0.02) is Mistake.INACCURACY
    assert marked(0.04, 0.001) is None
    assert marked(0.3, 0.2) is None


@pytest.mark.parametrize(("won", "chances"), [([1, 1], [0.5, 0.5]), ([0, 1], [0, 1]), ([0, 0], [0.5, 0.5])])
def test_winners_share_the_result_and_all_do_where_nobody_has_won(won: list[int], chances: list[float]) -> None:
    states = pig(10, 0, 0).states
    states["over"], states["won"][0, :2] = Status.TERMINATED, won
    assert Analysis(PIG, RANDOM).expected(states)[0].chances.tolist() == chances


def test_the_end_of_a_game_expects_its_result() -> None:
    session = GameSession(GameSetup.of(PIG, {"goal": 10}), 1, None, ["random"] * 2)
    while not session.is_over:
        session.decide(session.ask_agent(RANDOM))
    (expected,) = Analysis(PIG, RANDOM).expected(session.states)
    assert expected.chances.tolist() == (session.state.won[:2] != 0).tolist()
    assert not expected.errors.any()


@pytest.mark.parametrize("name", ["pig", "titan_battle", "titan_race"])
def test_the_same_seed_finds_the_same_and_leaves_the_position_as_it_was(name: str) -> None:
    game = registry.load(name)
    batch, by = running(game, {}, count=6), agents.load("random", game)
    for row in range(min(2, batch.num_games)):
        states = batch.states[row : row + 1].copy().view(np.recarray)
        before = states.tobytes()
        one, again, other = (Analysis(game, by, seed, worlds=8) for seed in (0, 0, 1))
        assert one.expected(states)[0].chances.tolist() == again.expected(states)[0].chances.tolist()
        found = one.choices(states)
        assert found == again.choices(states)
        other.choices(states)
        assert states.tobytes() == before
        if found is not None:
            assert 2 <= len(found.compared) <= MOST_COMPARED + 1
            assert found.compared[0].margin == 0
            assert all(choice.margin >= 0 for choice in found.compared)
            assert one.say(states, found)


@pytest.mark.thorough
def test_choices_are_compared_without_what_is_hidden_from_whoever_decides() -> None:
    game = registry.load("titan_race")
    batch = running(game, {}, count=12)
    twin, by = twins(batch), agents.load("random", game)
    for row in range(batch.num_games):
        one, other = (
            Analysis(game, by, worlds=8).choices(records.states[row : row + 1].copy().view(np.recarray))
            for records in (batch, twin)
        )
        assert (one is None) == (other is None)
        assert one is None or other is None or one.compared == other.compared


def test_moments_are_played_out_together_and_only_those_that_need_it() -> None:
    near, far, over = (pig(100, points, 0).states for points in (97, 0, 0))
    over["over"], over["won"][0, :2] = Status.TERMINATED, [1, 0]
    analysis = Analysis(PIG, RANDOM, seed=1)
    states = np.concatenate([near, far, over]).view(np.recarray)
    none = analysis.estimates(states)
    assert [one.expected is not None for one in none] == [False, False, True]
    some = analysis.refine(none, 8)
    assert [one.worlds for one in some] == [8, 8, 1]
    more = analysis.refine([some[0], none[1], some[2]], 64)
    assert [one.worlds for one in more] == [64, 64, 1]
    found = [one.expected.chances[0] for one in more if one.expected is not None]
    assert found[0] > found[1] + 0.2
    assert found[2] == 1.0
    assert all(one is other for one, other in zip(analysis.refine(more, 8), more, strict=True))


def test_a_critic_is_asked_before_any_play_out_where_nobody_shares_a_side() -> None:
    states = pig(100, 0, 0).states
    analysis = Analysis(PIG, RANDOM, critic=lambda batch: np.full((batch.num_games, 2), [0.75, 0.25]))
    (first,) = analysis.estimates(states)
    assert first.expected is not None
    assert (first.expected.chances.tolist(), first.expected.worlds) == ([0.75, 0.25], 0)
    (refined,) = analysis.refine([first], 64)
    assert refined.expected is not None
    assert (refined.expected.errors < first.expected.errors).all()


def test_every_moment_of_a_record_is_analysed() -> None:
    session = GameSession(GameSetup.of(PIG, {"goal": 12}), 1, None, ["random"] * 2)
    while not session.is_over:
        session.decide(session.ask_agent(RANDOM))
    record = parse(session.recorder.text)
    moments = list(Analysis(PIG, RANDOM, worlds=8).of_record(record))
    assert [moment.at for moment in moments] == list(range(len(record.decisions) + 1))
    assert moments[-1].decision is None
    for moment in moments[:-1]:
        assert moment.decision is not None
        if moment.choices is not None:
            assert moment.choices.played is not None
            assert moment.choices.played.action == PIG.rules.actions.numbers[moment.decision["action"]]


def test_agents_that_plan_and_numbers_of_worlds_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="expected an agent that does not plan"):
        Analysis(PIG, agents.load("flat:4", PIG))
    with pytest.raises(ValueError, match="expected 8 to 4096 worlds, got 7"):
        Analysis(PIG, RANDOM, worlds=7)


def test_an_analysis_stops_when_it_is_told_to() -> None:
    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        Analysis(PIG, RANDOM, go_on=stop).expected(pig(100, 0, 0).states)
