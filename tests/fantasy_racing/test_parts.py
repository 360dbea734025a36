"""A chain is told link by link, and the telling leads where the chain does."""

from __future__ import annotations

import numpy as np

from tests.fantasy_racing.retold import retold
from tests.fantasy_racing.table import Table, rolled
from titan_env.contract import COMPILED, outcomes
from titan_env.contract.shapes import Label
from titan_env.engine.batch import Batch
from titan_env.engine.parts import Decision, parts
from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.picture.picture import picture
from titan_env.games.fantasy_racing.rules.actions import ACTIONS
from titan_env.games.fantasy_racing.rules.circuits import square_name
from titan_env.games.fantasy_racing.rules.state import Event, Object
from titan_env.games.fantasy_racing.words.presentation import part_events


def test_a_chain_of_fights_is_told_one_after_the_other() -> None:
    """The human beats the elf, whose recoil leads it to the dwarf."""
    table = Table("human:\nelf:\ndwarf:\n" + rolled(1, 2), D4="Hu", D5="El", D3="Dw")
    before = table.state.copy()
    table.play("die:1", rolls=[40, 2, 90, 10])
    events = np.array([[int(number) for number in event] for event in table.history])
    answers = outcomes(table.luck[0])[:, 0].tolist()
    found = parts(GAME, [Decision(before, ACTIONS.read("die:1"), answers)], events)
    begun = [Event(int(events[count, 0])) for count, _ in found]
    assert begun == [Event.FIGHT, Event.SHOCK, Event.FIGHT, Event.SHOCK]
    elf = [square_name(state.racers[1].square) for _, state in found]
    assert elf == ["D5", "D5", "D3", "D3"]
    scores = [state.scores[:3].tolist() for _, state in found]
    assert scores == [[1, 0, 0], [4, 0, 0], [5, -2, 0], [5, -2, 3]]
    for count, state in found:
        shapes = picture(state, None, events[:count], before)
        assert not [shape for shape in shapes if shape.actions], "nothing is offered while it is told"
        assert "Human plays" in [shape.text for shape in shapes if isinstance(shape, Label)]


def test_a_walk_alone_is_told_at_once() -> None:
    table = Table("human:\nelf:\n" + rolled(3, 1), D4="Hu", A9="El")
    table.play("die:1")
    assert part_events(np.array([[int(number) for number in event] for event in table.history])) == []


def test_the_parts_are_those_that_the_events_tell() -> None:
    """What events tell is what the rules did; a chest is taken when it is entered, a clover when it is spent."""
    batch = Batch(GAME, 1, events=True, players=6)
    chains = 0
    for seed in range(4 if COMPILED else 1):
        batch.seed(seed)
        batch.start()
        while not batch.over[0]:
            before, actions = batch.states[0].copy(), batch.sample()
            batch.step(actions)
            events, answers = batch.last_events(0), outcomes(batch.luck[0])[:, 0].tolist()
            found = parts(GAME, [Decision(before, int(actions[0]), answers)], events)
            expected = retold(before, events)
            assert [count for count, _ in found] == [count for count, _ in expected]
            chains += bool(found)
            for (count, here), (_, there) in zip(found, expected, strict=True):
                for name in ("square", "laps", "highest", "poisoned"):
                    assert (here.racers[name] == there.racers[name]).all(), name
                assert (here.scores == there.scores).all()
                assert (here.traps == there.traps).all()
                has_chest = Event.CHEST in events[: count + 1, 0]
                assert has_chest or (here.gone == there.gone).all()
                spent = there.racers["objects"].astype(int) - here.racers["objects"]
                assert not np.delete(spent, Object.CLOVER, axis=1).any()
                assert set(spent[:, Object.CLOVER].tolist()) <= {0, 1}
    assert chains > (50 if COMPILED else 3)
