"""A position that is made to be read says what the record says, and is no way to change it."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import pytest

from titan_env import registry
from titan_env.contract.frozen_record import freeze
from titan_env.engine.game_setup import GameSetup
from titan_env.records.session import GameSession


@pytest.mark.parametrize("name", registry.names())
def test_a_reading_has_every_field_of_the_record_and_the_rules_take_it(name: str) -> None:
    game = registry.load(name)
    state = GameSession(GameSetup.of(game, {}), 7).state
    copy = freeze(state)
    for field in game.rules.state.names or ():
        assert np.array_equal(getattr(copy, field), getattr(state, field))
    for field, (dtype, *_rest) in (game.rules.state.fields or {}).items():
        for within in dtype.base.names or ():
            read = [getattr(one, within) for one in np.atleast_1d(getattr(copy, field))]
            assert np.array_equal(read, getattr(state, field)[within].reshape(np.shape(read)))
    assert np.array_equal(game.rules.mask(copy), game.rules.mask(state))
    assert game.text.position_text(copy) == game.text.position_text(state)
    assert freeze(copy) is copy


def test_a_reading_stays_as_it_was_and_refuses_to_be_changed() -> None:
    state = GameSession(GameSetup.of(registry.load(registry.names()[0]), {}), 7).state
    copy = freeze(state)
    seats = int(state.seats)
    state.seats = seats + 1
    assert copy.seats == seats
    with pytest.raises(ValueError, match="read-only"):
        copy.seats = seats + 1
    with pytest.raises(AttributeError, match="expected a field, got 'nowhere'"):
        _ = copy.nowhere


def _read_all(record: Any) -> None:
    """Read every field of a frozen record, and of the records within."""
    for field in record.dtype.names:
        within = getattr(record, field)
        for one in () if not within.dtype.names else [within] if isinstance(within, np.void) else within:
            _read_all(one)


@pytest.mark.parametrize("name", registry.names())
def test_a_reading_is_freed_with_its_last_holder_whatever_was_read_of_it(name: str) -> None:
    game = registry.load(name)
    copy = freeze(GameSession(GameSetup.of(game, {}), 7).state)
    _read_all(copy)
    game.text.position_text(copy)
    held = weakref.ref(copy)
    del copy
    assert held() is None
