"""What a seat may know: its own legions, others by the public record, and nothing of a question that is not its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.titan_war.positions import answer, begin_engagements, begin_movement, begin_turn, war_at
from tests.titan_war.reference_lands import ORDER
from tests.titan_war.table import NAMES
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.rules.state import Ask

TITAN, ANGEL, OGRE, LION = (NAMES.index(name) for name in ("titan", "angel", "ogre", "lion"))


def seen(war: Any, seat: int) -> dict[str, Any]:
    vector = np.full(GAME.rules.fields.size, 77, np.uint8)
    GAME.rules.observe(war.state, seat, vector)
    return GAME.rules.fields.split(vector)


def asked(fields: dict[str, Any]) -> str:
    """The question that is seen; "" where none is."""
    return Ask(int(fields["ask"].argmax()) + 1).name if fields["ask"].any() else ""


def test_own_legions_are_seen_as_they_are_and_others_by_the_record() -> None:
    war = begin_turn(war_at("0 on 41: titan ogre ogre\n0 on 1: ogre lion\n1 on 300: titan angel", [0, 0]), 1)
    mine, theirs = seen(war, 0), seen(war, 1)
    land = ORDER[41]
    assert mine["land_at_least"][land, [TITAN, OGRE]].tolist() == [1, 2]
    assert mine["land_at_most"][land, [TITAN, OGRE, LION]].tolist() == [1, 2, 0]
    assert theirs["land_at_least"][land, [TITAN, OGRE]].tolist() == [0, 1]
    assert theirs["land_at_most"][land, [TITAN, OGRE, LION]].tolist() == [1, 3, 1]
    assert mine["land_owner"][land].tolist() == [1, 0, 0, 0, 0, 0]
    assert theirs["land_owner"][land].tolist() == [0, 1, 0, 0, 0, 0], "others follow in turn order"
    assert (mine["land_height"][land], theirs["land_height"][land]) == (3, 3)


def test_where_two_legions_share_a_land_their_numbers_are_added() -> None:
    war = begin_movement(war_at("0 on 100: titan ogre\n0 on 100: angel ogre\n1 on 300: titan"), 1)
    mine = seen(war, 0)
    assert mine["land_height"][ORDER[100]] == 4
    assert mine["land_at_least"][ORDER[100], [TITAN, ANGEL, OGRE]].tolist() == [1, 1, 2]
    answer(war, "pick:100")
    assert asked(seen(war, 1)) == "STACK", "who moves is no secret"
    assert seen(war, 0)["stack"][:, [TITAN, ANGEL]].tolist() == [[1, 0], [0, 1], [0, 0]]
    assert not seen(war, 1)["stack"].any()


def test_what_ends_the_war_besides_the_last_titan_is_seen_and_cut_where_it_is_far() -> None:
    war = begin_turn(war_at("0 on 41: titan ogre ogre\n1 on 300: titan angel", [0, 0]), 1)
    ends = ("goal", "turns_left", "lean")
    war.state.goal = war.state.turn_limit = 0
    assert [seen(war, 1)[name] for name in ends] == [0, 0, 0], "nothing else ends it"
    war.state.goal, war.state.turn_limit, war.state.turns, war.state.lean = 110, 12, 9, 1
    assert [seen(war, 1)[name] for name in ends] == [6, 3, 1], "in steps of 20 points, this turn too"
    war.state.goal, war.state.turn_limit = 10_000, 1_000
    assert [seen(war, 1)[name] for name in ends] == [250, 250, 1]


def test_of_a_private_question_others_learn_nothing() -> None:
    war = begin_turn(war_at("0 on 42: titan ogre ogre lion\n1 on 300: titan"), 1)
    answer(war, "pick:ogre")
    mine, theirs = seen(war, 0), seen(war, 1)
    assert (asked(mine), asked(theirs)) == ("SPLIT", "")
    assert (mine["split"][OGRE], theirs["split"].any()) == (1, False)
    assert mine["land_status"][ORDER[42]].tolist() == [0, 0, 0, 1]
    assert not theirs["land_status"].any()


def test_where_a_legion_can_move_is_seen_at_the_question() -> None:
    war = begin_movement(war_at("0 on 41: titan\n0 on 1: ogre\n1 on 300: titan"), 3)
    land = ORDER[41]
    assert (seen(war, 0)["land_status"][land, 1], seen(war, 1)["land_status"][land, 1]) == (1, 0)
    answer(war, "pick:41")
    assert seen(war, 0)["land_status"][land].tolist() == [0, 0, 0, 1]
    answer(war, min(war.legal()))
    assert seen(war, 0)["land_status"][:, 0].sum() == 1, "one has moved"


def test_both_legions_of_an_engagement_are_seen_by_all() -> None:
    position = "0 on 1: ogre ogre\n0 on 41: titan\n1 on 1: lion\n1 on 300: titan\n2 on 400: titan"
    war = begin_engagements(war_at(position, [0, 0, 0]))
    for seat, rows in ((0, [[2, 0], [0, 1]]), (1, [[0, 1], [2, 0]]), (2, [[2, 0], [0, 1]])):
        fields = seen(war, seat)
        assert fields["talk"][:, [OGRE, LION]].tolist() == rows
        assert fields["land_status"][ORDER[1], 2] == 1
        assert asked(fields) == "DEFEND"


def test_scores_powers_and_worth_are_seen_from_the_own_seat_on() -> None:
    war = begin_turn(war_at("0 on 41: titan ogre\n1 on 300: titan\n2 on 400: titan", [140, 0, 520]), 1)
    fields = seen(war, 2)
    assert fields["score"].tolist() == [26, 7, 0, 0, 0, 0]
    assert fields["power"].tolist() == [11, 7, 6, 0, 0, 0]
    assert fields["worth"].tolist() == [4, 4, 2, 0, 0, 0]
    assert fields["markers"].tolist() == [11, 11, 11, 0, 0, 0]
    assert fields["living"].tolist() == [1, 1, 1, 0, 0, 0]
    assert fields["mover"].tolist() == [0, 1, 0, 0, 0, 0]
    assert fields["roll"].tolist() == [0, 1, 0, 0, 0, 0, 0]
