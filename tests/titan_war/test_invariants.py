"""What always holds in a war, in every preset: legions, markers, the public record, and what is not in use is zero."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from titan_env.contract import COMPILED, Status, seeded
from titan_env.games.titan_battle.rules import actions as battle_actions
from titan_env.games.titan_battle.rules import state as battle_state
from titan_env.games.titan_battle.rules.characters import SUPPLY
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.rules.actions import ACTIONS
from titan_env.games.titan_war.rules.definition import PRESETS
from titan_env.games.titan_war.rules.record import conclude
from titan_env.games.titan_war.rules.state import NOBODY, PRIVATE_ASKS, Ask, Event, Phase, Stage

pytestmark = pytest.mark.thorough

WARS = int(os.environ.get("INVARIANT_WARS", 6 if COMPILED else 1))
GOLDEN = Path(__file__).parent / "golden"


def decisions(seed: int, **options: Any) -> Iterator[Any]:
    """The states of a random war, after each decision."""
    states, rng = GAME.rules.configure(**options), np.random.default_rng(seed)
    luck, log = seeded([seed], GAME.rules.luck), np.zeros(1, GAME.rules.log).view(np.recarray)
    GAME.rules.setup(states[0], luck[0])
    yield states[0]
    while not states[0].over:
        legal = np.flatnonzero(GAME.rules.mask(states[0]))
        assert len(legal), "the seat that is asked can answer"
        GAME.rules.step(states[0], int(rng.choice(legal)), luck[0], log[0])
        assert 0 < log[0].count <= len(log[0].events) or log[0].count == 0
        yield states[0]


def legions_of(state: Any, standing: bool) -> Any:
    """The legions on the board, or the free markers."""
    table = state.legions.view(np.recarray)
    return table[(table.height > 0) == standing]


def check_legions(state: Any) -> None:
    """Heights, ages, the public record, and who stands where."""
    standing, lying = legions_of(state, True), legions_of(state, False)
    assert (standing.holds.sum(axis=1) == standing.height).all()
    assert sorted(standing.age.tolist()) == list(range(1, len(standing) + 1))
    assert (standing.at_least <= standing.holds).all()
    assert (standing.holds <= standing.at_most).all()
    for name in ("land", "age", "moved", "entry", "holds", "at_least", "at_most"):
        assert not lying[name].any(), name
    seats_at = np.zeros(96, int)
    for legion in standing:
        seats_at[legion.land] |= 1 << legion.owner
        assert not state.out[legion.owner]
    assert (seats_at == state.seats_at).all()
    assert not state.open or (standing.at_least == standing.at_most).all()


def check_conclusions(state: Any) -> None:
    """Whenever somebody is asked, everybody has concluded all that the public record allows."""
    before = state.tobytes()
    for seat in range(state.seats):
        conclude(state, seat)
    assert state.tobytes() == before


def check_players(state: Any) -> None:
    """Everybody who lives has a titan, and the box has as many of each as there are."""
    standing = legions_of(state, True)
    for seat in range(state.seats):
        titans = standing.holds[standing.owner == seat, 0].sum()
        assert titans == (not state.out[seat]) or state.phase == Phase.START
        assert not state.over or state.place[seat] > 0 or state.over == Status.TRUNCATED
    assert (standing.holds.sum(axis=0) + state.supply + state.returning <= SUPPLY).all()
    assert (state.supply >= 0).all()


def check_silence(state: Any) -> None:
    """What is not in use is zero."""
    if state.stage != Stage.BATTLE:
        assert not np.frombuffer(state.battle.tobytes(), np.uint8).any()
    if state.stage == Stage.NONE:
        for name in ("attacker", "defender", "winner", "donor"):
            assert state[name] == NOBODY
        for name in ("offered", "hundred", "last_hundred", "may_summon", "may_reinforce"):
            assert state[name] == 0
        assert not state.returning.any()
    if state.ask not in (Ask.START, Ask.SPLIT):
        assert not state.split.any()
    if state.phase != Phase.MOVEMENT:
        assert state.teleporting == state.destination == 0
    if state.ask == Ask.MOVE:
        assert (state.land, state.picked) == (0, NOBODY)
    if state.ask != Ask.SHOW or state.phase == Phase.MOVEMENT:
        assert state.wanted == 0


@pytest.mark.parametrize("name", PRESETS)
def test_a_war_keeps_its_accounts(name: str) -> None:
    for seed in range(WARS):
        for state in decisions(seed, **PRESETS[name]):
            check_legions(state)
            check_conclusions(state)
            check_players(state)
            check_silence(state)
        assert (state.won == (state.place == 1))[: state.seats].all()


def test_a_war_is_truncated_at_its_limit() -> None:
    *_, last = decisions(0, limit=20)
    assert (last.over, last.decisions, last.ask) == (Status.TRUNCATED, 20, Ask.NOTHING)


def test_an_open_war_hides_nothing() -> None:
    for state in decisions(1, open=True, players=3):
        check_legions(state)
        assert state.ask != Ask.SHOW


def test_the_365_actions_are_frozen_with_their_numbers() -> None:
    assert len(ACTIONS) == 365
    assert ACTIONS.texts[: len(battle_actions.ACTIONS)] == battle_actions.ACTIONS.texts
    text = "".join(f"{number} {text}\n" for number, text in enumerate(ACTIONS.texts))
    if os.environ.get("TITAN_ENV_UPDATE_GOLDEN"):
        (GOLDEN / "actions.txt").write_text(text, "utf-8")
    assert (GOLDEN / "actions.txt").read_text("utf-8") == text


def test_questions_and_events_begin_with_those_of_a_battle() -> None:
    for mine, its in ((Ask, battle_state.Ask), (Event, battle_state.Event)):
        assert [one.name for one in list(mine)[: len(its)]] == [one.name for one in its]
        assert [int(one) for one in mine] == list(range(len(mine)))


def test_private_questions_come_at_random_times() -> None:
    asked = {int(state.ask) for seed in range(3) for state in decisions(seed, players=2)}
    assert asked & set(map(int, PRIVATE_ASKS))


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"players": 7}, "players: expected 2 to 6"),
        ({"goal": -1}, "goal: expected 0"),
        ({"towers": "opposite", "players": 3}, "towers: expected opposite ones for 2 players"),
        ({"towers": "near"}, "towers: expected one of random, opposite"),
        ({"mulligan": "never"}, "mulligan: expected one of once, 2 or 5"),
        ({"limit": 0}, "limit: expected 1"),
    ],
)
def test_what_cannot_be_played_is_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        GAME.rules.configure(**options)


def test_a_switch_that_is_no_switch_is_refused() -> None:
    with pytest.raises(TypeError, match="lean: expected True or False"):
        GAME.rules.configure(lean="yes")


def test_towers_are_drawn_all_different_and_may_be_opposite() -> None:
    for seed in range(20):
        state = next(decisions(seed, players=6))
        assert sorted(state.towers.tolist()) == [1, 2, 3, 4, 5, 6]
        state = next(decisions(seed, towers="opposite"))
        assert abs(int(state.towers[0]) - int(state.towers[1])) == 3
        assert state.seat == state.towers[:2].argmax(), "the highest tower plays first"
