"""Whole programs as decisions: where walks lead, and that whoever is asked again on the way goes on with the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.tiny_turbo_cars.table import Table, programming
from tests.tiny_turbo_cars.test_program_outcomes import outcomes
from titan_env.contract import NO_ACTION
from titan_env.engine.macro_view import MacroView, candidate_masks
from titan_env.engine.observation_view import ObservationView
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.agents.program_walks import FIELDS, SIZE, SLIDE_COST
from titan_env.games.tiny_turbo_cars.rules.actions import ACTIONS, FINISH
from titan_env.games.tiny_turbo_cars.rules.state import USUAL_SLIDES

VIEW = MacroView(GAME, "walks", ObservationView(GAME))


def walks(table: Table, seat: int) -> tuple[list[list[int]], dict[str, Any]]:
    """The walks of a seat as action numbers, and their fields in the numbers of the game."""
    seen = table.batch.observe(np.array([seat]))
    candidates = VIEW.propose(seen)
    features = VIEW.layout.split(VIEW.observe(seen, candidates)[0])
    sequences = [[action for action in walk if action != NO_ACTION] for walk in candidates.sequences[0].tolist()]
    return sequences, {part.name.removeprefix("walk_"): np.rint(features[part.name] * part.scale) for part in FIELDS}


def texts(walk: list[int]) -> list[str]:
    return [ACTIONS.texts[action] for action in walk]


@pytest.mark.thorough
def test_a_walk_leads_where_it_says_and_takes_as_many_slides() -> None:
    driven = 0
    for place in range(SIZE):
        table = programming(players=2)
        seat = table.asked[1]
        sequences, features = walks(table, seat)
        if len(sequences[place]) > USUAL_SLIDES - 3:  # the other is done before, which costs the last a battery
            continue
        for text in texts(sequences[place])[:-1]:
            table.play(text)
            while table.asked[1] != seat and table.asked[0] == "program":
                table.play("push:up" if "push:up" in table.legal() else "push:down")
        now = outcomes(table, seat)
        assert features["slides"][place] == len(sequences[place]) - 1
        for name in now:
            assert features[name][place] == now[name][0], name
        driven += 1
    assert driven > SIZE // 2


def test_every_walk_ends_with_finish_and_finishing_at_once_is_one_of_them() -> None:
    table = programming(players=3)
    sequences, _ = walks(table, table.asked[1])
    assert [FINISH] in sequences
    assert all(walk[-1] == FINISH for walk in sequences if walk)
    assert len({tuple(walk) for walk in sequences if walk}) > SIZE // 2


@pytest.mark.parametrize(("slides", "longest"), [(1, 1), (12, 12), (30, 30), (45, 30), (100, 30)])
def test_no_walk_is_longer_than_the_slides_that_are_left_or_thirty_of_them(slides: int, longest: int) -> None:
    table = programming(players=2, slides=slides)
    sequences, features = walks(table, table.asked[1])
    assert max(len(walk) - 1 for walk in sequences) == features["slides"].max() == longest


def test_the_farthest_stand_first_less_the_cost_of_their_slides() -> None:
    table = programming(players=2)
    sequences, features = walks(table, table.asked[1])
    looks = (features["row"] - SLIDE_COST * features["slides"])[: sum(map(bool, sequences))]
    assert (np.diff(looks) <= 1e-6).all()
    assert not any(sequences[len(looks) :]), "those that are not there stand last"


@pytest.mark.parametrize("slides", [12, 30, 100])
def test_whoever_is_asked_again_on_the_way_finds_the_rest_of_the_same_walk(slides: int) -> None:
    table = programming(players=2, slides=slides)
    seat, followed = table.asked[1], 0
    walk = max(walks(table, seat)[0], key=len)
    while len(walk) > 1 and not table.state.time_left:
        table.play(texts(walk)[0])
        walk = walk[1:]
        while table.asked[1] != seat and table.asked[0] == "program":
            table.play("push:up" if "push:up" in table.legal() else "push:down")
        if table.asked != ("program", seat):
            break
        assert walk in walks(table, seat)[0]
        followed += 1
    assert followed > 3


def test_a_question_that_is_no_program_is_answered_by_single_actions() -> None:
    table = Table(GAME.rules.configure(players=2))
    table.batch.start()
    while table.asked[0] != "program":
        candidates = VIEW.propose(table.batch.observations)
        there = candidate_masks(candidates, table.batch.masks)[0]
        first = candidates.sequences[0, there != 0, 0]
        assert texts(first.tolist()) == table.legal()
        table.play(table.legal()[0])
