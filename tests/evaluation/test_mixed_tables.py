"""Mixed tables: different agents around every table, each in every place, and none beside its own copy."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from titan_env import agents, registry
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.duplicate import play_blocks
from titan_env.evaluation.matches.mixed_tables import Block, anchor_of, draw_tables, play_tables, winners_of

pytestmark = pytest.mark.thorough

PIG, RACE = registry.load("pig"), registry.load("titan_race")
NAMES = ["expert", "a", "b", "c", "d", "e", "random"]


def test_no_agent_sits_beside_its_copy_and_all_sit_equally_often() -> None:
    tables = draw_tables(NAMES, 4, 50, 0, "expert")
    assert all(len(set(table)) == 4 for table in tables)
    sat = Counter(name for table in tables for name in table)
    assert set(sat) == set(NAMES)
    assert set(sat.values()) <= {50, 51}
    assert len({tuple(sorted(table)) for table in tables}) > 20, "companies differ"
    assert len({table.index("expert") for table in tables if "expert" in table}) == 4, "orders differ"


def test_more_blocks_go_on_from_the_same_tables_and_other_seeds_have_others() -> None:
    few, many = draw_tables(NAMES, 3, 10, 7, "expert"), draw_tables(NAMES[::-1], 3, 20, 7, "expert")
    assert many[: len(few)] == few
    assert draw_tables(NAMES, 3, 10, 8, "expert") != few


def test_an_agent_that_joins_sits_at_every_table_among_others() -> None:
    tables = draw_tables(NAMES, 4, 30, 0, "expert", "random")
    assert len(tables) == 30
    assert all(table.count("random") == 1 and len(set(table)) == 4 for table in tables)


def test_too_few_agents_are_joined_by_the_anchor_alone() -> None:
    tables = draw_tables(["expert", "a", "b"], 5, 10, 0, "expert")
    assert all(Counter(table) == {"expert": 3, "a": 1, "b": 1} for table in tables)


def test_a_block_of_two_is_one_of_duplicate_play() -> None:
    names = ("random", "flat:8")
    blocks = play_tables(GameSetup.of(PIG, {"goal": 20}), [names] * 4, range(4))
    shares = play_blocks(PIG, [agents.load(name, PIG) for name in names], range(4), goal=20)
    assert np.array_equal(np.stack([block.shares() for block in blocks]), shares)


def test_every_agent_has_every_place_once_and_blocks_do_not_depend_on_those_beside_them() -> None:
    tables = draw_tables(["expert", "greedy", "random", "flat:1"], 3, 3, 0, "expert")
    setup = GameSetup.of(RACE, {"titans": 3})
    together = play_tables(setup, tables, range(len(tables)))
    assert play_tables(setup, tables[2:3], [2]) == together[2:3]
    choices = winners_of(together, ["expert", "flat:1", "greedy", "random"])
    assert choices.present.sum() == 9 * len(tables)
    assert choices.shares.sum() == 3 * len(tables)
    assert all(block.places == "" for block in together), "a game without places"


def test_places_are_kept_where_a_game_has_them() -> None:
    fantasy = registry.load("fantasy_racing")
    (block,) = play_tables(GameSetup.of(fantasy, {"players": 3}), [("random", "greedy", "expert")], [5])
    assert np.sort(block.ranks(), axis=1).tolist() == [[1, 2, 3]] * 3
    assert [int(word[0]) for word in block.winners.split()] == (block.ranks() == 1).argmax(axis=1).tolist()


def test_a_damaged_block_is_refused() -> None:
    for winners in ("0 1", "0 1 3", "0 1 21", "0 1 x"):
        with pytest.raises(ValueError, match=r"expected winners|zip|invalid"):
            Block(0, ("a", "b", "c"), winners).shares()
    with pytest.raises(ValueError, match="expected a place for each of 3 agents"):
        Block(0, ("a", "b", "c"), "0 1 2", "123 123").ranks()


def test_the_anchor_is_the_expert_where_there_is_one() -> None:
    assert anchor_of(["random", "greedy", "expert"]) == "expert"
    assert anchor_of(["random", "greedy"]) == "greedy"
    assert anchor_of(["flat:8", "chat:x"]) == "chat:x"
