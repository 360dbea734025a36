"""The agents of a battle: what they do where a good player has no doubt, and how they fare against each other."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.titan_battle.table import Table
from titan_env import agents
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.match import win_rates
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.agents.odds import HURT, KILL, KIND_OF_TARGET, MORE_DICE, NUMBERS, REACH
from titan_env.games.titan_battle.agents.state_from_observation import positions
from titan_env.games.titan_battle.rules.actions import ACTIONS
from titan_env.games.titan_battle.rules.hexes import NEIGHBOURS, ON_MAP, STEPS, hex_number
from titan_env.games.titan_battle.rules.legal import legal_in_battle
from titan_env.games.titan_battle.rules.maneuver import destinations
from titan_env.games.titan_battle.rules.state import DIRECTIONS, HEXES, KINDS, LANDS, Ask, Event
from titan_env.games.titan_battle.rules.strikes import number_of_strike, strike_dice
from titan_env.play.determinization import batch_of

pytestmark = pytest.mark.thorough

EXPERT, GREEDY = agents.load("expert", GAME), agents.load("greedy", GAME)
BOTH = pytest.mark.parametrize("agent", [EXPERT, GREEDY], ids=["expert", "greedy"])
LEGION = "titan outside, angel outside, ogre outside, ogre outside, lion outside, centaur outside, troll outside"


def choice(table: Table, agent: agents.Agent = EXPERT) -> str:
    """The text of what an agent does at this table, however ties fall."""
    batch = batch_of(GAME, table.states, np.random.default_rng(0))
    chosen = {
        ACTIONS.texts[int(agent(batch.observations, batch.masks, np.random.default_rng(seed))[0])] for seed in range(3)
    }
    assert len(chosen) == 1, chosen
    return chosen.pop()


def maneuver(table: Table, agent: agents.Agent = EXPERT) -> Table:
    """Let an agent maneuver until the strikes of this half begin, or the other half."""
    half = table.battle.half
    while table.asked[0] in ("maneuver", "go") and table.battle.half == half:
        batch = batch_of(GAME, table.states, np.random.default_rng(0))
        chosen = agent(batch.observations, batch.masks, np.random.default_rng(0))
        table.play(ACTIONS.texts[int(chosen[0])])
    return table


def places(table: Table, side: str) -> dict[str, str]:
    """Where the characters of a side stand; of several of a kind the last one."""
    return {kind: place for kind, place, *_ in (fighter.split() for fighter in table.side(side).split(", "))}


# Coming on


@BOTH
@pytest.mark.parametrize("land", ["plains", "jungle", "marsh", "hills", "swamp", "mountains", "tundra", "tower"])
def test_it_brings_everybody_on(agent: agents.Agent, land: str) -> None:
    table = Table(land, LEGION, LEGION, half="defender", phase="maneuver", begun=1)
    maneuver(maneuver(table, agent), agent)
    assert table.events(Event.LEFT_OUTSIDE) == []


def test_it_brings_the_nimble_on_before_the_slow_stand_in_the_doors() -> None:
    table = Table("desert", LEGION, LEGION.replace("ogre", "warbear"), half="defender", phase="maneuver", begun=1)
    assert maneuver(table).events(Event.LEFT_OUTSIDE) == []


@BOTH
def test_it_calls_the_best_reinforcement_and_the_best_angel(agent: agents.Agent) -> None:
    legion = "centaur D6, centaur E5, centaur E4, lion F4, lion F3"
    reinforced = Table("plains", "ogre A1", legion, half="defender", phase="arrival", begun=4, may_reinforce=1)
    assert choice(reinforced, agent) == "muster:ranger"
    waiting = {"window": 1, "angel_waits": 1, "archangel_waits": 1}
    summoned = Table("plains", "ogre A1", legion, phase="arrival", begun=3, **waiting)
    assert choice(summoned, agent) == "pick:archangel"


# Maneuvers


def test_its_titan_leaves_the_front() -> None:
    front = "titan D4, ogre E4, lion E3, ogre D3"
    table = Table("plains", front, "troll C5, troll B4, troll B3", phase="maneuver", begun=3)
    before = min(_steps(table, "titan"))
    assert min(_steps(maneuver(table), "titan")) > before


def _steps(table: Table, kind: str) -> list[int]:
    """How far an attacker is from each defender."""
    own = hex_number(places(table, "attacker")[kind])
    return [int(STEPS[own, hex_number(place)]) for place in places(table, "defender").values()]


def test_an_attacker_goes_near() -> None:
    table = Table("plains", "lion A1, lion A2, lion B1", "ogre F4, ogre E5", phase="maneuver", begun=2)
    assert min(_steps(maneuver(table), "lion")) <= 3


@pytest.mark.parametrize(
    ("land", "attackers", "defenders"),
    [
        ("tower", "troll D1, ogre C1, lion B1, ogre A1", "ogre C3, centaur D3, troll E3, lion D4"),
        ("hills", "troll D1, warbear C1, troll B1", "ogre B3, minotaur E3"),
    ],
)
def test_a_defender_stays_on_walls_and_slopes(land: str, attackers: str, defenders: str) -> None:
    assert choice(Table(land, attackers, defenders, half="defender", phase="maneuver")) == "end"


def test_nobody_stays_in_a_drift_who_is_not_at_home_there() -> None:
    table = Table("tundra", "troll D1, troll B1", "lion C4, lion D3", half="defender", phase="maneuver")
    assert not {"C4", "D3"} & set(places(maneuver(table), "defender").values())


def test_it_shoots_from_afar_rather_than_go_near() -> None:
    table = Table("plains", "minotaur E3", "warbear F3", phase="maneuver", begun=2, entry="B")
    assert table.asked[0] != "maneuver"  # in contact it may not move
    free = Table("plains", "minotaur C3", "warbear F3", phase="maneuver", begun=2)
    assert maneuver(free).asked[0] == "strike"
    assert free.may("pick") == [places(free, "attacker")["minotaur"]]
    assert _steps(free, "minotaur")[0] > 1


@pytest.mark.parametrize("land", ["plains", "woods"])
def test_a_defender_goes_at_who_would_rangestrike_it_unanswered_round_after_round(land: str) -> None:
    table = Table(land, "minotaur D3", "warbear F3", half="defender", phase="maneuver", begun=2)
    assert _steps(maneuver(table), "minotaur") == [1]


# Strikes


@BOTH
def test_it_strikes_whom_it_may_slay(agent: agents.Agent) -> None:
    table = Table("plains", "ogre C3", "lion C4 4, lion C2, ogre D3").play("pick:C3")
    assert choice(table, agent) == "hit:C4"


@BOTH
def test_who_has_one_target_strikes_first(agent: agents.Agent) -> None:
    assert choice(Table("plains", "ogre C3, ogre B3", "lion C4 4, lion C2"), agent) == "pick:B3"


def test_it_leaves_to_others_whom_they_alone_can_strike() -> None:
    table = Table("plains", "troll C3, serpent B4", "lion C4 4, lion D3").play("pick:C3")
    assert choice(table) == "hit:D3"
    assert choice(table, GREEDY) == "hit:C4"


@BOTH
def test_it_rangestrikes_rather_than_end(agent: agents.Agent) -> None:
    assert choice(Table("plains", "ranger A3", "lion C4"), agent) == "pick:A3"


@BOTH
def test_it_gives_the_surplus_to_whom_it_slays(agent: agents.Agent) -> None:
    table = Table("plains", "troll C3", "lion C4 4, lion C2 4, lion B3").play("pick:C3", "hit:C4", hits=[4])
    assert choice(table, agent) == "carry:C2"


@BOTH
def test_it_takes_the_handicap_where_that_slays_two(agent: agents.Agent) -> None:
    table = Table("plains", "serpent C3", "ogre C4 5, unicorn C2 5").play("pick:C3", "hit:C4")
    assert choice(table, agent) == "carry:C2"
    plain = Table("plains", "ogre C3", "lion C4 4, centaur C2, ogre B3").play("pick:C3", "hit:C4")
    assert choice(plain, agent) == "plain"


# What they reckon with


def test_it_sees_the_battle_as_it_is() -> None:
    batch = Batch(GAME, 40, **GAME.metadata.benchmark_options)
    batch.seed(5)
    batch.start()
    for _ in range(60):
        battles, sides = positions(GAME.rules.fields.split(batch.observations))
        for i, battle in enumerate(battles.view(np.recarray)):
            mask = np.zeros(len(ACTIONS), np.int8)
            battle.supply = batch.states["battle"]["supply"][i]
            legal_in_battle(battle, mask)
            assert (mask == batch.masks[i]).all(), (Ask(battle.ask), sides[i])
        batch.step(batch.sample())
        batch.start(batch.over)


def test_the_odds_are_those_of_the_rules() -> None:
    rng = np.random.default_rng(0)
    table = Table("plains", "ogre C3", "ogre C4")
    battle = table.battle
    for _ in range(400):
        land, kind, other, place, direction = rng.integers((LANDS, KINDS, KINDS, HEXES, DIRECTIONS))
        there = NEIGHBOURS[place, direction]
        if there < 0:
            continue
        battle.land = land
        battle.fighters[0].kind, battle.fighters[0].hex = kind, place
        battle.fighters[8].kind, battle.fighters[8].hex = other, there
        assert NUMBERS[land, kind, KIND_OF_TARGET[other], place, direction] == number_of_strike(battle, 0, 8)
        assert MORE_DICE[land, kind, place, direction] == strike_dice(battle, 0, 8) - battle.fighters[0].power
        battle.fighters[8].hex = 28
        assert REACH[land, kind, place] | 1 << place == destinations(battle, 0) & ON_MAP | 1 << place
    assert HURT[6, 4, 40] == pytest.approx(3)
    assert KILL[2, 4, 1] == pytest.approx(3 / 4)


# As agents


@BOTH
@pytest.mark.parametrize("name", GAME.rules.presets)
def test_it_is_legal_and_finite_in_every_preset(agent: Any, name: str) -> None:
    batch, rng = Batch(GAME, 16, **GAME.rules.presets[name]), np.random.default_rng(0)
    batch.seed(1)
    batch.start()
    for _ in range(60):
        assert np.isfinite(agent.scores(batch.observations)).all()
        chosen = agent(batch.observations, batch.masks, rng)
        assert batch.masks[np.arange(16), chosen].all()
        batch.step(chosen)
        batch.start(batch.over)


@BOTH
def test_it_decides_each_row_by_itself(agent: Any) -> None:
    batch = Batch(GAME, 100, **GAME.metadata.benchmark_options)
    batch.seed(5)
    batch.start()
    batch.rollout(30, restart=True)
    order = np.random.default_rng(0).permutation(100)
    assert np.array_equal(agent.scores(batch.observations[order]), agent.scores(batch.observations)[order])


def test_who_looks_on_is_told_nothing_wild() -> None:
    blank = np.zeros((1, GAME.rules.fields.size), np.float32)
    assert np.isfinite(EXPERT.scores(blank)).all()  # type: ignore[attr-defined]


PLAIN = """
import sys
import numpy as np
from titan_env import agents, registry
game = registry.load("titan_battle")
np.save(sys.argv[2], agents.load("expert", game).scores(np.load(sys.argv[1])))
"""


def test_it_thinks_the_same_compiled_and_as_plain_python(tmp_path: Path) -> None:
    batch = Batch(GAME, 12, **GAME.metadata.benchmark_options)
    batch.seed(9)
    batch.start()
    batch.rollout(40, restart=True)
    np.save(tmp_path / "seen.npy", batch.observations)
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": "."}
    files = [str(tmp_path / name) for name in ("seen.npy", "thought.npy")]
    subprocess.run([sys.executable, "-c", PLAIN, *files], env=environment, check=True)
    thought = EXPERT.scores(batch.observations)  # type: ignore[attr-defined]
    assert np.allclose(np.load(files[1]), thought, rtol=0, atol=1e-4)


@pytest.mark.parametrize(("better", "worse"), [("expert", "greedy"), ("greedy", "random")])
def test_it_beats_the_one_below(better: str, worse: str) -> None:
    players = {name: agents.load(name, GAME) for name in (better, worse)}
    assert win_rates(GAME, players, 400, seed=0)[better].interval[0] > 0.5
