"""What holds in every battle, whatever is played: checked at each decision of thousands of random battles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from titan_env import Batch
from titan_env.contract import COMPILED, MOST_EVENTS, Status
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.rules.actions import END
from titan_env.games.titan_battle.rules.definition import PRESETS
from titan_env.games.titan_battle.rules.lands import HAZARDS
from titan_env.games.titan_battle.rules.state import (
    EMPTY,
    FIGHTERS,
    GONE,
    HEXES,
    NOBODY,
    OUTSIDE,
    ROUNDS,
    SLOTS,
    Ask,
    Character,
    Hazard,
    Phase,
    Result,
)

pytestmark = pytest.mark.thorough

BATTLES = 300 if COMPILED else 3
MOST_DECISIONS = 300
"""More than any battle takes, with only chance to play it."""
LOUD = range(0, BATTLES, 16)
"""Battles of which the events are counted."""
SIDE = np.arange(FIGHTERS) // SLOTS


def check(batch: Batch) -> None:
    """Assert everything that must hold in each of these battles, at whatever decision they stand."""
    states: Any = batch.states
    running = states.over == Status.RUNNING
    _check_question(states, batch.masks, running)
    _check_fighters(states.battle)
    _check_course(states, running)
    assert (batch.luck.asked <= 1).all() or not states.decisions.any(), "one strike a step"
    assert max(len(batch.last_events(row)) for row in LOUD) < MOST_EVENTS


def _check_question(states: Any, masks: Any, running: Any) -> None:
    """Whoever is asked has at least two answers, but for STRIKE; only the strikes of the own side are asked."""
    battle = states.battle
    asks = states.ask
    assert (masks.sum(axis=1)[running] > 1)[asks[running] != Ask.STRIKE].all(), "one possible answer is not asked"
    assert (masks.sum(axis=1)[running] > 0).all()
    assert not masks[~running].any()
    assert ((asks == Ask.NOTHING) == ~running).all()
    assert (battle.ask == asks).all()
    attacks = states.seat == states.attacker
    assert (attacks == (battle.asked == 0))[running].all()
    assert (battle.asked == battle.half)[running & (battle.phase <= Phase.STRIKE)].all()
    assert (battle.asked != battle.half)[running & (battle.phase == Phase.STRIKE_BACK)].all()
    assert (masks[asks == Ask.MANEUVER, END] == 1).all()


def _check_fighters(battle: Any) -> None:
    """Nobody shares a hex, stands where it cannot or has taken more than its power; what is gone leaves no mark."""
    fighters = battle.fighters
    here = fighters.hex < OUTSIDE
    assert ((fighters.hex >= 0) & (fighters.hex <= EMPTY)).all()
    held = np.zeros((len(fighters), HEXES), int)
    rows, slots = np.nonzero(here)
    np.add.at(held, (rows, fighters.hex[rows, slots]), 1)
    assert (held <= 1).all(), "one character on a hex"
    ground = HAZARDS[battle.land[rows], fighters.hex[rows, slots]]
    kinds = fighters.kind[rows, slots]
    assert (ground != Hazard.TREE).all()
    assert (kinds == Character.DRAGON)[ground == Hazard.VOLCANO].all()
    assert (fighters.hits <= fighters.power).all()
    assert ((fighters.slain == 1) == (here & (fighters.hits == fighters.power))).all()
    assert not fighters.hits[~here].any()
    for mark in ("moved", "locked", "struck", "slain"):
        assert not fighters[mark][~here].any()
    assert not (fighters.moved | fighters.locked)[battle.phase >= Phase.STRIKE].any()
    assert not (fighters.struck | fighters.slain)[battle.phase <= Phase.MANEUVER].any()
    empty = fighters.hex == EMPTY
    assert not fighters.kind[empty].any()
    assert not fighters.power[empty].any()


def _check_course(states: Any, running: Any) -> None:
    """Rounds are counted, the clock goes with them, and what is being done is only there while it is."""
    battle = states.battle
    assert ((battle.rounds_begun >= 1) & (battle.rounds_begun <= ROUNDS)).all()
    assert (states.clock == 2 * battle.rounds_begun - (battle.half == 1)).all()
    assert ((battle.result == Result.RUNNING) == running).all()
    picked = np.isin(states.ask, [Ask.GO, Ask.TARGET, Ask.HANDICAP, Ask.CARRY])
    aimed = np.isin(states.ask, [Ask.HANDICAP, Ask.CARRY])
    assert ((battle.picked != NOBODY) == picked).all()
    assert ((battle.target != NOBODY) == aimed).all()
    assert ((battle.dice > 0) == aimed).all()
    assert ((battle.number > 0) == aimed).all()
    assert ((battle.surplus > 0) == (states.ask == Ask.CARRY)).all()
    own = SIDE[battle.picked] == battle.asked
    assert own[picked].all()
    assert not states.draws.any()
    assert not (states.mirror | states.growth).any()


def fight_through(batch: Batch) -> int:
    """Play all rows of a batch to their end at random, checking every position on the way; how many decisions."""
    check(batch)
    decisions = 0
    for _ in range(MOST_DECISIONS):
        if batch.over.all():
            break
        before, running = batch.states.decisions.copy(), ~batch.over
        alive = _alive(batch.states.battle)
        batch.step(np.where(running, batch.sample(), 0))
        assert (batch.states.decisions == before + running).all()
        assert (_alive(batch.states.battle) <= alive + 1).all(), "one arrival a step at most"
        decisions += int(running.sum())
        check(batch)
    assert batch.over.all(), "every battle ends"
    return decisions


def _alive(battle: Any) -> Any:
    """How many characters there are in each battle."""
    return (battle.fighters.hex < GONE).sum(axis=1)


def _check_ends(states: Any) -> None:
    """The result says who has won; the eliminated have nobody left, or lost their titan, or their time."""
    battle = states.battle
    alive = [(battle.fighters.hex[:, side == SIDE] < GONE).sum(axis=1) for side in range(2)]
    fallen = (battle.fighters.kind == Character.TITAN) & (battle.fighters.hex == GONE)
    lost = [(alive[side] == 0) | fallen[:, side == SIDE].any(axis=1) for side in range(2)]
    assert (lost[0] == np.isin(battle.result, [Result.DEFENDER_WINS, Result.MUTUAL])).all()
    assert (lost[1] == np.isin(battle.result, [Result.ATTACKER_WINS, Result.MUTUAL])).all()
    assert (battle.rounds_begun == ROUNDS)[battle.result == Result.TIME_LOSS].all()
    attacker_won = np.isin(battle.result, [Result.ATTACKER_WINS, Result.MUTUAL])
    won = np.take_along_axis(states.won, states.attacker[:, None].astype(int), 1)[:, 0]
    assert (won == attacker_won).all()
    assert (states.won.sum(axis=1) == 1 + (battle.result == Result.MUTUAL)).all()
    assert (states.place[:, :2] == np.where(states.won[:, :2] == 1, 1, 2)).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_random_battles_keep_the_rules_and_end_in_time(preset: str) -> None:
    batch = Batch(GAME, BATTLES, events=True, **PRESETS[preset])
    batch.seed(0)
    batch.start()
    fight_through(batch)
    _check_ends(batch.states)


def test_battles_of_any_characters_end() -> None:
    """Legions of all kinds, so that every character meets every land."""
    rng = np.random.default_rng(5)
    names = [character.name.lower() for character in Character]
    templates = [
        GAME.rules.configure(
            attacker=[names[kind] for kind in rng.choice(KINDS_WITHOUT_TITAN, 6)],
            defender=[names[kind] for kind in [0, *rng.choice(KINDS_WITHOUT_TITAN, 6)]],
            summon="archangel",
            scores=(0, 3000),
        )
        for _ in range(BATTLES)
    ]
    batch = Batch(GAME, BATTLES, events=True, templates=np.concatenate(templates).view(np.recarray))
    batch.seed(1)
    batch.start()
    fight_through(batch)
    _check_ends(batch.states)


KINDS_WITHOUT_TITAN = range(1, len(Character))


def test_equal_play_is_equal_bytes() -> None:
    """The same seed and the same decisions give the same record, byte by byte, in company and alone."""
    count = 8 if COMPILED else 2
    together = Batch(GAME, count)
    together.seed(7)
    together.start()
    alone = [Batch(GAME, 1) for _ in range(count)]
    for row, batch in enumerate(alone):
        batch.seed(7 + row)
        batch.start()
    for _ in range(100):
        actions = np.where(together.over, 0, together.sample())
        together.step(actions)
        for row, batch in enumerate(alone):
            batch.step(actions[row : row + 1])
    assert together.states.tobytes() == b"".join(batch.states.tobytes() for batch in alone)


def test_a_state_takes_less_than_400_bytes() -> None:
    assert GAME.rules.state.itemsize <= 400
