"""The second implementation of the battle agrees with the vectors and with the printed examples."""

from __future__ import annotations

import pytest

from tests.titan_battle.reference_board import BOARDS, ENTRIES, HEXES, distance
from tests.titan_battle.reference_data import KINDS, TERRAINS, in_order, musters, titan_power, vectors, ways_to_muster
from tests.titan_battle.reference_strikes import rangestrike, strike


def test_a_walk_ends_where_the_vectors_say() -> None:
    for (terrain, who, start, *rest), ends in vectors("walks"):
        if start.upper() in ENTRIES:
            found = BOARDS[terrain].destinations(who, ENTRIES[start.upper()][start.islower()], [])
        else:
            found = BOARDS[terrain].destinations(who, start, rest[1:])
        assert sorted(found) == ends, (terrain, who, start, rest)


def test_a_strike_has_the_dice_and_the_number_of_the_vectors() -> None:
    beside = apart = 0
    for (terrain, who, here, whom, there), result in vectors("strikes"):
        board, power = BOARDS[terrain], KINDS[who].power
        if distance(here, there) == 2:
            found, beside = strike(board, who, power, here, whom, there), beside + 1
        else:
            found, apart = rangestrike(board, who, power, here, whom, there, []), apart + 1
        assert (["no"] if found is None else [str(n) for n in found]) == result, (terrain, who, here, whom, there)
    assert min(beside, apart) > 150


def sees(terrain: str, here: str, there: str) -> bool:
    """Whether a character that can shoot at range 4 has a free line on an empty map."""
    return rangestrike(BOARDS[terrain], "minotaur", 4, here, "ogre", there, []) is not None


def test_a_line_of_sight_is_free_where_the_vectors_say() -> None:
    for (terrain, here), words in vectors("sight"):
        bar = words.index("|")
        for far, ends in ((3, words[:bar]), (4, words[bar + 1 :])):
            found = [there for there in HEXES if distance(here, there) == far and sees(terrain, here, there)]
            assert found == ends, (terrain, here, far)


COUNTS = {"plains": (186, 186), "brush": (186, 186), "marsh": (186, 186), "tundra": (186, 186), "woods": (172, 118)}
COUNTS |= {"jungle": (176, 138), "hills": (144, 62), "desert": (158, 100), "swamp": (168, 108)}
COUNTS |= {"mountains": (154, 96), "tower": (132, 66)}


@pytest.mark.parametrize("terrain", TERRAINS)
def test_every_land_has_as_many_free_lines_as_counted(terrain: str) -> None:
    for far, count in zip((3, 4), COUNTS[terrain], strict=True):
        pairs = [(here, there) for here in HEXES for there in HEXES if distance(here, there) == far]
        assert (len(pairs), sum(sees(terrain, *pair) for pair in pairs)) == (186, count)


STRIKES = """
plains ogre C3 lion C4: 6 5
hills ogre B3 centaur B2: 7 6
hills centaur B2 ogre B3: 3 3
hills lion B2 ogre B3: 5 3
tower centaur D4 ogre D5: 3 1
tower ogre D5 centaur D4: 6 6
tower lion C4 lion C3: 5 4
brush ogre D4 gargoyle D5: 6 6
brush cyclops D4 gargoyle D5: 9 5
brush ogre D1 cyclops D2: 6 6
brush ogre D4 lion D5: 6 5
desert lion A2 ogre B3: 7 3
desert ogre E3 lion D4: 5 5
desert ogre D4 ogre E3: 6 4
mountains dragon D4 ogre D5: 12 3
mountains troll D5 dragon D4: 8 6
mountains colossus B1 unicorn C2: none
brush ranger D1 ogre C1: 4 3
"""


@pytest.mark.parametrize("line", STRIKES.strip().splitlines())
def test_a_strike_is_as_printed(line: str) -> None:
    """The printed table and examples of strikes."""
    words, result = line.split(":")
    terrain, who, here, whom, there = words.split()
    found = strike(BOARDS[terrain], who, KINDS[who].power, here, whom, there)
    assert result.split() == (["none"] if found is None else [str(n) for n in found])


RANGESTRIKES = """
plains minotaur A1 lion D2: 2 4
plains dragon A1 ogre A3: 4 3
mountains dragon D4 ogre D6: 6 3
desert minotaur D4 behemoth D3: none
desert warlock D4 behemoth D3: 2 3
brush ranger D2 ogre D4: 2 2
"""


@pytest.mark.parametrize("line", RANGESTRIKES.strip().splitlines())
def test_a_rangestrike_is_as_printed(line: str) -> None:
    """Printed examples, and the cases that cost public programs years."""
    words, result = line.split(":")
    terrain, who, here, whom, there = words.split()
    found = rangestrike(BOARDS[terrain], who, KINDS[who].power, here, whom, there, [])
    assert result.split() == (["none"] if found is None else [str(n) for n in found])


def test_values_and_powers_are_as_printed() -> None:
    assert (KINDS["lion"].value, titan_power(327), titan_power(1163)) == (15, 9, 17)


MUSTERED = """
marsh: ogre: ogre
marsh: troll: ogre troll
marsh: ogre ogre: ogre troll
mountains: lion lion: lion minotaur
mountains: colossus: lion minotaur dragon colossus
mountains: centaur centaur lion lion: lion minotaur
desert: centaur centaur lion lion: lion
tower: troll troll troll: guardian centaur gargoyle ogre
"""


@pytest.mark.parametrize("line", MUSTERED.strip().splitlines())
def test_a_legion_qualifies_as_printed(line: str) -> None:
    """Printed examples of musters."""
    terrain, legion, result = (part.split() for part in line.split(":"))
    assert in_order(musters(legion, terrain[0])) == result


def test_a_troll_is_mustered_by_two_ogres_or_by_a_troll() -> None:
    assert ways_to_muster(["ogre", "ogre", "troll"], "marsh", "troll") == {"ogre": 2, "troll": 1}


def test_three_guardians_muster_a_guardian_by_showing_one() -> None:
    assert ways_to_muster(["guardian"] * 3, "tower", "guardian") == {"guardian": 1}


MOVES = """
mountains guardian D3: not D5
mountains dragon D3: D5
desert guardian A3: A1
desert troll F2: not E4
desert troll F3: E4 not D4
"""


@pytest.mark.parametrize("line", MOVES.strip().splitlines())
def test_a_move_is_as_printed(line: str) -> None:
    """Printed examples, and the cases that cost public programs years."""
    (terrain, who, start), words = (part.split() for part in line.split(":"))
    found = BOARDS[terrain].destinations(who, start, [])
    for i, word in enumerate(words):
        if word != "not":
            assert (word in found) == (words[i - 1] != "not" or i == 0)


def test_a_cliff_parts_hexes_beside_each_other() -> None:
    assert not BOARDS["desert"].in_contact("D4", "D3")


def test_a_rangestrike_passes_over_a_character_below_the_own_cliff() -> None:
    board = BOARDS["mountains"]
    assert not board.in_contact("B1", "C2")
    assert rangestrike(board, "minotaur", 4, "B1", "troll", "D3", ["C2"]) == (2, 2)
