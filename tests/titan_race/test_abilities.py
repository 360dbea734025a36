"""Abilities: those of the six Titans."""

from __future__ import annotations

import pytest

from tests.titan_race.table import Table, plain
from tests.titan_race.test_dice import turn
from titan_env.games.titan_race.rules.state import Event

OUT = "life=0 condition=knocked_out"


# When they serve


def test_an_ability_serves_once_in_a_turn() -> None:
    table = Table(plain(C5="Gr", C1="Ra") + "grinder:\nrassik:\n" + turn("yellow")).play("ability:F")
    assert table.may("ability") == []
    assert table.why_not("ability:B") == "An ability serves once per turn."


def test_an_ability_serves_before_or_after_the_die_action_but_never_during_it() -> None:
    table = Table(plain(C5="Gr", C1="Ra") + "grinder:\nrassik:\n" + turn("red"))
    assert table.may("ability") != []
    assert table.play("move:S").may("ability") == []  # red's trap is still due
    assert table.play("trap:B").may("ability") != []


def test_an_ability_that_would_do_nothing_may_not_be_used() -> None:
    for letters, name in (("Ra", "rassik"), ("Rg", "ragnarok"), ("Cr", "craken"), ("Sl", "slaugg"), ("Ch", "chtooloo")):
        table = Table(plain(C5=letters, E11="Gr") + f"{name}: life=3\ngrinder:\n" + turn("yellow"))
        assert [text for text in table.legal() if text.startswith("ability")] == []


# Rassik


@pytest.mark.parametrize("state", ["life=4", OUT])
@pytest.mark.parametrize(("way", "end"), [("F", "C7"), ("FL", "B6"), ("FR", "D6")])
def test_rassik_kicks_off_a_titan_behind_him_unharmed_and_moves_forward(state: str, way: str, end: str) -> None:
    table = Table(plain(C5="Ra", B4="Gr") + f"rassik:\ngrinder: {state}\n" + turn("yellow")).play(f"ability:{way}")
    assert table.at("rassik") == end
    assert table.events(Event.LOSS) == []


def test_rassiks_kick_is_an_ordinary_movement_of_his_own() -> None:
    board = plain(C5="^Ra", C3="Gr", C9="Sl")
    table = Table(board + "rassik:\ngrinder:\nslaugg:\n" + turn("yellow")).play("ability:F")
    assert (table.at("rassik"), table.at("slaugg"), table.titan("slaugg").life) == ("C9", "C11", 3)


def test_a_kick_may_reach_the_pentacle_as_the_reason_against_its_use_says() -> None:
    table = Table(plain(C3="Ra", B4="Gr", C7="@") + "rassik:\ngrinder:\n" + turn("red")).play("move:S", "trap:B")
    message = "The pentacle serves a Titan whose own movement ended on it, and that is still there."
    assert table.why_not("reroll") == message
    assert "reroll" in table.play("ability:F").legal()


# Slaugg


def test_slaugg_harms_each_of_the_three_spaces_before_him() -> None:
    board = plain(C5="Sl", C7="Gr", B6="x", D6="Ra", C3="Cr")
    lines = f"slaugg:\ngrinder:\nrassik: {OUT}\ncraken:\n"
    table = Table(board + lines + turn("yellow")).play("ability")
    assert [table.titan(name).life for name in ("grinder", "rassik", "craken")] == [3, 0, 4]
    assert table.traps() == []


# Craken


@pytest.mark.parametrize("state", ["life=4", OUT])
def test_craken_changes_places_with_an_adjacent_titan(state: str) -> None:
    table = Table(plain(C5="Cr", D4="Gr") + f"craken:\ngrinder: {state}\n" + turn("yellow")).play("ability:BR")
    assert (table.at("craken"), table.at("grinder")) == ("D4", "C5")
    assert table.events(Event.LOSS) == []


def test_each_of_two_that_change_places_enters_its_new_space_craken_first() -> None:
    table = Table(plain(C5="~Cr", C7="~Gr") + "craken:\ngrinder:\n" + turn("yellow")).play("ability:F")
    assert [event[1] for event in table.events(Event.LOSS)] == [0, 1]


def test_a_swap_on_to_a_statue_sets_it_off() -> None:
    table = Table(plain(C5="Cr", C7="SGr") + "craken:\ngrinder:\n" + turn("yellow")).play("ability:F")
    assert (table.titan("craken").life, table.titan("grinder").life) == (4, 3)


def test_a_swap_across_the_line_changes_both_laps() -> None:
    table = Table(plain(A11="Cr", A1="Gr") + "craken:\ngrinder: lap=2\n" + turn("yellow")).play("ability:F")
    assert (table.titan("craken").lap, table.titan("grinder").lap) == (2, 1)


def test_a_swap_may_win_the_race_crakens_lap_counts_first_and_the_others_agrees_with_its_space() -> None:
    table = Table(plain(A11="Cr", A1="Gr") + "craken: lap=3\ngrinder:\n" + turn("yellow")).play("ability:F")
    assert table.state.won.tolist()[:2] == [1, 0]
    assert (table.titan("craken").lap, table.titan("grinder").lap) == (4, 0)
    events = [tuple(event)[:2] for event in table.events(Event.LAP, Event.WON)]
    assert events == [(Event.LAP, 0), (Event.LAP, 1), (Event.WON, 0)]


def test_the_other_stands_on_its_new_space_while_craken_enters_his() -> None:
    """Craken enters a statue: its blast destroys the trap that he was placed on, and hits Rassik who is there."""
    table = Table(plain(C1="Crx", C3="SRa") + "craken:\nrassik:\n" + turn("yellow")).play("ability:F")
    assert (table.titan("rassik").life, table.traps()) == (3, [])
    assert table.events(Event.TRAP_SPRUNG) == []
    assert len(table.events(Event.TRAP_DESTROYED)) == 1


def test_until_the_others_entry_the_trap_lies_on_the_board() -> None:
    table = Table(plain(C1="Crx", C3="!Ra") + "craken:\nrassik:\nhand 0: wings\n" + turn("yellow")).play("ability:F")
    assert (table.asked, table.traps(), table.state.supply) == (("pirates", "craken"), ["C1"], 14)
    assert (table.play("suffer").titan("rassik").life, table.traps()) == (3, [])


def test_the_other_enters_its_space_though_craken_was_knocked_out_on_his() -> None:
    table = Table(plain(C5="~Cr", C7="~Gr") + "craken: life=1\ngrinder:\n" + turn("yellow"))
    table.play("ability:F", rolls=[0, 0])
    assert (table.titan("craken").life, table.titan("grinder").life) == (0, 3)


def test_in_a_swap_by_mimic_who_plays_the_card_enters_first() -> None:
    text = "rassik:\ncraken:\nhand 0: mimic\n" + turn("yellow")
    table = Table(plain(C5="~Ra", C7="~Cr") + text).play("play:mimic", "aim:F", "ability:F")
    assert [event[1] for event in table.events(Event.LOSS)] == [0, 1]


# Ragnarok


@pytest.mark.parametrize(
    ("way", "end"), [("F", "C9"), ("FL", "B8"), ("FR", "D8"), ("B", "C5"), ("BL", "B6"), ("BR", "D6")]
)
def test_ragnarok_shoves_an_adjacent_titan_in_any_direction_and_it_loses_nothing(way: str, end: str) -> None:
    table = Table(plain(C5="Rg", C7="Gr") + "ragnarok:\ngrinder:\n" + turn("yellow")).play("ability:F")
    assert table.asked == ("shove", "ragnarok")
    table.play(f"shove:{way}")
    assert (table.at("grinder"), table.titan("grinder").life) == (end, 4)


def test_whoever_a_shoved_titan_bumps_is_pushed_and_loses_a_life_ragnarok_too() -> None:
    table = Table(plain(C5="Rg", C7="Gr") + "ragnarok:\ngrinder:\n" + turn("yellow")).play("ability:F", "shove:B")
    assert (table.at("ragnarok"), table.titan("ragnarok").life) == ("C3", 3)


def test_ragnarok_shoves_a_knocked_out_titan() -> None:
    table = Table(plain(C5="Rg", C7="Gr") + f"ragnarok:\ngrinder: {OUT}\n" + turn("yellow"))
    assert table.play("ability:F", "shove:F").at("grinder") == "C9"


def test_thorns_answer_a_shove_by_harming_the_shoved_titan() -> None:
    board = plain(C5="Rg", C7="Gr", C9="Sl")
    table = Table(board + "ragnarok:\ngrinder:\nslaugg:\nhand 2: thorns\n" + turn("yellow"))
    table.play("ability:F", "shove:F", "play:thorns")
    assert [table.titan(name).life for name in ("ragnarok", "grinder", "slaugg")] == [4, 3, 3]


def test_thorns_do_not_answer_a_shove_of_a_titan_that_is_knocked_out_already() -> None:
    board = plain(C5="Rg", C7="Gr", C9="Sl")
    table = Table(board + f"ragnarok:\ngrinder: {OUT}\nslaugg:\nhand 2: thorns\n" + turn("yellow"))
    table.play("ability:F", "shove:F")
    assert table.asked[0] != "thorns"
    assert (table.at("grinder"), table.at("slaugg")) == ("C9", "C11")


# Grinder


def test_grinder_sets_a_trap_on_any_adjacent_space_without_one() -> None:
    board = plain(C5="Gr", C7="x", D6="Ra", B6="Sl", B4="~", D4="S")
    lines = f"grinder:\nrassik:\nslaugg: {OUT}\n"
    table = Table(board + lines + turn("yellow"))
    assert table.may("ability") == ["FR", "B", "BL", "BR"]  # not where a trap lies, nor on a K.O.'d Titan
    assert table.play("ability:FR").titan("rassik").life == 3


def test_grinder_needs_a_trap_in_the_supply() -> None:
    table = Table(plain(C5="Gr", D6="Ra") + "grinder:\nrassik:\nsupply: 0\n" + turn("yellow"))
    assert table.may("ability") == []


# Chtooloo


def test_chtooloo_harms_an_adjacent_living_titan_and_gains_a_life() -> None:
    board = plain(C5="Ch", C7="Gr", B4="Ra")
    table = Table(board + f"chtooloo: life=3\ngrinder:\nrassik: {OUT}\n" + turn("yellow"))
    assert table.may("ability") == ["F"]
    table.play("ability:F")
    assert (table.titan("chtooloo").life, table.titan("grinder").life) == (4, 3)


def test_chtooloo_does_not_drain_at_his_maximum() -> None:
    table = Table(plain(C5="Ch", C7="Gr") + "chtooloo: life=6\ngrinder:\n" + turn("yellow"))
    assert table.may("ability") == []
    assert table.why_not("ability:F") == (
        "Chtooloo drains an adjacent living Titan, and only below his own maximum of lives."
    )
