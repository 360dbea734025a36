"""Rare cases of engagements, played on both implementations of the war."""

from __future__ import annotations

import pytest

from tests.titan_battle.reference_board import HEXES, distance
from tests.titan_war.positions import FixedDice, answer, begin_engagements, begin_turn, war_at
from tests.titan_war.reference import War
from tests.titan_war.reference_battle import WarBattle
from tests.titan_war.reference_table import TheEndError

ELSEWHERE = "1 on 300: titan\n2 on 400: titan"


def engaged(position: str, *scores: int, seat: int = 0) -> War:
    """Three players, the mover's legions engaged; all titans stand somewhere."""
    return begin_engagements(war_at(position, [*scores, 0, 0, 0][:3]), seat)


def test_demi_lords_may_flee_and_not_concede() -> None:
    war = engaged(f"0 on 41: titan\n1 on 41: guardian warlock\n{ELSEWHERE}", 90)
    assert (war.seat, war.ask, war.legal()) == (1, "DEFEND", {"flee", "offer", "fight"})
    answer(war, "flee")
    assert war.table.scores == [90 + 22, 0, 0]
    assert (war.ask, war.legal()) == ("ANGEL", {"muster:angel", "pass"})
    answer(war, "muster:angel")
    assert war.ask != "SUMMON"
    assert war.table.supply["guardian"] == 6, "back when the engagement is over"


def test_a_lord_concedes_for_full_value_and_the_attacker_may_summon() -> None:
    war = engaged(f"0 on 41: titan\n0 on 1: angel\n1 on 41: angel ogre\n{ELSEWHERE}")
    assert war.legal() == {"concede", "offer", "fight"}
    answer(war, "concede")
    assert war.table.scores[0] == 24 + 12
    assert (war.ask, war.legal()) == ("SUMMON", {"pick:1", "pass"})
    answer(war, "pick:1")
    assert war.table.at(41)[0].kinds == ["titan", "angel"]
    assert not war.table.at(1), "a donor of one angel disappears"
    assert war.table.free_markers(0) == 11


def test_the_talk_goes_on_to_agreement() -> None:
    war = engaged(f"0 on 41: ogre\n0 on 1: titan\n1 on 41: ogre\n{ELSEWHERE}")
    assert answer(war, "fight").legal() == {"concede", "offer", "fight"}
    assert answer(war, "offer").legal() == {"agree", "concede", "fight"}
    answer(war, "agree")
    assert (war.table.scores, war.table.at(41)) == ([0, 0, 0], [])
    war = engaged(f"0 on 41: ogre\n0 on 1: titan\n1 on 41: ogre\n{ELSEWHERE}")
    assert answer(war, "offer").legal() == {"agree", "concede", "fight"}


@pytest.mark.parametrize(("archangels", "kinds"), [(0, ["angel"] * 3), (6, ["angel", "archangel", "angel"])])
def test_several_hundreds_bring_several_angels(archangels: int, kinds: list[str]) -> None:
    """399 + 240: at 400, 500, 600."""
    war = war_at(f"0 on 41: titan\n1 on 41: angel {'serpent ' * 6}\n{ELSEWHERE}", [399, 0, 0])
    war.table.supply["archangel"] = archangels
    begin_engagements(war)
    answer(war, "concede")
    got = []
    while war.ask == "ANGEL":
        text = next(option for option in sorted(war.legal()) if option != "pass")
        got.append(text.removeprefix("muster:"))
        answer(war, text)
    assert got == kinds


def test_the_score_of_500_brings_an_archangel_and_of_600_an_angel() -> None:
    defender = "angel hydra hydra dragon ogre lion"
    war = engaged(f"0 on 41: titan\n1 on 41: {defender}\n{ELSEWHERE}", 480)
    answer(war, "concede")
    assert war.table.scores[0] == 480 + 24 + 60 + 27 + 12 + 15
    assert war.legal() == {"muster:archangel", "pass"}
    answer(war, "muster:archangel")
    assert war.legal() == {"muster:angel", "pass"}


def test_a_legion_of_six_gets_an_angel_or_a_muster() -> None:
    for others, expected in (("ogre ogre ogre ogre ogre", ""), ("ogre ogre ogre ogre", "MUSTER")):
        war = engaged(f"0 on 41: titan {others}\n1 on 41: ogre\n{ELSEWHERE}", 99)
        answer(war, "flee", "muster:angel")
        assert war.ask == expected


def test_a_winner_of_seven_gets_nothing_but_may_lose_an_angel() -> None:
    full = "angel ogre ogre ogre ogre ogre ogre"
    war = engaged(f"0 on 8: {full}\n0 on 41: titan\n1 on 8: angel\n1 on 41: angel\n{ELSEWHERE}", 90)
    answer(war, "pick:8", "concede")
    assert (war.seat, war.ask) == (1, "DEFEND"), "no angel, no summoning"
    answer(war, "concede", "pick:8")
    assert war.table.at(41)[0].kinds == ["titan", "angel"]
    assert (war.ask, war.legal()) == ("MUSTER", {"muster:ogre", "muster:troll", "pass"}), "room in the marsh"


def test_half_points_bring_no_angel() -> None:
    """The dead player's free legion is worth half, and that hundred has been passed."""
    war = engaged("0 on 41: titan\n1 on 41: titan\n1 on 30: ogre ogre\n2 on 400: titan", 270)
    answer(war, "concede")
    assert war.table.scores[0] == 270 + 24 + 12
    assert war.ask == ""
    assert war.table.places == [0, 3, 0]
    assert war.table.free_markers(0) == 24 - 1


def test_a_slain_angel_is_back_only_for_the_next_engagement() -> None:
    position = f"0 on 41: titan\n1 on 41: angel\n0 on 8: colossus\n1 on 8: ogre\n{ELSEWHERE}"
    war = war_at(position, [90, 0, 0])
    war.table.supply["angel"] = 0
    begin_engagements(war)
    answer(war, "pick:41", "concede")
    assert (war.seat, war.ask) == (1, "DEFEND"), "no angel in the supply"
    assert war.table.supply["angel"] == 1


def test_a_mover_who_dies_in_the_first_engagement_leaves_half_points_for_the_others() -> None:
    position = f"0 on 41: titan\n1 on 41: ogre\n0 on 8: ogre ogre\n2 on 8: lion\n0 on 1: lion lion\n{ELSEWHERE}"
    war = engaged(position)
    answer(war, "pick:41", "fight", "concede")
    assert war.table.scores == [0, 24 + 15, 12], "half of two lions to the slayer, of two ogres to the second opponent"
    assert not war.ask
    assert war.table.alive == [False, True, True]
    assert [legion.owner for legion in war.table.at(8)] == [2]
    assert war.table.free_markers(1) == 24 - 2


def test_another_legion_of_the_dead_faces_the_mover() -> None:
    position = "0 on 41: titan\n1 on 41: titan\n0 on 8: ogre ogre\n1 on 8: angel ogre\n0 on 1: angel\n2 on 400: titan"
    war = engaged(position)
    answer(war, "pick:41", "concede", "pass")
    assert war.table.scores[0] == 24 + 18
    assert (war.seat, war.ask) == (0, "MUSTER")
    assert [legion.owner for legion in war.table.at(8)] == [0]


def test_one_agreement_may_give_both_titans_away() -> None:
    position = "0 on 41: titan\n1 on 41: titan\n0 on 8: ogre\n2 on 8: lion\n1 on 1: lion\n2 on 400: titan"
    war = engaged(position)
    with pytest.raises(TheEndError):
        answer(war, "pick:41", "offer", "agree")
    assert war.table.scores == [0, 0, 6], "only a legion engaged with a third player counts"
    assert (war.table.won, war.table.places) == ({2}, [2, 2, 1])


def test_a_concession_before_placing_brings_no_reinforcement() -> None:
    war = engaged(f"0 on 8: ogre\n0 on 41: titan\n1 on 8: ogre ogre\n{ELSEWHERE}")
    answer(war, "fight", "concede")
    assert not war.ask
    war = engaged(f"0 on 8: ogre\n0 on 41: titan\n1 on 8: ogre ogre\n{ELSEWHERE}")
    answer(war, "fight", "fight")
    assert (war.seat, war.ask, "concede" in war.legal()) == (1, "MANEUVER", True)
    answer(war, "pick:ogre", "to:D6", "end")
    assert (war.seat, "concede" in war.legal()) == (0, True)
    answer(war, "concede")
    assert not war.ask


def test_leaving_all_outside_lets_the_defender_reinforce() -> None:
    war = engaged(f"0 on 8: ogre\n0 on 41: titan\n1 on 8: ogre ogre\n{ELSEWHERE}")
    answer(war, "fight", "fight", "pick:ogre", "to:D6", "pick:ogre", "to:E5", "end")
    assert (war.seat, war.ask, war.legal()) == (1, "REINFORCE", {"muster:ogre", "muster:troll", "pass"})


def test_points_of_the_first_engagement_strengthen_the_titan_in_the_second() -> None:
    war = engaged(f"0 on 41: titan\n1 on 41: lion\n0 on 8: ogre\n1 on 8: lion\n{ELSEWHERE}", 90)
    assert WarBattle(war.table, *war.table.at(41)).fighters[0].power == 6
    war = engaged(f"0 on 41: titan\n1 on 41: lion\n0 on 8: ogre\n1 on 8: troll lion\n{ELSEWHERE}", 90)
    answer(war, "pick:8", "flee", "pass")
    assert war.table.scores[0] == 90 + 15
    assert WarBattle(war.table, *war.table.at(41)).fighters[0].power == 7


def test_an_angel_just_won_may_be_summoned_and_one_in_a_turn() -> None:
    legions = "\n".join(f"0 on {land}: ogre\n1 on {land}: angel" for land in (1, 8, 15))
    war = engaged(f"{legions}\n0 on 41: titan\n{ELSEWHERE}", 90)
    answer(war, "pick:1", "concede", "muster:angel")
    assert war.ask == "ENGAGE", "nobody else holds an angel yet"
    answer(war, "pick:8", "concede")
    assert (war.ask, war.legal()) == ("SUMMON", {"pick:1", "pass"})
    answer(war, "pick:1")
    assert war.ask == "DEFEND"
    answer(war, "concede")
    assert war.ask != "SUMMON"


def test_a_donor_with_angel_and_archangel_is_asked_which() -> None:
    war = engaged(f"0 on 8: ogre\n0 on 41: titan angel archangel\n1 on 8: angel\n{ELSEWHERE}")
    answer(war, "concede", "pick:41")
    assert (war.ask, war.legal()) == ("SUMMON_KIND", {"pick:angel", "pick:archangel"})


def test_who_was_reinforced_in_the_enemys_turn_musters_in_its_own() -> None:
    war = engaged(f"0 on 8: ogre\n0 on 41: titan\n1 on 8: ogre ogre\n{ELSEWHERE}")
    answer(war, "fight", "fight", "pick:ogre", "to:D6", "pick:ogre", "to:E5", "end", "muster:troll")
    legion = war.table.at(8)[0]
    assert (war.ask, legion.kinds) == ("", ["ogre", "ogre", "troll"])
    begin_turn(war, 1, seat=1)
    answer(war, "pick:8", "to:9", "end")
    assert (war.seat, war.ask, legion.moved) == (1, "MUSTER", True)


def test_both_last_fall_without_points() -> None:
    war = engaged(f"0 on 1: lion\n0 on 41: titan\n1 on 1: lion\n{ELSEWHERE}", 95)
    answer(war, "fight", "fight")
    while war.ask in ("MANEUVER", "GO", "STRIKE"):
        text = min(war.legal() - {"end", "concede"}, key=_towards_c3)
        war.answer(text, FixedDice(all_hit=True))
    assert (war.table.scores, war.table.at(1)) == ([95, 0, 0], [])
    assert war.ask == ""


def _towards_c3(text: str) -> tuple[int, str]:
    spot = text.split(":")[1]
    return (distance(spot, "C3") if spot in HEXES else 0), text


def test_titan_and_ogre_slay_each_other() -> None:
    """A lion of the titan's legion lives, and a free legion: half of both, and the markers, to the other player."""
    war = engaged("0 on 1: ogre\n0 on 41: titan\n1 on 1: titan lion\n1 on 30: ogre\n2 on 400: titan")
    answer(war, "fight", "fight", "pick:lion", "to:D6", "pick:titan", "to:D3")
    answer(war, "pick:ogre", "to:D2")
    while war.ask:
        war.answer(min(war.legal()), FixedDice(all_hit=True))
    assert war.table.scores == [(15 + 12) // 2, 0, 0]
    assert war.table.markers == [24, 0, 12]
    assert not war.table.at(1)
