"""What a viewer may know of a game's moments, as it grows and is taken back, equals what a fresh look finds."""

from __future__ import annotations

import numpy as np
import pytest

from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.records.visible import Known, visible
from titan_env.web.views.game_view import PERSON
from titan_env.web.views.live_game import LiveGame


def test_going_on_from_what_was_known_finds_what_a_fresh_look_does(game: Game) -> None:
    if game.rules.public_view is None:
        pytest.skip("everybody knows what is asked")
    seats = int(game.rules.configure()[0].seats)
    live_game, rng = LiveGame(GameSetup.of(game, {}), [PERSON] * seats, 5, practice=True), np.random.default_rng(3)
    everybody = frozenset(range(seats))
    known: dict[int, Known] = {}
    for number in range(90):
        if live_game.session.is_over:
            break
        if number % 9 == 8:
            live_game.undo(everybody)
        else:
            legal = np.flatnonzero(live_game.session.mask)
            live_game._go_on(int(legal[int(rng.integers(len(legal)))]), True)
        for viewer in (-1, 0, seats - 1):
            seen, known[viewer] = visible(game, live_game.moments, viewer, known.get(viewer))
            fresh, _ = visible(game, live_game.moments, viewer)
            assert [moment.states.tobytes() for moment in seen] == [moment.states.tobytes() for moment in fresh]
            assert [moment.decision for moment in seen] == [moment.decision for moment in fresh]
            assert [len(moment.events) for moment in seen] == [len(moment.events) for moment in fresh]
