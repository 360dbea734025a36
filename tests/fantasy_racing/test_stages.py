"""A chain is told link by link, and the telling leads where the chain does."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.fantasy_racing.table import Table, rolled
from titan_env.contract import COMPILED
from titan_env.contract.shapes import Label
from titan_env.engine.batch import Batch
from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.picture.picture import picture
from titan_env.games.fantasy_racing.picture.stages import animation_steps
from titan_env.games.fantasy_racing.rules.circuits import square_name
from titan_env.games.fantasy_racing.rules.state import Event, Roll


def test_a_chain_of_fights_is_told_one_after_the_other() -> None:
    """F17: the human beats the elf, whose recoil leads it to the dwarf."""
    table = Table("human:\nelf:\ndwarf:\n" + rolled(1, 2), D4="Hu", D5="El", D3="Dw")
    before = table.state.copy()
    table.play("die:1", rolls=[40, 2, 90, 10])
    events = np.array([[int(number) for number in event] for event in table.heard])
    parts = animation_steps(before, events, table.state)
    begun = [Event(int(events[count, 0])) for count, _ in parts]
    assert begun == [Event.FIGHT, Event.SHOCK, Event.FIGHT, Event.SHOCK]
    elf = [square_name(state.racers[1].square) for _, state in parts]
    assert elf == ["D5", "D5", "D3", "D3"]
    scores = [state.scores[:3].tolist() for _, state in parts]
    assert scores == [[1, 0, 0], [4, 0, 0], [5, -2, 0], [5, -2, 3]]
    for count, state in parts:
        shapes = picture(state, None, events[:count], before)
        assert not [shape for shape in shapes if shape.actions], "nothing is offered while it is told"
        assert "Human plays" in [shape.text for shape in shapes if isinstance(shape, Label)]


def test_a_walk_alone_is_told_at_once() -> None:
    table = Table("human:\nelf:\n" + rolled(3, 1), D4="Hu", A9="El")
    before = table.state.copy()
    table.play("die:1")
    events = np.array([[int(number) for number in event] for event in table.heard])
    assert animation_steps(before, events, table.state) == []


def test_what_is_told_leads_where_the_chain_does() -> None:
    batch = Batch(GAME, 1, events=True, players=6)
    chains = 0
    for seed in range(4 if COMPILED else 1):
        batch.seed(seed)
        batch.start()
        while not batch.over[0]:
            before: Any = batch.states[0].copy()
            batch.step(batch.sample())
            events, after = batch.happened(0), batch.states[0]
            parts = animation_steps(before, events, after)
            chains += bool(parts)
            turn_over = [
                number
                for number, (kind, _, what, _) in enumerate(events.tolist())
                if kind in (Event.ROUND, Event.WON) or (kind == Event.ROLLED and what == Roll.MOVEMENT)
            ]
            is_next_still = not turn_over or Event.MOVED not in events[turn_over[0] :, 0]
            if parts and turn_over[:1] == [parts[-1][0]] and is_next_still:
                here = parts[-1][1]
                assert (here.racers["square"] == after.racers["square"]).all()
                assert (here.scores == after.scores).all()
                assert (here.traps == after.traps).all()
                if Event.REFILL not in events[:, 0]:
                    assert (here.gone == after.gone).all()
    assert chains > (50 if COMPILED else 3)
