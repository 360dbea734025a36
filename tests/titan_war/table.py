"""The game of the tests: its rules, and the adapter that compares its state with the second implementation."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from tests.titan_battle.reference_data import KINDS
from tests.titan_war.reference import War
from tests.titan_war.reference_legions import Legion
from titan_env.contract import Game, Rules, log_dtype, luck_dtype
from titan_env.games.titan_war.rules.actions import ACTIONS
from titan_env.games.titan_war.rules.decision import play_decision
from titan_env.games.titan_war.rules.imagine import imagine
from titan_env.games.titan_war.rules.lands import LAND_NUMBERS
from titan_env.games.titan_war.rules.legal import legal
from titan_env.games.titan_war.rules.setup import OPTIONS, PRESETS, configure, set_up
from titan_env.games.titan_war.rules.state import STATE, Ask, Event
from titan_env.games.titan_war.rules.view import FIELDS, observe, public_view

NAMES = list(KINDS)
GAME = Game(
    name="titan_war",
    rules=Rules(
        state=STATE,
        seats=(2, 6),
        actions=ACTIONS,
        asks=Ask,
        events=Event,
        fields=FIELDS,
        setup=set_up,
        legal=legal,
        step=play_decision,
        observe=observe,
        imagine=imagine,
        public_view=public_view,
        configure=configure,
        options=OPTIONS,
        presets=PRESETS,
        luck=luck_dtype(512),
        log=log_dtype(512),
        chance_clock="clock",
    ),
)
