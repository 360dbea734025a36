"""What is shown beside the questions is what the rules do: reach, musters, points at stake, what is left to do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

import numpy as np
import pytest

from tests.titan_war.random_play import moments, until
from titan_env.contract import COMPILED
from titan_env.games.titan_battle.rules.state import KINDS, LEGION
from titan_env.games.titan_war.picture.picture import picture
from titan_env.games.titan_war.rules.actions import ACTIONS, MUSTER, PICK_KIND, TO_LAND
from titan_env.games.titan_war.rules.movement import can_move
from titan_env.games.titan_war.rules.state import FACES, LANDS, LEGIONS, Ask, Event, Stage
from titan_env.games.titan_war.words.deeds import handovers, reminders, turn_title
from titan_env.games.titan_war.words.dice import dice
from titan_env.games.titan_war.words.reach import lands_on_foot, musters_on, qualifying, told_reach
from titan_env.games.titan_war.words.stakes import told_price
from titan_env.games.titan_war.words.trial import tried

MOST = 500 if COMPILED else 60


def asked(*asks: Ask, players: int = 3) -> Iterator[Any]:
    """The moments of a war in which one of these is asked."""
    for moment in moments(5, MOST, players=players):
        if moment.state.ask in asks:
            yield moment


def test_lands_that_are_shown_are_those_where_the_legion_may_go() -> None:
    for moment in asked(Ask.GO_LAND):
        state = moment.state
        if not state.teleporting:
            legal = [land for land in range(LANDS) if moment.mask[TO_LAND + land]]
            assert lands_on_foot(state, int(state.picked)) == legal


def test_musters_that_are_shown_are_those_that_are_offered_there() -> None:
    for moment in asked(Ask.MUSTER):
        state = moment.state
        offered = {kind for kind in range(KINDS) if moment.mask[MUSTER + kind]}
        assert set(musters_on(state, int(state.picked), int(state.land))) == offered


def test_what_qualifies_is_what_may_be_shown() -> None:
    for moment in asked(Ask.SHOW):
        state = moment.state
        if state.wanted:
            shown = qualifying(state, int(state.picked), int(state.wanted))
            assert sorted(kinds[0] for kinds in shown) == [k for k in range(KINDS) if moment.mask[PICK_KIND + k]]


def test_whoever_looks_at_a_legion_sees_where_it_can_go_and_whom_it_could_muster_there() -> None:
    moment = until(Ask.MOVE)
    state = moment.state
    marker = next(
        marker for marker in range(LEGIONS) if state.legions[marker].owner == state.seat and can_move(state, marker)
    )
    drawn = {shape.key: shape for shape in picture(state, int(state.seat))}
    assert drawn[f"marker:{marker}"].shows == tuple(f"land:{land}" for land in lands_on_foot(state, marker))
    lines = told_reach(state, marker)
    assert drawn[f"marker:{marker}"].title.splitlines()[1:] == lines
    assert any("can muster" in line for line in lines)
    others = picture(state, (int(state.seat) + 1) % int(state.seats))
    assert not any(shape.shows for shape in others)


@pytest.mark.thorough
@pytest.mark.parametrize("message", ["flee", "concede"])
def test_points_at_stake_are_those_that_are_scored(message: str) -> None:
    found = 0
    for moment in chain(*(moments(seed, MOST, players=3) for seed in range(8))):
        action = ACTIONS.numbers[message]
        if found < 3 and moment.state.stage == Stage.TALK and moment.mask[action]:
            _after, events = tried(moment.state, action)
            _kind, who, points, _amount = next(event for event in events if event[0] == Event.SCORED)
            assert told_price(moment.state, message) == [f"player {who + 1} scores {points}"]
            found += 1
    assert found or not COMPILED


def test_full_legions_unmoved_ones_and_musters_to_come_are_left_to_do() -> None:
    for moment in islice(asked(Ask.SPLIT, Ask.MOVE, Ask.MUSTER), 30):
        state = moment.state
        keys = {reminder.key for reminder in reminders(state)}
        own = [marker for marker in range(LEGIONS) if state.legions[marker].owner == state.mover]
        if state.ask == Ask.SPLIT:
            assert all(state.legions[int(key.partition(":")[2])].height == LEGION for key in keys)
        if state.ask == Ask.MOVE:
            assert keys == {
                f"marker:{marker}" for marker in own if state.legions[marker].height and can_move(state, marker)
            }
    assert reminders(until(Ask.DEFEND).state) == []


def test_a_battle_and_the_rest_of_a_turn_can_be_left_to_an_agent() -> None:
    keys: dict[str, set[tuple[int, int]]] = {}
    for moment in moments(5, MOST, players=3):
        state = moment.state
        runs = {run.key for run in handovers(state)} if not state.over else set()
        assert any(key.startswith("battle") for key in runs) == (state.stage == Stage.BATTLE)
        for key in runs:
            keys.setdefault(key, set()).add((int(state.turns), int(state.mover)))
    assert all(len(turns) == 1 for turns in keys.values())


def test_a_turn_has_a_title_of_its_own_and_a_battle_too() -> None:
    assert turn_title(until(Ask.START).state) == "The first legions"
    state = until(Ask.MANEUVER).state
    assert turn_title(state).startswith(f"Turn {int(state.turns) + 1}, player {int(state.mover) + 1}: battle on ")


def test_dice_are_counted_for_who_threw_them() -> None:
    before, rolls, hits = None, [], 0.0
    for moment in moments(5, MOST, players=3):
        if before is not None:
            for throw in dice(before, moment.events):
                assert 0 <= throw.seat < 3
                assert throw.got >= 0
                if throw.name == "movement":
                    rolls.append(throw.got)
                    assert throw.expected == (FACES + 1) / 2
                else:
                    hits += (throw.got - throw.expected) / max(1.0, np.sqrt(throw.variance))
        before = moment.state.copy()
    assert len(rolls) > 3 or not COMPILED
