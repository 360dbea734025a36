"""Printed examples and rare cases of the battle, drawn as positions and played on the second implementation."""

from __future__ import annotations

from tests.titan_battle.reference import Battle
from tests.titan_battle.reference_questions import Hits, Play


def arranged(land: str, position: str, number: int = 2, half: str = "attacker") -> Battle:
    """A battle in the middle of things: `A ogre C3; D lion C4 3` is side, kind, hex, hits."""
    words = [one.split() for one in position.split("; ")]
    legions = [[kind for letter, kind, *_ in words if letter == side] for side in "AD"]
    battle = Battle(land, "B", legions[0], legions[1])
    waiting = list(words)
    for fighter in battle.fighters:
        mine = next(w for w in waiting if (w[0], w[1]) == (fighter.side[0].upper(), fighter.kind))
        waiting.remove(mine)
        fighter.hex, fighter.hits = mine[2].replace("outside", ""), int((*mine, "0")[3])
    battle.round, battle.half = number, half
    return battle


def strikes(land: str, position: str) -> Battle:
    battle = arranged(land, position)
    return battle.start(battle.strikes())


def dice(count: int, number: int, hits: int) -> Hits:
    """Let so many dice at a strike number show so many hits."""

    def rolled(dice: int, at: int) -> int:
        assert (dice, at) == (count, number)
        return hits

    return rolled


def misses(count: int, number: int) -> int:
    return 0


ONE_AND_A_HARDER_ONE = "A ogre C3; D centaur C2; D lion C4 3"


def test_nothing_carries_to_a_harder_enemy() -> None:
    battle = strikes("plains", ONE_AND_A_HARDER_ONE)
    battle.answer("pick:C3")
    battle.answer("hit:C4")
    assert battle.legal() == {"plain", "carry:C2"}
    battle.answer("plain", dice(6, 5, 4))
    assert (battle.side_to_answer, battle.ask, battle.legal()) == ("defender", "STRIKE", {"pick:C2", "pick:C4"})
    assert battle.position() == "A ogre C3 0; D centaur C2 0"


def test_a_handicap_lets_it_carry() -> None:
    battle = strikes("plains", ONE_AND_A_HARDER_ONE)
    battle.answer("pick:C3")
    battle.answer("hit:C4")
    battle.answer("carry:C2", dice(6, 6, 4))
    assert battle.legal() == {"carry:C2", "pass"}
    battle.answer("carry:C2")
    assert battle.position() == "A ogre C3 0; D centaur C2 2"


def test_who_is_in_contact_may_not_move_and_passing_is_free() -> None:
    battle = arranged("plains", "A warbear D3; A lion F1; D troll D4")
    battle.start(battle.maneuvers())
    assert battle.legal() == {"pick:F1", "end"}
    battle.answer("pick:F1")
    assert {"to:E3", "to:E4"} <= battle.legal()


def test_a_minotaur_above_a_cliff_may_move() -> None:
    battle = arranged("desert", "A minotaur D4; D behemoth D3")
    assert battle.start(battle.maneuvers()).legal() == {"pick:D4", "end"}
    assert not strikes("desert", "A minotaur D4; D behemoth D3").ask


def test_a_minotaur_above_a_cliff_shoots_over_the_enemy_below() -> None:
    battle = strikes("mountains", "A minotaur B1; D troll D3; D behemoth C2")
    assert battle.legal() == {"pick:B1", "end"}
    battle.answer("pick:B1", dice(2, 2, 1))
    assert battle.position().startswith("A minotaur B1 0; D troll D3 1;")


def test_a_character_slain_by_drift_strikes_and_is_no_target() -> None:
    battle = strikes("tundra", "A ranger C5; A colossus C3; D ogre C4 5; D lion E4")
    assert battle.board.hazard["C4"] == "drift"
    assert (battle.side_to_answer, battle.legal()) == ("defender", {"pick:C4"})
    battle.answer("pick:C4")
    assert battle.legal() == {"hit:C3", "hit:C5"}
    battle.answer("hit:C3", misses)
    assert (battle.ask, battle.window) == ("", "open")


def test_the_last_two_slay_each_other() -> None:
    battle = strikes("plains", "A lion C3; D lion C4")
    battle.answer("pick:C3", dice(5, 4, 5))
    battle.answer("pick:C4", dice(5, 4, 5))
    assert (battle.result, battle.winners) == ("mutual", {"attacker", "defender"})


def test_a_titan_falls_with_the_last_of_the_others() -> None:
    battle = strikes("plains", "A lion C3; D titan C4; D ogre A1")
    battle.answer("pick:C3", dice(5, 5, 5))
    assert not battle.result
    assert battle.legal() == {"pick:C4"}
    battle = strikes("plains", "A lion C3; D titan C4 1; D ogre A1")
    battle.answer("pick:C3", dice(5, 5, 5))
    battle.answer("pick:C4", dice(6, 3, 6))
    assert battle.result == "mutual"


def test_enemies_with_the_same_pair_give_one_handicap() -> None:
    battle = strikes("plains", "A troll C3; D centaur B3; D lion C4 4; D minotaur D3")
    battle.answer("pick:C3")
    battle.answer("hit:C4")
    assert battle.legal() == {"plain", "carry:B3"}
    battle.answer("carry:B3", dice(8, 6, 3))
    assert battle.legal() == {"carry:B3", "carry:D3", "pass"}


def test_a_strike_down_a_dune_carries_only_with_the_handicap() -> None:
    battle = strikes("desert", "A lion A2; D ogre B3 5; D ogre A1")
    battle.answer("pick:A2")
    battle.answer("hit:B3")
    assert battle.legal() == {"plain", "carry:A1"}
    battle.answer("plain", dice(7, 3, 7))
    assert (battle.side_to_answer, battle.ask) == ("defender", "STRIKE")


def test_a_strike_not_up_a_dune_never_carries_up_one() -> None:
    battle = strikes("desert", "A serpent B3; D ogre B4 5; D ogre A2")
    battle.answer("pick:B3")
    battle.answer("hit:B4", dice(18, 4, 9))
    assert (battle.side_to_answer, battle.ask) == ("defender", "STRIKE")


def test_whose_enemies_nearby_are_slain_neither_strikes_nor_shoots() -> None:
    battle = strikes("plains", "A ranger C3; A troll D5; D lion C4 4; D ogre E1")
    assert battle.legal() == {"pick:C3", "pick:D5"}
    battle.answer("pick:D5", dice(8, 5, 1))
    assert (battle.side_to_answer, battle.legal()) == ("defender", {"pick:C4"})


def test_a_taken_entry_stops_those_who_walk() -> None:
    walls = "D ogre A1; D ogre B1; D ogre C1; D ogre D1"
    battle = arranged("plains", f"A ogre outside; A gargoyle outside; {walls}", number=1)
    assert battle.start(battle.maneuvers()).legal() == {"pick:gargoyle", "end"}
    battle.answer("end")
    assert battle.result == "defender"


def test_a_reinforcement_that_does_not_enter_goes_back() -> None:
    battle = Battle("marsh", "R", ["ogre"], ["ogre"], supply={"ogre": 1})
    battle.round, battle.half = 4, "defender"
    for one in battle.fighters:
        one.hex = {"attacker": "F1", "defender": "A1"}[one.side]

    def script() -> Play:
        yield from battle.arrivals()
        yield from battle.maneuvers()

    battle.start(script())
    assert (battle.ask, battle.legal()) == ("REINFORCE", {"muster:ogre", "pass"})
    battle.answer("muster:ogre")
    assert (battle.legal(), battle.supply) == ({"pick:ogre", "pick:A1", "end"}, {"ogre": 0})
    battle.answer("end")
    assert (battle.position(), battle.supply) == ("A ogre F1 0; D ogre A1 0", {"ogre": 1})


def test_deployment_costs_nothing_and_the_next_phase_is_ordinary() -> None:
    battle = Battle("tower", "B", ["ogre"], ["ogre"]).start()
    battle.answer("pick:ogre")
    assert battle.legal() == {"to:C3", "to:C4", "to:D3", "to:D4", "to:D5", "to:E3", "to:E4"}
    battle.answer("to:D4")
    assert battle.side_to_answer == "attacker"
    battle.answer("pick:ogre")
    battle.answer("to:D1")
    assert (battle.side_to_answer, battle.legal()) == ("defender", {"pick:D4", "end"})


def test_a_defender_left_outside_keeps_the_window_shut() -> None:
    battle = Battle("plains", "B", ["ogre"], ["ogre", "gargoyle"], summon="angel").start()
    for text in ("pick:ogre", "to:D6", "end"):
        battle.answer(text)
    assert (battle.side_to_answer, battle.ask, battle.window) == ("attacker", "MANEUVER", "not yet")


def test_colossus_among_three_carries_on_and_on() -> None:
    position = "A colossus E3; D gargoyle D3 3; D ogre E2 5; D ogre F2 5"
    battle = strikes("plains", position)
    battle.answer("pick:E3")
    battle.answer("hit:D3", dice(10, 3, 9))
    assert battle.legal() == {"carry:E2", "carry:F2", "pass"}
    battle.answer("carry:E2")
    assert battle.legal() == {"carry:F2", "pass"}
    battle = strikes("plains", position)
    battle.answer("pick:E3")
    battle.answer("hit:E2")
    assert battle.legal() == {"plain", "carry:D3"}
    battle.answer("carry:D3", dice(10, 3, 9))
    assert battle.legal() == {"carry:D3", "carry:F2", "pass"}


def test_nothing_carries_to_the_slain() -> None:
    battle = strikes("plains", "A colossus E3; A ogre F1; D ogre E2 5; D ogre F2 5; D lion A1")
    battle.answer("pick:F1")
    battle.answer("hit:F2", dice(6, 4, 6))
    assert battle.legal() == {"carry:E2", "pass"}


def test_a_must_comes_before_the_end_of_striking() -> None:
    battle = strikes("plains", "A ogre C3; A ranger A3; D lion C4")
    assert battle.legal() == {"pick:C3", "pick:A3"}
    battle.answer("pick:C3", misses)
    assert battle.legal() == {"pick:A3", "end"}


def test_two_that_never_meet_lose_time() -> None:
    battle = Battle("plains", "B", ["ogre"], ["lion"], supply={"centaur": 1, "lion": 1}).start()
    for text in ("pick:lion", "to:D6", "pick:ogre", "to:D1"):
        battle.answer(text)
    asked = []
    while battle.ask:
        asked.append((battle.ask, frozenset(battle.legal())))
        battle.answer("pass" if battle.ask == "REINFORCE" else "end")
    assert [legal for ask, legal in asked if ask == "REINFORCE"] == [{"muster:centaur", "muster:lion", "pass"}]
    assert (battle.result, battle.round, battle.winners) == ("time-loss", 7, {"defender"})
