"""What is said of certain moments: decisions, events, reasons, a position in sentences."""

from __future__ import annotations

import pytest

from tests.titan_battle.table import Table
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.rules.actions import ACTIONS


def sentence_of(table: Table, text: str) -> str:
    """An action as it is said."""
    return GAME.text.describe_action(table.state, ACTIONS.read(text))


def refused(table: Table, text: str) -> str | None:
    """Why an action is not allowed."""
    return GAME.text.why_not(table.state, ACTIONS.read(text))


def sentences_of_events(table: Table, text: str, hits: list[int]) -> list[str]:
    """What has happened in an action."""
    table.play(text, hits=hits)
    return [GAME.text.describe_event(table.state, event) for event in table.log[0].events[: table.log[0].count]]


# What is decided


def test_a_strike_is_said_with_its_dice_and_its_strike_number() -> None:
    table = Table("plains", "ogre C3", "lion C4, titan F1")
    assert sentence_of(table, "pick:C3") == "Ogre C3 strikes lion C4: 6 dice at 5"


def test_several_targets_are_said_one_by_one() -> None:
    table = Table("plains", "ogre C3", "lion C4, centaur C2")
    assert sentence_of(table, "pick:C3") == "Ogre C3 strikes"
    table.play("pick:C3")
    assert sentence_of(table, "hit:C2") == "Ogre C3 strikes centaur C2: 6 dice at 6"


def test_a_handicap_is_said_with_whom_it_is_for() -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2").play("pick:C3", "hit:C4")
    assert sentence_of(table, "plain") == "Ogre C3 strikes lion C4: 6 dice at 5"
    assert sentence_of(table, "carry:C2") == "Ogre C3 strikes lion C4 so that it can carry to centaur C2: 6 dice at 6"
    table.play("carry:C2", hits=[4])
    assert sentence_of(table, "carry:C2") == "Ogre C3 carries 2 hits to centaur C2"
    assert sentence_of(table, "pass") == "Ogre C3 carries nothing over"


def test_a_rangestrike_is_said_as_one() -> None:
    table = Table("plains", "minotaur C2", "ogre C5, titan F1")
    assert sentence_of(table, "pick:C2") == "Minotaur C2 rangestrikes ogre C5: 2 dice at 3"
    assert sentence_of(table, "end") == "The attacker rangestrikes no more"


def test_maneuvers_are_said_with_where_they_lead() -> None:
    table = Table("plains", "ogre C3, gargoyle C2, lion outside", "titan F1", phase="maneuver")
    assert sentence_of(table, "pick:C3") == "Ogre C3 moves"
    assert sentence_of(table, "pick:lion") == "Lion comes on"
    assert sentence_of(table, "end") == "The attacker ends the maneuvers and leaves outside: lion"
    table.play("pick:lion")
    assert sentence_of(table, "to:A1") == "Lion comes on at A1"
    table.play("to:A1", "pick:C2")
    assert sentence_of(table, "to:B2") == "Gargoyle C2 flies to B2"
    table.play("to:B2", "pick:C3")
    assert sentence_of(table, "to:C4") == "Ogre C3 goes to C4"


def test_who_is_deployed_in_a_tower_is_said_to_be() -> None:
    table = Table("tower", "ogre outside", "lion outside", half="defender", phase="maneuver", begun=1).play("pick:lion")
    assert sentence_of(table, "to:D4") == "Lion is deployed on D4"


def test_who_arrives_is_said_by_name() -> None:
    table = Table("marsh", "ogre A1", "ogre F1", half="defender", phase="arrival", begun=4, may_reinforce=1)
    assert sentence_of(table, "muster:ogre") == "The defender musters: ogre"
    assert sentence_of(table, "pass") == "The defender musters nobody"
    table = Table("plains", "ogre A1", "ogre F1", phase="arrival", window=1, angel_waits=1)
    assert sentence_of(table, "pick:angel") == "The attacker summons: angel"


# What has happened


def test_a_strike_is_told_with_its_hits() -> None:
    table = Table("plains", "ogre C3", "lion C4, titan F1")
    assert sentences_of_events(table, "pick:C3", [3]) == ["Ogre C3 strikes lion C4", "6 dice at 5: 3 hits"]


def test_who_is_slain_is_told() -> None:
    table = Table("plains", "ogre C3", "lion C4 4, titan F1")
    assert sentences_of_events(table, "pick:C3", [1])[1:] == ["6 dice at 5: 1 hit", "Lion C4 is slain"]


def test_who_has_struck_is_told_by_name_though_it_is_gone() -> None:
    table = Table("plains", "ogre C3, titan A1", "lion C4 4, titan F1").play("pick:C3", hits=[1])
    assert sentences_of_events(table, "pick:C4", [0])[0] == "Lion C4 strikes ogre C3"
    assert "lion" not in table.side("defender"), "slain in the attacker's strikes, it is taken off after its own"


def test_both_who_slay_each_other_are_told_by_name() -> None:
    table = Table("plains", "ogre C3 5, titan A1", "lion C4 4, titan F1").play("pick:C3", hits=[1])
    assert sentences_of_events(table, "pick:C4", [1])[:3] == [
        "Lion C4 strikes ogre C3",
        "5 dice at 3: 1 hit",
        "Ogre C3 is slain",
    ]
    assert (table.side("attacker"), table.side("defender")) == ("titan A1", "titan F1")


def test_who_is_given_hits_or_takes_them_from_the_drift_is_told_by_name_though_it_is_gone() -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2 2, titan F1", half="defender", phase="strike_back")
    table.play("pick:C3", "hit:C4", "carry:C2", hits=[4])
    assert sentences_of_events(table, "carry:C2", [])[:2] == ["1 hit is carried to centaur C2", "Centaur C2 is slain"]
    table = Table("tundra", "ogre F1", "lion B2 4, titan D6", phase="maneuver")
    table.play("end")
    heard = [GAME.text.describe_event(table.state, event) for event in table.log[0].events[: table.log[0].count]]
    assert heard[:2] == ["Lion B2 takes 1 hit from the drift", "Lion B2 is slain"]
    assert "lion" not in table.side("defender")


def test_who_has_moved_is_told_by_name_though_it_is_gone() -> None:
    table = Table("tundra", "ogre A1 5", "titan F4", phase="maneuver").play("pick:A1")
    heard = sentences_of_events(table, "to:B2", [])
    assert heard[:3] == ["Ogre goes from A1 to B2", "Ogre B2 takes 1 hit from the drift", "Ogre B2 is slain"]


def test_the_end_of_a_battle_is_told() -> None:
    table = Table("plains", "ogre C3", "lion C4 4").play("pick:C3", hits=[1])
    assert sentences_of_events(table, "pick:C4", [0])[-2:] == [
        "The defender is eliminated",
        "The attacker wins the battle",
    ]


# What is forbidden


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("to:C4", "The question is who moves or comes on"),
        ("pick:A1", "Nobody stands on A1"),
        ("pick:F1", "Titan F1 is not a character of the attacker"),
        ("pick:E1", "Centaur E1 was in contact with an enemy"),
        ("pick:lion", "No lion of the attacker is outside"),
    ],
)
def test_who_may_not_move_is_told_why(text: str, reason: str) -> None:
    table = Table("plains", "ogre C3, centaur E1", "titan F1", phase="maneuver")
    assert str(refused(table, text)).startswith(reason)


@pytest.mark.parametrize(
    ("land", "attackers", "picked", "text", "reason"),
    [
        ("plains", "ogre C3, lion C4", "pick:C3", "to:C4", "Lion C4 stands there."),
        ("plains", "ogre C3", "pick:C3", "to:C3", "Ogre C3 stands there; to stay it is not picked."),
        ("plains", "ogre C3", "pick:C3", "to:F4", "No way to F4 is open to ogre C3 that costs at most its skill of 2."),
        ("plains", "gargoyle A1", "pick:A1", "to:F4", "No flight to F4 is open to gargoyle A1"),
        ("mountains", "guardian D3", "pick:D3", "to:D4", "Only natives may end on volcano"),
        ("plains", "ogre outside", "pick:ogre", "to:F4", "Ogre does not come so far from its entry side"),
    ],
)
def test_where_nobody_goes_is_told_why(land: str, attackers: str, picked: str, text: str, reason: str) -> None:
    table = Table(land, attackers, "titan F1", phase="maneuver").play(picked)
    assert str(refused(table, text)).startswith(reason)


def test_strikes_that_are_due_come_before_the_end() -> None:
    table = Table("plains", "ogre C3, ranger A3", "lion C4")
    assert refused(table, "end") == "Who is in contact with a living enemy must strike before the strikes can end."
    assert refused(table, "pick:A1") == "Nobody stands on A1."
    table.play("pick:C3", hits=[0])
    assert refused(table, "pick:C3") == "Ogre C3 has struck in this phase."


def test_lords_are_no_targets_of_rangestrikes() -> None:
    table = Table("plains", "minotaur C2", "ogre C5, ogre B4, angel D4, titan F4").play("pick:C2")
    assert refused(table, "hit:D4") == "Lords cannot be targets of a rangestrike."
    assert str(refused(table, "hit:F4")).startswith("Minotaur C2 must rangestrike at range 3 or 4")
    assert refused(table, "hit:C2") == "Minotaur C2 is no enemy."


def test_no_line_of_sight_is_free_over_somebody() -> None:
    table = Table("plains", "minotaur C2, ogre C3", "ogre C5, ogre E1, lion E2, titan F4").play("pick:C2")
    assert refused(table, "hit:C5") == "No line of sight from minotaur C2 to ogre C5 is free."


def test_who_may_not_be_given_the_surplus_is_told_why() -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2, lion D4, titan F1").play("pick:C3", "hit:C4")
    assert refused(table, "carry:C4") == "Lion C4 is the target itself."
    assert refused(table, "carry:D4") == "The plain strike can be carried to lion D4 as it is."
    table.play("plain", hits=[4])
    assert str(refused(table, "carry:C2")).startswith("Against centaur C2 the strike would have had fewer dice")
    assert str(refused(table, "carry:F1")).startswith("Titan F1 is not in contact with ogre C3")


def test_who_cannot_be_mustered_is_told_why() -> None:
    table = Table("marsh", "ogre A1", "ogre F1", half="defender", phase="arrival", begun=4, may_reinforce=1)
    assert refused(table, "muster:lion") == "In the marsh no lion is mustered."
    assert refused(table, "muster:troll") == ("In the marsh the living members of the legion do not qualify: troll.")
    table = Table(
        "marsh", "ogre A1", "ogre F1, ogre E1", half="defender", phase="arrival", begun=4, may_reinforce=1, supply=128
    )
    assert refused(table, "muster:troll") == "The supply has no troll."


# The position in sentences


def test_a_battle_is_described() -> None:
    table = Table("plains", "ogre C3 2, lion outside", "titan F1", phase="maneuver")
    assert GAME.text.describe_position(table.state, None) == [
        "Plains. Round 2 of 7, the half of the attacker: maneuvers.",
        "The attacker enters on side B.",
        "The attacker: ogre C3 (2 of 6 hits).",
        "Outside: lion.",
        "The defender: titan F1.",
    ]
