"""The greedy agent of a war: what it does where a good player has no doubt, and how it fares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.titan_war.agent_choices import choice, talk
from tests.titan_war.random_play import moments, until
from tests.titan_war.reference_lands import LANDS, normal_moves
from titan_env import agents
from titan_env.evaluation.matches.match import win_rates
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.agents.greedy import make
from titan_env.games.titan_war.agents.legion_moves import MOVE_SCRATCH, find_ends
from titan_env.games.titan_war.agents.state_from_observation import seat_views
from titan_env.games.titan_war.rules.actions import ACTIONS
from titan_env.games.titan_war.rules.lands import land_number
from titan_env.games.titan_war.rules.state import LANDS as ALL
from titan_env.games.titan_war.rules.state import Ask, Stage
from titan_env.play.determinization import batch_of

pytestmark = pytest.mark.thorough

GREEDY = agents.load("greedy", GAME)
NUMBERS = list(LANDS)


def test_it_musters_the_most_valuable_character() -> None:
    mine = "legion 0 8: titan, troll 2, ogre / age 1, moved\nlegion 12 117: titan, ranger / age 2"
    assert choice(GREEDY, "enlistment", 1, "muster\npicked: 0\nland: 8", mine) == "muster:troll"


def test_seven_are_split_into_five_and_two_of_a_kind() -> None:
    mine = "legion 0 8: titan, ogre 2, lion 2, troll 2 / age 1\nlegion 12 117: titan, ranger / age 2"
    assert choice(GREEDY, "commencement", 0, "split\npicked: 0\nland: 8", mine) == "pick:ogre"
    assert choice(GREEDY, "commencement", 0, "split\npicked: 0\nland: 8\nsplit: ogre", mine) == "pick:ogre"
    assert choice(GREEDY, "commencement", 0, "split\npicked: 0\nland: 8\nsplit: ogre 2", mine) == "end"


def test_six_stay_together() -> None:
    mine = "legion 0 8: titan, ogre 2, lion 2, troll / age 1\nlegion 12 117: titan, ranger / age 2"
    assert choice(GREEDY, "commencement", 0, "split\npicked: 0\nland: 8", mine) == "pass"


@pytest.mark.parametrize(
    ("mine", "his", "answer"),
    [("ogre 2", "serpent 3, titan", "flee"), ("serpent 3", "ogre 2, titan", "fight")],
)
def test_the_weak_flee_and_the_strong_fight(mine: str, his: str, answer: str) -> None:
    assert talk(GREEDY, mine, his) == answer


@pytest.mark.compiled
@pytest.mark.parametrize("in_battle", [True, False], ids=["in battle", "after it"])
def test_it_takes_an_angel_wherever_one_can_be_summoned(in_battle: bool) -> None:
    asked = (
        moment.state
        for seed in range(60)
        for moment in moments(seed)
        if moment.state.ask == Ask.SUMMON and (moment.state.stage == Stage.BATTLE) == in_battle
    )
    batch = batch_of(GAME, next(asked).copy().reshape(1), np.random.default_rng(0))
    assert ACTIONS.texts[int(GREEDY(batch.observations, batch.masks, np.random.default_rng(0))[0])].startswith("pick:")


def test_it_goes_where_most_can_be_mustered() -> None:
    mine = "legion 0 41: titan, lion 2, ogre / age 1\nlegion 12 117: titan, ranger / age 2"
    assert choice(GREEDY, "movement", 1, "move", mine) == "pick:41"
    assert choice(GREEDY, "movement", 1, "go_land\npicked: 0\nland: 41", mine) == "to:100"  # a warlock


def test_the_ways_that_it_works_out_are_those_of_the_second_implementation() -> None:
    scratch: Any = np.zeros(1, MOVE_SCRATCH).view(np.recarray)[0]
    rng = np.random.default_rng(1)
    for _ in range(300):
        own, enemies = rng.choice(ALL, 8, replace=False), rng.choice(ALL, 12, replace=False)
        land, roll = int(rng.integers(ALL)), int(rng.integers(1, 7))
        scratch.own[:], scratch.enemy[:] = 0, 0
        scratch.own[own], scratch.enemy[enemies] = 1, 1
        scratch.own[land] = scratch.enemy[land] = 0
        find_ends(scratch, land, roll)
        reached = [{NUMBERS[one] for one in np.flatnonzero(there)} for there in (scratch.own, scratch.enemy)]
        expected = {land_number(number) for number in normal_moves(NUMBERS[land], roll, *reached)}
        assert set(np.flatnonzero(scratch.ends).tolist()) == expected


def test_it_sees_its_legions_as_they_are() -> None:
    moment = until(Ask.MOVE)
    batch = batch_of(GAME, moment.state.copy().reshape(1), np.random.default_rng(0))
    view = seat_views(GAME.rules.fields.split(batch.observations))[0]
    mine = [one for one in moment.state.legions if one.height and one.owner == moment.state.seat]
    for legion in mine:
        there = sum(one.holds for one in mine if one.land == legion.land)
        assert view["least"][legion.land].tolist() == there.tolist()
    assert view["roll"] == moment.state.roll


def test_a_weight_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="expected weights among muster"):
        make(GAME, luck=1.0)


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 4])
def test_it_beats_random_players(players: int) -> None:
    both = {name: agents.load(name, GAME) for name in ("greedy", "random")}
    shares = win_rates(GAME, both, games=24, seed=3, players=players)
    assert shares["greedy"].happened > 0.85 * shares["greedy"].of


def test_it_answers_at_every_moment() -> None:
    for moment in moments(5, 60):
        if not moment.state.over:
            batch = batch_of(GAME, moment.state.copy().reshape(1), np.random.default_rng(0))
            action = int(GREEDY(batch.observations, batch.masks, np.random.default_rng(0))[0])
            assert action in moment.legal
