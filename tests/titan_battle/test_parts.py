"""A strike is shown before its dice, and a death after them."""

from __future__ import annotations

import numpy as np

from tests.titan_battle.table import Table
from titan_env.contract import outcomes
from titan_env.engine.parts import Decision, parts
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.rules.actions import ACTIONS
from titan_env.games.titan_battle.rules.state import Event


def test_a_strike_is_shown_before_its_dice_and_its_victim_before_it_dies() -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2").play("pick:C3", "hit:C4")
    before = table.state.copy()
    table.play("plain", hits=[4])
    events = table.log[0].events[: table.log[0].count].copy()
    decision = Decision(before, ACTIONS.read("plain"), outcomes(table.luck[0])[:, 0].tolist())
    found = parts(GAME, [decision], events)
    assert [[Event(kind) for kind in events[:count, 0]] for count, _ in found] == [
        [Event.STRUCK],
        [Event.STRUCK, Event.DICE],
    ]
    hits = [int(state.battle.fighters["hits"].max()) for _, state in found]
    assert hits == [3, 5]
    assert not np.any([state.battle.fighters["slain"] for _, state in found])
    assert table.state.battle.fighters["slain"].any()
