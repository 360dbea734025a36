"""Maneuvers: walking, flying, entering, deploying; and who may not."""

from __future__ import annotations

from tests.titan_battle.table import Table, spot
from titan_env.games.titan_battle.rules.state import Event


def ways(land: str, who: str, others: str = "", enemies: str = "centaur A1", **fields: object) -> list[str]:
    """Where the first attacker may go."""
    table = Table(land, f"{who}, {others}" if others else who, enemies, phase="maneuver", **fields)
    place = who.split()[1]
    return table.play(f"pick:{who.split()[0] if place == 'outside' else place}").may("to")


def test_who_is_in_contact_when_the_phase_starts_may_not_move() -> None:
    table = Table("plains", "warbear C3, lion A3", "troll C4", phase="maneuver")
    assert table.legal() == ["pick:A3", "end"]
    assert Table("plains", "lion F1", "troll C4, warbear C3", half="defender", phase="maneuver").asked[1] == "defender"


def test_who_starts_elsewhere_may_pass_beside_an_enemy() -> None:
    assert "D5" in ways("plains", "warbear D2", enemies="troll C3")


def test_slowing_ground_costs_2() -> None:
    assert "E4" in ways("desert", "troll F3")
    assert "D4" not in ways("desert", "troll F2")
    assert "E4" not in ways("desert", "troll F2")


def test_a_cliff_between_is_no_contact() -> None:
    table = Table("desert", "minotaur D4", "behemoth D3, ogre D2", phase="maneuver")
    assert table.legal() == ["pick:D4", "end"]
    assert "D3" not in table.play("pick:D4").may("to")
    table = Table("desert", "minotaur D4", "behemoth D3")
    assert table.asked == ("maneuver", "defender"), "no strike, and nobody at range 3"


def test_a_taken_or_forbidden_entry_hex_stops_non_fliers_not_fliers() -> None:
    taken = "ogre D1, ogre C1, ogre B1, ogre A1"
    table = Table("plains", f"lion outside, ranger outside, {taken}", "centaur F4", phase="maneuver")
    assert table.may("pick")[0] == "ranger"
    assert "lion" not in table.may("pick")
    assert "D2" in table.play("pick:ranger").may("to")


def test_who_finds_no_way_in_is_lost_at_the_end_of_the_phase() -> None:
    table = Table("plains", "lion outside", "troll D1, troll C1, troll B1, troll A1", phase="maneuver", begun=1)
    assert (table.result, table.side("attacker")) == ("defender_wins", "")


def test_skill_2_enters_slowing_ground_with_its_whole_move_and_never_what_is_forbidden() -> None:
    taken = "lion A1, lion B1, lion C1"
    table = Table("desert", f"ogre outside, {taken}", "lion F4", phase="maneuver").play("pick:ogre")
    assert table.side("attacker").startswith("ogre D1"), "the sand is its only destination"
    assert "pick:cyclops" not in Table("swamp", f"cyclops outside, {taken}", "lion F4", phase="maneuver").legal()
    assert "pick:ogre" in Table("swamp", f"ogre outside, {taken}", "lion F4", phase="maneuver").legal(), "a native"
    assert "pick:lion" not in Table("woods", f"lion outside, {taken}", "lion F4", phase="maneuver").legal(), "a tree"


def test_only_a_dragon_crosses_the_volcano() -> None:
    assert "D5" not in ways("mountains", "guardian D3")
    assert "D5" in ways("mountains", "dragon D3")
    assert "D4" not in ways("mountains", "angel D3")
    assert "C3" not in ways("woods", "angel C2"), "nobody stands on a tree"
    assert "C4" in ways("woods", "angel C2")


def test_in_a_tower_the_defender_is_deployed_on_any_of_its_seven_hexes() -> None:
    seven = ["C3", "C4", "D3", "D4", "D5", "E3", "E4"]
    fields = {"half": "defender", "phase": "maneuver", "begun": 1}
    table = Table("tower", "ogre outside", "troll outside, lion outside", **fields)
    assert table.play("pick:troll").may("to") == seven
    table.play("to:D4", "pick:lion", "to:C3")
    assert table.asked == ("maneuver", "attacker")
    assert table.play("pick:ogre", "to:C2").side("defender") == "troll D4, lion C3"


def test_flying_takes_no_notice_of_sand_that_slows_a_walk() -> None:
    assert "A1" in ways("desert", "guardian A3", enemies="lion F4")
    assert "E4" not in ways("desert", "troll F2", enemies="lion A1")


def test_a_walk_never_leads_through_others_and_never_back_to_its_hex() -> None:
    found = ways("plains", "centaur A1", "ogre A2", "lion F4")
    assert "A1" not in found
    assert "A2" not in found
    assert {"A3", "B2", "C1"} <= set(found)


def test_up_a_slope_non_natives_are_slowed_and_up_a_wall_everybody() -> None:
    assert "B3" not in ways("hills", "troll B1", enemies="lion F4")
    assert "D2" in ways("hills", "ogre C1", enemies="lion F4")
    assert "C3" not in ways("tower", "ogre B1", enemies="lion F4")
    assert "C3" in ways("tower", "ogre B2", enemies="lion F4")


def test_with_one_destination_only_nobody_is_asked() -> None:
    table = Table("plains", "ogre A1, lion A3", "centaur A2", half="defender", phase="maneuver")
    assert table.asked == ("strike", "defender"), "the centaur is locked"
    table = Table("plains", "ogre A1", "lion F4, lion B1", half="defender", phase="maneuver")
    assert table.legal() == ["pick:F4", "end"]
    table = Table("plains", "lion A1, ogre A2", "troll F1", phase="maneuver")
    table = table.play("pick:A2", "to:B2", "pick:A1", "to:B1")
    assert table.events(Event.WENT) == [(Event.WENT, 0, spot("ogre", "A2"), 4), (Event.WENT, 0, spot("lion", "A1"), 3)]
