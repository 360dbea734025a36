"""What the afterstate agent is told of a plan, and how it makes what its judge prefers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.titan_battle.table import Table
from titan_env import agents
from titan_env.agents.afterstate import ScoredActions, ValueNetwork, shapes
from titan_env.engine.batch import Batch
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.agents.afterstate import AFTERSTATE, BY_HAND, SITUATION, clearness, decide
from titan_env.games.titan_battle.rules.hexes import STEPS, hex_number
from titan_env.games.titan_battle.rules.lands import LEVELS
from titan_env.games.titan_battle.rules.state import GONE, Land
from titan_env.play.determinization import batch_of

pytestmark = pytest.mark.thorough


def decided(table: Table, **direct: float) -> ScoredActions:
    """What an agent makes of it that goes by these direct weights alone."""
    parts = {name: np.zeros(shape, np.float32) for name, shape in shapes(GAME, 1).items()}
    parts["direct"] = np.array([direct.get(name, 0) for name in AFTERSTATE], np.float32)
    batch = batch_of(GAME, table.states, np.random.default_rng(0))
    return decide(GAME.rules.fields.split(batch.observations), ValueNetwork(**parts))


def by_name(numbers: Any, names: tuple[str, ...]) -> dict[str, float]:
    """The numbers of the only decision by name, to three decimals."""
    return dict(zip(names, [round(float(number), 3) for number in numbers[0]], strict=True))


def maneuver(table: Table, **direct: float) -> Table:
    """Let such an agent maneuver until the strikes begin."""
    while table.asked[0] in ("maneuver", "go"):
        mask = GAME.rules.mask(table.state)
        best = int(np.where(mask, decided(table, **direct).scores[0], -np.inf).argmax())
        table.play(GAME.rules.actions.texts[best])
    return table


def place(table: Table) -> str:
    """Where the only attacker stands."""
    return table.side("attacker").split()[1]


def steps(table: Table, to: str) -> int:
    """How many steps the only attacker is from a hex."""
    return int(STEPS[hex_number(place(table)), hex_number(to)])


def test_a_plan_is_told_by_the_strikes_that_follow_and_by_places() -> None:
    table = Table("plains", "lion C3", "ogre C5", phase="maneuver")
    there = by_name(decided(table, enemies_in_contact=1).afterstates, AFTERSTATE)
    assert (there["in_contact"], there["enemies_in_contact"]) == (0.333, 0.333)
    assert there["given"] > 0
    assert there["taken"] > 0
    assert there["approach"] == there["outside"] == there["high"] == there["friends"] == 0
    away = by_name(decided(table, held=1).afterstates, AFTERSTATE)
    assert away["in_contact"] == away["given"] == 0
    assert away["approach"] > 0


def test_what_threatens_titans_is_told() -> None:
    table = Table("plains", "titan C3 5, lion A1", "ogre C4, titan F4", phase="maneuver")
    there = by_name(decided(table, opinion=1).afterstates, AFTERSTATE)
    assert 0 < there["peril"] <= there["later_peril"] <= 1, "the ogre beside it strikes now and in its own half"
    assert by_name(decided(table, opinion=1).situations, SITUATION)["own_titan"] == 1


def test_it_goes_where_its_judge_prefers() -> None:
    def table() -> Table:
        return Table("plains", "lion C3", "ogre F4", phase="maneuver")

    assert steps(maneuver(table(), approach=-1), "F4") < steps(maneuver(table(), approach=1), "F4")
    assert place(maneuver(table(), still=1)) == "C3"
    hills = maneuver(Table("hills", "lion C1", "ogre F4", phase="maneuver"), high=1)
    assert LEVELS[Land.HILLS, hex_number(place(hills))] == 1


def test_the_situation_tells_role_land_time_and_both_sides() -> None:
    table = Table("tundra", "giant outside, lion A1", "ogre C3 2", half="defender", phase="maneuver", begun=4)
    there = by_name(decided(table).situations, SITUATION)
    assert (there["defending_tundra"], there["attacking_tundra"], there["round_4"]) == (1, 0, 1)
    assert there["own_worth"] == pytest.approx((6 - 2) * 2 / 100)
    assert (there["enemy_living"], there["enemy_waiting"]) == (0.286, 0.143)
    assert there["enemy_natives"] == pytest.approx(1 / 7, abs=1e-3)


def test_only_maneuvers_are_judged_by_the_network_and_reached_when_nobody_is_left_to_move() -> None:
    strike = Table("plains", "lion C3, lion C4", "ogre D3, ogre D4")
    assert not decided(strike).judged.any()
    stays = decided(Table("plains", "lion C3", "ogre F4", phase="maneuver"), still=1)
    assert stays.judged.all()
    assert stays.reached.all()
    goes = decided(Table("plains", "lion C3, lion A1", "ogre F4", phase="maneuver"), approach=-1)
    assert not goes.reached.any()


def test_by_hand_it_begins_as_the_expert() -> None:
    batch = Batch(GAME, 3)
    batch.seed(4)
    batch.start()
    expert, rng = agents.load("expert", GAME), np.random.default_rng(0)
    parts = {name: np.zeros(shape, np.float32) for name, shape in shapes(GAME, 1).items()}
    judge = ValueNetwork(**{**parts, "direct": np.array([BY_HAND.get(name, 0) for name in AFTERSTATE], np.float32)})
    same = count = 0
    for _ in range(20):
        if batch.over.any():
            break
        actions = expert(batch.observations, batch.masks, rng)
        scores = decide(GAME.rules.fields.split(batch.observations), judge).scores
        same += int((np.where(batch.masks != 0, scores, -np.inf).argmax(axis=1) == actions).sum())
        count += len(actions)
        batch.step(actions)
    assert same / count > 0.6, "it looks again at places two times more, so that some differ"


def test_a_win_is_the_clearer_the_more_of_the_legion_lives() -> None:
    table = Table("plains", "lion C3, lion C4 2", "ogre D3", phase="strike")
    table.state.attacker = 1
    table.battle.fighters["hex"][8] = GONE
    assert clearness(table.states).tolist() == [[-1, 1]]
