"""The strike table of the rules, and the printed examples of strikes, carrying over and rangestrikes."""

from __future__ import annotations

import pytest

from tests.titan_battle.table import Table, spot
from titan_env.games.titan_battle.rules.characters import CHARACTERS, VALUE
from titan_env.games.titan_battle.rules.state import Event, Phase
from titan_env.games.titan_battle.rules.strikes import strike_number

STRIKES = [
    ("hills", "ogre B3", "centaur B2", (7, 6), "native down a slope"),
    ("hills", "centaur B2", "ogre B3", (3, 3), "non-native up a slope"),
    ("hills", "lion B2", "ogre B3", (5, 3), "native up a slope: nothing"),
    ("tower", "centaur D4", "ogre D5", (3, 1), "down a wall"),
    ("tower", "ogre D5", "centaur D4", (6, 6), "up a wall"),
    ("tower", "lion C4", "lion C3", (5, 4), "no wall between"),
    ("brush", "ogre D4", "gargoyle D5", (6, 6), "native target in bramble"),
    ("brush", "cyclops D4", "gargoyle D5", (9, 5), "native striker: nothing"),
    ("brush", "ogre D1", "cyclops D2", (6, 6), "out of bramble and into it"),
    ("brush", "ogre D4", "lion D5", (6, 5), "lion is no native"),
    ("desert", "lion A2", "ogre B3", (7, 3), "native down a dune"),
    ("desert", "ogre E3", "lion D4", (5, 5), "non-native up a dune"),
    ("desert", "ogre D4", "ogre E3", (6, 4), "non-native down a dune: nothing"),
    ("mountains", "dragon D4", "ogre D5", (12, 3), "volcano + 2, slope + 1"),
    ("mountains", "troll D5", "dragon D4", (8, 6), "non-native up a slope"),
    ("plains", "ogre C3", "lion C4", (6, 5), "no hazard"),
]


@pytest.mark.parametrize(("land", "striker", "target", "pair", "why"), STRIKES, ids=lambda value: str(value))
def test_dice_and_strike_number(land: str, striker: str, target: str, pair: tuple[int, int], why: str) -> None:
    table = Table(land, striker, target)
    assert table.play(f"pick:{striker[-2:]}", hits=[0]).dice() == [pair], why


@pytest.mark.parametrize(("attacker", "pair"), [("ranger A1", (2, 2)), ("ranger A1, lion A2", (2, 3))])
def test_who_stands_in_the_way_turns_the_line_of_a_rangestrike_through_the_bramble(
    attacker: str, pair: tuple[int, int]
) -> None:
    table = Table("brush", attacker, "ogre B3")
    assert table.play("pick:A1", hits=[0]).dice() == [pair]


def test_across_a_cliff_nobody_strikes() -> None:
    assert Table("mountains", "colossus B1", "unicorn C2").asked == ("maneuver", "defender")


@pytest.mark.parametrize(("target", "numbers"), [(2, (5, 4, 3, 2, 1)), (3, (6, 5, 4, 3, 2)), (4, (6, 6, 5, 4, 3))])
def test_the_printed_table_of_strike_numbers(target: int, numbers: tuple[int, ...]) -> None:
    assert tuple(strike_number(skill, target) for skill in range(1, 6)) == numbers


def test_a_strike_carries_to_nobody_against_whom_it_would_be_worse() -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2").play("pick:C3", "hit:C4", "plain", hits=[4])
    assert table.dice() == [(6, 5)]
    assert table.events(Event.SLAIN) == [(Event.SLAIN, 1, CHARACTERS.index("lion"), 10)]
    assert table.asked == ("strike", "defender"), "nothing carries to the centaur"


def test_with_a_handicap_it_carries() -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2").play("pick:C3", "hit:C4")
    assert (table.asked, table.legal()) == (("handicap", "attacker"), ["carry:C2", "plain"])
    table.play("carry:C2", hits=[4])
    assert (table.dice(), table.legal()) == ([(6, 6)], ["carry:C2", "pass"])
    table.play("carry:C2")
    assert table.side("defender") == "lion C4 5, centaur C2 2"
    assert (Event.CARRIED, 1, spot("centaur", "C2"), 2) in table.history


def test_carrying_may_be_declined() -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2").play("pick:C3", "hit:C4", "carry:C2", "pass", hits=[4])
    assert table.side("defender") == "lion C4 5, centaur C2"


def test_a_minotaur_rangestrikes_at_range_4() -> None:
    assert Table("plains", "minotaur D1", "lion D4").play("pick:D1", hits=[0]).dice() == [(2, 4)]


def test_a_dragon_rangestrikes_with_4_dice_and_from_the_volcano_with_6() -> None:
    assert Table("plains", "dragon D1", "lion D3").play("pick:D1", hits=[0]).dice()[0][0] == 4
    assert Table("mountains", "dragon D4", "lion D6").play("pick:D4", hits=[0]).dice()[0][0] == 6


def test_a_lion_is_worth_15() -> None:
    assert VALUE[CHARACTERS.index("lion")] == 15


def test_a_minotaur_shoots_over_an_enemy_below_its_cliff() -> None:
    table = Table("mountains", "minotaur B1", "behemoth C2, troll D3")
    assert table.play("pick:B1", hits=[0]).dice() == [(2, 2)]
    assert table.events(Event.STRUCK) == [(Event.STRUCK, 0, spot("minotaur", "B1"), spot("troll", "D3"))]
    assert "pick:B1" in Table("mountains", "minotaur B1", "behemoth C2, troll D3", phase="maneuver").legal()


def test_a_rangestriker_of_skill_3_reaches_range_3_only() -> None:
    assert Table("plains", "gorgon D1", "lion D4").battle.phase == Phase.MANEUVER
    assert Table("plains", "gorgon D1", "lion D3").legal() == ["pick:D1", "end"]


def test_lords_are_no_targets_of_rangestrikes_but_of_a_warlocks() -> None:
    assert Table("plains", "ranger D1", "titan D3").asked == ("maneuver", "defender")
    assert Table("plains", "warlock D1", "titan D3").play("pick:D1", hits=[0]).dice() == [(2, 4)]


def test_bramble_between_and_a_native_in_bramble_make_rangestrikes_harder() -> None:
    assert Table("brush", "ranger D3", "lion D6").play("pick:D3", hits=[0]).dice() == [(2, 5)], "range 4, bramble D5"
    assert Table("brush", "gorgon D4", "lion D6").play("pick:D4", hits=[0]).dice() == [(3, 4)], "a native striker"
    assert Table("brush", "ranger D3", "gargoyle D5").play("pick:D3", hits=[0]).dice() == [(2, 4)]


def test_a_target_on_the_volcano_and_one_behind_walls_are_harder_to_shoot() -> None:
    assert Table("mountains", "minotaur D6", "dragon D4").play("pick:D6", hits=[0]).dice() == [(2, 4)]
    assert Table("tower", "ranger D6", "lion D4").asked == ("maneuver", "defender"), "a wall hides it"
    assert Table("tower", "ranger D1", "lion D3").play("pick:D1", hits=[0]).dice() == [(2, 4)], "one level higher"


def test_dune_rule_of_carrying() -> None:
    table = Table("desert", "ogre E3 0", "lion E2 3, lion D4").play("pick:E3", "hit:E2")
    assert table.asked == ("strike", "defender"), "neither handicap nor carrying up the dune"
