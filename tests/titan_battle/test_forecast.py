"""The forecast of a battle under way: probabilities of its ends, learned from positions of finished battles."""

from __future__ import annotations

import numpy as np
import pytest

from tests.titan_battle.table import Table
from titan_env import registry
from titan_env.engine.batch import Batch
from titan_env.games.titan_battle.rules.state import Result
from titan_env.games.titan_battle.value.battles import Positions, fight
from titan_env.games.titan_battle.value.forecast import NAMES, forecast, foretell
from titan_env.games.titan_battle.value.measures import auc
from titan_env.games.titan_battle.value.position_features import features

pytestmark = pytest.mark.thorough

GAME = registry.load("titan_battle")


@pytest.fixture(scope="module")
def positions() -> Positions:
    """Positions of battles between greedy players."""
    return fight(GAME, "greedy", 120, 7)[1]


def test_probabilities_add_up_to_1_and_each_position_is_judged_by_itself(positions: Positions) -> None:
    predicted = foretell(positions.records)
    assert np.isfinite(features(positions.records)).all()
    assert (predicted >= 0).all()
    assert predicted.sum(axis=1) == pytest.approx(np.ones(len(predicted)))
    order = np.random.default_rng(0).permutation(len(predicted))
    assert foretell(positions.records[order]) == pytest.approx(predicted[order], abs=1e-6)


def test_the_winner_is_foretold_better_than_by_chance_in_battles_of_other_players(positions: Positions) -> None:
    predicted, decided = foretell(positions.records), positions.results != Result.MUTUAL
    odds, won = predicted[:, 0] - predicted[:, 1], positions.results == Result.ATTACKER_WINS
    assert auc(odds[decided], won[decided]) > 0.85


@pytest.mark.parametrize("preset", GAME.rules.presets)
def test_every_preset_has_a_forecast_from_its_first_question_to_its_last(preset: str) -> None:
    batch = Batch(GAME, 1, **GAME.rules.presets[preset])
    batch.seed(3)
    batch.start()
    while not batch.over[0]:
        predicted = forecast(batch.states[0])
        assert list(predicted) == list(NAMES)
        assert sum(predicted.values()) == pytest.approx(1)
        batch.step(batch.sample())


def test_seven_beat_one_that_is_nearly_slain_whoever_attacks() -> None:
    seven = "serpent C3, hydra C2, giant B3, dragon B2, colossus D3, unicorn D4, troll E3"
    assert forecast(Table("plains", seven, "ogre F4 5").state)[NAMES[0]] > 0.95
    assert forecast(Table("plains", "ogre F4 5", seven).state)[NAMES[1]] > 0.95
