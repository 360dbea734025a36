"""Cases of a battle that are easily played wrong (n1 to n12), and some that other programs had wrong for years (s24).

The numbers are the tests' own; p1 to p21 in other files are what the printed game says by example.
"""

from __future__ import annotations

import pytest

from tests.titan_battle.table import Table, spot
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.hexes import hex_number
from titan_env.games.titan_battle.rules.state import Event, Window

LION = CHARACTERS.index("lion")


def test_who_is_slain_by_drift_still_strikes_and_is_no_target() -> None:
    table = Table("tundra", "lion B3, ogre E3", "lion B2 4", phase="maneuver").play("pick:E3", "to:D4")
    assert (Event.FROZEN, 1, spot("lion", "B2"), 1) in table.history
    assert (Event.SLAIN, 1, LION, hex_number("B2")) in table.history
    assert (table.asked, table.legal()) == (("strike", "defender"), ["pick:B2"]), "the lion at B3 has no living enemy"
    table.play("pick:B2", hits=[2])
    assert table.side("attacker") == "lion B3 2, ogre D4"
    assert table.result == "attacker_wins"


def test_a_slain_neighbour_is_contact_for_rangestrikers() -> None:
    table = Table("tundra", "minotaur B3, lion F3", "lion B2 4, lion D4", phase="maneuver").play("pick:F3", "to:E3")
    assert table.asked[0] == "strike"
    assert "pick:B3" not in table.legal()


def test_a_defenders_death_by_drift_opens_the_window() -> None:
    table = Table("tundra", "ogre A3, ogre F4", "lion B2 4, lion D6", half="defender", phase="maneuver", angel_waits=1)
    table.play("end", hits=[])
    assert table.battle.window == Window.OPEN
    assert (table.asked, table.legal()) == (("summon", "attacker"), ["pick:angel", "pass"])


def test_the_last_two_slay_each_other() -> None:
    table = Table("plains", "lion C3 4", "lion C4 4").play("pick:C3", "pick:C4", hits=[1, 1])
    assert table.result == "mutual"
    assert table.state.won.tolist()[:2] == [1, 1]
    assert table.state.place.tolist()[:2] == [1, 1]


def test_a_titan_is_slain_while_the_legion_that_slew_it_dies_too() -> None:
    table = Table("plains", "titan C3 5, lion F1", "lion C4 4").play("pick:C3", "pick:C4", hits=[1, 1])
    assert table.result == "mutual"


def test_a_slain_titan_loses_the_battle_at_the_end_of_the_strike_phase() -> None:
    table = Table("plains", "titan C3 5, lion F1", "lion C4").play("pick:C3", "pick:C4", hits=[0, 1])
    assert (table.result, table.side("attacker")) == ("defender_wins", "lion F1")
    assert table.state.won.tolist()[:2] == [0, 1]
    assert table.events(Event.ELIMINATED, Event.WON) == [(Event.ELIMINATED, 0, 1, 0), (Event.WON, 1, 0, 0)]


def test_two_enemies_that_give_the_same_handicap_are_one_choice_and_both_may_be_carried_to() -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2, centaur B3").play("pick:C3", "hit:C4")
    assert table.legal() == ["carry:B3", "plain"]
    table.play("carry:B3", hits=[6])
    assert table.legal() == ["carry:B3", "carry:C2", "pass"]
    assert table.play("carry:C2").asked == ("carry", "attacker"), "one more is left"
    assert table.play("carry:B3").side("defender") == "lion C4 5, centaur C2 3, centaur B3 1"


def test_a_strike_down_a_dune_carries_on_level_ground_only_with_the_handicap() -> None:
    table = Table("desert", "lion A2", "ogre B3 4, ogre A1").play("pick:A2", "hit:B3")
    assert table.legal() == ["carry:A1", "plain"]
    table.play("carry:A1", hits=[5])
    assert table.dice() == [(5, 3)]
    assert table.legal() == ["carry:A1", "pass"]
    table = Table("desert", "lion A2", "ogre B3 4, ogre A1").play("pick:A2", "hit:B3", "plain", hits=[5])
    assert table.dice() == [(7, 3)]
    assert table.asked == ("strike", "defender")


def test_a_strike_that_is_not_up_a_dune_never_carries_up_one() -> None:
    table = Table("desert", "lion E3", "ogre E2 4, ogre D4").play("pick:E3", "hit:E2", hits=[5])
    assert table.asked == ("strike", "defender")
    table = Table("desert", "lion E3", "ogre E2, ogre D4 4").play("pick:E3", "hit:D4", hits=[5])
    assert table.legal() == ["carry:E2", "pass"], "a native goes up a dune as on level ground"


def test_whose_enemies_nearby_are_slain_neither_strikes_nor_rangestrikes() -> None:
    table = Table("plains", "ranger C3, centaur B3", "lion C4 4, lion F1, lion C1").play("pick:B3", hits=[1])
    assert (Event.SLAIN, 1, LION, hex_number("C4")) in table.history
    assert table.asked == ("strike", "defender")
    assert table.legal() == ["pick:C4"]


@pytest.mark.parametrize(("half", "asked"), [("defender", "reinforce"), ("attacker", "summon")])
def test_who_is_called_and_does_not_enter_is_gone_as_if_never_called(half: str, asked: str) -> None:
    waiting = {"angel_waits": 1, "window": Window.OPEN, "may_reinforce": 1, "begun": 4}
    table = Table("marsh", "ogre A1", "ogre F4", half=half, phase="arrival", **waiting)
    assert table.asked == (asked, half)
    called = "muster:ogre" if half == "defender" else "pick:angel"
    before = table.side(half)
    table.play(called)
    assert f"pick:{called.partition(':')[2]}" in table.legal()
    table.play("end")
    assert table.side(half) == before
    assert len(table.events(Event.RETURNED)) == 1
    assert not table.events(Event.LEFT_OUTSIDE)


def test_seven_alive_in_round_4_are_not_reinforced() -> None:
    seven = "ogre F4, ogre F3, ogre F2, ogre F1, ogre E1, ogre E2, ogre E3"
    table = Table("marsh", "ogre A1", seven, half="defender", phase="arrival", begun=4, may_reinforce=1)
    assert table.asked == ("maneuver", "defender")
    assert table.battle.may_reinforce == 0


def test_a_defender_left_outside_does_not_open_the_window() -> None:
    fields = {"half": "defender", "phase": "maneuver", "begun": 1, "angel_waits": 1}
    table = Table("plains", "ogre outside", "gargoyle outside, lion F4", **fields).play("end")
    assert table.events(Event.LEFT_OUTSIDE) == [(Event.LEFT_OUTSIDE, 1, CHARACTERS.index("gargoyle"), 0)]
    assert table.battle.window == Window.NOT_YET
    assert table.asked == ("maneuver", "attacker"), "no summoning"


def test_a_surplus_is_carried_on_and_on() -> None:
    enemies = "gargoyle D3 3, ogre E2 5, ogre F2 5"
    table = Table("plains", "colossus E3", enemies).play("pick:E3", "hit:D3", hits=[9])
    assert table.dice() == [(10, 3)]
    assert table.legal() == ["carry:E2", "carry:F2", "pass"]
    table.play("carry:E2", "carry:F2")
    carried = [(spot("ogre", "E2"), 1), (spot("ogre", "F2"), 1)]
    assert [event[2:] for event in table.events(Event.CARRIED)] == carried
    table = Table("plains", "colossus E3", enemies).play("pick:E3", "hit:E2")
    assert table.legal() == ["carry:D3", "plain"]
    table.play("carry:D3", hits=[9])
    assert table.dice() == [(10, 3)]
    assert table.legal() == ["carry:D3", "carry:F2", "pass"]


def test_nothing_carries_to_the_slain() -> None:
    table = Table("plains", "colossus E3, ogre F1", "ogre E2 5, ogre F2 5").play("pick:F1", "hit:F2", hits=[1])
    table.play("pick:E3", hits=[9])
    assert table.asked == ("strike", "defender")


def test_across_a_cliff_only_a_warlock_strikes() -> None:
    assert Table("desert", "ranger D4", "troll D3").asked == ("maneuver", "defender")
    table = Table("desert", "warlock D4", "lion D3")
    assert table.play("pick:D4", hits=[0]).dice() == [(2, 3)]


def test_bramble_makes_a_non_native_strike_worse_but_not_its_rangestrike() -> None:
    assert Table("brush", "ranger C4", "ogre D4").play("pick:C4", hits=[0]).dice() == [(4, 3)]
    assert Table("brush", "ranger C4", "ogre C2").play("pick:C4", hits=[0]).dice() == [(2, 2)]


def test_the_defender_is_reinforced_in_round_4_and_not_again() -> None:
    fields = {"half": "attacker", "phase": "maneuver", "begun": 3, "may_reinforce": 1}
    table = Table("woods", "ogre A1", "lion F4, warbear F2", **fields).play("end")
    assert table.asked == ("reinforce", "defender")
    assert table.legal() == ["muster:centaur", "muster:warbear", "pass"]
    table.play("muster:warbear", "pick:warbear", "to:D6", "end")
    assert table.side("defender") == "lion F4, warbear F2, warbear D6"
    assert table.battle.may_reinforce == 0


def test_after_round_7_the_attacker_is_eliminated() -> None:
    table = Table("plains", "ogre A1", "lion F4", phase="maneuver", begun=7).play("end")
    assert table.result == "time_loss"
    assert table.state.won.tolist()[:2] == [0, 1]
    assert table.events(Event.TIME_LOSS) == [(Event.TIME_LOSS, 0, 0, 0)]


def test_a_gargoyle_left_outside_brings_no_angel() -> None:
    fields = {"half": "defender", "phase": "maneuver", "begun": 1, "angel_waits": 1}
    table = Table("plains", "ogre outside", "gargoyle outside, ogre outside", **fields)
    table.play("pick:ogre", "to:D6", "end")
    assert table.asked == ("maneuver", "attacker")


def test_who_must_strike_does_so_before_the_end() -> None:
    table = Table("plains", "ogre C3, ranger A3", "lion C4, centaur C5, lion C2")
    assert table.legal() == ["pick:A3", "pick:C3"]
    table.play("pick:C3", "hit:C4", hits=[0])
    assert table.legal() == ["pick:A3", "end"]
    assert table.play("end").asked == ("strike", "defender")


def test_with_nothing_in_the_supply_nobody_is_asked() -> None:
    fields = {"half": "defender", "phase": "arrival", "begun": 4, "may_reinforce": 1}
    assert Table("plains", "ogre A1", "lion F4", **fields).asked == ("reinforce", "defender")
    assert Table("plains", "ogre A1", "lion F4", supply=0, **fields).asked == ("maneuver", "defender")


def test_the_window_is_open_once() -> None:
    fields = {"phase": "arrival", "window": Window.OPEN, "archangel_waits": 1}
    table = Table("plains", "ogre A1", "lion F4", **fields)
    assert table.legal() == ["pick:archangel", "pass"]
    table.play("pass")
    assert table.battle.window == Window.PAST
    assert Table("plains", "ogre A1", "lion F4", phase="arrival", window=Window.OPEN).asked[0] == "maneuver"


def test_the_slain_of_a_phase_strike_back_and_are_taken_off_together() -> None:
    table = Table("plains", "ogre C3", "lion C4 4, lion F1").play("pick:C3", hits=[1])
    assert table.legal() == ["pick:C4"]
    table.play("pick:C4", hits=[2])
    assert (table.side("attacker"), table.side("defender")) == ("ogre C3 2", "lion F1")
