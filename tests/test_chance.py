"""Chance with unequal answers, more than 127 sides, and more answers or events than there is room for."""

from __future__ import annotations

from collections import defaultdict
from enum import IntEnum
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.games import frontier, orchard
from tests.records import lines_of, write
from titan_env.contract import (
    HEADER,
    LUCK,
    ActionTable,
    Field,
    Fields,
    Game,
    Rules,
    Status,
    begin,
    draw,
    draw_successes,
    draw_weighted,
    events_of,
    log_dtype,
    log_event,
    luck_dtype,
    outcomes,
    preset,
    rule,
    seeded,
)
from titan_env.engine.batch import Batch
from titan_env.engine.outcomes import chance_outcomes
from titan_env.envs.aec import GameAEC
from titan_env.records.replay import BadRecord, hash_of, positions, read
from titan_env.records.session import GameSession


def answers(count: int, ask: Any) -> list[int]:
    """What chance says to a question that is asked so often."""
    luck = seeded([5])[0]
    said = []
    for _ in range(count):
        begin(luck)
        said.append(int(ask(luck)))
    return said


@pytest.mark.parametrize(("dice", "good", "sides"), [(8, 2, 6), (1, 1, 6), (20, 3, 6), (5, 6, 6), (4, 0, 6), (0, 2, 6)])
def test_hits_fall_as_the_binomial_says(dice: int, good: int, sides: int) -> None:
    said = answers(4000, lambda luck: draw_successes(luck, dice, good, sides))
    share = good / sides
    for number in range(dice + 1):
        expected = 4000 * comb(dice, number) * share**number * (1 - share) ** (dice - number)
        assert abs(said.count(number) - expected) <= 5 * expected**0.5 + 1


def test_the_odds_of_hits_are_those_of_the_binomial() -> None:
    luck = np.zeros(1, LUCK).view(np.recarray)[0]
    for number in range(9):
        preset(luck, [number])
        begin(luck)
        assert draw_successes(luck, 8, 2, 6) == number
        assert luck.odds == pytest.approx(comb(8, number) * (1 / 3) ** number * (2 / 3) ** (8 - number))
        assert outcomes(luck).tolist() == [[number, -9]]


def test_weighted_draws_fall_as_their_weights_say() -> None:
    weights = np.array([2, 0, 5, 3])
    said = answers(4000, lambda luck: draw_weighted(luck, weights))
    assert said.count(1) == 0
    for place, weight in enumerate(weights.tolist()):
        assert abs(said.count(place) - 400 * weight) <= 5 * (400 * weight) ** 0.5


def test_the_outcomes_of_a_weighted_draw_have_its_weights() -> None:
    batch = Batch(orchard.GAME, 1)
    batch.seed(0)
    batch.start()
    weights = orchard.HALVES / orchard.HALVES.sum()
    found = {int(state.ground): share for share, state in chance_outcomes(orchard.GAME, batch.states[0], orchard.SHAKE)}
    assert found == pytest.approx(dict(enumerate(weights.tolist())))


def test_the_outcomes_of_a_strike_have_the_probabilities_of_both_sides_dice() -> None:
    """Six men strike five boldly on a plain: each slays with three faces of six, and both strike at once."""
    state = frontier.configure(players=2)[0]
    state.ask, state.owner[0], state.owner[1], state.owner[8], state.owner[10] = 1, 1, 2, 1, 2
    state.men[:2], state.men[8], state.men[10] = (6, 5), 1, 1
    action = frontier.ACTIONS.read("bold:a1:east")
    found: dict[tuple[int, int], float] = defaultdict(float)
    for share, after in chance_outcomes(frontier.GAME, state, action):
        found[int(after.scores[0]) // 10_000, int(after.scores[1]) // 10_000] += share
    expected: dict[tuple[int, int], float] = defaultdict(float)
    for slain in range(7):
        for lost in range(6):
            expected[min(slain, 5), lost] += comb(6, slain) / 2**6 * comb(5, lost) / 2**5
    assert found == pytest.approx(expected)


def test_dice_of_many_sides_are_recorded_and_replayed(tmp_path: Path) -> None:
    table = GameSession(frontier.GAME, 3, {"players": 4}, tmp_path / "war.jsonl", ["random"] * 4)
    answered = table.recorder.lines[0]["chance"]
    assert len(answered) > 64, "more than usual in one step"
    assert max(answered) > 127
    hashes = [hash_of(table.state)]
    while not table.is_over:
        table.play(int(np.random.default_rng(len(hashes)).choice(np.flatnonzero(table.mask))))
        hashes.append(hash_of(table.state))
    record = read(tmp_path / "war.jsonl")
    assert [hash_of(moment.state) for moment in positions(record)] == hashes
    assert max(int(moment.events[:, 3].max(initial=0)) for moment in positions(record)) > 2**15


class Event(IntEnum):
    """What can happen."""

    NOTHING = 0


class Ask(IntEnum):
    """What the seat to act is asked."""

    NOTHING = 0
    FLOOD = 1


STATE = np.dtype([*HEADER, ("turns", np.int8)])


@rule
def flood(state: Any, luck: Any) -> None:
    """Nobody has said how much will be asked."""
    begin(luck)
    state.ask = Ask.FLOOD
    luck.given = 0


@rule
def legal(state: Any, mask: Any) -> None:
    """A flood of chance, or one of events."""
    mask[:] = state.over == 0


@rule
def overflow(state: Any, action: int, luck: Any, log: Any) -> None:
    """More answers, or more events, than there is room for."""
    for number in range(100):
        if action == 0:
            draw(luck, 2)
        else:
            log_event(log, Event.NOTHING, number, 0, 0)
    state.over, state.ask = Status.TRUNCATED, Ask.NOTHING


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """Nothing to see."""
    vector[:] = 0


FIELDS = Fields((Field("nothing", (), 0, 1, "nothing"),))
TOO_MUCH = Game(
    name="too_much",
    rules=Rules(
        state=STATE,
        seats=(2, 2),
        actions=ActionTable(("chance", "events")),
        fields=FIELDS,
        asks=Ask,
        setup=flood,
        legal=legal,
        step=overflow,
        observe=observe,
    ),
)
LUCK_IS_SMALL = "expected at most 64 answers of chance in one step; declare luck=luck_dtype"
LOG_IS_SMALL = "expected at most 96 events in one step; declare log=log_dtype"


def begun(**options: Any) -> Batch:
    """A game that will overflow."""
    batch = Batch(TOO_MUCH, 1, **options)
    batch.start()
    return batch


def test_a_step_that_asks_chance_too_much_is_a_loud_error_wherever_its_answers_are_read() -> None:
    with pytest.raises(OverflowError, match=LUCK_IS_SMALL):
        GameSession(TOO_MUCH, 0, {}, None, ["random"] * 2).play(0)
    with pytest.raises(OverflowError, match=LUCK_IS_SMALL):
        chance_outcomes(TOO_MUCH, begun().states[0], 0)


def test_a_step_in_which_too_much_happens_is_a_loud_error_wherever_it_is_told() -> None:
    batch = begun(events=True)
    batch.step([1])
    with pytest.raises(OverflowError, match=LOG_IS_SMALL):
        batch.last_events(0)
    with pytest.raises(OverflowError, match=LOG_IS_SMALL):
        GameSession(TOO_MUCH, 0, {}, None, ["random"] * 2).play(1)
    env = GameAEC(TOO_MUCH, events=True)
    env.reset(seed=0)
    with pytest.raises(OverflowError, match=LOG_IS_SMALL):
        env.step(1)


def test_a_record_that_answers_more_than_there_is_room_for_is_refused(tmp_path: Path) -> None:
    table = GameSession(frontier.GAME, 3, {}, tmp_path / "war.jsonl", ["random"] * 3)
    table.play(0)
    lines = lines_of(tmp_path / "war.jsonl")
    lines[0]["chance"] += [0] * 128
    write(tmp_path / "war.jsonl", lines)
    with pytest.raises(BadRecord, match="line 1: expected at most 128 answers"):
        list(positions(read(tmp_path / "war.jsonl")))


def test_what_has_room_is_not_cut() -> None:
    luck, log = np.zeros(1, luck_dtype(200)).view(np.recarray)[0], np.zeros(1, log_dtype(200)).view(np.recarray)[0]
    begin(luck)
    for number in range(200):
        draw(luck, 30_000)
        log_event(log, Event.NOTHING, number, 0, 10**9)
    assert outcomes(luck).shape == (200, 2)
    assert (outcomes(luck)[:, 1] == 30_000).all()
    assert (events_of(log)[:, 3] == 10**9).all()
