"""Battles within a war, played on both implementations: summoning, reinforcement, concession in one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.titan_war.compared_war import ComparedWar
from tests.titan_war.positions import FixedDice, answer, begin_engagements, war_at
from tests.titan_war.reference_lands import ORDER
from tests.titan_war.test_view import seen
from titan_env.games.titan_battle.rules.state import Window
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.rules.state import Stage

ELSEWHERE = "1 on 300: titan\n2 on 400: titan"


def fighting(position: str, seat: int = 0) -> ComparedWar:
    """A battle that is about to begin: both have said that they fight."""
    war = war_at(f"{position}\n{ELSEWHERE}", [0, 0, 0])
    begin_engagements(war, seat)
    answer(war, "fight", "fight")
    return war


def pass_time(war: ComparedWar, until: str) -> ComparedWar:
    """Everybody comes on as far as possible, and then stays there, until a question is asked."""
    for _ in range(100):
        if war.ask in ("", until):
            return war
        coming = sorted(text for text in war.legal() if text.startswith(("pick:", "to:")) and not text[-1].isdigit())
        places = sorted(text for text in war.legal() if text.startswith("to:"))
        answer(war, *(coming[:1] or places[:1] or ["end"]))
    raise AssertionError(f"{until} was never asked")


@pytest.mark.thorough
def test_the_defender_is_reinforced_in_round_4_or_after_the_battle() -> None:
    """Ogre and lion never meet on the plains."""
    lost = "0 on 1: ogre\n0 on 41: titan\n1 on 1: lion"
    war = pass_time(fighting(lost), "REINFORCE")
    assert (war.seat, war.legal()) == (1, {"muster:centaur", "muster:lion", "pass"})
    assert war.state.battle.rounds_begun == 4
    answer(war, "pass")
    pass_time(war, "REINFORCE")
    assert (war.legal(), war.state.stage) == ({"muster:centaur", "muster:lion", "pass"}, Stage.HELP), "after time-loss"
    answer(war, "muster:lion")
    assert war.table.at(1)[0].kinds == ["lion", "lion"]


def test_who_was_reinforced_in_the_battle_is_not_asked_after_it() -> None:
    war = pass_time(fighting("0 on 1: ogre\n0 on 41: titan\n1 on 1: lion"), "REINFORCE")
    answer(war, "muster:centaur", "pick:centaur")
    answer(war, min(war.legal() - {"end"}))
    assert war.table.at(1)[1].kinds == ["centaur", "lion"]
    pass_time(war, "REINFORCE")
    assert not war.ask


def test_a_reinforcement_that_stays_outside_is_undone_and_may_be_mustered_after_the_battle() -> None:
    war = pass_time(fighting("0 on 1: ogre\n0 on 41: titan\n1 on 1: lion"), "REINFORCE")
    supply = war.table.supply["lion"]
    answer(war, "muster:lion")
    assert war.state.supply[8] == war.table.supply["lion"] == supply - 1
    answer(war, "end")
    assert war.state.supply[8] == war.table.supply["lion"] == supply
    assert pass_time(war, "REINFORCE").seat == 1


def test_a_reinforcement_that_is_called_goes_back_where_its_player_concedes() -> None:
    war = pass_time(fighting("0 on 1: ogre\n0 on 41: titan\n1 on 1: lion"), "REINFORCE")
    supply = war.table.supply["lion"]
    answer(war, "muster:lion", "concede")
    assert war.table.supply["lion"] == war.state.supply[8] == supply
    assert war.table.scores == [15, 0, 0]


def fought(war: ComparedWar, until: str) -> ComparedWar:
    """Everybody goes towards the middle and strikes, every die hits, until a question is asked."""
    order = "CDBEAF"
    for _ in range(200):
        if war.ask in ("", until):
            return war
        ready = [text for text in war.legal() if text not in ("end", "pass", "concede")]
        text = min(ready, key=lambda text: (order.index(text[-2]) if text[-1].isdigit() else -1, text), default="end")
        war.answer(text, FixedDice(all_hit=True))
    raise AssertionError(f"{until} was never asked")


def window(donors: str) -> ComparedWar:
    """Three centaurs of the defender meet two attackers; the first of them is slain, and the attacker may summon."""
    war = fighting(f"0 on 1: lion lion\n0 on 41: titan\n{donors}\n1 on 1: centaur centaur centaur centaur")
    return fought(war, "SUMMON")


def test_an_angel_is_summoned_where_the_window_opens_and_its_donor_disappears() -> None:
    war = window("0 on 30: angel")
    assert (war.seat, war.legal(), war.state.stage) == (0, {"pick:30", "pass"}, Stage.BATTLE)
    answer(war, "pick:30")
    assert war.table.at(30), "until it has entered"
    answer(war, "pick:angel")
    answer(war, *[text for text in sorted(war.legal()) if text.startswith("to:")][:1])
    assert not war.table.at(30)
    assert war.table.at(1, 0)[0].kinds == ["angel", "lion", "lion"]
    assert war.state.summoned == 1


def test_no_angel_is_summoned_from_a_second_legion_that_faces_an_enemy() -> None:
    fight = "0 on 1: lion lion\n1 on 1: centaur centaur centaur centaur"
    war = war_at(f"{fight}\n0 on 41: titan\n0 on 30: angel\n2 on 30: ogre\n0 on 600: angel\n{ELSEWHERE}", [0, 0, 0])
    begin_engagements(war, 0)
    answer(war, "pick:1", "fight", "fight")
    assert fought(war, "SUMMON").legal() == {"pick:600", "pass"}


def test_of_a_kind_whose_supply_is_empty_nobody_reinforces_in_battle() -> None:
    laid = war_at(f"0 on 1: ogre\n0 on 41: titan\n1 on 1: lion\n{ELSEWHERE}", [0, 0, 0])
    laid.table.supply["centaur"] = 0
    begin_engagements(laid, 0)
    answer(laid, "fight", "fight")
    assert pass_time(laid, "REINFORCE").legal() == {"muster:lion", "pass"}


@pytest.mark.thorough
def test_the_land_of_a_battle_shows_an_arrival_at_once_and_the_slain_until_it_is_over() -> None:
    war, land = window("0 on 30: angel"), ORDER[1]
    assert seen(war, 2)["land_height"][land] == 2 + 4, "one of the four centaurs has been slain"
    answer(war, "pick:30", "pick:angel")
    assert seen(war, 2)["land_height"][land] == 2 + 4
    answer(war, *[text for text in sorted(war.legal()) if text.startswith("to:")][:1])
    assert seen(war, 2)["land_height"][land] == 3 + 4


def test_an_angel_that_stays_outside_goes_back_to_its_donor_and_may_be_summoned_after_the_battle() -> None:
    war = window("0 on 30: angel ogre")
    answer(war, "pick:30", "end")
    assert (war.state.summoned, war.table.at(30)[0].kinds) == (0, ["angel", "ogre"])
    assert war.table.at(30)[0].least["angel"] == 1, "it was shown"


def test_of_a_donor_with_both_one_is_picked_in_a_battle_too() -> None:
    war = window("0 on 30: angel archangel")
    answer(war, "pick:30")
    assert (war.ask, war.legal()) == ("SUMMON_KIND", {"pick:angel", "pick:archangel"})
    answer(war, "pick:archangel", "pick:archangel")
    answer(war, *[text for text in sorted(war.legal()) if text.startswith("to:")][:1])
    assert war.table.at(30)[0].kinds == ["angel"]


@pytest.mark.parametrize("looker", [0, 1, 2])
def test_what_waits_to_be_summoned_is_seen_by_the_attacker_alone(looker: int) -> None:
    war = fighting("0 on 1: lion\n0 on 41: titan\n0 on 30: angel\n1 on 1: centaur")
    vector = np.zeros(GAME.rules.fields.size, np.uint8)
    GAME.rules.observe(war.state, looker, vector)
    seen = GAME.rules.fields.split(vector)
    assert seen["late"].tolist() == [1, 0, 0, 1, int(looker == 0), 0]
    assert seen["role"][:2].tolist() == [[1, 0], [0, 1], [0, 0]][looker]


def test_who_is_left_outside_does_not_open_the_window() -> None:
    war = fighting("0 on 1: lion\n0 on 41: titan\n0 on 30: angel\n1 on 1: gargoyle centaur")
    answer(war, "pick:centaur", "to:D6", "end")
    assert (war.seat, war.ask) == (0, "MANEUVER"), "no SUMMON"
    assert war.state.battle.window == Window.NOT_YET
