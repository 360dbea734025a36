"""The observation a second time, read off the position field by field in the words of its table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from titan_env.contract import COMPILED
from titan_env.engine.batch import Batch
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.board import column_of
from titan_env.games.titan_race.rules.definition import PRESETS
from titan_env.games.titan_race.rules.state import ASIDE, DECK, DISCARD, NOBODY, NOWHERE, Ask, Condition

pytestmark = pytest.mark.thorough

RACES, DECISIONS = (40, 120) if COMPILED else (1, 20)
ROWS, COLUMNS, SPACES, LONGEST_RACE = 12, 6, 36, 36


def marked(length: int, place: int) -> list[int]:
    """Zeros with a 1 in one place, if there is one to mark."""
    return [int(i == place) for i in range(length)]


def turn_order(state: Any, seat: int) -> list[int]:
    """The Titans from the own one on: it is the one asked about, else the one to move, else the first of the seat."""
    count = int(state.titans_in_race)
    own = [who for who in range(count) if state.titans[who].seat == seat]
    me = next(who for who in (int(state.asked), int(state.titan), *own) if who in own)
    return [(me + i) % count for i in range(count)]


def rows_made(titan: Any) -> int:
    """Rows from the start of a race: of a Titan that has not entered it, those of its laps."""
    return int(titan.lap) * ROWS + max(int(titan.space), 0) % SPACES // 3


def titans_seen(state: Any, seat: int) -> dict[str, list[Any]]:
    """All that is seen of each Titan, by its place in the turn order."""
    order = turn_order(state, seat)
    titans = [state.titans[who] for who in order]
    own = titans[0]
    on_board = [titan.space != NOWHERE for titan in titans]
    here = column_of(max(int(own.space), 0) % SPACES)
    there = [(column_of(int(titan.space) % SPACES) - here) % COLUMNS for titan in titans]
    rows = [rows_made(titan) for titan in titans]
    home = (int(state.laps) + 1) * ROWS
    seen: dict[str, list[Any]] = {
        "in_race": [1] * len(order),
        "ally": [titan.side == own.side for titan in titans],
        "own": [titan.seat == seat for titan in titans],
        "turn": [who == state.titan for who in order],
        "target": [who == state.target for who in order],
        "mover": [who == state.mover for who in order],
        "on_board": on_board,
        "life": [min(titan.life, 12) for titan in titans],
        "gauge": [min(titan.life_max, 12) for titan in titans],
        "fit": [titan.condition == Condition.FIT for titan in titans],
        "recovering": [titan.condition == Condition.RECOVERING for titan in titans],
        "barred": [
            titan.barred or (state.barred and who == state.titan) for who, titan in zip(order, titans, strict=True)
        ],
        "hand": [(state.cards == titan.seat).sum() for titan in titans],
        "lead": [np.clip(made - rows[0], -LONGEST_RACE, LONGEST_RACE) for made in rows],
        "to_go": [np.clip(home - made, 0, 3 * LONGEST_RACE) for made in rows],
        "row": [titan.space % SPACES // 3 if on else 0 for titan, on in zip(titans, on_board, strict=True)],
        "column": [marked(COLUMNS, column if on else -1) for column, on in zip(there, on_board, strict=True)],
        "kind": [marked(6, titan.kind) for titan in titans],
    }
    return {f"titan_{name}": values for name, values in seen.items()}


def turn_seen(state: Any, seat: int) -> dict[str, list[Any]]:
    """The own question, the dice, the cards and the course of the turn."""
    is_own_turn = state.titan != NOBODY and state.titans[state.titan].seat == seat
    is_asked = state.ask != Ask.NOTHING and state.seat == seat
    lends = state.ask == Ask.ABILITY or (state.ask == Ask.SHOVE and state.borrowed != state.titans[state.asked].kind)
    is_free = not (state.first_turn or state.rerolled or state.barred)
    mover = state.titans[state.titan]
    on_pentacle = state.pentacle != NOWHERE and state.pentacle == mover.space
    may_reroll = state.die_done and on_pentacle and mover.condition == Condition.FIT and mover.life >= 2
    left = max(0, min(100, int(state.turn_limit) - int(state.turns))) if state.turn_limit else 100
    return {
        "ask": marked(10, state.ask - 1 if is_asked else -1),
        "flags": [
            *(is_own_turn, state.begun, state.moved, state.extra_due, state.owes, state.die_done),
            *(is_free and not state.ability_used, is_free and not state.card_played, may_reroll, state.circuits > 1),
        ],
        "pool": state.pool.tolist(),
        "face": marked(6, state.face),
        "action": marked(6, state.action),
        "hand": (state.cards == seat).tolist(),
        "discard_pile": (state.cards == DISCARD).tolist(),
        "aside": (state.cards == ASIDE).tolist(),
        "card": marked(13, state.card),
        "borrowed": marked(6, state.borrowed if lends else -1),
        "deck": [(state.cards == DECK).sum()],
        "supply": [state.supply],
        "laps_to_win": [min(state.laps, 12)],
        "turns_left": [left],
    }


@pytest.mark.parametrize("preset", ["six_titans", "two_players", "grand_slam"])
def test_every_seat_sees_what_the_table_of_the_observation_says(preset: str) -> None:
    batch = Batch(GAME, RACES, whole=True, **PRESETS[preset])
    batch.seed(4)
    batch.start()
    for decision in range(DECISIONS):
        batch.step(np.maximum(batch.sample(), 0))
        row = decision % RACES
        state = batch.states[row]
        for seat in range(int(state.seats)):
            fields = GAME.rules.fields.split(batch.observe(np.full(RACES, seat, np.int8))[row])
            for name, values in {**titans_seen(state, seat), **turn_seen(state, seat)}.items():
                features = np.atleast_1d(fields[name])
                np.testing.assert_array_equal(features[: len(values)], values, err_msg=f"{name} of seat {seat}")
                assert not features[len(values) :].any()
