"""The expert of a war: what it does where a good player has no doubt, by what it sees alone, and how it fares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.titan_war.agent_choices import choice, talk
from tests.titan_war.random_play import moments, until
from titan_env import agents
from titan_env.evaluation.matches.match import win_rates
from titan_env.games.titan_battle import GAME as BATTLE
from titan_env.games.titan_battle.rules.state import KINDS
from titan_env.games.titan_battle.rules.state import Ask as BattleAsk
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.agents.enemy_estimates import estimate
from titan_env.games.titan_war.agents.expert import make
from titan_env.games.titan_war.agents.greedy import battles_in
from titan_env.games.titan_war.agents.state_from_observation import seat_views
from titan_env.games.titan_war.rules.state import LANDS, Ask
from titan_env.play.determinization import batch_of

pytestmark = [pytest.mark.thorough, pytest.mark.compiled]
EXPERT: Any = agents.load("expert", GAME)


def test_seven_are_split_into_five_and_two_without_the_titan_and_once_only() -> None:
    his = "legion 12 117: titan, ranger / age 2"
    seven = f"legion 0 8: titan, ogre 2, lion 2, troll 2 / age 1\n{his}"
    first = choice(EXPERT, "commencement", 0, "split\npicked: 0\nland: 8", seven)
    assert first in {"pick:ogre", "pick:lion", "pick:troll"}
    name = first.partition(":")[2]
    second = choice(EXPERT, "commencement", 0, f"split\npicked: 0\nland: 8\nsplit: {name}", seven)
    assert second in {"pick:ogre", "pick:lion", "pick:troll"}
    assert choice(EXPERT, "commencement", 0, "split\npicked: 0\nland: 8\nsplit: ogre 2", seven) == "end"
    apart = f"legion 0 8: titan, lion 2, troll 2 / age 1\nlegion 1 8: ogre 2 / age 3\n{his}"
    assert choice(EXPERT, "commencement", 0, "split\npicked: 0\nland: 8", apart) == "pass"


@pytest.mark.parametrize(("limit", "splits"), [(0, False), (200, False), (12, True)])
def test_six_are_split_only_where_the_value_of_all_legions_is_soon_counted(limit: int, splits: bool) -> None:
    six = "legion 0 8: titan, ogre 2, lion 2, troll / age 1\nlegion 12 117: titan, ranger / age 2"
    chosen = choice(EXPERT, "commencement", 0, f"split\npicked: 0\nland: 8\nturn_limit: {limit}", six)
    assert chosen.startswith("pick:") is splits
    assert (chosen == "pass") is not splits


def test_the_weak_flee_and_the_strong_fight() -> None:
    assert talk(EXPERT, "ogre 2", "serpent 3, titan") == "flee"
    assert talk(EXPERT, "serpent 3", "ogre 2, titan") == "fight"


def test_who_minds_the_goal_flees_where_defeat_lets_the_enemy_reach_it_and_fights_where_victory_reaches_it() -> None:
    def says(weights: str, mine: str, scores: str, goal: int = 100) -> str:
        agent = agents.load(f"expert{weights}", GAME)
        return talk(agent, mine, "troll 3, lion 2, titan", f"goal: {goal}\nscores: {scores} 0 0 0 0")

    assert says("", "ogre 3", "0 80") == says(":reached_goal=1000", "ogre 3", "0 80", goal=400) == "fight"
    assert says(":reached_goal=1000", "ogre 3", "0 80") == "flee"
    assert says("", "ogre 2", "80 0") == says(":reach_goal=100000", "ogre 2", "80 0", goal=400) == "flee"
    assert says(":reach_goal=100000", "ogre 2", "80 0") == "fight"


def test_a_legion_with_a_lord_that_cannot_flee_fights_on() -> None:
    assert talk(EXPERT, "angel, ogre", "serpent 3, titan") == "fight"


def test_it_goes_where_most_can_be_mustered() -> None:
    mine = "legion 0 41: titan, lion 2, ogre / age 1\nlegion 12 117: titan, ranger / age 2"
    assert choice(EXPERT, "movement", 1, "move", mine) == "pick:41"
    assert choice(EXPERT, "movement", 1, "go_land\npicked: 0\nland: 41", mine) == "to:100"  # a warlock


@pytest.mark.parametrize(("his", "goes"), [("ogre 2", True), ("titan, serpent 4", False)])
def test_it_attacks_the_weak_and_leaves_the_strong_alone(his: str, goes: bool) -> None:
    legions = f"legion 0 8: titan, troll 3, ranger 2 / age 1\nlegion 12 9: {his} / age 2"
    if "titan" not in his:
        legions += "\nlegion 13 117: titan, lion / age 3"
    assert (choice(EXPERT, "movement", 1, "go_land\npicked: 0\nland: 8", legions) == "to:9") is goes


def test_it_knows_of_enemies_what_the_public_record_says() -> None:
    state = until(Ask.MOVE).state
    batch = batch_of(GAME, state.copy().reshape(1), np.random.default_rng(0))
    view = seat_views(GAME.rules.fields.split(batch.observations)).view(np.recarray)[0]
    for land in range(LANDS):
        holds = np.zeros(KINDS)
        getattr(estimate, "py_func", estimate)(view, land, holds)
        assert (holds >= view.least[land]).all()
        assert (holds <= view.most[land]).all()
        if view.most[land].sum():
            assert holds.sum() == pytest.approx(view.height[land])


def test_it_answers_at_every_moment_and_alike_whoever_else_is_asked_beside() -> None:
    states = [moment.state.copy() for moment in moments(6, 80) if not moment.state.over]
    together = batch_of(GAME, np.stack(states).view(np.recarray), np.random.default_rng(0))
    scores: Any = EXPERT.scores(together.observations)
    assert np.isfinite(scores).all()
    for row in range(0, len(states), 9):
        alone = EXPERT.scores(together.observations[row : row + 1])
        np.testing.assert_array_equal(alone[0], scores[row])
    chosen = EXPERT(together.observations, together.masks, np.random.default_rng(0))
    assert together.masks[np.arange(len(states)), chosen].all()


def test_a_weight_holds_in_every_case_whose_own_one_is_not_changed() -> None:
    changed = make(GAME, danger=0.9, danger_soon=0.2).weights
    assert [changed[name] for name in ("danger", "danger_duel", "danger_goal", "danger_soon")] == [0.9, 0.9, 0.9, 0.2]


def test_where_two_players_are_left_the_weights_of_a_duel_hold() -> None:
    two = "legion 0 8: titan, ogre 2, lion 2, troll / age 1\nlegion 12 117: titan, ranger / age 2"
    three = f"{two}\nlegion 24 113: titan, lion / age 3"
    splits = make(GAME, tall_duel=1.0, apart_duel=-50.0, lean_duel=0.0)  # a legion of six is tall then
    asked = "split\npicked: 0\nland: 8"
    assert choice(splits, "commencement", 0, asked, two).startswith("pick:")
    assert choice(splits, "commencement", 0, asked, three, seats=3) == "pass"


def test_battles_are_fought_by_the_trained_network_of_titan_battle_where_a_weight_says_so() -> None:
    states = [moment.state.copy() for moment in moments(6, 400) if not moment.state.over]
    seen = batch_of(GAME, np.stack(states).view(np.recarray), np.random.default_rng(0)).observations
    fields = GAME.rules.fields.split(seen)
    fights = battles_in(fields)
    trained, usual = make(GAME, trained=1.0).scores(seen), EXPERT.scores(seen)
    np.testing.assert_array_equal(trained[~fights], usual[~fights])
    battle = {name: values[fights] for name, values in fields.items()}
    battle["ask"] = battle["ask"][:, : len(BattleAsk) - 1]
    names = BATTLE.rules.fields.split(BATTLE.rules.fields.bounds()[0][None])
    alone = np.concatenate([battle[name].reshape(fights.sum(), -1) for name in names], axis=1)
    network: Any = agents.load("afterstate@titan_battle-v0", BATTLE)
    np.testing.assert_array_equal(trained[fights, : len(BATTLE.rules.actions)], network.scores(alone))
    assert (trained[fights] != usual[fights]).any()


def test_a_weight_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="expected weights among muster"):
        make(GAME, luck=1.0)


@pytest.mark.parametrize(
    ("preset", "games", "least"), [("goal100", 24, 0.65), ("sprint", 48, 0.55), ("two", 8, 0.7), ("four", 6, 0.6)]
)
def test_it_beats_greedy_players(preset: str, games: int, least: float) -> None:
    both = {name: agents.load(name, GAME) for name in ("expert", "greedy")}
    shares = win_rates(GAME, both, games=games, seed=3, **GAME.rules.presets[preset])
    assert shares["expert"].happened > least * shares["expert"].of
