"""Cards: the 13 bonus cards, hands and reactions."""

from __future__ import annotations

import pytest

from tests.titan_race.table import Table, plain
from titan_env.games.titan_race.rules.actions import CARDS
from titan_env.games.titan_race.rules.state import DISCARD, Event

TURN = "face: yellow\naction: yellow\nask: turn\npool: red\n"
"""Grinder has taken a yellow die and has not begun its action."""


def own_turn(*cards: str, titans: str = "grinder:\nrassik:", **pieces: str) -> Table:
    """The first Titan's free moment, with these cards in its hand."""
    return Table(plain(**pieces) + f"{titans}\n{TURN}hand 0: {' '.join(cards)}\n")


# Hands


def test_one_card_is_dealt_to_each_player() -> None:
    from titan_env.engine.batch import Batch
    from titan_env.games.titan_race import GAME

    batch = Batch(GAME, 20, titans=6)
    batch.seed(0)
    batch.start()
    for seat in range(6):
        assert ((batch.states["cards"] == seat).sum(axis=1) == 1).all()


def test_only_one_card_is_played_in_a_turn() -> None:
    table = own_turn("healing_potion", "wings", A1="Gr", C1="Ra", titans="grinder: life=1\nrassik:")
    table.play("play:healing_potion")
    assert table.may("play") == table.may("discard") == []


def test_throwing_a_card_away_counts_as_the_card_played() -> None:
    table = own_turn("healing_potion", "wings", A1="Gr", C1="Ra").play("discard:wings")
    assert table.may("play") == table.may("discard") == []
    assert table.hand(DISCARD) == ["wings"]


def test_a_card_drawn_in_this_turn_may_be_played_in_it() -> None:
    table = Table(plain(A1="Gr", A5="*", C1="Ra") + f"grinder:\nrassik:\n{TURN}")
    drawn = CARDS.index("wings")
    table.play("move:SS", rolls=[drawn])
    assert table.hand(0) == ["wings"]
    assert "wings" in table.may("play")


def test_a_card_that_would_do_nothing_may_only_be_thrown_away() -> None:
    table = own_turn("healing_potion", "explosion", A1="Gr", C7="Ra")
    assert table.may("play") == []
    assert table.may("discard") == ["explosion", "healing_potion"]


def test_reaction_cards_are_not_played_in_the_free_moment_of_a_turn() -> None:
    assert own_turn("shield", "thorns", A1="Gr", C7="Ra").may("play") == []


def test_why_a_card_may_not_be_played_says_what_it_does() -> None:
    table = own_turn("healing_potion", "shield", A1="Gr", C7="Ra")
    message = "A card is not played for nothing. Healing potion: +2 life, not above the gauge."
    assert table.why_not("play:healing_potion") == message
    assert table.why_not("play:shield") == "The shield is a reaction: you are about to lose life."


def test_a_card_being_played_lies_on_the_discard_pile_already_and_may_be_drawn_again() -> None:
    others = " ".join(card for card in CARDS if card != "speed_potion")
    table = own_turn("speed_potion", C5="Gr", C7="*", C1="Ra", titans=f"grinder:\nrassik:\naside: {others}")
    assert table.play("play:speed_potion", "aim:F").hand(0) == ["speed_potion"]


# Cards of one's own turn


def test_surprise_trap_is_set_on_any_adjacent_space() -> None:
    table = own_turn("surprise_trap", C5="Gr", D6="x", C1="Ra").play("play:surprise_trap")
    assert table.may("aim") == ["F", "FL", "B", "BL", "BR"]  # a trap lies on D6 already
    assert table.play("aim:BL").traps() == ["B4", "D6"]


def test_speed_potion_moves_one_space_forward() -> None:
    table = own_turn("speed_potion", C5="Gr", C1="Ra").play("play:speed_potion")
    assert table.may("aim") == ["F", "FL", "FR"]
    assert table.play("aim:FL").at("grinder") == "B6"


def test_retreat_moves_one_space_backward() -> None:
    table = own_turn("retreat", C5="Gr", C1="Ra").play("play:retreat")
    assert table.may("aim") == ["B", "BL", "BR"]
    assert table.play("aim:BR").at("grinder") == "D4"


def test_retreat_over_the_line_loses_a_lap_even_below_one() -> None:
    table = own_turn("retreat", A1="Gr", C7="Ra").play("play:retreat", "aim:B")
    assert (table.at("grinder"), table.titan("grinder").lap) == ("A11", 0)


def test_wings_fly_over_the_first_of_two_spaces() -> None:
    table = own_turn("wings", C1="Gr", C3="~Ra", C5="Sl", titans="grinder:\nrassik:\nslaugg:").play("play:wings")
    assert table.at("grinder") == "C5"
    assert (table.at("rassik"), table.titan("rassik").life) == ("C3", 4)
    assert (table.at("slaugg"), table.titan("slaugg").life) == ("C7", 3)


def test_wings_from_a_multi_ramp_take_the_ramp_too() -> None:
    assert own_turn("wings", C3="^Gr", C1="Ra").play("play:wings").at("grinder") == "C9"


def test_explosion_damages_the_six_adjacent_spaces_traps_too() -> None:
    table = own_turn("explosion", C5="Gr", D6="Ra", B4="x", C9="Sl", titans="grinder:\nrassik:\nslaugg:")
    table.play("play:explosion")
    assert [table.titan(name).life for name in ("grinder", "rassik", "slaugg")] == [4, 3, 4]
    assert table.traps() == []


def test_fireball_hits_one_space_before_a_titan_or_a_trap() -> None:
    table = own_turn("fireball", C5="Gr", D6="Ra", C7="x", B4="Sl", titans="grinder:\nrassik:\nslaugg:")
    table.play("play:fireball")
    assert table.may("aim") == ["F", "FR"]
    assert table.play("aim:FR").titan("rassik").life == 3


def test_lightning_hits_the_living_titan_furthest_ahead_of_all_others() -> None:
    titans = "grinder: lap=3\nrassik: lap=2\nslaugg: lap=2\ncraken: lap=3 life=0 condition=knocked_out"
    table = own_turn("lightning", A1="Gr", A9="Ra", A7="Sl", A11="Cr", titans=titans).play("play:lightning")
    assert [table.titan(name).life for name in ("grinder", "rassik", "slaugg")] == [4, 3, 4]


def test_lightning_strikes_the_first_in_turn_order_of_those_in_the_same_row() -> None:
    table = own_turn("lightning", A1="Gr", A9="Ra", C9="Sl", titans="grinder:\nslaugg:\nrassik:").play("play:lightning")
    assert [table.titan(name).life for name in ("slaugg", "rassik")] == [3, 4]


def test_mimic_uses_the_ability_of_an_adjacent_titan_and_counts_as_the_card() -> None:
    table = own_turn("mimic", "wings", C5="Gr", D6="Ch", titans="grinder: life=2\nchtooloo: life=3").play("play:mimic")
    assert table.may("aim") == ["FR"]
    table.play("aim:FR")
    assert table.asked == ("ability", "grinder")
    table.play("ability:FR")
    assert (table.titan("grinder").life, table.titan("chtooloo").life) == (3, 2)
    assert table.may("play") == []
    assert table.may("ability") != []  # the own ability has not been used


def test_mimic_of_ragnarok_asks_which_way() -> None:
    table = own_turn("mimic", C5="Gr", D6="Rg", titans="grinder:\nragnarok:").play("play:mimic", "aim:FR", "ability:FR")
    assert table.asked == ("shove", "grinder")
    assert table.play("shove:F").at("ragnarok") == "D8"


def test_healing_potion_gives_two_lives_not_above_the_gauge() -> None:
    for before, after in ((1, 3), (3, 4)):
        table = own_turn("healing_potion", C5="Gr", C1="Ra", titans=f"grinder: life={before}\nrassik:")
        assert table.play("play:healing_potion").titan("grinder").life == after


def test_gust_shoves_an_adjacent_titan_straight_away_without_harm() -> None:
    table = own_turn("gust", C5="Gr", B4="Ra", titans="grinder:\nrassik:").play("play:gust", "aim:BL")
    assert (table.at("rassik"), table.titan("rassik").life) == ("A3", 4)


def test_hourglass_bars_ability_and_card_in_the_next_turn() -> None:
    table = own_turn("hourglass", C5="Gr", D6="Sl", F8="Ra", titans="grinder:\nslaugg:\nrassik:\nhand 1: wings")
    table.play("play:hourglass", "aim:FR", "move:SS", "ability:F", rolls=[0, 0, 0])
    table.play("draft:yellow")
    assert table.legal() == ["move:SS"]
    assert table.why_not("play:wings") == "The hourglass forbids ability and cards in this turn."
    assert not table.titan("slaugg").barred


# Reactions


def test_a_shield_saves_the_life_that_is_about_to_be_lost() -> None:
    table = Table(plain(A1="Gr", A3="Ra") + f"grinder:\nrassik: life=2\n{TURN}hand 1: shield\n").play("move:SS")
    assert table.asked == ("shield", "rassik")
    assert table.legal() == ["play:shield", "pass"]
    table.play("play:shield")
    assert table.titan("rassik").life == 2
    assert table.hand(DISCARD) == ["shield"]


def test_a_shield_may_be_kept_and_asked_for_again() -> None:
    table = Table(plain(A1="Gr", A3="Ra", A5="~") + f"grinder:\nrassik: life=4\n{TURN}hand 1: shield\n")
    table.play("move:SS", "pass", "pass")
    assert table.titan("rassik").life == 2  # the lava, and the push
    assert table.hand(1) == ["shield"]


def test_a_shield_played_in_the_own_turn_is_that_turns_one_card() -> None:
    board = plain(A1="Gr", A3="~", C1="Ra")
    table = Table(board + f"grinder:\nrassik:\n{TURN}hand 0: shield wings\n").play("move:SS", "play:shield")
    assert table.titan("grinder").life == 4
    assert table.may("play") == table.may("discard") == []


@pytest.mark.parametrize("card", ["play:wings", "discard:wings"])
def test_after_another_card_of_the_own_turn_the_shield_is_not_offered(card: str) -> None:
    board = plain(A1="Gr", A5="*", A7="~", A3="~", C1="Ra")
    table = Table(board + f"grinder:\nrassik:\n{TURN}hand 0: shield wings\n").play(card).play("move:SS")
    assert table.asked[0] != "shield"
    assert table.titan("grinder").life == 3


def test_passing_and_giving_a_card_to_the_pirates_are_not_the_turns_card() -> None:
    board = plain(A1="Gr", A3="~", A5="!", C1="Ra")
    table = Table(board + f"grinder:\nrassik:\n{TURN}hand 0: shield wings\n")
    table.play("move:SS", "pass", "discard:shield")
    assert table.may("play") == ["wings"]


def test_a_shield_against_chtooloos_drain_gives_him_nothing() -> None:
    text = f"chtooloo: life=3\nrassik:\n{TURN}hand 1: shield\n"
    table = Table(plain(A1="Ch", A3="Ra") + text).play("ability:F", "play:shield")
    assert (table.titan("chtooloo").life, table.titan("rassik").life) == (3, 4)


def test_thorns_harm_the_titan_whose_movement_pushes() -> None:
    table = Table(plain(A1="Gr", A3="Ra") + f"grinder:\nrassik:\n{TURN}hand 1: thorns\n").play("move:SS")
    assert table.asked == ("thorns", "rassik")
    table.play("play:thorns")
    assert (table.titan("grinder").life, table.titan("rassik").life) == (3, 3)
    assert table.at("grinder") == "A5"


def test_thorns_are_asked_once_in_a_movement() -> None:
    table = Table(plain(A1="Gr", A3="Ra") + f"grinder:\nrassik:\n{TURN}hand 1: thorns\n").play("move:SS", "pass")
    assert table.asked[0] != "thorns"
    assert table.at("rassik") == "A7"


def test_who_is_knocked_out_by_thorns_stops_where_it_lost_its_last_life_and_the_push_is_carried_out() -> None:
    table = Table(plain(A1="Gr", A3="Ra") + f"grinder: life=1\nrassik:\n{TURN}hand 1: thorns\n")
    table.play("move:SS", "play:thorns", rolls=[0, 0])
    assert (table.at("grinder"), table.at("rassik")) == ("A1", "A5")
    assert table.asked == ("draft", "rassik")


def test_who_is_knocked_out_by_thorns_on_a_ramp_does_not_jump() -> None:
    table = Table(plain(C3="^Gr", C7="Ra") + f"grinder: life=1\nrassik:\n{TURN}hand 1: thorns\n")
    table.play("move:SS", "play:thorns", rolls=[0, 0])
    assert (table.at("grinder"), table.at("rassik"), table.events(Event.JUMPED)) == ("C3", "C9", [])


def test_who_is_knocked_out_while_it_slides_and_pushes_lies_on_the_ice() -> None:
    table = Table(plain(C1="Gr", C3="#", C5="Ra") + f"grinder: life=1\nrassik:\n{TURN}hand 1: thorns\n")
    table.play("move:SS", "play:thorns", rolls=[0, 0])
    assert (table.at("grinder"), table.at("rassik")) == ("C3", "C7")


def test_only_if_somebody_was_pushed_on_to_its_space_does_a_knocked_out_mover_enter_after_all() -> None:
    board = plain(A1="Gr", A3="Ra", A5="Sl", A7="Cr", A9="Ch", A11="Rg")
    titans = "grinder: life=1\nrassik:\nslaugg:\ncraken:\nchtooloo:\nragnarok:\n"
    table = Table(board + f"{titans}{TURN}hand 1: thorns\n").play("move:SS", "play:thorns", rolls=[0] * 6)
    assert (table.at("ragnarok"), table.at("grinder"), table.titan("grinder").life) == ("A1", "A3", 0)


def test_who_is_knocked_out_by_thorns_at_the_line_does_not_cross_it() -> None:
    table = Table(plain(A11="Gr", A1="Ra") + f"grinder: life=1 lap=3\nrassik:\n{TURN}hand 1: thorns\n")
    table.play("move:SS", "play:thorns", rolls=[0, 0])
    assert (table.at("grinder"), table.titan("grinder").lap, table.state.over) == ("A11", 3, 0)


def test_who_is_knocked_out_by_a_statue_while_it_pushes_stops_there() -> None:
    # Rassik slides on to the statue behind Grinder.
    board = plain(A1="Gr", A3="Ra", A5="#", A7="#", A9="#", A11="S")
    table = Table(board + f"grinder: life=1\nrassik:\n{TURN}").play("move:SS", rolls=[0, 0])
    assert (table.at("grinder"), table.titan("grinder").life, table.at("rassik")) == ("A1", 0, "A11")


def test_a_knocked_out_titan_does_not_react() -> None:
    board = plain(A1="Gr", A3="Ra")
    table = Table(board + f"grinder:\nrassik: life=1\n{TURN}hand 1: thorns\n").play("move:SS", rolls=[0, 0])
    assert table.titan("rassik").life == 0
    assert table.events(Event.CARD) == []
    assert table.asked[0] != "thorns"


def test_the_hourglass_bars_reactions_in_the_barred_turn() -> None:
    table = Table(plain(A1="Gr", A3="~", C1="Ra") + f"grinder:\nrassik:\n{TURN}barred: 1\nhand 0: shield\n")
    table.play("move:SS", rolls=[0, 0])
    assert table.titan("grinder").life == 3


@pytest.mark.parametrize("card", CARDS)
def test_a_played_card_goes_to_the_discard_pile(card: str) -> None:
    titans = "grinder: life=2\nrassik: life=2\nslaugg:"
    table = own_turn(card, C5="Gr", C7="Ra", C3="Sl", titans=titans)
    verb = "discard" if card in ("shield", "thorns") else "play"
    table.play(f"{verb}:{card}")
    assert table.hand(DISCARD) == [card]
