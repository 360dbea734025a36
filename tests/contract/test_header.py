"""A log holds the events of one step, as many as it has room for; more are an error, not lost without a word."""

from __future__ import annotations

import numpy as np
import pytest

from tests.games.too_much import LOG_EVENTS, TOO_MUCH
from titan_env.contract import events_of, log_dtype, log_event
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.envs.aec import GameAEC
from titan_env.records.session import GameSession


def test_a_log_holds_as_many_events_and_as_large_amounts_as_it_has_room_for() -> None:
    log = np.zeros(1, log_dtype(200)).view(np.recarray)[0]
    for number in range(200):
        log_event(log, 0, number, 0, 10**9)
    assert events_of(log)[:, 1].tolist() == list(range(200))
    assert (events_of(log)[:, 3] == 10**9).all()


@pytest.mark.thorough
def test_a_step_with_more_events_than_there_is_room_for_is_an_error_wherever_they_are_read() -> None:
    too_small = "expected at most 96 events in one step; declare log=log_dtype"
    batch = Batch(TOO_MUCH, 1, events=True)
    batch.start()
    batch.step([LOG_EVENTS])
    with pytest.raises(OverflowError, match=too_small):
        batch.last_events(0)
    with pytest.raises(OverflowError, match=too_small):
        GameSession(GameSetup.of(TOO_MUCH, {}), 0, None, ["random"] * 2).play(LOG_EVENTS)
    env = GameAEC(TOO_MUCH, events=True)
    env.reset(seed=0)
    with pytest.raises(OverflowError, match=too_small):
        env.step(LOG_EVENTS)
