"""The podium, an option: the other cars race on until all places are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.tiny_turbo_cars.table import LINE, Table, ended, turn
from titan_env import agents
from titan_env.contract import Status, payoff
from titan_env.contract.rewards import Reward
from titan_env.engine.batch import Batch
from titan_env.envs.aec import GameAEC
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.rules.state import UNDEALT, UNPLACED, Cause, Event

pytestmark = pytest.mark.thorough

GAMES = 8


def finish_all(table: Table) -> Table:
    """End the programming of everybody at once."""
    while table.asked[0] == "program":
        table.play("finish")
    return table


def test_a_car_past_the_line_wins_and_the_others_race_on() -> None:
    table = ended(["C12", "D43", "C20", "D12"], [1, 2, 3, 4], podium=True)
    assert table.state.over == Status.RUNNING
    assert table.state.won.tolist() == [0, 1, 0, 0, 0, 0]
    assert table.state.place.tolist() == [0, 1, 0, 0, 0, 0]
    assert table.events(Event.WON, Event.RANKED) == [(Event.WON, 1, 3, 0)]
    assert table.asked[0] == "program"


def test_cars_that_cross_in_one_round_take_their_places_in_their_order() -> None:
    table = ended(["C43", "D43", "C20", "D12"], [3, 2, 1, 4], podium=True)
    assert table.state.place.tolist() == [2, 1, 0, 0, 0, 0]
    assert table.events(Event.WON, Event.RANKED) == [(Event.RANKED, 0, 2, 0), (Event.WON, 1, 3, 0)]


def test_who_has_a_place_leaves_the_track_and_is_asked_no_more() -> None:
    table = ended(["C12", "D43", "C20", "D12"], [1, 2, 3, 4], podium=True)
    assert table.state.out.tolist() == [0, 1, 0, 0, 0, 0]
    left = table.state.drivers[1]
    assert (left.row, left.token, left.controller[0]) == (UNPLACED, 0, UNDEALT)
    asked = set()
    for _ in range(12):
        asked.add(table.asked[1])
        table.play("push:up" if "push:up" in table.legal() else "push:down")
    assert asked == {0, 2, 3}


def test_the_seat_after_one_that_is_out_is_asked_first_in_its_stead() -> None:
    table = ended(["C12", "D43", "C20", "D12"], [1, 2, 3, 4], podium=True)
    assert table.events(Event.ROUND)[-1][:2] == (Event.ROUND, 2)
    assert table.asked == ("program", 2)


def test_the_last_of_those_who_race_on_takes_the_last_token_and_pays_for_it() -> None:
    table = finish_all(ended(["C12", "D43", "C20", "D12"], [1, 2, 3, 4], podium=True))
    assert [event[1:] for event in table.events(Event.DONE)] == [(2, 1, 0), (3, 2, 0), (0, 4, 0)]
    while table.asked != ("drive", 0):
        table.play("shield:stop" if "shield:stop" in table.legal() else "drive")
    table.play("drive")
    assert (Event.DROVE, 0, 4, 0) in table.history
    assert (Event.SHIELDED, 0, 0, Cause.PENALTY) in table.history


def test_a_car_gains_no_shield_for_one_that_has_left() -> None:
    table = ended(["C12", "D43", "C20", "D13"], [1, 2, 3, 4], podium=True)
    assert table.state.drivers["shields"][:4].tolist() == [2, 0, 0, 1]


def test_a_missile_does_not_touch_a_car_that_has_left() -> None:
    table = turn("missile", on="A5", car="m1_lapin", others=["B43", "A7", "D1"])
    table.state.line, table.state.podium = LINE, 1
    table.state.out[1], table.state.place[1], table.state.won[1] = 1, 1, 1
    table.state.drivers["row"][1], table.state.drivers["lane"][1] = UNPLACED, 0
    table.state.drivers["token"][:4] = [1, 0, 2, 4]
    table.batch.refresh()
    table.play("drive")
    assert table.events(Event.HIT) == [(Event.HIT, 2, 0, 0)]


def test_with_a_single_car_left_all_places_are_known() -> None:
    table = ended(["C43", "D44", "C41", "D12"], [1, 2, 3, 4], podium=True)
    assert table.state.over == Status.TERMINATED
    assert table.state.place.tolist() == [2, 1, 3, 4, 0, 0]
    assert [event[1:3] for event in table.events(Event.RANKED)] == [(0, 2), (2, 3), (3, 4)]


def test_cars_that_cross_together_in_the_last_round_have_their_own_places() -> None:
    assert ended(["C43", "D44"], [1, 2], podium=True).state.place.tolist() == [2, 1, 0, 0, 0, 0]


def test_later_places_go_on_from_those_that_are_taken() -> None:
    table = finish_all(ended(["C12", "D43", "C20", "D12"], [1, 2, 3, 4], podium=True))
    table.state.drivers["row"][[0, 3]] = 50
    while table.asked[0] != "program" and not table.state.over:
        table.play("shield:stop" if "shield:stop" in table.legal() else table.legal()[0])
    places = table.state.place.tolist()
    assert places[1] == 1
    assert sorted(places[:4]) == [1, 2, 3, 4]
    assert places[2] == 4


def test_rounds_that_are_over_stop_a_race_for_the_podium_and_leave_places_that_are_taken() -> None:
    table = turn("", on="C12", others=["D43", "C20", "D12"])
    table.state.line, table.state.podium, table.state.round_limit = LINE, 1, 1
    table.state.drivers["token"][:4] = [4, 1, 2, 3]
    table.batch.refresh()
    table.play("drive")
    assert table.state.over == Status.TRUNCATED
    assert table.state.place.tolist() == [0, 1, 0, 0, 0, 0]


def test_a_place_is_paid_when_it_is_taken_and_a_defeat_when_somebody_wins() -> None:
    state: Any = ended(["C12", "D43", "C20", "D12"], [1, 2, 3, 4], podium=True).state
    assert [payoff(state, seat, int(Reward.RANK)) for seat in range(4)] == [0.0, 1.0, 0.0, 0.0]
    assert [payoff(state, seat, int(Reward.WIN)) for seat in range(4)] == pytest.approx([-1 / 3, 1, -1 / 3, -1 / 3])


def test_stalling_until_the_last_round_lets_nobody_off() -> None:
    batch = Batch(GAME, 40, players=3, podium=True, cars="random", boards="generated", round_limit=7)
    batch.seed(6_400_000)
    batch.start()
    while not batch.over.all():
        batch.step(batch.sample())
    states = batch.states
    won = states["won"].any(axis=1)
    assert np.any(won & (states["over"] == Status.TRUNCATED))
    assert batch.payoffs("win")[won].sum(axis=1) == pytest.approx(0, abs=1e-6)
    assert (batch.payoffs("win")[won].min(axis=1) < 0).all()
    assert batch.payoffs("rank").sum(axis=1) == pytest.approx(0, abs=1e-6)


def test_a_seat_that_is_out_is_seen_as_an_empty_one() -> None:
    table = ended(["C12", "D43", "C20", "D12"], [1, 2, 3, 4], podium=True)
    seen = GAME.rules.fields.split(table.batch.observe([2])[0])
    assert seen["seated"].tolist() == [1, 1, 1, 0]  # seats 2, 3, 0, 1
    assert not any(np.any(seen[name][3]) for name in ("car", "lane", "batteries", "token"))
    own = GAME.rules.fields.split(table.batch.observe([1])[0])
    assert (own["slides_left"].item(), own["countdown"].item()) == (0, 0), "it programs no more"


def test_who_is_out_is_done_with_in_pettingzoo() -> None:
    env = GameAEC("tiny_turbo_cars", podium=True, length=1, players=3)
    env.reset(seed=4)
    rng = np.random.default_rng(4)
    gone: list[str] = []
    for agent in env.agent_iter():
        seen, _reward, terminated, truncated, _info = env.last()
        if terminated or truncated:
            gone.append(agent)
            env.step(None)
        else:
            env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    assert sorted(gone) == ["player_0", "player_1", "player_2"]


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["greedy", "expert:depth=2,beam=4", "afterstate@tiny_turbo_cars-v2"])
def test_agents_race_to_the_last_place(name: str) -> None:
    """Agents that lay the track anew from what they see do so with seats that are out: two beside two at random."""
    batch = Batch(GAME, GAMES, podium=True, length=1, round_limit=None)
    batch.seed(1)
    batch.start()
    act, rng = agents.load(name, GAME), np.random.default_rng(1)
    while not batch.over.all():
        actions = np.maximum(batch.sample(), 0)
        rows = np.flatnonzero(~batch.over & (batch.states["seat"] % 2 == 0))
        if len(rows):
            actions[rows] = act(batch.observations[rows], batch.masks[rows], rng)
        batch.step(actions)
    assert (np.sort(batch.states["place"][:, :4], axis=1) == [1, 2, 3, 4]).all()
    assert batch.states["out"].any()


OUT = """
boards: driveway kitchen garden
ask: drive
seat: 0
podium: 1
won: 0 0 1 0 0 0
place: 0 0 1 0 0 0
out: 0 0 1 0 0 0
seat 0: dogtor C13 batteries=2 token=1
  | F1 F2 F1 B1
  | L1 .. R1 L2
  | R2 JU MI TU
  | BA ++ -- 00
seat 1: turbobot D1 batteries=3 token=3
  | F1 F2 F1 B1
  | L1 R1 .. L2
  | R2 JU MI TU
  | BA ++ -- 00
seat 2: sonic_fish none batteries=3
"""


def test_a_position_in_which_a_seat_is_out_may_be_played_on() -> None:
    states = GAME.text.parse_position(OUT)
    GAME.text.validate_position(states[0])
    assert GAME.text.parse_position(GAME.text.position_text(states[0])).tobytes() == states.tobytes()
    assert Table(states).play("drive").asked == ("drive", 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("podium: 1\n", ""), "expected won 0, got 1"),
        (("out: 0 0 1", "out: 0 1 1"), "the first places for the seats that are out"),
        (("place: 0 0 1", "place: 0 0 2"), "the first places for the seats that are out"),
        (("won: 0 0 1", "won: 1 0 0"), "the seat with place 1 to have won"),
        (("sonic_fish none", "sonic_fish C3"), "Sonic Fish, who has left the track, to have no cell"),
        (("token=3", "token=2"), "the first tokens, each once"),
    ],
)
def test_a_podium_that_cannot_be_is_refused(change: tuple[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.text.validate_position(GAME.text.parse_position(OUT.replace(*change, 1))[0])


def test_the_position_in_words_tells_who_has_left() -> None:
    assert GAME.text.describe_position is not None
    text = GAME.text.describe_position(GAME.text.parse_position(OUT)[0], 0)
    assert "Sonic Fish, player 3, has left the track with place 1." in text
