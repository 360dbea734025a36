"""Variants: two players with two Titans each, teams, Grand Slam; and the options that choose them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.titan_race.table import Table, plain
from titan_env.engine.batch import Batch
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.actions import CARDS
from titan_env.games.titan_race.rules.circuits import TERRAINS, circuit_drawing
from titan_env.games.titan_race.rules.setup import BALANCED, TITAN_NAMES
from titan_env.games.titan_race.rules.start import GAUGE
from titan_env.games.titan_race.rules.state import ASIDE, CIRCUIT_NAMES, DECK, Event
from titan_env.play.determinization import Determinizations


def started(seed: int = 0, **options: Any) -> Any:
    """A race that has been set up."""
    batch = Batch(GAME, 1, **options)
    batch.seed(seed)
    batch.start()
    return batch.states[0]


def slam(**pieces: str) -> str:
    """Three plain boards end to end; rows 13 to 24 are the second, 25 to 36 the third."""
    lines = []
    for row in range(36, 0, -1):
        cells = ["." + pieces.get(f"{column}{row}", "") for column in ("ACE" if row % 2 else "BDF")]
        lines.append(f"{row} {' '.join(cells)}")
    return "\n".join(lines) + "\n"


YELLOW = "face: yellow\naction: yellow\nask: turn\npool: red\n"
RED = "face: red\naction: red\nask: turn\npool: red\n"


# Two players


def test_two_players_have_two_titans_each_who_play_in_turn() -> None:
    state = started(variant="two_players", titans=["rassik", "grinder", "slaugg", "craken"])
    assert (state.seats, state.titans_in_race) == (2, 4)
    assert state.titans["seat"][:4].tolist() == [0, 1, 0, 1]


def test_two_players_have_four_dice_and_one_card_each() -> None:
    state = started(variant="two_players")
    assert state.pool.sum() == 4
    assert [(state.cards == seat).sum() for seat in range(2)] == [1, 1]


def test_the_first_own_titan_home_wins_for_its_player() -> None:
    titans = "rassik: seat=0 side=0 lap=3\ngrinder: seat=1 side=1\nslaugg: seat=0 side=0\ncraken: seat=1 side=1\n"
    board = plain(A11="Ra", A1="Gr", C1="Sl", E1="Cr")
    table = Table(f"{board}{titans}seats: 2\nsides: 2\n{YELLOW}").play("move:SS")
    assert table.state.won.tolist() == [1, 0, 0, 0, 0, 0]


def test_an_own_titan_may_be_pushed_and_loses_a_life() -> None:
    titans = "rassik: seat=0 side=0\ngrinder: seat=1 side=1\nslaugg: seat=0 side=0\ncraken: seat=1 side=1\n"
    board = plain(A1="Ra", A3="Sl", C1="Gr", E1="Cr")
    table = Table(f"{board}{titans}seats: 2\nsides: 2\n{YELLOW}").play("move:SS")
    assert (table.at("slaugg"), table.titan("slaugg").life) == ("A7", 3)


# Teams


@pytest.mark.parametrize(("variant", "sides"), [("2v2", [0, 1, 0, 1]), ("2v2v2", [0, 1, 2] * 2), ("3v3", [0, 1] * 3)])
def test_seats_of_a_team_alternate(variant: str, sides: list[int]) -> None:
    state = started(variant=variant)
    assert state.titans["side"][: len(sides)].tolist() == sides


def test_a_titan_that_finishes_wins_for_its_team() -> None:
    titans = "rassik: side=0 lap=3\ngrinder: side=1\nslaugg: side=0\ncraken: side=1\n"
    board = plain(A11="Ra", A1="Gr", C1="Sl", E1="Cr")
    table = Table(f"{board}{titans}sides: 2\n{YELLOW}").play("move:SS")
    assert table.state.won.tolist() == [1, 0, 1, 0, 0, 0]


# Grand Slam


def test_a_titan_that_leaves_a_board_at_its_top_goes_on_on_the_next_one() -> None:
    table = Table(slam(B12="Ra", A1="Gr") + f"rassik:\ngrinder:\n{YELLOW}").play("move:SS")
    assert (table.at("rassik"), table.titan("rassik").lap) == ("2:B4", 2)


def test_the_sides_wrap_within_a_board() -> None:
    text = "rassik:\ngrinder:\nface: brown\naction: brown\nask: turn\npool: red\n"
    assert Table(slam(A13="Ra", A1="Gr") + text).play("move:LLL").at("rassik") == "2:D4"


def test_the_zone_before_row_12_of_one_board_is_row_1_of_the_next() -> None:
    table = Table(slam(B12="Sl", A13="Gr", B2="Ra") + f"slaugg:\ngrinder:\nrassik:\n{YELLOW}").play("ability")
    assert [table.titan(name).life for name in ("grinder", "rassik")] == [3, 4]


def test_leaving_the_top_of_the_third_board_wins() -> None:
    table = Table(slam(B36="Ra", A1="Gr") + f"rassik: lap=3\ngrinder:\n{RED}").play("move:S")
    assert table.state.won.tolist()[:2] == [1, 0]


def test_the_winner_of_a_grand_slam_is_shown_where_it_stood_last() -> None:
    board = slam(B36="Ra", A1="Gr")
    table = Table(f"{board}rassik: lap=3 progress=35\ngrinder:\n{RED}").play("move:S")
    rassik = table.titan("rassik")
    assert (table.at("rassik"), rassik.lap, rassik.progress) == ("3:B12", 4, 36)


def test_nobody_is_moved_below_the_first_row_of_the_first_board() -> None:
    board = slam(C3="Ra", C1="Gr", A35="Sl")
    table = Table(f"{board}rassik:\ngrinder:\nslaugg:\n{YELLOW}hand 0: retreat\n").play("play:retreat", "aim:B")
    assert (table.at("grinder"), table.titan("grinder").life) == ("C1", 3)
    assert (table.at("rassik"), table.titan("rassik").life) == ("C3", 4)
    assert len(table.events(Event.STOPPED)) == 2


def test_a_choice_to_go_below_the_first_row_is_not_offered() -> None:
    table = Table(slam(C1="Rg", D2="Gr") + f"ragnarok:\ngrinder:\n{YELLOW}hand 0: retreat\n")
    assert table.may("play") == []
    table.play("ability:FR")
    assert table.may("shove") == ["F", "FL", "FR", "BL", "BR"]


def test_a_grand_slam_draws_three_different_circuits() -> None:
    for seed in range(20):
        assert len(set(started(seed, grand_slam=True).circuit.tolist())) == 3


def test_a_grand_slam_may_be_over_any_three_circuits() -> None:
    state = started(circuit=["estenguard", "kaldheira", "kaldheira"])
    order = [CIRCUIT_NAMES.index(name) for name in ("estenguard", "kaldheira", "kaldheira")]
    assert np.array_equal(state.terrain.reshape(3, 36), TERRAINS[order])


# Options


def test_circuits_and_titans_that_nobody_chose_are_drawn() -> None:
    states = [started(seed, titans=3) for seed in range(60)]
    assert {int(state.circuit[0]) for state in states} == set(range(6))
    assert {int(kind) for state in states for kind in state.titans["kind"][:3]} == set(range(6))
    assert all(len(set(state.titans["kind"][:3].tolist())) == 3 for state in states)


def test_an_own_circuit_is_raced_as_it_is_drawn() -> None:
    drawing = circuit_drawing("ban_kog")
    assert np.array_equal(started(circuit=drawing).terrain[:36], TERRAINS[CIRCUIT_NAMES.index("ban_kog")])


def test_life_maxima_are_set_for_all_or_by_titan() -> None:
    assert started(titans=["rassik", "chtooloo"], life=8).titans["life"][:2].tolist() == [8, 4]
    state = started(titans=["rassik", "chtooloo"], life={"rassik": 2})
    assert state.titans["life_max"][:2].tolist() == [2, 6]


@pytest.mark.parametrize("life", ["balanced", {"rassik": 2, "grinder": 7}])
def test_life_maxima_by_titan_hold_also_where_titans_are_drawn(life: Any) -> None:
    table = BALANCED if life == "balanced" else {**dict(zip(TITAN_NAMES, GAUGE, strict=True)), **life}
    for seed in range(5):
        drawn = started(seed, titans=4, life=life).titans[:4]
        assert drawn["life_max"].tolist() == [table[TITAN_NAMES[kind]] for kind in drawn["kind"]]
        assert (drawn["life_start"] <= drawn["life_max"]).all()


def test_only_the_cards_of_the_chosen_deck_are_in_the_race() -> None:
    deck = {"wings", "gust", "shield", "thorns", "retreat"}
    state = started(titans=4, deck=deck)
    assert ((state.cards >= 0).sum(), (state.cards == DECK).sum(), (state.cards == ASIDE).sum()) == (4, 1, 8)
    assert {CARDS[card] for card in np.flatnonzero(state.cards != ASIDE)} == deck


def test_a_deck_that_is_too_small_leaves_the_last_players_without_a_card() -> None:
    state = started(titans=6, deck=["wings", "gust"])
    assert [(state.cards == seat).sum() for seat in range(6)] == [1, 1, 0, 0, 0, 0]


def test_a_race_may_go_without_cards() -> None:
    table = Table(plain(A1="Gr", A5="*", C1="Ra") + f"grinder:\nrassik:\n{YELLOW}aside: {' '.join(CARDS)}\n")
    assert table.play("move:SS").hand(0) == []
    assert all((started(deck=none).cards == ASIDE).all() for none in (None, []))


def test_all_cards_by_name_are_the_usual_deck() -> None:
    assert started(5, titans=4, deck=CARDS).tobytes() == started(5, titans=4).tobytes()
    for deck in (("gust", "wings"), {"gust", "wings"}, np.array(["gust", "wings"])):
        assert started(5, titans=4, deck="wings,gust").tobytes() == started(5, titans=4, deck=deck).tobytes()


def test_a_deck_is_a_collection_that_can_be_read_again_for_every_race() -> None:
    with pytest.raises(TypeError, match="deck: expected `all`, None or a list of names"):
        started(deck=iter(["gust", "wings"]))
    assert started(5, deck="wings, gust").tobytes() == started(5, deck=["wings", "gust"]).tobytes()


def test_nobody_imagines_a_card_that_is_out_of_the_race() -> None:
    batch = Batch(GAME, 1, titans=6, deck=["wings", "gust", "shield"])
    batch.seed(0)
    batch.start()
    worlds = Determinizations(GAME, batch.states, np.random.default_rng(0)).imagine(50, np.random.default_rng(1))
    out = batch.states[0].cards == ASIDE
    assert (worlds.states.cards[:, out] == ASIDE).all()
    assert (worlds.states.cards[:, ~out] >= 0).all()
    assert len(np.unique(worlds.states.cards, axis=0)) > 1


def test_titans_may_be_named_in_any_kind_of_sequence() -> None:
    for names in (["rassik", "craken"], ("rassik", "craken"), np.array(["rassik", "craken"])):
        assert started(titans=names).titans["kind"][:2].tolist() == [0, 2]
    assert started(titans=np.int64(3)).titans_in_race == 3


def test_fewer_laps_make_a_shorter_race() -> None:
    assert started(laps=1).laps == 1


def test_a_turn_limit_truncates_the_race() -> None:
    batch = Batch(GAME, 1, titans=2, turn_limit=3)
    batch.seed(0)
    batch.start()
    while batch.states["over"][0] == 0:
        batch.step(batch.sample())
    assert batch.states["over"][0] == 2
    assert not batch.payoffs().any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"titans": ["godzilla", "rassik"]}, "titans: expected one of rassik, .*got 'godzilla'"),
        ({"titans": ["rassik", "rassik"]}, "expected each Titan once"),
        ({"titans": ["rassik"]}, "expected 2 to 6 Titans, got 1"),
        ({"titans": 7}, "titans: expected 2 to 6, got 7"),
        ({"titans": "rassik"}, "titans: expected a list of names, a number or `choose`, got 'rassik'"),
        ({"titans": {"rassik", "craken"}}, "titans: expected a list of names, a number or `choose`, got {"),
        ({"titans": 2.5}, "titans: expected a whole number"),
        ({"circuit": "monza"}, "circuit: expected one of kaldheira, .*got 'monza'"),
        ({"circuit": ["kaldheira", "kaldheira"]}, "or 3 for a Grand Slam"),
        ({"circuit": "kaldheira", "grand_slam": True}, "or three for a Grand Slam"),
        ({"circuit": ["choose", "random", "random"]}, "circuit: expected one of kaldheira, .*got 'choose'"),
        ({"circuit": "generated:9-3"}, "circuit: expected `generated`, or with a number from 0 to 31999 or a range"),
        ({"titans": "choose", "players": 7}, "players: expected 2 to 6, got 7"),
        ({"titans": "choose", "variant": "2v2", "players": 3}, "players: expected 4 with these options, got 3"),
        ({"first_turn": "none"}, "first_turn: expected one of own, all, got 'none'"),
        ({"grand_slam": 1}, "grand_slam: expected True or False"),
        ({"variant": "solo"}, "variant: expected one of race, .*got 'solo'"),
        ({"variant": "2v2", "titans": 3}, "expected 4 Titans for the variant '2v2', got 3"),
        ({"deck": ["wings", "joker"]}, "deck: expected one of surprise_trap, .*got 'joker'"),
        ({"deck": ["wings", "wings"]}, "deck: expected each card once"),
        ({"deck": 5}, "deck: expected `all`, None or a list of names, got 5"),
        ({"laps": "x", "grand_slam": True}, "laps: expected a whole number, got 'x'"),
        ({"laps": 1, "grand_slam": True}, "laps: expected 3 in a Grand Slam, one on each circuit, got 1"),
        ({"laps": 0}, "laps: expected 1 to 100, got 0"),
        ({"laps": True}, "laps: expected a whole number"),
        ({"life": {"rassik": 3}, "titans": ["craken", "slaugg"]}, "named in `titans`, got rassik"),
        ({"life": 0}, "life: expected 1 to 100, got 0"),
        ({"turn_limit": -1}, "turn_limit: expected 1 to 30000, got -1"),
    ],
)
def test_an_option_that_cannot_be_raced_is_refused_by_name(options: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        GAME.rules.configure(**options)
